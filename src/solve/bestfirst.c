/* The open list is an array of lists through the nodes, several for each
   priority: which one a node goes to, and which one is taken from, is random,
   so that equals come in no particular order. A batch takes the best nodes of
   whatever priority, as many as the fan has lanes: best-first search with K
   nodes at a time (Felner, Kraus and Korf 2003), which costs no more than one
   node would and is less easily led astray.

   With novelty the order is that of BFWS (Lipovetzky and Geffner 2017): states
   with an atom that no state of the same guide value had come first, then those
   with such a pair, then the rest; the guide breaks ties. */
#include "solve/bestfirst.h"

#include "base/bits.h"
#include "base/random.h"

enum {
  PRIORITIES = 1 << 15,
  LISTS = 4, /* for each priority */
  NOVELTIES = 3,
  FIELDS = 64,
  WARM = 2048 /* states expanded before steps are learned for the first time */
};

typedef struct List {
  uint32_t first, last; /* node + 1; 0: none */
} List;

struct BestFirst {
  Nodes *nodes;
  Atoms *atoms;
  BestFirstOrder order;
  Random random;
  List *lists;
  uint32_t lowest; /* no list before this priority has a node */
  uint64_t waiting;
  ScopePages *next_pages, *open_pages, *guide_pages;
  uint32_t *next;   /* by node: the next in its list + 1 */
  uint64_t *open;   /* nodes that are in a list */
  uint16_t *guides; /* by node; only with novelty */
  NumberVector batch;
  uint64_t expanded, learned;
  uint32_t best, worst;
};

/* ---- the open list ---- */

static uint32_t clamp(uint64_t priority, uint32_t limit) {
  return priority < limit ? (uint32_t)priority : limit - 1;
}

static void push(BestFirst *bestfirst, uint32_t node, uint32_t priority) {
  uint32_t which = (uint32_t)random_next(&bestfirst->random) % LISTS;
  List *list = &bestfirst->lists[priority * LISTS + which];
  bits_add(bestfirst->open, node);
  bestfirst->waiting++;
  if (priority < bestfirst->lowest) bestfirst->lowest = priority;
  if (bestfirst->order.oldest && list->last) {
    bestfirst->next[node] = 0;
    bestfirst->next[list->last - 1] = node + 1;
    list->last = node + 1;
  } else {
    bestfirst->next[node] = list->first;
    list->first = node + 1;
    if (!list->last) list->last = node + 1;
  }
}

static uint32_t take(BestFirst *bestfirst, List *list) {
  uint32_t node = list->first - 1;
  list->first = bestfirst->next[node];
  if (!list->first) list->last = 0;
  bits_flip(bestfirst->open, node);
  bestfirst->waiting--;
  return node;
}

/* Takes a node of the lowest priority there is. */
static uint32_t pop(BestFirst *bestfirst) {
  for (;; bestfirst->lowest++) {
    List *lists = &bestfirst->lists[bestfirst->lowest * LISTS];
    uint32_t at = (uint32_t)random_next(&bestfirst->random);
    for (uint32_t i = 0; i < LISTS; i++)
      if (lists[(at + i) % LISTS].first)
        return take(bestfirst, &lists[(at + i) % LISTS]);
  }
}

/* ---- order ---- */

static uint32_t priority_of(BestFirst *bestfirst, uint32_t child,
                            uint32_t guide) {
  const BestFirstOrder *order = &bestfirst->order;
  Nodes *nodes = bestfirst->nodes;
  if (!order->novelty)
    return clamp((uint64_t)guide * order->weight +
                     (uint64_t)nodes->child_depths.data[child] * order->depth,
                 PRIORITIES);
  uint32_t from = nodes->from.data[child];
  bestfirst->guides[nodes->numbers.data[child]] = (uint16_t)guide;
  /* with many fields, pairs of atoms that the parent has, too, are left out
     though they may be new in this class */
  const uint64_t *like =
      bestfirst->guides[from] == guide || nodes->packing.fields.count > FIELDS
          ? nodes_key(nodes, from)
          : NULL;
  uint32_t novelty =
      atoms_note(bestfirst->atoms, guide, nodes_child(nodes, child), like);
  return (novelty - 1) * (PRIORITIES / NOVELTIES) +
         clamp(guide, PRIORITIES / NOVELTIES);
}

