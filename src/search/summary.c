/* The answer of a search, and its report. */
#include "search/summary.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static double mean_of(const Search *search, const Action *action) {
  if (action->exact >= 0) return aim_of_value(&search->aim, action->exact);
  return action->visits ? action->total / action->visits : -1;
}

/* With RAVE, the RAVE average counts as this many visits beside the action's
   own. The plain average overrates moves that won their only visit, which
   selection never does: RAVE then lost to UCT in connect5 (40.5 % of 200 games,
   91 % blended by β(s)). β(s) overrates RAVE for too long where playouts
   capture whenever they can: skirmish 31 % of 30 games, 72 % with the plain
   average. */
static const double rave_visits = 10;

enum { BARGAIN_MOST = 64 }; /* joint moves to be looked at */

/* Moves with too few visits come after all others. */
static const double few_visits = 1000;

static double final_value(const Search *search, const Action *action) {
  double value = mean_of(search, action);
  if (action->exact >= 0) return value;
  if (!action->visits) return -INFINITY; /* differences of goals go below -1 */
  if (!search->settings.rave || !action->rave_visits) return value;
  double rave = action->rave_total / action->rave_visits;
  return value + (rave - value) * rave_visits / (rave_visits + action->visits);
}

/* Compares two actions with the same exact value: by the way to the end, then
   by what playouts said before the proof. */
static bool ends_better(const Search *search, const Action *a,
                        const Action *b) {
  bool won = aim_is_won(&search->aim, search->role, a->exact);
  if (a->distance != b->distance)
    return won ? a->distance < b->distance : a->distance > b->distance;
  return a->total * b->visits > b->total * a->visits;
}

/* What the setting `final` compares. */
static double final_score(const Search *search, const Action *action,
                          uint32_t most) {
  const Settings *settings = &search->settings;
  double value = final_value(search, action), visits = action->visits;
  if (action->exact >= 0 || !action->visits) return value;
  if (settings->final == FINAL_LOWER)
    return value - settings->width / sqrt(visits);
  if (settings->final == FINAL_STEADY && visits < settings->enough * most)
    return value - few_visits;
  return value;
}

/* Returns true if `a` is the better move to play: by the setting `final`, then
   by value. `most` are the visits of the most visited action. */
static bool is_better(const Search *search, const Action *a, const Action *b,
                      uint32_t most) {
  if (search->settings.solver == 2 && a->exact >= 0 && a->exact == b->exact)
    return ends_better(search, a, b);
  if (search->settings.final == FINAL_MAXIMUM && a->maximum != b->maximum)
    return a->maximum > b->maximum;
  bool exact = a->exact >= 0 || b->exact >= 0;
  if (search->settings.final == FINAL_VISITS && !exact &&
      a->visits != b->visits)
    return a->visits > b->visits;
  return final_score(search, a, most) > final_score(search, b, most);
}

/* ---- roles that may agree ---- */

/* Returns the mean return of a role in a node; -INFINITY if not known. */
static double mean_in(const Search *search, NodeId id, uint32_t role) {
  if (!id) return -INFINITY;
  uint32_t count;
  double total = 0, visits = 0;
  Node *node = tree_node(search->tree, id);
  const int8_t *goals = node_goals(search->tree, node);
  if (node->flags & NODE_PROVEN)
    return aim_of_value(&search->aim, aim_value(&search->aim, goals, role));
  const Action *actions = node_actions(search->tree, node, role, &count);
  for (uint32_t i = 0; i < count; i++) {
    total += actions[i].total;
    visits += actions[i].visits;
  }
  return visits > 0 ? total / visits : -INFINITY;
}

/* The returns of two roles that choose at once, by the choice of each. */
typedef struct Bargain {
  uint32_t counts[2];
  double returns[BARGAIN_MOST][2];
  double now[2]; /* what they get on the average */
} Bargain;

