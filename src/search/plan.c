/* Path insertion (Björnsson and Finnsson 2009, section IV-D; Świechowski,
   Mańdziuk and Ong 2016, section VI-B). The path of a good simulation is made
   once more from the root, and every state of it becomes a node, linked to the
   one before. The backup then gives each of its actions the result, so that
   their maxima lead to the end again.

   plan.moves is the way from the root with the result plan.value; empty if the
   moves were not followed. The value stays then, for a move that was as good
   has the same value in the tree. A result of 0 is no solution. */
#include "search/plan.h"

#include "search/backup.h"
#include "search/grow.h"

void plan_clear(Search *search) {
  vector_clear(&search->plan.moves);
  search->plan.value = 0;
  search->plan.found = NULL;
}

bool plan_done(const Search *search) {
  return search->settings.path != PATH_NONE &&
         search->plan.value >= search->aim.best[search->role];
}

/* Returns the index of the action with this move, or `count`. */
static uint32_t find_action(const Search *search, Node *node, uint32_t move,
                            uint32_t *count) {
  const Action *actions = node_actions(search->tree, node, 0, count);
  uint32_t i = 0;
  while (i < *count && actions[i].move != move) i++;
  return i;
}

/* Adds the engine's state as the next node of the path and chooses the move
   there. Returns false if there is no room, or no such move: a node stands for
   another state if the table of states took them for the same. */
static bool add_node(Search *search, NodeId before, uint32_t step) {
  bool added;
  Path *path = &search->path;
  NodeId id = grow_node(search, search->game, search->depth + step, &added);
  if (!id) {
    search_set_full(search, true);
    return false;
  }
  if (before && !tree_link(search->tree, NULL, tree_node(search->tree, before),
                           path->choices.data + step - 1, id))
    return false;
  if (step == path->steps) return true;
  uint32_t count, choice = find_action(search, tree_node(search->tree, id),
                                       path->moves.data[step], &count);
  if (choice == count) return false;
  if (step < path->nodes.count) {
    path->nodes.data[step] = id;
  } else {
    vector_push(&path->nodes, id);
    vector_resize(&path->choices, path->nodes.count);
  }
  path->choices.data[step] = choice;
  return true;
}

/* Returns true if the engine can make the step of the path. */
static bool make_step(Search *search, uint32_t step) {
  const Move *legal;
  Move move = numbering_move(&search->moves, search->path.moves.data[step]);
  uint32_t count = game_legal(search->game, 0, &legal), i = 0;
  while (i < count && legal[i] != move) i++;
  if (i == count) return false;
  game_make(search->game, &move);
  return true;
}

/* Makes the path from the root and adds all of its states. Returns false if
   the moves do not lead to a result of `value`, or there is no room. */
static bool lay(Search *search, double value) {
  Path *path = &search->path;
  NodeId before = 0;
  game_enter(search->game, search->root_state.data, search->root_state.count);
  for (uint32_t step = 0;; step++) {
    if (!add_node(search, before, step)) return false;
    if (step == path->steps) break;
    before = path->nodes.data[step];
    if (game_terminal(search->game) || !make_step(search, step)) return false;
  }
  return game_terminal(search->game) && game_goal(search->game, 0) >= value;
}

static bool is_good(const Search *search, double value) {
  if (value <= 0) return false;
  return search->settings.path == PATH_EQUAL ? value >= search->plan.value
                                             : value > search->plan.value;
}

static const char *finder(const Search *search, bool played) {
  if (!played) return "tree";
  if (!search->strategies) return "playout";
  uint32_t number = strategy_of(search->strategies, search->role);
  return strategy_name(strategy_get(search->strategies, number)->kind);
}

void plan_offer(Search *search, bool played) {
  Path *path = &search->path;
  double value = search->own.values[0];
  if (search->settings.path == PATH_NONE || !is_good(search, value)) return;
  bool better = value > search->plan.value;
  if (!better && path->steps == path->nodes.count) return; /* all are nodes */
  bool laid = lay(search, value);
  if (!better || (!laid && !search_is_full(search)))
    return; /* not laid: it is no way */
  search->plan.value = value;
  search->plan.found = finder(search, played);
  vector_clear(&search->plan.moves);
  for (uint32_t i = 0; i < path->steps; i++)
    vector_push(&search->plan.moves, path->moves.data[i]);
}

void plan_restore(Search *search) {
  const NumberVector *moves = &search->plan.moves;
  Path *path = &search->path;
  if (!moves->count) return;
  path->steps = moves->count;
  vector_clear(&path->nodes);
  vector_clear(&path->choices);
  vector_resize(&path->moves, moves->count);
  for (uint32_t i = 0; i < moves->count; i++)
    path->moves.data[i] = moves->data[i];
  if (!lay(search, search->plan.value)) return;
  search->own.values[0] = search->own.highest[0] = search->plan.value;
  backup_path(search, &search->own, path);
}

/* The highest result that the root's actions have seen. */
static double root_maximum(const Search *search) {
  double most = 0;
  const Node *root = tree_node(search->tree, search->root);
  for (uint32_t i = 0; i < node_action_count(search->tree, root); i++)
    if (node_maximum(search->tree, root)[i] > most)
      most = node_maximum(search->tree, root)[i];
  return most;
}

/* Removes the first move. */
static void follow(NumberVector *moves) {
  moves->count--;
  for (uint32_t i = 0; i < moves->count; i++)
    moves->data[i] = moves->data[i + 1];
}

void plan_advance(Search *search, const Move *joint) {
  NumberVector *moves = &search->plan.moves;
  if (search->settings.path == PATH_NONE) return;
  if (moves->count &&
      numbering_move(&search->moves, moves->data[0]) == joint[search->role]) {
    follow(moves);
  } else {
    vector_clear(moves);
    search->plan.value = root_maximum(search);
  }
}
