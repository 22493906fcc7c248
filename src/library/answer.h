/* Strings and lists of strings that calls return: kept by the object that was
   asked until its next call. */
#ifndef TAFL_LIBRARY_ANSWER_H
#define TAFL_LIBRARY_ANSWER_H

#include "base/text.h"

/* All strings, each with its NUL, and where each begins. Pointers are made
   last, when the bytes no longer move. */
typedef struct Answer {
  Text bytes;
  NumberVector starts;
  VECTOR(const char *) list;
} Answer;

static inline void answer_clear(Answer *answer) {
  text_clear(&answer->bytes);
  vector_clear(&answer->starts);
}

/* The string is added to answer->bytes after this. */
static inline void answer_begin(Answer *answer) {
  vector_push(&answer->starts, (uint32_t)answer->bytes.length);
}

static inline void answer_end(Answer *answer) {
  text_add_byte(&answer->bytes, '\0');
}

static inline void answer_finish(Answer *answer) {
  vector_resize(&answer->list, answer->starts.count + 1);
  for (uint32_t i = 0; i < answer->starts.count; i++)
    answer->list.data[i] = answer->bytes.bytes + answer->starts.data[i];
  answer->list.data[answer->starts.count] = NULL;
}

#endif
