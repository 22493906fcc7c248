/* The goals are computed by the same program as legality and terminality if
   that shares gates; otherwise they have their own, run only when a game has
   ended.

   After `next` has run, a fluent's next value may be in another fluent's
   vector, so the copies are ordered: a fluent is written after all copies that
   read it; where fluents depend on each other in a cycle, one is saved first.
 */
#include "wide/cones.h"

#include <stdlib.h>

/* Legality of each move, terminal, each goal. */
static Signal *list_outputs(const Net *net) {
  uint32_t moves = net->moves.count, goals = net->goals.count;
  Signal *list = memory_new((moves + 1 + goals) * sizeof *list);
  for (uint32_t i = 0; i < moves; i++) list[i] = net->moves.data[i].legal;
  list[moves] = net->terminal;
  for (uint32_t i = 0; i < goals; i++)
    list[moves + 1 + i] = net->goals.data[i].signal;
  return list;
}

/* Uses one program if the goals then add at most a quarter of what they cost
   alone, since they are not needed at every step. */
static void merge_goals(Cones *cones, const Signal *outputs, uint32_t count) {
  uint32_t apart = program_gates(cones->look);
  uint32_t extra = program_gates(cones->goals);
  if (extra <= apart / 32) return;
  Program *both = program_new(cones->net, outputs, count);
  if (program_gates(both) <= apart + extra / 4) {
    program_delete(cones->look);
    program_delete(cones->goals);
    cones->look = both;
    cones->goals = NULL;
  } else {
    program_delete(both);
  }
}

static void compile_look(Cones *cones) {
  uint32_t seen = cones->net->moves.count + 1;
  uint32_t goals = cones->net->goals.count;
  Signal *outputs = list_outputs(cones->net);
  cones->look = program_new(cones->net, outputs, seen);
  cones->goals = program_new(cones->net, outputs + seen, goals);
  merge_goals(cones, outputs, seen + goals);
  memory_delete(outputs);
}

static void compile_next(Cones *cones) {
  uint32_t count = cones->net->fluents.count;
  Signal *outputs = memory_new(count * sizeof *outputs);
  for (uint32_t i = 0; i < count; i++)
    outputs[i] = cones->net->fluents.data[i].next;
  cones->next = program_new(cones->net, outputs, count);
  memory_delete(outputs);
}

static void find_outputs(Cones *cones) {
  uint32_t moves = cones->net->moves.count, goals = cones->net->goals.count;
  cones->legal = memory_new(moves * sizeof *cones->legal);
  cones->goal = memory_new(goals * sizeof *cones->goal);
  for (uint32_t i = 0; i < moves; i++)
    cones->legal[i] = program_output(cones->look, i);
  cones->terminal = program_output(cones->look, moves);
  for (uint32_t i = 0; i < goals; i++)
    cones->goal[i] = cones->goals ? program_output(cones->goals, i)
                                  : program_output(cones->look, moves + 1 + i);
}

static void place_vectors(Cones *cones) {
  cones->filler = program_vectors(cones->look);
  if (program_vectors(cones->next) > cones->filler)
    cones->filler = program_vectors(cones->next);
  if (cones->goals && program_vectors(cones->goals) > cones->filler)
    cones->filler = program_vectors(cones->goals);
  cones->vectors = cones->filler + 1;
}

/* ---- the order of copies ---- */

typedef struct Order {
  uint32_t *source;  /* of each fluent */
  uint32_t *readers; /* of each fluent: copies still to come that read it */
  uint32_t *ready;   /* stack of fluents with no readers left */
  uint32_t ready_count;
  bool *done;
} Order;

static void emit_ready(Cones *cones, Order *order) {
  uint32_t fluents = cones->net->fluents.count;
  while (order->ready_count) {
    uint32_t to = order->ready[--order->ready_count], from = order->source[to];
    cones->copies[cones->copy_count++] =
        (SlicedCopy){to, from, cones->net->fluents.data[to].initial};
    order->done[to] = true;
    if (from < fluents && from != to && !--order->readers[from])
      order->ready[order->ready_count++] = from;
  }
}

