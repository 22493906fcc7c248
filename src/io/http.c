/* A connection carries one request; all are in a list, oldest first. Stages of
   a request: opened → first line seen (arrival) → body gathered → complete and
   suspended → handed to the handler → replied and resumed → sent and closed.
   Requests that are not complete in time, or are the oldest when connections or
   memory for bodies run short, are cut: their sockets are shut down, which
   libmicrohttpd takes for a disconnect by the client. Bodies that are too large
   are read and discarded, so that the client still reads the 413; beyond
   PATIENCE times the limit the connection is closed. */
#include "io/http.h"

#include <malloc.h>
#include <math.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "io/listen.h"

enum {
  HEAD = 64 << 10, /* bytes of a request line and headers, or of a GET */
  LARGE = 1 << 20, /* bytes of a body that are returned to the system */
  SPARE = 32,      /* connections kept free by cutting the oldest */
  QUIET = 5,       /* seconds without a byte before a timeout */
  PATIENCE = 4
};

static const double decay = 0.9; /* of the worst delay, with each reply */
/* Estimated cost of a message: for each byte, and for the handler's own work.
 */
static const double byte_seconds = 100e-9, message_seconds = 0.002;
static const double turn_seconds = 0.005; /* of handling in one go */

struct HttpRequest {
  Http *http;
  struct MHD_Connection *connection;
  HttpRequest *older, *newer;
  int socket;
  double opened, arrival, trip;
  Text path, body;
  size_t received;
  bool begun, complete, cut, suspended;
  bool ready; /* for the handler */
  bool posted;
  unsigned status; /* of the reply; 0: none yet */
  Text reply;
  double replied;
};

struct Http {
  HttpSettings settings;
  struct MHD_Daemon *daemon;
  int epoll;
  unsigned port, count;
  size_t bodies;
  HttpRequest ends; /* head of the list: .newer is the oldest */
  bool resumed;     /* some request was; libmicrohttpd does not report it */
  double delay;
  Text url;
};

/* ---- limits ---- */

static void release_body(HttpRequest *request) {
  size_t size = request->body.capacity;
  request->http->bodies -= size;
  text_free(&request->body);
  if (size > LARGE) malloc_trim(0);
}

