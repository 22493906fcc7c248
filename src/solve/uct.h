/* The search for all games (search/search.h) as a method for puzzles. */
#ifndef TAFL_SOLVE_UCT_H
#define TAFL_SOLVE_UCT_H

#include "solve/method.h"

extern const MethodKind uct_method;

#endif
