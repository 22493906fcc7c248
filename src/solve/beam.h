/* Beam search: layer by layer, with the best states of each layer. */
#ifndef TAFL_SOLVE_BEAM_H
#define TAFL_SOLVE_BEAM_H

#include "solve/method.h"

extern const MethodKind beam_method;

#endif
