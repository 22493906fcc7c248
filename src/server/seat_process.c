/* The process of a seat. One that has exited, that does not read its link, or
   that has published nothing for the request by `check`, is replaced by one
   that is given the match so far: first its steps, then the messages since.
   Every second failure lowers the level of the replacement (StartLevel); enough
   answers reset the count.

   Silence alone proves nothing: on a busy machine a process may have had no
   processor time, and rules may take long to read; see hangs. */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "io/event.h"
#include "server/seat_parts.h"

enum {
  FAILURES_PER_LEVEL = 2,
  FAILURES_AT_ONCE = 6, /* replaced without delay */
  GOOD_ANSWERS = 5,     /* of one process, that reset the count of failures */
  RETRIES = 2,          /* at a higher level */
  MOST_UNTOLD = 16,
  FRAMES = 64 /* read in one go */
};

static const double check_share = 0.4;  /* of the time, to publish a move */
static const double least_check = 0.05; /* seconds that a new process needs */
static const double patience = 10;      /* seconds to publish its first move */
static const double longest_delay = 5;  /* seconds before a replacement */

int seat_file(const Seat *seat) {
  return seat->worker.process.pid ? seat->worker.process.link : -1;
}

void seat_reaped(Seat *seat, pid_t pid) {
  if (seat->worker.process.pid == pid) seat->worker.process.reaped = true;
}

/* ---- starting and replacing ---- */

typedef struct FlowCall {
  int (*flow)(const Start *start, int link);
  Start start;
  bool saved; /* the rules, in a file that is kept open */
} FlowCall;

typedef struct Saving {
  const Start *start;
  int link;
} Saving;

static void *save_rules(void *context) {
  const Saving *saving = context;
  char note[256], why[128];
  if (journal_write_rules(PROCESS_KEPT, saving->start->rules,
                          saving->start->rules_length))
    return NULL;
  snprintf(note, sizeof note, "warning: the rules are not saved on disk: %s",
           strerror_r(errno, why, sizeof why));
  link_send(saving->link, LINK_NOTE, 0, 0, note);
  return NULL;
}

/* In the process of the match. The disk may be slow: nobody waits for it. */
static int call_flow(const void *context, int link) {
  const FlowCall *call = context;
  Saving saving = {&call->start, link};
  pthread_t thread;
  if (call->saved && pthread_create(&thread, NULL, save_rules, &saving) == 0)
    pthread_detach(thread);
  return call->flow(&call->start, link);
}

static StartLevel next_level(const Seat *seat) {
  uint32_t steps = seat->worker.failures / FAILURES_PER_LEVEL;
  return steps < START_LEGAL ? (StartLevel)steps : START_LEGAL;
}

/* The next process starts at once or, after many failures, with a growing
   delay. `closed`: this one has probably ended by itself. */
static void replace(Seat *seat, bool closed, const char *why) {
  SeatProcess *worker = &seat->worker;
  if (closed)
    process_drop(&worker->process);
  else
    process_kill(&worker->process);
  if (seat->phase >= LEAVING) {
    seat->phase = OVER;
    return;
  }
  worker->failures++;
  event_log(seat_id(seat), "warning: process replaced (%s), failure %u", why,
            worker->failures);
  double delay =
      worker->failures <= FAILURES_AT_ONCE
          ? 0
          : 0.01 * exp2(fmin(worker->failures - FAILURES_AT_ONCE, 10));
  worker->next = clock_now() + fmin(delay, longest_delay);
}

static void set_check(Seat *seat, double now) {
  double left = seat->hard - now;
  seat->worker.check =
      check_share * left < least_check ? INFINITY : now + check_share * left;
  seat->worker.check_set = now;
  process_times(&seat->worker.process, &seat->worker.times);
}

/* Sends all unconfirmed moves; the last are those of the request. */
static bool send_untold(Seat *seat) {
  int link = seat->worker.process.link;
  uint32_t count = seat->untold.count;
  bool sent = true;
  for (uint32_t i = 0; i < count && sent; i++)
    sent = link_send(link, LINK_PLAY, seat->number - (count - 1 - i),
                     seat->soft, text_string(&seat->untold.data[i]));
  if (!count) sent = link_send(link, LINK_AGAIN, seat->number, seat->soft, "");
  return sent;
}

static Start make_start(const Seat *seat, double now) {
  const SeatHost *host = seat->host;
  return (Start){.rules = text_string(&seat->start.rules),
                 .rules_length = seat->start.rules.length,
                 .role = text_string(&seat->start.role),
                 .start_deadline = seat->phase == STARTING ? seat->soft : now,
                 .play = seat->start.play,
                 .history = &seat->history,
                 .agent = host->agent,
                 .limits = host->limits,
                 .scheme = host->scheme,
                 .level = seat->worker.level,
                 .processors = host->processors,
                 .threads = host->threads,
                 .seed = host->seed + seat->worker.failures};
}

void seat_begin_process(Seat *seat) {
  SeatProcess *worker = &seat->worker;
  double now = clock_now();
  worker->level = next_level(seat);
  worker->begun = now;
  worker->next = INFINITY;
  worker->answers = 0;
  worker->shown = false;
  FlowCall call = {seat->host->flow, make_start(seat, now),
                   seat->journal.rules >= 0};
  if (!process_begin(&worker->process, &seat->host->process,
                     seat->journal.rules, call_flow, &call)) {
    replace(seat, false, "cannot start");
    return;
  }
  event_log(seat_id(seat), "process %d at step %u, level %d",
            (int)worker->process.pid, seat->history.count, (int)worker->level);
  set_check(seat, now);
  if (seat->watched)
    link_send(worker->process.link, LINK_WATCH, seat->watched, 0, "");
  if (seat->phase == ASKED && !send_untold(seat))
    replace(seat, false, "link full or closed");
}

