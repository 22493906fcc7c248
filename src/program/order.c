/* Depth-first orders. Of a gate's inputs the one that needs most registers is
   computed first (Sethi and Ullman 1970). A gate whose inputs are all
   available, one of them only just, is computed at once if it is the last
   reader of an input: values are then used while they are close, and no more of
   them are live. So is a gate that nobody reads and that lacks one input whose
   own inputs are available: hex plays 88 M states/s instead of 84 in lanes, and
   its kernel on the card loads 10,000 words in a step instead of 13,400.

   The level of a value is the number of the last loop block it depends on,
   counted from 1, or 0. Block b is preceded by the gates below level b that its
   definitions need; its segment has those of level b; all others follow at the
   end. An update comes right after its definition, so that later steps of the
   same round see the new value: any such order reaches the same least fixpoint,
   this one in fewer rounds. */
#include "program/order.h"

#include "base/trial.h"

#include <assert.h>

enum { NEAR = 64 }; /* readers of a recent value that are considered */

typedef struct Work {
  const Cover *cover;
  Order *order;
  /* by value: */
  uint32_t *level;
  uint32_t *need;            /* registers, roughly */
  uint8_t *state;            /* UNSEEN, SCANNED or DONE */
  uint32_t *missing;         /* inputs not computed yet */
  uint32_t *left;            /* readers not computed yet */
  uint32_t *first, *readers; /* readers[first[v] … first[v + 1]) */
  uint32_t limit;            /* greatest level that is computed now */
  bool looped;               /* in a loop: compute only what is needed */
  VECTOR(Value) stack, near;
} Work;

enum { UNSEEN, SCANNED, DONE };

static const Lookup *gate_of(const Work *work, Value value) {
  return &work->cover->gates.data[value - work->cover->input_count];
}

/* Counts the inputs that matter; the others repeat the last of them. */
static uint32_t count_inputs(const Lookup *gate) {
  if (gate->table == 0 || gate->table == 0xff) return 0;
  return 1u + (gate->inputs[1] != gate->inputs[0]) +
         (gate->inputs[2] != gate->inputs[1]);
}

/* ---- properties of values ---- */

static void find_levels(Work *work, const OrderLoop *loops, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    work->level[loops[i].value] = loops[i].block + 1;
  for (uint32_t i = 0; i < work->cover->gates.count; i++) {
    const Lookup *gate = &work->cover->gates.data[i];
    uint32_t *level = &work->level[work->cover->input_count + i];
    for (uint32_t j = 0; j < count_inputs(gate); j++)
      if (work->level[gate->inputs[j]] > *level)
        *level = work->level[gate->inputs[j]];
  }
}

/* Sorts the inputs, those that need most registers first. */
static uint32_t sort_inputs(const Work *work, const Lookup *gate,
                            Value inputs[3]) {
  uint32_t count = count_inputs(gate);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i;
    for (; at && work->need[inputs[at - 1]] < work->need[gate->inputs[i]]; at--)
      inputs[at] = inputs[at - 1];
    inputs[at] = gate->inputs[i];
  }
  return count;
}

static void find_needs(Work *work) {
  for (uint32_t i = 0; i < work->cover->gates.count; i++) {
    Value inputs[3];
    uint32_t count = sort_inputs(work, &work->cover->gates.data[i], inputs);
    uint32_t *need = &work->need[work->cover->input_count + i];
    *need = 1;
    for (uint32_t j = 0; j < count; j++)
      if (work->need[inputs[j]] && work->need[inputs[j]] + j > *need)
        *need = work->need[inputs[j]] + j;
  }
}

static void find_readers(Work *work) {
  uint32_t inputs = work->cover->input_count, values = work->order->value_count;
  for (uint32_t i = 0; i < work->cover->gates.count; i++) {
    const Lookup *gate = &work->cover->gates.data[i];
    for (uint32_t j = 0; j < count_inputs(gate); j++) {
      work->left[gate->inputs[j]]++;
      work->missing[inputs + i] += gate->inputs[j] >= inputs;
    }
  }
  for (Value value = 0; value < values; value++)
    work->first[value + 1] = work->first[value] + work->left[value];
  work->readers = memory_new(work->first[values] * sizeof *work->readers);
  uint32_t *at = memory_new(values * sizeof *at);
  for (uint32_t i = 0; i < work->cover->gates.count; i++) {
    const Lookup *gate = &work->cover->gates.data[i];
    for (uint32_t j = 0; j < count_inputs(gate); j++) {
      Value input = gate->inputs[j];
      work->readers[work->first[input] + at[input]++] = inputs + i;
    }
  }
  memory_delete(at);
}

/* ---- computing values ---- */

static void make(Work *work, Value value) {
  trial_check();
  const Lookup *gate = gate_of(work, value);
  OrderStep step = {
      gate->table, value, {gate->inputs[0], gate->inputs[1], gate->inputs[2]}};
  vector_push(&work->order->steps, step);
  work->state[value] = DONE;
  for (uint32_t i = 0; i < count_inputs(gate); i++)
    work->left[gate->inputs[i]]--;
  for (uint32_t i = work->first[value]; i < work->first[value + 1]; i++) {
    work->missing[work->readers[i]]--;
    if (i - work->first[value] < NEAR)
      vector_push(&work->near, work->readers[i]);
  }
}

