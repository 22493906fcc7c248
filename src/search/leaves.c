/* The steps of a round after its descents. Its leaves are expanded by one wide
   step and go to the lanes, each for several playouts; leaves of this and
   earlier rounds whose playouts are over are backed up. A leaf's return is the
   mean of its playouts' returns, each discounted by its own length. */
#include "search/leaves.h"

#include "base/bits.h"
#include "scalar/zobrist.h"
#include "search/backup.h"
#include "search/descend.h"
#include "search/grow.h"
#include "search/judge.h"
#include "search/merge.h"
#include "search/tree_share.h"

/* A round waits until one in ROUNDS of the leaves at play is done. With 2 the
   wide step serves more leaves, but lanes wait (skirmish: 82 % at work instead
   of 88 %). */
enum { ROUNDS = 3 };

/* ---- one leaf's backup ---- */

static void take_values(const Batch *batch, const Leaf *leaf) {
  const Search *search = batch->search;
  Scratch *own = batch->own;
  uint32_t roles = search->role_count;
  if (leaf->kind == LEAF_KNOWN) {
    backup_known(search, own,
                 node_goals(search->tree, tree_node(search->tree, leaf->node)));
    return;
  }
  size_t number = (size_t)(leaf - batch->list);
  const double *sums = batch->sums.data + number * roles;
  const double *judged = batch->judged.data + number * roles;
  if (judge_alone(search)) {
    judge_take(search, own, judged);
    return;
  }
  if (batch->highest.count)
    for (uint32_t role = 0; role < roles; role++)
      own->highest[role] = batch->highest.data[number * roles + role];
  for (uint32_t role = 0; role < roles; role++)
    own->values[role] = sums[role] / leaf->heard;
  if (judge_leaves(search)) judge_mix(search, own, judged);
}

static void back_up(Batch *batch, const Leaf *leaf) {
  Search *search = batch->search;
  Scratch *own = batch->own;
  own->number++;
  take_values(batch, leaf);
  if (search->settings.rave && leaf->kind == LEAF_PLAY)
    backup_stamp(search, own, leaf->tail.data, leaf->tail.count);
  if (search->settings.rave)
    backup_path(search, own, &leaf->path);
  else
    merge_add(search, own, &leaf->path);
  if (search->settings.solver && leaf->kind == LEAF_KNOWN)
    backup_proofs(search, &leaf->path);
  batch->tally.states += leaf->path.steps;
  batch->tally.simulations += leaf->heard ? leaf->heard : 1;
}

/* ---- the wide step ---- */

void leaves_collect_steps(Batch *batch) {
  Search *search = batch->search;
  uint32_t roles = search->role_count, words = search->book->words;
  vector_clear(&batch->stepping);
  vector_clear(&batch->joints);
  for (uint32_t i = 0; i < batch->fresh.count; i++) {
    const Leaf *leaf = &batch->list[batch->fresh.data[i]];
    if (leaf->kind != LEAF_STEP) continue;
    const Node *node = tree_node(search->tree, leaf->node);
    const uint64_t *state = node_state(search->tree, node);
    const uint32_t *moves =
        leaf->path.moves.data + (leaf->path.steps - 1) * roles;
    memcpy(batch->states.data + (size_t)batch->stepping.count * words, state,
           words * sizeof *state);
    for (uint32_t role = 0; role < roles; role++)
      vector_push(&batch->joints, moves[role]);
    vector_push(&batch->stepping, batch->fresh.data[i]);
  }
}

/* Returns the key of item i's successor. */
static uint64_t item_key(const Batch *batch, uint32_t i) {
  const Search *search = batch->search;
  const Book *book = search->book;
  const Leaf *leaf = &batch->list[batch->stepping.data[i]];
  const uint64_t *state = batch->successors.data + (size_t)i * book->words;
  return grow_key(
      search, zobrist_state_key(book->zobrist, state, book->net.fluents.count),
      search->depth + leaf->path.steps);
}

