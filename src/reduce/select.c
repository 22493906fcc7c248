/* Sums are ANDs some of whose inputs are negated products of one condition and
   moves of one group, each move in one product only. A bin maps moves to
   conditions; a sum goes into the bin with which it shares most conditions, if
   their maps agree. Cost and gain of a bin are counted in two-input gates; the
   cost of an OR of moves that several bins need is divided among them. */
#include "reduce/select.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/trial.h"

enum {
  FEWEST = 2,      /* products that make a sum worth looking at */
  CANDIDATES = 32, /* bins looked at for one condition */
};
static const uint64_t MOST_ENTRIES = 40000000; /* in the maps of all bins */

/* ---- products ---- */

/* If the literal is a move or an OR of moves of one group, pushes the moves to
   the pool and returns the group; else returns NO_GROUP. */
static uint32_t push_moves(Selector *s, Signal literal) {
  const Net *net = s->rebuild.from;
  uint32_t group = NO_GROUP, before = s->pool.count;
  vector_clear(&s->stack);
  vector_push(&s->stack, literal);
  while (s->stack.count) {
    Signal signal = s->stack.data[--s->stack.count];
    const NetGate *gate = &net->gates.data[signal_gate(signal)];
    s->budget -= s->budget > 0;
    uint32_t own = gate->kind == GATE_MOVE && !signal_negated(signal)
                       ? s->groups.of_move[gate->first]
                       : NO_GROUP;
    if (own != NO_GROUP && (group == NO_GROUP || group == own)) {
      group = own;
      vector_push(&s->pool, gate->first);
    } else if (gate->kind == GATE_AND && signal_negated(signal) && s->budget) {
      for (uint32_t i = 0; i < gate->count; i++)
        vector_push(&s->stack, signal_not(net->inputs.data[gate->first + i]));
    } else {
      s->pool.count = before;
      return NO_GROUP;
    }
  }
  return group;
}

/* If the input is a product of moves of one group and a condition, sets
   `product` and returns the group; else returns NO_GROUP. */
static uint32_t read_product(Selector *s, Signal input, Product *product) {
  const Net *net = s->rebuild.from;
  const NetGate *gate = &net->gates.data[signal_gate(input)];
  if (!signal_negated(input) || gate->kind != GATE_AND || gate->count != 2 ||
      s->uses[signal_gate(input)] != 1)
    return NO_GROUP;
  for (uint32_t i = 0; i < 2; i++) {
    Signal condition = net->inputs.data[gate->first + i];
    Signal moves = net->inputs.data[gate->first + 1 - i];
    if (s->late[signal_gate(condition)] || !s->late[signal_gate(moves)])
      continue;
    uint32_t first = s->pool.count, group = push_moves(s, moves);
    *product = (Product){input, condition, first, s->pool.count - first};
    return group;
  }
  return NO_GROUP;
}

/* Adds the product's moves to those seen; returns false if the sum has any of
   them already. */
static bool is_new(Selector *s, const Product *product) {
  for (uint32_t i = 0; i < product->count; i++)
    if (marks_has(&s->seen, s->pool.data[product->first + i])) return false;
  for (uint32_t i = 0; i < product->count; i++)
    marks_add(&s->seen, s->pool.data[product->first + i]);
  return true;
}

void select_read_sum(Selector *s, Gate gate) {
  trial_check();
  const Net *net = s->rebuild.from;
  Sum sum = {gate, NO_GROUP, s->products.count, 0, 0};
  marks_clear(&s->seen);
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++) {
    Product product;
    uint32_t before = s->pool.count;
    uint32_t group = read_product(s, net_inputs(net, gate)[i], &product);
    if (group == NO_GROUP || (sum.count && group != sum.group) ||
        !is_new(s, &product)) {
      s->pool.count = before;
      continue;
    }
    sum.group = group;
    sum.count++;
    vector_push(&s->products, product);
  }
  if (sum.count >= FEWEST) {
    vector_push(&s->sums, sum);
    s->sum_of[gate] = s->sums.count;
  } else {
    s->products.count = sum.first;
  }
}

/* ---- bins ---- */

/* Do the sum's conditions agree with the bin's? */
static bool agrees(const Selector *s, const Sum *sum, const Bin *bin) {
  if (bin->group != sum->group) return false;
  for (uint32_t p = sum->first; p < sum->first + sum->count; p++) {
    const Product *product = &s->products.data[p];
    for (uint32_t i = 0; i < product->count; i++) {
      Signal other = bin->condition[s->pool.data[product->first + i]];
      if (other && other != product->condition) return false;
    }
  }
  return true;
}

static void count_shared(Selector *s, const Sum *sum) {
  for (uint32_t p = sum->first; p < sum->first + sum->count; p++) {
    uint32_t looked = 0;
    for (uint32_t e = s->head[s->products.data[p].condition];
         e && looked < CANDIDATES; e = s->entries.data[e].next, looked++) {
      uint32_t bin = s->entries.data[e].bin;
      if (s->shared.data[bin]++ == 0) vector_push(&s->touched, bin);
    }
  }
}

/* The bin that shares most conditions with the sum among those that agree. */
static uint32_t find_bin(Selector *s, const Sum *sum) {
  uint32_t best = UINT32_MAX;
  count_shared(s, sum);
  for (uint32_t i = 0; i < s->touched.count; i++) {
    uint32_t bin = s->touched.data[i];
    if ((best == UINT32_MAX || s->shared.data[bin] > s->shared.data[best]) &&
        agrees(s, sum, &s->bins.data[bin]))
      best = bin;
  }
  for (uint32_t i = 0; i < s->touched.count; i++)
    s->shared.data[s->touched.data[i]] = 0;
  vector_clear(&s->touched);
  return best;
}

