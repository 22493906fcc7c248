/* A seat is in one of four phases: starting (a START waits), asked (a PLAY
   does), idle, leaving (the process may say the goals, then it is killed).

   A request is answered when the process says that no better move will come, or
   with what it has published at `hard`, which is the clock's end less a margin;
   if there is nothing yet, with the first thing that comes until `last`, just
   before the clock's end; then with a guess. A process that is dead, that does
   not read, or that has shown nothing for the request at `check`, is replaced
   by one that is told the match so far; every second death lowers what the next
   one dares (FlowLevel), and after answers enough all is forgiven. */
#include "ggp/seat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ggp/event.h"
#include "ggp/margin.h"
#include "ggp/process.h"

typedef enum { STARTING, ASKED, IDLE, LEAVING, OVER } Phase;

enum {
  WAITERS = 8, /* for one answer */
  DEATHS_A_LEVEL = 2,
  DEATHS_AT_ONCE = 6, /* replaced without delay */
  FORGIVEN = 5,       /* answers of one process */
  FRAMES = 64         /* read in one go */
};

static const double check_part = 0.4;     /* of the time, to show something */
static const double least_check = 0.05;   /* seconds that a new one needs */
static const double patience = 5;         /* seconds to show the first thing */
static const double farewell = 1;         /* seconds to say the goals */
static const double longest_delay = 5;    /* of a replacement */
static const double last_moment = 0.02;   /* before the clock's end */
static const double late_moment = 0.25;   /* for those that come late */
static const char last_resort[] = "noop"; /* legal more often than others */

struct Seat {
  const SeatHost *host;
  Message start;
  TextVector history;
  Journal journal;
  Margin margin;
  Phase phase;
  VECTOR(HttpRequest *) waiting;
  double touched; /* the last message */

  Process process;
  uint32_t deaths, answers; /* of processes; by this one */
  double born, begin; /* begin: when the next one does, if there is none */
  double used;        /* processor time when the request came */
  bool shown;         /* this one has published something */
  bool checked;       /* for this request, and let be */

  uint32_t number; /* of the request */
  Text moves;      /* that it told */
  bool told;       /* their step has been made */
  double arrival, soft, hard, last, check;
  Text move, guess; /* published for this request; for any */
  bool has_move;
};

/* ---- small things ---- */

const char *seat_id(const Seat *seat) {
  return text_string(&seat->start.id);
}

bool seat_is_leaving(const Seat *seat) {
  return seat->phase >= LEAVING;
}

bool seat_is_over(const Seat *seat) {
  return seat->phase == OVER;
}

int seat_file(const Seat *seat) {
  return seat->process.pid ? seat->process.link : -1;
}

pid_t seat_process(const Seat *seat) {
  return seat->process.pid;
}

static void set_text(Text *text, const char *string) {
  text_clear(text);
  text_add(text, string);
}

static void wrote(Seat *seat, bool fine, Text *error) {
  if (!fine)
    event_log(seat_id(seat), "warning: the match is not kept on disk: %s",
              text_string(error));
  text_free(error);
}

/* ---- answers ---- */

static void reply_all(Seat *seat, const char *text) {
  for (uint32_t i = 0; i < seat->waiting.count; i++)
    http_reply(seat->waiting.data[i], 200, text);
  vector_clear(&seat->waiting);
}

static void wait_too(Seat *seat, HttpRequest *request) {
  if (seat->waiting.count == WAITERS) {
    http_reply(request, 200, "busy");
    return;
  }
  margin_saw_trip(&seat->margin, http_trip(request));
  vector_push(&seat->waiting, request);
}

static void answer_start(Seat *seat, const char *why) {
  double now = clock_now();
  event_log(seat_id(seat), "START: ready after %.3f s of %g%s",
            now - seat->arrival, seat->start.start, why);
  margin_saw_reply(&seat->margin, fmax(now - seat->hard, 0));
  reply_all(seat, "ready");
  seat->phase = IDLE;
}

/* What the answer said about time: how late we are, and how late the process
   was, which is not known if it has not finished. */
static void learn(Seat *seat, bool final, double now) {
  margin_saw_reply(&seat->margin,
                   fmax(now - seat->hard, 0) + http_delay(seat->host->http));
  margin_saw_process(&seat->margin,
                     fmax((final ? now : seat->hard) - seat->soft, 0));
}

