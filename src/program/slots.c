/* Linear scan (Poletto and Sarkar 1999). A value is live until its last use;
   one that is computed before a loop and used in it is live until the end of
   the loop, since a later round reads it again. The slot freed last is assigned
   first: it is still in the cache. A step may write where it reads. */
#include "program/slots.h"

typedef struct Work {
  const Order *order;
  uint32_t *end;          /* of each value: the step before which it is free */
  uint32_t *heads, *next; /* values by their end: value + 1, 0 ends the list */
} Work;

static void find_ends(Work *work) {
  const Order *order = work->order;
  uint32_t *made = memory_new(order->value_count * sizeof *made);
  for (uint32_t s = 0; s < order->segments.count; s++) {
    const OrderSegment *segment = &order->segments.data[s];
    uint32_t after = segment->first + segment->count;
    for (uint32_t i = segment->first; i < after; i++) {
      const OrderStep *step = &order->steps.data[i];
      for (uint32_t j = 0; j < 3 && order_reads(step); j++) {
        bool outer = segment->loop && made[step->inputs[j]] <= segment->first;
        work->end[step->inputs[j]] = outer ? after : i;
      }
      made[step->result] = i + 1;
    }
  }
  memory_delete(made);
}

static void list_ends(Work *work, const uint32_t *slots) {
  for (Value value = 0; value < work->order->value_count; value++) {
    if (slots[value] != SLOT_NONE) continue;
    work->next[value] = work->heads[work->end[value]];
    work->heads[work->end[value]] = value + 1;
  }
}

uint32_t slots_assign(const Order *order, uint32_t first, uint32_t *slots) {
  uint32_t steps = order->steps.count, values = order->value_count;
  Work work = {.order = order,
               .end = memory_new(values * sizeof *work.end),
               .heads = memory_new((steps + 1) * sizeof *work.heads),
               .next = memory_new(values * sizeof *work.next)};
  NumberVector unused = {0};
  uint32_t count = first;
  find_ends(&work);
  list_ends(&work, slots);
  for (uint32_t i = 0; i < steps; i++) {
    Value result = order->steps.data[i].result;
    for (uint32_t at = work.heads[i]; at; at = work.next[at - 1])
      if (slots[at - 1] != SLOT_NONE) vector_push(&unused, slots[at - 1]);
    if (slots[result] != SLOT_NONE) continue;
    slots[result] = unused.count ? unused.data[--unused.count] : count++;
  }
  vector_free(&unused);
  memory_delete(work.end);
  memory_delete(work.heads);
  memory_delete(work.next);
  return count;
}
