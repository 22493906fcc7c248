/* A rank other than 0: plays the games that rank 0 sends, and prints and writes
   nothing. */
#ifndef TAFL_CONTEST_HELPER_H
#define TAFL_CONTEST_HELPER_H

#include <stdatomic.h>

#include "cluster/ranks.h"

/* Returns when rank 0 has nothing more to do. A few seconds after `stop` is set
   it returns in any case: false then, since rank 0 may be no more. */
bool helper_serve(Ranks *ranks, const char *version, const atomic_bool *stop);

#endif
