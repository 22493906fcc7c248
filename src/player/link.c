/* Frames on the wire: kind, number and time in native byte order, then the
   text. A packet that is not a frame counts as the end of the link. */
#include "player/link.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

typedef struct Head {
  uint32_t kind, number;
  double time;
} Head;

bool link_send(int end, LinkKind kind, uint32_t number, double time,
               const char *text) {
  Head head = {kind, number, time};
  size_t length = strlen(text);
  if (length > LINK_LARGEST) return false;
  struct iovec parts[] = {{&head, sizeof head},
                          {(void *)(uintptr_t)text, length}};
  struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t sent;
  do sent = sendmsg(end, &packet, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent >= 0;
}

LinkEvent link_receive(int end, LinkFrame *frame) {
  Head head;
  static _Thread_local char bytes[LINK_LARGEST];
  struct iovec parts[] = {{&head, sizeof head}, {bytes, sizeof bytes}};
  struct msghdr packet = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t got;
  do got = recvmsg(end, &packet, MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return LINK_EMPTY;
  if (got < (ssize_t)sizeof head || head.kind > LINK_OUTLOOK)
    return LINK_CLOSED;
  frame->kind = (LinkKind)head.kind;
  frame->number = head.number;
  frame->time = head.time;
  text_clear(&frame->text);
  text_add_bytes(&frame->text, bytes, (size_t)got - sizeof head);
  return LINK_GOT;
}
