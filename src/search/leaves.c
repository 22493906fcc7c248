/* The steps of a batch. Descents use virtual loss so that they part: a pending
   descent counts as visits that returned nothing. All leaves are expanded by
   one wide step and played out in lanes, each several times; a leaf's return is
   the mean of its playouts', each discounted by its own length. */
#include "engine/zobrist.h"
#include "search/batch.h"

enum { FEWEST_LEAVES = 32, YOUTH = 4 };

/* ---- down ---- */

static void push_pending(Search *search, Node *node, const uint32_t *choices,
                         int change) {
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t count;
    Action *actions = node_actions(search->tree, node, role, &count);
    actions[choices[role]].pending =
        (uint16_t)(actions[choices[role]].pending + change);
  }
}

static const uint32_t *choose(Batch *batch, Node *node) {
  Search *search = batch->search;
  uint32_t roles = search->role_count, at = batch->nodes.count;
  vector_push(&batch->nodes, node->id);
  vector_resize(&batch->choices, (at + 1) * roles);
  vector_resize(&batch->moves, (at + 1) * roles);
  uint32_t *choices = batch->choices.data + at * roles;
  for (uint32_t role = 0; role < roles; role++) {
    uint32_t count, choice = select_action(search, node, role);
    choices[role] = choice;
    batch->moves.data[at * roles + role] =
        node_actions(search->tree, node, role, &count)[choice].move;
  }
  push_pending(search, node, choices, 1);
  return choices;
}

static void descend_once(Batch *batch) {
  Search *search = batch->search;
  Leaf leaf = {.first = batch->nodes.count};
  NodeId id = search->root;
  search->number++;
  for (;;) {
    Node *node = tree_node(search->tree, id);
    leaf.node = id;
    leaf.kind = LEAF_KNOWN;
    if (node->flags & (NODE_TERMINAL | NODE_PROVEN)) break;
    leaf.kind = LEAF_PLAY;
    if (node->path == search->number) break;
    node->path = search->number;
    id = tree_child(search->tree, node, choose(batch, node));
    leaf.kind = LEAF_STEP;
    if (!id) break;
  }
  leaf.steps = batch->nodes.count - leaf.first;
  vector_push(&batch->list, leaf);
  search->depth_sum += leaf.steps;
  if (leaf.steps > search->report.depth_most)
    search->report.depth_most = leaf.steps;
}

/* A young tree gets few leaves at once, played out more often so that all lanes
   have work: descents then see the results of those before. */
static uint32_t count_leaves(const Batch *batch) {
  const Search *search = batch->search;
  uint32_t count = tree_node(search->tree, search->root)->visits / YOUTH;
  if (count < FEWEST_LEAVES) count = FEWEST_LEAVES;
  return count < batch->leaves ? count : batch->leaves;
}

void leaves_descend(Batch *batch) {
  uint32_t count = count_leaves(batch);
  batch->playouts = batch->lanes / count;
  if (batch->playouts < batch->repeat) batch->playouts = batch->repeat;
  vector_clear(&batch->list);
  vector_clear(&batch->nodes);
  for (uint32_t i = 0; i < count; i++) descend_once(batch);
}

/* ---- the wide step ---- */

void leaves_collect_steps(Batch *batch) {
  Search *search = batch->search;
  uint32_t roles = search->role_count, words = search->book->words;
  vector_clear(&batch->stepping);
  vector_clear(&batch->joints);
  for (uint32_t i = 0; i < batch->list.count; i++) {
    const Leaf *leaf = &batch->list.data[i];
    if (leaf->kind != LEAF_STEP) continue;
    const Node *node = tree_node(search->tree, leaf->node);
    const uint64_t *state = node_state(search->tree, node);
    const uint32_t *moves =
        batch->moves.data + (leaf->first + leaf->steps - 1) * roles;
    memcpy(batch->states.data + (size_t)batch->stepping.count * words, state,
           words * sizeof *state);
    for (uint32_t role = 0; role < roles; role++)
      vector_push(&batch->joints, moves[role]);
    vector_push(&batch->stepping, i);
  }
}

static NodeId add_terminal(Search *search, NodeSeed *seed, int *goals) {
  for (uint32_t role = 0; role < search->role_count; role++)
    if (goals[role] < 0) goals[role] = 0;
  seed->goals = goals;
  return tree_add(search->tree, seed);
}

