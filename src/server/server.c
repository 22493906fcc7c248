/* One loop waits for everything: connections (through libmicrohttpd's epoll),
   the links of processes, signals (through a descriptor that the handler makes
   readable), and the nearest deadline. With a single thread nothing needs a
   lock, and fork is safe.

   Nothing in the loop takes long. Answers that are due come first, then small
   messages, then large ones, which are read in slices; their rules are only
   skimmed here and read by the process of the match, which also writes them to
   the journal. */
#include "server/server.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/event.h"
#include "io/http.h"
#include "io/process.h"
#include "server/preview.h"
#include "server/seat.h"

enum {
  CLIENTS = 256,               /* connections at once, */
  GUESTS = 192,                /* and more of them if there is a guest */
  LONGEST_MESSAGE = 128 << 10, /* bytes, of a message without rules */
  BODIES = 8,                  /* of the largest size, in memory at once */
  SLICE = 64 << 10,            /* bytes of rules to skim before a look at the
                                  clock */
  DYING = 4,                   /* killed processes, before large rules wait */
  NICE = -10                   /* ours: little work, but with deadlines */
};

static const double request_seconds = 10; /* until it must be complete */
static const double slice_seconds = 0.001;

typedef struct Server {
  const ServerSettings *settings;
  SeatHost host;
  Guard guard;
  HttpRequest *reading; /* a large message, read in part by: */
  MessageReader reader;
  Preview preview;
  VECTOR(Seat *) seats;
  VECTOR(struct pollfd) files;
} Server;

/* ---- signals ---- */

static int signalled = -1; /* eventfd, readable after a signal */
static volatile sig_atomic_t ending;

static void take_signal(int number) {
  int saved = errno;
  uint64_t one = 1;
  if (number != SIGCHLD) ending = 1;
  if (write(signalled, &one, sizeof one) < 0) { /* already readable */
  }
  errno = saved;
}

static bool catch_signals(void) {
  static const int numbers[] = {SIGCHLD, SIGTERM, SIGINT};
  struct sigaction action = {.sa_handler = take_signal,
                             .sa_flags = SA_RESTART | SA_NOCLDSTOP};
  ending = 0;
  signalled = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a write beyond RLIMIT_FSIZE fails instead */
  return signalled >= 0;
}

static void release_signals(void) {
  signal(SIGCHLD, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  close(signalled);
}

/* ---- seats ---- */

static Seat *find_seat(const Server *server, const Text *id) {
  for (uint32_t i = 0; i < server->seats.count; i++) {
    Seat *seat = server->seats.data[i];
    if (!seat_is_leaving(seat) && strcmp(seat_id(seat), text_string(id)) == 0)
      return seat;
  }
  return NULL;
}

/* Seats that are taken; those that sleep can be taken over. */
static bool is_full(const Server *server, bool asleep) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < server->seats.count; i++) {
    const Seat *seat = server->seats.data[i];
    count += !seat_is_leaving(seat) && (asleep || !seat_is_asleep(seat));
  }
  return count >= server->settings->matches;
}

/* Gives up the seat that has slept longest, if any. */
static void free_longest(const Server *server) {
  Seat *longest = NULL;
  for (uint32_t i = 0; i < server->seats.count; i++) {
    Seat *seat = server->seats.data[i];
    if (seat_is_asleep(seat) &&
        (!longest || seat_expected(seat) < seat_expected(longest)))
      longest = seat;
  }
  if (longest) seat_leave(longest, "another match takes the seat");
}

static void bound_clocks(const Server *server, Message *start) {
  const ServerSettings *settings = server->settings;
  if (start->start > settings->longest_start ||
      start->play > settings->longest_play)
    event_log(text_string(&start->id),
              "clocks %g and %g are bounded by %g and %g (--longest-start, "
              "--longest-play)",
              start->start, start->play, settings->longest_start,
              settings->longest_play);
  start->start = fmin(start->start, settings->longest_start);
  start->play = fmin(start->play, settings->longest_play);
}

static void remove_seats(Server *server) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < server->seats.count; i++) {
    Seat *seat = server->seats.data[i];
    if (seat_is_over(seat))
      seat_delete(seat);
    else
      server->seats.data[kept++] = seat;
  }
  server->seats.count = kept;
}

