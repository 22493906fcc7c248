/* Method `astar`: best-first search by the relaxed planning graph. */
#ifndef TAFL_SOLVE_ASTAR_H
#define TAFL_SOLVE_ASTAR_H

#include "solve/method.h"

extern const MethodKind astar_method;

#endif
