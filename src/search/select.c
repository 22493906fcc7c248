/* The choice of moves inside the tree (Finnsson 2007, algorithm 5; Finnsson and
   Björnsson 2010, sections 2 and 3.3) and by the Gibbs distribution. */
#include "search/select.h"

#include <float.h>

#include "search/settle.h"

static double random_unit(Random *random) {
  return (double)(random_next(random) >> 11) * 0x1p-53;
}

/* ---- Gibbs ---- */

static uint32_t choose_by_weight(Scratch *own, const double *weights,
                                 uint32_t count) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += weights[i];
  if (!(sum > 0)) return random_below(&own->random, count);
  double point = random_unit(&own->random) * sum;
  for (uint32_t i = 0; i + 1 < count; i++) {
    point -= weights[i];
    if (point < 0) return i;
  }
  return count - 1;
}

/* Turns values over τ into weights, the greatest 1. */
static void exponentiate(double *weights, uint32_t count) {
  double most = -INFINITY;
  for (uint32_t i = 0; i < count; i++)
    if (weights[i] > most) most = weights[i];
  for (uint32_t i = 0; i < count; i++) weights[i] = exp(weights[i] - most);
}

/* P(a) ∝ e^(Q_h(a)/τ), Q_h = Q_MAST + w Q_FAST where a feature is active
   (2010, sections 3.1 and 3.5). */
uint32_t select_gibbs(Search *search, Scratch *own, uint32_t role,
                      const uint32_t *numbers, uint32_t count,
                      const uint64_t *state) {
  if (count == 1) return 0;
  vector_resize(&own->weights, count);
  double *weights = own->weights.data;
  if (search->fast &&
      fast_scores(search->fast, state, role, numbers, count, weights)) {
    for (uint32_t i = 0; i < count; i++)
      weights[i] = (mast_value(own->mast, numbers[i]) +
                    search->settings.weight * weights[i]) /
                   own->mast->roles[role].tau;
    exponentiate(weights, count);
  } else {
    for (uint32_t i = 0; i < count; i++)
      weights[i] = mast_weight(own->mast, role, numbers[i]);
  }
  return choose_by_weight(own, weights, count);
}

/* P(a) ∝ e^(Q(a)/τ), Q the mean of the n-grams that end with a. */
uint32_t select_by_ngrams(Search *search, Scratch *own, uint32_t role,
                          const uint32_t *numbers, uint32_t count) {
  vector_resize(&own->weights, count);
  for (uint32_t i = 0; i < count; i++)
    own->weights.data[i] =
        ngrams_value(&search->ngrams, &search->path, search->role_count, role,
                     numbers[i], mast_value(own->mast, numbers[i])) /
        own->mast->roles[role].tau;
  exponentiate(own->weights.data, count);
  return choose_by_weight(own, own->weights.data, count);
}

bool select_blindly(Search *search, Scratch *own) {
  double share = search->settings.epsilon;
  return search->settings.playout == PLAYOUT_UNIFORM ||
         (share > 0 && random_unit(&own->random) < share);
}

/* ---- UCT ---- */

static uint32_t choose_unexplored(Search *search, Scratch *own, Node *node,
                                  uint32_t role, const Action *actions,
                                  uint32_t count) {
  vector_clear(&own->candidates);
  vector_clear(&own->indices);
  for (uint32_t i = 0; i < count; i++)
    if (!actions[i].visits && !actions[i].pending && actions[i].exact < 0) {
      vector_push(&own->candidates, actions[i].move);
      vector_push(&own->indices, i);
    }
  uint32_t open = own->candidates.count;
  uint32_t at = search->settings.unexplored == UNEXPLORED_RANDOM
                    ? random_below(&own->random, open)
                    : select_gibbs(search, own, role, own->candidates.data,
                                   open, node_state(search->tree, node));
  return own->indices.data[at];
}

