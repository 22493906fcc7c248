#include "cluster/channel.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
  AT_ONCE = 64 << 10, /* bytes that are received in one go, */
  ROUNDS = 64,        /* so often, before others have their turn */
  SPARE = 1 << 20     /* bytes of a buffer that are kept for the next message */
};

void channel_open(Channel *channel, int file, size_t most) {
  int one = 1;
  *channel = (Channel){.file = file, .most = most};
  setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
}

void channel_close(Channel *channel) {
  if (channel->file >= 0) close(channel->file);
  text_free(&channel->in);
  text_free(&channel->out);
  *channel = (Channel){.file = -1};
}

size_t channel_unsent(const Channel *channel) {
  return channel->out.length - channel->sent;
}

/* Drops the first `*used` bytes. */
static void drop_used(Text *text, size_t *used) {
  size_t left = text->length - *used;
  if (!left && text->capacity > SPARE) {
    text_free(text);
  } else if (text->bytes) {
    memmove(text->bytes, text->bytes + *used, left);
    text->length = left;
    text->bytes[left] = 0;
  }
  *used = 0;
}

void channel_send(Channel *channel, const Text *message) {
  uint32_t length = (uint32_t)message->length;
  if (channel->sent > channel->out.length / 2)
    drop_used(&channel->out, &channel->sent);
  text_add_bytes(&channel->out, (const char *)&length, sizeof length);
  text_add_bytes(&channel->out, message->bytes, message->length);
}

static bool is_empty(ssize_t count) {
  return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

static bool send_some(Channel *channel) {
  while (channel_unsent(channel)) {
    ssize_t count = send(channel->file, channel->out.bytes + channel->sent,
                         channel_unsent(channel), MSG_NOSIGNAL);
    if (is_empty(count)) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    channel->sent += (size_t)count;
    channel->bytes_out += (uint64_t)count;
  }
  drop_used(&channel->out, &channel->sent);
  return true;
}

/* The length of the next message, or SIZE_MAX if not even that is there. */
static size_t next_length(const Channel *channel) {
  uint32_t length;
  if (channel->in.length - channel->taken < sizeof length) return SIZE_MAX;
  memcpy(&length, channel->in.bytes + channel->taken, sizeof length);
  return length;
}

static bool is_too_large(const Channel *channel) {
  size_t length = next_length(channel);
  return length != SIZE_MAX && length > channel->most;
}

static bool receive_some(Channel *channel) {
  char piece[AT_ONCE];
  for (int i = 0; i < ROUNDS; i++) {
    ssize_t count = recv(channel->file, piece, sizeof piece, 0);
    if (is_empty(count)) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text_add_bytes(&channel->in, piece, (size_t)count);
    channel->bytes_in += (uint64_t)count;
    if (is_too_large(channel)) return false;
  }
  return true;
}

bool channel_move(Channel *channel) {
  bool sent = send_some(channel);
  return receive_some(channel) && sent;
}

bool channel_take(Channel *channel, Text *message) {
  size_t length = next_length(channel), head = sizeof(uint32_t);
  if (length == SIZE_MAX || length > channel->most ||
      channel->in.length - channel->taken - head < length) {
    if (channel->taken) drop_used(&channel->in, &channel->taken);
    return false;
  }
  text_clear(message);
  text_add_bytes(message, channel->in.bytes + channel->taken + head, length);
  channel->taken += head + length;
  return true;
}
