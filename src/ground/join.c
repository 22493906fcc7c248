/* A join is an ordered list of steps over relations with indexes. The order is
   greedy: tests as soon as their variables are bound, then the relation that
   promises the fewest rows for each binding so far. */
#include "ground/join.h"

#include "base/clock.h"
#include "base/trial.h"

typedef struct JoinStep {
  uint32_t literal;
  SourceKind kind;
  Relation *relation;
  Pattern *patterns;
  uint16_t *keys, *rest;
  uint32_t key_count, rest_count;
  uint32_t index;
  bool indexed; /* else every row of the range is looked at */
} JoinStep;

struct Join {
  const Terms *terms;
  Arena arena;
  JoinStep *steps;
  uint32_t step_count, literal_count, slot_count;
  double estimate;
  /* of the current run */
  const JoinRange *ranges;
  JoinBudget *budget;
  JoinFound found;
  void *context;
  Term *environment;
  uint32_t *rows;
};

/* ---- compiling ---- */

typedef struct Compiler {
  Join *join;
  PatternScope scope;

  const JoinSource *sources;
} Compiler;

static uint32_t column_count(const JoinSource *source) {
  return source->kind == SOURCE_UNEQUAL ? 2 : source->relation->arity;
}

static ColumnSet bound_columns(const Compiler *compiler,
                               const JoinSource *source) {
  ColumnSet set = 0;
  for (uint32_t i = 0; i < column_count(source) && i < RELATION_KEYS; i++)
    if (pattern_is_bound(&compiler->scope, compiler->scope.bound,
                         source->columns[i]))
      set |= (ColumnSet)1 << i;
  return set;
}

static bool all_bound(const Compiler *compiler, const JoinSource *source) {
  for (uint32_t i = 0; i < column_count(source); i++)
    if (!pattern_is_bound(&compiler->scope, compiler->scope.bound,
                          source->columns[i]))
      return false;
  return true;
}

/* Rows for each binding so far; negative if it cannot come next. */
static double cost_of(const Compiler *compiler, const JoinSource *source) {
  if (source->kind != SOURCE_ROWS) return all_bound(compiler, source) ? 0 : -1;
  Relation *relation = source->relation;
  ColumnSet bound = bound_columns(compiler, source);
  if (!relation->count) return 0;
  if (relation->arity <= RELATION_KEYS &&
      (uint32_t)__builtin_popcountll(bound) == relation->arity)
    return 0.5;
  return (double)relation->count / relation_distinct(relation, bound);
}

static void make_step(Compiler *compiler, uint32_t literal, bool scan) {
  Join *join = compiler->join;
  const JoinSource *source = &compiler->sources[literal];
  uint32_t columns = column_count(source);
  JoinStep *step = &join->steps[join->step_count++];
  ColumnSet bound = scan ? 0 : bound_columns(compiler, source);
  *step = (JoinStep){
      .literal = literal, .kind = source->kind, .relation = source->relation};
  step->patterns = arena_new(&join->arena, columns * sizeof *step->patterns);
  step->keys = arena_new(&join->arena, 2 * columns * sizeof *step->keys);
  step->rest = step->keys + columns;
  for (uint32_t i = 0; i < columns; i++) {
    if (i < RELATION_KEYS && bound >> i & 1)
      step->keys[step->key_count++] = (uint16_t)i;
    else
      step->rest[step->rest_count++] = (uint16_t)i;
    pattern_make(&compiler->scope, source->columns[i], &step->patterns[i]);
  }
  step->indexed = source->kind != SOURCE_UNEQUAL && step->key_count > 0;
  if (step->indexed) step->index = relation_index(source->relation, bound);
}

static uint32_t choose_next(const Compiler *compiler, uint32_t count,
                            const bool *done, double *cost) {
  uint32_t best = count;
  for (uint32_t i = 0; i < count; i++) {
    if (done[i]) continue;
    double own = cost_of(compiler, &compiler->sources[i]);
    if (own >= 0 && (best == count || own < *cost)) {
      best = i;
      *cost = own;
    }
  }
  return best;
}

Join *join_new(const Terms *terms, const TermVector *variables,
               const JoinSource *sources, uint32_t count, uint32_t first) {
  Join *join = memory_new(sizeof *join);
  join->terms = terms;
  join->literal_count = count;
  join->slot_count = variables->count;
  join->steps = arena_new(&join->arena, count * sizeof *join->steps);
  join->environment = arena_new(&join->arena, variables->count * sizeof(Term));
  join->rows = arena_new(&join->arena, count * sizeof(uint32_t));
  join->estimate = 1;
  Compiler compiler = {.join = join,
                       .scope = {terms, &join->arena, *variables, NULL},
                       .sources = sources};
  compiler.scope.bound = memory_new(variables->count * sizeof(bool));
  bool *done = memory_new(count * sizeof *done);
  for (uint32_t i = 0; i < count; i++) {
    double cost = 0;
    uint32_t next = first;
    if (i > 0 || first == JOIN_NO_FIRST)
      next = choose_next(&compiler, count, done, &cost);
    else
      cost = sources[first].relation->count;
    done[next] = true;
    /* a row that is only looked up counts as found: assuming half of them
       missing favoured plain rules over split ones (kalaha_2009 272,000 gates
       instead of 113,000; all games together 4 % more) */
    if (sources[next].kind == SOURCE_ROWS)
      join->estimate *= cost > 0 && cost < 1 ? 1 : cost;
    make_step(&compiler, next, i == 0 && first != JOIN_NO_FIRST);
  }
  memory_delete(done);
  memory_delete(compiler.scope.bound);
  return join;
}

