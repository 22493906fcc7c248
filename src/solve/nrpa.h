/* Method `nrpa`: nested rollout policy adaptation. */
#ifndef TAFL_SOLVE_NRPA_H
#define TAFL_SOLVE_NRPA_H

#include "solve/method.h"

extern const MethodKind nrpa_method;

#endif
