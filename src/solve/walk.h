/* Breadth-first search on any engine, for puzzles without a net. */
#ifndef TAFL_SOLVE_WALK_H
#define TAFL_SOLVE_WALK_H

#include "solve/method.h"

extern const MethodKind walk_method;

#endif
