/* Conflict-driven clause learning (Marques-Silva and Sakallah 1999) in the form
   of MiniSat (Eén and Sörensson 2003): two watched literals, first unique
   implication point, activities, saved phases; with what later solvers added:
   minimised clauses (Sörensson and Biere 2009), learnt clauses that are kept by
   the number of decision levels in them (Audemard and Simon 2009), phases of
   many restarts in turn with phases of few (Oh 2015) that aim for the largest
   consistent assignment seen.

   Clauses are in one array, each as its mark, its size and its literals; a
   clause is the index of its first literal, 0 means none. Invariants: a clause
   is in the watch lists of the negations of its first two literals; a clause of
   two literals is never looked at while propagating, since its watches say all.
   Literals of level 0 have no reason. Learnt clauses are deleted at level 0
   only, so that no reason is lost. */
#include "base/sat.h"

#include <stdlib.h>

#include "base/trial.h"
#include "base/vector.h"

static const uint32_t BINARY = 0x80000000u; /* in Watch.clause: it has two
                                               literals */

enum {
  HEADER = 2,             /* words before the literals of a clause */
  LEARNT = 1,             /* in the mark of a clause */
  USED = 2,               /* since learnt clauses were last deleted */
  BLOCKS = 2,             /* clauses of no more levels are kept for good */
  FIRST_REDUCTION = 2000, /* conflicts before the first, */
  MORE_REDUCTION = 300,   /* and how many more before each later one */
  FIRST_MODE = 1000,      /* conflicts until the first change of mode */
  LIST = 48,              /* bytes that a watch list takes in memory */
  PATIENCE = 512          /* conflicts of a term of Luby's sequence */
};

typedef struct Watch {
  uint32_t clause;  /* with BINARY */
  SatLiteral other; /* of the clause: if it is true, there is nothing to do */
} Watch;

typedef VECTOR(Watch) WatchVector;

