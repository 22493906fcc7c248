/* A half has an open table of whole broods with linear probing, at most half
   full. A slot's key is written last, and never changes until the table is
   cleared: whoever sees the key sees the brood. Key 0 means that the slot is
   empty, so a node with that key is never there.

   Children of both halves lie side by side. Beside each of them is where the
   brood of the state is that it leads to, in a word that is written at once, so
   that broods of attacks, which are most of all, need no place in a table.

   What is not needed is not touched: pages that are used for the first time
   cost more than what is put there, and large tables more cache than small
   ones.

   The newer half follows from the number of turns. A reader first says that it
   looks, then asks for that number; whoever empties a half first counts the
   turn and closes the table, then waits until no reader looks. So either the
   reader knows that the half is gone, or it is waited for (Dekker's way, which
   needs the one order of all such loads and stores). */
#include "minimax/nest.h"

#include <sched.h>
#include <string.h>

#include "base/memory.h"

typedef struct Slot {
  _Atomic uint64_t key;
  HatchLink brood; /* whose first child is counted from that of the nest */
} Slot;

enum { HALVES = 2, FIRST_ROOM = 1 << 16 };

typedef struct Half {
  Slot *slots;
  uint64_t mask; /* slots in use are a power of two, less one */
  uint32_t room; /* nodes, */
  atomic_uint count;
  uint32_t children; /* there, or reserved */
  atomic_bool open;
} Half;

/* On a line of the cache of its own. */
typedef struct Reader {
  atomic_bool looks;
  char rest[63];
} Reader;

struct Nest {
  Half halves[HALVES];
  HatchChild *children;     /* of the first half, and of the second */
  _Atomic HatchLink *links; /* of each */
  uint32_t child_room;      /* of a half */
  ScopePages *slot_pages, *child_pages, *link_pages;
  Reader *readers;
  atomic_uint turns; /* from 1 on */
  uint32_t most;     /* nodes of a half */
};

static void open_link(const Nest *nest, HatchLink link, uint32_t until,
                      NestBrood *brood) {
  HatchNode node = hatch_node(link);
  *brood = (NestBrood){.children = nest->children + node.first,
                       .place = {node.first, until},
                       .count = node.count,
                       .mover = node.mover,
                       .forced = node.kind & HATCH_FORCED,
                       .attacks = node.kind & HATCH_ATTACKS};
}

static uint64_t slots_for(uint32_t nodes) {
  uint64_t slots = 2;
  while (slots < 2 * (uint64_t)nodes) slots *= 2;
  return slots;
}

static void set_room(Half *half, uint32_t nodes) {
  half->room = nodes;
  half->mask = slots_for(nodes) - 1;
}

Nest *nest_new(uint32_t nodes, uint32_t children) {
  uint64_t slots = slots_for(nodes);
  Nest *nest = memory_new(sizeof *nest);
  nest->most = nodes;
  nest->child_room = children;
  nest->readers = memory_new_aligned(NEST_READERS * sizeof *nest->readers);
  atomic_init(&nest->turns, 1);
  Slot *first =
      memory_large_pages_new(HALVES * slots * sizeof *first, &nest->slot_pages);
  nest->children = memory_large_pages_new(
      HALVES * (size_t)children * sizeof *nest->children, &nest->child_pages);
  nest->links = memory_large_pages_new(
      HALVES * (size_t)children * sizeof *nest->links, &nest->link_pages);
  if (!first || !nest->children || !nest->links) {
    nest_delete(nest);
    return NULL;
  }
  for (uint32_t i = 0; i < HALVES; i++) {
    Half *half = &nest->halves[i];
    half->slots = first + i * slots;
    set_room(half, nodes < FIRST_ROOM ? nodes : FIRST_ROOM);
    atomic_init(&half->open, true);
  }
  return nest;
}

void nest_delete(Nest *nest) {
  if (!nest) return;
  memory_pages_delete(nest->slot_pages);
  memory_pages_delete(nest->child_pages);
  memory_pages_delete(nest->link_pages);
  memory_delete(nest->readers);
  memory_delete(nest);
}

/* ---- readers ---- */

void nest_enter(const Nest *nest, uint32_t reader) {
  atomic_store(&nest->readers[reader].looks, true);
}

void nest_leave(const Nest *nest, uint32_t reader) {
  atomic_store_explicit(&nest->readers[reader].looks, false,
                        memory_order_release);
}

/* Returns the slot with the key, or the empty one where it belongs. Keys are
   sums of random numbers, and good in all bits. */
static Slot *slot_of(const Half *half, uint64_t key, bool *there) {
  for (uint64_t at = key;; at++) {
    Slot *slot = &half->slots[at & half->mask];
    uint64_t found = atomic_load_explicit(&slot->key, memory_order_acquire);
    *there = found == key;
    if (*there || !found) return slot;
  }
}

