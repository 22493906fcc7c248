/* The process of a seat: begun, heard, replaced. One that is dead, that does
   not read, or that has shown nothing for the request at `check`, is replaced
   by one that is told the match so far: first its steps, then what the game
   master has said since. Every second death lowers what the next one dares
   (FlowLevel); answers enough make up for that.

   Silence alone proves nothing: on a machine with much to do a process may have
   had no processor, and rules may take long to read; see hangs. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "io/event.h"
#include "server/seat_parts.h"

enum {
  DEATHS_A_LEVEL = 2,
  DEATHS_AT_ONCE = 6, /* replaced without delay */
  FORGIVEN = 5,       /* answers of one process */
  RETRIES = 2,        /* of daring more */
  MOST_UNTOLD = 16,
  FRAMES = 64 /* read in one go */
};

static const double check_part = 0.4;   /* of the time, to show something */
static const double least_check = 0.05; /* seconds that a new one needs */
static const double patience = 10;      /* seconds to show the first thing */
static const double longest_delay = 5;  /* of a replacement */

int seat_file(const Seat *seat) {
  return seat->life.process.pid ? seat->life.process.link : -1;
}

pid_t seat_process(const Seat *seat) {
  return seat->life.process.pid;
}

void seat_lost_process(Seat *seat) {
  seat->life.process.gone = true;
}

/* ---- its life ---- */

typedef struct Errand {
  int (*flow)(const FlowStart *start, int link);
  FlowStart start;
} Errand;

static int live(const void *context, int link) {
  const Errand *errand = context;
  return errand->flow(&errand->start, link);
}

static FlowLevel next_level(const Seat *seat) {
  uint32_t steps = seat->life.deaths / DEATHS_A_LEVEL;
  return steps < FLOW_LEGAL ? (FlowLevel)steps : FLOW_LEGAL;
}

/* The next one begins at once, or, after many deaths, with growing delay. */
static void process_died(Seat *seat, const char *why) {
  SeatLife *life = &seat->life;
  process_kill(&life->process);
  if (seat->phase >= LEAVING) {
    seat->phase = OVER;
    return;
  }
  life->deaths++;
  event_log(seat_id(seat), "warning: process lost (%s), death %u", why,
            life->deaths);
  double delay = life->deaths <= DEATHS_AT_ONCE
                     ? 0
                     : 0.01 * exp2(fmin(life->deaths - DEATHS_AT_ONCE, 10));
  life->begin = clock_now() + fmin(delay, longest_delay);
}

static void set_check(Seat *seat, double now) {
  double left = seat->hard - now;
  seat->life.check =
      check_part * left < least_check ? INFINITY : now + check_part * left;
  seat->life.set = now;
  process_times(&seat->life.process, &seat->life.times);
}

/* All that it may not have heard; the last is the request. */
static bool tell(Seat *seat) {
  int link = seat->life.process.link;
  uint32_t count = seat->untold.count;
  bool heard = true;
  for (uint32_t i = 0; i < count && heard; i++)
    heard = link_send(link, LINK_PLAY, seat->number - (count - 1 - i),
                      seat->soft, text_string(&seat->untold.data[i]));
  if (!count) heard = link_send(link, LINK_AGAIN, seat->number, seat->soft, "");
  return heard;
}

static FlowStart make_start(const Seat *seat, double now) {
  const SeatHost *host = seat->host;
  return (FlowStart){.rules = text_string(&seat->start.rules),
                     .rules_length = seat->start.rules.length,
                     .role = text_string(&seat->start.role),
                     .start_deadline =
                         seat->phase == STARTING ? seat->soft : now,
                     .play = seat->start.play,
                     .history = &seat->history,
                     .agent = host->agent,
                     .limits = host->limits,
                     .level = seat->life.level,
                     .seed = host->seed + seat->life.deaths};
}

void seat_begin_process(Seat *seat) {
  SeatLife *life = &seat->life;
  double now = clock_now();
  life->level = next_level(seat);
  life->born = now;
  life->begin = INFINITY;
  life->answers = 0;
  life->shown = false;
  Errand errand = {seat->host->flow, make_start(seat, now)};
  if (!process_begin(&life->process, seat->host->memory, live, &errand)) {
    process_died(seat, "the system gives no process");
    return;
  }
  event_log(seat_id(seat), "process %d at step %u, level %d",
            (int)life->process.pid, seat->history.count, (int)life->level);
  set_check(seat, now);
  if (seat->phase == ASKED && !tell(seat))
    process_died(seat, "it does not listen");
}

void seat_ask_process(Seat *seat) {
  Text moves = {0};
  text_add(&moves, text_string(&seat->moves));
  vector_push(&seat->untold, moves);
  if (seat->untold.count > MOST_UNTOLD) {
    text_free(&seat->untold.data[0]);
    seat->untold.count--;
    memmove(seat->untold.data, seat->untold.data + 1,
            seat->untold.count * sizeof *seat->untold.data);
  }
  if (!seat->life.process.pid) {
    seat_begin_process(seat);
    return;
  }
  set_check(seat, clock_now());
  if (!link_send(seat->life.process.link, LINK_PLAY, seat->number, seat->soft,
                 text_string(&seat->moves)))
    process_died(seat, "it does not listen");
}

