/* Technology mapping by cuts. Each two-input gate chooses one of its cuts; the
   gates that are needed, from the wanted ones through the leaves of chosen
   cuts, become lookup gates. The choice is made first by area flow
   (Manohararajah, Brown and Vranesic 2006: the cost of a gate is spread over
   its uses), then, given a cover, by exact area: how many gates the cut would
   add to the cover that nothing else needs (Mishchenko, Chatterjee and Brayton
   2007).
 */
#include "program/cover.h"

#include "base/trial.h"
#include "program/truth.h"

#define NONE UINT32_MAX

enum {
  FLOW_ROUNDS = 3,
  AREA_ROUNDS = 3,
  AREA_LIMIT = 64,
  TRAIL = 2 * 3 * AREA_LIMIT /* leaves of one cut removed, and of one added */
};

/* The best order of a lookup's inputs, from 1 (0: not known yet), and the table
   that it then has. */
typedef struct Arrangement {
  uint8_t order, table;
} Arrangement;

typedef struct Work {
  const Pairs *pairs;
  const Signal *wanted;
  uint32_t wanted_count;
  uint32_t *best;        /* of each gate: the chosen cut */
  uint32_t *uses;        /* in the cover; 0: not in it */
  float *flow, *shared;  /* shared: estimated uses */
  NumberVector stack;    /* of cuts */
  uint32_t trail[TRAIL]; /* gates whose uses try_cut has changed */
  uint32_t trail_count;
  uint32_t waiting[AREA_LIMIT], waiting_count; /* cuts that try_cut will open */
  uint32_t area;                               /* that it has found */
  Value *plain, *negated;                      /* of each gate, or NONE */
  Cover *cover;
  Arrangement arrangements[4][256]; /* by number of inputs, and table */
} Work;

static bool is_and(const Work *work, Gate gate) {
  return gate > work->pairs->input_count;
}

static uint32_t size(const PairsCut *cut) {
  return 1u + (cut->leaves[1] != 0) + (cut->leaves[2] != 0);
}

/* ---- choosing ---- */

static void choose_by_flow(Work *work, Gate gate) {
  trial_check();
  const PairsGate *g = &work->pairs->gates.data[gate];
  float least = 0;
  for (uint32_t i = 0; i + 1 < g->count; i++) {
    const PairsCut *cut = &work->pairs->cuts.data[g->first + i];
    float flow = 1;
    for (uint32_t j = 0; j < 3; j++) flow += work->flow[cut->leaves[j]];
    if (i && flow >= least) continue;
    least = flow;
    work->best[gate] = g->first + i;
  }
  work->flow[gate] = least / work->shared[gate];
}

/* Adds a cut to the cover, or removes it, with everything that it alone
   needs. */
static void add_cut(Work *work, uint32_t index) {
  vector_push(&work->stack, index);
  while (work->stack.count) {
    const PairsCut *cut = &work->pairs->cuts.data[vector_last(&work->stack)];
    work->stack.count--;
    for (uint32_t i = 0; i < 3 && cut->leaves[i]; i++) {
      Gate leaf = cut->leaves[i];
      if (work->uses[leaf]++ == 0 && is_and(work, leaf))
        vector_push(&work->stack, work->best[leaf]);
    }
  }
}

static void remove_cut(Work *work, uint32_t index) {
  vector_push(&work->stack, index);
  while (work->stack.count) {
    const PairsCut *cut = &work->pairs->cuts.data[vector_last(&work->stack)];
    work->stack.count--;
    for (uint32_t i = 0; i < 3 && cut->leaves[i]; i++) {
      Gate leaf = cut->leaves[i];
      if (--work->uses[leaf] == 0 && is_and(work, leaf))
        vector_push(&work->stack, work->best[leaf]);
    }
  }
}

/* Changes the uses of the cut's leaves by `step`, 1 or -1, and puts them on the
   trail. The cuts of those that are added or removed by that have to wait. */
static void touch_leaves(Work *work, uint32_t index, uint32_t step) {
  const PairsCut *cut = &work->pairs->cuts.data[index];
  uint32_t turning = step == 1 ? 1 : 0;
  for (uint32_t i = 0; i < 3 && cut->leaves[i]; i++) {
    Gate leaf = cut->leaves[i];
    work->trail[work->trail_count++] = leaf;
    if ((work->uses[leaf] += step) == turning && is_and(work, leaf) &&
        work->area < AREA_LIMIT) {
      work->area++;
      work->waiting[work->waiting_count++] = work->best[leaf];
    }
  }
}