/* The half of turn t is emptied at turn t + HALVES. */
bool nest_find(const Nest *nest, uint64_t key, NestBrood *brood) {
  uint32_t turn = atomic_load(&nest->turns);
  bool there = false;
  for (uint32_t i = 0; key && !there && i < HALVES; i++) {
    const Half *half = &nest->halves[(turn - i) % HALVES];
    if (!atomic_load(&half->open)) continue;
    const Slot *slot = slot_of(half, key, &there);
    if (there) open_link(nest, slot->brood, turn - i + HALVES - 1, brood);
  }
  return there;
}

bool nest_follow(const Nest *nest, NestPlace child, NestBrood *brood) {
  if (atomic_load(&nest->turns) > child.until) return false;
  HatchLink link =
      atomic_load_explicit(&nest->links[child.child], memory_order_acquire);
  if (link) open_link(nest, link, child.until, brood);
  return link;
}

/* ---- the one that adds ---- */

static uint32_t newer(const Nest *nest) {
  return atomic_load_explicit(&nest->turns, memory_order_relaxed) % HALVES;
}

static uint32_t count_of(const Half *half) {
  return atomic_load_explicit(&half->count, memory_order_relaxed);
}

uint32_t nest_room(const Nest *nest) {
  return nest->child_room - nest->halves[newer(nest)].children;
}

HatchChild *nest_reserve(Nest *nest, uint32_t children) {
  uint32_t at = newer(nest), used = nest->halves[at].children;
  if (children > nest_room(nest)) return NULL;
  nest->halves[at].children += children;
  return nest->children + (size_t)at * nest->child_room + used;
}

static void add_whole(Half *half, uint64_t key, HatchLink link) {
  bool there;
  if (!key || count_of(half) == half->room) return;
  Slot *slot = slot_of(half, key, &there);
  if (there) return;
  slot->brood = link;
  atomic_store_explicit(&slot->key, key, memory_order_release);
  atomic_fetch_add_explicit(&half->count, 1, memory_order_relaxed);
}

static bool is_whole(const HatchNode *node) {
  return node->kind && !(node->kind & HATCH_ATTACKS);
}

/* `links` are those of the children, whose first one is `first`. */
static void add_nodes(Half *half, const Hatched *part, uint32_t first,
                      _Atomic HatchLink *links) {
  enum { AHEAD = 16 };
  for (uint32_t i = 0; i < part->nodes_count; i++) {
    const HatchNode *node = &part->nodes[i];
    if (i + AHEAD < part->nodes_count && is_whole(node + AHEAD))
      __builtin_prefetch(&half->slots[node[AHEAD].key & half->mask], 1);
    if (!node->kind) continue;
    HatchLink link = hatch_link(node) + first;
    if (i >= part->roots)
      atomic_store_explicit(&links[i - part->roots], link,
                            memory_order_release);
    if (is_whole(node)) add_whole(half, node->key, link);
  }
}

void nest_add(Nest *nest, const Hatched *part, const HatchChild *children,
              const HatchChild *end) {
  Half *half = &nest->halves[newer(nest)];
  uint32_t first = (uint32_t)(children - nest->children);
  _Atomic HatchLink *links = nest->links + first;
  for (uint32_t i = 0; i < part->children_count; i++)
    atomic_store_explicit(&links[i], 0, memory_order_relaxed);
  links = nest->links + (end - nest->children) - part->back;
  if (part->nodes) add_nodes(half, part, first, links);
  for (uint32_t i = 0; part->links && i < part->nodes_count; i++)
    if (part->links[i])
      atomic_store_explicit(&links[i], part->links[i] + first,
                            memory_order_release);
}

void nest_turn(Nest *nest, uint32_t nodes) {
  Half *half = &nest->halves[(newer(nest) + 1) % HALVES];
  atomic_store(&half->open, false);
  atomic_fetch_add(&nest->turns, 1);
  for (uint32_t i = 0; i < NEST_READERS; i++)
    while (atomic_load(&nest->readers[i].looks)) sched_yield();
  set_room(half, nodes < nest->most ? nodes : nest->most);
  memset((void *)half->slots, 0, (half->mask + 1) * sizeof *half->slots);
  atomic_store_explicit(&half->count, 0, memory_order_relaxed);
  half->children = 0;
  atomic_store(&half->open, true);
}

uint32_t nest_recent(const Nest *nest) {
  return count_of(&nest->halves[newer(nest)]);
}

uint32_t nest_count(const Nest *nest) {
  return count_of(&nest->halves[0]) + count_of(&nest->halves[1]);
}

uint32_t nest_nodes(const Nest *nest) {
  return nest->halves[newer(nest)].room;
}
