/* Solves the parts of a puzzle that consists of independent ones
   (solve/division.h), and joins their plans. */
#ifndef TAFL_SOLVE_PARTS_H
#define TAFL_SOLVE_PARTS_H

#include "solve/method.h"

extern const MethodKind parts_method;

#endif
