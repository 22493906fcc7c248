/* Acts are found by evaluating the net in three values. A move is first tried
   with nothing known but the value of one unit at a time. If the next value of
   some unit is unknown then, another unit that it reads is given each of its
   values in turn, and so on, as a tree of cases; cases in which the move is not
   legal are left out at once.

   Then everything that cannot come up is taken out: values that no unit has
   after any number of acts, taken one unit at a time; and pairs of values of a
   unit and one that others read (a tile at the place of the hole). What is left
   of an act may still map two values of a unit to one. It is split then, by the
   values of that unit.

   That one fluent of a part is true at a time may only have been seen so far.
   It is proved here: it holds in the start, and if it no longer did after an
   act, that act would have a broken value for a unit at that place of its
   table. */
#include "base/bits.h"
#include "solve/factor.h"

enum {
  READ_MOST = 8,   /* units that are read by others */
  WORK = 60000000, /* gates that are evaluated, at most: well below 0.5 s */
  TABLE = 1 << 24, /* bytes */
  BROKEN = FACTOR_BROKEN, /* a next value that is none of the unit */
  UNKNOWN = 256
};

typedef struct Acts {
  Factor *factor;
  Look look;
  uint32_t *unit_of;         /* by fluent; FACTOR_UNITS: none */
  uint32_t read[READ_MOST];  /* units that are read by others */
  uint32_t reads;            /* number of them */
  uint32_t known[READ_MOST]; /* their values in this case */
  VECTOR(Move) moves;        /* by act */
  VECTOR(uint8_t) table;     /* by act, then value */
  uint8_t *row;              /* scratch */
  bool vague;                /* the rules say more about legality than units */
} Acts;

/* ---- cases ---- */

/* Prepares a case: the move, what is constant, and the known units. */
static void set_case(Acts *acts, Move move, uint32_t known) {
  const Factor *factor = acts->factor;
  factor_look(factor, &acts->look);
  look_move(&acts->look, move);
  for (uint32_t k = 0; k < known; k++)
    factor_look_at(factor, &acts->look, acts->read[k], acts->known[k],
                   UINT64_MAX);
}

/* The lanes in which the move may be made. */
static uint64_t possible(const Acts *acts, Move move) {
  const Net *net = acts->factor->net;
  return look_may(&acts->look, net->moves.data[move].legal, true) &
         look_may(&acts->look, net->terminal, false);
}

/* The next raw value of a unit in a lane. */
static uint32_t next_value(const Acts *acts, const FactorUnit *unit,
                           uint64_t lane) {
  const Factor *factor = acts->factor;
  uint32_t raw = 0;
  for (uint32_t p = unit->parts; p-- > 0;) {
    const FactorPart *part = &factor->parts.data[unit->part[p]];
    uint32_t value = part->count, found = 0;
    for (uint32_t i = 0; i < part->count; i++) {
      uint32_t fluent = factor->members.data[part->first + i];
      Signal next = factor->net->fluents.data[fluent].next;
      bool yes = look_may(&acts->look, next, true) & lane;
      if (yes && look_may(&acts->look, next, false) & lane) return UNKNOWN;
      if (!yes) continue;
      value = i;
      found++;
    }
    if (found > 1 || (!found && part->exactly)) return BROKEN;
    raw = raw * (part->count + !part->exactly) + value;
  }
  return raw;
}

/* A value of a unit, in a lane. */
typedef struct Lane {
  uint32_t unit, value;
} Lane;

/* Fills in the row for these values; returns false if one is unknown. */
static bool fill_lanes(Acts *acts, Move move, const Lane *lanes, uint32_t count,
                       uint32_t known) {
  set_case(acts, move, known);
  for (uint32_t i = 0; i < count; i++)
    factor_look_at(acts->factor, &acts->look, lanes[i].unit, lanes[i].value,
                   bits_of(i));
  look_evaluate(&acts->look);
  uint64_t may = possible(acts, move);
  for (uint32_t i = 0; i < count; i++) {
    const FactorUnit *unit = &acts->factor->units.data[lanes[i].unit];
    uint32_t value = FACTOR_NONE;
    if (bits_has(&may, i)) value = next_value(acts, unit, bits_of(i));
    if (value == UNKNOWN) return false;
    acts->row[unit->offset + lanes[i].value] = (uint8_t)value;
  }
  return true;
}