/* Lists the legal moves of item i's successor, which the net has role by role,
   without those that others stand for. */
static void list_moves(Batch *batch, uint32_t i) {
  const Net *net = &batch->search->book->net;
  uint32_t roles = batch->search->role_count;
  uint32_t words = (uint32_t)bits_words(net->moves.count);
  const uint64_t *legal = batch->legal.data + (size_t)i * words;
  uint32_t *counts = batch->counts.data + (size_t)i * roles;
  batch->firsts.data[i] = batch->moves.count;
  memset(counts, 0, roles * sizeof *counts);
  for (uint32_t w = 0; w < words && !batch->terminal[i]; w++)
    for (uint64_t bits = legal[w]; bits;) {
      uint32_t move = w * 64 + bits_take(&bits);
      counts[net->moves.data[move].role]++;
      vector_push(&batch->moves, move);
    }
  if (batch->search->symmetries && !batch->terminal[i]) {
    const uint64_t *state =
        batch->successors.data + (size_t)i * batch->search->book->words;
    uint32_t first = batch->firsts.data[i];
    batch->moves.count =
        first + symmetries_reduce(batch->search->symmetries, state,
                                  batch->moves.data + first, counts);
  }
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
  vector_clear(&batch->moves);
  for (uint32_t i = 0; i < task.count; i++) {
    batch->keys.data[i] = item_key(batch, i);
    list_moves(batch, i);
  }
}

static NodeId add_terminal(const Batch *batch, NodeSeed *seed, int *goals) {
  const Search *search = batch->search;
  for (uint32_t role = 0; role < search->role_count; role++)
    if (goals[role] < 0) goals[role] = 0;
  seed->goals = goals;
  return tree_add(search->tree, batch->store, seed);
}

static NodeId add_open(Batch *batch, NodeSeed *seed, uint32_t i) {
  Search *search = batch->search;
  const uint32_t *counts = batch->counts.data + (size_t)i * search->role_count;
  for (uint32_t role = 0; role < search->role_count; role++)
    if (!counts[role]) return 0; /* stuck: so will be the playouts */
  seed->move_counts = counts;
  seed->moves = batch->moves.data + batch->firsts.data[i];
  seed->closed = true;
  return tree_add(search->tree, batch->store, seed);
}

static bool link_child(const Batch *batch, NodeId parent,
                       const uint32_t *choices, NodeId child) {
  Tree *tree = batch->search->tree;
  Node *node = tree_lock(tree, parent);
  bool linked = tree_link(tree, batch->store, node, choices, child);
  tree_unlock(tree, node);
  return linked;
}

/* Returns the node of item i's successor, linked to its parent; 0 if there is
   no room. */
static NodeId place_successor(Batch *batch, uint32_t i) {
  Search *search = batch->search;
  Leaf *leaf = &batch->list[batch->stepping.data[i]];
  uint32_t words = search->book->words, roles = search->role_count;
  const uint64_t *state = batch->successors.data + (size_t)i * words;
  NodeSeed seed = {
      .key = batch->keys.data[i], .state = state, .state_words = words};
  NodeId id = tree_find(search->tree, seed.key, state, words);
  if (!id)
    id = batch->terminal[i]
             ? add_terminal(batch, &seed, batch->goals + (size_t)i * roles)
             : add_open(batch, &seed, i);
  const uint32_t *choices =
      leaf->path.choices.data + (leaf->path.steps - 1) * roles;
  if (!id || !link_child(batch, leaf->node, choices, id))
    search_set_full(search, true);
  return id;
}

static bool is_known(const Search *search, NodeId id) {
  return id && node_flags(tree_node(search->tree, id)) &
                   (NODE_TERMINAL | NODE_PROVEN);
}

static void free_leaf(Batch *batch, uint32_t number) {
  batch->tally.over += batch->list[number].playouts;
  batch->list[number].kind = LEAF_FREE;
  vector_push(&batch->free, number);
}

