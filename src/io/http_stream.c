/* Streams: libmicrohttpd asks for bytes whenever the socket takes some. If
   there are none the connection is suspended, and resumed by the next ones.

   libmicrohttpd does not look at suspended connections, so the sockets of
   streams are in an epoll of our own, which says when a client hangs up. One
   that vanishes without a word is found by the kernel: what it does not
   acknowledge in time, be it an event or a question whether it is there, closes
   the connection. One that is there, but does not read, is closed by
   libmicrohttpd. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/memory.h"
#include "io/http_parts.h"

enum {
  BLOCK = 16 << 10, /* bytes that are sent in one go */
  STUCK = 30,       /* seconds without reading, */
  SILENT = 60,      /* without an acknowledgement, */
  QUESTION = 30,    /* until the kernel asks whether the client is there */
  EVENTS = 16
};

/* ---- sending ---- */

static ssize_t send_more(void *context, uint64_t position, char *bytes,
                         size_t size) {
  (void)position;
  HttpRequest *request = context;
  HttpStream *stream = request->stream;
  size_t count = stream->queue.length - stream->sent;
  if (request->cut) return MHD_CONTENT_READER_END_WITH_ERROR;
  if (!count && stream->ended) return MHD_CONTENT_READER_END_OF_STREAM;
  if (!count) {
    stream->idle = true;
    MHD_suspend_connection(request->connection);
    return 0;
  }
  if (count > size) count = size;
  memcpy(bytes, stream->queue.bytes + stream->sent, count);
  stream->sent += count;
  if (stream->sent == stream->queue.length) {
    text_free(&stream->queue); /* the first event is much the longest */
    stream->sent = 0;
  }
  return (ssize_t)count;
}

static void wake(HttpRequest *request) {
  if (!request->stream->idle) return;
  request->stream->idle = false;
  http_resume(request);
}

void http_stream_send(HttpRequest *request, const char *bytes, size_t length) {
  if (request->stream->ended || request->cut || !length) return;
  text_add_bytes(&request->stream->queue, bytes, length);
  wake(request);
}

size_t http_stream_queued(const HttpRequest *request) {
  return request->stream->queue.length - request->stream->sent;
}

/* ---- begin and end ---- */

static void set_option(int socket, int level, int option, int value) {
  setsockopt(socket, level, option, &value, sizeof value);
}

/* Wakes us up when the client hangs up. */
static void watch(const HttpRequest *request) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET,
                              .data.ptr = (void *)(uintptr_t)request};
  set_option(request->socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(request->socket, IPPROTO_TCP, TCP_KEEPIDLE, QUESTION);
  set_option(request->socket, IPPROTO_TCP, TCP_KEEPINTVL, QUESTION / 3);
  set_option(request->socket, IPPROTO_TCP, TCP_USER_TIMEOUT, 1000 * SILENT);
  epoll_ctl(request->http->files, EPOLL_CTL_ADD, request->socket, &event);
}

void http_stream(HttpRequest *request, const HttpAnswer *answer, HttpGone *gone,
                 void *context) {
  HttpStream *stream = memory_new(sizeof *stream);
  struct MHD_Response *response = MHD_create_response_from_callback(
      MHD_SIZE_UNKNOWN, BLOCK, send_more, request, NULL);
  *stream = (HttpStream){.gone = gone, .context = context};
  request->stream = stream;
  request->http->streams++;
  if (response) http_add_headers(request, response, answer);
  MHD_set_connection_option(request->connection, MHD_CONNECTION_OPTION_TIMEOUT,
                            (unsigned)STUCK);
  watch(request);
  http_respond(request, MHD_HTTP_OK, response);
}

void http_stream_end(HttpRequest *request) {
  request->stream->gone = NULL;
  request->stream->ended = true;
  wake(request);
}

void http_stream_close(HttpRequest *request) {
  HttpStream *stream = request->stream;
  HttpGone *gone = stream->gone;
  stream->gone = NULL;
  stream->ended = true;
  if (gone) gone(stream->context, request);
}

void http_stream_free(HttpRequest *request) {
  if (!request->stream) return;
  http_stream_close(request);
  epoll_ctl(request->http->files, EPOLL_CTL_DEL, request->socket, NULL);
  request->http->streams--;
  text_free(&request->stream->queue);
  memory_delete(request->stream);
}

unsigned http_streams(const Http *http) {
  return http->streams;
}

void http_stream_look(Http *http) {
  struct epoll_event events[EVENTS];
  int count = epoll_wait(http->files, events, EVENTS, 0);
  for (int i = 0; i < count; i++) {
    HttpRequest *request = events[i].data.ptr;
    if (!request) continue; /* libmicrohttpd's */
    request->cut = true;
    shutdown(request->socket, SHUT_RDWR);
    wake(request);
  }
}
