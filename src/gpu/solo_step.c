/* A step of a word: what can be seen, a move for every role, the successor. */
#include "gpu/hold.h"
#include "gpu/reorder.h"
#include "gpu/solo_parts.h"
#include "gpu/still.h"
#include "program/truth.h"

void solo_run(Solo *solo, const Order *order, const Value *wanted,
              uint32_t wanted_count, const uint32_t *heard, Reg *values,
              FrameListener *listener, void *context) {
  Frame *frame = &solo->frame;
  if (frame->plan.home == HOME_LOCAL && !order_loops(order))
    hold_run(frame, order, wanted, wanted_count, heard, values, listener,
             context);
  else
    frame_run(frame, order, values, listener, context);
}

const Order *solo_order(const Solo *solo, const Program *program,
                        const Value *wanted, uint32_t wanted_count,
                        Order *made) {
  const Net *net = solo->cones->net;
  const Order *order = program_order(program);
  return solo->plan->frame.home == HOME_LOCAL &&
                 reorder_make(order, net->fluents.count + net->moves.count,
                              wanted, wanted_count, made)
             ? made
             : order;
}

Reg solo_read(Solo *solo, const Reg *values, Value value) {
  const Net *net = solo->cones->net;
  return value < net->fluents.count + net->moves.count
             ? frame_read(&solo->frame, value)
             : values[value];
}

/* The moves that a value is the legality of, as a list. */
typedef struct Legal {
  Solo *solo;
  const Pairing *pairing;
  uint32_t *first, *next; /* by value; by move */
  bool *taken;            /* by slot: something is in it */
  bool *looped;           /* by value */
  uint32_t *missing;      /* by choice and row of its moves: those not seen yet;
                             NULL: choices are not made by loops */
} Legal;

#define NO_MOVE UINT32_MAX

/* Returns for each value of an order whether it belongs to a loop: such a
   value is known after the loop only, and not heard of. */
static bool *find_looped(const Order *order) {
  bool *looped = memory_new(order->value_count * sizeof *looped);
  for (uint32_t k = 0; k < order->segments.count; k++) {
    const OrderSegment *segment = &order->segments.data[k];
    for (uint32_t i = 0; segment->loop && i < segment->count; i++)
      looped[order->steps.data[segment->first + i].result] = true;
  }
  return looped;
}

/* ---- rows ----

   A row is counted when its last move is seen: then most of its words are still
   in registers. */

#define NO_CHOICE UINT32_MAX

/* Choices are those of the pairing. */
static uint32_t find_choice(const Legal *legal, uint32_t move) {
  const Pairing *pairing = legal->pairing;
  uint32_t role = legal->solo->cones->net->moves.data[move].role;
  if (pairing->paired) return pairing_shares(pairing, move) ? 0 : NO_CHOICE;
  return draw_lines(pairing->choices[role].count) ? role : NO_CHOICE;
}

/* Returns the count of a row's moves that have not been seen. */
static uint32_t *find_missing(const Legal *legal, uint32_t choice,
                              uint32_t row) {
  uint32_t most = legal->solo->move_slots / DRAW_ROW + 1;
  return &legal->missing[choice * most + row];
}

static uint32_t find_row(const Legal *legal, uint32_t choice, uint32_t move) {
  const Pairing *pairing = legal->pairing;
  return (pairing->slot[move] - pairing->choices[choice].first) / DRAW_ROW;
}

static void begin_rows(Legal *legal) {
  Solo *solo = legal->solo;
  const Net *net = solo->cones->net;
  legal->missing =
      memory_new(net->role_count * (solo->move_slots / DRAW_ROW + 1) *
                 sizeof *legal->missing);
  for (uint32_t i = 0; i < net->role_count; i++)
    solo->legal[i] = draw_zero(&solo->ptx, legal->pairing->choices[i].count);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    if (legal->pairing->slot[i] == PAIRING_NONE) continue;
    uint32_t choice = find_choice(legal, i);
    if (choice != NO_CHOICE)
      (*find_missing(legal, choice, find_row(legal, choice, i)))++;
  }
}

static void count_row(Legal *legal, uint32_t choice, uint32_t row) {
  Solo *solo = legal->solo;
  uint32_t first = legal->pairing->choices[choice].first + row * DRAW_ROW;
  uint32_t count = 0;
  Reg words[DRAW_ROW];
  for (uint32_t slot = first; slot < first + DRAW_ROW; slot++)
    if (legal->taken[slot])
      words[count++] =
          frame_load(&solo->frame, solo->cones->net->fluents.count + slot);
  draw_add(&solo->ptx, &solo->legal[choice], words, count);
}

