/* Method `nested`: nested Monte Carlo search. */
#ifndef TAFL_SOLVE_NESTED_H
#define TAFL_SOLVE_NESTED_H

#include "solve/method.h"

extern const MethodKind nested_method;

#endif