static void judge(Batch *batch, uint32_t number, const uint64_t *state,
                  const uint32_t *legal) {
  Search *search = batch->search;
  if (judge_leaves(search))
    judge_state(search, &batch->judge, state, legal,
                batch->judged.data + (size_t)number * search->role_count);
}

void leaves_begin(Batch *batch, uint32_t number, const uint64_t *state) {
  const Search *search = batch->search;
  uint32_t words = search->book->words, roles = search->role_count;
  memcpy(batch->starts.data + (size_t)number * words, state,
         words * sizeof *state);
  memset(batch->sums.data + (size_t)number * roles, 0,
         roles * sizeof *batch->sums.data);
  batch->list[number].heard = batch->list[number].steps = 0;
  vector_clear(&batch->list[number].tail);
  batch->at_play++;
}

/* Makes a node of the successor and prepares its playouts, or backs up a leaf
   whose goals are known. Nodes where a descent closed a cycle are played out,
   too. */
static void place(Batch *batch, uint32_t number, uint32_t *item) {
  const Search *search = batch->search;
  uint32_t words = search->book->words, i = *item;
  Leaf *leaf = &batch->list[number];
  const uint64_t *state = NULL;
  const uint32_t *legal = NULL;
  leaf->heard = 0;
  if (leaf->kind == LEAF_STEP) {
    leaf->node = place_successor(batch, i);
    leaf->kind = is_known(search, leaf->node) ? LEAF_KNOWN : LEAF_PLAY;
    state = batch->successors.data + (size_t)i * words;
    legal = batch->counts.data + (size_t)i * search->role_count;
    *item += 1;
  } else if (leaf->kind == LEAF_PLAY) {
    state = node_state(search->tree, tree_node(search->tree, leaf->node));
  }
  if (leaf->kind == LEAF_PLAY) judge(batch, number, state, legal);
  if (leaf->kind == LEAF_PLAY && !judge_alone(search)) {
    leaves_begin(batch, number, state);
  } else {
    back_up(batch, leaf);
    free_leaf(batch, number);
  }
}

void leaves_place(Batch *batch) {
  uint32_t item = 0;
  for (uint32_t i = 0; i < batch->stepping.count; i++)
    tree_prefetch_key(batch->search->tree, batch->keys.data[i]);
  for (uint32_t i = 0; i < batch->fresh.count; i++)
    place(batch, batch->fresh.data[i], &item);
  merge_teach(batch->search, batch->own);
}

/* ---- playouts ---- */

static void record_tail(Batch *batch, Leaf *leaf, const WidePlayout *playout) {
  uint32_t roles = batch->search->role_count;
  for (uint32_t step = 0; step < playout->steps; step++)
    for (uint32_t role = 0; role < roles; role++)
      vector_push(&leaf->tail, wide_move(batch->wide, playout, step, role));
}

static int goal_of(const Search *search, const WidePlayout *playout,
                   uint32_t role) {
  int goal =
      playout->outcome == WIDE_ENDED ? playout->goals[role] : search->aim.cut;
  return goal < 0 ? 0 : goal;
}

static void note_highest(Batch *batch, const Leaf *leaf, uint32_t role,
                         double value) {
  size_t number = (size_t)(leaf - batch->list);
  double *highest =
      batch->highest.data + number * batch->search->role_count + role;
  if (!leaf->heard || value > *highest) *highest = value;
}

/* The evaluation judges states in which playouts were cut off. */
static void take_returns(Batch *batch, const WidePlayout *playout) {
  const Search *search = batch->search;
  uint32_t roles = search->role_count;
  if (playout->outcome == WIDE_CUT_OFF && playout->state &&
      search->evaluation) {
    judge_state(search, &batch->judge, playout->state, NULL, batch->returns);
    return;
  }
  for (uint32_t role = 0; role < roles; role++) {
    int own = goal_of(search, playout, role);
    int other = roles == 2 ? goal_of(search, playout, 1 - role) : 0;
    batch->returns[role] = aim_return(&search->aim, own, other);
  }
}

