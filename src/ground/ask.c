/* Magic sets (Bancilhon, Maier, Sagiv, Ullman 1986) for wide predicates. What a
   call can ask is read from the other positive literals of its body, which bind
   its variables: a guard, a relation that grows with them and counts as true.
   A predicate with negative calls only gets one guard for all columns together.
   Others get one for each column, which is weaker and keeps guards small: the
   coordinates of a square are then letters and numbers in the right places
   instead of any two coordinates. Callers come first, so that what is asked of
   them is asked of the predicates that they call. */
#include "ground/ask.h"

#include "base/trial.h"

enum { FEWEST_COLUMNS = 5 };

typedef struct Asking {
  Ground *ground;
  RuleVector *rules;
  RuleVector guards;  /* rules of guards */
  uint32_t relation;  /* the predicate's */
  bool negative;      /* all calls are */
  ColumnSet columns;  /* bound in every call */
  uint32_t *guard_of; /* by column, or the only one */
} Asking;

static bool is_call(const Asking *asking, const GroundLiteral *literal) {
  return literal->sign != UNEQUAL && !literal->legality &&
         literal->relation == asking->relation;
}

static bool has(const Ground *ground, const GroundLiteral *literal,
                Term variable) {
  for (uint32_t i = 0; i < ground_columns(ground, literal); i++)
    if (term_contains(ground->terms, literal->columns[i], variable))
      return true;
  return false;
}

static bool is_own_rule(const Asking *asking, const GroundRule *rule) {
  return rule->kind == HEAD_ROW && rule->relation == asking->relation;
}

/* ---- binding ---- */

/* Prefers what grows, and the narrowest of it: it says most. */
static uint32_t rank(const Ground *ground, const GroundLiteral *literal) {
  HoldsKind kind = ground_relation(ground, literal->relation)->kind;
  uint32_t columns = ground_columns(ground, literal);
  return kind == HOLDS_ALWAYS  ? 200 + columns
         : kind == HOLDS_GUARD ? columns
                               : 100 + columns;
}

/* The positive literal beside the call that binds the variable, or NULL. */
static const GroundLiteral *binder_of(const Asking *asking,
                                      const GroundRule *rule, uint32_t call,
                                      Term variable) {
  const Ground *ground = asking->ground;
  const GroundLiteral *best = NULL;
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    if (i == call || literal->sign != POSITIVE || is_call(asking, literal) ||
        !has(ground, literal, variable))
      continue;
    if (!best || rank(ground, literal) < rank(ground, best)) best = literal;
  }
  return best;
}

static bool is_bound(const Asking *asking, const GroundRule *rule,
                     uint32_t call, Term column) {
  TermVector variables = {0};
  bool bound = true;
  term_collect_variables(asking->ground->terms, column, &variables);
  for (uint32_t i = 0; i < variables.count && bound; i++)
    bound = binder_of(asking, rule, call, variables.data[i]) != NULL;
  vector_free(&variables);
  return bound;
}

static void study_call(Asking *asking, const GroundRule *rule, uint32_t call) {
  const GroundLiteral *literal = &rule->body[call];
  bool own = is_own_rule(asking, rule);
  for (uint32_t c = 0; c < ground_columns(asking->ground, literal); c++)
    if (own ? literal->columns[c] != rule->head[c]
            : !is_bound(asking, rule, call, literal->columns[c]))
      asking->columns &= ~((ColumnSet)1 << c);
  asking->negative &= literal->sign == NEGATIVE;
}

/* Finds the columns that every call binds. Returns false if there is no call,
   or none is bound. */
static bool study_calls(Asking *asking) {
  const Ground *ground = asking->ground;
  uint32_t arity = ground_relation(ground, asking->relation)->rows.arity;
  uint32_t component = ground_relation(ground, asking->relation)->component;
  bool called = false;
  asking->negative = true;
  asking->columns = arity < 64 ? ((ColumnSet)1 << arity) - 1 : 0;
  for (uint32_t r = 0; r < asking->rules->count; r++) {
    const GroundRule *rule = asking->rules->data[r];
    for (uint32_t i = 0; i < rule->count; i++) {
      if (!is_call(asking, &rule->body[i])) continue;
      if (!is_own_rule(asking, rule) &&
          ground_component(ground, rule) == component)
        return false;
      study_call(asking, rule, i);
      called = true;
    }
  }
  return called && asking->columns;
}

/* ---- guards ---- */

/* Adds the rule of a guard with these columns: what the literals that bind them
   can be. */
static void add_guard_rule(Asking *asking, const GroundRule *rule,
                           uint32_t call, uint32_t guard, const Term *columns,
                           uint32_t count) {
  Ground *ground = asking->ground;
  TermVector variables = {0}, bound = {0};
  GroundLiteral *body =
      arena_new(&ground->arena, (rule->count + 1) * sizeof *body);
  uint32_t literals = 0;
  for (uint32_t i = 0; i < count; i++)
    term_collect_variables(ground->terms, columns[i], &variables);
  for (uint32_t i = 0; i < variables.count; i++) {
    if (term_vector_contains(&bound, variables.data[i])) continue;
    const GroundLiteral *binder =
        binder_of(asking, rule, call, variables.data[i]);
    body[literals++] = *binder;
    for (uint32_t c = 0; c < ground_columns(ground, binder); c++)
      term_collect_variables(ground->terms, binder->columns[c], &bound);
  }
  vector_push(&asking->guards,
              ground_make_rule(ground, HEAD_ROW, guard,
                               ground_copy_terms(ground, columns, count), count,
                               body, literals));
  vector_free(&variables);
  vector_free(&bound);
}

