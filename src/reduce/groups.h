/* Gates exactly one of which is true: the moves of a role. Where only legal
   moves are made and roles take turns, all moves but the forced one of each
   role are one group, the joint one. */
#ifndef TAFL_REDUCE_GROUPS_H
#define TAFL_REDUCE_GROUPS_H

#include "net/net.h"

static const uint32_t NO_GROUP = UINT32_MAX;

typedef struct Groups {
  const Net *net;              /* of the gates */
  uint32_t *of_move;           /* group, or NO_GROUP */
  NumberVector members, first; /* gates, by group */
  uint32_t count;
  uint32_t joint; /* the joint group, or NO_GROUP */
  Signal *idle;   /* by role, a signal of `from` that is true when another
                     role moves; SIGNAL_FALSE: not in the joint group */
} Groups;

/* For the gates of `to`, a net made from `from` that has its inputs already. */
void groups_init(Groups *groups, const Net *from, const Net *to, bool legal);
void groups_free(Groups *groups);

static inline uint32_t groups_size(const Groups *groups, uint32_t group) {
  return groups->first.data[group + 1] - groups->first.data[group];
}
static inline Gate groups_member(const Groups *groups, uint32_t group,
                                 uint32_t i) {
  return groups->members.data[groups->first.data[group] + i];
}
/* The group of the gate, or NO_GROUP. */
static inline uint32_t groups_of(const Groups *groups, Gate gate) {
  const NetGate *g = &groups->net->gates.data[gate];
  return g->kind == GATE_MOVE ? groups->of_move[g->first] : NO_GROUP;
}

#endif
