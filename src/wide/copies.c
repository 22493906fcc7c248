/* After the program has run, a fluent's next value may be in another fluent's
   vector, so the copies are ordered: a fluent is written after all copies that
   read it; where fluents depend on each other in a cycle, one is saved first.
 */
#include "wide/copies.h"

typedef struct Order {
  const Net *net;
  Copies *copies;
  uint32_t fluents;
  uint32_t saved;    /* vector of the next save */
  bool *listed;      /* of each fluent: it is to be copied */
  uint32_t *source;  /* of each fluent */
  uint32_t *readers; /* of each fluent: copies still to come that read it */
  uint32_t *ready;   /* stack of fluents with no readers left */
  uint32_t ready_count;
  bool *done;
} Order;

static void emit_ready(Order *order) {
  Copies *copies = order->copies;
  while (order->ready_count) {
    uint32_t to = order->ready[--order->ready_count], from = order->source[to];
    order->done[to] = true;
    if (!order->listed[to]) continue;
    copies->copies[copies->copy_count++] =
        (SlicedCopy){to, from, order->net->fluents.data[to].initial};
    if (from < order->fluents && from != to && !--order->readers[from])
      order->ready[order->ready_count++] = from;
  }
}

/* Saves a fluent of a cycle; its readers read the saved vector. */
static void break_cycle(Order *order, uint32_t fluent) {
  Copies *copies = order->copies;
  uint32_t saved = order->saved++;
  copies->saves[copies->save_count++] = (SlicedCopy){saved, fluent, false};
  for (uint32_t i = 0; i < order->fluents; i++)
    if (!order->done[i] && order->source[i] == fluent && i != fluent)
      order->source[i] = saved;
  order->readers[fluent] = 0;
  order->ready[order->ready_count++] = fluent;
}

static void find_sources(Order *order, const Program *next,
                         const uint32_t *list, uint32_t count, bool assigned) {
  for (uint32_t i = 0; i < order->fluents; i++) order->source[i] = i;
  for (uint32_t i = 0; i < count; i++) {
    if (assigned && program_assigns(next, i)) continue;
    uint32_t from = order->source[list[i]] = program_output(next, i);
    order->listed[list[i]] = true;
    if (from < order->fluents && from != list[i]) order->readers[from]++;
  }
}

void copies_order(const Net *net, const Program *next, const uint32_t *list,
                  uint32_t count, bool assigned, uint32_t first,
                  Copies *copies) {
  uint32_t fluents = net->fluents.count;
  Order order = {.net = net,
                 .copies = copies,
                 .fluents = fluents,
                 .saved = first,
                 .listed = memory_new(fluents * sizeof(bool)),
                 .source = memory_new(fluents * sizeof(uint32_t)),
                 .readers = memory_new(fluents * sizeof(uint32_t)),
                 .ready = memory_new(fluents * sizeof(uint32_t)),
                 .done = memory_new(fluents * sizeof(bool))};
  *copies = (Copies){.saves = memory_new(count * sizeof(SlicedCopy)),
                     .copies = memory_new(count * sizeof(SlicedCopy))};
  find_sources(&order, next, list, count, assigned);
  for (uint32_t i = fluents; i-- > 0;)
    if (!order.readers[i]) order.ready[order.ready_count++] = i;
  emit_ready(&order);
  for (uint32_t i = 0; i < fluents; i++) {
    if (order.done[i]) continue;
    break_cycle(&order, i);
    emit_ready(&order);
  }
  memory_delete(order.listed);
  memory_delete(order.source);
  memory_delete(order.readers);
  memory_delete(order.ready);
  memory_delete(order.done);
}

void copies_free(Copies *copies) {
  memory_delete(copies->saves);
  memory_delete(copies->copies);
}
