/* List scheduling by kind, piece by piece. Steps whose inputs are available
   wait in the queue of their kind; the longest queue is emptied, including what
   becomes ready meanwhile, then the next. Updates impose no order: readers of a
   loop's value may come before or after it. */
#include "program/runs.h"

typedef struct Edge {
  uint32_t step, next; /* next: edge + 1 */
} Edge;

typedef struct Work {
  const Order *order;
  Order *sorted;
  uint32_t *maker;   /* of each value: step + 1 in this piece */
  uint32_t *missing; /* of each step: inputs not yet made */
  uint32_t *readers; /* of each step: edge + 1 */
  VECTOR(Edge) edges;
  uint32_t *next; /* in its queue: step + 1 */
  uint32_t head[KIND_COUNT], tail[KIND_COUNT], length[KIND_COUNT];
} Work;

static void enqueue(Work *work, uint32_t step) {
  uint32_t kind = work->order->steps.data[step].kind;
  work->next[step] = 0;
  if (work->length[kind]++)
    work->next[work->tail[kind] - 1] = step + 1;
  else
    work->head[kind] = step + 1;
  work->tail[kind] = step + 1;
}

static void enter(Work *work, uint32_t index) {
  const OrderStep *step = &work->order->steps.data[index];
  for (uint32_t i = 0; i < 3 && order_reads(step); i++) {
    uint32_t maker = work->maker[step->inputs[i]];
    if (!maker) continue;
    vector_push(&work->edges, ((Edge){index, work->readers[maker - 1]}));
    work->readers[maker - 1] = work->edges.count;
    work->missing[index]++;
  }
  if (step->kind != KIND_UPDATE) work->maker[step->result] = index + 1;
  if (!work->missing[index]) enqueue(work, index);
}

static void empty_queue(Work *work, uint32_t kind) {
  while (work->length[kind]) {
    uint32_t step = work->head[kind] - 1;
    work->head[kind] = work->next[step];
    work->length[kind]--;
    vector_push(&work->sorted->steps, work->order->steps.data[step]);
    for (uint32_t edge = work->readers[step]; edge;) {
      uint32_t reader = work->edges.data[edge - 1].step;
      if (--work->missing[reader] == 0) enqueue(work, reader);
      edge = work->edges.data[edge - 1].next;
    }
  }
}

static void sort_piece(Work *work, uint32_t first, uint32_t after) {
  vector_clear(&work->edges);
  for (uint32_t i = first; i < after; i++) enter(work, i);
  for (;;) {
    uint32_t longest = 0;
    for (uint32_t kind = 1; kind < KIND_COUNT; kind++)
      if (work->length[kind] > work->length[longest]) longest = kind;
    if (!work->length[longest]) break;
    empty_queue(work, longest);
  }
  for (uint32_t i = first; i < after; i++)
    work->maker[work->order->steps.data[i].result] = 0;
}

void runs_sort(const Order *order, uint32_t piece, Order *sorted) {
  uint32_t steps = order->steps.count;
  Work *work = memory_new(sizeof *work);
  *sorted = (Order){.value_count = order->value_count};
  work->order = order;
  work->sorted = sorted;
  work->maker = memory_new(order->value_count * sizeof *work->maker);
  work->missing = memory_new(steps * sizeof *work->missing);
  work->readers = memory_new(steps * sizeof *work->readers);
  work->next = memory_new(steps * sizeof *work->next);
  for (uint32_t s = 0; s < order->segments.count; s++) {
    OrderSegment segment = order->segments.data[s];
    uint32_t after = segment.first + segment.count;
    for (uint32_t i = segment.first; i < after; i += piece)
      sort_piece(work, i, after - i < piece ? after : i + piece);
    vector_push(&sorted->segments, segment);
  }
  memory_delete(work->maker);
  memory_delete(work->missing);
  memory_delete(work->readers);
  memory_delete(work->next);
  vector_free(&work->edges);
  memory_delete(work);
}
