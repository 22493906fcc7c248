/* Learning from a conflict: the clause of the first unique implication point,
   without literals that the others imply (Sörensson and Biere 2009). What took
   part becomes more active, and learnt clauses that did are kept longer. */
#include "base/sat_parts.h"

static void bump(Sat *sat, uint32_t variable) {
  SatVariable *v = &sat->variables.data[variable];
  v->activity += sat->bump;
  if (v->place) sat_heap_rise(sat, v->place);
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
  while (sat->stamps.count <= sat_level(sat)) vector_push(&sat->stamps, 0);
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
  uint32_t *mark = sat_mark(sat, clause);
  if (!(*mark & SAT_LEARNT)) return;
  uint32_t size = sat_size(sat, clause), levels = *mark >> 2;
  if (levels > SAT_BLOCKS) {
    uint32_t now = count_levels(sat, sat->clauses.data + clause, size);
    if (now < levels) levels = now;
  }
  *mark = levels << 2 | SAT_USED | SAT_LEARNT;
}

/* Adds the clause's literals of earlier levels to the learnt clause; returns
   how many new ones are of this level. `implied`: the literal whose reason it
   is. */
static uint32_t resolve(Sat *sat, uint32_t clause, SatLiteral implied) {
  uint32_t open = 0, count = sat_size(sat, clause);
  use(sat, clause);
  for (uint32_t i = 0; i < count; i++) {
    SatLiteral literal = sat->clauses.data[clause + i];
    SatVariable *variable = &sat->variables.data[literal >> 1];
    if (literal == implied || variable->seen || variable->level == 0) continue;
    variable->seen = 1;
    vector_push(&sat->touched, literal >> 1);
    bump(sat, literal >> 1);
    if (variable->level == sat_level(sat))
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
    SatVariable *variable = &sat->variables.data[at];
    uint32_t clause = variable->reason;
    uint32_t next = vector_last(stack)++;
    if (next == sat_size(sat, clause)) {
      stack->count -= 2;
      if (stack->count && !variable->seen) {
        variable->seen = REDUNDANT;
        vector_push(&sat->touched, at);
      }
      continue;
    }
    uint32_t other = sat->clauses.data[clause + next] >> 1;
    SatVariable *reason = &sat->variables.data[other];
    if (other == at || reason->level == 0 || reason->seen == IN_CLAUSE ||
        reason->seen == REDUNDANT)
      continue;
    if (reason->seen == NEEDED || !reason->reason ||
        sat->stamps.data[reason->level] != sat->stamp) {
      /* whatever is on the stack is not implied either */
      for (uint32_t i = 2; i < stack->count; i += 2) {
        SatVariable *above = &sat->variables.data[stack->data[i]];
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

void sat_learn(Sat *sat, uint32_t conflict) {
  sat->counts.conflicts++;
  aim(sat);
  analyse(sat, conflict);
  uint32_t size = sat->learnt.count;
  uint32_t levels = count_levels(sat, sat->learnt.data, size);
  sat->fast += (levels - sat->fast) / 32;
  double weight = 1.0 / (double)(sat->counts.conflicts + 1);
  sat->slow += (levels - sat->slow) * (weight > 1e-4 ? weight : 1e-4);
  sat_go_back(sat, second_level(sat));
  uint32_t clause = size > 1 ? sat_store(sat, sat->learnt.data, size,
                                         levels << 2 | SAT_USED | SAT_LEARNT)
                             : 0;
  sat_assign(sat, sat->learnt.data[0], clause);
  sat->bump /= sat->steady ? 0.95 : 0.92;
}
