/* Memory is divided so that all of it fills up at the same time: the store has
   keys and their index, the pages have parents and depths. Children of one
   batch are in vectors; they are few.

   The parent of a node always has a lower depth than the node has, also after
   shorter ways were found; so ways have no cycles, and may be shorter than
   depths say. */
#include "solve/nodes.h"

#include "base/bits.h"

enum {
  BATCH_CHILDREN = 1 << 14, /* of a batch, about */
  BATCH_LEAST = 64,         /* nodes */
  USUAL_CHILDREN = 8,       /* of a node; more count as several nodes */
  PHASES = 64,              /* of clocks, at most; more are taken for one */
  PHASE_STEPS = 512,        /* that are looked at */
  PHASE_SHIFT = 48,         /* in the last word of a key, if there is room */
  SEEN_STEPS = 1 << 16      /* transitions that are all shown to the distance */
};

typedef struct NodesInside {
  ScopePages *parents, *depths;
  uint64_t *phase_mask; /* timed fluents that moves or other fluents read */
  NumberVector phases;  /* by depth */
  NumberVector firsts;  /* by phase: the first depth that has it */
  bool phased;
  bool dropped;                /* something was left out: nothing is proved */
  uint64_t expanded, children; /* in all */
  uint64_t slice_expanded, slice_children; /* when the slice began */
  VECTOR(uint64_t) batch;
  VECTOR(uint16_t) batch_depths;
} NodesInside;

/* ---- phases ---- */

static void mark_gate(Signal signal, bool *marked, NumberVector *stack) {
  if (marked[signal_gate(signal)]) return;
  marked[signal_gate(signal)] = true;
  vector_push(stack, signal_gate(signal));
}

static void mark_inputs(const Net *net, Gate gate, bool *marked,
                        NumberVector *stack) {
  const NetGate *at = &net->gates.data[gate];
  if (at->kind == GATE_LOOP)
    mark_gate(net->loops.data[at->first].definition, marked, stack);
  for (uint32_t i = 0; at->kind == GATE_AND && i < at->count; i++)
    mark_gate(net_inputs(net, gate)[i], marked, stack);
}

