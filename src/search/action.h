/* What a node has for each action: columns, each an array over all actions of
   the node. A tree has only the columns that its search needs (tree_use); the
   others take no room and no time.

   COLUMN (name, type, first value) gives COLUMN_name and node_name(), which
   returns a node's array; its index is the role's first action (node_firsts)
   plus the action. A column's elements are aligned like those of a column of
   the same or a larger size: those of eight bytes and their multiples come
   before those of four. */
#ifndef TAFL_SEARCH_ACTION_H
#define TAFL_SEARCH_ACTION_H

#include <math.h>
#include <stdint.h>

/* The terms of an action's upper bound (select.h), all that selection reads of
   the actions it does not choose. */
typedef struct ActionBound {
  float mean;  /* INFINITY: neither visited nor pending, to be chosen first;
                  -INFINITY: exact, not to be chosen */
  float width; /* 0: neither visited nor pending */
} ActionBound;

typedef struct Action {
  double total;     /* sum of returns: Q(s,a) is total / visits */
  uint32_t visits;  /* N(s,a) */
  uint32_t child;   /* only for the main role: a NodeId if no other role has a
                       choice, else the first edge */
  uint32_t move;    /* its number in the search (numbering.h) */
  uint16_t pending; /* descents through it that are not backed up yet */
  int8_t exact;     /* its role's exact value (aim.h) if at most one role has a
                       choice and the child is proved; else -1 */
  uint8_t distance; /* if exact: steps to the end (prove.c) */
} Action;

/* Proofs are read by those who do not hold the lock of the node, too. */
static inline int8_t action_exact(const Action *action) {
  return __atomic_load_n(&action->exact, __ATOMIC_RELAXED);
}

static inline uint8_t action_distance(const Action *action) {
  return __atomic_load_n(&action->distance, __ATOMIC_RELAXED);
}

static inline void action_prove(Action *action, int8_t exact,
                                uint8_t distance) {
  __atomic_store_n(&action->distance, distance, __ATOMIC_RELAXED);
  __atomic_store_n(&action->exact, exact, __ATOMIC_RELAXED);
}

typedef struct ActionRave {
  double total; /* sum of returns where the move came at s or later */
  uint32_t visits;
} ActionRave;

#define TREE_COLUMNS(COLUMN) \
  COLUMN(bounds, ActionBound, \
         {.mean = INFINITY})         /* in searches that keep them */ \
  COLUMN(all, Action, {.exact = -1}) /* every tree has it */ \
  COLUMN(rave, ActionRave, {0}) \
  COLUMN(maximum, float, -1) /* highest return seen; -1: none */ \
  COLUMN(judged, float, NAN) /* return by the evaluation; NAN: not known */

#define COLUMN(name, type, first) COLUMN_##name,
typedef enum TreeColumn { TREE_COLUMNS(COLUMN) COLUMN_COUNT } TreeColumn;
#undef COLUMN

#endif
