/* Sockets that never block: each step polls for what it needs, until its
   deadline at most. Bytes are kept as received; the head is parsed again
   whenever more has arrived, since heads are short, and the body is made from
   the bytes once the reply is complete. */
#include "io/socket.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

/* ---- places ---- */

static bool wrong(SocketPlace *place, Text *error, const char *what) {
  socket_place_free(place);
  text_add(error, what);
  return false;
}

/* HOST or [HOST], then :PORT; returns false if there is more before the path.
 */
static bool read_authority(SocketPlace *place, const char *text, size_t length,
                           const char *port) {
  size_t host = strcspn(text, ":/");
  bool bracket = *text == '[';
  if (bracket) host = strcspn(text, "]/");
  if (bracket && text[host] != ']') return false;
  text_add_bytes(&place->host, text + bracket, host - bracket);
  text += host + bracket;
  length -= host + bracket;
  if (length && *text != ':') return false;
  if (length > 1) text_add_bytes(&place->port, text + 1, length - 1);
  if (!length) text_add(&place->port, port);
  return place->host.length && place->port.length && place->port.length < 6 &&
         strspn(place->port.bytes, "0123456789") == place->port.length;
}

bool socket_place_read(SocketPlace *place, const char *url, const char *port,
                       Text *error) {
  *place = (SocketPlace){0};
  if (strncasecmp(url, "http://", 7) != 0)
    return wrong(place, error, "a URL must begin with http://");
  url += 7;
  size_t length = strcspn(url, "/");
  if (url[strcspn(url, " \t\r\n?#@")] ||
      !read_authority(place, url, length, port))
    return wrong(place, error, "a URL has the form http://HOST[:PORT][/PATH]");
  text_add(&place->path, url[length] ? url + length : "/");
  return true;
}

static bool look_up(SocketPlace *place, Text *error) {
  const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
  if (place->addresses) return true;
  int code = getaddrinfo(place->host.bytes, place->port.bytes, &hints,
                         &place->addresses);
  if (!code) return true;
  place->addresses = NULL;
  text_add(error, gai_strerror(code));
  return false;
}

void socket_place_free(SocketPlace *place) {
  if (place->addresses) freeaddrinfo(place->addresses);
  place->addresses = place->good = NULL;
  text_free(&place->host);
  text_free(&place->port);
  text_free(&place->path);
}

/* ---- connections ---- */

static bool wait_for(int socket, short events, double deadline) {
  struct pollfd wanted = {socket, events, 0};
  for (;;) {
    double left = deadline - clock_now();
    int milliseconds = left <= 0 ? 0 : left > 1e6 ? -1 : (int)(left * 1e3) + 1;
    int count = poll(&wanted, 1, milliseconds);
    if (count > 0) return true;
    if (count == 0 && clock_now() >= deadline) return false;
    if (count < 0 && errno != EINTR) return false;
  }
}

static int open_address(const struct addrinfo *address, double deadline) {
  int one = 1, code = 0, handle;
  socklen_t size = sizeof code;
  handle =
      socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
             address->ai_protocol);
  if (handle < 0) return -1;
  setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(handle, address->ai_addr, address->ai_addrlen) < 0) {
    code = errno;
    if (code == EINPROGRESS) {
      code = ETIMEDOUT;
      if (wait_for(handle, POLLOUT, deadline))
        getsockopt(handle, SOL_SOCKET, SO_ERROR, &code, &size);
    }
  }
  if (!code) return handle;
  close(handle);
  errno = code;
  return -1;
}

int socket_connect(SocketPlace *place, double deadline, Text *error) {
  if (!look_up(place, error)) return -1;
  int handle = place->good ? open_address(place->good, deadline) : -1;
  for (struct addrinfo *each = place->addresses; each && !place->good;
       each = each->ai_next) {
    handle = open_address(each, deadline);
    if (handle >= 0) place->good = each;
  }
  if (handle < 0) text_add(error, strerror(errno));
  return handle;
}

bool socket_send(int socket, const char *bytes, size_t length,
                 double deadline) {
  while (length) {
    ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (sent < 0 && !wait_for(socket, POLLOUT, deadline)) return false;
    if (sent < 0) continue;
    bytes += sent;
    length -= (size_t)sent;
  }
  return true;
}

