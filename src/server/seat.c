/* Messages of the game master and their answers. A request is answered when the
   process sends its final move, or at `hard`, the end of the clock less a
   margin, with the move published last. If there is none yet, the first to
   arrive before `last`, just before the end of the clock, is sent; then a
   guess. The process itself is in seat_process.c. */
#include "server/seat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "io/event.h"
#include "server/seat_parts.h"

enum { WAITERS = 8 }; /* requests that wait for one answer, at most */

static const double farewell = 1;         /* seconds to report the goals */
static const double sleep_share = 0.1;    /* of the patience */
static const double last_moment = 0.02;   /* before the end of the clock */
static const double late_moment = 0.25;   /* for requests handled late */
static const char last_resort[] = "noop"; /* legal more often than others */

/* ---- helpers ---- */

const char *seat_id(const Seat *seat) {
  return text_string(&seat->start.id);
}

SeatView seat_view(const Seat *seat) {
  return (SeatView){.id = seat_id(seat),
                    .role = text_string(&seat->start.role),
                    .rules = &seat->start.rules,
                    .start = seat->start.start,
                    .play = seat->start.play,
                    .begun = seat->begun,
                    .history = &seat->history,
                    .outlook = &seat->outlook,
                    .outlooks = seat->outlooks,
                    .step = seat->looked};
}

bool seat_is_leaving(const Seat *seat) {
  return seat->phase >= LEAVING;
}

bool seat_is_over(const Seat *seat) {
  return seat->phase == OVER;
}

bool seat_is_asleep(const Seat *seat) {
  return seat->asleep && seat->phase == IDLE;
}

double seat_expected(const Seat *seat) {
  return seat->expected;
}

static void set_text(Text *text, const char *string) {
  text_clear(text);
  text_add(text, string);
}

void seat_wrote(Seat *seat, bool fine, Text *error) {
  if (!fine)
    event_log(seat_id(seat), "warning: the match is not saved on disk: %s",
              text_string(error));
  text_free(error);
}

/* ---- answers ---- */

static void reply_all(Seat *seat, const char *text) {
  for (uint32_t i = 0; i < seat->waiting.count; i++)
    http_reply(seat->waiting.data[i], 200, text);
  vector_clear(&seat->waiting);
}

static void add_waiting(Seat *seat, HttpRequest *request) {
  if (seat->waiting.count == WAITERS) {
    http_reply(request, 200, "busy");
    return;
  }
  margin_saw_trip(&seat->margin, http_trip(request));
  vector_push(&seat->waiting, request);
}

void seat_answer_start(Seat *seat, const char *why) {
  double now = clock_now();
  event_log(seat_id(seat), "START: ready after %.3f s of %g%s",
            now - seat->arrival, seat->start.start, why);
  margin_saw_reply(&seat->margin, fmax(now - seat->hard, 0));
  reply_all(seat, "ready");
  seat->phase = IDLE;
}

/* Learns how late we are, and how late the process was; if it has not finished,
   at least that late. */
static void adapt_margin(Seat *seat, bool final, double now) {
  margin_saw_reply(&seat->margin,
                   fmax(now - seat->hard, 0) + http_delay(seat->host->http));
  margin_saw_process(&seat->margin,
                     fmax((final ? now : seat->hard) - seat->soft, 0));
}

void seat_answer_play(Seat *seat, bool final, const char *why) {
  double now = clock_now();
  Text error = {0};
  const char *move = seat->has_move       ? text_string(&seat->move)
                     : seat->guess.length ? text_string(&seat->guess)
                                          : last_resort;
  event_log(seat_id(seat), "PLAY %u: %s after %.3f s of %g, margin %.3f%s",
            seat->number, move, now - seat->arrival, seat->start.play,
            seat->arrival + seat->start.play - seat->hard, why);
  adapt_margin(seat, final, now);
  if (seat->waiting.count)
    seat_wrote(seat, journal_sent(&seat->journal, move, &error), &error);
  reply_all(seat, move);
  seat->phase = IDLE;
  if (seat->has_move) seat_count_answer(seat);
}

