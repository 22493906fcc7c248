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
#include "io/http.h"

#include <malloc.h>
#include <math.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "io/event.h"
#include "io/listen.h"

enum {
  HEAD = 64 << 10, /* bytes of a request line and headers, or of a GET */
  LARGE = 1 << 20, /* bytes of a body that are returned to the system */
  SPARE = 32,      /* connections kept free by cutting the oldest */
  QUIET = 5,       /* seconds without a byte before a timeout */
  PATIENCE = 4
};

/* A large body that comes at less than this rate may be cut for another one. */
static const double slow_bytes = 2.5e5, slow_seconds = 0.5;
static const double room_seconds = 0.1; /* between looks for room */
static const double decay = 0.9; /* of the worst delay, with each reply */
static const double message_seconds = 0.002; /* estimated, to handle one */
static const double turn_seconds = 0.005;    /* of handling in one go */

struct HttpRequest {
  Http *http;
  struct MHD_Connection *connection;
  HttpRequest *older, *newer;
  int socket;
  double opened, arrival, trip;
  Text path, body;
  size_t received;
  size_t charged; /* bytes of the body that count as large */
  bool begun, complete, cut, suspended;
  size_t starved; /* suspended for lack of so many bytes; 0: it is not */
  double since;   /* then: since when */
  double waited;  /* before */
  bool ready;     /* for the handler */
  bool posted;
  Text passive;    /* why it may change nothing */
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
  HttpRequest ends;     /* head of the list: .newer is the oldest */
  HttpRequest *current; /* large, and handled in part */
  unsigned starved;     /* how many are */
  bool resumed;         /* some request was; libmicrohttpd does not report it */
  double delay;
  Text url;
};

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

static void resume(HttpRequest *request) {
  request->http->resumed = true;
  MHD_resume_connection(request->connection);
}

static void feed(HttpRequest *request) {
  request->starved = 0;
  request->waited += clock_now() - request->since;
  request->http->starved--;
  resume(request);
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
  return request->charged && !request->starved && time > slow_seconds &&
         (double)request->received < slow_bytes * time;
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
  text_free(&request->path);
  text_free(&request->passive);
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

static const char *header(const HttpRequest *request, const char *name) {
  return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                     name);
}

/* What lets a page read the reply, and says before a request what it may be. */
static void add_permission(const HttpRequest *request,
                           struct MHD_Response *response, bool preflight) {
  const char *origin = header(request, MHD_HTTP_HEADER_ORIGIN);
  const char *const headers[][2] = {
      {"Access-Control-Allow-Origin", origin},
      {"Access-Control-Allow-Methods", allowed},
      {"Access-Control-Allow-Headers",
       "Accept, Content-Type, Receiver, Sender"},
      {"Access-Control-Max-Age", "600"},
      {"Access-Control-Allow-Private-Network", "true"}};
  size_t count = !preflight ? 1
                 : header(request, "Access-Control-Request-Private-Network")
                     ? 5
                     : 4;
  if (!origin || !guard_allows_origin(request->http->settings.guard, origin))
    return;
  for (size_t i = 0; i < count; i++)
    MHD_add_response_header(response, headers[i][0], headers[i][1]);
}

static void add_headers(const HttpRequest *request,
                        struct MHD_Response *response, bool preflight) {
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE,
                          request->http->settings.type);
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  MHD_add_response_header(response, MHD_HTTP_HEADER_VARY, "Origin");
  add_permission(request, response, preflight);
}

