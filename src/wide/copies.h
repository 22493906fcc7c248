/* How next values get into the fluents after a program has run: parallel
   assignment, in an order that reads before it writes. */
#ifndef TAFL_WIDE_COPIES_H
#define TAFL_WIDE_COPIES_H

#include "wide/sliced.h"

typedef struct Copies {
  /* First `saves`, into vectors past the programs', then `copies`. */
  SlicedCopy *saves, *copies;
  uint32_t save_count, copy_count;
} Copies;

/* Orders the copies for the `count` fluents in `list`, of which fluent list[i]
   has its next value in output i of the program; if `assigned`, without those
   that machine code writes itself. Saves go to the vectors from `first` on. */
void copies_order(const Net *net, const Program *next, const uint32_t *list,
                  uint32_t count, bool assigned, uint32_t first,
                  Copies *copies);
void copies_free(Copies *copies);

#endif
