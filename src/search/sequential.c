/* One simulation at a time, as in the papers (Finnsson 2007, algorithm 6;
   Björnsson and Finnsson 2009, algorithm 1). Inside the tree the path follows
   nodes without an engine; the engine enters the last node's state, and the
   playout goes on from there. The first new state becomes a node; its first
   move is chosen like any unexplored one and gets the result, and the rest is
   playout. */
#include "search/sequential.h"

#include "base/clock.h"
#include "search/backup.h"
#include "search/grow.h"
#include "search/judge.h"
#include "search/plan.h"
#include "search/select.h"
#include "search/settle.h"
#include "search/summary.h"

enum {
  PUBLISH_EVERY = 32, /* simulations from one published answer to the next */
  TIMED_EVERY = 16,   /* simulations: reading the clock takes time, too */
  LAST_STATES = 8     /* of the tree that strategies of a playout know of */
};

static uint32_t *push_step(Path *path, uint32_t roles) {
  path->steps++;
  vector_resize(&path->moves, path->steps * roles);
  return path->moves.data + (path->steps - 1) * roles;
}

static const uint32_t *last_choices(const Search *search) {
  const Path *path = &search->path;
  return path->choices.data + (path->nodes.count - 1) * search->role_count;
}

/* The engine makes the last step of the path. */
static void make_step(Search *search) {
  uint32_t roles = search->role_count;
  const uint32_t *moves =
      search->path.moves.data + (search->path.steps - 1) * roles;
  for (uint32_t role = 0; role < roles; role++)
    search->joint.data[role] = numbering_move(&search->moves, moves[role]);
  game_make(search->game, search->joint.data);
}

/* ---- what FAST learns from ---- */

static void learn_state(Search *search) {
  const uint64_t *state;
  if (!search->fast) return;
  game_state(search->game, &state);
  fast_state(search->fast, state);
}

static void learn_node(Search *search, const Node *node) {
  if (search->fast) fast_state(search->fast, node_state(search->tree, node));
}

/* The reward is the own goal, in two-player games less the other's. */
static void learn_outcome(Search *search, const int *goals) {
  if (!search->fast) return;
  double reward = goals[search->role];
  if (search->role_count == 2) reward -= goals[1 - search->role];
  fast_end(search->fast, reward);
}

/* ---- select ---- */

/* Each role chooses an action in a node of the tree. */
static void choose_in_tree(Search *search, NodeId id) {
  Path *path = &search->path;
  Node *node = tree_node(search->tree, id);
  uint32_t roles = search->role_count, *moves = push_step(path, roles);
  vector_push(&path->nodes, id);
  vector_resize(&path->choices, path->nodes.count * roles);
  uint32_t *choices = path->choices.data + (path->nodes.count - 1) * roles;
  for (uint32_t role = 0; role < roles; role++) {
    uint32_t count;
    choices[role] = select_action(search, &search->own, node, role);
    moves[role] =
        node_actions(search->tree, node, role, &count)[choices[role]].move;
  }
}

static void enter_node(Search *search, NodeId id) {
  const Node *node = tree_node(search->tree, id);
  game_enter(search->game, node_state(search->tree, node), node->state_words);
}

/* ---- expand ---- */

/* Makes the last step of the path out of a node. Returns the node it leads to,
   found or new, or 0 if the playout begins there. */
static NodeId step_out(Search *search, NodeId from, uint32_t *fresh) {
  enter_node(search, from);
  make_step(search);
  if (search->settings.tree == TREE_NONE ||
      *fresh >= (uint32_t)search->settings.expand || game_failed(search->game))
    return 0;
  bool added;
  uint32_t depth = search->depth + search->path.steps;
  NodeId id = grow_node(search, search->game, depth, &added);
  if (added) *fresh += 1;
  Node *node = tree_node(search->tree, from);
  if (!id || !tree_link(search->tree, NULL, node, last_choices(search), id))
    search_set_full(search, true);
  return id;
}

/* ---- play out ---- */

