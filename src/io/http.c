/* A connection carries one request; all are in a list, oldest first. Stages of
   a request: opened → first line seen (arrival) → body gathered → complete and
   suspended → handed to the handler → replied and resumed → sent and closed.
   Requests that are not complete in time, or are the oldest when connections
   run short, or slow when memory for large bodies does, are cut: their sockets
   are shut down, which libmicrohttpd takes for a disconnect by the client. If
   that does not make enough room, a large body waits for it, except the oldest
   one, so that there is always one that goes on. Bodies that are too large
   are read and discarded, so that the client still reads the 413; beyond
   PATIENCE times the limit the connection is closed. Whoever may not ask is
   told so as soon as the headers are there. */
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "io/event.h"
#include "io/http_parts.h"
#include "io/listen.h"

enum {
  HEAD = 64 << 10, /* bytes of a request line and headers, or of a GET */
  LARGE = 1 << 20, /* bytes of a body that are returned to the system */
  SPARE = 32,      /* connections kept free by cutting the oldest */
  QUIET = 5,       /* seconds without a byte before a timeout */
  PATIENCE = 4
};

/* A large body that comes to a halt, or at less than this rate for some
   seconds, may be cut for another one. */
static const double halt_seconds = 1, slow_bytes = 2.5e5, slow_seconds = 2;
static const double room_seconds = 0.1; /* between looks for room */
static const double decay = 0.9; /* of the worst delay, with each reply */
static const double message_seconds = 0.002; /* estimated, to handle one */
static const double turn_seconds = 0.005;    /* of handling in one go */

/* ---- limits ---- */

static void charge(HttpRequest *request, size_t bytes) {
  request->http->bodies += bytes - request->charged;
  request->charged = bytes;
}

static void release_body(HttpRequest *request) {
  size_t size = request->body.capacity;
  charge(request, 0);
  text_free(&request->body);
  if (size > LARGE) malloc_trim(0);
}

void http_resume(HttpRequest *request) {
  request->http->resumed = true;
  MHD_resume_connection(request->connection);
}

static void feed(HttpRequest *request) {
  request->starved = 0;
  request->waited += clock_now() - request->last;
  request->last = clock_now();
  request->http->starved--;
  http_resume(request);
}

static void cut(HttpRequest *request) {
  request->cut = true;
  release_body(request);
  shutdown(request->socket, SHUT_RDWR);
  if (request->starved) feed(request);
}

static bool waits(const HttpRequest *request) {
  return !request->complete && !request->cut;
}

static HttpRequest *next_waiting(Http *http, HttpRequest *after) {
  HttpRequest *each = after->newer;
  while (each != &http->ends && !waits(each)) each = each->newer;
  return each == &http->ends ? NULL : each;
}

static void cut_late(Http *http, double now) {
  HttpRequest *oldest;
  while ((oldest = next_waiting(http, &http->ends)) &&
         oldest->opened + http->settings.seconds <= now)
    cut(oldest);
}

static bool is_slow(const HttpRequest *request, double now) {
  double time = now - request->opened - request->waited;
  if (!request->charged || request->starved) return false;
  return now - request->last > halt_seconds ||
         (time > slow_seconds && (double)request->received < slow_bytes * time);
}

/* True if no older large body is still arriving. */
static bool is_first(const HttpRequest *request) {
  Http *http = request->http;
  HttpRequest *each = &http->ends;
  while ((each = next_waiting(http, each)) && each != request)
    if (each->charged) return false;
  return true;
}

static bool has_room(const HttpRequest *request, size_t more) {
  const Http *http = request->http;
  return http->bodies + more <= http->settings.bodies || is_first(request);
}

/* Makes room for `more` bytes of a large body; returns false if it has to
   wait. */
static bool make_room(HttpRequest *request, size_t more) {
  Http *http = request->http;
  HttpRequest *oldest = &http->ends;
  double now = clock_now();
  while (http->bodies + more > http->settings.bodies &&
         (oldest = next_waiting(http, oldest)))
    if (oldest != request && is_slow(oldest, now)) cut(oldest);
  return has_room(request, more);
}