static uint32_t add_bin(Selector *s, uint32_t group) {
  uint32_t moves = s->rebuild.from->moves.count;
  Bin bin = {.group = group};
  if ((uint64_t)(s->bins.count + 1) * moves > MOST_ENTRIES) return UINT32_MAX;
  bin.condition = memory_new(moves * sizeof *bin.condition);
  vector_push(&s->bins, bin);
  vector_push(&s->shared, 0);
  return s->bins.count - 1;
}

/* The newest bin comes first in a condition's list. */
static void put_condition(Selector *s, uint32_t bin, Signal condition) {
  for (uint32_t e = s->head[condition]; e; e = s->entries.data[e].next)
    if (s->entries.data[e].bin == bin) return;
  BinEntry entry = {bin, s->head[condition]};
  vector_push(&s->entries, entry);
  s->head[condition] = s->entries.count - 1;
  s->bins.data[bin].conditions++;
}

void select_put_sum(Selector *s, Sum *sum) {
  trial_check();
  sum->bin = find_bin(s, sum);
  if (sum->bin == UINT32_MAX) sum->bin = add_bin(s, sum->group);
  if (sum->bin == UINT32_MAX) return;
  Bin *bin = &s->bins.data[sum->bin];
  bin->sums++;
  bin->products += sum->count;
  for (uint32_t p = sum->first; p < sum->first + sum->count; p++) {
    const Product *product = &s->products.data[p];
    put_condition(s, sum->bin, product->condition);
    for (uint32_t i = 0; i < product->count; i++)
      bin->condition[s->pool.data[product->first + i]] = product->condition;
  }
}

/* ---- which bins gain ---- */

static int by_condition(const void *left, const void *right) {
  const Choice *a = left, *b = right;
  if (a->condition != b->condition) return a->condition < b->condition ? -1 : 1;
  return (a->move > b->move) - (a->move < b->move);
}

void select_list_choices(const Selector *s, const Bin *bin,
                         ChoiceVector *choices) {
  vector_clear(choices);
  for (uint32_t m = 0; m < s->rebuild.from->moves.count; m++)
    if (bin->condition[m])
      vector_push(choices, ((Choice){bin->condition[m], m}));
  qsort(choices->data, choices->count, sizeof *choices->data, by_condition);
}

/* An OR of moves that a bin needs; its cost is shared by all that need it. */
typedef struct MoveSet {
  uint64_t hash; /* a sum over its moves */
  uint32_t bin, size;
} MoveSet;

typedef VECTOR(MoveSet) MoveSetVector;

static int by_hash(const void *left, const void *right) {
  const MoveSet *a = left, *b = right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return (a->bin > b->bin) - (a->bin < b->bin);
}

static void list_sum_sets(const Selector *s, MoveSetVector *sets) {
  for (uint32_t i = 0; i < s->sums.count; i++) {
    const Sum *sum = &s->sums.data[i];
    if (sum->bin == UINT32_MAX) continue;
    MoveSet set = {0, sum->bin, 0};
    for (uint32_t p = sum->first; p < sum->first + sum->count; p++) {
      const Product *product = &s->products.data[p];
      for (uint32_t j = 0; j < product->count; j++, set.size++)
        set.hash += hash_mix(s->pool.data[product->first + j] + 1);
    }
    vector_push(sets, set);
  }
}

static void list_condition_sets(const Selector *s, MoveSetVector *sets) {
  ChoiceVector choices = {0};
  for (uint32_t b = 0; b < s->bins.count; b++) {
    if (s->bins.data[b].sums < 2) continue;
    select_list_choices(s, &s->bins.data[b], &choices);
    for (uint32_t i = 0; i < choices.count;) {
      Signal condition = choices.data[i].condition;
      MoveSet set = {0, b, 0};
      for (; i < choices.count && choices.data[i].condition == condition; i++) {
        set.hash += hash_mix(choices.data[i].move + 1);
        set.size++;
      }
      vector_push(sets, set);
    }
  }
  vector_free(&choices);
}

/* Adds its share of the ORs of moves to each bin's cost. */
static void add_set_costs(Selector *s) {
  MoveSetVector sets = {0};
  list_sum_sets(s, &sets);
  list_condition_sets(s, &sets);
  if (sets.count) qsort(sets.data, sets.count, sizeof *sets.data, by_hash);
  for (uint32_t i = 0, end; i < sets.count; i = end) {
    for (end = i; end < sets.count && sets.data[end].hash == sets.data[i].hash;)
      end++;
    for (uint32_t j = i; j < end; j++)
      s->bins.data[sets.data[j].bin].cost +=
          (double)(sets.data[j].size - 1) / (double)(end - i);
  }
  vector_free(&sets);
}

/* In two-input gates: before, two for each product; after, two for each sum and
   each condition, and the ORs of moves. */
void select_judge_bins(Selector *s) {
  add_set_costs(s);
  for (uint32_t b = 0; b < s->bins.count; b++) {
    Bin *bin = &s->bins.data[b];
    double after = bin->cost + 2.0 * (bin->sums + bin->conditions);
    bin->gains = bin->sums > 1 && 2.0 * bin->products > after;
  }
}
