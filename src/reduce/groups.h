/* Gates exactly one of which is true: the moves of a role, and groups of
   fluents. Where only legal moves are made and roles take turns, all moves but
   the forced one of each role are one group, the joint one. */
#ifndef TAFL_REDUCE_GROUPS_H
#define TAFL_REDUCE_GROUPS_H

#include "reduce/reduction.h"

static const uint32_t NO_GROUP = UINT32_MAX;

typedef struct Groups {
  const Net *net;                /* that has the gates */
  uint32_t *of_fluent, *of_move; /* group, or NO_GROUP */
  NumberVector members, first;   /* gates, by group */
  uint32_t count;
  uint32_t joint; /* the joint group, or NO_GROUP */
  Signal *idle;   /* of roles in the joint group, in the old net: true when
                     another role moves; SIGNAL_FALSE: not in it */
} Groups;

/* For the net `to`, which has its inputs already, made from the net `from`. */
void groups_init(Groups *groups, const Net *from, const Net *to,
                 const ReduceGroups *fluents, bool legal);
void groups_free(Groups *groups);

static inline uint32_t groups_size(const Groups *groups, uint32_t group) {
  return groups->first.data[group + 1] - groups->first.data[group];
}
static inline Gate groups_member(const Groups *groups, uint32_t group,
                                 uint32_t i) {
  return groups->members.data[groups->first.data[group] + i];
}
/* The group that the gate is in. */
static inline uint32_t groups_of(const Groups *groups, Gate gate) {
  const NetGate *g = &groups->net->gates.data[gate];
  if (g->kind == GATE_MOVE) return groups->of_move[g->first];
  return g->kind == GATE_FLUENT ? groups->of_fluent[g->first] : NO_GROUP;
}

#endif