static void push_children(BestFirst *bestfirst) {
  Nodes *nodes = bestfirst->nodes;
  for (uint32_t i = 0; i < nodes->child_count; i++) {
    uint32_t node = nodes->numbers.data[i];
    if (bits_has(bestfirst->open, node)) continue;
    uint32_t guide =
        distance_guide(&nodes->ratings.data[i], bestfirst->order.guide);
    if (guide < bestfirst->best) bestfirst->best = guide;
    if (guide > bestfirst->worst) bestfirst->worst = guide;
    push(bestfirst, node, priority_of(bestfirst, i, guide));
  }
}

/* Steps are learned anew whenever four times as many states were seen. */
static void learn(BestFirst *bestfirst) {
  if (bestfirst->order.measure != MEASURE_STEPS ||
      bestfirst->expanded < bestfirst->learned)
    return;
  distance_measure(bestfirst->nodes->distance, MEASURE_STEPS);
  bestfirst->learned = 4 * bestfirst->expanded;
}

BestFirstStatus bestfirst_step(BestFirst *bestfirst) {
  Nodes *nodes = bestfirst->nodes;
  if (!bestfirst->waiting) return BESTFIRST_EXHAUSTED;
  vector_clear(&bestfirst->batch);
  while (bestfirst->waiting && bestfirst->batch.count < nodes_batch(nodes))
    vector_push(&bestfirst->batch, pop(bestfirst));
  nodes_expand(nodes, bestfirst->batch.data, bestfirst->batch.count);
  bestfirst->expanded += bestfirst->batch.count;
  bool room = nodes_enter(nodes, false);
  nodes_rate(nodes);
  nodes_harvest(nodes);
  push_children(bestfirst);
  learn(bestfirst);
  return room ? BESTFIRST_WORKING : BESTFIRST_FULL;
}

/* ---- making ---- */

void bestfirst_begin(BestFirst *bestfirst, const BestFirstOrder *order) {
  Nodes *nodes = bestfirst->nodes;
  /* what was in lists is taken out, so that the pages are clean */
  memset(bestfirst->lists, 0, PRIORITIES * LISTS * sizeof *bestfirst->lists);
  uint64_t count = store_count(nodes->store);
  memset(bestfirst->open, 0, bits_words(count) * sizeof *bestfirst->open);
  bestfirst->order = *order;
  random_seed(&bestfirst->random, order->seed);
  bestfirst->waiting = bestfirst->expanded = 0;
  bestfirst->learned = WARM;
  bestfirst->best = GUIDE_MOST;
  bestfirst->worst = 0;
  if (order->novelty) atoms_clear(bestfirst->atoms, 2);
  distance_measure(nodes->distance, order->measure);
  nodes_clear(nodes);
  if (order->novelty) bestfirst->guides[0] = UINT16_MAX;
  bestfirst->lowest = 0;
  push(bestfirst, 0, 0);
}

BestFirst *bestfirst_new(Nodes *nodes, Atoms *atoms) {
  BestFirst *bestfirst = memory_new(sizeof *bestfirst);
  *bestfirst = (BestFirst){.nodes = nodes, .atoms = atoms};
  bestfirst->lists = memory_new(PRIORITIES * LISTS * sizeof *bestfirst->lists);
  bestfirst->next_pages =
      memory_pages_new((size_t)nodes->most * sizeof *bestfirst->next);
  bestfirst->open_pages =
      memory_pages_new(bits_words(nodes->most) * sizeof *bestfirst->open);
  if (atoms)
    bestfirst->guide_pages =
        memory_pages_new((size_t)nodes->most * sizeof *bestfirst->guides);
  if (!bestfirst->next_pages || !bestfirst->open_pages ||
      (atoms && !bestfirst->guide_pages)) {
    bestfirst_delete(bestfirst);
    return NULL;
  }
  if (atoms) bestfirst->guides = bestfirst->guide_pages->address;
  bestfirst->next = bestfirst->next_pages->address;
  bestfirst->open = bestfirst->open_pages->address;
  return bestfirst;
}

void bestfirst_delete(BestFirst *bestfirst) {
  if (!bestfirst) return;
  if (bestfirst->next_pages) memory_pages_delete(bestfirst->next_pages);
  if (bestfirst->open_pages) memory_pages_delete(bestfirst->open_pages);
  if (bestfirst->guide_pages) memory_pages_delete(bestfirst->guide_pages);
  memory_delete(bestfirst->lists);
  vector_free(&bestfirst->batch);
  memory_delete(bestfirst);
}

uint64_t bestfirst_expanded(const BestFirst *bestfirst) {
  return bestfirst->expanded;
}

uint32_t bestfirst_best(const BestFirst *bestfirst) {
  return bestfirst->best;
}

uint32_t bestfirst_worst(const BestFirst *bestfirst) {
  return bestfirst->worst;
}