static NodeId add_open(Search *search, NodeSeed *seed, const uint64_t *legal) {
  const Net *net = &search->book->net;
  uint32_t counts[RULE_ROLES] = {0}, words = (net->moves.count + 63) / 64;
  vector_clear(&search->candidates);
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t bits = legal[w]; bits; bits &= bits - 1) {
      uint32_t move = w * 64 + (uint32_t)__builtin_ctzll(bits);
      counts[net->moves.data[move].role]++;
      vector_push(&search->candidates, move);
    }
  for (uint32_t role = 0; role < search->role_count; role++)
    if (!counts[role]) return 0; /* stuck: playouts will say so */
  seed->move_counts = counts;
  seed->moves = search->candidates.data;
  return tree_add(search->tree, seed);
}

/* The node of item i's successor, linked; 0: there is no room. */
static NodeId place_successor(Batch *batch, uint32_t i) {
  Search *search = batch->search;
  Leaf *leaf = &batch->list.data[batch->stepping.data[i]];
  uint32_t words = search->book->words, roles = search->role_count;
  uint32_t legal_words = (search->book->net.moves.count + 63) / 64;
  const uint64_t *state = batch->successors.data + (size_t)i * words;
  uint64_t key = zobrist_state_key(search->book->zobrist, state,
                                   search->book->net.fluents.count);
  NodeSeed seed = {.key = grow_key(search, key, search->depth + leaf->steps),
                   .state = state,
                   .state_words = words};
  NodeId id = tree_find(search->tree, seed.key, state, words);
  if (!id)
    id = batch->terminal[i]
             ? add_terminal(search, &seed, batch->goals + (size_t)i * roles)
             : add_open(search, &seed,
                        batch->legal.data + (size_t)i * legal_words);
  const uint32_t *choices =
      batch->choices.data + (leaf->first + leaf->steps - 1) * roles;
  if (!id || !tree_link(search->tree, tree_node(search->tree, leaf->node),
                        choices, id))
    search->full = true;
  return id;
}

static void add_start(Batch *batch, uint32_t leaf, const uint64_t *state) {
  uint32_t words = batch->search->book->words, at = batch->start_leaf.count;
  batch->list.data[leaf].start = at;
  memcpy(batch->starts.data + (size_t)at * words, state, words * sizeof *state);
  vector_push(&batch->start_leaf, leaf);
}

static bool is_known(const Search *search, NodeId id) {
  return id &&
         tree_node(search->tree, id)->flags & (NODE_TERMINAL | NODE_PROVEN);
}

void leaves_expand(Batch *batch) {
  ExpandTask task = {.count = batch->stepping.count,
                     .states = batch->states.data,
                     .joints = batch->joints.data,
                     .successors = batch->successors.data,
                     .legal = batch->legal.data,
                     .terminal = batch->terminal,
                     .goals = batch->goals};
  if (task.count) expand_run(&batch->expand, &task);
}

static void place_step(Batch *batch, uint32_t i) {
  const Search *search = batch->search;
  NodeId id = place_successor(batch, i);
  uint32_t number = batch->stepping.data[i];
  Leaf *leaf = &batch->list.data[number];
  leaf->node = id;
  leaf->kind = is_known(search, id) ? LEAF_KNOWN : LEAF_PLAY;
  if (leaf->kind == LEAF_PLAY)
    add_start(batch, number,
              batch->successors.data + (size_t)i * search->book->words);
}

/* Successors become nodes; nodes that descents met twice on their way are
   played out too. */
void leaves_place(Batch *batch) {
  const Search *search = batch->search;
  uint32_t next = 0;
  vector_clear(&batch->start_leaf);
  for (uint32_t i = 0; i < batch->list.count; i++) {
    const Leaf *leaf = &batch->list.data[i];
    if (next < batch->stepping.count && batch->stepping.data[next] == i)
      place_step(batch, next++);
    else if (leaf->kind == LEAF_PLAY)
      add_start(batch, i,
                node_state(search->tree, tree_node(search->tree, leaf->node)));
  }
}

/* ---- playouts ---- */

static void record_tail(Batch *batch, const WidePlayout *playout) {
  uint32_t roles = batch->search->role_count;
  Leaf *leaf = &batch->list.data[batch->start_leaf.data[playout->start]];
  leaf->tail = batch->tails.count;
  leaf->tail_count = playout->steps * roles;
  for (uint32_t step = 0; step < playout->steps; step++)
    for (uint32_t role = 0; role < roles; role++)
      vector_push(&batch->tails, wide_move(batch->wide, playout, step, role));
}

