/* A net without moves: for each move, the next values of fluents if it is made,
   and its legality, as functions of fluents; the end and the goals. Equal
   functions mostly are equal signals, since gates are hash-consed. */
#ifndef TAFL_SOLVE_SHEET_H
#define TAFL_SOLVE_SHEET_H

#include "net/net.h"

static const Signal sheet_unknown = UINT32_MAX;

typedef struct Sheet {
  const Net *from; /* borrowed */
  Net net;         /* its fluents are those of `from`, in the same order */
  Signal *next;  /* by move, then fluent; as they are while the game goes on */
  Signal *legal; /* by move; the same */
  Signal terminal;
  NumberVector goals; /* signals */
  Signal *known;      /* by fluent: its value while the game goes on, because
                         the other one ends it; or sheet_unknown */
} Sheet;

/* `fixed`: by gate of the net, its value, SIGNAL_FALSE or SIGNAL_TRUE, or
   sheet_unknown. Returns false, with nothing to free, if the net has loops or
   several roles, or the sheet would be too large. */
bool sheet_init(Sheet *sheet, const Net *net, const Signal *fixed);
void sheet_free(Sheet *sheet);

static inline Signal sheet_next(const Sheet *sheet, uint32_t move,
                                uint32_t fluent) {
  return sheet->next[(size_t)move * sheet->from->fluents.count + fluent];
}

/* Returns, by gate of the sheet, the union of the sets of the fluents that it
   reads. The caller deletes it. */
uint64_t *sheet_below(const Sheet *sheet, const uint64_t *of_fluent);
/* Adds signals to the list, once each, that read only fluents of the set `own`,
   such that the output is a function of them and of fluents outside the set.
   `below` is of all gates of the output. */
void sheet_cuts(Sheet *sheet, const uint64_t *below, Signal output,
                uint64_t own, NumberVector *cuts);

#endif