bool socket_has_input(int socket) {
  return wait_for(socket, POLLIN, 0);
}

/* ---- replies ---- */

static void read_head(SocketReply *reply) {
  Text value = {0};
  const char *text = text_string(&reply->bytes);
  const char *end = strstr(text, "\r\n\r\n"), *bare = strstr(text, "\n\n");
  if (reply->status || (!end && !bare)) return;
  if (strncmp(text, "HTTP/", 5) != 0) return;
  reply->head = end && (!bare || end < bare) ? (size_t)(end - text) + 4
                                             : (size_t)(bare - text) + 2;
  reply->status = atoi(text + strcspn(text, " "));
  if (reply->status < 100) reply->status = 999; /* a head without a status */
  reply->announced = -1;
  if (socket_header(reply, "Content-Length", &value))
    reply->announced = strtoll(value.bytes, NULL, 10);
  text_clear(&value);
  if (socket_header(reply, "Transfer-Encoding", &value))
    reply->chunked = strcasestr(value.bytes, "chunked") != NULL;
  text_free(&value);
}

static bool is_whole(const SocketReply *reply) {
  const Text *bytes = &reply->bytes;
  if (!reply->status) return false;
  if (reply->closed) return true;
  if (reply->chunked)
    return bytes->length >= reply->head + 5 &&
           memcmp(bytes->bytes + bytes->length - 5, "0\r\n\r\n", 5) == 0;
  return reply->announced >= 0 &&
         bytes->length - reply->head >= (size_t)reply->announced;
}

/* Joins the data of chunks, as far as their sizes make sense. */
static void join_chunks(const char *from, size_t length, Text *body) {
  while (length) {
    char *after;
    size_t size = strtoul(from, &after, 16);
    const char *line = memchr(from, '\n', length);
    if (after == from || !size || !line) return;
    length -= (size_t)(line + 1 - from);
    from = line + 1;
    if (size > length) size = length;
    text_add_bytes(body, from, size);
    from += size;
    length -= size;
    size_t end = length < 2 ? length : 2; /* CR LF */
    from += end;
    length -= end;
  }
}

static void make_body(SocketReply *reply) {
  const char *from = reply->bytes.bytes + reply->head;
  size_t length = reply->bytes.length - reply->head;
  if (reply->chunked) {
    join_chunks(from, length, &reply->body);
    return;
  }
  if (reply->announced >= 0 && length > (size_t)reply->announced)
    length = (size_t)reply->announced;
  text_add_bytes(&reply->body, from, length);
}

SocketEnd socket_receive(int socket, SocketReply *reply, double deadline) {
  char piece[4096];
  socket_reply_free(reply);
  while (!is_whole(reply)) {
    if (reply->closed) return SOCKET_CLOSED;
    if (reply->bytes.length > SOCKET_LARGEST) return SOCKET_LARGE;
    if (!wait_for(socket, POLLIN, deadline)) return SOCKET_LATE;
    ssize_t count = recv(socket, piece, sizeof piece, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0) reply->closed = true;
    if (count > 0) text_add_bytes(&reply->bytes, piece, (size_t)count);
    read_head(reply);
  }
  make_body(reply);
  return SOCKET_WHOLE;
}

size_t socket_count_surplus(int socket, double deadline) {
  char piece[4096];
  size_t surplus = 0;
  while (surplus < SOCKET_LARGEST && wait_for(socket, POLLIN, deadline)) {
    ssize_t count = recv(socket, piece, sizeof piece, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0) break;
    surplus += (size_t)count;
  }
  return surplus;
}

bool socket_header(const SocketReply *reply, const char *name, Text *value) {
  size_t length = strlen(name);
  const char *line = text_string(&reply->bytes);
  const char *end = line + reply->head;
  for (; line < end; line += strcspn(line, "\n") + 1) {
    if (strncasecmp(line, name, length) != 0 || line[length] != ':') continue;
    line += length + 1;
    line += strspn(line, " \t");
    size_t size = strcspn(line, "\r\n");
    while (size && isblank((unsigned char)line[size - 1])) size--;
    text_add_bytes(value, line, size);
    return true;
  }
  return false;
}

void socket_reply_free(SocketReply *reply) {
  text_free(&reply->bytes);
  text_free(&reply->body);
  *reply = (SocketReply){.announced = -1};
}
