/* Static predicates are evaluated exactly, component by component. Then `true`
   starts as `init` and `does` as nothing, and rules are applied, where
   negations of what depends on the state count as possible; `next` feeds
   `true`, `legal` feeds `does`, until nothing new appears. Each round joins
   what is new with all that is known (semi-naive evaluation). */
#include "ground/saturate.h"

#include "base/trial.h"
#include "ground/instances.h"

static bool grows(const Ground *ground, const GroundLiteral *literal) {
  return literal->sign == POSITIVE &&
         ground_relation(ground, literal->relation)->kind != HOLDS_ALWAYS;
}

static uint32_t size_of(const Ground *ground, const GroundRule *rule) {
  uint32_t size = 0;
  for (uint32_t i = 0; i < rule->count; i++)
    if (rule->body[i].sign == POSITIVE)
      size += ground_relation(ground, rule->body[i].relation)->rows.count;
  return size;
}

/* Compiles anew, and so reorders, when relations have grown much. */
static Join *join_for(const Ground *ground, GroundRule *rule, uint32_t first) {
  uint32_t size = size_of(ground, rule), slot = first;
  if (first == JOIN_NO_FIRST) slot = rule->count;
  if (rule->joins[slot] && size > 4 * rule->compiled_size[slot] + 16) {
    join_delete(rule->joins[slot]);
    rule->joins[slot] = NULL;
  }
  if (!rule->joins[slot]) {
    rule->joins[slot] = instances_join(ground, rule, first);
    rule->compiled_size[slot] = size;
  }
  return rule->joins[slot];
}

typedef struct Derivation {
  Ground *ground;
  const GroundRule *rule;
} Derivation;

/* Beyond these a game is infinite, or might as well be. */
enum { DEEPEST_TERM = 200, LARGEST_TERM = 10000 };

/* Inserts the head of an instance. */
static bool derive(void *context, const Term *environment,
                   const uint32_t *rows) {
  Ground *ground = ((Derivation *)context)->ground;
  const GroundRule *rule = ((Derivation *)context)->rule;
  Term head[TERM_LARGEST_ARITY];
  (void)rows;
  for (uint32_t i = 0; i < rule->head_count; i++) {
    head[i] = pattern_build(ground->terms, &rule->patterns[i], environment);
    if (term_depth(ground->terms, head[i]) > DEEPEST_TERM ||
        term_size(ground->terms, head[i]) > LARGEST_TERM)
      return ground_fail(ground, "the rules make ever larger terms");
  }
  switch (rule->kind) {
  case HEAD_ROW:
    ground_insert_row(ground_relation(ground, rule->relation), head, 0);
    break;
  case HEAD_INIT: ground_insert_fluent(ground, head[0], true); break;
  case HEAD_NEXT: ground_insert_fluent(ground, head[0], false); break;
  case HEAD_LEGAL: ground_insert_move(ground, head[0], head[1]); break;
  }
  return true;
}

static bool apply(Ground *ground, GroundRule *rule, uint32_t first) {
  JoinRange *ranges = memory_new((rule->count + 1) * sizeof *ranges);
  Derivation derivation = {ground, rule};
  instances_ranges(ground, rule, first, ranges);
  bool fine = join_run(join_for(ground, rule, first), ranges, &ground->budget,
                       derive, &derivation);
  memory_delete(ranges);
  return fine || ground_fail_budget(ground);
}

/* ---- evaluation ---- */

/* Makes the rows of this round old and those added since the next round's;
   returns false if there are none. */
static bool next_round(Ground *ground, const NumberVector *growing) {
  bool any = false;
  for (uint32_t i = 0; i < growing->count; i++) {
    GroundRelation *relation = ground_relation(ground, growing->data[i]);
    trial_check();
    relation->done = relation->end;
    relation->end = relation->rows.count;
    any |= relation->done < relation->end;
  }
  return any;
}

/* Applies the active rules to whatever is new in the growing relations, until
   nothing is. */
static bool saturate(Ground *ground, const NumberVector *growing,
                     const bool *active) {
  while (next_round(ground, growing)) {
    for (uint32_t i = 0; i < growing->count; i++) {
      GroundRelation *relation = ground_relation(ground, growing->data[i]);
      if (relation->done == relation->end) continue;
      for (uint32_t u = 0; u < relation->users.count; u += 2) {
        uint32_t rule = relation->users.data[u];
        if (active[rule] && !apply(ground, ground->rules.data[rule],
                                   relation->users.data[u + 1]))
          return false;
      }
    }
  }
  return true;
}

