/* Proves upper bounds of the score from what always holds. */
#ifndef TAFL_SOLVE_CEILING_H
#define TAFL_SOLVE_CEILING_H

#include "solve/method.h"

extern const MethodKind ceiling_method;

#endif