/* The same tentatively, and for at most AREA_LIMIT gates, since a gate alone
   may need many. Returns how many gates are added or removed, or, once they are
   more than `most`, some number above that. */
static uint32_t try_cut(Work *work, uint32_t index, uint32_t step,
                        uint32_t most) {
  work->area = 1;
  work->waiting_count = 0;
  touch_leaves(work, index, step);
  while (work->waiting_count && work->area <= most)
    touch_leaves(work, work->waiting[--work->waiting_count], step);
  return work->area;
}

static void undo(Work *work, uint32_t mark, uint32_t step) {
  while (work->trail_count > mark)
    work->uses[work->trail[--work->trail_count]] -= step;
}

static uint32_t cost_of(const Work *work, uint32_t index, uint32_t area) {
  return 4 * area + size(&work->pairs->cuts.data[index]);
}

/* Returns what the cut costs, or some number from `limit` on. */
static uint32_t try_cost(Work *work, uint32_t index, uint32_t limit) {
  uint32_t alone = cost_of(work, index, 1), mark = work->trail_count;
  if (alone >= limit) return limit;
  uint32_t area = try_cut(work, index, 1, (limit - alone - 1) / 4 + 1);
  undo(work, mark, 1);
  return cost_of(work, index, area);
}

/* The same of the chosen cut; the gate's own needs are taken away. */
static uint32_t known_cost(Work *work, Gate gate) {
  const uint32_t less = UINT32_MAX; /* a step of -1 */
  uint32_t best = work->best[gate];
  uint32_t area =
      work->uses[gate] ? try_cut(work, best, less, AREA_LIMIT) : AREA_LIMIT;
  return area < AREA_LIMIT ? cost_of(work, best, area)
                           : try_cost(work, best, UINT32_MAX);
}

/* The first cut of least cost. What the chosen one costs limits how far others
   are looked into. */
static void choose_by_area(Work *work, Gate gate) {
  trial_check();
  const PairsGate *g = &work->pairs->gates.data[gate];
  uint32_t before = work->best[gate], best = before;
  if (g->count <= 2) return;
  uint32_t known = known_cost(work, gate), least = known + 1;
  for (uint32_t i = g->first; i + 1 < g->first + g->count; i++) {
    uint32_t cost = i == before ? known : try_cost(work, i, least);
    if (cost >= least) continue;
    least = cost;
    best = i;
  }
  undo(work, 0, UINT32_MAX);
  if (best == before || least >= 4 * AREA_LIMIT) return;
  if (work->uses[gate]) remove_cut(work, before);
  work->best[gate] = best;
  if (work->uses[gate]) add_cut(work, best);
}

static void add_wanted(Work *work) {
  memset(work->uses, 0, work->pairs->gates.count * sizeof *work->uses);
  for (uint32_t i = 0; i < work->wanted_count; i++) {
    Gate gate = signal_gate(work->wanted[i]);
    if (work->uses[gate]++ == 0 && is_and(work, gate))
      add_cut(work, work->best[gate]);
  }
}

static void count_fanouts(Work *work) {
  for (Gate gate = 0; gate < work->pairs->gates.count; gate++)
    for (uint32_t i = 0; is_and(work, gate) && i < 2; i++)
      work->shared[signal_gate(work->pairs->gates.data[gate].inputs[i])]++;
  for (Gate gate = 0; gate < work->pairs->gates.count; gate++)
    if (work->shared[gate] < 1) work->shared[gate] = 1;
}

static void choose(Work *work) {
  Gate count = work->pairs->gates.count, first = work->pairs->input_count + 1;
  count_fanouts(work);
  for (uint32_t round = 0; round < FLOW_ROUNDS; round++) {
    for (Gate gate = first; gate < count; gate++) choose_by_flow(work, gate);
    add_wanted(work);
    for (Gate gate = first; gate < count; gate++) {
      float uses = work->uses[gate] ? (float)work->uses[gate] : 1;
      work->shared[gate] = (work->shared[gate] + 2 * uses) / 3;
    }
  }
  for (uint32_t round = 0; round < AREA_ROUNDS; round++)
    for (Gate gate = first; gate < count; gate++) choose_by_area(work, gate);
}

/* ---- lookup gates ---- */

static const uint32_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                      {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};

/* Finds the order of the first `count` inputs with the smallest table. */
static Arrangement arrange(uint8_t table, uint32_t count) {
  static const uint32_t of_count[] = {1, 1, 2, 6};
  Arrangement best = {0, table};
  for (uint8_t i = 0; i < of_count[count]; i++) {
    uint8_t moved = truth_move(table, orders[i]);
    if (i == 0 || moved < best.table) best = (Arrangement){i, moved};
  }
  best.order++;
  return best;
}