static bool is_known(const Acts *acts, uint32_t unit, uint32_t value,
                     uint32_t known) {
  for (uint32_t k = 0; k < known; k++)
    if (acts->read[k] == unit) return acts->known[k] == value;
  return true;
}

/* Fills in the row of a case; returns false if a value is unknown. */
static bool fill_row(Acts *acts, Move move, uint32_t known) {
  const Factor *factor = acts->factor;
  Lane lanes[64];
  uint32_t count = 0;
  memset(acts->row, FACTOR_NONE, factor->values);
  for (uint32_t u = 0; u < factor->units.count; u++)
    for (uint32_t v = 0; v < factor->units.data[u].raw; v++) {
      if (!is_known(acts, u, v, known)) continue;
      lanes[count++] = (Lane){u, v};
      if (count < 64) continue;
      if (!fill_lanes(acts, move, lanes, count, known)) return false;
      count = 0;
    }
  return !count || fill_lanes(acts, move, lanes, count, known);
}

/* ---- legality ---- */

/* Returns true if the signal reads at most one unit that is not known, and
   nothing else. */
static bool reads_one(Acts *acts, Signal signal, uint32_t known) {
  const Factor *factor = acts->factor;
  uint64_t *set = memory_new(factor->packing.state_words * sizeof *set);
  uint32_t only = FACTOR_UNITS;
  bool one = true;
  factor_support(factor, &signal, 1, set);
  for (uint32_t i = 0; i < factor->net->fluents.count && one; i++) {
    if (!bits_has(set, i)) continue;
    uint32_t unit = acts->unit_of[i];
    bool given = false;
    for (uint32_t k = 0; k < known; k++) given |= acts->read[k] == unit;
    if (given) continue;
    one = unit != FACTOR_UNITS && (only == FACTOR_UNITS || only == unit);
    only = unit;
  }
  memory_delete(set);
  return one;
}

/* Returns true if the signal is a conjunction of conditions of single units, so
   that it is known when each unit is looked at by itself. Uses the case that
   was evaluated last. */
static bool is_plain(Acts *acts, Signal signal, uint32_t known) {
  const Net *net = acts->factor->net;
  if (!look_may(&acts->look, signal, false)) return true;
  if (reads_one(acts, signal, known)) return true;
  if (signal_negated(signal) || !net_is_and(net, signal)) return false;
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  for (uint32_t i = 0; i < gate->count; i++)
    if (!is_plain(acts, net->inputs.data[gate->first + i], known)) return false;
  return true;
}

/* ---- the tree of cases ---- */

static uint8_t *act_row(const Acts *acts, uint32_t act) {
  return acts->table.data + (size_t)act * acts->factor->values;
}

static bool add_act(Acts *acts, Move move) {
  const Factor *factor = acts->factor;
  if (acts->moves.count == FACTOR_ACTS ||
      (size_t)(acts->moves.count + 1) * factor->values > TABLE)
    return false;
  vector_push(&acts->moves, move);
  vector_resize(&acts->table, acts->moves.count * factor->values);
  memcpy(act_row(acts, acts->moves.count - 1), acts->row, factor->values);
  return true;
}

/* Adds the acts of a move in a case; returns false if that does not succeed. */
static bool add_cases(Acts *acts, Move move, uint32_t known) {
  const Factor *factor = acts->factor;
  if (acts->look.work > WORK) return false;
  set_case(acts, move, known);
  look_evaluate(&acts->look);
  if (!possible(acts, move)) return true;
  bool plain = is_plain(acts, factor->net->moves.data[move].legal, known);
  if (fill_row(acts, move, known)) {
    acts->vague |= !plain;
    return add_act(acts, move);
  }
  if (known == acts->reads) return false;
  uint32_t values = factor->units.data[acts->read[known]].raw;
  for (uint32_t v = 0; v < values; v++) {
    acts->known[known] = v;
    if (!add_cases(acts, move, known + 1)) return false;
  }
  return true;
}

