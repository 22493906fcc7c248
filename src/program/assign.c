/* Steps are taken in order, and an output's step waits until all other readers
   of its target are through, if it has no readers itself. What waits must not
   make more values live: a step that waits keeps at most one input that nobody
   else needs. Steps that wait for each other in a cycle come last, and the
   first of them replaces nothing. */
#include "program/assign.h"

typedef struct Work {
  Order *order;
  uint32_t inputs;
  uint32_t *uses;    /* of each value: steps that read it */
  uint32_t *left;    /* of each input: steps to come that read it, except the
                        one that is to replace it */
  uint32_t *wanted;  /* of each value: the input that it is to replace */
  uint32_t *target;  /* of each value: the input that it replaces */
  uint32_t *waiting; /* of each input: step + 1 that waits to replace it */
  VECTOR(OrderStep) steps; /* in the new order */
  NumberVector stack;
} Work;

/* Returns whether input i of the step is none of those before it. */
static bool is_new(const OrderStep *step, uint32_t i) {
  for (uint32_t j = 0; j < i; j++)
    if (step->inputs[j] == step->inputs[i]) return false;
  return order_reads(step);
}

static void count_uses(Work *work) {
  for (uint32_t i = 0; i < work->order->steps.count; i++) {
    const OrderStep *step = &work->order->steps.data[i];
    for (uint32_t j = 0; j < 3; j++)
      if (is_new(step, j)) {
        work->uses[step->inputs[j]]++;
        work->left[step->inputs[j]] +=
            work->wanted[step->result] != step->inputs[j];
      }
  }
}

/* A value replaces one input, which is not itself a next value. */
static void find_wanted(Work *work, const Value *values,
                        const uint32_t *targets, uint32_t count) {
  uint8_t *seen = memory_new(work->order->value_count);
  for (uint32_t i = 0; i < count; i++) {
    if (seen[values[i]] < 2) seen[values[i]]++;
    work->wanted[values[i]] = targets[i];
  }
  for (Value value = 0; value < work->order->value_count; value++)
    if (value < work->inputs || seen[value] != 1 || seen[work->wanted[value]])
      work->wanted[value] = ASSIGN_NONE;
  memory_delete(seen);
}

static bool may_wait(const Work *work, const OrderStep *step) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < 3; i++)
    kept += is_new(step, i) && step->inputs[i] >= work->inputs &&
            work->uses[step->inputs[i]] == 1;
  return kept <= 1 && !work->uses[step->result];
}

/* Adds a step, then those that waited for it. */
static void add(Work *work, uint32_t number, bool assigns) {
  const OrderStep *steps = work->order->steps.data;
  vector_push(&work->stack, number);
  while (work->stack.count) {
    const OrderStep *step = &steps[work->stack.data[--work->stack.count]];
    uint32_t wanted = work->wanted[step->result];
    vector_push(&work->steps, *step);
    if (assigns) work->target[step->result] = wanted;
    if (wanted != ASSIGN_NONE) work->waiting[wanted] = 0;
    for (uint32_t i = 0; i < 3; i++) {
      Value input = step->inputs[i];
      if (!is_new(step, i) || input == wanted || --work->left[input]) continue;
      if (input < work->inputs && work->waiting[input])
        vector_push(&work->stack, work->waiting[input] - 1);
    }
    assigns = true;
  }
}

static void add_all(Work *work) {
  Order *order = work->order;
  const OrderSegment *last = &vector_last(&order->segments);
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *step = &order->steps.data[i];
    uint32_t wanted = work->wanted[step->result];
    bool ends = wanted != ASSIGN_NONE && i >= last->first && !last->loop;
    if (ends && work->left[wanted] && may_wait(work, step))
      work->waiting[wanted] = i + 1;
    else
      add(work, i, ends && !work->left[wanted]);
  }
  for (uint32_t i = last->first; i < order->steps.count; i++) {
    uint32_t wanted = work->wanted[order->steps.data[i].result];
    if (wanted != ASSIGN_NONE && work->waiting[wanted] == i + 1)
      add(work, i, false);
  }
}

uint32_t *assign_find(Order *order, uint32_t inputs, const Value *values,
                      const uint32_t *targets, uint32_t count) {
  uint32_t all = order->value_count;
  Work work = {.order = order,
               .inputs = inputs,
               .uses = memory_new(all * sizeof *work.uses),
               .left = memory_new(all * sizeof *work.left),
               .wanted = memory_new(all * sizeof *work.wanted),
               .target = memory_new(all * sizeof *work.target),
               .waiting = memory_new(all * sizeof *work.waiting)};
  for (Value value = 0; value < all; value++)
    work.wanted[value] = work.target[value] = ASSIGN_NONE;
  find_wanted(&work, values, targets, count);
  count_uses(&work);
  if (order->segments.count) add_all(&work);
  for (uint32_t i = 0; i < work.steps.count; i++)
    order->steps.data[i] = work.steps.data[i];
  memory_delete(work.uses);
  memory_delete(work.left);
  memory_delete(work.wanted);
  memory_delete(work.waiting);
  vector_free(&work.steps);
  vector_free(&work.stack);
  return work.target;
}