static void put_in_order(Work *work, Lookup *lookup, uint32_t count) {
  Arrangement *best = &work->arrangements[count][lookup->table];
  Lookup from = *lookup;
  if (!best->order) *best = arrange(from.table, count);
  lookup->table = best->table;
  for (uint32_t j = 0; j < 3; j++)
    lookup->inputs[orders[best->order - 1][j]] = from.inputs[j];
  for (uint32_t i = count; i < 3; i++)
    lookup->inputs[i] = count ? lookup->inputs[count - 1] : 0;
}

static Value add_lookup(Work *work, Lookup lookup, uint32_t count) {
  Cover *cover = work->cover;
  put_in_order(work, &lookup, count);
  vector_push(&cover->gates, lookup);
  return cover->input_count + cover->gates.count - 1;
}

/* `wanted`: bit 0 is set if the gate is wanted, bit 1 if its negation is. */
static void make_lookup(Work *work, Gate gate, uint32_t wanted) {
  const PairsCut *cut = &work->pairs->cuts.data[work->best[gate]];
  Lookup lookup = {{0, 0, 0}, cut->table};
  uint32_t count = size(cut);
  for (uint32_t i = 0; i < count; i++) {
    Gate leaf = cut->leaves[i];
    bool negated = work->plain[leaf] == NONE;
    lookup.inputs[i] = negated ? work->negated[leaf] : work->plain[leaf];
    if (negated) lookup.table = truth_negate(lookup.table, i);
  }
  bool negated = wanted ? wanted == 2 : lookup.table & 1;
  if (negated) lookup.table = (uint8_t)~lookup.table;
  Value *value = negated ? &work->negated[gate] : &work->plain[gate];
  *value = add_lookup(work, lookup, count);
}

/* Returns the value of a wanted signal; a constant or a negation may need a
   gate. */
static Value find_value(Work *work, Signal signal) {
  Gate gate = signal_gate(signal);
  bool negated = signal_negated(signal);
  Value *value = negated ? &work->negated[gate] : &work->plain[gate];
  if (*value != NONE) return *value;
  Lookup lookup = {{0, 0, 0}, negated ? 0xff : 0};
  if (gate) {
    lookup.inputs[0] = negated ? work->plain[gate] : work->negated[gate];
    lookup.table = (uint8_t)~TRUTH_A;
  }
  *value = add_lookup(work, lookup, gate ? 1 : 0);
  return *value;
}

static void make_lookups(Work *work) {
  uint32_t gates = work->pairs->gates.count;
  uint8_t *wanted = memory_new(gates);
  for (uint32_t i = 0; i < work->wanted_count; i++)
    wanted[signal_gate(work->wanted[i])] |=
        (uint8_t)(1 << signal_negated(work->wanted[i]));
  work->plain = memory_new(gates * sizeof *work->plain);
  work->negated = memory_new(gates * sizeof *work->negated);
  for (Gate gate = 0; gate < gates; gate++) {
    work->plain[gate] = work->negated[gate] = NONE;
    if (is_and(work, gate)) {
      if (work->uses[gate]) make_lookup(work, gate, wanted[gate]);
    } else if (gate) {
      work->plain[gate] = gate - 1;
    }
  }
  for (uint32_t i = 0; i < work->wanted_count; i++) {
    Value value = find_value(work, work->wanted[i]);
    vector_push(&work->cover->wanted, value);
  }
  memory_delete(wanted);
  memory_delete(work->plain);
  memory_delete(work->negated);
}

void cover_pairs(const Pairs *pairs, const Signal *wanted, uint32_t count,
                 Cover *cover) {
  uint32_t gates = pairs->gates.count;
  Work work = {.pairs = pairs,
               .wanted = wanted,
               .wanted_count = count,
               .cover = cover,
               .best = memory_new(gates * sizeof *work.best),
               .uses = memory_new(gates * sizeof *work.uses),
               .flow = memory_new(gates * sizeof *work.flow),
               .shared = memory_new(gates * sizeof *work.shared)};
  *cover = (Cover){.input_count = pairs->input_count};
  choose(&work);
  make_lookups(&work);
  memory_delete(work.best);
  memory_delete(work.uses);
  memory_delete(work.flow);
  memory_delete(work.shared);
  vector_free(&work.stack);
}

void cover_free(Cover *cover) {
  vector_free(&cover->gates);
  vector_free(&cover->wanted);
}