/* Returns whether all inputs are computed and one has no other reader left. */
static bool is_ripe(const Work *work, Value value) {
  if (work->state[value] == DONE || work->missing[value] ||
      work->level[value] > work->limit)
    return false;
  const Lookup *gate = gate_of(work, value);
  for (uint32_t i = 0; i < count_inputs(gate); i++)
    if (work->left[gate->inputs[i]] == 1) return true;
  return false;
}

/* Returns the only input that is missing of a value that nobody reads, if its
   own inputs are computed; or 0. */
static Value find_last(const Work *work, Value value) {
  if (work->state[value] == DONE || work->missing[value] != 1 ||
      work->first[value] < work->first[value + 1])
    return 0;
  const Lookup *gate = gate_of(work, value);
  for (uint32_t i = 0; i < count_inputs(gate); i++) {
    Value input = gate->inputs[i];
    if (work->state[input] != DONE)
      return !work->missing[input] && work->level[value] <= work->limit ? input
                                                                        : 0;
  }
  return 0;
}

static void make_ripe(Work *work) {
  for (bool made = !work->looped; made;) {
    made = false;
    for (uint32_t i = 0; i < work->near.count; i++) {
      Value value = work->near.data[i], last = find_last(work, value);
      if (!last && !is_ripe(work, value)) continue;
      if (last) make(work, last);
      make(work, value);
      made = true;
    }
  }
  if (work->near.count <= NEAR) return;
  memmove(work->near.data, work->near.data + work->near.count - NEAR / 2,
          NEAR / 2 * sizeof *work->near.data);
  work->near.count = NEAR / 2;
}

static bool push_inputs(Work *work, Value value, uint8_t seen) {
  Value inputs[3];
  uint32_t before = work->stack.count;
  for (uint32_t i = sort_inputs(work, gate_of(work, value), inputs); i-- > 0;)
    if (work->state[inputs[i]] < seen) vector_push(&work->stack, inputs[i]);
  return work->stack.count > before;
}

/* Computes what `root` needs, up to the limit. With `scan`, values above it are
   only traversed; without, there are none. */
static void visit(Work *work, Value root, bool scan) {
  uint8_t seen = scan ? SCANNED : DONE;
  vector_push(&work->stack, root);
  while (work->stack.count) {
    Value value = vector_last(&work->stack);
    if (work->state[value] >= seen) {
      work->stack.count--;
      continue;
    }
    if (push_inputs(work, value, seen)) continue;
    work->stack.count--;
    if (work->level[value] <= work->limit) {
      make(work, value);
      make_ripe(work);
    } else {
      assert(scan);
      work->state[value] = SCANNED;
    }
  }
}

/* ---- segments ---- */

static void close_segment(Order *order, bool loop) {
  const OrderSegment *last =
      order->segments.count ? &vector_last(&order->segments) : NULL;
  uint32_t first = last ? last->first + last->count : 0;
  uint32_t count = order->steps.count - first;
  if (count)
    vector_push(&order->segments, ((OrderSegment){first, count, loop}));
}

/* Orders the loops of one block. */
static void order_block(Work *work, const OrderLoop *loops, uint32_t count) {
  Order *order = work->order;
  work->limit = loops->block;
  for (uint32_t i = 0; i < count; i++) visit(work, loops[i].definition, true);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&order->steps, ((OrderStep){0, loops[i].value, {0, 0, 0}}));
  close_segment(order, false);
  work->limit = loops->block + 1;
  work->looped = true;
  for (uint32_t i = 0; i < count; i++) {
    Value definition = loops[i].definition;
    visit(work, definition, false);
    vector_push(&order->steps,
                ((OrderStep){KIND_UPDATE,
                             loops[i].value,
                             {definition, definition, definition}}));
  }
  work->looped = false;
  close_segment(order, true);
}

static void work_init(Work *work, const OrderLoop *loops, uint32_t count) {
  uint32_t values = work->order->value_count;
  work->level = memory_new(values * sizeof *work->level);
  work->need = memory_new(values * sizeof *work->need);
  work->state = memory_new(values * sizeof *work->state);
  work->missing = memory_new(values * sizeof *work->missing);
  work->left = memory_new(values * sizeof *work->left);
  work->first = memory_new((values + 1) * sizeof *work->first);
  memset(work->state, DONE, work->cover->input_count);
  find_levels(work, loops, count);
  find_needs(work);
  find_readers(work);
}

static void work_free(Work *work) {
  memory_delete(work->level);
  memory_delete(work->need);
  memory_delete(work->state);
  memory_delete(work->missing);
  memory_delete(work->left);
  memory_delete(work->first);
  memory_delete(work->readers);
  vector_free(&work->stack);
  vector_free(&work->near);
}

void order_cover(const Cover *cover, const OrderLoop *loops,
                 uint32_t loop_count, const Value *wanted,
                 uint32_t wanted_count, Order *order) {
  Work work = {.cover = cover, .order = order};
  *order = (Order){.value_count = cover->input_count + cover->gates.count};
  work_init(&work, loops, loop_count);
  for (uint32_t i = 0, end; i < loop_count; i = end) {
    for (end = i; end < loop_count && loops[end].block == loops[i].block;)
      end++;
    order_block(&work, loops + i, end - i);
  }
  work.limit = UINT32_MAX;
  for (uint32_t i = 0; i < wanted_count; i++) visit(&work, wanted[i], false);
  close_segment(order, false);
  work_free(&work);
}

void order_free(Order *order) {
  vector_free(&order->steps);
  vector_free(&order->segments);
}