typedef struct Variable {
  double activity;
  uint32_t level, reason;
  uint32_t place; /* in the heap, from 1; 0: not in it */
  int8_t phase;   /* last value */
  int8_t target;  /* value in the largest consistent assignment; 0: none */
  uint8_t seen;   /* scratch */
  bool wanted;    /* to be branched on */
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
  VECTOR(SatLiteral) scratch;
  NumberVector stack, touched; /* of minimising */
  NumberVector stamps;         /* by level, of counting them */
  uint32_t stamp;
  VECTOR(SatLiteral) assumptions;
  bool decide_all, decide_none;
  double bump;
  bool contradiction;
  /* when to restart, and when to delete clauses */
  double fast, slow; /* moving averages of the levels in learnt clauses */
  uint64_t restart_at, reduce_at, mode_at;
  uint64_t terms, reductions, modes;
  uint32_t longest; /* trail without conflict in this mode */
  bool steady;      /* few restarts */
  uint32_t
      fixed_before; /* literals of level 0 when clauses were last deleted */
  SatStatistics counts;
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

static void heap_clear(Sat *sat) {
  for (uint32_t i = 1; i < sat->heap.count; i++)
    sat->variables.data[sat->heap.data[i]].place = 0;
  sat->heap.count = 1;
}

/* ---- assignment ---- */

static uint32_t level_now(const Sat *sat) {
  return sat->levels.count;
}

static void assign(Sat *sat, SatLiteral literal, uint32_t reason) {
  Variable *variable = &sat->variables.data[literal >> 1];
  variable->level = level_now(sat);
  variable->reason = variable->level ? reason : 0;
  sat->values.data[literal] = 1;
  sat->values.data[literal ^ 1] = -1;
  vector_push(&sat->trail, literal);
}

/* Variables that may be branched on return to the heap. */
static void go_back(Sat *sat, uint32_t level) {
  if (level_now(sat) <= level) return;
  uint32_t first = sat->levels.data[level];
  for (uint32_t i = sat->trail.count; i-- > first;) {
    SatLiteral literal = sat->trail.data[i];
    Variable *variable = &sat->variables.data[literal >> 1];
    variable->phase = literal & 1 ? -1 : 1;
    sat->values.data[literal] = sat->values.data[literal ^ 1] = 0;
    if (variable->wanted) heap_add(sat, literal >> 1);
  }
  sat->trail.count = sat->head = first;
  sat->levels.count = level;
}

/* ---- clauses ---- */

static uint32_t *mark_of(Sat *sat, uint32_t clause) {
  return &sat->clauses.data[clause - 2];
}

static uint32_t size_of(const Sat *sat, uint32_t clause) {
  return sat->clauses.data[clause - 1];
}

static void watch(Sat *sat, SatLiteral literal, uint32_t clause,
                  SatLiteral other) {
  WatchVector *list = &sat->watches.data[literal ^ 1];
  vector_push(list, ((Watch){clause, other}));
}

static void attach(Sat *sat, uint32_t clause) {
  const SatLiteral *literals = sat->clauses.data + clause;
  uint32_t flag = size_of(sat, clause) == 2 ? BINARY : 0;
  watch(sat, literals[0], clause | flag, literals[1]);
  watch(sat, literals[1], clause | flag, literals[0]);
}

static uint32_t store_clause(Sat *sat, const SatLiteral *literals,
                             uint32_t count, uint32_t mark) {
  uint32_t clause = sat->clauses.count + HEADER, end = clause + count;
  if (end >= BINARY) trial_fail("the clauses are too many");
  vector_resize(&sat->clauses, end);
  *mark_of(sat, clause) = mark;
  sat->clauses.data[clause - 1] = count;
  memcpy(sat->clauses.data + clause, literals, count * sizeof *literals);
  attach(sat, clause);
  if (mark & LEARNT)
    sat->counts.learnt++;
  else
    sat->counts.clauses++;
  return clause;
}

uint32_t sat_add_variables(Sat *sat, uint32_t count) {
  uint32_t first = sat->variables.count;
  for (uint32_t i = 0; i < count; i++) {
    vector_push(&sat->variables,
                ((Variable){.phase = -1, .wanted = sat->decide_all}));
    for (int j = 0; j < 2; j++) {
      vector_push(&sat->values, 0);
      vector_push(&sat->watches, ((WatchVector){0}));
    }
    if (sat->decide_all) heap_add(sat, first + i);
  }
  return first;
}

/* Leaves out literals that are false or repeated; returns false if the clause
   is true. */
static bool normalise(Sat *sat, const SatLiteral *literals, uint32_t count) {
  bool open = true;
  vector_clear(&sat->scratch);
  for (uint32_t i = 0; i < count; i++) {
    Variable *variable = &sat->variables.data[literals[i] >> 1];
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
  go_back(sat, 0);
  if (!normalise(sat, literals, count)) return;
  count = sat->scratch.count;
  if (count == 0) sat->contradiction = true;
  if (count == 1) assign(sat, sat->scratch.data[0], 0);
  if (count > 1) store_clause(sat, sat->scratch.data, count, 0);
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
  WatchVector *list = &sat->watches.data[literal];
  Watch *from = list->data, *to = from, *end = from + list->count;
  const int8_t *values = sat->values.data;
  uint32_t conflict = 0;
  while (from < end && !conflict) {
    Watch w = *to++ = *from++;
    int8_t value = values[w.other];
    if (value > 0) continue;
    if (w.clause & BINARY) {
      if (value < 0) conflict = w.clause & ~BINARY;
      if (value == 0) assign(sat, w.other, w.clause & ~BINARY);
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
    if (value == 0) assign(sat, first, w.clause);
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
  go_back(sat, 0);
  if (!sat->contradiction && propagate(sat)) sat->contradiction = true;
  return !sat->contradiction;
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

void sat_prefer(Sat *sat, SatLiteral literal) {
  sat->variables.data[literal >> 1].phase = literal & 1 ? -1 : 1;
  bump(sat, literal >> 1);
}

static uint32_t count_levels(Sat *sat, const SatLiteral *list, uint32_t count) {
  uint32_t levels = 0;
  while (sat->stamps.count <= level_now(sat)) vector_push(&sat->stamps, 0);
  sat->stamp++;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t level = sat->variables.data[list[i] >> 1].level;
    if (sat->stamps.data[level] == sat->stamp) continue;
    sat->stamps.data[level] = sat->stamp;
    levels++;
  }
  return levels;
}

/* A learnt clause that takes part in a conflict stays for a while, and its
   count of levels is brought up to date. */
static void use(Sat *sat, uint32_t clause) {
  uint32_t *mark = mark_of(sat, clause);
  if (!(*mark & LEARNT)) return;
  uint32_t size = size_of(sat, clause), levels = *mark >> 2;
  if (levels > BLOCKS) {
    uint32_t now = count_levels(sat, sat->clauses.data + clause, size);
    if (now < levels) levels = now;
  }
  *mark = levels << 2 | USED | LEARNT;
}

/* Adds the clause's literals of earlier levels to the learnt clause; returns
   how many new ones are of this level. `implied`: the literal whose reason it
   is. */
static uint32_t resolve(Sat *sat, uint32_t clause, SatLiteral implied) {
  uint32_t open = 0, count = size_of(sat, clause);
  use(sat, clause);
  for (uint32_t i = 0; i < count; i++) {
    SatLiteral literal = sat->clauses.data[clause + i];
    Variable *variable = &sat->variables.data[literal >> 1];
    if (literal == implied || variable->seen || variable->level == 0) continue;
    variable->seen = 1;
    vector_push(&sat->touched, literal >> 1);
    bump(sat, literal >> 1);
    if (variable->level == level_now(sat))
      open++;
    else
      vector_push(&sat->learnt, literal);
  }
  return open;
}

enum { IN_CLAUSE = 1, REDUNDANT = 2, NEEDED = 3 }; /* Variable.seen */

/* Returns true if the literals of the clause imply this one: if all literals of
   its reason are implied or of the clause. Depth first, without recursion: the
   stack has pairs of a literal and how much of its reason was looked at. */
static bool is_redundant(Sat *sat, SatLiteral literal) {
  NumberVector *stack = &sat->stack;
  vector_clear(stack);
  vector_push(stack, literal >> 1);
  vector_push(stack, 0);
  while (stack->count) {
    uint32_t at = stack->data[stack->count - 2];
    Variable *variable = &sat->variables.data[at];
    uint32_t clause = variable->reason;
    uint32_t next = vector_last(stack)++;
    if (next == size_of(sat, clause)) {
      stack->count -= 2;
      if (stack->count && !variable->seen) {
        variable->seen = REDUNDANT;
        vector_push(&sat->touched, at);
      }
      continue;
    }
    uint32_t other = sat->clauses.data[clause + next] >> 1;
    Variable *reason = &sat->variables.data[other];
    if (other == at || reason->level == 0 || reason->seen == IN_CLAUSE ||
        reason->seen == REDUNDANT)
      continue;
    if (reason->seen == NEEDED || !reason->reason ||
        sat->stamps.data[reason->level] != sat->stamp) {
      /* whatever is on the stack is not implied either */
      for (uint32_t i = 2; i < stack->count; i += 2) {
        Variable *above = &sat->variables.data[stack->data[i]];
        if (!above->seen) vector_push(&sat->touched, stack->data[i]);
        above->seen = NEEDED;
      }
      return false;
    }
    vector_push(stack, other);
    vector_push(stack, 0);
  }
  return true;
}

static void minimise(Sat *sat) {
  uint32_t kept = 1;
  count_levels(sat, sat->learnt.data, sat->learnt.count);
  for (uint32_t i = 1; i < sat->learnt.count; i++) {
    SatLiteral literal = sat->learnt.data[i];
    if (!sat->variables.data[literal >> 1].reason ||
        !is_redundant(sat, literal))
      sat->learnt.data[kept++] = literal;
  }
  sat->learnt.count = kept;
}

/* Learns the clause of the first unique implication point; learnt[0] is the
   literal it asserts. */
static void analyse(Sat *sat, uint32_t conflict) {
  uint32_t open = 0, at = sat->trail.count, clause = conflict;
  SatLiteral implied = UINT32_MAX;
  vector_clear(&sat->touched);
  vector_clear(&sat->learnt);
  vector_push(&sat->learnt, 0);
  for (;;) {
    open += resolve(sat, clause, implied);
    while (!sat->variables.data[sat->trail.data[--at] >> 1].seen) continue;
    implied = sat->trail.data[at];
    if (--open == 0) break;
    /* not in the learnt clause, so that it must not stop minimising */
    sat->variables.data[implied >> 1].seen = 0;
    clause = sat->variables.data[implied >> 1].reason;
  }
  sat->learnt.data[0] = implied ^ 1;
  minimise(sat);
  for (uint32_t i = 0; i < sat->touched.count; i++)
    sat->variables.data[sat->touched.data[i]].seen = 0;
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

/* Remembers the largest assignment without conflict. */
static void aim(Sat *sat) {
  uint32_t consistent = vector_last(&sat->levels);
  if (!sat->steady || consistent <= sat->longest) return;
  sat->longest = consistent;
  for (uint32_t i = 0; i < consistent; i++) {
    SatLiteral literal = sat->trail.data[i];
    sat->variables.data[literal >> 1].target = literal & 1 ? -1 : 1;
  }
}

static void learn(Sat *sat, uint32_t conflict) {
  sat->counts.conflicts++;
  aim(sat);
  analyse(sat, conflict);
  uint32_t size = sat->learnt.count;
  uint32_t levels = count_levels(sat, sat->learnt.data, size);
  sat->fast += (levels - sat->fast) / 32;
  double weight = 1.0 / (double)(sat->counts.conflicts + 1);
  sat->slow += (levels - sat->slow) * (weight > 1e-4 ? weight : 1e-4);
  go_back(sat, second_level(sat));
  uint32_t clause = size > 1 ? store_clause(sat, sat->learnt.data, size,
                                            levels << 2 | USED | LEARNT)
                             : 0;
  assign(sat, sat->learnt.data[0], clause);
  sat->bump /= sat->steady ? 0.95 : 0.92;
}

/* ---- deleting clauses ---- */

/* Of learnt clauses: what is deleted first has the highest rank. */
static uint64_t rank(const Sat *sat, uint32_t clause) {
  uint64_t levels = sat->clauses.data[clause - 2] >> 2;
  return levels << 32 | size_of(sat, clause);
}

static int compare_ranks(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool is_satisfied(const Sat *sat, uint32_t clause) {
  for (uint32_t i = 0; i < size_of(sat, clause); i++)
    if (sat->values.data[sat->clauses.data[clause + i]] > 0) return true;
  return false;
}

static bool may_go(Sat *sat, uint32_t clause) {
  uint32_t mark = *mark_of(sat, clause);
  return mark & LEARNT && !(mark & USED) && mark >> 2 > BLOCKS &&
         size_of(sat, clause) > 2;
}

/* Returns the rank from which clauses are deleted: half of those that may. */
static uint64_t median_rank(Sat *sat) {
  VECTOR(uint64_t) ranks = {0};
  for (uint32_t c = 1 + HEADER; c < sat->clauses.count + HEADER;
       c += size_of(sat, c) + HEADER)
    if (may_go(sat, c)) vector_push(&ranks, rank(sat, c));
  uint64_t median = UINT64_MAX;
  if (ranks.count) {
    qsort(ranks.data, ranks.count, sizeof *ranks.data, compare_ranks);
    median = ranks.data[ranks.count / 2];
  }
  vector_free(&ranks);
  return median;
}

/* Moves the clause to its new place without literals that are false. */
static void move_clause(Sat *sat, uint32_t clause, uint32_t *end) {
  uint32_t size = size_of(sat, clause), kept = 0, to = *end + HEADER;
  uint32_t *data = sat->clauses.data;
  uint32_t mark = data[clause - 2] & ~(uint32_t)USED;
  for (uint32_t i = 0; i < size; i++)
    if (sat->values.data[data[clause + i]] == 0)
      data[to + kept++] = data[clause + i];
  data[to - 2] = mark;
  data[to - 1] = kept;
  *end = to + kept;
}

/* Deletes what level 0 satisfies and the worse half of the learnt clauses. All
   literals of level 0 have been propagated, so that at least two literals of
   every other clause have no value. */
static void reduce(Sat *sat) {
  uint64_t from = median_rank(sat);
  uint32_t end = 1, count = sat->clauses.count;
  sat->counts.clauses = sat->counts.learnt = 0;
  for (uint32_t c = 1 + HEADER, next; c < count + HEADER; c = next) {
    next = c + size_of(sat, c) + HEADER;
    if (is_satisfied(sat, c) || (may_go(sat, c) && rank(sat, c) >= from))
      continue;
    if (*mark_of(sat, c) & LEARNT)
      sat->counts.learnt++;
    else
      sat->counts.clauses++;
    move_clause(sat, c, &end);
  }
  sat->clauses.count = end;
  for (uint32_t i = 0; i < sat->watches.count; i++) {
    WatchVector *list = &sat->watches.data[i];
    if (sat->values.data[i]) vector_free(list);
    vector_clear(list);
  }
  for (uint32_t c = 1 + HEADER; c < end + HEADER; c += size_of(sat, c) + HEADER)
    attach(sat, c);
}

static void reduce_if_due(Sat *sat) {
  if (level_now(sat) || sat->counts.conflicts < sat->reduce_at) return;
  sat->reductions++;
  sat->reduce_at = sat->counts.conflicts + FIRST_REDUCTION +
                   MORE_REDUCTION * sat->reductions;
  reduce(sat);
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
  go_back(sat, now < sat->reduce_at ? sat->assumptions.count : 0);
}

static SatLiteral choose_value(const Sat *sat, uint32_t variable) {
  const Variable *v = &sat->variables.data[variable];
  int8_t value = sat->steady && v->target ? v->target : v->phase;
  return variable << 1 | (value < 0);
}

/* Decides assumptions first, one level each, then the most active variable.
   Returns false if an assumption is contradicted; sets `done` if nothing is
   left to decide. */
static bool decide(Sat *sat, bool *done) {
  while (level_now(sat) < sat->assumptions.count) {
    SatLiteral literal = sat->assumptions.data[level_now(sat)];
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
    assign(sat, choose_value(sat, variable), 0);
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
      if (level_now(sat) == 0)
        sat->contradiction = true;
      else
        learn(sat, conflict);
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
  go_back(sat, same); /* each assumption has a level of its own */
  vector_resize(&sat->assumptions, same);
  for (uint32_t i = same; i < count; i++)
    vector_push(&sat->assumptions, assumptions[i]);
  bool all = !decide_list, none = decide_list && !decide_count;
  if ((all && sat->decide_all) || (none && sat->decide_none)) return;
  sat->decide_none = none;
  heap_clear(sat);
  for (uint32_t i = 0; i < sat->variables.count; i++)
    sat->variables.data[i].wanted = !decide_list;
  sat->decide_all = !decide_list;
  if (!decide_list) decide_count = sat->variables.count;
  for (uint32_t i = 0; i < decide_count; i++) {
    uint32_t variable = decide_list ? decide_list[i] : i;
    sat->variables.data[variable].wanted = true;
    heap_add(sat, variable);
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
                 sat->variables.count *
                     (sizeof(Variable) + 2 * (sizeof(WatchVector) + LIST)) +
                 (counts.clauses + counts.learnt) * 3 * sizeof(Watch);
  return counts;
}
