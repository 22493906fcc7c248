/* Messages over a stream socket, between master and foreman: each is its length
   and its bytes. Nothing waits; what cannot be sent yet is kept. */
#ifndef TAFL_CLUSTER_CHANNEL_H
#define TAFL_CLUSTER_CHANNEL_H

#include "base/text.h"

typedef struct Channel {
  int file;    /* -1: none */
  size_t most; /* bytes of a message that is accepted */
  Text in;     /* that was received; from `taken` on not yet taken */
  size_t taken;
  Text out; /* that is to be sent; from `sent` on not yet sent */
  size_t sent;
  uint64_t bytes_in, bytes_out; /* since the beginning */
} Channel;

/* Takes over the socket, which must not block. */
void channel_open(Channel *channel, int file, size_t most);
void channel_close(Channel *channel);

/* Appends a message to what is to be sent. */
void channel_send(Channel *channel, const Text *message);
size_t channel_unsent(const Channel *channel);
/* Sends and receives what is possible now. Returns false if the other end is
   closed, or sends what is too large: what was received before can still be
   taken. */
bool channel_move(Channel *channel);
/* Takes a message; returns false if none is complete. */
bool channel_take(Channel *channel, Text *message);

#endif
