/* A mutator that knows parentheses: it inserts, replaces and removes whole
   forms, so that much of what it makes is still a game. Half of the time it
   mutates bytes as libFuzzer does by default. */
#include "fuzz/fuzz.h"

#include <string.h>

#include "base/random.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned int seed);

typedef struct Span {
  size_t from, to;
} Span;

enum { MOST_SPANS = 4096, DEEPEST_SPAN = 64 };

static bool is_blank(uint8_t byte) {
  return byte <= ' ';
}

static size_t end_of_word(const uint8_t *data, size_t size, size_t at) {
  while (at < size && !is_blank(data[at]) && !strchr("();", data[at])) at++;
  return at;
}

/* Finds the words and closed lists of the text. */
static uint32_t find_spans(const uint8_t *data, size_t size, Span *spans) {
  size_t open[DEEPEST_SPAN];
  uint32_t count = 0, depth = 0;
  for (size_t at = 0; at < size && count < MOST_SPANS;) {
    if (data[at] == ';') {
      while (at < size && data[at] != '\n') at++;
    } else if (data[at] == '(') {
      if (depth == DEEPEST_SPAN) break;
      open[depth++] = at++;
    } else if (data[at] == ')') {
      at++;
      if (depth) spans[count++] = (Span){open[--depth], at};
    } else if (is_blank(data[at])) {
      at++;
    } else {
      size_t end = end_of_word(data, size, at);
      spans[count++] = (Span){at, end};
      at = end;
    }
  }
  return count;
}

/* Replaces the span by the bytes; returns the size, unchanged if there is no
   room. */
static size_t replace(uint8_t *data, size_t size, size_t most, Span span,
                      const uint8_t *bytes, size_t length) {
  size_t old = span.to - span.from;
  if (size - old + length > most) return size;
  memmove(data + span.from + length, data + span.to, size - span.to);
  if (length) memcpy(data + span.from, bytes, length);
  return size - old + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most,
                               unsigned int seed) {
  static Span spans[MOST_SPANS];
  Random random;
  random_seed(&random, seed);
  uint32_t count = find_spans(data, size, spans);
  if (count < 2 || random_below(&random, 2) == 0)
    return LLVMFuzzerMutate(data, size, most);
  Span target = spans[random_below(&random, count)];
  Span source = spans[random_below(&random, count)];
  size_t length = source.to - source.from + 2;
  uint8_t *copy = memory_new(length);
  copy[0] = copy[length - 1] = ' ';
  memcpy(copy + 1, data + source.from, length - 2);
  uint32_t act = random_below(&random, 4);
  if (act == 0) length = 0;              /* remove */
  if (act == 1) target.to = target.from; /* insert */
  size = replace(data, size, most, target, copy, length);
  memory_delete(copy);
  return size;
}
