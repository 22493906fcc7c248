/* Many simulations at once. A batch is: descend for every leaf, with virtual
   loss so that descents part; expand all leaves by one wide step; play all of
   them out in lanes, each several times; back up one after the other.

   A leaf is the end of a descent: a joint move not yet tried in its last node,
   a node whose goals are known, or a node seen twice on the way. Paths of all
   leaves lie one after the other; a leaf's return is the mean of its playouts',
   each discounted by its own length. */
#include "base/clock.h"
#include "engine/zobrist.h"
#include "search/parts.h"
#include "search/prove.h"
#include "wide/expand.h"
#include "wide/wide.h"

enum { DEEPEST = 4096, SCORE_EVERY = 4 };

typedef enum { LEAF_STEP, LEAF_KNOWN, LEAF_PLAY } LeafKind;

typedef struct Leaf {
  LeafKind kind;
  uint32_t first, steps;     /* its path: nodes and joint moves */
  NodeId node;               /* that it ends in, once known */
  uint32_t start;            /* its row among the starts of playouts */
  uint32_t tail, tail_count; /* moves of its first playout (RAVE) */
} Leaf;

struct Batch {
  const Cones *cones;
  Expand expand;
  Wide *wide;
  uint32_t leaves, repeat;
  uint64_t batches;

  VECTOR(Leaf) list;
  VECTOR(NodeId) nodes;
  NumberVector choices, moves; /* role_count for each node */
  NumberVector tails;

  /* of the wide step, item by item */
  NumberVector stepping; /* leaves */
  VECTOR(uint64_t) states, successors, legal;
  NumberVector joints;
  bool *terminal;
  int *goals;

  /* of the playouts, start by start */
  VECTOR(uint64_t) starts;
  NumberVector start_leaf;
  VECTOR(double) sums; /* returns, by role */
  NumberVector counts;
  double *discount; /* γ^steps */
  double *scores;   /* Q(a)/τ by move */
};

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

static const uint32_t *choose(Search *search, Node *node) {
  Batch *batch = search->batch;
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

static void descend(Search *search) {
  Batch *batch = search->batch;
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
    id = tree_child(search->tree, node, choose(search, node));
    leaf.kind = LEAF_STEP;
    if (!id) break;
  }
  leaf.steps = batch->nodes.count - leaf.first;
  vector_push(&batch->list, leaf);
  search->depth_sum += leaf.steps;
  if (leaf.steps > search->report.depth_most)
    search->report.depth_most = leaf.steps;
}

/* ---- the wide step ---- */

