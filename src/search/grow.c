/* New nodes from an engine's current state. */
#include "search/grow.h"

#include "base/hash.h"

static const double pruned_share = 0.3;

uint64_t grow_way(uint64_t way, const uint32_t *moves, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) way = hash_pair(way, moves[i]);
  return way;
}

/* The key of the state that the sequential path has come to at this depth: in
   a tree it depends on the way. */
static uint64_t way_key(const Search *search, uint32_t depth) {
  uint32_t steps = depth - search->depth;
  return grow_way(search->way, search->path.moves.data,
                  steps * search->role_count);
}

/* Finds the node of the game's state. A table that cannot tell states apart
   gives one of an equal key. */
static NodeId find_node(Search *search, Game *game, uint32_t depth,
                        NodeSeed *seed) {
  seed->state_words = game_state(game, &seed->state);
  if (search->settings.transpose == TRANSPOSE_RESOLUTION) {
    seed->key = resolution_key(&search->resolution, game);
    seed->state_words = game_state(game, &seed->state);
    return tree_find_key(search->tree, seed->key);
  }
  seed->key = search->settings.transpose == TRANSPOSE_NONE
                  ? way_key(search, depth)
                  : grow_key(search, game_key(game), depth);
  return tree_find(search->tree, seed->key, seed->state, seed->state_words);
}

uint64_t grow_key(const Search *search, uint64_t key, uint32_t depth) {
  uint32_t transpose = search->settings.transpose;
  return transpose == TRANSPOSE_DEPTH || transpose == TRANSPOSE_NONE
             ? hash_pair(key, depth)
             : key;
}

static NodeId add_terminal(Search *search, Game *game, NodeSeed *seed) {
  int goals[RULE_ROLES];
  for (uint32_t role = 0; role < search->role_count; role++) {
    int goal = game_goal(game, role);
    goals[role] = goal < 0 ? 0 : goal;
  }
  seed->goals = goals;
  return tree_add(search->tree, NULL, seed);
}

/* Lists the numbers of the legal moves, role by role; returns false if a role
   has none. */
static bool list_moves(Search *search, Game *game, uint32_t *counts) {
  vector_clear(&search->own.candidates);
  for (uint32_t role = 0; role < search->role_count; role++) {
    const Move *list;
    counts[role] = game_legal(game, role, &list);
    if (!counts[role]) return false;
    for (uint32_t i = 0; i < counts[role]; i++)
      vector_push(&search->own.candidates,
                  numbering_number(&search->moves, role, list[i]));
  }
  mast_grow(&search->mast, numbering_count(&search->moves));
  return true;
}

/* Leaves out moves that others stand for. */
static void leave_out(Search *search, const NodeSeed *seed, uint32_t *counts) {
  if (search->symmetries)
    symmetries_reduce(search->symmetries, seed->state,
                      search->own.candidates.data, counts);
}

NodeId grow_node(Search *search, Game *game, uint32_t depth, bool *added) {
  uint32_t counts[RULE_ROLES];
  NodeSeed seed = {0};
  *added = false;
  NodeId id = find_node(search, game, depth, &seed);
  if (id)
    return tree_open(search->tree, NULL, tree_node(search->tree, id)) ? id : 0;
  *added = true;
  if (game_terminal(game)) {
    id = add_terminal(search, game, &seed);
  } else if (list_moves(search, game, counts)) {
    leave_out(search, &seed, counts);
    seed.move_counts = counts;
    seed.moves = search->own.candidates.data;
    id = tree_add(search->tree, NULL, &seed);
  }
  return id;
}

void grow_make_room(Search *search) {
  if (search_is_full(search))
    search_set_full(search,
                    !tree_prune(search->tree, search->root, pruned_share));
}
