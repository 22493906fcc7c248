/* Conflict-driven clause learning (Marques-Silva and Sakallah 1999) in the form
   of MiniSat (Eén and Sörensson 2003): two watched literals, first unique
   implication point, activities, saved phases; with what later solvers added:
   minimised clauses (Sörensson and Biere 2009), learnt clauses that are kept by
   the number of decision levels in them (Audemard and Simon 2009), phases of
   many restarts in turn with phases of few (Oh 2015) that aim for the largest
   consistent assignment seen. base/sat_parts.h has the representation. */
#include <string.h>

#include "base/sat_parts.h"
#include "base/trial.h"

static const uint32_t BINARY = 0x80000000u; /* in SatWatch: it has two
                                               literals */

enum {
  FIRST_REDUCTION = 2000, /* conflicts before the first, */
  MORE_REDUCTION = 300,   /* and how many more before each later one */
  FIRST_MODE = 1000,      /* conflicts until the first change of mode */
  LIST = 48,              /* bytes that a watch list takes in memory */
  PATIENCE = 512          /* conflicts of a term of Luby's sequence */
};

Sat *sat_new(void) {
  Sat *sat = memory_new(sizeof *sat);
  sat->bump = 1;
  sat->reduce_at = FIRST_REDUCTION;
  sat->mode_at = FIRST_MODE;
  vector_push(&sat->clauses, 0);
  vector_push(&sat->heap, 0);
  return sat;
}

void sat_delete(Sat *sat) {
  if (!sat) return;
  for (uint32_t i = 0; i < sat->watches.count; i++)
    vector_free(&sat->watches.data[i]);
  vector_free(&sat->watches);
  vector_free(&sat->clauses);
  vector_free(&sat->values);
  vector_free(&sat->variables);
  vector_free(&sat->heap);
  vector_free(&sat->trail);
  vector_free(&sat->levels);
  vector_free(&sat->learnt);
  vector_free(&sat->scratch);
  vector_free(&sat->stack);
  vector_free(&sat->touched);
  vector_free(&sat->stamps);
  vector_free(&sat->assumptions);
  memory_delete(sat);
}

int sat_value(const Sat *sat, SatLiteral literal) {
  return sat->values.data[literal];
}

int sat_fixed(const Sat *sat, SatLiteral literal) {
  int value = sat->values.data[literal];
  return value && sat->variables.data[literal >> 1].level == 0 ? value : 0;
}

/* ---- assignment ---- */

void sat_assign(Sat *sat, SatLiteral literal, uint32_t reason) {
  SatVariable *variable = &sat->variables.data[literal >> 1];
  variable->level = sat_level(sat);
  variable->reason = variable->level ? reason : 0;
  sat->values.data[literal] = 1;
  sat->values.data[literal ^ 1] = -1;
  vector_push(&sat->trail, literal);
}

void sat_go_back(Sat *sat, uint32_t level) {
  if (sat_level(sat) <= level) return;
  uint32_t first = sat->levels.data[level];
  for (uint32_t i = sat->trail.count; i-- > first;) {
    SatLiteral literal = sat->trail.data[i];
    SatVariable *variable = &sat->variables.data[literal >> 1];
    variable->phase = literal & 1 ? -1 : 1;
    sat->values.data[literal] = sat->values.data[literal ^ 1] = 0;
    if (variable->wanted) sat_heap_add(sat, literal >> 1);
  }
  sat->trail.count = sat->head = first;
  sat->levels.count = level;
}

/* ---- clauses ---- */

static void watch(Sat *sat, SatLiteral literal, uint32_t clause,
                  SatLiteral other) {
  SatWatchVector *list = &sat->watches.data[literal ^ 1];
  vector_push(list, ((SatWatch){clause, other}));
}

void sat_attach(Sat *sat, uint32_t clause) {
  const SatLiteral *literals = sat->clauses.data + clause;
  uint32_t flag = sat_size(sat, clause) == 2 ? BINARY : 0;
  watch(sat, literals[0], clause | flag, literals[1]);
  watch(sat, literals[1], clause | flag, literals[0]);
}

uint32_t sat_store(Sat *sat, const SatLiteral *literals, uint32_t count,
                   uint32_t mark) {
  uint32_t clause = sat->clauses.count + SAT_HEADER, end = clause + count;
  if (end >= BINARY) trial_fail("the clauses are too many");
  vector_resize(&sat->clauses, end);
  *sat_mark(sat, clause) = mark;
  sat->clauses.data[clause - 1] = count;
  memcpy(sat->clauses.data + clause, literals, count * sizeof *literals);
  sat_attach(sat, clause);
  if (mark & SAT_LEARNT)
    sat->counts.learnt++;
  else
    sat->counts.clauses++;
  return clause;
}