/* Saves a fluent of a cycle; its readers read the saved vector. */
static void break_cycle(Cones *cones, Order *order, uint32_t fluent) {
  uint32_t saved = cones->vectors++;
  cones->saves[cones->save_count++] = (SlicedCopy){saved, fluent, false};
  for (uint32_t i = 0; i < cones->net->fluents.count; i++)
    if (!order->done[i] && order->source[i] == fluent && i != fluent)
      order->source[i] = saved;
  order->readers[fluent] = 0;
  order->ready[order->ready_count++] = fluent;
}

static void order_copies(Cones *cones) {
  uint32_t fluents = cones->net->fluents.count;
  Order order = {.source = memory_new(fluents * sizeof(uint32_t)),
                 .readers = memory_new(fluents * sizeof(uint32_t)),
                 .ready = memory_new(fluents * sizeof(uint32_t)),
                 .done = memory_new(fluents * sizeof(bool))};
  cones->copies = memory_new(fluents * sizeof *cones->copies);
  cones->saves = memory_new(fluents * sizeof *cones->saves);
  for (uint32_t i = 0; i < fluents; i++) {
    uint32_t from = order.source[i] = program_output(cones->next, i);
    if (from < fluents && from != i) order.readers[from]++;
  }
  for (uint32_t i = fluents; i-- > 0;)
    if (!order.readers[i]) order.ready[order.ready_count++] = i;
  emit_ready(cones, &order);
  for (uint32_t i = 0; i < fluents; i++) {
    if (order.done[i]) continue;
    break_cycle(cones, &order, i);
    emit_ready(cones, &order);
  }
  memory_delete(order.source);
  memory_delete(order.readers);
  memory_delete(order.ready);
  memory_delete(order.done);
}

/* ---- */

Cones *cones_new(const Net *net, const ProgramMode *mode) {
  if (!isa_available(mode->isa)) return NULL;
  Cones *cones = memory_new(sizeof *cones);
  cones->net = net;
  compile_look(cones);
  compile_next(cones);
  find_outputs(cones);
  place_vectors(cones);
  order_copies(cones);
  if (cones_set_mode(cones, mode)) return cones;
  cones_delete(cones);
  return NULL;
}

bool cones_set_mode(Cones *cones, const ProgramMode *mode) {
  if (!program_prepare(cones->look, mode) ||
      !program_prepare(cones->next, mode) ||
      (cones->goals && !program_prepare(cones->goals, mode)))
    return false;
  cones->mode = *mode;
  cones->sliced = sliced_find(mode->isa, mode->words);
  return true;
}

void cones_delete(Cones *cones) {
  program_delete(cones->look);
  program_delete(cones->next);
  if (cones->goals) program_delete(cones->goals);
  memory_delete(cones->legal);
  memory_delete(cones->goal);
  memory_delete(cones->saves);
  memory_delete(cones->copies);
  memory_delete(cones);
}

uint32_t cones_gates(const Cones *cones) {
  return program_gates(cones->look) + program_gates(cones->next) +
         (cones->goals ? program_gates(cones->goals) : 0);
}

uint64_t *cones_vectors_new(const Cones *cones, size_t count) {
  size_t size = (count * cones->mode.words * sizeof(uint64_t) + 63) / 64 * 64;
  return memory_new_aligned(size);
}

uint64_t *cones_memory_new(const Cones *cones) {
  return cones_vectors_new(cones, cones->vectors);
}

void cones_run_look(const Cones *cones, uint64_t *memory) {
  program_run(cones->look, &cones->mode, memory);
}

void cones_run_goals(const Cones *cones, uint64_t *memory) {
  if (cones->goals) program_run(cones->goals, &cones->mode, memory);
}

void cones_run_next(const Cones *cones, uint64_t *memory) {
  program_run(cones->next, &cones->mode, memory);
}
