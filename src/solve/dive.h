/* Dives: single lines of play that go where the fewest ways lead on. */
#ifndef TAFL_SOLVE_DIVE_H
#define TAFL_SOLVE_DIVE_H

#include "solve/method.h"

extern const MethodKind dive_method;

#endif
