/* How long an agent may think. */
#ifndef TAFL_GAME_BUDGET_H
#define TAFL_GAME_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Whichever limit is reached first ends the thinking; 0: no such limit. */
typedef struct Budget {
  double seconds;
  uint64_t simulations;
  uint64_t states; /* visited, in the tree and in playouts: the papers' nodes */
  uint32_t threads;        /* at most, of those that a search has; 0: all */
  const atomic_bool *stop; /* set by another thread to end it soon; or NULL */
  const struct Budget *later; /* of a start: what each move will have; or NULL:
                                 not known */
  /* Called by a search about every tenth of a second while it thinks, in the
     thread that asked for it; or NULL. It may ask for the search's report. */
  void (*watch)(void *context);
  void *context; /* of `watch` */
} Budget;

/* Returns true if the budget has a limit of its own, whatever the flag. */
static inline bool budget_limited(const Budget *budget) {
  return budget->seconds > 0 || budget->simulations || budget->states;
}

#endif