/* Finds the units that others read. */
static bool find_read(Acts *acts) {
  const Factor *factor = acts->factor;
  uint32_t words = factor->packing.state_words;
  uint64_t *set = memory_new(words * sizeof *set);
  bool read[FACTOR_UNITS] = {false};
  for (uint32_t i = 0; i < factor->net->fluents.count; i++) {
    if (acts->unit_of[i] == FACTOR_UNITS) continue;
    memset(set, 0, words * sizeof *set);
    factor_support(factor, &factor->net->fluents.data[i].next, 1, set);
    for (uint32_t j = 0; j < factor->net->fluents.count; j++)
      if (bits_has(set, j) && acts->unit_of[j] != FACTOR_UNITS &&
          acts->unit_of[j] != acts->unit_of[i])
        read[acts->unit_of[j]] = true;
  }
  memory_delete(set);
  for (uint32_t u = 0; u < factor->units.count; u++) {
    if (!read[u]) continue;
    if (acts->reads == READ_MOST) return false;
    acts->read[acts->reads++] = u;
  }
  return true;
}

/* ---- what cannot come up ---- */

static bool act_possible(const Acts *acts, uint32_t act, const bool *reached) {
  const Factor *factor = acts->factor;
  const uint8_t *row = act_row(acts, act);
  for (uint32_t u = 0; u < factor->units.count; u++) {
    const FactorUnit *unit = &factor->units.data[u];
    uint32_t v = unit->offset, end = unit->offset + unit->raw;
    while (v < end && !(reached[v] && row[v] != FACTOR_NONE)) v++;
    if (v == end) return false;
  }
  return true;
}

static bool reach_more(const Acts *acts, bool *reached) {
  const Factor *factor = acts->factor;
  bool more = false;
  for (uint32_t act = 0; act < acts->moves.count; act++) {
    const uint8_t *row = act_row(acts, act);
    if (!act_possible(acts, act, reached)) continue;
    for (uint32_t u = 0; u < factor->units.count; u++) {
      const FactorUnit *unit = &factor->units.data[u];
      for (uint32_t v = unit->offset; v < unit->offset + unit->raw; v++) {
        if (!reached[v] || row[v] >= BROKEN) continue;
        more |= !reached[unit->offset + row[v]];
        reached[unit->offset + row[v]] = true;
      }
    }
  }
  return more;
}

/* Renumbers the values that can be reached, and drops the others. */
static void keep_reached(Acts *acts, const bool *reached) {
  Factor *factor = acts->factor;
  uint32_t values = 0;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    FactorUnit *unit = &factor->units.data[u];
    unit->number = memory_new(unit->raw);
    unit->count = 0;
    for (uint32_t v = 0; v < unit->raw; v++)
      unit->number[v] =
          reached[unit->offset + v] ? (uint8_t)unit->count++ : FACTOR_NONE;
    unit->start = unit->number[unit->start];
    values += unit->count;
  }
  uint32_t kept = 0;
  uint8_t *to = acts->table.data;
  for (uint32_t act = 0; act < acts->moves.count; act++) {
    const uint8_t *row = act_row(acts, act);
    if (!act_possible(acts, act, reached)) continue;
    for (uint32_t u = 0; u < factor->units.count; u++) {
      const FactorUnit *unit = &factor->units.data[u];
      for (uint32_t v = 0; v < unit->raw; v++) {
        uint8_t next = row[unit->offset + v];
        if (reached[unit->offset + v])
          *to++ = next >= BROKEN ? next : unit->number[next];
      }
    }
    acts->moves.data[kept++] = acts->moves.data[act];
  }
  acts->moves.count = kept;
  acts->table.count = kept * values;
  factor->values = 0;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    factor->units.data[u].offset = factor->values;
    factor->values += factor->units.data[u].count;
  }
}

