/* A step of a word: what can be seen, a move for every role, the successor. */
#include "gpu/solo_parts.h"
#include "program/truth.h"

Reg solo_read(Solo *solo, const Reg *values, Value value) {
  const Net *net = solo->cones->net;
  return value < net->fluents.count + net->moves.count
             ? frame_read(&solo->frame, value)
             : values[value];
}

/* The moves that a value is the legality of, as a list. */
typedef struct Legal {
  Solo *solo;
  uint32_t *first, *next; /* by value; by move */
  bool *taken;            /* by slot: something is in it */
  bool *looped;           /* by value */
} Legal;

#define NO_MOVE UINT32_MAX

/* Returns for each value of a program whether it belongs to a loop: such a
   value is known after the loop only, and not heard of. */
static bool *find_looped(const Program *program) {
  const Order *order = program_order(program);
  bool *looped = memory_new(order->value_count * sizeof *looped);
  for (uint32_t k = 0; k < order->segments.count; k++) {
    const OrderSegment *segment = &order->segments.data[k];
    for (uint32_t i = 0; segment->loop && i < segment->count; i++)
      looped[order->steps.data[segment->first + i].result] = true;
  }
  return looped;
}

/* Two moves may share the slot. */
static void put_legal(Legal *legal, uint32_t move, Reg word) {
  Solo *solo = legal->solo;
  uint32_t slot = frame_move_slot(&solo->frame, move);
  bool *taken = &legal->taken[solo->pairing.slot[move]];
  if (*taken) word = ptx_or(&solo->ptx, word, frame_load(&solo->frame, slot));
  frame_store(&solo->frame, slot, word);
  *taken = true;
}

static void hear_legal(void *context, uint32_t step, Value value, Reg word) {
  Legal *legal = context;
  (void)step;
  if (legal->looped[value]) return;
  for (uint32_t move = legal->first[value]; move != NO_MOVE;
       move = legal->next[move])
    put_legal(legal, move, word);
}

void solo_step_look(Solo *solo) {
  const Cones *cones = solo->cones;
  const Net *net = cones->net;
  uint32_t count = program_order(cones->look)->value_count;
  uint32_t inputs = net->fluents.count + net->moves.count;
  Reg *values = memory_new(count * sizeof *values);
  Legal legal = {.solo = solo,
                 .first = memory_new(count * sizeof *legal.first),
                 .next =
                     memory_new((net->moves.count + 1) * sizeof *legal.next),
                 .taken = memory_new(solo->pairing.slots * sizeof *legal.taken),
                 .looped = find_looped(cones->look)};
  for (uint32_t i = 0; i < count; i++) legal.first[i] = NO_MOVE;
  for (uint32_t i = 0; i < net->moves.count; i++) {
    Value value = program_value(cones->look, i);
    legal.next[i] = legal.first[value];
    legal.first[value] = i;
  }
  frame_run(&solo->frame, cones->look, values, hear_legal, &legal);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    Value value = program_value(cones->look, i);
    if (value < inputs || legal.looped[value])
      put_legal(&legal, i, solo_read(solo, values, value));
  }
  ptx_move(
      &solo->ptx, solo->terminal,
      solo_read(solo, values, program_value(cones->look, net->moves.count)));
  memory_delete(values);
  memory_delete(legal.first);
  memory_delete(legal.next);
  memory_delete(legal.taken);
  memory_delete(legal.looped);
}

/* ---- choice ---- */

void solo_step_choose(Solo *solo, Reg free) {
  Ptx *ptx = &solo->ptx;
  const Net *net = solo->cones->net;
  const Pairing *pairing = &solo->pairing;
  uint32_t fluents = net->fluents.count;
  ptx_move(ptx, solo->stuck, 0);
  for (uint32_t role = 0; !pairing->paired && role < net->role_count; role++) {
    const PairingChoice *choice = &pairing->choices[role];
    Reg any = draw_move(&solo->frame, &solo->dice, fluents + choice->first,
                        choice->count, free);
    Reg none = ptx_and_not(ptx, free, any);
    ptx_move(ptx, solo->stuck, ptx_or(ptx, solo->stuck, none));
  }
  if (!pairing->paired) return;
  Reg any = draw_move(&solo->frame, &solo->dice, fluents,
                      pairing->choices[0].count, free);
  for (uint32_t role = 0; role < 2; role++) {
    Reg guard = frame_guard(&solo->frame, role);
    Reg wait = frame_load(
        &solo->frame, frame_move_slot(&solo->frame, pairing->roles[role].wait));
    Reg has = ptx_gate(ptx, (TRUTH_A & TRUTH_B) | TRUTH_C, any, guard, wait);
    Reg none = ptx_and_not(ptx, free, has);
    ptx_move(ptx, solo->stuck, ptx_or(ptx, solo->stuck, none));
  }
}

/* ---- next ---- */

/* Fluents are assigned at the end: until then their next values wait, in slots
   of moves that are not read any more, or in slots of their own. */
typedef struct Waiting {
  Solo *solo;
  NumberVector free;
  uint32_t *slot;     /* by value: where it waits, if it is one that waits */
  NumberVector *ends; /* by step: slots that are free after it */
  uint32_t ended;     /* steps */
} Waiting;

