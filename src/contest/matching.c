/* Edmonds' blossom algorithm (Paths, trees, and flowers, 1965), in the form in
   which blossoms are not contracted but share a base. A forest of alternating
   paths grows from one vertex that is alone. Vertices at an even distance from
   it wait in a queue; `parent` of a vertex at an odd distance is the even one
   from which it was reached. An edge between two even vertices closes an odd
   cycle, whose vertices all become even and get the cycle's base as theirs. An
   edge to another vertex that is alone ends a path along which pairs are
   exchanged, so that two more are paired. */
#include "contest/matching.h"

#include <string.h>

#include "base/memory.h"

typedef struct Growth {
  Matching *matching;
  uint32_t *parent, *base, *queue;
  bool *even, *in_blossom;
  uint32_t head, tail;
} Growth;

void matching_init(Matching *matching, uint32_t count) {
  *matching = (Matching){.count = count};
  matching->edges = memory_new((size_t)count * count * sizeof(bool) + 1);
  matching->mate = memory_new((count + 1) * sizeof *matching->mate);
  matching->fixed = memory_new((count + 1) * sizeof *matching->fixed);
  for (uint32_t v = 0; v < count; v++) matching->mate[v] = MATCHING_NONE;
}

void matching_free(Matching *matching) {
  memory_delete(matching->edges);
  memory_delete(matching->mate);
  memory_delete(matching->fixed);
}

void matching_allow(Matching *matching, uint32_t a, uint32_t b) {
  size_t count = matching->count;
  matching->edges[a * count + b] = matching->edges[b * count + a] = true;
}

static bool joined(const Matching *matching, uint32_t a, uint32_t b) {
  return matching->edges[(size_t)a * matching->count + b];
}

/* ---- blossoms ---- */

/* Returns the base of the cycle that an edge between two even vertices closes:
   the first common one on their ways to the root. */
static uint32_t common_base(const Growth *growth, uint32_t a, uint32_t b) {
  const Matching *matching = growth->matching;
  bool *on_way = memory_new(matching->count * sizeof *on_way);
  for (;;) {
    a = growth->base[a];
    on_way[a] = true;
    if (matching->mate[a] == MATCHING_NONE) break;
    a = growth->parent[matching->mate[a]];
  }
  b = growth->base[b];
  while (!on_way[b]) b = growth->base[growth->parent[matching->mate[b]]];
  memory_delete(on_way);
  return b;
}

/* Marks the blossom from v up to its base, and makes its odd vertices
   reachable by way of `child`. */
static void mark_path(Growth *growth, uint32_t v, uint32_t base,
                      uint32_t child) {
  const uint32_t *mate = growth->matching->mate;
  while (growth->base[v] != base) {
    growth->in_blossom[growth->base[v]] = true;
    growth->in_blossom[growth->base[mate[v]]] = true;
    growth->parent[v] = child;
    child = mate[v];
    v = growth->parent[mate[v]];
  }
}

static void make_even(Growth *growth, uint32_t v) {
  if (growth->even[v]) return;
  growth->even[v] = true;
  growth->queue[growth->tail++] = v;
}

static void shrink(Growth *growth, uint32_t a, uint32_t b) {
  uint32_t count = growth->matching->count, base = common_base(growth, a, b);
  memset(growth->in_blossom, 0, count * sizeof *growth->in_blossom);
  mark_path(growth, a, base, b);
  mark_path(growth, b, base, a);
  for (uint32_t v = 0; v < count; v++)
    if (growth->in_blossom[growth->base[v]]) {
      growth->base[v] = base;
      make_even(growth, v);
    }
}

/* ---- paths ---- */

static void exchange(Growth *growth, uint32_t end) {
  uint32_t *mate = growth->matching->mate;
  while (end != MATCHING_NONE) {
    uint32_t from = growth->parent[end], next = mate[from];
    mate[end] = from;
    mate[from] = end;
    end = next;
  }
}

/* Looks along the edges of an even vertex; returns true if a pair was won. */
static bool grow(Growth *growth, uint32_t root, uint32_t v) {
  const Matching *matching = growth->matching;
  for (uint32_t to = 0; to < matching->count; to++) {
    if (!joined(matching, v, to) || matching->fixed[to] ||
        growth->base[v] == growth->base[to] || matching->mate[v] == to)
      continue;
    uint32_t mate = matching->mate[to];
    if (to == root ||
        (mate != MATCHING_NONE && growth->parent[mate] != MATCHING_NONE)) {
      shrink(growth, v, to);
    } else if (growth->parent[to] == MATCHING_NONE) {
      growth->parent[to] = v;
      if (mate == MATCHING_NONE) {
        exchange(growth, to);
        return true;
      }
      make_even(growth, mate);
    }
  }
  return false;
}

/* Pairs a vertex that is alone, changing other pairs where it must. */
static bool augment(Matching *matching, uint32_t root) {
  uint32_t count = matching->count;
  Growth growth = {.matching = matching};
  growth.parent = memory_new(3 * (size_t)count * sizeof *growth.parent);
  growth.base = growth.parent + count;
  growth.queue = growth.base + count;
  growth.even = memory_new(2 * (size_t)count * sizeof *growth.even);
  growth.in_blossom = growth.even + count;
  for (uint32_t v = 0; v < count; v++) {
    growth.parent[v] = MATCHING_NONE;
    growth.base[v] = v;
  }
  make_even(&growth, root);
  bool won = false;
  while (!won && growth.head < growth.tail)
    won = grow(&growth, root, growth.queue[growth.head++]);
  memory_delete(growth.parent);
  memory_delete(growth.even);
  return won;
}

bool matching_complete(Matching *matching) {
  bool all = true;
  for (uint32_t v = 0; v < matching->count; v++)
    if (matching->mate[v] == MATCHING_NONE && !augment(matching, v))
      all = false;
  return all;
}

bool matching_fix(Matching *matching, uint32_t a, uint32_t b) {
  uint32_t *mate = matching->mate, of_a = mate[a], of_b = mate[b];
  if (matching->fixed[a] || matching->fixed[b] || !joined(matching, a, b))
    return false;
  matching->fixed[a] = matching->fixed[b] = true;
  if (of_a == b) return true;
  mate[of_a] = mate[of_b] = MATCHING_NONE;
  if (augment(matching, of_a)) {
    mate[a] = b;
    mate[b] = a;
    return true;
  }
  mate[of_a] = a;
  mate[of_b] = b;
  matching->fixed[a] = matching->fixed[b] = false;
  return false;
}