static void answer_play(Seat *seat, bool final, const char *why) {
  double now = clock_now();
  Text error = {0};
  const char *move = seat->has_move       ? text_string(&seat->move)
                     : seat->guess.length ? text_string(&seat->guess)
                                          : last_resort;
  event_log(seat_id(seat), "PLAY %u: %s after %.3f s of %g, margin %.3f%s",
            seat->number, move, now - seat->arrival, seat->start.play,
            seat->arrival + seat->start.play - seat->hard, why);
  learn(seat, final, now);
  if (seat->waiting.count)
    wrote(seat, journal_sent(&seat->journal, move, &error), &error);
  reply_all(seat, move);
  seat->phase = IDLE;
  if (++seat->answers >= FORGIVEN) seat->deaths = 0;
}

/* ---- the process ---- */

typedef struct Life {
  int (*flow)(const FlowStart *start, int link);
  FlowStart start;
} Life;

static int live(const void *context, int link) {
  const Life *life = context;
  return life->flow(&life->start, link);
}

static FlowLevel level(const Seat *seat) {
  uint32_t steps = seat->deaths / DEATHS_A_LEVEL;
  return steps < FLOW_LEGAL ? (FlowLevel)steps : FLOW_LEGAL;
}

static void process_died(Seat *seat, const char *why);

/* What the process is asked, if anything. */
static void ask(Seat *seat) {
  if (seat->phase != ASKED) return;
  bool sent = seat->told
                  ? link_send(seat->process.link, LINK_AGAIN, seat->number,
                              seat->soft, "")
                  : link_send(seat->process.link, LINK_PLAY, seat->number,
                              seat->soft, text_string(&seat->moves));
  if (!sent) process_died(seat, "it does not listen");
}

static void begin_process(Seat *seat) {
  const SeatHost *host = seat->host;
  double now = clock_now();
  Life life = {host->flow,
               {.rules = text_string(&seat->start.rules),
                .rules_length = seat->start.rules.length,
                .role = text_string(&seat->start.role),
                .start_deadline = seat->phase == STARTING ? seat->soft : now,
                .play = seat->start.play,
                .history = &seat->history,
                .agent = host->agent,
                .limits = host->limits,
                .level = level(seat),
                .seed = host->seed + seat->deaths}};
  seat->born = now;
  seat->begin = INFINITY;
  seat->answers = 0;
  seat->shown = seat->checked = false;
  seat->used = 0;
  seat->check = now + check_part * fmax(seat->hard - now, 0);
  if (!process_begin(&seat->process, host->memory, live, &life)) {
    process_died(seat, "the system gives no process");
    return;
  }
  event_log(seat_id(seat), "process %d at step %u, level %d",
            (int)seat->process.pid, seat->history.count, (int)level(seat));
  ask(seat);
}

/* The next one begins at once, or, after many deaths, with growing delay. */
static void process_died(Seat *seat, const char *why) {
  process_kill(&seat->process);
  if (seat->phase >= LEAVING) {
    seat->phase = OVER;
    return;
  }
  seat->deaths++;
  event_log(seat_id(seat), "warning: process lost (%s), death %u", why,
            seat->deaths);
  double delay = seat->deaths <= DEATHS_AT_ONCE
                     ? 0
                     : 0.01 * exp2(fmin(seat->deaths - DEATHS_AT_ONCE, 10));
  seat->begin = clock_now() + fmin(delay, longest_delay);
}

void seat_lost_process(Seat *seat) {
  seat->process.gone = true;
}

/* ---- frames ---- */

static void take_step(Seat *seat, const LinkFrame *frame) {
  Text error = {0};
  const char *joint = text_string(&frame->text);
  if (!history_set(&seat->history, frame->number, joint)) {
    event_log(seat_id(seat), "warning: step %u out of order", frame->number);
    return;
  }
  seat->told = true;
  wrote(seat, journal_step(&seat->journal, frame->number, joint, &error),
        &error);
}

