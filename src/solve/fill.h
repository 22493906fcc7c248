/* Puzzles that are filled in: what has the fewest ways first. */
#ifndef TAFL_SOLVE_FILL_H
#define TAFL_SOLVE_FILL_H

#include "solve/method.h"

extern const MethodKind fill_method;

#endif
