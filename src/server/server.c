/* One loop waits for everything: connections (through libmicrohttpd's epoll),
   the links of processes, signals (through a descriptor that the handler makes
   readable), and the nearest deadline. With a single thread nothing needs a
   lock, and fork is safe. */
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
  CLIENTS = 256,               /* connections at once */
  LONGEST_MESSAGE = 128 << 10, /* bytes, of a message without rules */
  BODIES = 4,                  /* of the largest size, in memory at once */
  NICE = -10                   /* ours: little work, but with deadlines */
};

static const double request_seconds = 10; /* until it must be complete */

typedef struct Server {
  const ServerSettings *settings;
  SeatHost host;
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

static bool is_full(const Server *server) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < server->seats.count; i++)
    count += !seat_is_leaving(server->seats.data[i]);
  return count >= server->settings->matches;
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
  if (is_full(server) || find_seat(server, &match->start.id)) {
    event_log(text_string(&match->start.id),
              "journal removed: too many matches, or the same id twice");
    journal_match_free(match);
    journal_remove(journal);
  } else {
    vector_push(&server->seats, seat_restore(&server->host, journal, match));
  }
}

/* ---- messages ---- */

static void reply_busy(HttpRequest *request, const Message *message) {
  event_log(text_string(&message->id), "%s: busy", message_name(message->kind));
  http_reply(request, 200, "busy");
}

static void take_info(Server *server, HttpRequest *request) {
  Text text = {0};
  text_format(&text, "((name %s) (status %s))", server->settings->name,
              is_full(server) ? "busy" : "available");
  http_reply(request, 200, text.bytes);
  text_free(&text);
}

static void take_start(Server *server, HttpRequest *request, Message *start) {
  Seat *old = find_seat(server, &start->id);
  if (old && seat_started_by(old, start)) {
    seat_start_again(old, request);
    return;
  }
  if (old) {
    event_log(seat_id(old), "another match with this id begins");
    seat_stop(old, NULL);
  }
  if (is_full(server))
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

/* Only rules may be long; reading megabytes of moves would take half a second.
 */
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

static void take_request(void *context, HttpRequest *request,
                         const Text *body) {
  Server *server = context;
  Message message;
  Text error = {0};
  if (is_too_long(body)) {
    http_reply(request, 413, "too large");
    return;
  }
  if (!message_parse(&message, text_string(body), body->length, &error)) {
    event_log(NULL, "bad message: %s", text_string(&error));
    http_reply(request, 400, text_string(&error));
    text_free(&error);
    return;
  }
  switch (message.kind) {
  case MESSAGE_INFO: take_info(server, request); break;
  case MESSAGE_START: take_start(server, request, &message); break;
  case MESSAGE_PREVIEW: take_preview(server, request, &message); break;
  default: take_other(server, request, &message);
  }
  message_free(&message);
}

/* ---- the loop ---- */

static double seats_due(const Server *server) {
  double due = INFINITY;
  for (uint32_t i = 0; i < server->seats.count; i++)
    due = fmin(due, seat_due(server->seats.data[i]));
  return due;
}

static void watch(Server *server, int file) {
  struct pollfd each = {.fd = file, .events = POLLIN};
  vector_push(&server->files, each);
}

static void wait_for_something(Server *server, double due) {
  vector_clear(&server->files);
  watch(server, signalled);
  watch(server, http_file(server->host.http));
  watch(server, preview_file(&server->preview));
  for (uint32_t i = 0; i < server->seats.count; i++)
    watch(server, seat_file(server->seats.data[i]));
  due = fmin(fmin(due, seats_due(server)),
             fmin(http_due(server->host.http), preview_due(&server->preview)));
  double wait = fmin(fmax(due - clock_now(), 0), 3600);
  struct timespec timeout = {.tv_sec = (time_t)wait,
                             .tv_nsec = (long)(1e9 * fmod(wait, 1))};
  ppoll(server->files.data, server->files.count, &timeout, NULL);
}

static void reap(Server *server) {
  uint64_t count;
  char how[64];
  pid_t pid;
  if (read(signalled, &count, sizeof count) < 0) return;
  while ((pid = process_reap(how, sizeof how))) {
    event_log(NULL, "process %d exited: %s", (int)pid, how);
    preview_reaped(&server->preview, pid);
    for (uint32_t i = 0; i < server->seats.count; i++)
      seat_reaped(server->seats.data[i], pid);
  }
}

/* Links come before deadlines, so that moves sent in time count; deadlines come
   before new work, and no work is begun that would last beyond the next
   deadline. Returns true if there is more work. */
static bool turn(Server *server, bool more) {
  wait_for_something(server, more ? 0 : INFINITY);
  for (uint32_t i = 0; i < server->seats.count; i++) {
    seat_read(server->seats.data[i]);
    seat_tick(server->seats.data[i]);
  }
  remove_seats(server);
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
  HttpSettings http = {
      .bind = settings->bind,
      .port = settings->port,
      .body = settings->body,
      .bodies = BODIES * settings->body,
      .seconds = request_seconds,
      .clients = CLIENTS,
      .type = "text/acl",
      .about = "Tafl, a general game player: game masters send messages by "
               "POST\n",
      .handler = take_request,
      .context = server};
  server->host.http = http_new(&http, error);
  return server->host.http != NULL;
}

static void close_server(Server *server) {
  for (uint32_t i = 0; i < server->seats.count; i++)
    seat_delete(server->seats.data[i]);
  preview_end(&server->preview);
  http_run(server->host.http);
  http_delete(server->host.http);
  vector_free(&server->seats);
  vector_free(&server->files);
  if (server->host.folder >= 0) close(server->host.folder);
}

bool server_run(const ServerSettings *settings, Text *error) {
  Server server = {.settings = settings,
                   .host = {.flow = settings->flow,
                            .agent = settings->agent,
                            .limits = settings->limits,
                            .process = {.memory = settings->memory},
                            .seed = settings->seed,
                            .verbose = settings->verbose,
                            .folder = -1}};
  preview_init(&server.preview);
  server.host.process.nice = process_set_nice(NICE);
  if (!open_http(&server, error)) return false;
  if (catch_signals()) {
    open_state(&server);
    printf("listening on %s\n", http_url(server.host.http));
    fflush(stdout);
    for (bool more = false; !ending;) more = turn(&server, more);
    event_log(NULL, "shutting down");
  }
  close_server(&server);
  release_signals();
  return true;
}
