/* A table from rows of words, which are compared whole, to numbers. It grows up
   to a limit of memory; from then on new rows take the place of others, those
   with the least numbers first. */
#ifndef TAFL_SOLVE_MEMO_H
#define TAFL_SOLVE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Memo {
  uint32_t words; /* of a row */
  uint32_t count; /* rows in the table */
  uint32_t slots; /* a power of two */
  size_t memory;  /* bytes that it may take, also while it grows */
  uint64_t *rows;
  uint32_t *numbers; /* by slot; 0: the slot is free */
} Memo;

void memo_init(Memo *memo, uint32_t words, size_t memory);
void memo_free(Memo *memo);

/* Returns the row's number, to be changed at once: it must not stay 0. A row
   that is not in the table is added with 0. */
uint32_t *memo_at(Memo *memo, const uint64_t *row);

#endif