/* Is the rule's head static? */
static bool is_static(const Ground *ground, const GroundRule *rule) {
  return rule->kind == HEAD_ROW &&
         ground_relation(ground, rule->relation)->kind == HOLDS_ALWAYS;
}

/* Applies the rules that no new row will trigger: those without a literal on a
   growing relation. */
static bool start_rules(Ground *ground, const bool *active) {
  for (uint32_t r = 0; r < ground->rules.count; r++) {
    GroundRule *rule = ground->rules.data[r];
    bool waits = false;
    if (!active[r]) continue;
    for (uint32_t i = 0; i < rule->count; i++)
      waits |= grows(ground, &rule->body[i]);
    if (!waits && !apply(ground, rule, JOIN_NO_FIRST)) return false;
  }
  return true;
}

/* One static component: rules first … first + count. */
static bool evaluate_component(Ground *ground, uint32_t first, uint32_t count,
                               bool *active) {
  NumberVector growing = {0};
  bool fine = true;
  for (uint32_t r = first; r < first + count; r++) {
    uint32_t relation = ground->rules.data[r]->relation, i = 0;
    trial_check();
    while (i < growing.count && growing.data[i] != relation) i++;
    if (i == growing.count) vector_push(&growing, relation);
    active[r] = true;
  }
  for (uint32_t r = first; r < first + count && fine; r++) {
    GroundRule *rule = ground->rules.data[r];
    bool recursive = false;
    trial_check();
    for (uint32_t j = 0; j < rule->count; j++)
      for (uint32_t k = 0; k < growing.count; k++)
        recursive |= rule->body[j].sign != UNEQUAL &&
                     rule->body[j].relation == growing.data[k];
    if (!recursive) fine = apply(ground, rule, JOIN_NO_FIRST);
  }
  fine = fine && saturate(ground, &growing, active);
  for (uint32_t r = first; r < first + count; r++) active[r] = false;
  vector_free(&growing);
  return fine;
}

/* Evaluates components in order, which is that of the rules; those that depend
   on the initial state are late. */
static bool evaluate_static(Ground *ground, bool *active, bool late) {
  for (uint32_t r = 0; r < ground->rules.count;) {
    const GroundRule *rule = ground->rules.data[r];
    uint32_t first = r, component = ground_component(ground, rule);
    while (r < ground->rules.count &&
           ground_component(ground, ground->rules.data[r]) == component)
      r++;
    if (is_static(ground, rule) &&
        ground_relation(ground, rule->relation)->late == late &&
        !evaluate_component(ground, first, r - first, active))
      return false;
  }
  return true;
}

static bool evaluate_init(Ground *ground) {
  for (uint32_t r = 0; r < ground->rules.count; r++)
    if (ground->rules.data[r]->kind == HEAD_INIT &&
        !apply(ground, ground->rules.data[r], JOIN_NO_FIRST))
      return false;
  for (uint32_t r = 1; r < ground->relations.count; r++) {
    GroundRelation *relation = ground_relation(ground, r);
    if (relation->kind == HOLDS_ALWAYS)
      relation->done = relation->end = relation->rows.count;
  }
  return true;
}

static bool evaluate_dynamic(Ground *ground, bool *active) {
  NumberVector growing = {0};
  for (uint32_t r = 1; r < ground->relations.count; r++)
    if (ground_relation(ground, r)->kind != HOLDS_ALWAYS)
      vector_push(&growing, r);
  for (uint32_t r = 0; r < ground->rules.count; r++)
    active[r] = ground->rules.data[r]->kind != HEAD_INIT &&
                !is_static(ground, ground->rules.data[r]);
  bool fine = start_rules(ground, active) && saturate(ground, &growing, active);
  vector_free(&growing);
  return fine;
}

bool saturate_relations(Ground *ground) {
  bool *active = memory_new((ground->rules.count + 1) * sizeof *active);
  bool fine = evaluate_static(ground, active, false) && evaluate_init(ground) &&
              evaluate_static(ground, active, true) &&
              evaluate_dynamic(ground, active);
  memory_delete(active);
  return fine;
}