static enum MHD_Result send_reply(HttpRequest *request, const char *method) {
  struct MHD_Response *response = MHD_create_response_from_buffer(
      request->reply.length, (void *)(uintptr_t)text_string(&request->reply),
      MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  add_headers(request, response, strcmp(method, "OPTIONS") == 0);
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
  resume(request);
}

static enum MHD_Result refuse(HttpRequest *request, const char *method,
                              unsigned status, const char *text) {
  http_reply(request, status, text);
  request->complete = true;
  return send_reply(request, method);
}

/* ---- requests ---- */

static const struct {
  const char *name;
  size_t place;
} guarded[] = {{MHD_HTTP_HEADER_HOST, offsetof(GuardHeaders, host)},
               {MHD_HTTP_HEADER_ORIGIN, offsetof(GuardHeaders, origin)},
               {"Sec-Fetch-Site", offsetof(GuardHeaders, site)},
               {"Sec-Fetch-Mode", offsetof(GuardHeaders, mode)},
               {MHD_HTTP_HEADER_USER_AGENT, offsetof(GuardHeaders, agent)},
               {"Sender", offsetof(GuardHeaders, sender)}};

typedef struct Gathered {
  GuardHeaders headers;
  bool twice; /* some header, which can mean only one thing */
} Gathered;

static enum MHD_Result gather_header(void *context, enum MHD_ValueKind kind,
                                     const char *name, const char *value) {
  (void)kind;
  Gathered *gathered = context;
  for (size_t i = 0; i < sizeof guarded / sizeof *guarded; i++) {
    const char **place =
        (const char **)((char *)&gathered->headers + guarded[i].place);
    if (strcasecmp(name, guarded[i].name) != 0) continue;
    gathered->twice |= *place != NULL;
    *place = value ? value : "";
  }
  return MHD_YES;
}

/* Returns the status of a refusal, with its text in `why`, or 0. */
static unsigned judge(HttpRequest *request, const char *version, Text *why) {
  Gathered gathered = {.headers.old = strcmp(version, "HTTP/1.0") == 0};
  MHD_get_connection_values(request->connection, MHD_HEADER_KIND, gather_header,
                            &gathered);
  if (gathered.twice) {
    text_add(why, "refused: a header such as Host is there twice");
    return MHD_HTTP_BAD_REQUEST;
  }
  switch (guard_judge(request->http->settings.guard, &gathered.headers, why)) {
  case GUARD_REFUSED: return MHD_HTTP_FORBIDDEN;
  case GUARD_PASSIVE:
    request->passive = *why;
    *why = (Text){0};
    return 0;
  default: return 0;
  }
}

bool http_may_act(const HttpRequest *request, const char **why) {
  *why = text_string(&request->passive);
  return !request->passive.length;
}

static size_t announced_length(const HttpRequest *request) {
  const char *text = header(request, MHD_HTTP_HEADER_CONTENT_LENGTH);
  return text ? (size_t)strtoull(text, NULL, 10) : 0;
}

static bool is_too_large(const HttpRequest *request, size_t length) {
  return length > request->http->settings.body;
}

/* The headers have arrived. */
static enum MHD_Result begin(HttpRequest *request, const char *method,
                             const char *version) {
  static const char *const known[] = {"POST", "GET", "HEAD", "OPTIONS"};
  bool found = false;
  Text why = {0};
  request->begun = true;
  unsigned status = judge(request, version, &why);
  if (status) {
    event_log(NULL, "%s", text_string(&why));
    enum MHD_Result result = refuse(request, method, status, text_string(&why));
    text_free(&why);
    return result;
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    found |= strcmp(method, known[i]) == 0;
  if (!found)
    return refuse(request, method, MHD_HTTP_METHOD_NOT_ALLOWED,
                  "send messages by POST or GET");
  if (announced_length(request) / PATIENCE > request->http->settings.body)
    return refuse(request, method, MHD_HTTP_CONTENT_TOO_LARGE, "too large");
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
    request->since = clock_now();
    http->starved++;
    MHD_suspend_connection(request->connection);
    return MHD_YES;
  }
  request->received += *length;
  if (request->received / PATIENCE > http->settings.body) return MHD_NO;
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
  (void)context, (void)url;
  HttpRequest *request = *request_context;
  if (request->cut) return MHD_NO;
  if (!request->begun) return begin(request, method, version);
  if (*length) return gather(request, bytes, length);
  if (!request->complete) finish(request, method);
  if (request->status) return send_reply(request, method);
  request->suspended = true;
  MHD_suspend_connection(connection);
  return MHD_YES;
}

static bool is_large(const HttpRequest *request) {
  return request->posted &&
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
  Text *body = request->posted ? &request->body : &request->path;
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
  char address[LISTEN_ADDRESS];
  listen_address(file, address);
  guard_listens(settings->guard, address, http->port);
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

/* Requests that nobody has handled are closed; libmicrohttpd does not stop with
   suspended ones. */
void http_delete(Http *http) {
  for (HttpRequest *each = http->ends.newer; each != &http->ends;
       each = each->newer) {
    if (each->status) continue;
    cut(each);
    if (each->suspended) resume(each);
    each->suspended = false;
  }
  MHD_run(http->daemon);
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
  if (http->starved) due = fmin(due, clock_now() + room_seconds);
  return due;
}

void http_run(Http *http) {
  cut_late(http, clock_now());
  feed_starved(http);
  http->resumed = false;
  MHD_run(http->daemon);
}

double http_delay(const Http *http) {
  return http->delay;
}
