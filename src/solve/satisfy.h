/* Planning as satisfiability (Kautz and Selman 1992). */
#ifndef TAFL_SOLVE_SATISFY_H
#define TAFL_SOLVE_SATISFY_H

#include "solve/method.h"

extern const MethodKind satisfy_method;

#endif