static void take_move(Seat *seat, const LinkFrame *frame, bool final) {
  if (!frame->text.length) return;
  seat->shown = true;
  set_text(&seat->guess, frame->text.bytes);
  if (seat->phase != ASKED || frame->number != seat->number) return;
  set_text(&seat->move, frame->text.bytes);
  seat->has_move = true;
  if (final)
    answer_play(seat, true, "");
  else if (clock_now() >= seat->hard)
    answer_play(seat, false, ", late");
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
    if (seat->phase == STARTING) answer_start(seat, "");
    break;
  case LINK_STEP: take_step(seat, frame); break;
  case LINK_MOVE: take_move(seat, frame, false); break;
  case LINK_FINAL: take_move(seat, frame, true); break;
  case LINK_NOTE:
  case LINK_REPORT: log_lines(seat, &frame->text); break;
  default: break; /* it is ours to say that */
  }
}

void seat_read(Seat *seat) {
  static LinkFrame frame;
  for (int i = 0; i < FRAMES && seat->process.pid; i++) {
    LinkEvent event = link_receive(seat->process.link, &frame);
    if (event == LINK_EMPTY) return;
    if (event == LINK_GOT)
      take_frame(seat, &frame);
    else
      process_died(seat, "it ended");
  }
}

/* ---- requests ---- */

static void set_deadlines(Seat *seat, double arrival, double clock) {
  double now = clock_now(), end = arrival + clock;
  seat->arrival = arrival;
  seat->hard = end - margin_reply(&seat->margin, clock);
  seat->soft = seat->hard - margin_process(&seat->margin, clock);
  seat->last = fmax(end - fmin(last_moment, 0.05 * clock), now + late_moment);
  seat->check = now + check_part * fmax(seat->hard - now, 0);
}

static Seat *new_seat(const SeatHost *host, Message *start) {
  Seat *seat = memory_new(sizeof *seat);
  seat->host = host;
  seat->start = *start;
  *start = (Message){0};
  seat->process.link = -1;
  seat->journal.file = -1;
  seat->touched = clock_now();
  margin_init(&seat->margin);
  return seat;
}

Seat *seat_new(const SeatHost *host, Message *start, HttpRequest *request) {
  Seat *seat = new_seat(host, start);
  Text error = {0};
  event_log(seat_id(seat), "START: role %s, clocks %g and %g, %zu bytes",
            text_string(&seat->start.role), seat->start.start, seat->start.play,
            seat->start.rules.length);
  wait_too(seat, request);
  set_deadlines(seat, http_arrival(request), seat->start.start);
  begin_process(seat);
  wrote(seat,
        journal_begin(&seat->journal, host->folder, http_port(host->http),
                      &seat->start, &error),
        &error);
  return seat;
}

static void begin_request(Seat *seat, const char *moves, double arrival) {
  seat->phase = ASKED;
  seat->number++;
  seat->told = seat->has_move = seat->checked = false;
  set_text(&seat->moves, moves);
  set_deadlines(seat, arrival, seat->start.play);
  seat->used = process_used(&seat->process);
  if (seat->process.pid)
    ask(seat);
  else
    begin_process(seat);
}

Seat *seat_restore(const SeatHost *host, Journal *journal,
                   JournalMatch *match) {
  Seat *seat = new_seat(host, &match->start);
  seat->journal = *journal;
  seat->history = match->history;
  match->history = (TextVector){0};
  set_text(&seat->guess, text_string(&match->sent));
  event_log(seat_id(seat), "goes on from its journal at step %u",
            seat->history.count);
  seat->phase = IDLE;
  if (match->asked)
    begin_request(seat, text_string(&match->moves), clock_now());
  else
    begin_process(seat);
  journal_match_free(match);
  return seat;
}

void seat_delete(Seat *seat) {
  if (seat->phase == STARTING) answer_start(seat, ", the server ends");
  if (seat->phase == ASKED) answer_play(seat, false, ", the server ends");
  process_kill(&seat->process);
  journal_close(&seat->journal);
  message_free(&seat->start);
  text_vector_free(&seat->history);
  vector_free(&seat->waiting);
  text_free(&seat->moves);
  text_free(&seat->move);
  text_free(&seat->guess);
  memory_delete(seat);
}

static bool same_text(const Text *a, const Text *b) {
  return strcmp(text_string(a), text_string(b)) == 0;
}

bool seat_started_by(const Seat *seat, const Message *start) {
  return !seat->number && !seat->history.count &&
         same_text(&seat->start.role, &start->role) &&
         same_text(&seat->start.rules, &start->rules) &&
         seat->start.start == start->start && seat->start.play == start->play;
}

void seat_start_again(Seat *seat, HttpRequest *request) {
  seat->touched = clock_now();
  event_log(seat_id(seat), "START once more");
  if (seat->phase == STARTING)
    wait_too(seat, request);
  else
    http_reply(request, 200, "ready");
}

