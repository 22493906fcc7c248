#include "cluster/wire.h"

#include <math.h>

void wire_put_array(Text *text, const void *elements, size_t count,
                    size_t size) {
  if (count) text_add_bytes(text, elements, count * size);
}

void wire_put_number(Text *text, uint32_t number) {
  wire_put_array(text, &number, 1, sizeof number);
}

void wire_put_long(Text *text, uint64_t number) {
  wire_put_array(text, &number, 1, sizeof number);
}

void wire_put_real(Text *text, double number) {
  wire_put_array(text, &number, 1, sizeof number);
}

void wire_put_bytes(Text *text, const char *bytes, size_t length) {
  wire_put_number(text, (uint32_t)length);
  wire_put_array(text, bytes, length, 1);
}

WireReader wire_reader(const char *bytes, size_t length) {
  return (WireReader){.bytes = bytes, .left = length};
}

const char *wire_array(WireReader *reader, uint64_t count, size_t size) {
  if (reader->bad || count > reader->left / size) {
    reader->bad = true;
    return NULL;
  }
  const char *begin = reader->bytes;
  reader->bytes += count * size;
  reader->left -= count * size;
  return begin;
}

static void get(WireReader *reader, void *number, size_t size) {
  const char *bytes = wire_array(reader, 1, size);
  if (bytes) memcpy(number, bytes, size);
}

uint32_t wire_number(WireReader *reader) {
  uint32_t number = 0;
  get(reader, &number, sizeof number);
  return number;
}

uint64_t wire_long(WireReader *reader) {
  uint64_t number = 0;
  get(reader, &number, sizeof number);
  return number;
}

double wire_real(WireReader *reader) {
  double number = 0;
  get(reader, &number, sizeof number);
  if (isfinite(number)) return number;
  reader->bad = true;
  return 0;
}

void wire_bytes(WireReader *reader, size_t most, Text *text) {
  uint32_t length = wire_number(reader);
  if (length > most) reader->bad = true;
  const char *bytes = wire_array(reader, length, 1);
  if (bytes) text_add_bytes(text, bytes, length);
}

bool wire_finished(const WireReader *reader) {
  return !reader->bad && !reader->left;
}