void seat_end_process(Seat *seat) {
  process_kill(&seat->worker.process);
  seat->worker.next = INFINITY;
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
  if (!seat->worker.process.pid) {
    seat_begin_process(seat);
    return;
  }
  set_check(seat, clock_now());
  if (!link_send(seat->worker.process.link, LINK_PLAY, seat->number, seat->soft,
                 text_string(&seat->moves)))
    replace(seat, false, "link full or closed");
}

void seat_share(Seat *seat) {
  if (seat->worker.process.pid)
    link_send(seat->worker.process.link, LINK_THREADS, seat->host->threads, 0,
              "");
}

static void tell_watched(const Seat *seat) {
  if (seat->worker.process.pid)
    link_send(seat->worker.process.link, LINK_WATCH, seat->watched, 0, "");
}

void seat_watch(Seat *seat, bool watched) {
  if (seat->watched == watched) return;
  seat->watched = watched;
  tell_watched(seat);
}

void seat_count_answer(Seat *seat) {
  SeatProcess *worker = &seat->worker;
  if (++worker->answers != GOOD_ANSWERS) return;
  worker->failures = 0;
  if (worker->level == START_FULL || worker->retries++ >= RETRIES) return;
  event_log(seat_id(seat), "trying level 0 again with a new process");
  process_kill(&worker->process);
  worker->next = clock_now();
}

/* ---- frames ---- */

/* A process has confirmed the first `count`. */
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
  if (!journal_set_step(&seat->history, frame->number, joint)) {
    event_log(seat_id(seat), "warning: step %u out of order", frame->number);
    return;
  }
  forget_untold(seat, 1);
  seat_wrote(seat, journal_step(&seat->journal, frame->number, joint, &error),
             &error);
}

static void take_move(Seat *seat, const LinkFrame *frame, bool final) {
  if (!frame->text.length) return;
  if (frame->number) seat->worker.shown = true;
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

/* Logs each line of the text. */
static void log_lines(const Seat *seat, Text *text) {
  char *rest = text->bytes;
  for (char *line; rest && (line = strsep(&rest, "\n"));)
    if (*line) event_log(seat_id(seat), "%s", line);
}

void seat_miss_reports(Seat *seat, uint32_t number) {
  for (; seat->reported + 1 < number; seat->reported++)
    if (seat->host->verbose)
      event_log(seat_id(seat), "report %u: none, its process has ended",
                seat->reported + 1);
}

/* Each request has one, in order. A process that was given earlier messages
   again reports on them again. */
static void take_report(Seat *seat, LinkFrame *frame) {
  if (frame->number <= seat->reported) return;
  seat_miss_reports(seat, frame->number);
  seat->reported = frame->number;
  if (seat->host->verbose) log_lines(seat, &frame->text);
}

static void take_outlook(Seat *seat, const LinkFrame *frame) {
  text_clear(&seat->outlook);
  text_add(&seat->outlook, text_string(&frame->text));
  seat->looked = frame->number;
  seat->outlooks++;
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
  case LINK_REPORT: take_report(seat, frame); break;
  case LINK_OUTLOOK: take_outlook(seat, frame); break;
  default: break; /* only we send the others */
  }
}

void seat_read(Seat *seat) {
  static LinkFrame frame;
  for (int i = 0; i < FRAMES && seat->worker.process.pid; i++) {
    LinkEvent event = link_receive(seat->worker.process.link, &frame);
    if (event == LINK_EMPTY) return;
    if (event == LINK_GOT)
      take_frame(seat, &frame);
    else
      replace(seat, true, "link closed");
  }
}

/* ---- hanging ---- */

/* Judges by what the first thread did since the check was set. If it slept, it
   hangs. If it waited for a processor, it is not to blame. If it ran, it is
   reading rules, for which it has `patience` seconds, or it loops forever. */
static bool hangs(const Seat *seat, double now) {
  const SeatProcess *worker = &seat->worker;
  ProcessTimes times;
  double time = now - worker->check_set;
  if (!process_times(&worker->process, &times)) return worker->shown;
  double waited = times.waited - worker->times.waited;
  double ran = times.ran - worker->times.ran;
  if (times.stopped || ran + waited < 0.2 * time) return true;
  if (waited > 0.5 * time) return false;
  return worker->shown || now - worker->begun > patience;
}

static bool has_check(const Seat *seat) {
  return seat->phase == ASKED && !seat->has_move && seat->worker.process.pid;
}

void seat_tend_process(Seat *seat, double now) {
  SeatProcess *worker = &seat->worker;
  if (has_check(seat) && now >= worker->check) {
    if (hangs(seat, now))
      replace(seat, false, "it hangs");
    else
      set_check(seat, now);
  }
  if (seat->phase < LEAVING && !worker->process.pid && now >= worker->next)
    seat_begin_process(seat);
}

double seat_process_due(const Seat *seat) {
  double due = has_check(seat) ? seat->worker.check : INFINITY;
  if (!seat->worker.process.pid && seat->phase < LEAVING)
    due = fmin(due, seat->worker.next);
  return due;
}
