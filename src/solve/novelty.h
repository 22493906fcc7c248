/* Search for states that are new in some way. */
#ifndef TAFL_SOLVE_NOVELTY_H
#define TAFL_SOLVE_NOVELTY_H

#include "solve/method.h"

extern const MethodKind novelty_method;

#endif
