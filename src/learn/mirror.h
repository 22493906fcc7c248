/* Features that mean the same for two roles, such as white rooks and black
   rooks: what is learned of one is told of the other. */
#ifndef TAFL_LEARN_MIRROR_H
#define TAFL_LEARN_MIRROR_H

#include "value/linear.h"

typedef struct MirrorPair {
  uint32_t first, second; /* features, of role 0 and of role 1 */
} MirrorPair;

typedef struct Mirror {
  VECTOR(MirrorPair) pairs;
} Mirror;

void mirror_init(Mirror *mirror, const Linear *linear);
void mirror_free(Mirror *mirror);
/* Sets the weights of each pair to the mean of both, as far as they look alike:
   nothing proves that the roles of a game are. */
void mirror_even(const Mirror *mirror, Linear *linear);

#endif
