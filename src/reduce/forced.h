/* Moves that their role does exactly when some signal of the state is true. */
#ifndef TAFL_REDUCE_FORCED_H
#define TAFL_REDUCE_FORCED_H

#include "net/net.h"

typedef struct Forced {
  uint32_t role, move;
  Signal signal;
} Forced;

typedef VECTOR(Forced) ForcedVector;

/* Lists them by role. `late` is from reads_mark_late. */
void forced_find(const Net *net, const bool *late, ForcedVector *list);

#endif
