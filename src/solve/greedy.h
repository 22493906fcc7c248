/* Greedy and weighted best-first search by the distance from the goal. */
#ifndef TAFL_SOLVE_GREEDY_H
#define TAFL_SOLVE_GREEDY_H

#include "solve/method.h"

extern const MethodKind greedy_method;

#endif