/* Lets those go on for which there is room now. */
static void feed_starved(Http *http) {
  HttpRequest *each = &http->ends;
  while (http->starved && (each = next_waiting(http, each)))
    if (each->starved && make_room(each, each->starved)) feed(each);
}

/* ---- connections ---- */

static void measure(HttpRequest *request) {
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  double waited = 0;
  if (getsockopt(request->socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
    request->trip = 1e-6 * info.tcpi_rtt;
    waited = 1e-3 * info.tcpi_last_data_recv;
  }
  request->arrival = clock_now() - waited;
}

static void open_request(Http *http, struct MHD_Connection *connection,
                         void **context) {
  HttpRequest *request = memory_new(sizeof *request);
  HttpRequest *oldest;
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  *request = (HttpRequest){.http = http,
                           .connection = connection,
                           .older = http->ends.older,
                           .newer = &http->ends,
                           .socket = info->connect_fd,
                           .opened = clock_now()};
  request->older->newer = http->ends.older = request;
  request->arrival = request->opened;
  http_take_peer(request);
  *context = request;
  http->count++;
  if (http->count + SPARE > http->settings.clients &&
      (oldest = next_waiting(http, &http->ends)) != request)
    cut(oldest);
}

static void close_request(HttpRequest *request) {
  request->older->newer = request->newer;
  request->newer->older = request->older;
  request->http->count--;
  release_body(request);
  request->http->starved -= request->starved != 0;
  if (request->http->current == request) request->http->current = NULL;
  text_free(&request->message);
  text_free(&request->path);
  text_free(&request->passive);
  if (request->response) MHD_destroy_response(request->response);
  http_stream_free(request);
  memory_delete(request);
}

static void notify_connection(void *context, struct MHD_Connection *connection,
                              void **socket_context,
                              enum MHD_ConnectionNotificationCode code) {
  if (code == MHD_CONNECTION_NOTIFY_STARTED)
    open_request(context, connection, socket_context);
  else if (*socket_context)
    close_request(*socket_context);
}

/* The first line has arrived. */
static void *notify_line(void *context, const char *uri,
                         struct MHD_Connection *connection) {
  (void)context;
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  HttpRequest *request = info->socket_context;
  http_take_line(request, uri);
  measure(request);
  return request;
}

static void notify_sent(void *context, struct MHD_Connection *connection,
                        void **request_context,
                        enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection;
  HttpRequest *request = *request_context;
  if (request && request->stream) http_stream_close(request);
  if (!request || !request->status || request->other ||
      code != MHD_REQUEST_TERMINATED_COMPLETED_OK)
    return;
  Http *http = request->http;
  http->delay = fmax(clock_now() - request->replied, http->delay * decay);
}

/* ---- requests ---- */

static size_t announced_length(const HttpRequest *request) {
  const char *text = http_header(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return text ? (size_t)strtoull(text, NULL, 10) : 0;
}

static bool is_too_large(const HttpRequest *request, size_t length) {
  return length > request->limit;
}

static enum MHD_Result send_reply(HttpRequest *request) {
  if (!request->response) return MHD_NO;
  return MHD_queue_response(request->connection, request->status,
                            request->response);
}

static enum MHD_Result refuse(HttpRequest *request, unsigned status,
                              const char *text) {
  http_refuse(request, status, text);
  request->complete = true;
  return send_reply(request);
}

/* Finds out whether it is a message of a game master. */
static void classify(HttpRequest *request) {
  const HttpSettings *settings = &request->http->settings;
  size_t limit =
      settings->other ? settings->other(settings->context, request) : 0;
  request->other = limit > 0;
  request->limit = request->other ? limit : settings->body;
}

/* The headers have arrived. */
static enum MHD_Result begin(HttpRequest *request, const char *method,
                             const char *version) {
  Text why = {0};
  request->begun = true;
  bool known = http_take_method(request, method);
  classify(request);
  unsigned status = http_judge(request, version, &why);
  if (status) {
    event_log(NULL, "%s", text_string(&why));
    enum MHD_Result result = refuse(request, status, text_string(&why));
    text_free(&why);
    return result;
  }
  if (!known || (request->method == HTTP_DELETE && !request->other))
    return refuse(request, MHD_HTTP_METHOD_NOT_ALLOWED,
                  "send messages by POST or GET");
  if (announced_length(request) / PATIENCE > request->limit)
    return refuse(request, MHD_HTTP_CONTENT_TOO_LARGE, "too large");
  return MHD_YES;
}

/* Sets `length` to the bytes that were not taken. */
static enum MHD_Result gather(HttpRequest *request, const char *bytes,
                              size_t *length) {
  Http *http = request->http;
  size_t wanted = request->body.length + *length;
  bool large = wanted > http->settings.small;
  if (large && wanted >= request->body.capacity &&
      !is_too_large(request, request->received + *length) &&
      !make_room(request, 2 * wanted + 64)) {
    request->starved = 2 * wanted + 64;
    request->last = clock_now();
    http->starved++;
    MHD_suspend_connection(request->connection);
    return MHD_YES;
  }
  request->received += *length;
  request->last = clock_now();
  if (request->received / PATIENCE > request->limit) return MHD_NO;
  if (is_too_large(request, request->received)) {
    release_body(request);
  } else {
    text_add_bytes(&request->body, bytes, *length);
    charge(request, large ? request->body.capacity : 0);
  }
  *length = 0;
  return MHD_YES;
}

/* All of it has arrived. */
static void finish(HttpRequest *request) {
  request->complete = true;
  if (request->options)
    http_reply(request, MHD_HTTP_OK, "");
  else if (is_too_large(request, request->received))
    http_refuse(request, MHD_HTTP_CONTENT_TOO_LARGE, "too large");
  else if (!request->other && request->method == HTTP_GET &&
           (request->head || !request->message.length))
    http_reply(request, MHD_HTTP_OK, request->http->settings.about);
  else
    request->ready = true;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection,
                              const char *url, const char *method,
                              const char *version, const char *bytes,
                              size_t *length, void **request_context) {
  (void)context, (void)url;
  HttpRequest *request = *request_context;
  if (request->cut) return MHD_NO;
  if (!request->begun) return begin(request, method, version);
  if (*length) return gather(request, bytes, length);
  if (!request->complete) finish(request);
  if (request->status) return send_reply(request);
  request->suspended = true;
  MHD_suspend_connection(connection);
  return MHD_YES;
}

static bool is_large(const HttpRequest *request) {
  return request->method == HTTP_POST &&
         request->body.length > request->http->settings.small;
}

/* Returns the oldest that is small, else the large one that was begun, else the
   oldest one; NULL: none. */
static HttpRequest *next_ready(Http *http) {
  HttpRequest *large = NULL;
  for (HttpRequest *each = http->ends.newer; each != &http->ends;
       each = each->newer) {
    if (!each->ready) continue;
    if (!is_large(each)) return each;
    if (!large) large = each;
  }
  return http->current ? http->current : large;
}

/* Returns false if the request has to wait. */
static bool handle_one(Http *http, HttpRequest *request) {
  bool posted = request->method == HTTP_POST || request->other;
  Text *body = posted ? &request->body : &request->message;
  bool large = is_large(request);
  HttpTurn turn = http->settings.handler(http->settings.context, request, body);
  if (large) http->current = turn == HTTP_PART ? request : NULL;
  request->ready = turn != HTTP_TAKEN;
  if (!request->ready) release_body(request);
  return turn != HTTP_LATER;
}

bool http_handle(Http *http, double deadline) {
  double now = clock_now(), end = now + turn_seconds;
  HttpRequest *request;
  while ((request = next_ready(http)) && now < end &&
         now + message_seconds < deadline) {
    if (!handle_one(http, request)) return false;
    now = clock_now();
  }
  return request && now + message_seconds < deadline;
}

/* ---- the server ---- */

static void no_log(void *context, const char *format, va_list arguments) {
  (void)context, (void)format, (void)arguments;
}

static struct MHD_Daemon *start_daemon(Http *http, int file) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL,
      NULL, handle, http, MHD_OPTION_EXTERNAL_LOGGER, no_log, NULL,
      MHD_OPTION_LISTEN_SOCKET, file, MHD_OPTION_NOTIFY_CONNECTION,
      notify_connection, http, MHD_OPTION_NOTIFY_COMPLETED, notify_sent, http,
      MHD_OPTION_URI_LOG_CALLBACK, notify_line, http,
      MHD_OPTION_CONNECTION_LIMIT, http->settings.clients,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD,
      MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)QUIET,
      MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

/* One descriptor for the caller to wait for. */
static bool open_files(Http *http) {
  struct epoll_event event = {.events = EPOLLIN};
  int inner =
      MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  http->files = epoll_create1(EPOLL_CLOEXEC);
  if (http->files >= 0 &&
      epoll_ctl(http->files, EPOLL_CTL_ADD, inner, &event) == 0)
    return true;
  if (http->files >= 0) close(http->files);
  return false;
}

/* The processes of a server that was just killed may have its port a little
   longer, until they are killed too. */
static int open_port(const HttpSettings *settings, Text *error) {
  enum { TRIES = 20, PAUSE = 50 }; /* milliseconds */
  int file = -1;
  for (int i = 0; i < TRIES && file < 0; i++) {
    if (i) poll(NULL, 0, PAUSE);
    file = listen_open(settings->bind, settings->port, error);
    if (file < 0 && errno != EADDRINUSE) break;
  }
  return file;
}

Http *http_new(const HttpSettings *settings, Text *error) {
  int file = open_port(settings, error);
  if (file < 0) return NULL;
  Http *http = memory_new(sizeof *http);
  http->settings = *settings;
  http->ends.older = http->ends.newer = &http->ends;
  http->port = listen_port(file);
  listen_write_url(file, &http->url);
  char address[LISTEN_ADDRESS];
  listen_address(file, address);
  guard_listens(settings->guard, address, http->port);
  http->daemon = start_daemon(http, file);
  if (!http->daemon || !open_files(http)) {
    text_add(error, "cannot start the HTTP library");
    if (http->daemon)
      MHD_stop_daemon(http->daemon);
    else
      close(file);
    text_free(&http->url);
    memory_delete(http);
    return NULL;
  }
  return http;
}

/* Requests that nobody has handled are closed, and streams end; libmicrohttpd
   does not stop with suspended ones. */
void http_delete(Http *http) {
  for (HttpRequest *each = http->ends.newer; each != &http->ends;
       each = each->newer) {
    if (each->stream) http_stream_end(each);
    if (each->status) continue;
    cut(each);
    if (each->suspended) http_resume(each);
    each->suspended = false;
  }
  MHD_run(http->daemon);
  MHD_stop_daemon(http->daemon);
  close(http->files);
  text_free(&http->url);
  memory_delete(http);
}

unsigned http_port(const Http *http) {
  return http->port;
}

const char *http_url(const Http *http) {
  return text_string(&http->url);
}

int http_file(const Http *http) {
  return http->files;
}

double http_due(Http *http) {
  MHD_UNSIGNED_LONG_LONG wait;
  double due = INFINITY;
  if (http->resumed) return 0;
  if (MHD_get_timeout(http->daemon, &wait) == MHD_YES)
    due = clock_now() + 1e-3 * (double)wait;
  const HttpRequest *oldest = next_waiting(http, &http->ends);
  if (oldest) due = fmin(due, oldest->opened + http->settings.seconds);
  if (http->starved) due = fmin(due, clock_now() + room_seconds);
  return due;
}

void http_run(Http *http) {
  cut_late(http, clock_now());
  feed_starved(http);
  http_stream_look(http);
  http->resumed = false;
  MHD_run(http->daemon);
}

double http_delay(const Http *http) {
  return http->delay;
}
