/* Conflict-driven clause learning (Marques-Silva and Sakallah 1999) in the
   plain form of MiniSat (Eén and Sörensson 2003): two watched literals, first
   unique implication point, activities, saved phases, Luby restarts. Clauses
   are in one array, each as its size and its literals; a clause is the index of
   its first literal, 0 means none. Invariants: a clause is in the watch lists
   of the negations of its first two literals; if it is the reason of a literal,
   that literal is its first. Nothing is ever deleted: queries are short. */
#include "base/sat.h"

#include "base/trial.h"
#include "base/vector.h"

typedef struct Watch {
  uint32_t clause;
  SatLiteral other; /* of the clause: if it is true, there is nothing to do */
} Watch;

typedef VECTOR(Watch) WatchVector;

typedef struct Variable {
  uint32_t level, reason;
  double activity;
  uint32_t place; /* in the heap, from 1; 0: not in it */
  int8_t phase;   /* last value */
  bool seen;
} Variable;

struct Sat {
  VECTOR(uint32_t) clauses;
  VECTOR(WatchVector) watches; /* by literal */
  VECTOR(int8_t) values;       /* by literal: 1, -1, 0 */
  VECTOR(Variable) variables;
  NumberVector heap; /* of variables to decide, most active first; [0] unused */
  VECTOR(SatLiteral) trail;
  NumberVector levels; /* where each begins in the trail */
  uint32_t head;       /* of the trail: propagated up to here */
  VECTOR(SatLiteral) learnt;
  double bump;
  bool contradiction;
  uint64_t propagations;
};

Sat *sat_new(void) {
  Sat *sat = memory_new(sizeof *sat);
  sat->bump = 1;
  vector_push(&sat->clauses, 0);
  vector_push(&sat->heap, 0);
  return sat;
}

void sat_delete(Sat *sat) {
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
  memory_delete(sat);
}

uint32_t sat_add_variables(Sat *sat, uint32_t count) {
  uint32_t first = sat->variables.count;
  for (uint32_t i = 0; i < count; i++) {
    vector_push(&sat->variables, ((Variable){.phase = -1}));
    for (int j = 0; j < 2; j++) {
      vector_push(&sat->values, 0);
      vector_push(&sat->watches, ((WatchVector){0}));
    }
  }
  return first;
}

int sat_value(const Sat *sat, SatLiteral literal) {
  return sat->values.data[literal];
}

/* ---- the heap ---- */

static bool more_active(const Sat *sat, uint32_t a, uint32_t b) {
  return sat->variables.data[a].activity > sat->variables.data[b].activity;
}

static void heap_put(Sat *sat, uint32_t place, uint32_t variable) {
  sat->heap.data[place] = variable;
  sat->variables.data[variable].place = place;
}

static void heap_rise(Sat *sat, uint32_t place) {
  uint32_t variable = sat->heap.data[place];
  for (; place > 1 && more_active(sat, variable, sat->heap.data[place / 2]);
       place /= 2)
    heap_put(sat, place, sat->heap.data[place / 2]);
  heap_put(sat, place, variable);
}

static void heap_sink(Sat *sat, uint32_t place) {
  uint32_t variable = sat->heap.data[place];
  for (uint32_t child; (child = place * 2) < sat->heap.count; place = child) {
    if (child + 1 < sat->heap.count &&
        more_active(sat, sat->heap.data[child + 1], sat->heap.data[child]))
      child++;
    if (!more_active(sat, sat->heap.data[child], variable)) break;
    heap_put(sat, place, sat->heap.data[child]);
  }
  heap_put(sat, place, variable);
}

static void heap_add(Sat *sat, uint32_t variable) {
  if (sat->variables.data[variable].place) return;
  vector_push(&sat->heap, variable);
  heap_rise(sat, sat->heap.count - 1);
}

static uint32_t heap_take(Sat *sat) {
  uint32_t top = sat->heap.data[1];
  uint32_t last = sat->heap.data[--sat->heap.count];
  sat->variables.data[top].place = 0;
  if (sat->heap.count > 1) {
    heap_put(sat, 1, last);
    heap_sink(sat, 1);
  }
  return top;
}

/* ---- assignment ---- */

static uint32_t level_now(const Sat *sat) {
  return sat->levels.count;
}

static void assign(Sat *sat, SatLiteral literal, uint32_t reason) {
  Variable *variable = &sat->variables.data[literal >> 1];
  variable->level = level_now(sat);
  variable->reason = reason;
  sat->values.data[literal] = 1;
  sat->values.data[literal ^ 1] = -1;
  vector_push(&sat->trail, literal);
}