void leaves_hear(void *context, const WidePlayout *playout) {
  Batch *batch = context;
  const Search *search = batch->search;
  uint32_t roles = search->role_count;
  Leaf *leaf = &batch->list[playout->start];
  double *sums = batch->sums.data + (size_t)playout->start * roles;
  take_returns(batch, playout);
  for (uint32_t role = 0; role < roles; role++) {
    double value = batch->returns[role] * batch->discount[playout->steps];
    sums[role] += value;
    if (batch->highest.count) note_highest(batch, leaf, role, value);
  }
  if (search->settings.rave && !leaf->heard) record_tail(batch, leaf, playout);
  leaf->heard++;
  leaf->steps += playout->steps;
  batch->tally.cut_off += playout->outcome != WIDE_ENDED;
}

/* The sum of the returns of a move's playouts. If the other role's goals were
   not summed, own and other goals add up to 100. */
double leaves_credit_return(const Batch *batch, const CreditSum *sum) {
  const Search *search = batch->search;
  double count = (double)sum->playouts, own = (double)sum->goals;
  double other = batch->rivals ? (double)sum->rival_goals : 100 * count - own;
  const Aim *aim = &search->aim;
  return aim->own * own + aim->other * other + aim->constant * count;
}

void leaves_add_credit(Batch *batch, const CreditSum *credit) {
  const Scratch *own = batch->own;
  for (uint32_t i = 0; i < batch->search->book->net.moves.count; i++) {
    double playouts = (double)credit[i].playouts;
    if (!credit[i].playouts) continue;
    double total = leaves_credit_return(batch, &credit[i]);
    mast_add(own->mast, i, playouts, total);
    if (own->gain) mast_add(own->gain, i, playouts, total);
  }
}

void leaves_take_credit(Batch *batch) {
  leaves_add_credit(batch, wide_credit(batch->wide));
  wide_clear(batch->wide);
  batch->states_before = batch->room_before = 0;
}

void leaves_set_scores(Batch *batch) {
  const Search *search = batch->search;
  const Net *net = &search->book->net;
  Mast *mast = batch->own->mast;
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t first = net->role_first.data[role];
    uint32_t end = net->role_first.data[role + 1];
    if (search->settings.spread > 0)
      mast_temper(mast, role, first, end, search->settings.spread,
                  search->settings.tau);
    for (uint32_t i = first; i < end; i++)
      batch->scores[i] = mast_belief(mast, role, i) / mast->roles[role].tau;
  }
  if (batch->wide) wide_set_scores(batch->wide, batch->scores);
}

void leaves_play(Batch *batch) {
  uint32_t words = batch->search->book->words;
  for (uint32_t i = 0; i < batch->fresh.count; i++) {
    uint32_t number = batch->fresh.data[i];
    const Leaf *leaf = &batch->list[number];
    if (leaf->kind == LEAF_PLAY)
      wide_add_start(batch->wide, number,
                     batch->starts.data + (size_t)number * words,
                     leaf->playouts);
  }
  batch->done = wide_play(batch->wide, (batch->at_play + ROUNDS - 1) / ROUNDS);
}

void leaves_end(Batch *batch, uint32_t number) {
  batch->at_play--;
  free_leaf(batch, number);
}

void leaves_back_up(Batch *batch) {
  for (uint32_t i = 0; i < batch->done; i++)
    leaves_finish(batch, wide_done(batch->wide, i));
  merge_teach(batch->search, batch->own);
}

void leaves_forget(Batch *batch, uint32_t number) {
  descend_forget(batch->search, &batch->list[number].path);
  leaves_end(batch, number);
}

void leaves_finish(Batch *batch, uint32_t number) {
  back_up(batch, &batch->list[number]);
  leaves_end(batch, number);
}

void leaves_drop(Batch *batch) {
  for (uint32_t i = 0; i < batch->leaves; i++)
    if (batch->list[i].kind != LEAF_FREE) leaves_forget(batch, i);
  if (batch->wide) wide_set_starts(batch->wide, batch->starts.data, 0, 0);
}
