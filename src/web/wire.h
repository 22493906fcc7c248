/* Messages of any length between the server and a process of the page, over
   the packets of a link (io/process.h). A message has a kind, which is a
   letter, and bytes; it is cut into packets, and the last one says so. */
#ifndef TAFL_WEB_WIRE_H
#define TAFL_WEB_WIRE_H

#include "base/text.h"

typedef struct Wire {
  int link;
  Text message; /* as far as it has arrived; whole after WIRE_GOT */
  char kind;
  bool whole;
} Wire;

typedef enum { WIRE_GOT, WIRE_EMPTY, WIRE_CLOSED } WireEvent;

/* Nothing of what the other end sends may be longer. */
enum { WIRE_LARGEST = 64 << 20 };

void wire_init(Wire *wire, int link);
void wire_free(Wire *wire); /* the link stays open */
/* Takes packets that are there. After WIRE_GOT `kind` and `message` are valid
   until the next call. WIRE_CLOSED: also if the message is too long. */
WireEvent wire_receive(Wire *wire);

/* Sends a message and waits for room: for processes, whose server always reads.
   Only one thread may send at a time. Returns false if the link is closed. */
bool wire_send(int link, char kind, const char *bytes, size_t length);
/* The same, but never waits: for the server. Returns false also if there is no
   room; if that happens in the middle, the link must be given up. */
bool wire_try(int link, char kind, const char *bytes, size_t length);

#endif