/* Sets the timed fluents that matter for what happens before the end. */
static void find_phase_mask(const Packing *packing, uint64_t *mask) {
  const Net *net = packing->net;
  bool *marked = memory_new(net->gates.count);
  NumberVector stack = {0};
  for (uint32_t i = 0; i < packing->fields.count; i++) {
    const PackingField *field = &packing->fields.data[i];
    for (uint32_t j = 0; j < field->count; j++)
      mark_gate(net->fluents.data[field->fluents[j]].next, marked, &stack);
  }
  for (uint32_t i = 0; i < net->moves.count; i++)
    mark_gate(net->moves.data[i].legal, marked, &stack);
  while (stack.count) {
    Gate gate = stack.data[--stack.count];
    mark_inputs(net, gate, marked, &stack);
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (marked[net->fluents.data[i].gate] && bits_has(packing->timed, i))
      bits_add(mask, i);
  vector_free(&stack);
  memory_delete(marked);
}

static bool same_phase(Nodes *nodes, uint32_t a, uint32_t b) {
  const uint64_t *mask = nodes->inside->phase_mask;
  for (uint32_t w = 0; w < nodes->packing.state_words; w++) {
    uint64_t x = packing_time(&nodes->packing, a)[w];
    uint64_t y = packing_time(&nodes->packing, b)[w];
    if ((x ^ y) & mask[w]) return false;
  }
  return true;
}

/* Returns the number of the phase at a depth; phases are numbered as they come.
 */
static uint64_t phase_of(Nodes *nodes, uint32_t depth) {
  NodesInside *inside = nodes->inside;
  while (depth >= inside->phases.count) {
    uint32_t at = inside->phases.count, phase = 0;
    while (phase < inside->firsts.count &&
           !same_phase(nodes, inside->firsts.data[phase], at))
      phase++;
    if (phase == inside->firsts.count) vector_push(&inside->firsts, at);
    vector_push(&inside->phases, phase);
  }
  return inside->phases.data[depth];
}

/* Looks at the phases of the first steps. Where there are too many, they are
   those of a step counter: all depths are taken for the same phase, which loses
   states but not the truth of plans. */
static void find_phases(Nodes *nodes) {
  NodesInside *inside = nodes->inside;
  for (uint32_t depth = 0;
       depth < PHASE_STEPS && inside->firsts.count <= PHASES; depth++)
    phase_of(nodes, depth);
  inside->phased = inside->firsts.count > 1 && inside->firsts.count <= PHASES;
}

/* Writes the phase, or the depth, into a key. */
static void set_phase(Nodes *nodes, uint64_t *key, uint32_t depth) {
  NodesInside *inside = nodes->inside;
  if (!nodes->clocked && !inside->phased) {
    if (nodes->words > nodes->packing.words) key[nodes->words - 1] = 0;
    return;
  }
  uint64_t phase = nodes->clocked ? depth : phase_of(nodes, depth);
  if (nodes->words > nodes->packing.words)
    key[nodes->words - 1] = phase;
  else
    key[nodes->words - 1] |= phase << PHASE_SHIFT;
}

/* Copies a key without the phase. */
static void copy_plain(const Nodes *nodes, const uint64_t *key, uint64_t *to) {
  uint32_t words = nodes->packing.words;
  for (uint32_t w = 0; w < words; w++) to[w] = key[w];
  if (nodes->words == words && nodes->packing.timed_count)
    to[words - 1] &= ((uint64_t)1 << PHASE_SHIFT) - 1;
}

/* ---- children ---- */

uint32_t nodes_batch(const Nodes *nodes) {
  const NodesInside *inside = nodes->inside;
  uint64_t limit = nodes->fan->most;
  if (inside->children)
    limit = BATCH_CHILDREN * inside->expanded / inside->children;
  if (limit < BATCH_LEAST) limit = BATCH_LEAST;
  return limit < nodes->fan->most ? (uint32_t)limit : nodes->fan->most;
}

static void add_child(Nodes *nodes, const uint64_t *key, uint32_t from) {
  uint32_t child = nodes->child_count++, words = nodes->packing.words;
  vector_resize(&nodes->keys, (child + 1) * nodes->words);
  vector_resize(&nodes->from, child + 1);
  vector_resize(&nodes->child_depths, child + 1);
  uint64_t *to = nodes->keys.data + (size_t)child * nodes->words;
  uint16_t depth = (uint16_t)(nodes->depths[from] + 1);
  for (uint32_t w = 0; w < words; w++) to[w] = key[w];
  set_phase(nodes, to, depth);
  nodes->from.data[child] = from;
  nodes->child_depths.data[child] = depth;
}

/* The fan is faster if all have the same depth. */
static void load_batch(Nodes *nodes, const uint16_t *depths, uint32_t count) {
  bool same = true;
  for (uint32_t i = 1; i < count; i++) same &= depths[i] == depths[0];
  FanBatch batch = {.count = count,
                    .keys = nodes->inside->batch.data,
                    .depths = same ? NULL : depths,
                    .depth = count ? depths[0] : 0};
  fan_load(nodes->fan, &batch);
}

/* The clock of depths has 16 bits: states beyond them are not looked at. */
static void load(Nodes *nodes, const uint32_t *list, uint32_t count) {
  NodesInside *inside = nodes->inside;
  uint32_t words = nodes->packing.words;
  vector_resize(&inside->batch, count * words);
  vector_resize(&inside->batch_depths, count);
  for (uint32_t i = 0; i < count; i++) {
    copy_plain(nodes, nodes_key(nodes, list[i]),
               inside->batch.data + (size_t)i * words);
    inside->batch_depths.data[i] = nodes->depths[list[i]];
  }
  load_batch(nodes, inside->batch_depths.data, count);
}

/* Shows the distance some of the transitions: all of the first ones. */
static void show(Nodes *nodes, const uint64_t *from, const uint64_t *to) {
  uint64_t seen = nodes->inside->children++;
  if (seen < SEEN_STEPS || seen % 16 == 0)
    distance_see(nodes->distance, from, to);
}

void nodes_expand(Nodes *nodes, const uint32_t *list, uint32_t count) {
  Fan *fan = nodes->fan;
  uint32_t words = nodes->packing.words, successors;
  nodes->child_count = 0;
  load(nodes, list, count);
  while ((successors = fan_round(fan)))
    for (uint32_t i = 0; i < successors; i++) {
      uint32_t lane = fan->lanes[i];
      const uint64_t *key = fan->keys + (size_t)i * words;
      show(nodes, nodes->inside->batch.data + (size_t)lane * words, key);
      if (nodes->depths[list[lane]] < UINT16_MAX)
        add_child(nodes, key, list[lane]);
      else
        nodes->inside->dropped = true;
    }
  nodes->inside->expanded += count;
  method_count(nodes->method, count, nodes->child_count);
}

void nodes_rate(Nodes *nodes) {
  vector_resize(&nodes->ratings, nodes->child_count);
  distance_rate(nodes->distance, nodes->keys.data, nodes->words,
                nodes->child_depths.data, nodes->child_count,
                nodes->ratings.data);
}

void nodes_count(Nodes *nodes) {
  uint32_t most = nodes->fan->most, words = nodes->packing.words;
  NodesInside *inside = nodes->inside;
  vector_resize(&nodes->mobility, (nodes->child_count / most + 1) * most);
  vector_resize(&inside->batch, most * words);
  for (uint32_t first = 0; first < nodes->child_count; first += most) {
    uint32_t left = nodes->child_count - first;
    uint32_t count = left < most ? left : most;
    for (uint32_t i = 0; i < count; i++)
      copy_plain(nodes, nodes_child(nodes, first + i),
                 inside->batch.data + (size_t)i * words);
    load_batch(nodes, nodes->child_depths.data + first, count);
    fan_count(nodes->fan, nodes->mobility.data + first);
  }
}

/* Moves a child to a lower place. */
static void move_child(Nodes *nodes, uint32_t from, uint32_t to, bool rated) {
  if (from == to) return;
  memcpy(nodes->keys.data + (size_t)to * nodes->words, nodes_child(nodes, from),
         nodes->words * sizeof(uint64_t));
  nodes->from.data[to] = nodes->from.data[from];
  nodes->child_depths.data[to] = nodes->child_depths.data[from];
  if (rated) nodes->ratings.data[to] = nodes->ratings.data[from];
}

/* ---- nodes ---- */

static void set_node(Nodes *nodes, uint32_t node, uint32_t child) {
  nodes->parents[node] = nodes->from.data[child];
  nodes->depths[node] = nodes->child_depths.data[child];
}

bool nodes_enter(Nodes *nodes, bool known) {
  uint32_t count = nodes->child_count, kept = 0;
  vector_resize(&nodes->numbers, count);
  uint32_t *numbers = nodes->numbers.data;
  uint32_t done =
      count ? store_add_many(nodes->store, nodes->keys.data, count, numbers)
            : 0;
  for (uint32_t i = 0; i < done; i++) {
    uint32_t node = numbers[i] & ~(uint32_t)STORE_FRESH;
    bool fresh = numbers[i] & STORE_FRESH;
    bool nearer = !fresh && nodes->child_depths.data[i] < nodes->depths[node];
    if (fresh || nearer) set_node(nodes, node, i);
    /* a shorter way opens a state again if clocks may end the game */
    if (!fresh && !known && !(nearer && nodes->packing.timed_count)) continue;
    move_child(nodes, i, kept, false);
    numbers[kept++] = node;
  }
  nodes->child_count = kept;
  return done == count;
}

bool nodes_add(Nodes *nodes, uint32_t child, uint32_t *node) {
  bool fresh;
  *node = store_add(nodes->store, nodes_child(nodes, child), &fresh);
  if (*node == STORE_FULL || !fresh) return false;
  set_node(nodes, *node, child);
  return true;
}

bool nodes_clear(Nodes *nodes) {
  bool fresh;
  uint64_t *key = memory_new(nodes->words * sizeof *key);
  packing_pack(&nodes->packing, nodes->method->puzzle->start, key);
  set_phase(nodes, key, 0);
  store_clear(nodes->store);
  nodes->inside->dropped = false;
  uint32_t node = store_add(nodes->store, key, &fresh);
  memory_delete(key);
  if (node == STORE_FULL) return false;
  nodes->parents[node] = NODES_NONE;
  nodes->depths[node] = 0;
  return true;
}

/* ---- plans ---- */

void nodes_offer(Nodes *nodes, uint32_t child) {
  Puzzle *puzzle = nodes->method->puzzle;
  NumberVector way = {0};
  for (uint32_t node = nodes->from.data[child]; node != NODES_NONE;
       node = nodes->parents[node])
    vector_push(&way, node);
  MoveVector moves = {0};
  uint64_t *keys = memory_new(2 * nodes->packing.words * sizeof *keys);
  uint64_t *from = keys, *to = keys + nodes->packing.words;
  bool found = true;
  for (uint32_t i = way.count; found && i-- > 0;) {
    copy_plain(nodes, nodes_key(nodes, way.data[i]), from);
    copy_plain(
        nodes,
        i ? nodes_key(nodes, way.data[i - 1]) : nodes_child(nodes, child), to);
    Move move = fan_move(nodes->fan, from, way.count - 1 - i, to);
    found = move != FAN_NONE;
    if (found) vector_push(&moves, move);
  }
  if (found)
    puzzle_offer(puzzle, nodes->method->kind->name,
                 nodes->ratings.data[child].score, moves.data, moves.count);
  memory_delete(keys);
  vector_free(&moves);
  vector_free(&way);
}

static bool is_better(const Nodes *nodes, uint32_t child) {
  const Puzzle *puzzle = nodes->method->puzzle;
  int score = nodes->ratings.data[child].score, best = puzzle->score;
  return score > best || (score == best && score >= 0 &&
                          nodes->child_depths.data[child] < puzzle->length);
}

void nodes_harvest(Nodes *nodes) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < nodes->child_count; i++) {
    if (nodes->ratings.data[i].terminal) {
      if (is_better(nodes, i)) nodes_offer(nodes, i);
      if (nodes->ratings.data[i].score > nodes->method->puzzle->score)
        nodes->inside->dropped = true;
      continue;
    }
    move_child(nodes, i, kept, true);
    if (i < nodes->numbers.count)
      nodes->numbers.data[kept] = nodes->numbers.data[i];
    kept++;
  }
  nodes->child_count = kept;
}