void seat_praise_process(Seat *seat) {
  SeatLife *life = &seat->life;
  if (++life->answers != FORGIVEN) return;
  life->deaths = 0;
  if (life->level == FLOW_FULL || life->retries++ >= RETRIES) return;
  event_log(seat_id(seat), "another process may dare more");
  process_kill(&life->process);
  life->begin = clock_now();
}

/* ---- what it says ---- */

/* The first `count` have been heard. */
static void forget_untold(Seat *seat, uint32_t count) {
  TextVector *untold = &seat->untold;
  if (count > untold->count) count = untold->count;
  for (uint32_t i = 0; i < count; i++) text_free(&untold->data[i]);
  untold->count -= count;
  if (count)
    memmove(untold->data, untold->data + count,
            untold->count * sizeof *untold->data);
}

static void take_step(Seat *seat, const LinkFrame *frame) {
  Text error = {0};
  const char *joint = text_string(&frame->text);
  if (!history_set(&seat->history, frame->number, joint)) {
    event_log(seat_id(seat), "warning: step %u out of order", frame->number);
    return;
  }
  forget_untold(seat, 1);
  seat_wrote(seat, journal_step(&seat->journal, frame->number, joint, &error),
             &error);
}

static void take_move(Seat *seat, const LinkFrame *frame, bool final) {
  if (!frame->text.length) return;
  seat->life.shown = true;
  text_clear(&seat->guess);
  text_add(&seat->guess, frame->text.bytes);
  if (seat->phase != ASKED || frame->number != seat->number) return;
  forget_untold(seat, seat->untold.count);
  text_clear(&seat->move);
  text_add(&seat->move, frame->text.bytes);
  seat->has_move = true;
  if (final)
    seat_answer_play(seat, true, "");
  else if (clock_now() >= seat->hard)
    seat_answer_play(seat, false, ", late");
}

/* Lines of text as lines of the log. */
static void log_lines(const Seat *seat, Text *text) {
  char *rest = text->bytes;
  for (char *line; rest && (line = strsep(&rest, "\n"));)
    if (*line) event_log(seat_id(seat), "%s", line);
}

static void take_frame(Seat *seat, LinkFrame *frame) {
  switch (frame->kind) {
  case LINK_READY:
    if (seat->phase == STARTING) seat_answer_start(seat, "");
    break;
  case LINK_STEP: take_step(seat, frame); break;
  case LINK_MOVE: take_move(seat, frame, false); break;
  case LINK_FINAL: take_move(seat, frame, true); break;
  case LINK_NOTE: log_lines(seat, &frame->text); break;
  case LINK_REPORT:
    if (seat->host->verbose) log_lines(seat, &frame->text);
    break;
  default: break; /* it is ours to say that */
  }
}

void seat_read(Seat *seat) {
  static LinkFrame frame;
  for (int i = 0; i < FRAMES && seat->life.process.pid; i++) {
    LinkEvent event = link_receive(seat->life.process.link, &frame);
    if (event == LINK_EMPTY) return;
    if (event == LINK_GOT)
      take_frame(seat, &frame);
    else
      process_died(seat, "it ended");
  }
}

/* ---- whether it lives ---- */

/* What its first thread did since the check was set, in parts of that time. One
   that slept does not work. One that waited for a processor cannot help it. One
   that ran is reading rules, for which it has time, or goes round in circles.
 */
static bool hangs(const Seat *seat, double now) {
  const SeatLife *life = &seat->life;
  ProcessTimes times;
  double time = now - life->set;
  if (!process_times(&life->process, &times)) return life->shown;
  double waited = times.waited - life->times.waited;
  double ran = times.ran - life->times.ran;
  if (times.stopped || ran + waited < 0.2 * time) return true;
  if (waited > 0.5 * time) return false;
  return life->shown || now - life->born > patience;
}

static bool has_check(const Seat *seat) {
  return seat->phase == ASKED && !seat->has_move && seat->life.process.pid;
}

void seat_tend_process(Seat *seat, double now) {
  SeatLife *life = &seat->life;
  if (has_check(seat) && now >= life->check) {
    if (hangs(seat, now))
      process_died(seat, "it shows nothing");
    else
      set_check(seat, now);
  }
  if (seat->phase < LEAVING && !life->process.pid && now >= life->begin)
    seat_begin_process(seat);
}

double seat_process_due(const Seat *seat) {
  double due = has_check(seat) ? seat->life.check : INFINITY;
  if (!seat->life.process.pid && seat->phase < LEAVING)
    due = fmin(due, seat->life.begin);
  return due;
}