static void restore_seat(void *context, Journal *journal, JournalMatch *match) {
  Server *server = context;
  bound_clocks(server, &match->start);
  if (is_full(server, true) || find_seat(server, &match->start.id)) {
    event_log(text_string(&match->start.id),
              "journal removed: too many matches, or the same id twice");
    journal_match_free(match);
    journal_remove(journal);
  } else {
    vector_push(&server->seats, seat_restore(&server->host, journal, match));
  }
}

/* Matches that are played, also by the guest, share the processors equally. */
static void share_processors(Server *server) {
  const ServerGuest *guest = &server->settings->guest;
  uint32_t active = guest->context ? guest->active(guest->context) : 0;
  uint32_t threads = server->host.processors;
  for (uint32_t i = 0; i < server->seats.count; i++)
    active += !seat_is_asleep(server->seats.data[i]) &&
              !seat_is_leaving(server->seats.data[i]);
  if (active > 1) threads /= active;
  if (!threads) threads = 1;
  if (threads == server->host.threads) return;
  server->host.threads = threads;
  for (uint32_t i = 0; i < server->seats.count; i++)
    seat_share(server->seats.data[i]);
  if (guest->context) guest->share(guest->context, threads);
}

/* ---- messages ---- */

static void reply_busy(HttpRequest *request, const Message *message) {
  event_log(text_string(&message->id), "%s: busy", message_name(message->kind));
  http_reply(request, 200, "busy");
}

static void take_info(Server *server, HttpRequest *request) {
  Text text = {0};
  text_format(&text, "((name %s) (status %s))", server->settings->name,
              is_full(server, false) ? "busy" : "available");
  http_reply(request, 200, text.bytes);
  text_free(&text);
}

static void take_start(Server *server, HttpRequest *request, Message *start) {
  Seat *old = find_seat(server, &start->id);
  bound_clocks(server, start);
  if (old && seat_started_by(old, start)) {
    seat_start_again(old, request);
    return;
  }
  if (old) {
    event_log(seat_id(old), "another match with this id begins");
    seat_stop(old, NULL);
  }
  if (is_full(server, true)) free_longest(server);
  if (is_full(server, true))
    reply_busy(request, start);
  else
    vector_push(&server->seats, seat_new(&server->host, start, request));
}

static void take_preview(Server *server, HttpRequest *request,
                         const Message *message) {
  http_reply(request, 200, "done");
  preview_begin(&server->preview, &message->rules, &server->host.process);
}

/* PLAY, STOP and ABORT need a match that we know. */
static void take_other(Server *server, HttpRequest *request,
                       const Message *message) {
  Seat *seat = find_seat(server, &message->id);
  if (!seat) {
    reply_busy(request, message);
  } else if (message->kind == MESSAGE_PLAY) {
    seat_play(seat, message, request);
  } else {
    bool stop = message->kind == MESSAGE_STOP;
    http_reply(request, 200, stop ? "done" : "aborted");
    seat_stop(seat, stop ? message : NULL);
  }
}

/* Only rules may be long: moves are read in one go. */
static bool is_too_long(const Text *body) {
  const char *text = text_string(body);
  if (body->length <= LONGEST_MESSAGE) return false;
  for (;;) {
    text += strspn(text, " \t\r\n(");
    if (*text != ';') break;
    text += strcspn(text, "\n");
  }
  return strncasecmp(text, "START", 5) && strncasecmp(text, "PREVIEW", 7);
}

static void take_message(Server *server, HttpRequest *request,
                         Message *message) {
  const char *why;
  if (message->kind != MESSAGE_INFO && !http_may_act(request, &why)) {
    event_log(text_string(&message->id), "%s: %s", message_name(message->kind),
              why);
    http_reply(request, 403, why);
    return;
  }
  switch (message->kind) {
  case MESSAGE_INFO: take_info(server, request); break;
  case MESSAGE_START: take_start(server, request, message); break;
  case MESSAGE_PREVIEW: take_preview(server, request, message); break;
  default: take_other(server, request, message);
  }
}

/* Reads on for a moment. */
static MessageProgress read_slice(MessageReader *reader) {
  double end = clock_now() + slice_seconds;
  MessageProgress progress;
  do progress = message_read(reader, SLICE);
  while (progress == MESSAGE_PART && clock_now() < end);
  return progress;
}

static void take_read(Server *server, HttpRequest *request,
                      MessageReader *reader, bool fine, Text *body) {
  if (fine) {
    message_take_rules(reader, body);
    take_message(server, request, &reader->message);
    message_free(&reader->message);
  } else {
    event_log(NULL, "bad message: %s", text_string(&reader->error));
    http_reply(request, 400, text_string(&reader->error));
    text_free(&reader->error);
  }
}