static bool fill_bargain(const Search *search, Node *root, Bargain *bargain) {
  for (uint32_t role = 0; role < 2; role++) {
    node_actions(search->tree, root, role, &bargain->counts[role]);
    bargain->now[role] = mean_in(search, search->root, role);
  }
  uint64_t joints = (uint64_t)bargain->counts[0] * bargain->counts[1];
  if (joints > BARGAIN_MOST) return false;
  for (uint32_t i = 0; i < joints; i++) {
    uint32_t choices[2] = {i / bargain->counts[1], i % bargain->counts[1]};
    NodeId child = tree_child(search->tree, root, choices);
    for (uint32_t role = 0; role < 2; role++)
      bargain->returns[i][role] = mean_in(search, child, role);
  }
  return true;
}

/* Returns true if both roles get more than on the average, and neither would
   get `even` more by another choice of its own. */
static bool is_bargain(const Bargain *bargain, uint32_t joint, double even) {
  const double *own = bargain->returns[joint];
  uint32_t width = bargain->counts[1], row = joint / width;
  if (own[0] <= bargain->now[0] || own[1] <= bargain->now[1]) return false;
  for (uint32_t i = joint % width; i < bargain->counts[0] * width; i += width)
    if (bargain->returns[i][0] > own[0] + even) return false;
  for (uint32_t i = row * width; i < (row + 1) * width; i++)
    if (bargain->returns[i][1] > own[1] + even) return false;
  return true;
}

/* Where two roles choose at once and both gain by agreeing, each can expect
   that the other finds the same best agreement, and the first of those that are
   even. Returns the role's part in it, or `best` if there is none. */
static uint32_t agree(const Search *search, Node *root, uint32_t best) {
  Bargain bargain;
  double even = search->settings.even, most = -INFINITY;
  if (root->movers < 2 || search->role_count != 2 ||
      !fill_bargain(search, root, &bargain))
    return best;
  for (uint32_t i = 0; i < bargain.counts[0] * bargain.counts[1]; i++) {
    double sum = bargain.returns[i][0] + bargain.returns[i][1];
    if (!is_bargain(&bargain, i, even) || sum <= most + 2 * even) continue;
    most = sum;
    best = search->role ? i % bargain.counts[1] : i / bargain.counts[1];
  }
  return best;
}

/* ---- the move to play ---- */

uint32_t summary_best(Search *search) {
  uint32_t count, best = 0, most = 0;
  Node *root = tree_node(search->tree, search->root);
  const Action *actions =
      node_actions(search->tree, root, search->role, &count);
  for (uint32_t i = 0; i < count; i++)
    if (actions[i].visits > most) most = actions[i].visits;
  for (uint32_t i = 1; i < count; i++)
    if (is_better(search, &actions[i], &actions[best], most)) best = i;
  return search->settings.even > 0 ? agree(search, root, best) : best;
}

void summary_publish(Search *search) {
  Node *root = tree_node(search->tree, search->root);
  uint32_t count;
  const Action *actions =
      node_actions(search->tree, root, search->role, &count);
  if (count)
    atomic_store(
        &search->best,
        numbering_move(&search->moves, actions[summary_best(search)].move));
}

static int compare_moves(const void *left, const void *right) {
  const SearchMove *a = left, *b = right;
  if (a->visits != b->visits) return a->visits < b->visits ? 1 : -1;
  if (a->value != b->value) return a->value < b->value ? 1 : -1;
  return (a->move > b->move) - (a->move < b->move);
}

/* Lists the move to play first, the others by visits. The only move has the
   value of the state. */