/* The terms of the formulas that are the same for all actions of a node. */
typedef struct Bound {
  double bonus;      /* C sqrt(ln N(s)) */
  double beta;       /* weight of RAVE: sqrt(k / (3 N(s) + k)) */
  double rave_bonus; /* C sqrt(ln n), n RAVE samples of all actions */
  double loss;
} Bound;

/* Q(s,a) + C sqrt(ln N(s) / N(s,a)), the first term blended with Q_RAVE; a
   pending descent counts as `loss` visits that returned 0. Actions with an
   exact value are not chosen again (backup.c accounts for their value) while
   there are others. */
static double upper_bound(const Action *action, const ActionRave *rave,
                          const Bound *bound) {
  double visits = action->visits + bound->loss * action->pending;
  double q = action->total / visits, bonus = bound->bonus / sqrt(visits);
  if (rave && rave->visits) {
    double samples = rave->visits;
    q += bound->beta * (rave->total / samples - q);
    if (bound->rave_bonus > 0)
      bonus += bound->beta * (bound->rave_bonus / sqrt(samples) - bonus);
  }
  return q + bonus;
}

/* What is known of an action: its own results, or those of the state that it
   leads to, whoever led there (settings estimate, merge). */
typedef struct Knowledge {
  double estimate, visits;
} Knowledge;

static Knowledge know_action(const Search *search, const Node *node,
                             uint32_t at) {
  const Action *action = node_all(search->tree, node) + at;
  Knowledge known = {.visits = action->visits};
  known.estimate = search->settings.estimate == ESTIMATE_MAXIMUM
                       ? node_maximum(search->tree, node)[at]
                       : action->total / action->visits;
  return known;
}

static Knowledge know_state(const Search *search, const Node *node) {
  Knowledge known = {.visits = node->visits};
  double total = 0, most = 0;
  for (uint32_t i = 0; i < node_action_count(search->tree, node); i++) {
    total += node_all(search->tree, node)[i].total;
    if (search->settings.estimate == ESTIMATE_MAXIMUM)
      most = fmax(most, node_maximum(search->tree, node)[i]);
  }
  known.estimate = search->settings.estimate == ESTIMATE_MAXIMUM
                       ? most
                       : total / known.visits;
  return known;
}

/* The UCT formula on that (Świechowski, Mańdziuk and Ong 2016, equation 5, and
   section VI-C: results are also given to equal states elsewhere in their
   tree). In games of one role. */
static double upper_bound_known(const Search *search, const Node *node,
                                uint32_t at, const Bound *bound) {
  NodeId id = node_all(search->tree, node)[at].child;
  const Node *child =
      search->settings.merge && id ? tree_node(search->tree, id) : NULL;
  Knowledge known = child && child->visits ? know_state(search, child)
                                           : know_action(search, node, at);
  return known.estimate + bound->bonus / sqrt(known.visits);
}

static double rave_bonus_of(const Search *search, const ActionRave *rave,
                            uint32_t count) {
  double samples = 1;
  for (uint32_t i = 0; i < count; i++) samples += rave[i].visits;
  return search->settings.c * sqrt(log(samples));
}

static Bound bound_of(const Search *search, uint64_t visits) {
  double n = (double)visits, k = (double)search->settings.rave;
  return (Bound){.bonus = search->settings.c * sqrt(log(n < 1 ? 1 : n)),
                 .beta = k > 0 ? sqrt(k / (3 * n + k)) : 0,
                 .loss = search->settings.loss};
}

/* CadiaPlayer 2012: unexplored actions come first only while the best explored
   one is below the urgency plus a bonus that shrinks with their share. */
static bool is_urgent(const Search *search, const Bound *bound, double best,
                      uint32_t open, uint32_t count, uint64_t visits) {
  if (search->settings.unexplored != UNEXPLORED_URGENCY || visits < 2)
    return true;
  return best < search->settings.urgency + bound->bonus * open / count;
}

/* ---- the same, from terms kept beside the actions ----

   The formula takes two divisions and a root for each action of a node. With
   the terms kept, only the action that a descent or its backup passes needs
   them. In a profile of othello, selection went from 18 % to 7 %. */

