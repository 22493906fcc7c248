#include "solve/perimeter.h"

/* ---- adding states ---- */

/* Adds the state; looks for it on the other side. */
static void add(Perimeter *perimeter, const uint8_t *row, uint32_t act) {
  bool fresh;
  factor_key(perimeter->factor, row, perimeter->key);
  if (store_add(perimeter->store, perimeter->key, &fresh) == STORE_FULL) {
    perimeter->full = true;
    return;
  }
  if (!fresh) return;
  vector_push(&perimeter->acts, (uint16_t)act);
  if (!perimeter->other || !perimeter_has(perimeter->other, row)) return;
  memcpy(perimeter->near, row, perimeter->factor->units.count);
  perimeter->met = true;
}

/* Adds all ends that have the values of the row in units before this one. */
static void add_ends(Perimeter *perimeter, uint8_t *row, uint32_t unit) {
  const Factor *factor = perimeter->factor;
  if (unit == factor->units.count) {
    add(perimeter, row, 0);
    return;
  }
  const FactorUnit *u = &factor->units.data[unit];
  for (uint32_t v = 0; v < u->count; v++) {
    row[unit] = (uint8_t)v;
    if (factor->goal[u->offset + v]) add_ends(perimeter, row, unit + 1);
  }
}

void perimeter_init(Perimeter *perimeter, const Factor *factor, bool forward,
                    size_t memory) {
  *perimeter = (Perimeter){.factor = factor, .forward = forward};
  perimeter->key = memory_new(factor->words * sizeof *perimeter->key);
  perimeter->row = memory_new(factor->units.count);
  perimeter->near = memory_new(factor->units.count);
  vector_push(&perimeter->first, 0);
  if (!forward && factor->goal_states > PERIMETER_ENDS) return;
  perimeter->store = store_new(factor->words, memory);
  if (forward) {
    factor_start(factor, perimeter->row);
    add(perimeter, perimeter->row, 0);
  } else {
    add_ends(perimeter, perimeter->row, 0);
  }
  vector_push(&perimeter->first, perimeter->acts.count);
}

void perimeter_free(Perimeter *perimeter) {
  if (perimeter->store) store_delete(perimeter->store);
  vector_free(&perimeter->first);
  vector_free(&perimeter->acts);
  memory_delete(perimeter->key);
  memory_delete(perimeter->row);
  memory_delete(perimeter->near);
}

/* ---- layers ---- */

static const uint8_t *table_of(const Perimeter *perimeter, bool forward,
                               uint32_t act) {
  return forward ? factor_next(perimeter->factor, act)
                 : factor_back(perimeter->factor, act);
}

static void expand(Perimeter *perimeter, uint32_t number, uint8_t *child) {
  const Factor *factor = perimeter->factor;
  factor_row(factor, store_key(perimeter->store, number), perimeter->row);
  for (uint32_t act = 0; act < factor->acts.count && !perimeter->met; act++) {
    memcpy(child, perimeter->row, factor->units.count);
    if (factor_apply(factor, act, table_of(perimeter, perimeter->forward, act),
                     child))
      add(perimeter, child, act);
  }
}

bool perimeter_grow(Perimeter *perimeter, uint32_t most, uint64_t *states) {
  if (!perimeter_grows(perimeter)) return false;
  uint32_t end = vector_last(&perimeter->first);
  uint8_t child[FACTOR_UNITS];
  while (perimeter->at < end && *states && !perimeter->full &&
         !perimeter->met) {
    expand(perimeter, perimeter->at++, child);
    perimeter->full |= perimeter->acts.count > most;
    --*states;
  }
  if (perimeter->at < end || perimeter->full || perimeter->met) return false;
  perimeter->closed = perimeter->acts.count == end;
  if (perimeter->closed) return false;
  vector_push(&perimeter->first, perimeter->acts.count);
  perimeter->depth++;
  return true;
}

/* ---- states inside ---- */

bool perimeter_has(Perimeter *perimeter, const uint8_t *row) {
  if (!perimeter->store) return false;
  factor_key(perimeter->factor, row, perimeter->key);
  return store_find(perimeter->store, perimeter->key) <
         vector_last(&perimeter->first);
}

static void reverse(uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count / 2; i++) {
    uint32_t moved = list[i];
    list[i] = list[count - 1 - i];
    list[count - 1 - i] = moved;
  }
}

void perimeter_follow(Perimeter *perimeter, const uint8_t *row,
                      NumberVector *acts) {
  const Factor *factor = perimeter->factor;
  uint32_t before = acts->count;
  uint8_t *at = perimeter->row;
  memcpy(at, row, factor->units.count);
  for (;;) {
    factor_key(factor, at, perimeter->key);
    uint32_t number = store_find(perimeter->store, perimeter->key);
    if (number == STORE_FULL || number < perimeter->first.data[1]) break;
    uint32_t act = perimeter->acts.data[number];
    vector_push(acts, act);
    factor_apply(factor, act, table_of(perimeter, !perimeter->forward, act),
                 at);
  }
  if (perimeter->forward) reverse(acts->data + before, acts->count - before);
}
