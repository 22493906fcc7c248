#include "solve/factor.h"

#include <stdlib.h>

#include "base/bits.h"

/* ---- looking at units ---- */

void factor_look(const Factor *factor, Look *look) {
  const Packing *packing = &factor->packing;
  look_clear(look);
  for (uint32_t i = 0; i < factor->net->fluents.count; i++)
    if (bits_has(packing->fixed, i))
      look_set(look, factor->net->fluents.data[i].gate,
               bits_has(packing->constant, i), UINT64_MAX);
}

void factor_look_at(const Factor *factor, Look *look, uint32_t unit,
                    uint32_t raw, uint64_t lanes) {
  const FactorUnit *u = &factor->units.data[unit];
  for (uint32_t p = 0; p < u->parts; p++) {
    const FactorPart *part = &factor->parts.data[u->part[p]];
    uint32_t values = part->count + !part->exactly, value = raw % values;
    for (uint32_t i = 0; i < part->count; i++) {
      uint32_t fluent = factor->members.data[part->first + i];
      look_set(look, factor->net->fluents.data[fluent].gate, i == value, lanes);
    }
    raw /= values;
  }
}

/* ---- the end ---- */

/* The lanes in which the game may be over with the target. */
static uint64_t may_end(const Factor *factor, const Look *look) {
  uint64_t lanes = 0;
  for (uint32_t i = 0; i < factor->net->goals.count; i++)
    if (factor->net->goals.data[i].value == factor->target)
      lanes |= look_may(look, factor->net->goals.data[i].signal, true);
  return lanes & look_may(look, factor->net->terminal, true);
}

/* Finds the values that units may have in the end. Returns false if a unit has
   none. */
static bool find_goals(Factor *factor, Look *look) {
  factor->goal_states = 1;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    FactorUnit *unit = &factor->units.data[u];
    unit->goals = 0;
    for (uint32_t first = 0; first < unit->raw; first += 64) {
      uint32_t end = first + 64 < unit->raw ? first + 64 : unit->raw;
      factor_look(factor, look);
      for (uint32_t v = first; v < end; v++)
        factor_look_at(factor, look, u, v, bits_of(v - first));
      look_evaluate(look);
      uint64_t may = may_end(factor, look);
      for (uint32_t v = first; v < end; v++) {
        if (unit->number[v] == FACTOR_NONE) continue;
        bool goal = bits_has(&may, v - first);
        factor->goal[unit->offset + unit->number[v]] = goal;
        unit->goals += goal;
      }
    }
    if (!unit->goals) return false;
  }
  return true;
}

/* Takes out values of a unit that never come together with the only one that
   another has in the end. */
static void narrow_by(Factor *factor, FactorUnit *unit,
                      const FactorUnit *other) {
  bool *pairs = memory_new((size_t)unit->count * other->count);
  uint32_t end = 0;
  while (!factor->goal[other->offset + end]) end++;
  factor_pairs(factor, factor->next, factor->acts.count, unit, other, pairs);
  for (uint32_t v = 0; v < unit->count; v++) {
    bool *goal = &factor->goal[unit->offset + v];
    if (!*goal || pairs[v * other->count + end]) continue;
    *goal = false;
    unit->goals--;
  }
  memory_delete(pairs);
}

/* Returns false if a unit has no value left. */
static bool narrow_goals(Factor *factor) {
  factor->goal_states = 1;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    FactorUnit *unit = &factor->units.data[u];
    for (uint32_t w = 0; w < factor->units.count && unit->goals > 1; w++)
      if (w != u && factor->units.data[w].goals == 1)
        narrow_by(factor, unit, &factor->units.data[w]);
    if (!unit->goals) return false;
    factor->goal_states *= unit->goals;
  }
  return true;
}

/* The highest goal value below a limit; -1: there is none. */
static int goal_below(const Net *net, int limit) {
  int highest = -1;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    int value = net->goals.data[i].value;
    if (value < limit && value > highest) highest = value;
  }
  return highest;
}

