/* The choice of a move: inside the tree, and by the Gibbs distribution. */
#ifndef TAFL_SEARCH_SELECT_H
#define TAFL_SEARCH_SELECT_H

#include <math.h>

#include "search/parts.h"

/* Call once, when the settings and workers of the search are known. */
void select_init(Search *search);
/* Returns the index of the action that a role chooses in a node of the tree. */
uint32_t select_action(Search *search, Scratch *own, Node *node, uint32_t role);
/* Returns the index of one of these moves (by number), chosen by the Gibbs
   distribution over MAST and FAST values. */
uint32_t select_gibbs(Search *search, Scratch *own, uint32_t role,
                      const uint32_t *numbers, uint32_t count,
                      const uint64_t *state);
/* The same over the values of n-grams that would end the sequential path. */
uint32_t select_by_ngrams(Search *search, Scratch *own, uint32_t role,
                          const uint32_t *numbers, uint32_t count);
/* Returns true if the next move of a playout is to be chosen uniformly. */
bool select_blindly(Search *search, Scratch *own);

/* Updates the terms of an action's bound after its visits, pending descents or
   exact value have changed; `at` is its index among all actions of the node. */
static inline void select_note(const Search *search, const Node *node,
                               uint32_t at) {
  if (!search->quick) return;
  const Action *action = node_all(search->tree, node) + at;
  ActionBound *bound = node_bounds(search->tree, node) + at;
  float visits = (float)action->visits +
                 (float)search->settings.loss * (float)action->pending;
  float total = (float)action->total, judged = NAN;
  if (node->flags & NODE_SURVEYED) {
    judged = node_judged(search->tree, node)[at];
    if (judged == judged) {
      visits += (float)search->settings.prior;
      total += (float)search->settings.prior * judged;
    }
  }
  bound->width = visits > 0 ? 1 / sqrtf(visits) : 0;
  bound->mean = action->exact >= 0 ? -INFINITY
                : visits > 0       ? total * bound->width * bound->width
                                   : INFINITY;
  if (search->minimax && judged == judged && visits > 0 && action->exact < 0)
    bound->mean += (float)search->settings.implicit * (judged - bound->mean);
}

#endif
