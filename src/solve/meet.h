/* Breadth-first search from both ends. */
#ifndef TAFL_SOLVE_MEET_H
#define TAFL_SOLVE_MEET_H

#include "solve/method.h"

extern const MethodKind meet_method;

#endif
