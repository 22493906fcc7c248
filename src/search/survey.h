/* First values for all actions of a node, by evaluating its successors. */
#ifndef TAFL_SEARCH_SURVEY_H
#define TAFL_SEARCH_SURVEY_H

#include "search/batch.h"

/* Returns true if a descent has to wait in this node, which is open, until it
   is surveyed. */
static inline bool survey_needed(const Search *search, const Node *node) {
  return search->surveys && search->evaluation && node->movers < 2 &&
         !(node->flags & NODE_SURVEYED);
}

/* Surveys these nodes and marks them. */
void survey_nodes(Batch *batch, const NodeId *nodes, uint32_t count);

/* Returns what the role that chooses in a node thinks best; NAN if the node is
   not surveyed. */
double survey_judgement(Search *search, NodeId id);
/* Brings an action's judgement up to date with that of its child, whose actions
   may have got others. */
void survey_back_up(const Search *search, Node *node, const uint32_t *choices,
                    NodeId child, double judgement);

#endif