static uint32_t pick(const Asking *asking, const Term *from, Term *to) {
  uint32_t count = 0;
  for (ColumnSet rest = asking->columns; rest; rest &= rest - 1)
    to[count++] = from[__builtin_ctzll(rest)];
  return count;
}

static void ask_together(Asking *asking, const GroundRule *rule,
                         uint32_t call) {
  Term columns[RELATION_KEYS];
  uint32_t count = pick(asking, rule->body[call].columns, columns);
  add_guard_rule(asking, rule, call, asking->guard_of[0], columns, count);
}

static void ask_each(Asking *asking, const GroundRule *rule, uint32_t call) {
  for (ColumnSet rest = asking->columns; rest; rest &= rest - 1) {
    uint32_t c = (uint32_t)__builtin_ctzll(rest);
    add_guard_rule(asking, rule, call, asking->guard_of[c],
                   &rule->body[call].columns[c], 1);
  }
}

static void make_guards(Asking *asking) {
  Ground *ground = asking->ground;
  for (ColumnSet rest = asking->columns; rest; rest &= rest - 1)
    asking->guard_of[__builtin_ctzll(rest)] =
        asking->negative ? 0 : ground_add_relation(ground, HOLDS_GUARD, 1);
  if (asking->negative)
    asking->guard_of[0] = ground_add_relation(
        ground, HOLDS_GUARD, (uint32_t)__builtin_popcountll(asking->columns));
  for (uint32_t r = 0; r < asking->rules->count; r++) {
    const GroundRule *rule = asking->rules->data[r];
    for (uint32_t i = 0; i < rule->count; i++)
      if (is_call(asking, &rule->body[i]) && !is_own_rule(asking, rule))
        (asking->negative ? ask_together : ask_each)(asking, rule, i);
  }
}

/* ---- the predicate's rules ---- */

/* Does a fact, a move or a guard of the rule bind the column already? */
static bool grows_with(const Ground *ground, const GroundRule *rule,
                       Term column) {
  for (uint32_t i = 0; i < rule->count; i++) {
    const GroundLiteral *literal = &rule->body[i];
    if (literal->sign != POSITIVE) continue;
    HoldsKind kind = ground_relation(ground, literal->relation)->kind;
    if (kind == HOLDS_ALWAYS || kind == HOLDS_DERIVED) continue;
    for (uint32_t c = 0; c < ground_columns(ground, literal); c++)
      if (literal->columns[c] == column) return true;
  }
  return false;
}

static GroundRule *restrict_rule(Asking *asking, const GroundRule *old) {
  Ground *ground = asking->ground;
  Term columns[RELATION_KEYS];
  uint32_t asked = pick(asking, old->head, columns), count = old->count;
  GroundLiteral *body =
      arena_new(&ground->arena, (old->count + asked + 1) * sizeof *body);
  if (count) memcpy(body, old->body, count * sizeof *body);
  if (asking->negative) {
    body[count++] =
        (GroundLiteral){.sign = POSITIVE,
                        .relation = asking->guard_of[0],
                        .columns = ground_copy_terms(ground, columns, asked)};
  } else {
    for (ColumnSet rest = asking->columns; rest; rest &= rest - 1) {
      uint32_t c = (uint32_t)__builtin_ctzll(rest);
      if (!grows_with(ground, old, old->head[c]))
        body[count++] = (GroundLiteral){
            .sign = POSITIVE,
            .relation = asking->guard_of[c],
            .columns = ground_copy_terms(ground, &old->head[c], 1)};
    }
  }
  return ground_make_rule(ground, old->kind, old->relation, old->head,
                          old->head_count, body, count);
}

static bool is_wide(const Ground *ground, const GroundRule *rule) {
  if (rule->kind != HEAD_ROW) return false;
  const GroundRelation *relation = ground_relation(ground, rule->relation);
  return relation->kind == HOLDS_DERIVED && relation->predicate &&
         relation->rows.arity >= FEWEST_COLUMNS &&
         ground_predicate(ground, relation->predicate)->name >=
             SYMBOL_FIRST_FREE;
}

static void ask_relation(Asking *asking, uint32_t relation) {
  uint32_t guard_of[RELATION_KEYS] = {0};
  asking->relation = relation;
  asking->guard_of = guard_of;
  trial_check();
  if (!study_calls(asking)) return;
  make_guards(asking);
  for (uint32_t r = 0; r < asking->rules->count; r++)
    if (is_own_rule(asking, asking->rules->data[r]))
      asking->rules->data[r] = restrict_rule(asking, asking->rules->data[r]);
}

void ask_calls(Ground *ground, RuleVector *rules) {
  Asking asking = {.ground = ground, .rules = rules};
  bool *done = memory_new(ground->relations.count * sizeof *done);
  for (uint32_t r = rules->count; r-- > 0;) {
    const GroundRule *rule = rules->data[r];
    if (!is_wide(ground, rule) || done[rule->relation]) continue;
    done[rule->relation] = true;
    ask_relation(&asking, rule->relation);
  }
  for (uint32_t i = 0; i < asking.guards.count; i++)
    vector_push(rules, asking.guards.data[i]);
  vector_free(&asking.guards);
  memory_delete(done);
}
