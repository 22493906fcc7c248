/* The open list is an array of lists through the nodes, several for each
   priority: which one a node goes to, and which one is taken from, is random,
   so that equals come in no particular order. A batch takes the best nodes of
   whatever priority, as many as the fan has lanes: best-first search with K
   nodes at a time (Felner, Kraus and Korf 2003), which costs no more than one
   node would and is less easily led astray.

   With novelty the order is that of BFWS (Lipovetzky and Geffner 2017): states
   with an atom that no state of the same guide value had come first, then those
   with such a pair, then the rest; the guide breaks ties. */
#include "solve/explore.h"

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

struct Explore {
  Nodes *nodes;
  Atoms *atoms;
  ExploreOrder order;
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

static void push(Explore *explore, uint32_t node, uint32_t priority) {
  uint32_t which = (uint32_t)random_next(&explore->random) % LISTS;
  List *list = &explore->lists[priority * LISTS + which];
  bits_add(explore->open, node);
  explore->waiting++;
  if (priority < explore->lowest) explore->lowest = priority;
  if (explore->order.oldest && list->last) {
    explore->next[node] = 0;
    explore->next[list->last - 1] = node + 1;
    list->last = node + 1;
  } else {
    explore->next[node] = list->first;
    list->first = node + 1;
    if (!list->last) list->last = node + 1;
  }
}

static uint32_t take(Explore *explore, List *list) {
  uint32_t node = list->first - 1;
  list->first = explore->next[node];
  if (!list->first) list->last = 0;
  bits_flip(explore->open, node);
  explore->waiting--;
  return node;
}

/* Takes a node of the lowest priority there is. */
static uint32_t pop(Explore *explore) {
  for (;; explore->lowest++) {
    List *lists = &explore->lists[explore->lowest * LISTS];
    uint32_t at = (uint32_t)random_next(&explore->random);
    for (uint32_t i = 0; i < LISTS; i++)
      if (lists[(at + i) % LISTS].first)
        return take(explore, &lists[(at + i) % LISTS]);
  }
}

/* ---- order ---- */

static uint32_t priority_of(Explore *explore, uint32_t child, uint32_t guide) {
  const ExploreOrder *order = &explore->order;
  Nodes *nodes = explore->nodes;
  if (!order->novelty)
    return clamp((uint64_t)guide * order->weight +
                     (uint64_t)nodes->child_depths.data[child] * order->depth,
                 PRIORITIES);
  uint32_t from = nodes->from.data[child];
  explore->guides[nodes->numbers.data[child]] = (uint16_t)guide;
  /* with many fields, pairs of atoms that the parent has, too, are left out
     though they may be new in this class */
  const uint64_t *like =
      explore->guides[from] == guide || nodes->packing.fields.count > FIELDS
          ? nodes_key(nodes, from)
          : NULL;
  uint32_t novelty =
      atoms_note(explore->atoms, guide, nodes_child(nodes, child), like);
  return (novelty - 1) * (PRIORITIES / NOVELTIES) +
         clamp(guide, PRIORITIES / NOVELTIES);
}

static void push_children(Explore *explore) {
  Nodes *nodes = explore->nodes;
  for (uint32_t i = 0; i < nodes->child_count; i++) {
    uint32_t node = nodes->numbers.data[i];
    if (bits_has(explore->open, node)) continue;
    uint32_t guide =
        distance_guide(&nodes->ratings.data[i], explore->order.guide);
    if (guide < explore->best) explore->best = guide;
    if (guide > explore->worst) explore->worst = guide;
    push(explore, node, priority_of(explore, i, guide));
  }
}

/* Steps are learned anew whenever four times as many states were seen. */
static void learn(Explore *explore) {
  if (explore->order.measure != MEASURE_STEPS ||
      explore->expanded < explore->learned)
    return;
  distance_measure(explore->nodes->distance, MEASURE_STEPS);
  explore->learned = 4 * explore->expanded;
}

ExploreStatus explore_step(Explore *explore) {
  Nodes *nodes = explore->nodes;
  if (!explore->waiting) return EXPLORE_EXHAUSTED;
  vector_clear(&explore->batch);
  while (explore->waiting && explore->batch.count < nodes_batch(nodes))
    vector_push(&explore->batch, pop(explore));
  nodes_expand(nodes, explore->batch.data, explore->batch.count);
  explore->expanded += explore->batch.count;
  bool room = nodes_enter(nodes, false);
  nodes_rate(nodes);
  nodes_harvest(nodes);
  push_children(explore);
  learn(explore);
  return room ? EXPLORE_WORKING : EXPLORE_FULL;
}

/* ---- making ---- */

void explore_begin(Explore *explore, const ExploreOrder *order) {
  Nodes *nodes = explore->nodes;
  /* what was in lists is taken out, so that the pages are clean */
  memset(explore->lists, 0, PRIORITIES * LISTS * sizeof *explore->lists);
  uint64_t count = store_count(nodes->store);
  memset(explore->open, 0, bits_words(count) * sizeof *explore->open);
  explore->order = *order;
  random_seed(&explore->random, order->seed);
  explore->waiting = explore->expanded = 0;
  explore->learned = WARM;
  explore->best = GUIDE_MOST;
  explore->worst = 0;
  if (order->novelty) atoms_clear(explore->atoms);
  distance_measure(nodes->distance, order->measure);
  nodes_clear(nodes);
  if (order->novelty) explore->guides[0] = UINT16_MAX;
  explore->lowest = 0;
  push(explore, 0, 0);
}

Explore *explore_new(Nodes *nodes, Atoms *atoms) {
  Explore *explore = memory_new(sizeof *explore);
  *explore = (Explore){.nodes = nodes, .atoms = atoms};
  explore->lists = memory_new(PRIORITIES * LISTS * sizeof *explore->lists);
  explore->next_pages =
      memory_pages_new((size_t)nodes->most * sizeof *explore->next);
  explore->open_pages =
      memory_pages_new(bits_words(nodes->most) * sizeof *explore->open);
  if (atoms)
    explore->guide_pages =
        memory_pages_new((size_t)nodes->most * sizeof *explore->guides);
  if (!explore->next_pages || !explore->open_pages ||
      (atoms && !explore->guide_pages)) {
    explore_delete(explore);
    return NULL;
  }
  if (atoms) explore->guides = explore->guide_pages->address;
  explore->next = explore->next_pages->address;
  explore->open = explore->open_pages->address;
  return explore;
}

void explore_delete(Explore *explore) {
  if (!explore) return;
  if (explore->next_pages) memory_pages_delete(explore->next_pages);
  if (explore->open_pages) memory_pages_delete(explore->open_pages);
  if (explore->guide_pages) memory_pages_delete(explore->guide_pages);
  memory_delete(explore->lists);
  vector_free(&explore->batch);
  memory_delete(explore);
}

uint64_t explore_expanded(const Explore *explore) {
  return explore->expanded;
}

uint32_t explore_best(const Explore *explore) {
  return explore->best;
}

uint32_t explore_worst(const Explore *explore) {
  return explore->worst;
}
