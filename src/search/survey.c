/* When a node is chosen from for the first time, all its successors are made by
   wide steps and evaluated: column `judged` of an action is the return that its
   role can expect after it. Selection counts that as `prior` visits. With
   weights learned from trees (learn/selfplay.h), prior=5 against none at equal
   processor time, 0.02 to 0.04 s a move: breakthrough 50 of 72 games, checkers
   6 of 12; with weights from 4 s of uniform random games breakthrough 4 of 20.

   With `implicit`, judgements are also backed up by minimax (Lanctot, Winands,
   Pepels and Sturtevant 2014): a node is worth what its role's best action is
   worth, and the action that led there gets that. (implicit=0.3 with prior=5:
   breakthrough 6 of 12, no gain yet.) This needs two roles whose
   returns have a constant sum. Exact values count as such. */
#include "search/survey.h"

#include "base/bits.h"
#include "search/judge.h"
#include "search/select.h"
#include "search/tree_share.h"

/* ---- items: actions of the nodes ---- */

static void add_item(Batch *batch, NodeId id, uint32_t action) {
  const Search *search = batch->search;
  Survey *survey = &batch->survey;
  uint32_t words = search->book->words, count;
  Node *node = tree_node(search->tree, id);
  uint32_t at = survey->count++;
  survey->nodes[at] = id;
  survey->actions[at] = action;
  memcpy(survey->states + (size_t)at * words, node_state(search->tree, node),
         words * sizeof *survey->states);
  for (uint32_t role = 0; role < search->role_count; role++) {
    const Action *actions = node_actions(search->tree, node, role, &count);
    survey->joints[(size_t)at * search->role_count + role] =
        actions[role == node->main ? action : 0].move;
  }
}

/* ---- values ---- */

static void count_legal(const Batch *batch, uint32_t at, uint32_t *legal) {
  const Net *net = &batch->search->book->net;
  uint32_t words = (uint32_t)bits_words(net->moves.count);
  const uint64_t *row = batch->survey.legal + (size_t)at * words;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t first = net->role_first.data[role];
    uint32_t end = net->role_first.data[role + 1];
    legal[role] = 0;
    for (uint32_t move = first; move < end; move++)
      legal[role] += bits_has(row, move);
  }
}

static double value_of_end(const Batch *batch, uint32_t at, uint32_t role) {
  const Search *search = batch->search;
  const int *goals = batch->survey.goals + (size_t)at * search->role_count;
  int own = goals[role], other = search->role_count == 2 ? goals[1 - role] : 0;
  return aim_return(&search->aim, own < 0 ? 0 : own, other < 0 ? 0 : other);
}

/* Brings the sums of the node to those of the successor. */
static double value_of_item(Batch *batch, uint32_t at, uint32_t role) {
  const Search *search = batch->search;
  const Survey *survey = &batch->survey;
  const Evaluation *evaluation = search->evaluation;
  uint32_t words = search->book->words, legal[RULE_ROLES];
  const uint64_t *from = survey->states + (size_t)at * words;
  const uint64_t *to = survey->successors + (size_t)at * words;
  Judge *judge = &batch->judge;
  if (!at || survey->nodes[at] != survey->nodes[at - 1])
    evaluation_begin(evaluation, from, judge->sums);
  if (survey->terminal[at]) return value_of_end(batch, at, role);
  memcpy(judge->more, judge->sums, evaluation->sum_count * sizeof *judge->more);
  evaluation_update(evaluation, from, to, judge->more);
  if (evaluation->mobility) count_legal(batch, at, legal);
  evaluation_values(evaluation, to, judge->more,
                    evaluation->mobility ? legal : NULL, judge->goals);
  return judge_return(search, judge, role);
}

static void run_items(Batch *batch) {
  const Search *search = batch->search;
  Survey *survey = &batch->survey;
  ExpandTask task = {.count = survey->count,
                     .states = survey->states,
                     .joints = survey->joints,
                     .successors = survey->successors,
                     .legal =
                         search->evaluation->mobility ? survey->legal : NULL,
                     .terminal = survey->terminal,
                     .goals = survey->goals};
  expand_run(&survey->expand, &task);
  for (uint32_t i = 0; i < survey->count; i++) {
    uint32_t main = tree_node(search->tree, survey->nodes[i])->main;
    double value = value_of_item(batch, i, main);
    Node *node = tree_lock(search->tree, survey->nodes[i]);
    uint32_t at = node_firsts(node)[main] + survey->actions[i];
    node_judged(search->tree, node)[at] = (float)value;
    select_note(search, node, at);
    tree_unlock(search->tree, node);
  }
  survey->count = 0;
}

void survey_nodes(Batch *batch, const NodeId *nodes, uint32_t count) {
  const Search *search = batch->search;
  batch->survey.count = 0;
  for (uint32_t n = 0; n < count; n++) {
    Node *node = tree_lock(search->tree, nodes[n]);
    const uint32_t *firsts = node_firsts(node) + node->main;
    node_raise(node, NODE_SURVEYED);
    tree_unlock(search->tree, node);
    for (uint32_t i = 0; i < firsts[1] - firsts[0]; i++) {
      add_item(batch, nodes[n], i);
      if (batch->survey.count == batch->lanes) run_items(batch);
    }
  }
  if (batch->survey.count) run_items(batch);
}

/* ---- minimax ---- */

/* Returns the highest judgement of the main role's actions. */
static double best_judgement(const Search *search, Node *node) {
  uint32_t count;
  const Action *actions = node_actions(search->tree, node, node->main, &count);
  const float *judged =
      node_judged(search->tree, node) + node_firsts(node)[node->main];
  double best = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    double value = actions[i].exact >= 0
                       ? aim_of_value(&search->aim, actions[i].exact)
                       : (double)judged[i];
    if (value > best) best = value;
  }
  return best;
}

double survey_judgement(Search *search, NodeId id) {
  Node *node = tree_lock(search->tree, id);
  double value =
      node->flags & NODE_SURVEYED ? best_judgement(search, node) : NAN;
  tree_unlock(search->tree, node);
  return value;
}

void survey_back_up(const Search *search, Node *node, const uint32_t *choices,
                    NodeId id, double value) {
  const Node *child = tree_node(search->tree, id);
  if (!(node->flags & NODE_SURVEYED) || value != value) return;
  uint32_t at = node_firsts(node)[node->main] + choices[node->main];
  node_judged(search->tree, node)[at] =
      (float)(child->main == node->main ? value : search->returns - value);
}