static void see_move(Legal *legal, uint32_t move) {
  uint32_t choice = find_choice(legal, move);
  if (choice == NO_CHOICE) return;
  uint32_t row = find_row(legal, choice, move);
  if (!--*find_missing(legal, choice, row)) count_row(legal, choice, row);
}

/* ---- */

/* Two moves may share the slot. */
static void put_legal(Legal *legal, uint32_t move, Reg word) {
  Solo *solo = legal->solo;
  uint32_t slot = frame_move_slot(&solo->frame, move);
  bool *taken = &legal->taken[legal->pairing->slot[move]];
  if (*taken) word = ptx_or(&solo->ptx, word, frame_load(&solo->frame, slot));
  frame_store(&solo->frame, slot, word);
  *taken = true;
  if (legal->missing) see_move(legal, move);
}

static void hear_legal(void *context, uint32_t step, Value value, Reg word) {
  Legal *legal = context;
  (void)step;
  if (legal->looped[value]) return;
  for (uint32_t move = legal->first[value]; move != NO_MOVE;
       move = legal->next[move])
    put_legal(legal, move, word);
}

/* Finds of each value which moves it is the legality of. */
static void list_moves(Legal *legal, const Program *look, uint32_t count) {
  const Net *net = legal->solo->cones->net;
  uint32_t seen = 0;
  for (uint32_t i = 0; i < count; i++) legal->first[i] = NO_MOVE;
  for (uint32_t i = 0; i < net->moves.count; i++) {
    if (legal->pairing->slot[i] == PAIRING_NONE) continue;
    Value value = program_value(look, seen++);
    legal->next[i] = legal->first[value];
    legal->first[value] = i;
  }
}

/* The rest of the moves, and nothing in slots that are nobody's. */
static void put_rest(Legal *legal, const Program *look, Reg *values) {
  Solo *solo = legal->solo;
  const Net *net = solo->cones->net;
  uint32_t inputs = net->fluents.count + net->moves.count, seen = 0;
  for (uint32_t i = 0; i < net->moves.count; i++) {
    if (legal->pairing->slot[i] == PAIRING_NONE) continue;
    Value value = program_value(look, seen++);
    if (value < inputs || legal->looped[value])
      put_legal(legal, i, solo_read(solo, values, value));
  }
  for (uint32_t i = 0; i < legal->pairing->slots; i++)
    if (!legal->taken[i]) frame_store(&solo->frame, net->fluents.count + i, 0);
}

/* Returns the value that tells whether a state is terminal. */
static Value find_terminal(const SoloLeg *leg, uint32_t moves) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < moves; i++)
    seen += leg->pairing.slot[i] != PAIRING_NONE;
  return program_value(leg->look, seen);
}

Reg solo_step_look(Solo *solo, const SoloLeg *leg) {
  uint32_t moves = solo->cones->net->moves.count;
  uint32_t count = leg->look_order->value_count;
  Reg *values = memory_new(count * sizeof *values);
  Legal legal = {.solo = solo,
                 .pairing = &leg->pairing,
                 .first = memory_new(count * sizeof *legal.first),
                 .next = memory_new((moves + 1) * sizeof *legal.next),
                 .taken =
                     memory_new((leg->pairing.slots + 1) * sizeof *legal.taken),
                 .looped = find_looped(leg->look_order)};
  list_moves(&legal, leg->look, count);
  if (solo->plan->frame.rows) begin_rows(&legal);
  Value last = find_terminal(leg, moves);
  solo_run(solo, leg->look_order, &last, 1, NULL, values, hear_legal, &legal);
  put_rest(&legal, leg->look, values);
  Reg terminal = solo_read(solo, values, last);
  memory_delete(values);
  memory_delete(legal.first);
  memory_delete(legal.next);
  memory_delete(legal.taken);
  memory_delete(legal.looped);
  memory_delete(legal.missing);
  return terminal;
}

/* ---- choice ---- */

/* Lanes in which a role has no move are stuck. */
static void find_stuck(Solo *solo, Reg any) {
  Ptx *ptx = &solo->ptx;
  ptx_gate_to(ptx, solo->stuck, (TRUTH_A & ~TRUTH_B) | TRUTH_C, solo->alive,
              any, solo->stuck);
  ptx_move(ptx, solo->alive, ptx_and(ptx, solo->alive, any));
}

static bool is_loop(const Solo *solo, const PairingChoice *choice) {
  return solo->plan->frame.rows && draw_lines(choice->count);
}

static Reg choose(Solo *solo, const Pairing *pairing, uint32_t i) {
  const PairingChoice *choice = &pairing->choices[i];
  return draw_move(&solo->frame, &solo->dice,
                   solo->cones->net->fluents.count + choice->first,
                   choice->count,
                   is_loop(solo, choice) ? &solo->legal[i] : NULL, solo->alive);
}