static void join(const TextVector *moves, Text *lines) {
  for (uint32_t i = 0; i < moves->count; i++) {
    if (i) text_add_byte(lines, '\n');
    text_add(lines, text_string(&moves->data[i]));
  }
}

/* Nobody waits for what was asked before. */
static void settle(Seat *seat, const char *why) {
  if (seat->phase == STARTING) answer_start(seat, why);
  if (seat->phase == ASKED) answer_play(seat, false, why);
}

void seat_play(Seat *seat, const Message *play, HttpRequest *request) {
  Text moves = {0}, error = {0};
  seat->touched = clock_now();
  join(&play->moves, &moves);
  if (seat->phase == ASKED && same_text(&moves, &seat->moves)) {
    event_log(seat_id(seat), "PLAY %u once more", seat->number);
    wait_too(seat, request);
  } else {
    settle(seat, ", as another PLAY has come");
    if (moves.length > LINK_LARGEST) {
      event_log(seat_id(seat), "warning: moves of %zu bytes", moves.length);
      text_clear(&moves);
    }
    wait_too(seat, request);
    wrote(seat, journal_play(&seat->journal, text_string(&moves), &error),
          &error);
    begin_request(seat, text_string(&moves), http_arrival(request));
  }
  text_free(&moves);
}

void seat_stop(Seat *seat, const Message *stop) {
  Text moves = {0};
  settle(seat, ", as the match is over");
  event_log(seat_id(seat), stop ? "STOP" : "ABORT");
  journal_remove(&seat->journal);
  if (stop) join(&stop->moves, &moves);
  seat->phase = LEAVING;
  seat->last = clock_now() + farewell;
  if (!stop || !seat->process.pid || moves.length > LINK_LARGEST ||
      !link_send(seat->process.link, LINK_STOP, seat->number + 1, seat->last,
                 text_string(&moves)))
    seat->phase = OVER;
  text_free(&moves);
}

/* ---- time ---- */

/* A process that has shown something before and nothing now hangs. One that
   never has may still be reading the rules: as long as it works it is given
   time. */
static bool hangs(const Seat *seat, double now) {
  if (seat->shown) return true;
  if (now - seat->born > patience + seat->start.start) return true;
  return process_used(&seat->process) - seat->used <
         0.02 * fmin(now - seat->born, now - seat->arrival);
}

static bool checks(const Seat *seat) {
  return seat->phase == ASKED && !seat->has_move && !seat->checked &&
         seat->process.pid && seat->check < seat->hard - least_check;
}

static void check_process(Seat *seat, double now) {
  seat->checked = true;
  if (!hangs(seat, now)) return;
  process_died(seat, "it shows nothing");
}

static void tick_request(Seat *seat, double now) {
  if (checks(seat) && now >= seat->check) check_process(seat, now);
  if (seat->phase == STARTING && now >= seat->hard)
    answer_start(seat, ", by the clock");
  else if (seat->phase == ASKED && seat->has_move && now >= seat->hard)
    answer_play(seat, false, ", by the clock");
  else if (seat->phase == ASKED && now >= seat->last)
    answer_play(seat, false, ", warning: a guess");
  else if (seat->phase == LEAVING && now >= seat->last)
    seat->phase = OVER;
}

static double forgotten(const Seat *seat) {
  return seat->touched + journal_patience(&seat->start);
}

void seat_tick(Seat *seat) {
  double now = clock_now();
  tick_request(seat, now);
  if (seat->phase < LEAVING && !seat->process.pid && now >= seat->begin)
    begin_process(seat);
  if (seat->phase == IDLE && now >= forgotten(seat)) {
    event_log(seat_id(seat), "no message for long: dropped");
    journal_remove(&seat->journal);
    seat->phase = OVER;
  }
}

double seat_due(const Seat *seat) {
  double due = INFINITY;
  if (seat->phase == STARTING) due = seat->hard;
  if (seat->phase == ASKED) due = seat->has_move ? seat->hard : seat->last;
  if (seat->phase == LEAVING) due = seat->last;
  if (seat->phase == IDLE) due = forgotten(seat);
  if (checks(seat)) due = fmin(due, seat->check);
  if (!seat->process.pid) due = fmin(due, seat->begin);
  return due;
}