/* ---- requests ---- */

static void set_deadlines(Seat *seat, double arrival, double clock) {
  double now = clock_now(), end = arrival + clock;
  seat->arrival = arrival;
  seat->expected = end;
  seat->asleep = false;
  seat->hard = end - margin_reply(&seat->margin, clock);
  seat->soft = seat->hard - margin_process(&seat->margin, clock);
  seat->last = fmax(end - fmin(last_moment, 0.05 * clock), now + late_moment);
}

static Seat *new_seat(const SeatHost *host, Message *start) {
  Seat *seat = memory_new(sizeof *seat);
  seat->host = host;
  seat->begun = clock_now();
  seat->start = *start;
  *start = (Message){0};
  seat->worker.process.link = -1;
  seat->journal.file = seat->journal.rules = -1;
  margin_init(&seat->margin);
  return seat;
}

Seat *seat_new(const SeatHost *host, Message *start, HttpRequest *request) {
  Seat *seat = new_seat(host, start);
  Text error = {0};
  event_log(seat_id(seat), "START: role %s, clocks %g and %g, %zu bytes",
            text_string(&seat->start.role), seat->start.start, seat->start.play,
            seat->start.rules.length);
  add_waiting(seat, request);
  set_deadlines(seat, http_arrival(request), seat->start.start);
  seat_wrote(seat,
             journal_begin(&seat->journal, host->folder, http_port(host->http),
                           &seat->start, &error),
             &error);
  seat_begin_process(seat); /* which writes the rules to the journal */
  return seat;
}

static void begin_request(Seat *seat, const char *moves, double arrival) {
  seat->phase = ASKED;
  seat->number++;
  seat->has_move = false;
  set_text(&seat->moves, moves);
  set_deadlines(seat, arrival, seat->start.play);
  seat_ask_process(seat);
}

static double sleep_time(const Seat *seat) {
  return seat->expected + sleep_share * seat->host->patience;
}

static double leave_time(const Seat *seat) {
  return seat->expected + seat->host->patience;
}

Seat *seat_restore(const SeatHost *host, Journal *journal,
                   JournalMatch *match) {
  Seat *seat = new_seat(host, &match->start);
  seat->journal = *journal;
  seat->history = match->history;
  match->history = (TextVector){0};
  set_text(&seat->guess, text_string(&match->sent));
  event_log(seat_id(seat), "continues from its journal at step %u",
            seat->history.count);
  seat->phase = IDLE;
  seat->expected = clock_now() - match->age +
                   (match->played ? seat->start.play : seat->start.start);
  seat->asleep = clock_now() >= sleep_time(seat);
  if (seat->asleep)
    seat_end_process(seat);
  else if (match->asked)
    begin_request(seat, text_string(&match->moves), clock_now());
  else
    seat_begin_process(seat);
  journal_match_free(match);
  return seat;
}

/* Answers what waits, if anything. */
static void answer_now(Seat *seat, const char *why) {
  if (seat->phase == STARTING) seat_answer_start(seat, why);
  if (seat->phase == ASKED) seat_answer_play(seat, false, why);
}

void seat_delete(Seat *seat) {
  answer_now(seat, ", the server is shutting down");
  seat_miss_reports(seat, seat->number + 1);
  process_kill(&seat->worker.process);
  journal_close(&seat->journal);
  message_free(&seat->start);
  text_vector_free(&seat->history);
  vector_free(&seat->waiting);
  text_vector_free(&seat->untold);
  text_free(&seat->moves);
  text_free(&seat->move);
  text_free(&seat->guess);
  text_free(&seat->outlook);
  memory_delete(seat);
}

static bool same_text(const Text *a, const Text *b) {
  return strcmp(text_string(a), text_string(b)) == 0;
}

bool seat_started_by(const Seat *seat, const Message *start) {
  return !seat->number && !seat->history.count &&
         same_text(&seat->start.role, &start->role) &&
         seat->start.rules.length == start->rules.length &&
         same_text(&seat->start.rules, &start->rules) &&
         seat->start.start == start->start && seat->start.play == start->play;
}

