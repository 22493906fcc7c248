/* The highest goal that any terminal state could have, whether or not it can be
   reached, as far as what is proved of all states tells. Some puzzles have no
   solution for this simple reason. */
#ifndef TAFL_SOLVE_CEILING_H
#define TAFL_SOLVE_CEILING_H

#include "analyse/analysis.h"
#include "analyse/formula.h"

typedef struct Ceiling {
  Formula formula;
  SatLiteral *gates;
  const Net *net; /* borrowed */
  int asked;      /* the goal that the solver works on; -1: none */
} Ceiling;

/* `analysis`: proved groups must hold in the start. */
void ceiling_init(Ceiling *ceiling, const Net *net, const Analysis *analysis,
                  const uint64_t *start);
void ceiling_free(Ceiling *ceiling);

/* Asks whether a terminal state has at least this goal. */
SatAnswer ceiling_ask(Ceiling *ceiling, int goal, uint64_t propagations);

#endif