void solo_step_choose(Solo *solo, const SoloLeg *leg) {
  const Pairing *pairing = &leg->pairing;
  if (!pairing->paired) {
    for (uint32_t role = 0; role < solo->cones->net->role_count; role++)
      find_stuck(solo, choose(solo, pairing, role));
    return;
  }
  Reg any = choose(solo, pairing, 0);
  for (uint32_t role = 0; role < 2; role++) {
    Reg guard = frame_guard(&solo->frame, role);
    Reg wait = frame_load(
        &solo->frame, frame_move_slot(&solo->frame, pairing->roles[role].wait));
    find_stuck(solo, ptx_gate(&solo->ptx, (TRUTH_A & TRUTH_B) | TRUTH_C, any,
                              guard, wait));
  }
}

/* ---- next ---- */

/* Fluents that are not read any more get their next values at once
   (program/assign.h), the others at the end: until then their values wait, in
   slots of moves that are not read any more, or in slots of their own. */
typedef struct Waiting {
  Solo *solo;
  const SoloLeg *leg;
  uint32_t *target; /* by value: the fluent that gets it at once; HOLD_NONE */
  uint32_t *heard;  /* the same, if the fluent is read then */
  bool *still;      /* by fluent: it stays as it is in lanes without a move */
  NumberVector free;
  uint32_t slots;     /* used so far */
  uint32_t *slot;     /* by value: where it waits, if it is one that waits */
  NumberVector *ends; /* by step: slots that are free after it */
  uint32_t ended;     /* steps */
} Waiting;

#define WANTED UINT32_MAX
#define UNWANTED (UINT32_MAX - 1)

/* Returns a slot past those of moves; the legs have them in common. */
static uint32_t new_slot(Waiting *waiting) {
  Frame *frame = &waiting->solo->frame;
  if (++waiting->slots > frame->slots) frame->slots = waiting->slots;
  return waiting->slots - 1;
}

/* Returns a slot that is free at a step. */
static uint32_t find_slot(Waiting *waiting, uint32_t step) {
  for (; waiting->ends && waiting->ended <= step; waiting->ended++) {
    NumberVector *ends = &waiting->ends[waiting->ended];
    for (uint32_t i = 0; i < ends->count; i++)
      vector_push(&waiting->free, ends->data[i]);
  }
  return waiting->free.count ? waiting->free.data[--waiting->free.count]
                             : new_slot(waiting);
}

/* Finds the fluents that only lanes that are alive change. Lanes in which a
   role is stuck may have another role's move, but nobody looks at them any
   more. */
static bool *find_still(const Solo *solo, const SoloLeg *leg) {
  const Net *net = solo->cones->net;
  const Pairing *pairing = &leg->pairing;
  bool *none = memory_new((net->moves.count + 1) * sizeof *none);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    const PairingChoice *choice =
        &pairing->choices[pairing->paired ? 0 : net->moves.data[i].role];
    none[i] = pairing->slot[i] == PAIRING_NONE ||
              ((!pairing->paired || pairing_shares(pairing, i)) &&
               draw_clears(choice->count, is_loop(solo, choice)));
  }
  bool *still = still_find(leg->next, net, leg->changed, leg->changes, none);
  memory_delete(none);
  return still;
}

/* Lanes that are alive get the word. */
static void advance(const Waiting *waiting, uint32_t fluent, Reg word) {
  Solo *solo = waiting->solo;
  Frame *frame = &solo->frame;
  if (waiting->still[fluent]) {
    frame_store(frame, fluent, word);
    return;
  }
  frame_store(frame, fluent,
              ptx_gate(&solo->ptx, (TRUTH_A & TRUTH_B) | (TRUTH_C & 0x33), word,
                       solo->alive, frame_load(frame, fluent)));
}

static void hear_next(void *context, uint32_t step, Value value, Reg word) {
  Waiting *waiting = context;
  if (waiting->target[value] != HOLD_NONE)
    advance(waiting, waiting->target[value], word);
  if (waiting->slot[value] != WANTED) return;
  waiting->slot[value] = find_slot(waiting, step);
  frame_store(&waiting->solo->frame, waiting->slot[value], word);
}

/* Marks that a move is read until so many steps are done. */
static void reads(const Waiting *waiting, Value value, uint32_t steps,
                  uint32_t *last) {
  const Net *net = waiting->solo->cones->net;
  uint32_t fluents = net->fluents.count;
  if (value < fluents || value >= fluents + net->moves.count) return;
  if (frame_stores(&waiting->solo->frame, value - fluents))
    last[waiting->leg->pairing.slot[value - fluents]] = steps;
}