#define WANTED UINT32_MAX
#define UNWANTED (UINT32_MAX - 1)

static uint32_t new_slot(Waiting *waiting, uint32_t step) {
  for (; waiting->ends && waiting->ended <= step; waiting->ended++) {
    NumberVector *ends = &waiting->ends[waiting->ended];
    for (uint32_t i = 0; i < ends->count; i++)
      vector_push(&waiting->free, ends->data[i]);
  }
  if (waiting->free.count) return waiting->free.data[--waiting->free.count];
  return waiting->solo->frame.slots++;
}

static void hear_next(void *context, uint32_t step, Value value, Reg word) {
  Waiting *waiting = context;
  if (waiting->slot[value] != WANTED) return;
  waiting->slot[value] = new_slot(waiting, step);
  frame_store(&waiting->solo->frame, waiting->slot[value], word);
}

/* Finds after which step each slot of moves is free. */
static void find_ends(Waiting *waiting) {
  Solo *solo = waiting->solo;
  const Cones *cones = solo->cones;
  const Order *order = program_order(cones->next);
  uint32_t fluents = cones->net->fluents.count;
  uint32_t inputs = fluents + cones->net->moves.count;
  uint32_t *last = memory_new(solo->pairing.slots * sizeof *last);
  for (uint32_t i = 0; i < order->steps.count; i++)
    for (uint32_t k = 0; k < 3; k++) {
      Value value = order->steps.data[i].inputs[k];
      if (value >= fluents && value < inputs)
        last[solo->pairing.slot[value - fluents]] = i + 1;
    }
  for (uint32_t i = 0; i < fluents; i++) {
    Value value = program_value(cones->next, i);
    if (value >= fluents && value < inputs)
      last[solo->pairing.slot[value - fluents]] = order->steps.count + 1;
  }
  waiting->ends = memory_new((order->steps.count + 2) * sizeof(NumberVector));
  /* Slots of no move stay zero. */
  bool *used = memory_new(solo->pairing.slots * sizeof *used);
  for (uint32_t i = 0; i < cones->net->moves.count; i++)
    used[solo->pairing.slot[i]] = true;
  for (uint32_t i = 0; i < solo->pairing.slots; i++)
    if (used[i]) vector_push(&waiting->ends[last[i]], fluents + i);
  memory_delete(used);
  memory_delete(last);
}

static void free_waiting(Waiting *waiting) {
  uint32_t steps = program_order(waiting->solo->cones->next)->steps.count;
  for (uint32_t i = 0; waiting->ends && i < steps + 2; i++)
    vector_free(&waiting->ends[i]);
  memory_delete(waiting->ends);
  memory_delete(waiting->slot);
  vector_free(&waiting->free);
}

static void assign(Solo *solo, Waiting *waiting, const Reg *values,
                   const uint32_t *aside, Reg keep) {
  const Cones *cones = solo->cones;
  uint32_t fluents = cones->net->fluents.count;
  uint32_t ahead = solo->plan->frame.ahead;
  for (uint32_t i = 0; i < fluents + ahead; i++) {
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t at = k ? i - ahead : i;
      if (at >= fluents) continue;
      Value value = program_value(cones->next, at);
      if (value == at) continue;
      uint32_t slot = aside[at] ? aside[at] : waiting->slot[value];
      bool waits = slot < UNWANTED;
      Reg word = waits ? frame_load(&solo->frame, slot) : values[value];
      Reg old = frame_load(&solo->frame, at);
      if (!k) continue;
      frame_store(&solo->frame, at,
                  ptx_gate(&solo->ptx, (TRUTH_A & TRUTH_B) | (TRUTH_C & 0x33),
                           word, keep, old));
    }
  }
}

void solo_step_next(Solo *solo, Reg keep) {
  const Cones *cones = solo->cones;
  uint32_t count = program_order(cones->next)->value_count;
  uint32_t fluents = cones->net->fluents.count;
  uint32_t inputs = fluents + cones->net->moves.count;
  bool memory = solo->plan->frame.home != HOME_REGISTERS;
  Reg *values = memory_new(count * sizeof *values);
  uint32_t *aside = memory_new(fluents * sizeof *aside);
  bool *looped = find_looped(cones->next);
  Waiting waiting = {.solo = solo,
                     .slot = memory_new(count * sizeof *waiting.slot)};
  for (uint32_t i = 0; i < count; i++) waiting.slot[i] = UNWANTED;
  for (uint32_t i = 0; i < fluents; i++) {
    Value value = program_value(cones->next, i);
    if (memory && value >= inputs && !looped[value])
      waiting.slot[value] = WANTED;
  }
  if (memory) find_ends(&waiting);
  frame_run(&solo->frame, cones->next, values, hear_next, &waiting);
  /* Those that are another fluent's or a move's word are set aside. */
  for (uint32_t i = 0; i < fluents; i++) {
    Value value = program_value(cones->next, i);
    if (value >= inputs || value == i) continue;
    aside[i] = solo->frame.slots++;
    frame_store(&solo->frame, aside[i], frame_read(&solo->frame, value));
  }
  assign(solo, &waiting, values, aside, keep);
  memory_delete(values);
  memory_delete(aside);
  memory_delete(looped);
  free_waiting(&waiting);
}
