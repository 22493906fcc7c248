/* A packet is a head of two bytes, the kind and whether the message ends here,
   and then bytes of the message. Packets are small enough that some of them fit
   into a socket's buffer. A packet that continues another kind, or is none of
   ours, counts as the end of the link. */
#include "web/wire.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { PART = 1 << 15 }; /* bytes of a message in a packet, at most */

typedef struct Head {
  char kind;
  char last; /* 1: the message ends with this packet */
} Head;

void wire_init(Wire *wire, int link) {
  *wire = (Wire){.link = link};
}

void wire_free(Wire *wire) {
  text_free(&wire->message);
}

/* ---- receiving ---- */

/* Returns false if the packet is not a part of the message. */
static bool add_part(Wire *wire, const Head *head, const char *bytes,
                     size_t length) {
  if (wire->whole) {
    text_clear(&wire->message);
    wire->kind = 0;
    wire->whole = false;
  }
  if (wire->kind && wire->kind != head->kind) return false;
  if (!head->kind || length > WIRE_LARGEST - wire->message.length) return false;
  wire->kind = head->kind;
  text_add_bytes(&wire->message, bytes, length);
  wire->whole = head->last;
  return true;
}

WireEvent wire_receive(Wire *wire) {
  static _Thread_local char bytes[PART];
  Head head;
  struct iovec parts[] = {{&head, sizeof head}, {bytes, sizeof bytes}};
  for (;;) {
    struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t got = recvmsg(wire->link, &packet, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return WIRE_EMPTY;
    if (got < (ssize_t)sizeof head || (packet.msg_flags & MSG_TRUNC) ||
        !add_part(wire, &head, bytes, (size_t)got - sizeof head))
      return WIRE_CLOSED;
    if (wire->whole) return WIRE_GOT;
  }
}

/* ---- sending ---- */

/* Returns false if the link is closed or, unless `wait`, has no room. */
static bool send_part(int link, Head head, const char *bytes, size_t length,
                      bool wait) {
  struct iovec parts[] = {{&head, sizeof head},
                          {(void *)(uintptr_t)bytes, length}};
  struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};
  struct pollfd room = {.fd = link, .events = POLLOUT};
  while (sendmsg(link, &packet, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
    if (errno == EINTR) continue;
    if (!wait || (errno != EAGAIN && errno != EWOULDBLOCK)) return false;
    poll(&room, 1, -1);
  }
  return true;
}

static bool send_all(int link, char kind, const char *bytes, size_t length,
                     bool wait) {
  if (length > WIRE_LARGEST) return false;
  for (;;) {
    size_t part = length < PART ? length : PART;
    Head head = {kind, part == length};
    if (!send_part(link, head, bytes, part, wait)) return false;
    bytes += part;
    length -= part;
    if (head.last) return true;
  }
}

bool wire_send(int link, char kind, const char *bytes, size_t length) {
  return send_all(link, kind, bytes, length, true);
}

bool wire_try(int link, char kind, const char *bytes, size_t length) {
  return send_all(link, kind, bytes, length, false);
}