/* Finds after which step each slot of moves is free. */
static void find_ends(Waiting *waiting) {
  const Solo *solo = waiting->solo;
  const SoloLeg *leg = waiting->leg;
  const Order *order = program_order(leg->next);
  uint32_t steps = order->steps.count;
  uint32_t *last = memory_new((solo->move_slots + 1) * sizeof *last);
  for (uint32_t i = 0; i < steps; i++)
    for (uint32_t k = 0; k < 3; k++)
      reads(waiting, order->steps.data[i].inputs[k], i + 1, last);
  for (uint32_t i = 0; i < leg->changes; i++)
    reads(waiting, program_value(leg->next, i), steps + 1, last);
  waiting->ends = memory_new((steps + 2) * sizeof(NumberVector));
  for (uint32_t i = 0; i < solo->move_slots; i++)
    vector_push(&waiting->ends[last[i]], solo->cones->net->fluents.count + i);
  memory_delete(last);
}

static void free_waiting(Waiting *waiting) {
  uint32_t steps = program_order(waiting->leg->next)->steps.count;
  for (uint32_t i = 0; waiting->ends && i < steps + 2; i++)
    vector_free(&waiting->ends[i]);
  memory_delete(waiting->ends);
  memory_delete(waiting->slot);
  memory_delete(waiting->target);
  memory_delete(waiting->heard);
  memory_delete(waiting->still);
  vector_free(&waiting->free);
}

/* `aside`: slots by output of `next`, or 0. */
static void assign(Solo *solo, const Waiting *waiting, const Reg *values,
                   const uint32_t *aside) {
  const SoloLeg *leg = waiting->leg;
  uint32_t ahead = solo->plan->frame.ahead;
  for (uint32_t i = 0; i < leg->changes + ahead; i++) {
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t at = k ? i - ahead : i;
      if (at >= leg->changes) continue;
      Value value = program_value(leg->next, at);
      uint32_t fluent = leg->changed[at];
      if (value == fluent || program_assigns(leg->next, at)) continue;
      uint32_t slot = aside[at] ? aside[at] : waiting->slot[value];
      bool waits = slot < UNWANTED;
      Reg word = waits ? frame_load(&solo->frame, slot) : values[value];
      if (k)
        advance(waiting, fluent, word);
      else if (!waiting->still[fluent])
        frame_load(&solo->frame, fluent);
    }
  }
}

void solo_step_next(Solo *solo, const SoloLeg *leg) {
  const Net *net = solo->cones->net;
  uint32_t count = program_order(leg->next)->value_count;
  uint32_t inputs = net->fluents.count + net->moves.count;
  bool memory = solo->plan->frame.home != HOME_REGISTERS;
  Reg *values = memory_new(count * sizeof *values);
  uint32_t *aside = memory_new((leg->changes + 1) * sizeof *aside);
  bool *looped = find_looped(program_order(leg->next));
  Waiting waiting = {.solo = solo,
                     .leg = leg,
                     .slots = net->fluents.count + solo->move_slots +
                              solo->line_slots,
                     .slot = memory_new(count * sizeof *waiting.slot),
                     .target = memory_new(count * sizeof *waiting.target),
                     .heard = memory_new(count * sizeof *waiting.heard),
                     .still = find_still(solo, leg)};
  for (uint32_t i = 0; i < count; i++) {
    waiting.slot[i] = UNWANTED;
    waiting.target[i] = waiting.heard[i] = HOLD_NONE;
  }
  for (uint32_t i = 0; i < leg->changes; i++) {
    Value value = program_value(leg->next, i);
    if (program_assigns(leg->next, i)) {
      waiting.target[value] = leg->changed[i];
      if (!waiting.still[leg->changed[i]])
        waiting.heard[value] = leg->changed[i];
    } else if (memory && value >= inputs && !looped[value]) {
      waiting.slot[value] = WANTED;
    }
  }
  if (memory) find_ends(&waiting);
  solo_run(solo, program_order(leg->next), NULL, 0, waiting.heard, values,
           hear_next, &waiting);
  /* Those that are another fluent's or a move's word are set aside. */
  for (uint32_t i = 0; i < leg->changes; i++) {
    Value value = program_value(leg->next, i);
    if (value >= inputs || value == leg->changed[i]) continue;
    aside[i] = new_slot(&waiting);
    frame_store(&solo->frame, aside[i], frame_read(&solo->frame, value));
  }
  assign(solo, &waiting, values, aside);
  memory_delete(values);
  memory_delete(aside);
  memory_delete(looped);
  free_waiting(&waiting);
}
