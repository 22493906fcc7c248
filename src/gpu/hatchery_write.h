/* The kernels of a hatchery (gpu/hatchery.h), and their parameters.

   Broods are made level by level: what a node's moves lead to are the nodes of
   the next level. `list` has a warp for each node of a level and lists its
   legal moves, each with the node's state and the moves of all roles, which an
   expansion then turns into successors; `describe` has a thread for each of
   these, `sum` for each node, `link` for each that has attacks alone. `choose`
   says which nodes of a level are listed: those that requests want, by a thread
   each; `pick` those that look best to the role that chooses, by a warp for
   each node above. */
#ifndef TAFL_GPU_HATCHERY_WRITE_H
#define TAFL_GPU_HATCHERY_WRITE_H

#include <stdint.h>

#include "base/text.h"

enum { HATCHERY_THREADS = 256, HATCHERY_ROLES = 8 /* at most */ };

/* Parameters of all kernels, in this order. */
#define HATCHERY_PARAMETERS(POINTER, NUMBER) \
  POINTER(rows)  /* states of the nodes */ \
  POINTER(legal) /* their rows of moves */ \
  POINTER(over)  /* a byte each: it is an end; 0: none is */ \
  POINTER(marks) /* a number each: it is listed; 0: all are */ \
  POINTER( \
      picks) /* the numbers of those that are, in any order; 0: unwanted */ \
  POINTER(tally)  /* how many picks there are */ \
  POINTER(nodes)  /* HatchNode */ \
  POINTER(links)  /* HatchLink */ \
  POINTER(counts) /* HatcheryCounts */ \
  POINTER(states) /* of the children: states of their nodes */ \
  POINTER(joints) /* moves of all roles, */ \
  POINTER(owners) /* their nodes, */ \
  POINTER(moves)  /* the moves of these, */ \
  POINTER(successors) \
  POINTER(ends)     /* as `over`; 0: not known */ \
  POINTER(children) /* HatchChild */ \
  POINTER(wanted)   /* by request: a move, or all */ \
  POINTER(keys)     /* by fluent */ \
  POINTER(weights)  /* by role and fluent: what it is worth to the role */ \
  POINTER(masks)    /* by role: a row of its moves */ \
  POINTER(attacks)  /* by move: HATCH_TARGETS fluents; 0: list all moves */ \
  NUMBER(count)     /* of nodes, or of children */ \
  NUMBER(room)      /* for children */ \
  NUMBER(first)     /* number of the level's first child among all */ \
  NUMBER(picked)    /* of each node's children, at most */

typedef struct HatcheryLaunch {
#define POINTER(name) unsigned long long name; /* a CUdeviceptr */
#define NUMBER(name) uint32_t name;
  HATCHERY_PARAMETERS(POINTER, NUMBER)
#undef POINTER
#undef NUMBER
} HatcheryLaunch;

/* Where there is no more room, nodes are left out: children from `beyond` on
   were not written. */
typedef struct HatcheryCounts {
  uint32_t asked, beyond;
} HatcheryCounts;

typedef struct HatcheryShape {
  uint32_t roles, fluents;
  uint32_t row_words, legal_words; /* of 64 bits */
} HatcheryShape;

/* Writes the module; its entries are these names after `hatch_`: compilers of
   cards crash on an entry that has the name of another one's register. */
void hatchery_write(const HatcheryShape *shape, Text *text);

#endif