/* While many killed processes are still to end, which takes the system longer
   the more memory they have, no large rules are given to new ones. */
static HttpTurn take_large(Server *server, HttpRequest *request, Text *body) {
  if (server->reading != request) {
    if (is_too_long(body)) {
      http_reply(request, 413, "too large");
      return HTTP_TAKEN;
    }
    if (process_dying() > DYING) return HTTP_LATER;
    message_begin(&server->reader, text_string(body), body->length);
    server->reading = request;
  }
  MessageProgress progress = read_slice(&server->reader);
  if (progress == MESSAGE_PART) return HTTP_PART;
  server->reading = NULL;
  take_read(server, request, &server->reader, progress == MESSAGE_WHOLE, body);
  return HTTP_TAKEN;
}

static HttpTurn take_request(void *context, HttpRequest *request, Text *body) {
  Server *server = context;
  const ServerGuest *guest = &server->settings->guest;
  MessageReader reader;
  MessageProgress progress;
  if (guest->context && guest->wants(guest->context, request)) {
    guest->take(guest->context, request, body);
    return HTTP_TAKEN;
  }
  if (body->length > LONGEST_MESSAGE) return take_large(server, request, body);
  message_begin(&reader, text_string(body), body->length);
  do progress = message_read(&reader, LONGEST_MESSAGE);
  while (progress == MESSAGE_PART);
  take_read(server, request, &reader, progress == MESSAGE_WHOLE, body);
  return HTTP_TAKEN;
}

/* ---- the guest ---- */

static size_t guest_wants(void *context, const HttpRequest *request) {
  const Server *server = context;
  const ServerGuest *guest = &server->settings->guest;
  return guest->wants(guest->context, request);
}

static void guest_refuses(void *context, HttpRequest *request, unsigned status,
                          const char *why) {
  const Server *server = context;
  const ServerGuest *guest = &server->settings->guest;
  guest->refuse(guest->context, request, status, why);
}

static double guest_due(const Server *server) {
  const ServerGuest *guest = &server->settings->guest;
  return guest->context ? guest->due(guest->context) : INFINITY;
}

/* ---- the loop ---- */

static double seats_due(const Server *server) {
  double due = INFINITY;
  for (uint32_t i = 0; i < server->seats.count; i++)
    due = fmin(due, seat_due(server->seats.data[i]));
  return due;
}

static void watch(void *context, int file) {
  Server *server = context;
  struct pollfd each = {.fd = file, .events = POLLIN};
  vector_push(&server->files, each);
}

/* How soon lines of the log that wait are tried again. */
static const double log_seconds = 0.1;

static void wait_for_something(Server *server, double due) {
  const ServerGuest *guest = &server->settings->guest;
  if (event_flush()) due = fmin(due, clock_now() + log_seconds);
  vector_clear(&server->files);
  watch(server, signalled);
  watch(server, http_file(server->host.http));
  watch(server, preview_file(&server->preview));
  for (uint32_t i = 0; i < server->seats.count; i++)
    watch(server, seat_file(server->seats.data[i]));
  if (guest->context) guest->files(guest->context, watch, server);
  due = fmin(fmin(due, seats_due(server)), guest_due(server));
  due = fmin(due,
             fmin(http_due(server->host.http), preview_due(&server->preview)));
  double wait = fmin(fmax(due - clock_now(), 0), 3600);
  struct timespec timeout = {.tv_sec = (time_t)wait,
                             .tv_nsec = (long)(1e9 * fmod(wait, 1))};
  ppoll(server->files.data, server->files.count, &timeout, NULL);
}

static void reap(Server *server) {
  const ServerGuest *guest = &server->settings->guest;
  uint64_t count;
  char how[64];
  pid_t pid;
  if (read(signalled, &count, sizeof count) < 0) return;
  while ((pid = process_reap(how, sizeof how))) {
    if (*how) event_log(NULL, "warning: process %d ended: %s", (int)pid, how);
    preview_reaped(&server->preview, pid);
    for (uint32_t i = 0; i < server->seats.count; i++)
      seat_reaped(server->seats.data[i], pid);
    if (guest->context) guest->reaped(guest->context, pid);
  }
}

/* Links come before deadlines, so that moves sent in time count; deadlines come
   before new work. Returns true if there is more work. */