/* Returns the index of the move that a role chooses by what was learned. */
static uint32_t choose_learned(Search *search, uint32_t role, const Move *list,
                               uint32_t count) {
  const uint64_t *state;
  vector_resize(&search->own.candidates, count);
  for (uint32_t i = 0; i < count; i++)
    search->own.candidates.data[i] =
        numbering_number(&search->moves, role, list[i]);
  mast_grow(&search->mast, numbering_count(&search->moves));
  if (search->settings.playout == PLAYOUT_NST)
    return select_by_ngrams(search, &search->own, role,
                            search->own.candidates.data, count);
  game_state(search->game, &state);
  return select_gibbs(search, &search->own, role, search->own.candidates.data,
                      count, state);
}

/* The strategies of this playout know the last states of the tree. */
static void begin_strategies(Search *search) {
  const Path *path = &search->path;
  uint32_t count = path->nodes.count;
  strategy_begin(search->strategies);
  for (uint32_t i = count < LAST_STATES ? 0 : count - LAST_STATES; i < count;
       i++) {
    const Node *node = tree_node(search->tree, path->nodes.data[i]);
    strategy_see(search->strategies, node_state(search->tree, node),
                 node->state_words);
  }
}

/* The engine has come to a state. */
static void see_state(Search *search) {
  const uint64_t *words;
  if (!search->strategies) return;
  uint32_t count = game_state(search->game, &words);
  strategy_see(search->strategies, words, count);
}

static bool choose_by_strategies(Search *search) {
  uint32_t roles = search->role_count;
  uint64_t looked = 0;
  StrategyView view = {search->game, &search->own.random, &search->moves,
                       &search->mast};
  if (!strategy_choose(search->strategies, &view, search->joint.data, &looked))
    return false;
  search->report.states += looked;
  uint32_t *moves = push_step(&search->path, roles);
  for (uint32_t role = 0; role < roles; role++)
    moves[role] =
        numbering_number(&search->moves, role, search->joint.data[role]);
  mast_grow(&search->mast, numbering_count(&search->moves));
  return true;
}

/* Each role chooses a move; returns false if one has none. */
static bool choose_in_playout(Search *search) {
  if (search->strategies) return choose_by_strategies(search);
  uint32_t roles = search->role_count;
  uint32_t *moves = push_step(&search->path, roles);
  for (uint32_t role = 0; role < roles; role++) {
    const Move *list;
    uint32_t count = game_legal(search->game, role, &list), at = 0;
    if (!count) {
      search->path.steps--;
      return false;
    }
    if (select_blindly(search, &search->own))
      at = random_below(&search->own.random, count);
    else if (count > 1)
      at = choose_learned(search, role, list, count);
    moves[role] = numbering_number(&search->moves, role, list[at]);
  }
  mast_grow(&search->mast, numbering_count(&search->moves));
  return true;
}

/* Plays to the end of the game; returns false if it was cut off. */
static bool play_out(Search *search) {
  if (search->strategies) begin_strategies(search);
  see_state(search);
  while (!game_terminal(search->game)) {
    if (search->path.steps >= (uint32_t)search->settings.steps ||
        !choose_in_playout(search) || game_failed(search->game))
      return false;
    make_step(search);
    learn_state(search);
    see_state(search);
  }
  return true;
}

/* Judges the state that the playout would begin in. Returns false if nothing is
   to be judged, or can be. */
static bool judge(Search *search) {
  const uint64_t *state;
  uint32_t legal[RULE_ROLES];
  const Move *list;
  if (!judge_leaves(search) || game_terminal(search->game)) return false;
  for (uint32_t role = 0; role < search->role_count; role++)
    legal[role] = game_legal(search->game, role, &list);
  game_state(search->game, &state);
  judge_state(search, &search->own.judge, state, legal, search->own.judged);
  return true;
}

/* ---- results, into search->own.values ---- */