static void list_moves(Search *search, Node *root) {
  SearchReport *report = &search->report;
  uint32_t count, best = summary_best(search);
  const Action *actions =
      node_actions(search->tree, root, search->role, &count);
  vector_clear(&report->moves);
  for (uint32_t i = 0; i < count; i++) {
    SearchMove move = {.move = numbering_move(&search->moves, actions[i].move),
                       .visits = actions[i].visits,
                       .value = mean_of(search, &actions[i]),
                       .maximum = (double)actions[i].maximum,
                       .proven = actions[i].exact >= 0,
                       .distance = actions[i].distance,
                       .action = i};
    vector_push(&report->moves, move);
  }
  if (!count) return;
  if (count == 1 && root->flags & NODE_PROVEN) {
    const int8_t *goals = node_goals(search->tree, root);
    report->moves.data[0].value = aim_of_value(
        &search->aim, aim_value(&search->aim, goals, search->role));
    report->moves.data[0].proven = true;
    report->moves.data[0].distance = root->distance;
  }
  SearchMove first = report->moves.data[best];
  report->moves.data[best] = report->moves.data[0];
  report->moves.data[0] = first;
  qsort(report->moves.data + 1, count - 1, sizeof first, compare_moves);
}

static void average_values(Search *search, Node *root) {
  SearchReport *report = &search->report;
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t count;
    double total = 0, visits = 0;
    const Action *actions = node_actions(search->tree, root, role, &count);
    for (uint32_t i = 0; i < count; i++) {
      total += actions[i].total;
      visits += actions[i].visits;
    }
    if (root->flags & NODE_PROVEN)
      report->values[role] = node_goals(search->tree, root)[role];
    else
      report->values[role] = visits > 0 ? total / visits : 0;
  }
}

/* Returns the action that the role is expected to choose: one that keeps the
   node's value if that is proved, in as many steps, else the most visited. */
static uint32_t expected_action(Search *search, Node *node, uint32_t role) {
  uint32_t count, best = 0;
  const Action *actions = node_actions(search->tree, node, role, &count);
  int goal = INT_MIN;
  if (node->flags & NODE_PROVEN)
    goal = aim_value(&search->aim, node_goals(search->tree, node), role);
  for (uint32_t i = 1; i < count; i++) {
    bool keeps = actions[i].exact == goal, kept = actions[best].exact == goal;
    if (keeps && kept && actions[i].distance != actions[best].distance)
      keeps = actions[i].distance == node->distance;
    else if (keeps == kept)
      keeps = actions[i].visits > actions[best].visits;
    if (keeps) best = i;
  }
  return best;
}

/* Follows the moves expected after one of the root's, as far as the tree goes.
 */
static void follow_line(Search *search, SearchMove *first) {
  uint32_t choices[RULE_ROLES], roles = search->role_count;
  SearchReport *report = &search->report;
  NodeId id = search->root;
  first->line = report->lines.count;
  for (; id && first->line_steps < SEARCH_LINE_STEPS; first->line_steps++) {
    Node *node = tree_node(search->tree, id);
    if (!node->action_count || (!node->visits && !(node->flags & NODE_PROVEN)))
      return;
    for (uint32_t role = 0; role < roles; role++) {
      uint32_t count;
      const Action *actions = node_actions(search->tree, node, role, &count);
      choices[role] = id == search->root && role == search->role
                          ? first->action
                          : expected_action(search, node, role);
      Move move = numbering_move(&search->moves, actions[choices[role]].move);
      vector_push(&report->lines, ((SearchStep){move, count > 1}));
    }
    id = tree_child(search->tree, node, choices);
  }
}

static void follow_lines(Search *search) {
  SearchReport *report = &search->report;
  vector_clear(&report->lines);
  for (uint32_t i = 0; i < report->moves.count && i < SEARCH_LINES; i++)
    follow_line(search, &report->moves.data[i]);
}

void summary_fill(Search *search) {
  SearchReport *report = &search->report;
  Node *root = tree_node(search->tree, search->root);
  report->depth = report->descents
                      ? (double)search->depth_sum / (double)report->descents
                      : 0;
  report->nodes = tree_count(search->tree);
  report->bytes = tree_bytes(search->tree);
  report->proven = root->flags & NODE_PROVEN;
  report->distance = root->distance;
  average_values(search, root);
  list_moves(search, root);
  follow_lines(search);
}

void summary_free(SearchReport *report) {
  memory_delete(report->values);
  vector_free(&report->moves);
  vector_free(&report->lines);
}