void nodes_start_slice(Nodes *nodes) {
  nodes->inside->slice_expanded = nodes->inside->expanded;
  nodes->inside->slice_children = nodes->inside->children;
}

bool nodes_slice_over(const Nodes *nodes, const Slice *slice) {
  const NodesInside *inside = nodes->inside;
  uint64_t expanded = inside->expanded - inside->slice_expanded;
  uint64_t children = inside->children - inside->slice_children;
  if (expanded < children / USUAL_CHILDREN)
    expanded = children / USUAL_CHILDREN;
  return puzzle_solved(nodes->method->puzzle) ||
         method_slice_over(slice, expanded);
}

bool nodes_finish(Nodes *nodes) {
  Puzzle *puzzle = nodes->method->puzzle;
  if (nodes->packing.timed_count && !nodes->clocked) {
    nodes->clocked = true;
    return false;
  }
  if (puzzle->score >= 0 && !nodes->inside->dropped)
    puzzle_prove_bound(puzzle, nodes->method->kind->name, puzzle->score);
  return true;
}

/* ---- making ---- */

/* The store's key and its slot in a table that is at most seven eighths full;
   what we and the caller have of each node. */
static bool make_pages(Nodes *nodes, size_t memory, size_t extra) {
  NodesInside *inside = nodes->inside;
  size_t key = nodes->words * sizeof(uint64_t), stored = key + 9;
  size_t ours = sizeof *nodes->parents + sizeof *nodes->depths + extra;
  size_t share = memory / (stored + ours) * stored;
  size_t most = share / key + 1;
  if (most >= STORE_FRESH) most = STORE_FRESH - 1;
  nodes->store = store_new(nodes->words, share);
  inside->parents = memory_pages_new(most * sizeof *nodes->parents);
  inside->depths = memory_pages_new(most * sizeof *nodes->depths);
  if (!inside->parents || !inside->depths) return false;
  nodes->parents = inside->parents->address;
  nodes->depths = inside->depths->address;
  nodes->most = (uint32_t)most;
  return nodes_clear(nodes);
}