static void cut(HttpRequest *request) {
  request->cut = true;
  release_body(request);
  shutdown(request->socket, SHUT_RDWR);
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

/* Makes room for `more` bytes of a body; returns false if the request itself
   had to be cut. */
static bool make_room(HttpRequest *request, size_t more) {
  Http *http = request->http;
  HttpRequest *oldest = &http->ends;
  while (http->bodies + more > http->settings.bodies &&
         (oldest = next_waiting(http, oldest)))
    if (oldest->body.capacity && oldest != request) cut(oldest);
  if (http->bodies + more <= http->settings.bodies) return true;
  cut(request);
  return false;
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
  text_free(&request->path);
  text_free(&request->reply);
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

static int hex(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

/* The part after the slash, with %XX and + decoded. */
static void decode_path(const char *uri, Text *path) {
  if (*uri == '/') uri++;
  for (; *uri; uri++) {
    if (*uri == '%' && hex(uri[1]) >= 0 && hex(uri[2]) >= 0) {
      text_add_byte(path, (char)(16 * hex(uri[1]) + hex(uri[2])));
      uri += 2;
    } else {
      text_add_byte(path, *uri == '+' ? ' ' : *uri);
    }
  }
}

/* The first line has arrived. */
static void *notify_line(void *context, const char *uri,
                         struct MHD_Connection *connection) {
  (void)context;
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  HttpRequest *request = info->socket_context;
  text_clear(&request->path);
  decode_path(uri, &request->path);
  measure(request);
  return request;
}

static void notify_sent(void *context, struct MHD_Connection *connection,
                        void **request_context,
                        enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection;
  HttpRequest *request = *request_context;
  if (!request || !request->status ||
      code != MHD_REQUEST_TERMINATED_COMPLETED_OK)
    return;
  Http *http = request->http;
  http->delay = fmax(clock_now() - request->replied, http->delay * decay);
}

/* ---- replies ---- */

static const char allowed[] = "GET, HEAD, POST, OPTIONS";

static void add_headers(struct MHD_Response *response, const char *type,
                        bool preflight) {
  const char *const headers[][2] = {{MHD_HTTP_HEADER_CONTENT_TYPE, type},
                                    {MHD_HTTP_HEADER_CONNECTION, "close"},
                                    {"Access-Control-Allow-Origin", "*"},
                                    {"Access-Control-Allow-Methods", allowed},
                                    {"Access-Control-Allow-Headers", "*"},
                                    {"Access-Control-Max-Age", "86400"}};
  size_t count = preflight ? sizeof headers / sizeof *headers : 3;
  for (size_t i = 0; i < count; i++)
    MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

static enum MHD_Result send_reply(HttpRequest *request, const char *method) {
  struct MHD_Response *response = MHD_create_response_from_buffer(
      request->reply.length, (void *)(uintptr_t)text_string(&request->reply),
      MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  add_headers(response, request->http->settings.type,
              strcmp(method, "OPTIONS") == 0);
  if (request->status == MHD_HTTP_METHOD_NOT_ALLOWED)
    MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, allowed);
  enum MHD_Result result =
      MHD_queue_response(request->connection, request->status, response);
  MHD_destroy_response(response);
  return result;
}

void http_reply(HttpRequest *request, unsigned status, const char *text) {
  request->status = status;
  text_add(&request->reply, text);
  request->replied = clock_now();
  if (!request->suspended) return;
  request->suspended = false;
  request->http->resumed = true;
  MHD_resume_connection(request->connection);
}

static enum MHD_Result refuse(HttpRequest *request, const char *method,
                              unsigned status, const char *text) {
  http_reply(request, status, text);
  request->complete = true;
  return send_reply(request, method);
}

/* ---- requests ---- */

static size_t announced_length(struct MHD_Connection *connection) {
  const char *text = MHD_lookup_connection_value(
      connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return text ? (size_t)strtoull(text, NULL, 10) : 0;
}

static bool is_too_large(const HttpRequest *request, size_t length) {
  return length > request->http->settings.body;
}

/* The headers have arrived. */
static enum MHD_Result begin(HttpRequest *request, const char *method) {
  static const char *const known[] = {"POST", "GET", "HEAD", "OPTIONS"};
  bool found = false;
  request->begun = true;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    found |= strcmp(method, known[i]) == 0;
  if (!found)
    return refuse(request, method, MHD_HTTP_METHOD_NOT_ALLOWED,
                  "send messages by POST or GET");
  if (announced_length(request->connection) / PATIENCE >
      request->http->settings.body)
    return refuse(request, method, MHD_HTTP_CONTENT_TOO_LARGE, "too large");
  return MHD_YES;
}

static enum MHD_Result gather(HttpRequest *request, const char *bytes,
                              size_t length) {
  Http *http = request->http;
  request->received += length;
  if (request->received / PATIENCE > http->settings.body) return MHD_NO;
  if (is_too_large(request, request->received)) {
    release_body(request);
    return MHD_YES;
  }
  size_t before = request->body.capacity,
         wanted = request->body.length + length;
  if (wanted >= before && !make_room(request, 2 * wanted + 64)) return MHD_NO;
  text_add_bytes(&request->body, bytes, length);
  http->bodies += request->body.capacity - before;
  return MHD_YES;
}

/* All of it has arrived. */
static void finish(HttpRequest *request, const char *method) {
  request->posted = strcmp(method, "POST") == 0;
  request->complete = true;
  if (strcmp(method, "OPTIONS") == 0)
    http_reply(request, MHD_HTTP_OK, "");
  else if (is_too_large(request, request->received))
    http_reply(request, MHD_HTTP_CONTENT_TOO_LARGE, "too large");
  else if (strcmp(method, "HEAD") == 0 ||
           (!request->posted && !request->path.length))
    http_reply(request, MHD_HTTP_OK, request->http->settings.about);
  else
    request->ready = true;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection,
                              const char *url, const char *method,
                              const char *version, const char *bytes,
                              size_t *length, void **request_context) {
  (void)context, (void)url, (void)version;
  HttpRequest *request = *request_context;
  if (request->cut) return MHD_NO;
  if (!request->begun) return begin(request, method);
  if (*length) {
    enum MHD_Result result = gather(request, bytes, *length);
    *length = 0;
    return result;
  }
  if (!request->complete) finish(request, method);
  if (request->status) return send_reply(request, method);
  request->suspended = true;
  MHD_suspend_connection(connection);
  return MHD_YES;
}

static double cost(const HttpRequest *request) {
  return message_seconds + byte_seconds * (double)request->body.length;
}

/* Returns the oldest that can be handled before `deadline`, or NULL. */
static HttpRequest *next_ready(Http *http, double deadline) {
  double left = deadline - clock_now();
  HttpRequest *each = http->ends.newer;
  while (each != &http->ends && !(each->ready && cost(each) < left))
    each = each->newer;
  return each == &http->ends ? NULL : each;
}

bool http_handle(Http *http, double deadline) {
  double end = clock_now() + turn_seconds;
  HttpRequest *request;
  while ((request = next_ready(http, deadline)) && clock_now() < end) {
    request->ready = false;
    http->settings.handler(http->settings.context, request,
                           request->posted ? &request->body : &request->path);
    release_body(request);
  }
  return request != NULL;
}

double http_arrival(const HttpRequest *request) {
  return request->arrival;
}

double http_trip(const HttpRequest *request) {
  return request->trip;
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

Http *http_new(const HttpSettings *settings, Text *error) {
  int file = listen_open(settings->bind, settings->port, error);
  if (file < 0) return NULL;
  Http *http = memory_new(sizeof *http);
  http->settings = *settings;
  http->ends.older = http->ends.newer = &http->ends;
  http->port = listen_port(file);
  listen_write_url(file, &http->url);
  http->daemon = start_daemon(http, file);
  if (!http->daemon) {
    text_add(error, "cannot start the HTTP library");
    close(file);
    text_free(&http->url);
    memory_delete(http);
    return NULL;
  }
  http->epoll =
      MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
  return http;
}

void http_delete(Http *http) {
  MHD_stop_daemon(http->daemon);
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
  return http->epoll;
}

double http_due(Http *http) {
  MHD_UNSIGNED_LONG_LONG wait;
  double due = INFINITY;
  if (http->resumed) return 0;
  if (MHD_get_timeout(http->daemon, &wait) == MHD_YES)
    due = clock_now() + 1e-3 * (double)wait;
  const HttpRequest *oldest = next_waiting(http, &http->ends);
  if (oldest) due = fmin(due, oldest->opened + http->settings.seconds);
  return due;
}

void http_run(Http *http) {
  cut_late(http, clock_now());
  http->resumed = false;
  MHD_run(http->daemon);
}

double http_delay(const Http *http) {
  return http->delay;
}
