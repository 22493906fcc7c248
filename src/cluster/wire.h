/* Numbers as bytes, for messages between processes of the same program: in the
   machine's own order, one after the other. Reading beyond the end, or more
   elements than there are bytes for, makes the reader bad, and it reads zeros
   from then on: callers ask once, at the end. */
#ifndef TAFL_CLUSTER_WIRE_H
#define TAFL_CLUSTER_WIRE_H

#include "base/text.h"

typedef struct WireReader {
  const char *bytes;
  size_t left;
  bool bad;
} WireReader;

void wire_put_number(Text *text, uint32_t number);
void wire_put_long(Text *text, uint64_t number);
void wire_put_real(Text *text, double number);
/* The length, then the bytes. */
void wire_put_bytes(Text *text, const char *bytes, size_t length);
/* `count` elements of `size` bytes, without the count. */
void wire_put_array(Text *text, const void *elements, size_t count,
                    size_t size);

WireReader wire_reader(const char *bytes, size_t length);
uint32_t wire_number(WireReader *reader);
uint64_t wire_long(WireReader *reader);
double wire_real(WireReader *reader); /* what is not finite is bad */
/* Appends what wire_put_bytes has written; bad if it is longer than `most`. */
void wire_bytes(WireReader *reader, size_t most, Text *text);
/* Returns where `count` elements of `size` bytes begin, of any alignment, or
   NULL if there are not as many. */
const char *wire_array(WireReader *reader, uint64_t count, size_t size);
/* Everything was read, and nothing was bad. */
bool wire_finished(const WireReader *reader);

#endif