enum { SMALL = 1024 };

void select_init(Search *search) {
  const Settings *settings = &search->settings;
  search->quick = search->workers && !settings->rave &&
                  settings->unexplored != UNEXPLORED_URGENCY;
  if (!search->quick) return;
  search->logs = memory_new(SMALL * sizeof *search->logs);
  for (uint32_t i = 0; i < SMALL; i++)
    search->logs[i] = (float)(settings->c * sqrt(log(i < 1 ? 1 : i)));
}

static float bonus_of(const Search *search, uint32_t visits) {
  return visits < SMALL
             ? search->logs[visits]
             : (float)search->settings.c * sqrtf(logf((float)visits));
}

/* Returns the action with the highest bound, `count` if all are exact. One that
   was never chosen ends the scan, since such actions come first. */
static uint32_t highest_bound(Scratch *own, const ActionBound *bounds,
                              uint32_t count, float bonus) {
  uint32_t ties = 0, best = count;
  float most = -FLT_MAX;
  for (uint32_t i = 0; i < count; i++) {
    float value = bounds[i].mean + bonus * bounds[i].width;
    if (value > most) {
      if (value == INFINITY) return i;
      most = value;
      best = i;
      ties = 1;
    } else if (value == most && random_below(&own->random, ++ties) == 0) {
      best = i;
    }
  }
  return best;
}

/* The bounds may not know yet that an action has become exact. */
static uint32_t choose_quickly(Search *search, Scratch *own, Node *node,
                               uint32_t role) {
  uint32_t count, first = node_firsts(node)[role];
  const Action *actions = node_actions(search->tree, node, role, &count);
  const ActionBound *bounds = node_bounds(search->tree, node) + first;
  float bonus = bonus_of(search, node->visits + node->pending);
  for (;;) {
    uint32_t best = highest_bound(own, bounds, count, bonus);
    if (best == count) return settle_choose(search, node, role);
    if (action_exact(&actions[best]) < 0)
      return bounds[best].width == 0
                 ? choose_unexplored(search, own, node, role, actions, count)
                 : best;
    select_note(search, node, first + best);
  }
}

/* ---- either way ---- */

uint32_t select_action(Search *search, Scratch *own, Node *node,
                       uint32_t role) {
  uint32_t count, open = 0, ties = 0, best = 0;
  const Action *actions = node_actions(search->tree, node, role, &count);
  if (count == 1) return 0;
  if (search->settings.tree == TREE_NONE ||
      search->settings.choice == CHOICE_UNIFORM)
    return random_below(&own->random, count);
  if (search->quick) return choose_quickly(search, own, node, role);
  uint64_t visits = node->visits;
  for (uint32_t i = 0; i < count; i++) visits += actions[i].pending;
  Bound bound = bound_of(search, visits);
  const ActionRave *rave =
      bound.beta > 0 ? node_rave(search->tree, node) + node_firsts(node)[role]
                     : NULL;
  if (rave && search->settings.blend == BLEND_BOUND)
    bound.rave_bonus = rave_bonus_of(search, rave, count);
  double most = -INFINITY;
  bool plain =
      !search->settings.merge && search->settings.estimate == ESTIMATE_MEAN;
  for (uint32_t i = 0; i < count; i++) {
    const Action *action = &actions[i];
    if (action->exact >= 0) continue;
    if (!action->visits && !action->pending) {
      open++;
      continue;
    }
    double value = plain ? upper_bound(action, rave ? &rave[i] : NULL, &bound)
                         : upper_bound_known(search, node, i, &bound);
    if (value > most) {
      most = value;
      best = i;
      ties = 1;
    } else if (value == most && random_below(&own->random, ++ties) == 0) {
      best = i;
    }
  }
  if (open && is_urgent(search, &bound, most, open, count, visits))
    return choose_unexplored(search, own, node, role, actions, count);
  return ties ? best : settle_choose(search, node, role);
}
