#include "gpu/joins.h"

#include "program/truth.h"

typedef struct Work {
  const Order *order;
  uint32_t inputs;
  const uint32_t *step, *readers;
  Joins *joins;
  NumberVector stack, inner;
} Work;

static uint8_t table_of(const Work *work, Value value) {
  return (uint8_t)work->order->steps.data[work->step[value]].kind;
}

/* Returns whether the table is true (any), or false, if the variable is. */
static bool decides(uint8_t table, uint32_t variable, bool any) {
  return truth_depends(table, variable) &&
         truth_fix(table, variable, any) == (any ? 0xff : 0);
}

static bool joins(uint8_t table, bool any) {
  return decides(table, 0, any) || decides(table, 1, any) ||
         decides(table, 2, any);
}

static void add_term(Work *work, uint8_t table, Value a, Value b) {
  JoinTerm term = {.join = work->joins->list.count,
                   .table = table,
                   .count = 1 + (a != b),
                   .inputs = {a, b}};
  vector_push(&work->joins->terms, term);
}

/* Adds what is joined with the variables that decide. */
static void add_rest(Work *work, const OrderStep *step, bool any) {
  uint8_t rest = (uint8_t)step->kind;
  uint32_t place[3] = {2, 2, 2}, count = 0;
  Value inputs[2] = {0};
  for (uint32_t i = 0; i < 3; i++)
    if (decides((uint8_t)step->kind, i, any)) rest = truth_fix(rest, i, !any);
  for (uint32_t i = 0; i < 3; i++)
    if (truth_depends(rest, i)) {
      inputs[count] = step->inputs[i];
      place[i] = count++;
    }
  if (count)
    add_term(work, truth_move(rest, place), inputs[0], inputs[count - 1]);
}

static bool is_inner(const Work *work, Value value, bool any) {
  return value >= work->inputs && work->readers[value] == 1 &&
         joins(table_of(work, value), any);
}

static void list_terms(Work *work, Value root, bool any) {
  vector_clear(&work->inner);
  vector_push(&work->stack, root);
  while (work->stack.count) {
    Value value = work->stack.data[--work->stack.count];
    const OrderStep *step = &work->order->steps.data[work->step[value]];
    if (value != root) vector_push(&work->inner, value);
    add_rest(work, step, any);
    for (uint32_t i = 0; i < 3; i++) {
      if (!decides((uint8_t)step->kind, i, any)) continue;
      if (is_inner(work, step->inputs[i], any))
        vector_push(&work->stack, step->inputs[i]);
      else
        add_term(work, TRUTH_A, step->inputs[i], step->inputs[i]);
    }
  }
}

static bool add_join(Work *work, Value root, bool any) {
  Joins *found = work->joins;
  uint32_t first = found->terms.count;
  if (!joins(table_of(work, root), any)) return false;
  list_terms(work, root, any);
  uint32_t count = found->terms.count - first;
  if (count < JOINS_LEAST) {
    found->terms.count = first;
    return false;
  }
  for (uint32_t i = 0; i < work->inner.count; i++)
    found->inner[work->inner.data[i]] = true;
  found->of[root] = found->list.count;
  vector_push(&found->list, ((Join){root, any, first, count}));
  return true;
}

void joins_find(const Order *order, uint32_t inputs, const uint32_t *step,
                const uint32_t *readers, Joins *found) {
  Work work = {.order = order,
               .inputs = inputs,
               .step = step,
               .readers = readers,
               .joins = found};
  uint32_t values = order->value_count;
  *found = (Joins){.of = memory_new((values + 1) * sizeof *found->of),
                   .inner = memory_new(values + 1)};
  for (uint32_t i = 0; i < values; i++) found->of[i] = JOINS_NONE;
  /* A root comes before what is inside. */
  for (uint32_t i = order->steps.count; i--;) {
    Value value = order->steps.data[i].result;
    if (readers[value] && !found->inner[value] && !add_join(&work, value, true))
      add_join(&work, value, false);
  }
  vector_free(&work.stack);
  vector_free(&work.inner);
}

void joins_free(Joins *joins) {
  vector_free(&joins->list);
  vector_free(&joins->terms);
  memory_delete(joins->of);
  memory_delete(joins->inner);
}
