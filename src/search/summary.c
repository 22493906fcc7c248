/* The answer of a search, and its report. */
#include "search/summary.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "search/agree.h"
#include "search/effective.h"
#include "search/others.h"
#include "search/plan.h"
#include "search/twins.h"

static double mean_of(const Search *search, const Action *action) {
  if (action->exact >= 0) return aim_of_value(&search->aim, action->exact);
  return action->visits ? action->total / action->visits : -1;
}

/* With RAVE, the final value is blended by β(s) as in selection, which is what
   the authors' later program does. The plain average overrates moves that won
   their only visit, which selection never does: RAVE then lost to UCT in
   connect5 (40.5 % of 200 games). Of ways between the two, RAVE as ten more
   visits was 53.3 % of 30 games of checkers, β(s) 90 % of 10. */
static double rave_weight(const Search *search, const Node *root) {
  double k = (double)search->settings.rave;
  return sqrt(k / (3 * (double)root->visits + k));
}

/* Moves with too few visits come after all others. */
static const double few_visits = 1000;

/* `at` is an index among all actions of the root. */
static double final_value(const Search *search, const Node *root, uint32_t at) {
  const Action known = others_action(search, root, at), *action = &known;
  double value = mean_of(search, action);
  if (action->exact >= 0) return value;
  if (!action->visits) return -INFINITY; /* differences of goals go below -1 */
  if (search->minimax && root->flags & NODE_SURVEYED) {
    double judged = (double)node_judged(search->tree, root)[at];
    if (judged == judged) value += search->settings.implicit * (judged - value);
  }
  if (!search->settings.rave) return value;
  const ActionRave *sample = node_rave(search->tree, root) + at;
  if (!sample->visits) return value;
  double rave = sample->total / sample->visits;
  return value + (rave - value) * rave_weight(search, root);
}

/* Compares two actions with the same exact value: by the way to the end, then
   by what playouts said. */
static bool ends_better(const Search *search, const Action *a,
                        const Action *b) {
  bool won = aim_is_won(&search->aim, search->role, a->exact);
  if (a->distance != b->distance)
    return won ? a->distance < b->distance : a->distance > b->distance;
  return a->total * b->visits > b->total * a->visits;
}

/* What the setting `final` compares; `most` are the visits of the most visited
   action. */
static double final_score(const Search *search, const Node *root, uint32_t at,
                          uint32_t most) {
  const Settings *settings = &search->settings;
  const Action action = others_action(search, root, at);
  double value = final_value(search, root, at), visits = action.visits;
  if (action.exact >= 0 || !action.visits) return value;
  if (settings->final == FINAL_LOWER)
    return value - settings->width / sqrt(visits);
  if (settings->final == FINAL_STEADY && visits < settings->enough * most)
    return value - few_visits;
  return value;
}

/* Returns true if action `i` of all actions of the root is a better move to
   play than action `j`: by the setting `final`, then by value. */
static bool is_better(const Search *search, const Node *root, uint32_t i,
                      uint32_t j, uint32_t most) {
  const Action first = others_action(search, root, i), *a = &first;
  const Action second = others_action(search, root, j), *b = &second;
  if (search->settings.solver == 2 && a->exact >= 0 && a->exact == b->exact)
    return ends_better(search, a, b);
  if (search->settings.final == FINAL_MAXIMUM) {
    const float *maximum = node_maximum(search->tree, root);
    if (maximum[i] != maximum[j]) return maximum[i] > maximum[j];
  }
  bool exact = a->exact >= 0 || b->exact >= 0;
  if (search->settings.final == FINAL_VISITS && !exact &&
      a->visits != b->visits)
    return a->visits > b->visits;
  return final_score(search, root, i, most) >
         final_score(search, root, j, most);
}

/* Finds the action that follows the plan. With path=equal all ways that are as
   good are in the tree, and `final` chooses between them, unless nothing better
   is possible. */
static bool find_planned(const Search *search, const Node *root,
                         uint32_t *planned) {
  if (!search->plan.moves.count ||
      (search->settings.path == PATH_EQUAL && !plan_done(search)))
    return false;
  for (uint32_t i = 0; i < node_action_count(search->tree, root); i++) {
    if (node_all(search->tree, root)[i].move != search->plan.moves.data[0])
      continue;
    *planned = i;
    return true;
  }
  return false;
}

uint32_t summary_best(Search *search) {
  const Node *root = tree_node(search->tree, search->root);
  const uint32_t *firsts = node_firsts(root) + search->role;
  uint32_t best = firsts[0], most = 0, agreed;
  if (find_planned(search, root, &agreed)) return agreed;
  if (search->settings.final == FINAL_EFFECTIVE) return effective_best(search);
  if (agree_choose(search, &agreed)) return agreed;
  for (uint32_t i = firsts[0]; i < firsts[1]; i++) {
    uint32_t visits = others_action(search, root, i).visits;
    if (visits > most) most = visits;
  }
  for (uint32_t i = firsts[0] + 1; i < firsts[1]; i++)
    if (is_better(search, root, i, best, most)) best = i;
  return best - firsts[0];
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
  uint32_t best = summary_best(search);
  const uint32_t *firsts = node_firsts(root) + search->role;
  uint32_t count = firsts[1] - firsts[0];
  vector_clear(&report->moves);
  for (uint32_t i = 0; i < count; i++) {
    const Action action = others_action(search, root, firsts[0] + i);
    SearchMove move = {.move = numbering_move(&search->moves, action.move),
                       .visits = action.visits,
                       .value = mean_of(search, &action),
                       .proven = action.exact >= 0,
                       .distance = action.distance,
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
  twins_report(search);
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

/* Returns true if it is the role's turn. New nodes may have decisive moves only
   (setting prune), or one of several symmetric moves: a role with one action
   need not be waiting then. */
static bool moves_here(const Search *search, const Action *only,
                       uint32_t count) {
  bool fewer =
      search->symmetries || (search->settings.prune && search->workers);
  const Analysis *analysis = fewer ? book_analysis(search->book) : NULL;
  return count > 1 || (analysis && !analysis->turns.waiting[only->move]);
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
    if (!node_action_count(search->tree, node) || node->flags & NODE_CLOSED ||
        (!node->visits && !(node->flags & NODE_PROVEN)))
      return;
    for (uint32_t role = 0; role < roles; role++) {
      uint32_t count;
      const Action *actions = node_actions(search->tree, node, role, &count);
      choices[role] = id == search->root && role == search->role
                          ? first->action
                          : expected_action(search, node, role);
      Move move = numbering_move(&search->moves, actions[choices[role]].move);
      vector_push(&report->lines,
                  ((SearchStep){move, moves_here(search, actions, count)}));
    }
    id = tree_child(search->tree, node, choices);
  }
}

static void follow_lines(Search *search) {
  SearchReport *report = &search->report;
  vector_clear(&report->lines);
  for (uint32_t i = 0; i < report->moves.count && i < SEARCH_LINES; i++)
    if (report->moves.data[i].action != SEARCH_NO_ACTION)
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
  report->found = search->plan.found;
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