static bool find_target(Factor *factor, Look *look, int bound) {
  factor->target = bound + 1;
  do factor->target = goal_below(factor->net, factor->target);
  while (factor->target > 0 &&
         !(find_goals(factor, look) && narrow_goals(factor)));
  factor->lower = goal_below(factor->net, factor->target);
  if (factor->lower < 0) factor->lower = 0;
  /* an end that any state may be is none to search for */
  for (uint32_t u = 0; u < factor->units.count; u++)
    if (factor->units.data[u].goals < factor->units.data[u].count)
      return factor->target > 0;
  return false;
}

/* Sets the autonomous fluents as they are at 64 depths; returns the lanes in
   which the game is over whatever the state is. */
static uint64_t look_at_times(Factor *factor, Look *look, uint32_t depth) {
  const Net *net = factor->net;
  factor_look(factor, look);
  for (uint32_t lane = 0; lane < 64; lane++) {
    const uint64_t *time = packing_time(&factor->packing, depth + lane);
    for (uint32_t i = 0; i < net->fluents.count; i++)
      if (bits_has(factor->packing.timed, i))
        look_set(look, net->fluents.data[i].gate, bits_has(time, i),
                 bits_of(lane));
  }
  look_evaluate(look);
  return ~look_may(look, net->terminal, false);
}

/* Finds the lengths of plans for which the end may count. */
static void find_lengths(Factor *factor, Look *look) {
  bool timed = factor->packing.timed_count;
  for (uint32_t depth = 0; depth < FACTOR_LONGEST && !factor->ends;
       depth += 64) {
    uint64_t over = timed ? look_at_times(factor, look, depth) : 0;
    if (!timed) factor_look(factor, look);
    for (uint32_t u = 0; u < factor->units.count; u++) {
      const FactorUnit *unit = &factor->units.data[u];
      if (unit->goals != 1) continue;
      uint32_t raw = 0;
      while (unit->number[raw] == FACTOR_NONE ||
             !factor->goal[unit->offset + unit->number[raw]])
        raw++;
      factor_look_at(factor, look, u, raw, UINT64_MAX);
    }
    look_evaluate(look);
    uint64_t may = may_end(factor, look);
    for (uint32_t lane = 0; lane < 64 && !factor->ends; lane++) {
      factor->lengths[depth + lane] = bits_has(&may, lane);
      if (bits_has(&may, lane)) factor->longest = depth + lane;
      factor->ends = bits_has(&over, lane);
    }
  }
}

/* ---- making ---- */

/* Gives each unit a place in keys. */
static void lay_out(Factor *factor) {
  uint32_t at = 0;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    FactorUnit *unit = &factor->units.data[u];
    unit->bits = 0;
    while ((uint32_t)1 << unit->bits < unit->count) unit->bits++;
    if (at / 64 != (at + unit->bits) / 64 && (at + unit->bits) % 64)
      at = (at / 64 + 1) * 64;
    unit->first = at;
    at += unit->bits;
  }
  factor->words = at ? (at + 63) / 64 : 1;
}

static bool set_start(Factor *factor, const uint64_t *state) {
  for (uint32_t u = 0; u < factor->units.count; u++) {
    FactorUnit *unit = &factor->units.data[u];
    unit->start = factor_raw(factor, unit, state);
    if (unit->start == FACTOR_NONE) return false;
  }
  return true;
}

static bool make(Factor *factor, Puzzle *puzzle) {
  if (!factor_units(factor, puzzle->book)) return false;
  if (!set_start(factor, puzzle->start) || !factor_acts(factor)) return false;
  Look look;
  look_init(&look, factor->net);
  factor->goal = memory_new(factor->values * sizeof *factor->goal);
  bool found = find_target(factor, &look, atomic_load(&puzzle->bound));
  if (found) find_lengths(factor, &look);
  look_free(&look);
  lay_out(factor);
  return found && factor->longest;
}

static bool try(Factor *factor, Puzzle *puzzle, bool proved) {
  *factor = (Factor){.net = puzzle->net, .proved = proved};
  packing_init(&factor->packing, puzzle->book, puzzle->start);
  if (factor->packing.regular && make(factor, puzzle)) return true;
  factor_free(factor);
  return false;
}

bool factor_init(Factor *factor, Puzzle *puzzle) {
  if (!puzzle->net || puzzle->net->role_count != 1 || puzzle->terminal)
    return false;
  return try(factor, puzzle, false) || try(factor, puzzle, true);
}

