/* The instances of a rule: the join over its literals and the rows to join. */
#ifndef TAFL_GROUND_INSTANCES_H
#define TAFL_GROUND_INSTANCES_H

#include "ground/ground_data.h"

/* A join for the rule's instances that begins with literal `first`, or with any
   (JOIN_NO_FIRST). */
Join *instances_join(const Ground *ground, const GroundRule *rule,
                     uint32_t first);
/* The rows of each source. With a `first` literal, for semi-naive evaluation:
   it sees the new rows of the round, literals before it only old rows, those
   after it both. */
void instances_ranges(const Ground *ground, const GroundRule *rule,
                      uint32_t first, JoinRange *ranges);

#endif
