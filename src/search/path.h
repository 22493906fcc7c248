/* The way of one simulation. Step i leads from state i by the joint move
   moves[i * role_count …]; inside the tree, nodes[i] is its node and choices[i
   * role_count …] has each role's action there. */
#ifndef TAFL_SEARCH_PATH_H
#define TAFL_SEARCH_PATH_H

#include <stdbool.h>

#include "base/vector.h"
#include "search/tree_layout.h"

enum { PATH_HINTS = 3 };

typedef struct Path {
  VECTOR(NodeId) nodes; /* of the steps in the tree */
  NumberVector choices, moves;
  VECTOR(const void *)
  hints; /* where the nodes, actions and bounds of the
            steps in the tree were: PATH_HINTS each */
  uint32_t steps;
  bool pending; /* its nodes and actions count it as pending */
} Path;

/* Prefetches what the backup of a step will touch; only a hint, since nodes may
   have moved. */
static inline void path_prefetch(const Path *path, uint32_t step) {
  for (uint32_t i = 0; i < PATH_HINTS; i++)
    __builtin_prefetch(path->hints.data[step * PATH_HINTS + i], 1);
}

static inline void path_free(Path *path) {
  vector_free(&path->nodes);
  vector_free(&path->choices);
  vector_free(&path->moves);
  vector_free(&path->hints);
}

#endif