bool nodes_init(Nodes *nodes, Method *method, size_t memory, size_t extra) {
  Puzzle *puzzle = method->puzzle;
  *nodes = (Nodes){.method = method};
  if (!puzzle->net || puzzle->terminal) return false;
  packing_init(&nodes->packing, puzzle->book, puzzle->start);
  nodes->distance = distance_new(&nodes->packing, puzzle->book->analysis);
  nodes->fan = nodes->distance ? fan_new(puzzle->book, &nodes->packing) : NULL;
  if (!nodes->fan) {
    distance_delete(nodes->distance);
    packing_free(&nodes->packing);
    return false;
  }
  nodes->inside = memory_new(sizeof *nodes->inside);
  nodes->inside->phase_mask =
      memory_new(nodes->packing.state_words * sizeof(uint64_t));
  find_phase_mask(&nodes->packing, nodes->inside->phase_mask);
  find_phases(nodes);
  bool room = nodes->packing.used[nodes->packing.words - 1] <= PHASE_SHIFT;
  nodes->words = nodes->packing.words + (nodes->packing.timed_count && !room);
  if (make_pages(nodes, memory, extra)) return true;
  nodes_free(nodes);
  return false;
}

void nodes_free(Nodes *nodes) {
  NodesInside *inside = nodes->inside;
  store_delete(nodes->store);
  if (inside->parents) memory_pages_delete(inside->parents);
  if (inside->depths) memory_pages_delete(inside->depths);
  fan_delete(nodes->fan);
  distance_delete(nodes->distance);
  packing_free(&nodes->packing);
  vector_free(&nodes->keys);
  vector_free(&nodes->from);
  vector_free(&nodes->numbers);
  vector_free(&nodes->child_depths);
  vector_free(&nodes->ratings);
  vector_free(&nodes->mobility);
  vector_free(&inside->phases);
  vector_free(&inside->firsts);
  vector_free(&inside->batch);
  vector_free(&inside->batch_depths);
  memory_delete(inside->phase_mask);
  memory_delete(inside);
}
