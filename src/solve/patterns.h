/* Beam search by pattern databases, to a perimeter around the end. */
#ifndef TAFL_SOLVE_PATTERNS_H
#define TAFL_SOLVE_PATTERNS_H

#include "solve/method.h"

extern const MethodKind patterns_method;

#endif