uint32_t sat_add_variables(Sat *sat, uint32_t count) {
  uint32_t first = sat->variables.count;
  for (uint32_t i = 0; i < count; i++) {
    vector_push(&sat->variables,
                ((SatVariable){.phase = -1, .wanted = sat->decide_all}));
    for (int j = 0; j < 2; j++) {
      vector_push(&sat->values, 0);
      vector_push(&sat->watches, ((SatWatchVector){0}));
    }
    if (sat->decide_all) sat_heap_add(sat, first + i);
  }
  return first;
}

/* Leaves out literals that are false or repeated; returns false if the clause
   is true. */
static bool normalise(Sat *sat, const SatLiteral *literals, uint32_t count) {
  bool open = true;
  vector_clear(&sat->scratch);
  for (uint32_t i = 0; i < count; i++) {
    SatVariable *variable = &sat->variables.data[literals[i] >> 1];
    uint8_t own = literals[i] & 1 ? 2 : 1;
    int8_t value = sat->values.data[literals[i]];
    if (value > 0 || variable->seen & (3 - own)) open = false;
    if (value || variable->seen & own) continue;
    variable->seen |= own;
    vector_push(&sat->scratch, literals[i]);
  }
  for (uint32_t i = 0; i < sat->scratch.count; i++)
    sat->variables.data[sat->scratch.data[i] >> 1].seen = 0;
  return open;
}

void sat_add_clause(Sat *sat, const SatLiteral *literals, uint32_t count) {
  sat_go_back(sat, 0);
  if (!normalise(sat, literals, count)) return;
  count = sat->scratch.count;
  if (count == 0) sat->contradiction = true;
  if (count == 1) sat_assign(sat, sat->scratch.data[0], 0);
  if (count > 1) sat_store(sat, sat->scratch.data, count, 0);
}

/* ---- propagation ---- */

/* Watches another literal that is not false; returns false if there is none. */
static bool move_watch(Sat *sat, uint32_t clause, SatLiteral first) {
  uint32_t *literals = sat->clauses.data + clause, count = literals[-1];
  for (uint32_t i = 2; i < count; i++) {
    if (sat->values.data[literals[i]] < 0) continue;
    SatLiteral found = literals[i];
    literals[i] = literals[1];
    literals[1] = found;
    watch(sat, found, clause, first);
    return true;
  }
  return false;
}

/* Propagates a literal that has become true; returns a conflicting clause, or
   0. */
static uint32_t propagate_literal(Sat *sat, SatLiteral literal) {
  SatWatchVector *list = &sat->watches.data[literal];
  SatWatch *from = list->data, *to = from, *end = from + list->count;
  const int8_t *values = sat->values.data;
  uint32_t conflict = 0;
  while (from < end && !conflict) {
    SatWatch w = *to++ = *from++;
    int8_t value = values[w.other];
    if (value > 0) continue;
    if (w.clause & BINARY) {
      if (value < 0) conflict = w.clause & ~BINARY;
      if (value == 0) sat_assign(sat, w.other, w.clause & ~BINARY);
      continue;
    }
    uint32_t *literals = sat->clauses.data + w.clause;
    SatLiteral first = literals[0] ^ literals[1] ^ literal ^ 1;
    literals[0] = first;
    literals[1] = literal ^ 1;
    value = values[first];
    if (value <= 0 && move_watch(sat, w.clause, first)) {
      to--;
      continue;
    }
    to[-1].other = first;
    if (value < 0) conflict = w.clause;
    if (value == 0) sat_assign(sat, first, w.clause);
  }
  while (from < end) *to++ = *from++;
  list->count = (uint32_t)(to - list->data);
  return conflict;
}

static uint32_t propagate(Sat *sat) {
  uint32_t conflict = 0;
  while (!conflict && sat->head < sat->trail.count) {
    sat->counts.propagations++;
    conflict = propagate_literal(sat, sat->trail.data[sat->head++]);
  }
  return conflict;
}

bool sat_settle(Sat *sat) {
  sat_go_back(sat, 0);
  if (!sat->contradiction && propagate(sat)) sat->contradiction = true;
  return !sat->contradiction;
}

/* ---- search ---- */

static void reduce_if_due(Sat *sat) {
  if (sat_level(sat) || sat->counts.conflicts < sat->reduce_at) return;
  sat->reductions++;
  sat->reduce_at = sat->counts.conflicts + FIRST_REDUCTION +
                   MORE_REDUCTION * sat->reductions;
  sat_reduce(sat);
}

/* 1 1 2 1 1 2 4 …: term i from 0 (Luby, Sinclair and Zuckerman 1993). */
static uint64_t luby(uint64_t i) {
  uint64_t size = 1, power = 0;
  while (size < i + 1) {
    size = 2 * size + 1;
    power++;
  }
  while (size - 1 != i) {
    size = (size - 1) / 2;
    power--;
    i %= size;
  }
  return (uint64_t)1 << power;
}

