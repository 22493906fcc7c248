#include "solve/perimeter.h"

static void add(Perimeter *perimeter, const uint8_t *row, uint32_t act) {
  bool fresh;
  factor_key(perimeter->factor, row, perimeter->key);
  if (store_add(perimeter->store, perimeter->key, &fresh) == STORE_FULL)
    perimeter->full = true;
  else if (fresh)
    vector_push(&perimeter->acts, (uint16_t)act);
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

void perimeter_init(Perimeter *perimeter, const Factor *factor, uint32_t most,
                    size_t memory) {
  *perimeter = (Perimeter){.factor = factor};
  perimeter->key = memory_new(factor->words * sizeof *perimeter->key);
  perimeter->row = memory_new(factor->units.count);
  vector_push(&perimeter->first, 0);
  if (factor->goal_states > most) return;
  perimeter->store = store_new(factor->words, memory);
  add_ends(perimeter, perimeter->row, 0);
  vector_push(&perimeter->first, perimeter->acts.count);
}

void perimeter_free(Perimeter *perimeter) {
  if (perimeter->store) store_delete(perimeter->store);
  vector_free(&perimeter->first);
  vector_free(&perimeter->acts);
  memory_delete(perimeter->key);
  memory_delete(perimeter->row);
}

bool perimeter_grow(Perimeter *perimeter, uint32_t most) {
  const Factor *factor = perimeter->factor;
  if (!perimeter->store || perimeter->full || perimeter->closed) return false;
  uint32_t end = vector_last(&perimeter->first);
  uint8_t *before = memory_new(factor->units.count);
  for (uint32_t i = perimeter->first.data[perimeter->depth];
       i < end && !perimeter->full; i++) {
    factor_row(factor, store_key(perimeter->store, i), perimeter->row);
    for (uint32_t act = 0; act < factor->acts.count; act++) {
      memcpy(before, perimeter->row, factor->units.count);
      if (factor_apply(factor, act, factor_back(factor, act), before))
        add(perimeter, before, act);
    }
    perimeter->full |= perimeter->acts.count > most;
  }
  memory_delete(before);
  if (perimeter->full) return false;
  perimeter->closed = perimeter->acts.count == end;
  if (perimeter->closed) return false;
  vector_push(&perimeter->first, perimeter->acts.count);
  perimeter->depth++;
  return true;
}

/* The number of a state in a complete layer, or STORE_FULL. */
static uint32_t find(const Perimeter *perimeter, const uint8_t *row) {
  if (!perimeter->store) return STORE_FULL;
  factor_key(perimeter->factor, row, perimeter->key);
  uint32_t number = store_find(perimeter->store, perimeter->key);
  return number < vector_last(&perimeter->first) ? number : STORE_FULL;
}

uint32_t perimeter_find(Perimeter *perimeter, const uint8_t *row) {
  uint32_t number = find(perimeter, row), depth = 0;
  if (number == STORE_FULL) return UINT32_MAX;
  while (number >= perimeter->first.data[depth + 1]) depth++;
  return depth;
}

void perimeter_follow(Perimeter *perimeter, const uint8_t *row,
                      NumberVector *acts) {
  const Factor *factor = perimeter->factor;
  memcpy(perimeter->row, row, factor->units.count);
  uint32_t number = find(perimeter, perimeter->row);
  while (number >= perimeter->first.data[1] && number != STORE_FULL) {
    uint32_t act = perimeter->acts.data[number];
    vector_push(acts, act);
    factor_apply(factor, act, factor_next(factor, act), perimeter->row);
    number = find(perimeter, perimeter->row);
  }
}