void join_delete(Join *join) {
  arena_free(&join->arena);
  memory_delete(join);
}

double join_estimate(const Join *join) {
  return join->estimate;
}

/* ---- running ---- */

enum { TICKS_BETWEEN_LOOKS = 1 << 14 };

bool join_budget_spent(const JoinBudget *budget) {
  trial_check();
  return budget->ticks > budget->most_ticks ||
         (budget->deadline > 0 && clock_now() > budget->deadline);
}

static inline bool tick(Join *join) {
  return ++join->budget->ticks % TICKS_BETWEEN_LOOKS ||
         !join_budget_spent(join->budget);
}

static bool run(Join *join, uint32_t at);

static bool match_rest(const Join *join, const JoinStep *step,
                       const Term *cells) {
  for (uint32_t i = 0; i < step->rest_count; i++) {
    uint32_t column = step->rest[i];
    if (!pattern_match(join->terms, &step->patterns[column], join->environment,
                       cells[column]))
      return false;
  }
  return true;
}

static bool same_keys(const JoinStep *step, const Term *cells,
                      const Term *keys) {
  for (uint32_t i = 0; i < step->key_count; i++)
    if (cells[step->keys[i]] != keys[i]) return false;
  return true;
}

static bool find_keys(const Join *join, const JoinStep *step, Term *keys) {
  for (uint32_t i = 0; i < step->key_count; i++) {
    keys[i] = pattern_find(join->terms, &step->patterns[step->keys[i]],
                           join->environment);
    if (!keys[i]) return false;
  }
  return true;
}

static bool run_range(Join *join, const JoinStep *step, uint32_t at) {
  JoinRange range = join->ranges[step->literal];
  for (uint32_t row = range.low; row < range.high; row++) {
    if (!tick(join)) return false;
    if (!match_rest(join, step, relation_row(step->relation, row))) continue;
    join->rows[step->literal] = row;
    if (!run(join, at + 1)) return false;
  }
  return true;
}

static bool run_rows(Join *join, const JoinStep *step, uint32_t at) {
  if (!step->indexed) return run_range(join, step, at);
  JoinRange range = join->ranges[step->literal];
  Term keys[RELATION_KEYS];
  if (!find_keys(join, step, keys)) return true;
  for (uint32_t row = relation_first(step->relation, step->index, keys);
       row != RELATION_END && row >= range.low;
       row = relation_next(step->relation, step->index, row)) {
    const Term *cells = relation_row(step->relation, row);
    if (!tick(join)) return false;
    if (row >= range.high || !same_keys(step, cells, keys) ||
        !match_rest(join, step, cells))
      continue;
    join->rows[step->literal] = row;
    if (!run(join, at + 1)) return false;
  }
  return true;
}

static bool row_exists(Join *join, const JoinStep *step) {
  Term keys[RELATION_KEYS];
  if (!step->indexed) {
    for (uint32_t row = 0; row < step->relation->count; row++) {
      trial_check();
      if (match_rest(join, step, relation_row(step->relation, row)))
        return true;
    }
    return false;
  }
  if (!find_keys(join, step, keys)) return false;
  for (uint32_t row = relation_first(step->relation, step->index, keys);
       row != RELATION_END;
       row = relation_next(step->relation, step->index, row)) {
    const Term *cells = relation_row(step->relation, row);
    if (same_keys(step, cells, keys) && match_rest(join, step, cells))
      return true;
  }
  return false;
}

static bool unequal(const Join *join, const JoinStep *step) {
  Term left = pattern_find(join->terms, &step->patterns[0], join->environment);
  Term right = pattern_find(join->terms, &step->patterns[1], join->environment);
  /* A term that does not exist differs from every one that does; two that do
     not exist are made, to compare them. */
  if (left || right) return left != right;
  Terms *terms = (Terms *)join->terms;
  return pattern_build(terms, &step->patterns[0], join->environment) !=
         pattern_build(terms, &step->patterns[1], join->environment);
}

static bool run(Join *join, uint32_t at) {
  for (; at < join->step_count; at++) {
    const JoinStep *step = &join->steps[at];
    switch (step->kind) {
    case SOURCE_ROWS: return run_rows(join, step, at);
    case SOURCE_ABSENT:
      if (row_exists(join, step)) return true;
      break;
    case SOURCE_UNEQUAL:
      if (!unequal(join, step)) return true;
      break;
    }
  }
  return join->found(join->context, join->environment, join->rows);
}

bool join_run(Join *join, const JoinRange *ranges, JoinBudget *budget,
              JoinFound found, void *context) {
  join->ranges = ranges;
  join->budget = budget;
  join->found = found;
  join->context = context;
  return run(join, 0);
}