/* Variables that were branched on return to the heap. */
static void go_back(Sat *sat, uint32_t level, const bool *wanted) {
  if (level_now(sat) <= level) return;
  uint32_t first = sat->levels.data[level];
  for (uint32_t i = sat->trail.count; i-- > first;) {
    SatLiteral literal = sat->trail.data[i];
    Variable *variable = &sat->variables.data[literal >> 1];
    variable->phase = literal & 1 ? -1 : 1;
    sat->values.data[literal] = sat->values.data[literal ^ 1] = 0;
    if (wanted && wanted[literal >> 1]) heap_add(sat, literal >> 1);
  }
  sat->trail.count = sat->head = first;
  sat->levels.count = level;
}

static void watch(Sat *sat, SatLiteral literal, uint32_t clause,
                  SatLiteral other) {
  WatchVector *list = &sat->watches.data[literal ^ 1];
  vector_push(list, ((Watch){clause, other}));
}

static uint32_t store_clause(Sat *sat, const SatLiteral *literals,
                             uint32_t count) {
  vector_push(&sat->clauses, count);
  uint32_t clause = sat->clauses.count;
  for (uint32_t i = 0; i < count; i++) vector_push(&sat->clauses, literals[i]);
  watch(sat, literals[0], clause, literals[1]);
  watch(sat, literals[1], clause, literals[0]);
  return clause;
}

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
  trial_check();
  WatchVector *list = &sat->watches.data[literal];
  uint32_t kept = 0, i = 0, conflict = 0;
  while (i < list->count && !conflict) {
    Watch w = list->data[i++];
    if (sat->values.data[w.other] > 0) {
      list->data[kept++] = w;
      continue;
    }
    uint32_t *literals = sat->clauses.data + w.clause;
    if (literals[0] == (literal ^ 1)) {
      literals[0] = literals[1];
      literals[1] = literal ^ 1;
    }
    SatLiteral first = literals[0];
    int8_t value = sat->values.data[first];
    if (value <= 0 && move_watch(sat, w.clause, first)) continue;
    list->data[kept++] = (Watch){w.clause, first};
    if (value < 0) conflict = w.clause;
    if (value == 0) assign(sat, first, w.clause);
  }
  while (i < list->count) list->data[kept++] = list->data[i++];
  list->count = kept;
  return conflict;
}

static uint32_t propagate(Sat *sat) {
  uint32_t conflict = 0;
  while (!conflict && sat->head < sat->trail.count) {
    sat->propagations++;
    conflict = propagate_literal(sat, sat->trail.data[sat->head++]);
  }
  return conflict;
}

void sat_add_clause(Sat *sat, const SatLiteral *literals, uint32_t count) {
  VECTOR(SatLiteral) kept = {0};
  bool satisfied = false;
  go_back(sat, 0, NULL);
  for (uint32_t i = 0; i < count; i++) {
    bool repeated = false;
    for (uint32_t j = 0; j < kept.count && count <= 8; j++) {
      repeated |= kept.data[j] == literals[i];
      satisfied |= kept.data[j] == (literals[i] ^ 1);
    }
    satisfied |= sat->values.data[literals[i]] > 0;
    if (sat->values.data[literals[i]] == 0 && !repeated)
      vector_push(&kept, literals[i]);
  }
  if (!satisfied && kept.count == 0) sat->contradiction = true;
  if (!satisfied && kept.count == 1) assign(sat, kept.data[0], 0);
  if (!satisfied && kept.count > 1) store_clause(sat, kept.data, kept.count);
  vector_free(&kept);
}

/* ---- learning ---- */

static void bump(Sat *sat, uint32_t variable) {
  Variable *v = &sat->variables.data[variable];
  v->activity += sat->bump;
  if (v->place) heap_rise(sat, v->place);
  if (v->activity < 1e100) return;
  for (uint32_t i = 0; i < sat->variables.count; i++)
    sat->variables.data[i].activity *= 1e-100;
  sat->bump *= 1e-100;
}

/* Adds the clause's literals of earlier levels to the learnt clause; returns
   how many new ones are of this level. */
static uint32_t resolve(Sat *sat, uint32_t clause, bool reason) {
  uint32_t open = 0, count = sat->clauses.data[clause - 1];
  for (uint32_t i = reason; i < count; i++) {
    SatLiteral literal = sat->clauses.data[clause + i];
    Variable *variable = &sat->variables.data[literal >> 1];
    if (variable->seen || variable->level == 0) continue;
    variable->seen = true;
    bump(sat, literal >> 1);
    if (variable->level == level_now(sat))
      open++;
    else
      vector_push(&sat->learnt, literal);
  }
  return open;
}

