#include "search/twins.h"

/* ---- reports ---- */

static const SearchMove *find_move(const SearchReport *report, Move move) {
  for (uint32_t i = 0; i < report->moves.count; i++)
    if (report->moves.data[i].move == move) return &report->moves.data[i];
  return NULL;
}

/* Adds a move that the root leaves out, with the value of one of its orbit: the
   first, or another one in trees that were mapped. */
static void add_twin(SearchReport *report, const uint32_t *moves,
                     const uint32_t *twins, uint32_t count, uint32_t at) {
  const SearchMove *known = NULL;
  if (find_move(report, moves[at])) return;
  for (uint32_t i = 0; i < count && !known; i++)
    if (twins[i] == twins[at]) known = find_move(report, moves[i]);
  if (!known) return;
  SearchMove made = *known;
  made.move = moves[at];
  made.visits = 0;
  made.action = SEARCH_NO_ACTION;
  vector_push(&report->moves, made);
}

/* The engine stands at the root's state. */
void twins_report(Search *search) {
  NumberVector moves = {0}, twins = {0};
  uint32_t counts[RULE_ROLES], first = 0;
  const uint64_t *state;
  if (!search->symmetries) return;
  for (uint32_t role = 0; role < search->role_count; role++) {
    const Move *list;
    counts[role] = game_legal(search->game, role, &list);
    if (role == search->role) first = moves.count;
    for (uint32_t i = 0; i < counts[role]; i++) vector_push(&moves, list[i]);
  }
  vector_resize(&twins, moves.count);
  game_state(search->game, &state);
  if (symmetries_twins(search->symmetries, state, moves.data, counts,
                       twins.data))
    for (uint32_t i = 0; i < counts[search->role]; i++)
      add_twin(&search->report, moves.data + first, twins.data + first,
               counts[search->role], i);
  vector_free(&moves);
  vector_free(&twins);
}

/* ---- moves that were left out ---- */

/* Finds the root's actions with the images of these moves. */
static bool find_choices(const Search *search, const Move *joint,
                         const uint32_t *moves, uint32_t *choices) {
  Node *root = tree_node(search->tree, search->root);
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t count, i = 0, wanted = moves ? moves[joint[role]] : joint[role];
    const Action *actions = node_actions(search->tree, root, role, &count);
    while (i < count && actions[i].move != wanted) i++;
    if (i == count) return false;
    choices[role] = i;
  }
  return true;
}

static void invert(const uint32_t *list, uint32_t count, uint32_t *inverse) {
  for (uint32_t i = 0; i < count; i++) inverse[list[i]] = i;
}

/* The tree below `child` becomes what the inverse maps it to. */
static void map_back(Search *search, NodeId child, const Automorphism *image) {
  const Net *net = &search->book->net;
  NumberVector fluents = {0}, moves = {0};
  VECTOR(uint64_t) scratch = {0};
  vector_resize(&fluents, net->fluents.count);
  vector_resize(&moves, net->moves.count);
  vector_resize(&scratch, search->book->words);
  invert(image->fluents, net->fluents.count, fluents.data);
  invert(image->moves, net->moves.count, moves.data);
  tree_keep(search->tree, child);
  tree_map(search->tree, &(TreeImage){fluents.data, moves.data,
                                      search->book->zobrist, scratch.data});
  vector_free(&fluents);
  vector_free(&moves);
  vector_free(&scratch);
}

void twins_follow(Search *search, const Move *joint) {
  uint32_t choices[RULE_ROLES];
  if (!search->symmetries || !search->root ||
      search->settings.tree != TREE_KEEP ||
      search->settings.transpose != TRANSPOSE_STATE ||
      tree_node(search->tree, search->root)->flags & NODE_CLOSED ||
      find_choices(search, joint, NULL, choices))
    return;
  for (uint32_t e = 0; e < search->symmetries->count; e++) {
    const Automorphism *image = &search->symmetries->list[e];
    if (!symmetries_fix(search->symmetries, e, search->root_state.data) ||
        !find_choices(search, joint, image->moves, choices))
      continue;
    NodeId child = tree_child(search->tree,
                              tree_node(search->tree, search->root), choices);
    if (child) map_back(search, child, image);
    return;
  }
}