void seat_start_again(Seat *seat, HttpRequest *request) {
  seat->expected = fmax(seat->expected, clock_now());
  if (seat_is_asleep(seat)) seat_begin_process(seat);
  seat->asleep = false;
  event_log(seat_id(seat), "START repeated");
  if (seat->phase == STARTING)
    add_waiting(seat, request);
  else
    http_reply(request, 200, "ready");
}

static void join(const TextVector *moves, Text *lines) {
  for (uint32_t i = 0; i < moves->count; i++) {
    if (i) text_add_byte(lines, '\n');
    text_add(lines, text_string(&moves->data[i]));
  }
}

void seat_play(Seat *seat, const Message *play, HttpRequest *request) {
  Text moves = {0}, error = {0};
  join(&play->moves, &moves);
  if (seat->phase == ASKED && same_text(&moves, &seat->moves)) {
    event_log(seat_id(seat), "PLAY %u repeated", seat->number);
    add_waiting(seat, request);
  } else {
    answer_now(seat, ", another PLAY has arrived");
    if (moves.length > LINK_LARGEST) {
      event_log(seat_id(seat), "warning: ignoring moves of %zu bytes",
                moves.length);
      text_clear(&moves);
    }
    add_waiting(seat, request);
    seat_wrote(seat, journal_play(&seat->journal, text_string(&moves), &error),
               &error);
    begin_request(seat, text_string(&moves), http_arrival(request));
  }
  text_free(&moves);
}

void seat_stop(Seat *seat, const Message *stop) {
  Text moves = {0};
  answer_now(seat, ", the match is over");
  event_log(seat_id(seat), stop ? "STOP" : "ABORT");
  journal_remove(&seat->journal);
  if (stop) join(&stop->moves, &moves);
  seat->phase = LEAVING;
  seat->last = clock_now() + farewell;
  if (!stop || !seat->worker.process.pid || moves.length > LINK_LARGEST ||
      !link_send(seat->worker.process.link, LINK_STOP, seat->number + 1,
                 seat->last, text_string(&moves)))
    seat->phase = OVER;
  text_free(&moves);
}

void seat_leave(Seat *seat, const char *why) {
  event_log(seat_id(seat), "given up: %s", why);
  journal_remove(&seat->journal);
  seat->phase = OVER;
}

/* ---- time ---- */

static void tick_request(Seat *seat, double now) {
  if (seat->phase == STARTING && now >= seat->hard)
    seat_answer_start(seat, ", clock ran out");
  else if (seat->phase == ASKED && seat->has_move && now >= seat->hard)
    seat_answer_play(seat, false, ", clock ran out");
  else if (seat->phase == ASKED && now >= seat->last)
    seat_answer_play(seat, false, ", warning: a guess");
  else if (seat->phase == LEAVING && now >= seat->last)
    seat->phase = OVER;
}

static void tick_idle(Seat *seat, double now) {
  if (now >= leave_time(seat)) {
    seat_leave(seat, "no message for too long");
  } else if (!seat->asleep && now >= sleep_time(seat)) {
    event_log(seat_id(seat), "no message for %.0f s beyond the clock: asleep",
              now - seat->expected);
    seat->asleep = true;
    seat_end_process(seat);
  }
}

void seat_tick(Seat *seat) {
  double now = clock_now();
  tick_request(seat, now);
  if (seat->phase == IDLE) tick_idle(seat, now);
  seat_tend_process(seat, now);
}

double seat_due(const Seat *seat) {
  double due = seat_process_due(seat);
  if (seat->phase == STARTING) due = fmin(due, seat->hard);
  if (seat->phase == ASKED)
    due = fmin(due, seat->has_move ? seat->hard : seat->last);
  if (seat->phase == LEAVING) due = fmin(due, seat->last);
  if (seat->phase == IDLE)
    due = fmin(due, seat->asleep ? leave_time(seat) : sleep_time(seat));
  return due;
}
