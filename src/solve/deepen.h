/* Method `ida`: depth-first iterative deepening with a table of the states that
   were searched before. */
#ifndef TAFL_SOLVE_DEEPEN_H
#define TAFL_SOLVE_DEEPEN_H

#include "solve/method.h"

extern const MethodKind deepen_method;

#endif
