/* A disjunction is walked input by input; only conjunctions are expanded, each
   into at most CUBES_LOCAL cubes, so that a thousand lines cost a thousand
   small expansions. Everything is bounded: lengths, numbers, nesting, work. */
#include "value/cubes.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/trial.h"

typedef VECTOR(Signal) Signals;

void cubes_init(CubesFinder *finder, const Net *net, uint32_t limit) {
  *finder = (CubesFinder){.net = net, .limit = limit};
  finder->visited = memory_new(2 * (size_t)net->gates.count + 1);
}

void cubes_free(CubesFinder *finder) {
  vector_free(&finder->found);
  memory_delete(finder->visited);
  map_free(&finder->by_hash);
}

/* ---- products ---- */

/* Sets `product` to both cubes together. Returns false if they contradict each
   other, and sets `long_` if the product is too long. */
static bool multiply(const Cube *a, const Cube *b, Cube *product,
                     bool *too_long) {
  uint32_t i = 0, j = 0, count = 0;
  while (i < a->count || j < b->count) {
    Signal next;
    if (j == b->count || (i < a->count && a->literals[i] < b->literals[j]))
      next = a->literals[i++];
    else
      next = b->literals[j++];
    if (count && product->literals[count - 1] == next) continue;
    if (count && product->literals[count - 1] == signal_not(next)) return false;
    if (count == CUBES_LONGEST) {
      *too_long = true;
      return false;
    }
    product->literals[count++] = next;
  }
  product->count = count;
  return true;
}

/* Multiplies the list by another one; returns false, and leaves it as it is, if
   that is too much. */
static bool multiply_lists(CubesFinder *finder, Cubes *list,
                           const Cubes *factor) {
  Cubes products = {0};
  bool too_long = false;
  for (uint32_t i = 0; i < list->count && !too_long; i++)
    for (uint32_t j = 0; j < factor->count && !too_long; j++) {
      Cube product;
      finder->work++;
      if (!multiply(&list->data[i], &factor->data[j], &product, &too_long))
        continue;
      if (products.count == CUBES_LOCAL)
        too_long = true;
      else
        vector_push(&products, product);
    }
  if (too_long) {
    vector_free(&products);
    return false;
  }
  vector_free(list);
  *list = products;
  return true;
}

/* ---- one conjunction ---- */

static bool expand(CubesFinder *finder, Signal signal, uint32_t depth,
                   Cubes *cubes, Signals *left);

static bool expand_or(CubesFinder *finder, Gate gate, uint32_t depth,
                      Cubes *cubes, Signals *left) {
  const NetGate * or = &finder->net->gates.data[gate];
  uint32_t begin = left->count;
  for (uint32_t i = 0; i < or->count; i++)
    if (!expand(finder, signal_not(finder->net->inputs.data[or->first + i]),
                depth + 1, cubes, left) ||
        cubes->count > CUBES_LOCAL) {
      left->count = begin; /* the whole is left out */
      return false;
    }
  return true;
}

/* Adds the cubes of an AND. Inputs that cannot be expanded are left out; if the
   product is too large, such as that of a board that is full, or the greater
   part is left out, it is given up. */
static bool expand_and(CubesFinder *finder, Gate gate, uint32_t depth,
                       Cubes *cubes, Signals *left) {
  const NetGate *and = &finder->net->gates.data[gate];
  Cubes list = {0};
  uint32_t out = 0;
  bool fine = true;
  vector_push(&list, (Cube){0});
  for (uint32_t i = 0; i < and->count && fine; i++) {
    Signal input = finder->net->inputs.data[ and->first + i];
    Cubes factor = {0};
    if (expand(finder, input, depth + 1, &factor, left)) {
      fine = multiply_lists(finder, &list, &factor);
    } else {
      vector_push(left, input);
      out++;
    }
    vector_free(&factor);
  }
  fine = fine && out * 2 <= and->count;
  for (uint32_t i = 0; i < list.count && fine; i++)
    vector_push(cubes, list.data[i]);
  vector_free(&list);
  return fine;
}

static bool expand(CubesFinder *finder, Signal signal, uint32_t depth,
                   Cubes *cubes, Signals *left) {
  const NetGate *gate = &finder->net->gates.data[signal_gate(signal)];
  trial_check();
  if (depth > CUBES_DEEPEST || finder->work++ > CUBES_WORK) return false;
  switch (gate->kind) {
  case GATE_CONSTANT:
    if (signal == SIGNAL_TRUE) vector_push(cubes, (Cube){0});
    return true;
  case GATE_FLUENT:
    vector_push(cubes, ((Cube){.count = 1, .literals = {signal}}));
    return true;
  case GATE_AND:
    return signal_negated(signal)
               ? expand_or(finder, signal_gate(signal), depth, cubes, left)
               : expand_and(finder, signal_gate(signal), depth, cubes, left);
  default: return false;
  }
}

/* ---- all of them ---- */

static void add_cube(CubesFinder *finder, const Cube *cube) {
  MapCursor at;
  if (cube->count < 2 || finder->found.count >= finder->limit) return;
  uint64_t hash = hash_bytes((const char *)cube->literals,
                             cube->count * sizeof *cube->literals);
  for (uint32_t e = map_first(&finder->by_hash, hash, &at); e;
       e = map_next(&finder->by_hash, &at)) {
    const Cube *other = &finder->found.data[e - 1];
    if (other->count == cube->count &&
        !memcmp(other->literals, cube->literals,
                cube->count * sizeof *cube->literals))
      return;
  }
  vector_push(&finder->found, *cube);
  map_insert(&finder->by_hash, &at, finder->found.count);
}

static void visit(CubesFinder *finder, Signal signal, Signals *waiting) {
  const NetGate *gate = &finder->net->gates.data[signal_gate(signal)];
  if (gate->kind != GATE_AND || finder->visited[signal]) return;
  finder->visited[signal] = true;
  if (signal_negated(signal)) {
    for (uint32_t i = gate->count; i-- > 0;)
      vector_push(waiting,
                  signal_not(finder->net->inputs.data[gate->first + i]));
    return;
  }
  Cubes cubes = {0};
  uint32_t before = waiting->count;
  if (!expand(finder, signal, 0, &cubes, waiting)) {
    waiting->count = before;
    for (uint32_t i = gate->count; i-- > 0;)
      vector_push(waiting, finder->net->inputs.data[gate->first + i]);
  }
  for (uint32_t i = 0; i < cubes.count; i++) add_cube(finder, &cubes.data[i]);
  vector_free(&cubes);
}

void cubes_find(CubesFinder *finder, Signal signal) {
  Signals waiting = {0};
  vector_push(&waiting, signal);
  while (waiting.count && cubes_complete(finder)) {
    Signal next = waiting.data[--waiting.count];
    visit(finder, next, &waiting);
  }
  vector_free(&waiting);
}
