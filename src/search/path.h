/* The way of one simulation. Step i leads from state i by the joint move
   moves[i * role_count …]; inside the tree, nodes[i] is its node and choices[i
   * role_count …] has each role's action there. */
#ifndef TAFL_SEARCH_PATH_H
#define TAFL_SEARCH_PATH_H

#include <stdbool.h>

#include "base/vector.h"
#include "search/tree_layout.h"

typedef struct Path {
  VECTOR(NodeId) nodes; /* of the steps in the tree */
  NumberVector choices, moves;
  uint32_t steps;
  bool pending; /* its nodes and actions count it as pending */
} Path;

static inline void path_free(Path *path) {
  vector_free(&path->nodes);
  vector_free(&path->choices);
  vector_free(&path->moves);
}

#endif
