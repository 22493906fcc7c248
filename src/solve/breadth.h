/* The method `breadth`: exhaustive breadth-first search. */
#ifndef TAFL_SOLVE_BREADTH_H
#define TAFL_SOLVE_BREADTH_H

#include "solve/method.h"

extern const MethodKind breadth_method;

#endif