static void take_playout_goals(Search *search, bool ended) {
  int goals[RULE_ROLES];
  for (uint32_t role = 0; role < search->role_count; role++) {
    int goal = ended ? game_goal(search->game, role) : -1;
    goals[role] = goal >= 0 ? goal : ended ? 0 : search->aim.cut;
  }
  if (!ended) search->report.cut_off++;
  backup_returns(search, goals, search->own.values);
  for (uint32_t role = 0; role < search->role_count; role++)
    search->own.highest[role] = search->own.values[role];
  if (ended) learn_outcome(search, goals);
}

static void take_node_goals(Search *search, Node *node) {
  int goals[RULE_ROLES];
  const int8_t *known = node_goals(search->tree, node);
  for (uint32_t role = 0; role < search->role_count; role++)
    goals[role] = known[role];
  backup_known(search, &search->own, known);
  if (node->flags & NODE_TERMINAL) learn_outcome(search, goals);
}

/* ---- a simulation ---- */

/* Returns true if a descent ends in this node because its goals are known. */
static bool is_known(const Search *search, Node *node) {
  if (node->flags & NODE_TERMINAL) return true;
  return node->flags & NODE_PROVEN && node->id != search->root &&
         !settle_passes(search, node, search->path.nodes.count);
}

/* Selects and expands. Returns true if the descent ended in a terminal or
   proven node; false if the engine stands where the playout begins. */
static bool descend(Search *search) {
  NodeId id = search->root;
  uint32_t fresh = 0;
  for (;;) {
    Node *node = tree_node(search->tree, id);
    learn_node(search, node);
    if (is_known(search, node)) {
      take_node_goals(search, node);
      return true;
    }
    if (node->path == search->own.number) { /* a cycle: leave the tree */
      enter_node(search, id);
      return false;
    }
    node->path = search->own.number;
    choose_in_tree(search, id);
    NodeId child = tree_child(search->tree, node, last_choices(search));
    if (!child) child = step_out(search, id, &fresh);
    if (!child) {
      learn_state(search);
      return false;
    }
    id = child;
  }
}

static double end_phase(Search *search, SearchPhase phase, double since) {
  if (search->own.number % TIMED_EVERY) return 0;
  double now = clock_now();
  if (since > 0) search->report.phases[phase] += TIMED_EVERY * (now - since);
  return now;
}

static void count(Search *search) {
  SearchReport *report = &search->report;
  report->states += search->path.steps;
  report->simulations++;
  report->descents++;
  search->depth_sum += search->path.nodes.count;
  if (search->path.nodes.count > report->depth_most)
    report->depth_most = search->path.nodes.count;
}

/* Plays out and judges from where the engine stands; returns true if a playout
   came to its end. */
static bool finish(Search *search) {
  bool judged = judge(search);
  if (judged && judge_alone(search)) {
    judge_take(search, &search->own, search->own.judged);
    return false;
  }
  bool ended = play_out(search);
  take_playout_goals(search, ended);
  if (judged) judge_mix(search, &search->own, search->own.judged);
  if (search->strategies) strategy_end(search->strategies, search->own.values);
  return ended;
}

static void simulate(Search *search) {
  search->own.number++;
  vector_clear(&search->path.nodes);
  search->path.steps = 0;
  double now = end_phase(search, PHASE_DESCEND, 0);
  if (search->fast) fast_begin(search->fast);
  bool known = descend(search), ended = known;
  now = end_phase(search, PHASE_DESCEND, now);
  if (!known) ended = finish(search);
  now = end_phase(search, PHASE_PLAYOUT, now);
  if (game_failed(search->game)) return; /* there is no result */
  count(search);
  if (ended) plan_offer(search, !known);
  backup_path(search, &search->own, &search->path);
  if (search->settings.solver && known) backup_proofs(search, &search->path);
  end_phase(search, PHASE_BACKUP, now);
}

void sequential_think(Search *search, Limit *limit) {
  for (uint32_t i = 1;
       !plan_done(search) && !limit_reached(limit, &search->report); i++) {
    if (search_is_full(search)) {
      grow_make_room(search);
      plan_restore(search);
    }
    simulate(search);
    if (game_failed(search->game) || settle_done(search)) break;
    if (i % PUBLISH_EVERY == 0) summary_publish(search);
    limit_watch(limit, &search->report);
  }
}
