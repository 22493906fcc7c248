/* A set of numbers: members carry the current era, so that emptying the set is
   an increment. */
#ifndef TAFL_BASE_MARKS_H
#define TAFL_BASE_MARKS_H

#include <stdbool.h>

#include "base/vector.h"

typedef struct Marks {
  NumberVector eras; /* by number: the era in which it is a member */
  uint32_t era;
} Marks;

void marks_clear(Marks *marks); /* call it before the first marks_add */
void marks_free(Marks *marks);
void marks_grow(Marks *marks, uint32_t number); /* makes room for it */
void marks_remove(Marks *marks, uint32_t number);

static inline bool marks_has(const Marks *marks, uint32_t number) {
  return number < marks->eras.count && marks->eras.data[number] == marks->era;
}

/* Returns false if it is a member. */
static inline bool marks_add(Marks *marks, uint32_t number) {
  if (number >= marks->eras.count) marks_grow(marks, number);
  if (marks->eras.data[number] == marks->era) return false;
  marks->eras.data[number] = marks->era;
  return true;
}

#endif