void leaves_hear(void *context, const WidePlayout *playout) {
  Batch *batch = context;
  const Search *search = batch->search;
  uint32_t roles = search->role_count;
  double *sums = batch->sums.data + (size_t)playout->start * roles;
  double values[RULE_ROLES] = {0};
  int goals[RULE_ROLES] = {0};
  bool ended = playout->outcome == WIDE_ENDED;
  for (uint32_t role = 0; role < roles; role++) {
    int goal = ended ? playout->goals[role] : (int)search->settings.cut;
    goals[role] = goal < 0 ? 0 : goal;
  }
  backup_returns(search, goals, values);
  for (uint32_t role = 0; role < roles; role++)
    sums[role] += values[role] * batch->discount[playout->steps];
  if (search->settings.rave && !batch->counts.data[playout->start])
    record_tail(batch, playout);
  batch->counts.data[playout->start]++;
  batch->cut_off += !ended;
}

void leaves_exchange_scores(Batch *batch) {
  Search *search = batch->search;
  uint32_t moves = search->book->net.moves.count;
  const CreditSum *credit = wide_credit(batch->wide);
  for (uint32_t i = 0; i < moves; i++)
    if (credit[i].playouts)
      mast_add_many(&search->mast, i, (double)credit[i].playouts,
                    (double)credit[i].goals);
  for (uint32_t i = 0; i < moves; i++)
    batch->scores[i] = mast_value(&search->mast, i) / search->settings.tau;
  wide_set_scores(batch->wide, batch->scores);
  wide_clear(batch->wide);
}

void leaves_play(Batch *batch) {
  uint32_t count = batch->start_leaf.count;
  uint32_t roles = batch->search->role_count;
  vector_clear(&batch->tails);
  if (!count) return;
  vector_resize(&batch->sums, count * roles);
  vector_resize(&batch->counts, count);
  memset(batch->sums.data, 0, count * roles * sizeof *batch->sums.data);
  memset(batch->counts.data, 0, count * sizeof *batch->counts.data);
  wide_set_starts(batch->wide, batch->starts.data, count, batch->playouts);
  while (wide_run(batch->wide, UINT32_MAX)) continue;
}

/* ---- up ---- */

static void take_values(const Batch *batch, const Leaf *leaf) {
  Search *search = batch->search;
  uint32_t roles = search->role_count;
  if (leaf->kind == LEAF_KNOWN) {
    int goals[RULE_ROLES];
    const int8_t *known =
        node_goals(search->tree, tree_node(search->tree, leaf->node));
    for (uint32_t role = 0; role < roles; role++) goals[role] = known[role];
    backup_returns(search, goals, search->values);
    return;
  }
  const double *sums = batch->sums.data + (size_t)leaf->start * roles;
  for (uint32_t role = 0; role < roles; role++)
    search->values[role] = sums[role] / batch->counts.data[leaf->start];
}

/* The leaf's path as the search's, for backup.c. */
static void take_path(const Batch *batch, const Leaf *leaf) {
  Search *search = batch->search;
  Path *path = &search->path;
  uint32_t roles = search->role_count, numbers = leaf->steps * roles;
  path->steps = leaf->steps;
  vector_resize(&path->nodes, leaf->steps);
  vector_resize(&path->choices, numbers);
  vector_resize(&path->moves, numbers);
  if (!leaf->steps) return;
  memcpy(path->nodes.data, batch->nodes.data + leaf->first,
         leaf->steps * sizeof(NodeId));
  memcpy(path->choices.data, batch->choices.data + leaf->first * roles,
         numbers * sizeof(uint32_t));
  memcpy(path->moves.data, batch->moves.data + leaf->first * roles,
         numbers * sizeof(uint32_t));
}

static void back_up_leaf(Batch *batch, const Leaf *leaf) {
  Search *search = batch->search;
  search->number++;
  take_path(batch, leaf);
  take_values(batch, leaf);
  for (uint32_t step = 0; step < leaf->steps; step++)
    push_pending(search, tree_node(search->tree, search->path.nodes.data[step]),
                 search->path.choices.data + step * search->role_count, -1);
  if (search->settings.rave && leaf->kind == LEAF_PLAY)
    backup_stamp(search, batch->tails.data + leaf->tail, leaf->tail_count);
  backup_path(search);
  if (search->settings.solver && leaf->kind == LEAF_KNOWN)
    backup_proofs(search);
  search->report.states += leaf->steps;
  search->report.simulations +=
      leaf->kind == LEAF_KNOWN ? 1 : batch->counts.data[leaf->start];
}

void leaves_back_up(Batch *batch) {
  Search *search = batch->search;
  for (uint32_t i = 0; i < batch->list.count; i++)
    back_up_leaf(batch, &batch->list.data[i]);
  search->report.descents += batch->list.count;
  search->report.cut_off += batch->cut_off;
  batch->cut_off = 0;
}
