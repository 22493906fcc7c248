/* The kernels of a tree on the card (gpu/grove.h), and what they have in memory
   there.

   The arena has the nodes, in units of GROVE_UNIT bytes; a node's number is its
   first unit, 0 is none. A node is its head, a move of each role (that of the
   role that has a choice is not used), its state and its actions. An end has no
   actions; in place of them are values, by role, in their totals.

   A wave sends descents down from the root, all at once: an entry is a node
   that some of them pass. Entries of a level are side by side, and a launch of
   `split` deals the descents of each among its actions. Where an action has no
   child yet, it becomes a leaf; where the child is an end, that is noted.

   Values are returns of a role, with `shift` added so that none is negative, in
   units of 1 / GROVE_POINT. */
#ifndef TAFL_GPU_GROVE_WRITE_H
#define TAFL_GPU_GROVE_WRITE_H

#include <stdint.h>

#include "base/text.h"

enum {
  GROVE_UNIT = 32,
  GROVE_POINT = 256,
  GROVE_LEVELS = 128, /* of a descent, at most */
  GROVE_THREADS = 256,
  GROVE_ROLES = 8 /* at most */
};
#define GROVE_NONE UINT32_MAX

typedef struct GroveHead {
  uint32_t count; /* of actions; 0: the game is over here */
  uint32_t mover; /* the role that chooses, or any if none does */
  uint32_t phase; /* leg of a round (gpu/phases.h) */
  uint32_t visits;
  uint32_t over; /* the game is */
  uint32_t spare[3];
} GroveHead;

typedef struct GroveAction {
  uint32_t move, child, visits;
  uint32_t pending; /* descents of this wave; only while it is split */
  uint64_t total;   /* of the mover's values */
} GroveAction;

typedef struct GroveEntry {
  uint32_t node, descents;
  uint32_t parent, way; /* entry above, GROVE_NONE at the root; its action */
} GroveEntry;

typedef struct GroveLeaf {
  uint32_t entry, way;      /* the action that leads to it */
  uint32_t descents, child; /* of an end that is in the tree */
} GroveLeaf;

/* What is counted in a wave: the entries of each level, new leaves, ends that
   were met again. */
typedef struct GroveCounts {
  uint32_t entries[GROVE_LEVELS];
  uint32_t fresh, ends;
} GroveCounts;

/* What lasts. */
typedef struct GroveState {
  uint32_t used;    /* units of the arena */
  uint32_t root;    /* of a tree that was planted just now */
  uint32_t found;   /* node of a state that was sought, or 0 */
  uint32_t several; /* set if more than one role had a choice somewhere */
} GroveState;

/* Parameters of all kernels, in this order. */
#define GROVE_PARAMETERS(POINTER, NUMBER, FRACTION) \
  POINTER(arena) \
  POINTER(entries)    /* GroveEntry, by level and place */ \
  POINTER(counts)     /* GroveCounts */ \
  POINTER(leaves)     /* GroveLeaf */ \
  POINTER(ends)       /* GroveLeaf */ \
  POINTER(state)      /* GroveState */ \
  POINTER(states)     /* of leaves before their moves: rows of fluents */ \
  POINTER(joints)     /* of leaves, by role */ \
  POINTER(successors) /* rows of fluents */ \
  POINTER(legal)      /* rows of moves */ \
  POINTER(terminal)   /* a byte each */ \
  POINTER(goals)      /* by leaf and role */ \
  POINTER(results)    /* of playouts (gpu/sums.h) */ \
  POINTER(phases)     /* by leaf */ \
  POINTER(masks)      /* by role: a row of its moves */ \
  NUMBER(level) \
  NUMBER(fresh)    /* leaves */ \
  NUMBER(over)     /* ends that were met again */ \
  NUMBER(room)     /* entries of a level, at most */ \
  NUMBER(capacity) /* units of the arena */ \
  NUMBER(phase)    /* of the root to plant; GROVE_NONE: leaves are attached */ \
  NUMBER(root)     /* of the tree that is searched */ \
  NUMBER(seed) \
  FRACTION(c)    /* of the bound */ \
  FRACTION(loss) /* visits that a pending descent counts for */ \
  FRACTION(shift) \
  FRACTION(own) /* return = own goal · own + other's · other + constant */ \
  FRACTION(other) \
  FRACTION(constant) \
  FRACTION(cut)  /* return of a playout that did not end */ \
  FRACTION(each) /* a playout's share of its leaf, in units of the sums */

typedef struct GroveLaunch {
#define POINTER(name) unsigned long long name; /* a CUdeviceptr */
#define NUMBER(name) uint32_t name;
#define FRACTION(name) float name;
  GROVE_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
} GroveLaunch;

/* What the kernels are made for. */
typedef struct GroveShape {
  uint32_t roles, row_words, legal_words; /* words of 64 bits */
  uint32_t legs, result_bytes;
  uint32_t joints_at, state_at, actions_at; /* bytes from the node's head */
} GroveShape;

GroveShape grove_shape(uint32_t roles, uint32_t fluents, uint32_t moves,
                       uint32_t legs);
/* Writes the module; its entries are split, gather, attach, backup, seek. */
void grove_write(const GroveShape *shape, Text *text);

#endif