void factor_free(Factor *factor) {
  packing_free(&factor->packing);
  vector_free(&factor->members);
  vector_free(&factor->parts);
  for (uint32_t u = 0; u < factor->units.count; u++)
    memory_delete(factor->units.data[u].number);
  for (uint32_t i = 0; i < factor->acts.count; i++) {
    memory_delete(factor->acts.data[i].changes);
    memory_delete(factor->acts.data[i].checked);
  }
  vector_free(&factor->units);
  vector_free(&factor->acts);
  memory_delete(factor->next);
  memory_delete(factor->back);
  memory_delete(factor->goal);
}

/* ---- states ---- */

void factor_start(const Factor *factor, uint8_t *row) {
  for (uint32_t u = 0; u < factor->units.count; u++)
    row[u] = (uint8_t)factor->units.data[u].start;
}

bool factor_is_goal(const Factor *factor, const uint8_t *row) {
  for (uint32_t u = 0; u < factor->units.count; u++)
    if (!factor->goal[factor->units.data[u].offset + row[u]]) return false;
  return true;
}

void factor_key(const Factor *factor, const uint8_t *row, uint64_t *key) {
  memset(key, 0, factor->words * sizeof *key);
  for (uint32_t u = 0; u < factor->units.count; u++) {
    const FactorUnit *unit = &factor->units.data[u];
    key[unit->first >> 6] |= (uint64_t)row[u] << (unit->first & 63);
  }
}

void factor_row(const Factor *factor, const uint64_t *key, uint8_t *row) {
  for (uint32_t u = 0; u < factor->units.count; u++) {
    const FactorUnit *unit = &factor->units.data[u];
    row[u] = (uint8_t)(key[unit->first >> 6] >> (unit->first & 63) &
                       (((uint64_t)1 << unit->bits) - 1));
  }
}

bool factor_apply(const Factor *factor, uint32_t act, const uint8_t *table,
                  uint8_t *row) {
  const FactorAct *a = &factor->acts.data[act];
  const FactorUnit *units = factor->units.data;
  for (uint32_t i = 0; i < a->checks; i++) {
    uint32_t u = a->checked[i];
    if (table[units[u].offset + row[u]] == FACTOR_NONE) return false;
  }
  for (uint32_t i = 0; i < a->count; i++) {
    uint32_t u = a->changes[i];
    row[u] = table[units[u].offset + row[u]];
  }
  return true;
}

/* ---- plans ---- */

static bool is_time(Factor *factor, uint32_t depth, const uint64_t *state) {
  const Packing *packing = &factor->packing;
  const uint64_t *time = packing_time(&factor->packing, depth);
  for (uint32_t w = 0; w < packing->state_words; w++)
    if ((state[w] & packing->timed[w]) != time[w]) return false;
  return true;
}

void factor_ask_time(Factor *factor, const Puzzle *puzzle) {
  uint32_t passed = factor->passed;
  while (passed < FACTOR_LONGEST && !is_time(factor, passed, puzzle->start))
    passed++;
  factor->passed = passed;
}

bool factor_offer(const Factor *factor, Puzzle *puzzle, const char *by,
                  const uint32_t *acts, uint32_t count) {
  MoveVector moves = {0};
  uint32_t length = count, longest = factor_longest(factor);
  while (factor->waits && length < longest &&
         !factor->lengths[factor->passed + length])
    length++;
  for (uint32_t i = count; i < length; i++)
    vector_push(&moves, factor->waiting);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&moves, factor->acts.data[acts[i]].move);
  puzzle_offer(puzzle, by, factor->target, moves.data, moves.count);
  vector_free(&moves);
  return atomic_load(&puzzle->score) >= factor->target;
}

void factor_prove(const Factor *factor, Puzzle *puzzle, const char *by,
                  uint32_t least) {
  if (factor->target < atomic_load(&puzzle->bound))
    puzzle_prove_bound(puzzle, by, factor->target);
  uint32_t longest = factor_longest(factor);
  while (least <= longest && !factor->lengths[factor->passed + least]) least++;
  if (least == FACTOR_NEVER || (least > longest && factor->ends))
    puzzle_prove_bound(puzzle, by, factor->lower);
  else
    puzzle_prove_least(puzzle, factor->target, least);
}