static void change_mode(Sat *sat) {
  sat->steady = !sat->steady;
  sat->modes++;
  sat->mode_at = sat->counts.conflicts + FIRST_MODE * sat->modes * sat->modes;
  sat->longest = 0;
  for (uint32_t i = 0; i < sat->variables.count; i++)
    sat->variables.data[i].target = 0;
}

static bool restart_is_due(const Sat *sat) {
  if (sat->counts.conflicts < sat->restart_at) return false;
  return sat->steady || sat->fast > 1.1 * sat->slow;
}

/* Goes back to the assumptions, or to level 0 if clauses are to be deleted. */
static void restart(Sat *sat) {
  uint64_t now = sat->counts.conflicts;
  sat->counts.restarts++;
  if (now >= sat->mode_at) change_mode(sat);
  sat->restart_at = now + (sat->steady ? PATIENCE * luby(sat->terms++) : 5);
  sat_go_back(sat, now < sat->reduce_at ? sat->assumptions.count : 0);
}

static SatLiteral choose_value(const Sat *sat, uint32_t variable) {
  const SatVariable *v = &sat->variables.data[variable];
  int8_t value = sat->steady && v->target ? v->target : v->phase;
  return variable << 1 | (value < 0);
}

/* Decides assumptions first, one level each, then the most active variable.
   Returns false if an assumption is contradicted; sets `done` if nothing is
   left to decide. */
static bool decide(Sat *sat, bool *done) {
  while (sat_level(sat) < sat->assumptions.count) {
    SatLiteral literal = sat->assumptions.data[sat_level(sat)];
    int value = sat_value(sat, literal);
    if (value < 0) return false;
    vector_push(&sat->levels, sat->trail.count);
    if (value > 0) continue;
    sat_assign(sat, literal, 0);
    return true;
  }
  while (sat->heap.count > 1) {
    uint32_t variable = sat_heap_take(sat);
    if (sat->values.data[variable * 2]) continue;
    vector_push(&sat->levels, sat->trail.count);
    sat_assign(sat, choose_value(sat, variable), 0);
    sat->counts.decisions++;
    return true;
  }
  *done = true;
  return true;
}

SatAnswer sat_continue(Sat *sat, uint64_t propagation_limit) {
  uint64_t before = sat->counts.propagations;
  for (bool done = false; !sat->contradiction;) {
    trial_check();
    uint32_t conflict = propagate(sat);
    if (conflict) {
      if (sat_level(sat) == 0)
        sat->contradiction = true;
      else
        sat_learn(sat, conflict);
    } else if (sat->counts.propagations - before > propagation_limit) {
      return SAT_UNKNOWN;
    } else if (restart_is_due(sat)) {
      restart(sat);
    } else {
      reduce_if_due(sat);
      if (!decide(sat, &done)) return SAT_NO;
      if (done) return SAT_MAYBE;
    }
  }
  return SAT_NO;
}

void sat_begin(Sat *sat, const SatLiteral *assumptions, uint32_t count,
               const uint32_t *decide_list, uint32_t decide_count) {
  uint32_t same = 0;
  while (same < count && same < sat->assumptions.count &&
         assumptions[same] == sat->assumptions.data[same])
    same++;
  sat_go_back(sat, same); /* each assumption has a level of its own */
  vector_resize(&sat->assumptions, same);
  for (uint32_t i = same; i < count; i++)
    vector_push(&sat->assumptions, assumptions[i]);
  bool all = !decide_list, none = decide_list && !decide_count;
  if ((all && sat->decide_all) || (none && sat->decide_none)) return;
  sat->decide_none = none;
  sat_heap_clear(sat);
  for (uint32_t i = 0; i < sat->variables.count; i++)
    sat->variables.data[i].wanted = !decide_list;
  sat->decide_all = !decide_list;
  if (!decide_list) decide_count = sat->variables.count;
  for (uint32_t i = 0; i < decide_count; i++) {
    uint32_t variable = decide_list ? decide_list[i] : i;
    sat->variables.data[variable].wanted = true;
    sat_heap_add(sat, variable);
  }
}

SatAnswer sat_solve(Sat *sat, const SatLiteral *assumptions, uint32_t count,
                    const uint32_t *decide_list, uint32_t decide_count,
                    uint64_t propagation_limit) {
  sat_begin(sat, assumptions, count, decide_list, decide_count);
  return sat_continue(sat, propagation_limit);
}

SatStatistics sat_statistics(const Sat *sat) {
  SatStatistics counts = sat->counts;
  counts.variables = sat->variables.count;
  counts.fixed = sat->levels.count ? sat->levels.data[0] : sat->trail.count;
  counts.bytes = sat->clauses.capacity * sizeof(uint32_t) +
                 sat->variables.count * (sizeof(SatVariable) +
                                         2 * (sizeof(SatWatchVector) + LIST)) +
                 (counts.clauses + counts.learnt) * 3 * sizeof(SatWatch);
  return counts;
}
