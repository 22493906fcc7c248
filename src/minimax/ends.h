/* Which of many states are ends: the net's `terminal` as a program of its own,
   64 states at once.

   Asking the engine takes as long as asking for legal moves; most children of
   the last inner nodes are never asked for anything else. Where `terminal`
   takes more gates than pay (in chess, mate depends on every move) ends are
   only found when a state is entered. */
#ifndef TAFL_MINIMAX_ENDS_H
#define TAFL_MINIMAX_ENDS_H

#include "program/program.h"

typedef struct Ends {
  Program *program; /* NULL: too large */
  ProgramMode mode;
  uint32_t words;    /* of a state */
  uint64_t *support; /* fluents that it reads */
} Ends;

void ends_init(Ends *ends, const Net *net);
void ends_free(Ends *ends);
/* The memory that a thread needs; the caller deletes it. */
uint64_t *ends_memory_new(const Ends *ends);

/* Returns true if `to` may be an end, if `from` is none. */
static inline bool ends_possible(const Ends *ends, const uint64_t *from,
                                 const uint64_t *to) {
  for (uint32_t w = 0; w < ends->words; w++)
    if ((from[w] ^ to[w]) & ends->support[w]) return true;
  return false;
}

/* Returns which of up to 64 states are ends, as bits. */
uint64_t ends_find(const Ends *ends, uint64_t *memory,
                   const uint64_t *const *states, uint32_t count);

#endif