/* Learns the clause of the first unique implication point; learnt[0] is the
   literal it asserts. */
static void analyse(Sat *sat, uint32_t conflict) {
  uint32_t open = 0, at = sat->trail.count, clause = conflict;
  vector_clear(&sat->learnt);
  vector_push(&sat->learnt, 0);
  for (bool reason = false;; reason = true) {
    open += resolve(sat, clause, reason);
    while (!sat->variables.data[sat->trail.data[--at] >> 1].seen) continue;
    Variable *variable = &sat->variables.data[sat->trail.data[at] >> 1];
    variable->seen = false;
    if (--open == 0) break;
    clause = variable->reason;
  }
  sat->learnt.data[0] = sat->trail.data[at] ^ 1;
  for (uint32_t i = 1; i < sat->learnt.count; i++)
    sat->variables.data[sat->learnt.data[i] >> 1].seen = false;
}

/* Returns the level to backtrack to; moves a literal of it to second place. */
static uint32_t second_level(Sat *sat) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < sat->learnt.count; i++) {
    SatLiteral literal = sat->learnt.data[i];
    uint32_t level = sat->variables.data[literal >> 1].level;
    if (level <= best) continue;
    best = level;
    sat->learnt.data[i] = sat->learnt.data[1];
    sat->learnt.data[1] = literal;
  }
  return best;
}

static void learn(Sat *sat, uint32_t conflict, const bool *wanted) {
  analyse(sat, conflict);
  go_back(sat, second_level(sat), wanted);
  uint32_t clause = sat->learnt.count > 1
                        ? store_clause(sat, sat->learnt.data, sat->learnt.count)
                        : 0;
  assign(sat, sat->learnt.data[0], clause);
  sat->bump /= 0.95;
}

/* ---- search ---- */

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

/* Decides assumptions first, one level each, then the most active variable.
   Returns false if an assumption is contradicted; sets `done` if nothing is
   left to decide. */
static bool decide(Sat *sat, const SatLiteral *assumptions, uint32_t count,
                   bool *done) {
  while (level_now(sat) < count) {
    SatLiteral literal = assumptions[level_now(sat)];
    int value = sat_value(sat, literal);
    if (value < 0) return false;
    vector_push(&sat->levels, sat->trail.count);
    if (value > 0) continue;
    assign(sat, literal, 0);
    return true;
  }
  while (sat->heap.count > 1) {
    uint32_t variable = heap_take(sat);
    if (sat->values.data[variable * 2]) continue;
    vector_push(&sat->levels, sat->trail.count);
    assign(sat, variable << 1 | (sat->variables.data[variable].phase < 0), 0);
    return true;
  }
  *done = true;
  return true;
}

static SatAnswer search(Sat *sat, const SatLiteral *assumptions, uint32_t count,
                        const bool *wanted, uint64_t limit) {
  uint64_t conflicts = 0, restarts = 0, restart = 50;
  uint64_t before = sat->propagations;
  for (bool done = false;;) {
    uint32_t conflict = propagate(sat);
    if (conflict) {
      if (level_now(sat) == 0) {
        sat->contradiction = true;
        return SAT_NO;
      }
      conflicts++;
      if (sat->propagations - before > limit) return SAT_UNKNOWN;
      learn(sat, conflict, wanted);
    } else if (conflicts >= restart) {
      restart = conflicts + 50 * luby(++restarts);
      go_back(sat, 0, wanted);
    } else {
      if (!decide(sat, assumptions, count, &done)) return SAT_NO;
      if (done) return SAT_MAYBE;
    }
  }
}

static void empty_heap(Sat *sat) {
  for (uint32_t i = 1; i < sat->heap.count; i++)
    sat->variables.data[sat->heap.data[i]].place = 0;
  sat->heap.count = 1;
}

SatAnswer sat_solve(Sat *sat, const SatLiteral *assumptions, uint32_t count,
                    const uint32_t *decide_list, uint32_t decide_count,
                    uint64_t propagation_limit) {
  if (sat->contradiction) return SAT_NO;
  bool *wanted = memory_new(sat->variables.count);
  go_back(sat, 0, NULL);
  empty_heap(sat);
  for (uint32_t i = 0; i < decide_count; i++) {
    wanted[decide_list[i]] = true;
    heap_add(sat, decide_list[i]);
  }
  SatAnswer answer = search(sat, assumptions, count, wanted, propagation_limit);
  memory_delete(wanted);
  return answer;
}