static void drop_values(Acts *acts) {
  const Factor *factor = acts->factor;
  bool *reached = memory_new(factor->values + 1);
  for (uint32_t u = 0; u < factor->units.count; u++)
    reached[factor->units.data[u].offset + factor->units.data[u].start] = true;
  while (reach_more(acts, reached)) continue;
  keep_reached(acts, reached);
  memory_delete(reached);
}

void factor_pairs(const Factor *factor, const uint8_t *table, uint32_t acts,
                  const FactorUnit *a, const FactorUnit *b, bool *pairs) {
  NumberVector open = {0};
  memset(pairs, 0, (size_t)a->count * b->count);
  vector_push(&open, a->start * b->count + b->start);
  pairs[open.data[0]] = true;
  while (open.count) {
    uint32_t pair = open.data[--open.count];
    const uint8_t *row = table;
    for (uint32_t act = 0; act < acts; act++, row += factor->values) {
      uint8_t x = row[a->offset + pair / b->count];
      uint8_t y = row[b->offset + pair % b->count];
      if (x >= BROKEN || y >= BROKEN) continue;
      uint32_t next = x * b->count + y;
      if (pairs[next]) continue;
      pairs[next] = true;
      vector_push(&open, next);
    }
  }
  vector_free(&open);
}

/* Takes values of `a` out of acts with all of whose values of `b` they never
   come together. */
static void drop_pairs(Acts *acts, const FactorUnit *a, const FactorUnit *b) {
  bool *pairs = memory_new((size_t)a->count * b->count);
  factor_pairs(acts->factor, acts->table.data, acts->moves.count, a, b, pairs);
  for (uint32_t act = 0; act < acts->moves.count; act++) {
    uint8_t *row = act_row(acts, act);
    for (uint32_t v = 0; v < a->count; v++) {
      uint32_t w = 0;
      while (w < b->count &&
             !(pairs[v * b->count + w] && row[b->offset + w] != FACTOR_NONE))
        w++;
      if (w == b->count) row[a->offset + v] = FACTOR_NONE;
    }
  }
  memory_delete(pairs);
}

/* Takes broken values out of the table. Returns false if one can come up,
   unless that is proved not to be so. */
static bool drop_broken(Acts *acts) {
  for (uint32_t i = 0; i < acts->table.count; i++) {
    if (acts->table.data[i] != BROKEN) continue;
    if (!acts->factor->proved) return false;
    acts->table.data[i] = FACTOR_NONE;
  }
  return true;
}

/* ---- one to one ---- */

/* Returns true if no two values have the same successor. */
static bool is_injective(const uint8_t *row, uint32_t count) {
  bool seen[256] = {false};
  for (uint32_t v = 0; v < count; v++) {
    if (row[v] == FACTOR_NONE) continue;
    if (seen[row[v]]) return false;
    seen[row[v]] = true;
  }
  return true;
}

/* Adds an act for each value of the unit, and keeps the first of them in the
   place of the act. */
static bool split(Acts *acts, uint32_t act, const FactorUnit *unit) {
  uint32_t values = acts->factor->values;
  bool first = true;
  uint8_t *whole = memory_new(values);
  memcpy(whole, act_row(acts, act), values);
  bool fits = true;
  for (uint32_t v = 0; v < unit->count && fits; v++) {
    if (whole[unit->offset + v] == FACTOR_NONE) continue;
    memcpy(acts->row, whole, values);
    memset(acts->row + unit->offset, FACTOR_NONE, unit->count);
    acts->row[unit->offset + v] = whole[unit->offset + v];
    if (first)
      memcpy(act_row(acts, act), acts->row, values);
    else
      fits = add_act(acts, acts->moves.data[act]);
    first = false;
  }
  memory_delete(whole);
  return fits;
}

static bool split_acts(Acts *acts) {
  const Factor *factor = acts->factor;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    const FactorUnit *unit = &factor->units.data[u];
    uint32_t count = acts->moves.count;
    for (uint32_t act = 0; act < count; act++)
      if (!is_injective(act_row(acts, act) + unit->offset, unit->count) &&
          !split(acts, act, unit))
        return false;
  }
  return true;
}

/* ---- the result ---- */

