/* The list of all methods. */
#ifndef TAFL_SOLVE_METHODS_H
#define TAFL_SOLVE_METHODS_H

#include "solve/method.h"

extern const MethodKind *const methods_list[];
extern const uint32_t methods_count;
const MethodKind *methods_find(const char *name); /* NULL: there is none */

#endif
