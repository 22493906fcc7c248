/* Which of many states are ends: the net's `terminal` as a program of its own,
   64 states at once.

   Asking the engine takes as long as asking for legal moves; most children of
   the last inner nodes are never asked for anything else. Where `terminal`
   takes more gates than pay (in chess, mate depends on every move) ends are
   only found when a state is entered.

   A state that is no end has a witness: some of its fluents, whose values alone
   keep `terminal` false, such as a piece of each side and the last step that
   has not come. Most states of a search share a few of them, which a thread
   remembers. */
#ifndef TAFL_MINIMAX_ENDS_H
#define TAFL_MINIMAX_ENDS_H

#include "program/program.h"

/* A gate that `terminal` depends on: a fluent, or an AND. */
typedef struct EndsGate {
  uint32_t first; /* the fluent, or the first of the inputs, which are numbers
                     of earlier gates, twice, and 1 more if negated */
  uint32_t count; /* of inputs; 0: a fluent */
} EndsGate;

typedef struct Ends {
  Program *program; /* NULL: too large */
  ProgramMode mode;
  uint32_t words;    /* of a state */
  uint64_t *support; /* fluents that it reads */
  /* Of `terminal`, which is the last; none if it is recursive or constant:
     there are no witnesses then. */
  VECTOR(EndsGate) gates;
  NumberVector inputs;
} Ends;

/* What a thread needs. */
typedef struct EndsMemory EndsMemory;

void ends_init(Ends *ends, const Net *net);
void ends_free(Ends *ends);
EndsMemory *ends_memory_new(const Ends *ends);
void ends_memory_delete(EndsMemory *memory);

/* Returns which of up to 64 successors of a state that is no end are ends, as
   bits. */
uint64_t ends_find(const Ends *ends, EndsMemory *memory, const uint64_t *from,
                   const uint64_t *const *states, uint32_t count);
/* Returns how many of the states that were asked about were no ends by a
   witness. */
uint64_t ends_denied(const EndsMemory *memory);

#endif