/* Returns true if the act changes nothing; sets its lists of units. */
static bool list_units(const Factor *factor, const uint8_t *row,
                       FactorAct *act) {
  act->changes = memory_new(factor->units.count);
  act->checked = memory_new(factor->units.count);
  for (uint32_t u = 0; u < factor->units.count; u++) {
    const FactorUnit *unit = &factor->units.data[u];
    bool changes = false, checks = false;
    for (uint32_t v = 0; v < unit->count; v++) {
      uint8_t next = row[unit->offset + v];
      checks |= next == FACTOR_NONE;
      changes |= next != FACTOR_NONE && next != v;
    }
    if (changes) act->changes[act->count++] = (uint8_t)u;
    if (checks) act->checked[act->checks++] = (uint8_t)u;
  }
  return !act->count;
}

static void set_back(const Factor *factor, const uint8_t *row, uint8_t *back) {
  memset(back, FACTOR_NONE, factor->values);
  for (uint32_t u = 0; u < factor->units.count; u++) {
    const FactorUnit *unit = &factor->units.data[u];
    for (uint32_t v = 0; v < unit->count; v++)
      if (row[unit->offset + v] != FACTOR_NONE)
        back[unit->offset + row[unit->offset + v]] = (uint8_t)v;
  }
}

static void take_acts(Acts *acts) {
  Factor *factor = acts->factor;
  factor->next = memory_new((size_t)acts->moves.count * factor->values + 1);
  factor->back = memory_new((size_t)acts->moves.count * factor->values + 1);
  for (uint32_t i = 0; i < acts->moves.count; i++) {
    const uint8_t *row = act_row(acts, i);
    FactorAct act = {.move = acts->moves.data[i]};
    if (list_units(factor, row, &act)) {
      if (!act.checks) {
        factor->waits = true;
        factor->waiting = act.move;
      }
      memory_delete(act.changes);
      memory_delete(act.checked);
      continue;
    }
    size_t at = (size_t)factor->acts.count * factor->values;
    memcpy(factor->next + at, row, factor->values);
    set_back(factor, row, factor->back + at);
    vector_push(&factor->acts, act);
  }
}

static bool work(Acts *acts) {
  Factor *factor = acts->factor;
  if (!find_read(acts)) return false;
  for (Move move = 0; move < factor->net->moves.count; move++)
    if (!add_cases(acts, move, 0)) return false;
  if (acts->vague) return false;
  drop_values(acts);
  for (uint32_t k = 0; k < acts->reads; k++)
    for (uint32_t u = 0; u < factor->units.count; u++)
      if (u != acts->read[k])
        drop_pairs(acts, &factor->units.data[u],
                   &factor->units.data[acts->read[k]]);
  if (!drop_broken(acts) || !split_acts(acts)) return false;
  take_acts(acts);
  return factor->acts.count > 0;
}

static void map_fluents(Acts *acts) {
  const Factor *factor = acts->factor;
  for (uint32_t i = 0; i < factor->net->fluents.count; i++)
    acts->unit_of[i] = FACTOR_UNITS;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    const FactorUnit *unit = &factor->units.data[u];
    for (uint32_t p = 0; p < unit->parts; p++) {
      const FactorPart *part = &factor->parts.data[unit->part[p]];
      for (uint32_t i = 0; i < part->count; i++)
        acts->unit_of[factor->members.data[part->first + i]] = u;
    }
  }
}

bool factor_acts(Factor *factor) {
  Acts acts = {.factor = factor};
  look_init(&acts.look, factor->net);
  acts.unit_of =
      memory_new((factor->net->fluents.count + 1) * sizeof(uint32_t));
  map_fluents(&acts);
  factor->values = 0;
  for (uint32_t u = 0; u < factor->units.count; u++) {
    factor->units.data[u].offset = factor->values;
    factor->values += factor->units.data[u].raw;
  }
  acts.row = memory_new(factor->values + 1);
  bool done = work(&acts);
  look_free(&acts.look);
  memory_delete(acts.unit_of);
  memory_delete(acts.row);
  vector_free(&acts.moves);
  vector_free(&acts.table);
  return done;
}