static bool turn(Server *server, bool more) {
  const ServerGuest *guest = &server->settings->guest;
  wait_for_something(server, more ? 0 : INFINITY);
  for (uint32_t i = 0; i < server->seats.count; i++) {
    seat_read(server->seats.data[i]);
    seat_tick(server->seats.data[i]);
  }
  if (guest->context) guest->tick(guest->context);
  remove_seats(server);
  share_processors(server);
  preview_tick(&server->preview);
  http_run(server->host.http);
  reap(server);
  return http_handle(server->host.http, seats_due(server));
}

/* ---- start and end ---- */

static void open_state(Server *server) {
  Text error = {0};
  server->host.folder = journal_open_folder(server->settings->state, &error);
  if (server->host.folder < 0)
    event_log(NULL, "warning: matches are not saved on disk: %s",
              text_string(&error));
  else
    journal_restore(server->host.folder, http_port(server->host.http),
                    restore_seat, server);
  text_free(&error);
}

static bool open_http(Server *server, Text *error) {
  const ServerSettings *settings = server->settings;
  bool guest = settings->guest.context != NULL;
  HttpSettings http = {
      .bind = settings->bind,
      .port = settings->port,
      .body = settings->body,
      .small = LONGEST_MESSAGE,
      .bodies = BODIES * settings->body,
      .seconds = request_seconds,
      .clients = CLIENTS + (guest ? GUESTS : 0),
      .type = "text/acl",
      .about = "Tafl, a general game player: game masters send messages by "
               "POST\n",
      .guard = &server->guard,
      .handler = take_request,
      .other = guest ? guest_wants : NULL,
      .refuse = guest ? guest_refuses : NULL,
      .context = server};
  server->host.http = http_new(&http, error);
  return server->host.http != NULL;
}

static void visit_seats(const void *context, ServerVisit *visit, void *to) {
  const Server *server = context;
  for (uint32_t i = 0; i < server->seats.count; i++) {
    if (seat_is_over(server->seats.data[i])) continue;
    SeatView view = seat_view(server->seats.data[i]);
    visit(to, &view);
  }
}

static void watch_seat(void *context, const char *id, bool watched) {
  Server *server = context;
  for (uint32_t i = 0; i < server->seats.count; i++)
    if (strcmp(seat_id(server->seats.data[i]), id) == 0)
      seat_watch(server->seats.data[i], watched);
}

static void begin_guest(Server *server) {
  const ServerGuest *guest = &server->settings->guest;
  if (!guest->context) return;
  if (guest->meet)
    guest->meet(guest->context,
                &(ServerSeats){server, visit_seats, watch_seat});
  guest->begin(guest->context, server->host.http, server->guard.open,
               server->host.process.nice);
  guest->share(guest->context, server->host.threads);
}

static void close_server(Server *server) {
  const ServerGuest *guest = &server->settings->guest;
  if (guest->context) guest->end(guest->context);
  for (uint32_t i = 0; i < server->seats.count; i++)
    seat_delete(server->seats.data[i]);
  preview_end(&server->preview);
  http_run(server->host.http);
  http_delete(server->host.http);
  vector_free(&server->seats);
  vector_free(&server->files);
  guard_free(&server->guard);
  if (server->host.folder >= 0) close(server->host.folder);
}

bool server_run(const ServerSettings *settings, Text *error) {
  Server server = {
      .settings = settings,
      .host = {.flow = settings->flow,
               .agent = settings->agent,
               .limits = settings->limits,
               .scheme = settings->scheme,
               .process = {.memory = settings->memory},
               .processors = settings->processors,
               .threads = settings->processors ? settings->processors : 1,
               .seed = settings->seed,
               .verbose = settings->verbose,
               .patience = settings->patience,
               .folder = -1}};
  preview_init(&server.preview);
  server.host.process.nice = process_set_nice(NICE);
  if (!guard_init(&server.guard, settings->bind, settings->allow_host,
                  settings->allow_origin, error))
    return false;
  if (!open_http(&server, error)) {
    guard_free(&server.guard);
    return false;
  }
  if (catch_signals()) {
    open_state(&server);
    printf("listening on %s\n", http_url(server.host.http));
    begin_guest(&server);
    fflush(stdout);
    for (bool more = false; !ending;) more = turn(&server, more);
    event_log(NULL, "shutting down");
  }
  close_server(&server);
  release_signals();
  return true;
}