static void collect_steps(Search *search) {
  Batch *batch = search->batch;
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
static NodeId place_successor(Search *search, uint32_t i) {
  Batch *batch = search->batch;
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

static void add_start(Search *search, uint32_t leaf, const uint64_t *state) {
  Batch *batch = search->batch;
  uint32_t words = search->book->words, at = batch->start_leaf.count;
  batch->list.data[leaf].start = at;
  memcpy(batch->starts.data + (size_t)at * words, state, words * sizeof *state);
  vector_push(&batch->start_leaf, leaf);
}

static bool is_known(const Search *search, NodeId id) {
  return id &&
         tree_node(search->tree, id)->flags & (NODE_TERMINAL | NODE_PROVEN);
}

static void expand_leaves(Search *search) {
  Batch *batch = search->batch;
  uint32_t words = search->book->words;
  collect_steps(search);
  ExpandTask task = {.count = batch->stepping.count,
                     .states = batch->states.data,
                     .joints = batch->joints.data,
                     .successors = batch->successors.data,
                     .legal = batch->legal.data,
                     .terminal = batch->terminal,
                     .goals = batch->goals};
  if (task.count) expand_run(&batch->expand, &task);
  vector_clear(&batch->start_leaf);
  for (uint32_t i = 0; i < task.count; i++) {
    NodeId id = place_successor(search, i);
    uint32_t number = batch->stepping.data[i];
    Leaf *leaf = &batch->list.data[number];
    leaf->node = id;
    leaf->kind = is_known(search, id) ? LEAF_KNOWN : LEAF_PLAY;
    if (leaf->kind == LEAF_PLAY)
      add_start(search, number, batch->successors.data + (size_t)i * words);
  }
}

/* ---- playouts ---- */

/* Nodes that descents met twice on their way are played out too. */
static void collect_starts(Search *search) {
  Batch *batch = search->batch;
  for (uint32_t i = 0, next = 0; i < batch->list.count; i++) {
    if (next < batch->stepping.count && batch->stepping.data[next] == i) {
      next++;
      continue;
    }
    const Leaf *leaf = &batch->list.data[i];
    if (leaf->kind == LEAF_PLAY)
      add_start(search, i,
                node_state(search->tree, tree_node(search->tree, leaf->node)));
  }
}

static void record_tail(Search *search, const WidePlayout *playout) {
  Batch *batch = search->batch;
  Leaf *leaf = &batch->list.data[batch->start_leaf.data[playout->start]];
  leaf->tail = batch->tails.count;
  leaf->tail_count = playout->steps * search->role_count;
  for (uint32_t step = 0; step < playout->steps; step++)
    for (uint32_t role = 0; role < search->role_count; role++)
      vector_push(&batch->tails, wide_move(batch->wide, playout, step, role));
}

static void hear(void *context, const WidePlayout *playout) {
  Search *search = context;
  Batch *batch = search->batch;
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
    record_tail(search, playout);
  batch->counts.data[playout->start]++;
  if (!ended) search->report.cut_off++;
}

/* What playouts told of moves goes into MAST, and MAST into the playouts. */
static void exchange_scores(Search *search) {
  Batch *batch = search->batch;
  const Net *net = &search->book->net;
  const CreditSum *credit = wide_credit(batch->wide);
  for (uint32_t i = 0; i < net->moves.count; i++)
    if (credit[i].playouts)
      mast_add_many(&search->mast, i, (double)credit[i].playouts,
                    (double)credit[i].goals);
  for (uint32_t i = 0; i < net->moves.count; i++)
    batch->scores[i] = mast_value(&search->mast, i) / search->settings.tau;
  wide_set_scores(batch->wide, batch->scores);
}

static void play_leaves(Search *search) {
  Batch *batch = search->batch;
  uint32_t count = batch->start_leaf.count, roles = search->role_count;
  if (!count) return;
  vector_resize(&batch->sums, count * roles);
  vector_resize(&batch->counts, count);
  memset(batch->sums.data, 0, count * roles * sizeof *batch->sums.data);
  memset(batch->counts.data, 0, count * sizeof *batch->counts.data);
  vector_clear(&batch->tails);
  wide_set_starts(batch->wide, batch->starts.data, count, batch->repeat);
  while (wide_run(batch->wide, UINT32_MAX)) continue;
  const WideTotals *totals = wide_totals(batch->wide);
  search->report.states += totals->states;
  if (search->settings.playout == PLAYOUT_MAST &&
      batch->batches++ % SCORE_EVERY == 0)
    exchange_scores(search);
  wide_clear(batch->wide);
}

/* ---- up ---- */

static void take_values(Search *search, const Leaf *leaf) {
  const Batch *batch = search->batch;
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
static void take_path(Search *search, const Leaf *leaf) {
  const Batch *batch = search->batch;
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

static void back_up(Search *search) {
  Batch *batch = search->batch;
  uint32_t roles = search->role_count;
  for (uint32_t i = 0; i < batch->list.count; i++) {
    const Leaf *leaf = &batch->list.data[i];
    search->number++;
    take_path(search, leaf);
    take_values(search, leaf);
    for (uint32_t step = 0; step < leaf->steps; step++)
      push_pending(search,
                   tree_node(search->tree, search->path.nodes.data[step]),
                   search->path.choices.data + step * roles, -1);
    if (search->settings.rave && leaf->kind == LEAF_PLAY)
      backup_stamp(search, batch->tails.data + leaf->tail, leaf->tail_count);
    backup_path(search);
    if (search->settings.solver && leaf->kind == LEAF_KNOWN)
      backup_proofs(search);
    search->report.states += leaf->steps;
    search->report.simulations +=
        leaf->kind == LEAF_KNOWN ? 1 : batch->counts.data[leaf->start];
  }
  search->report.descents += batch->list.count;
}

/* ---- all of it ---- */

static double end_phase(Search *search, SearchPhase phase, double since) {
  double now = clock_now();
  search->report.phases[phase] += now - since;
  return now;
}

static void run_one(Search *search) {
  Batch *batch = search->batch;
  double now = clock_now();
  vector_clear(&batch->list);
  vector_clear(&batch->nodes);
  for (uint32_t i = 0; i < batch->leaves; i++) descend(search);
  now = end_phase(search, PHASE_DESCEND, now);
  expand_leaves(search);
  collect_starts(search);
  now = end_phase(search, PHASE_EXPAND, now);
  play_leaves(search);
  now = end_phase(search, PHASE_PLAYOUT, now);
  back_up(search);
  end_phase(search, PHASE_BACKUP, now);
}

void batch_run(Search *search, const Budget *budget, double deadline) {
  while (!search_spent(search, budget, deadline)) {
    search_make_room(search);
    run_one(search);
    search_answer(search);
    if (tree_node(search->tree, search->root)->flags & NODE_PROVEN) break;
  }
}

/* ---- life ---- */

static void make_room(Search *search) {
  Batch *batch = search->batch;
  const Net *net = &search->book->net;
  uint32_t words = search->book->words, leaves = batch->leaves;
  vector_resize(&batch->states, leaves * words);
  vector_resize(&batch->successors, leaves * words);
  vector_resize(&batch->starts, leaves * words);
  vector_resize(&batch->legal, leaves * ((net->moves.count + 63) / 64));
  batch->terminal = memory_new(leaves * sizeof *batch->terminal);
  batch->goals = memory_new(leaves * search->role_count * sizeof(int));
  batch->scores = memory_new(net->moves.count * sizeof *batch->scores);
  batch->discount = memory_new(((size_t)search->settings.steps + 1) *
                               sizeof *batch->discount);
  batch->discount[0] = 1;
  for (int64_t i = 1; i <= search->settings.steps; i++)
    batch->discount[i] = batch->discount[i - 1] * search->settings.gamma;
}

Batch *batch_new(Search *search) {
  const Settings *settings = &search->settings;
  const Cones *cones =
      rulebook_cones(search->book, (uint32_t)settings->lanes / 64);
  if (!cones) return NULL;
  Batch *batch = search->batch = memory_new(sizeof *batch);
  batch->cones = cones;
  expand_init(&batch->expand, cones);
  batch->leaves =
      settings->leaves ? (uint32_t)settings->leaves : cones->mode.words * 64;
  batch->repeat = settings->repeat ? (uint32_t)settings->repeat : 4;
  WideOptions options = {.seed = random_next(&search->random),
                         .step_limit = (uint32_t)settings->steps,
                         .record = settings->rave,
                         .credit = settings->playout == PLAYOUT_MAST,
                         .listener = hear,
                         .context = search};
  uint32_t words = (uint32_t)settings->lanes / 64;
  batch->wide = wide_new(
      settings->capture ? rulebook_capturing(search->book, words) : cones,
      &options);
  make_room(search);
  return batch;
}

void batch_delete(Batch *batch) {
  expand_free(&batch->expand);
  wide_delete(batch->wide);
  vector_free(&batch->list);
  vector_free(&batch->nodes);
  vector_free(&batch->choices);
  vector_free(&batch->moves);
  vector_free(&batch->tails);
  vector_free(&batch->stepping);
  vector_free(&batch->states);
  vector_free(&batch->successors);
  vector_free(&batch->legal);
  vector_free(&batch->joints);
  vector_free(&batch->starts);
  vector_free(&batch->start_leaf);
  vector_free(&batch->sums);
  vector_free(&batch->counts);
  memory_delete(batch->terminal);
  memory_delete(batch->goals);
  memory_delete(batch->scores);
  memory_delete(batch->discount);
  memory_delete(batch);
}
