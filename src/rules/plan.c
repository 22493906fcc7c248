/* Rules become plans. The literals of a body are ordered greedily: a test as
   soon as its variables are bound, then the generator that promises the fewest
   rows, estimated from the relations themselves (facts, and the state in which
   the procedure is first called). */
#include "rules/plan.h"

#include <math.h>

/* A rule being compiled. */
typedef struct Compiler {
  Plans *plans;
  const Terms *terms;
  PatternScope scope;
  const bool *before; /* by slot: bound before the current step */
} Compiler;

/* ---- relations of facts, of the state and of the moves ---- */

static void collect_facts(Plans *plans, uint32_t p) {
  const Rules *rules = &plans->description->rules;
  const Predicate *predicate = &plans->description->dependencies.list.data[p];
  for (uint32_t i = 0; i < predicate->rules.count; i++) {
    const Rule *rule = &rules->list.data[predicate->rules.data[i]];
    if (rule->count) {
      plans->derived[p] = true;
      continue;
    }
    if (!plans->facts[p]) {
      plans->facts[p] = arena_new(&plans->arena, sizeof(Relation));
      plans->facts[p]->arity = predicate->arity;
    }
    relation_add(plans->facts[p], term_arguments(&rules->terms, rule->head));
  }
}

void plans_init(Plans *plans, Description *description) {
  *plans = (Plans){.description = description, .moves = {.arity = 2}};
  uint32_t count = description->dependencies.list.count;
  plans->facts = memory_new(count * sizeof *plans->facts);
  plans->derived = memory_new(count * sizeof *plans->derived);
  plans->procedures = memory_new(count * sizeof *plans->procedures);
  for (uint32_t p = 1; p < count; p++) collect_facts(plans, p);
  vector_push(&plans->classes, NULL);
  vector_push(&plans->classes, arena_new(&plans->arena, sizeof(FactClass)));
}

void plans_free(Plans *plans) {
  for (uint32_t p = 0; p < plans->description->dependencies.list.count; p++)
    if (plans->facts[p]) relation_free(plans->facts[p]);
  for (uint32_t c = 1; c < plans->classes.count; c++)
    relation_free(&plans->classes.data[c]->relation);
  for (uint32_t i = 0; i < plans->retired.count; i++)
    relation_free(plans->retired.data[i]);
  vector_free(&plans->retired);
  memory_delete(plans->procedures);
  memory_delete(plans->facts);
  memory_delete(plans->derived);
  relation_free(&plans->moves);
  vector_free(&plans->classes);
  vector_free(&plans->class_of);
  vector_free(&plans->by_functor);
  arena_free(&plans->arena);
}

void plans_begin_relation(Plans *plans, uint32_t predicate) {
  Relation *relation = arena_new(&plans->arena, sizeof *relation);
  relation->arity = plans->description->dependencies.list.data[predicate].arity;
  if (plans->facts[predicate])
    vector_push(&plans->retired, plans->facts[predicate]);
  plans->facts[predicate] = relation;
  plans->derived[predicate] = false;
}

/* Extends the vector to hold `index`; new elements are 0. */
static void reach(NumberVector *vector, uint32_t index) {
  while (vector->count <= index) vector_push(vector, 0);
}

static uint32_t find_class(Plans *plans, Symbol functor, uint32_t arity) {
  reach(&plans->by_functor, functor);
  uint32_t class = plans->by_functor.data[functor];
  for (; class; class = plans->classes.data[class]->other)
    if (plans->classes.data[class]->relation.arity == arity) return class;
  FactClass *made = arena_new(&plans->arena, sizeof *made);
  made->other = plans->by_functor.data[functor];
  made->relation.arity = arity;
  plans->by_functor.data[functor] = plans->classes.count;
  vector_push(&plans->classes, made);
  return plans->classes.count - 1;
}

static Relation *class_relation(Plans *plans, Symbol functor, uint32_t arity) {
  uint32_t class = find_class(plans, functor, arity);
  return &plans->classes.data[class]->relation;
}

uint32_t plans_class(Plans *plans, Term fact) {
  reach(&plans->class_of, fact);
  if (!plans->class_of.data[fact]) {
    const Terms *terms = &plans->description->rules.terms;
    uint32_t arity = term_arity(terms, fact);
    plans->class_of.data[fact] =
        arity ? find_class(plans, term_symbol(terms, fact), arity)
              : CLASS_OF_CONSTANTS;
  }
  return plans->class_of.data[fact];
}

/* ---- patterns ---- */

static Pattern *make_patterns(Compiler *compiler, const Term *list,
                              uint32_t count) {
  Pattern *patterns =
      arena_new(&compiler->plans->arena, count * sizeof *patterns);
  for (uint32_t i = 0; i < count; i++)
    pattern_make(&compiler->scope, list[i], &patterns[i]);
  return patterns;
}

static bool is_bound(const Compiler *compiler, Term term) {
  return pattern_is_bound(&compiler->scope, compiler->before, term);
}

static ColumnSet bound_columns(const Compiler *compiler, const Term *list,
                               uint32_t count) {
  ColumnSet set = 0;
  for (uint32_t i = 0; i < count && i < RELATION_KEYS; i++)
    if (is_bound(compiler, list[i])) set |= (ColumnSet)1 << i;
  return set;
}

static Columns split_columns(Plans *plans, ColumnSet bound, uint32_t arity) {
  Columns columns = {0};
  columns.keys = arena_new(&plans->arena, 2 * arity * sizeof *columns.keys);
  columns.rest = columns.keys + arity;
  for (uint32_t i = 0; i < arity; i++)
    if (i < RELATION_KEYS && bound >> i & 1)
      columns.keys[columns.key_count++] = (uint16_t)i;
    else
      columns.rest[columns.rest_count++] = (uint16_t)i;
  return columns;
}

static bool all_bound(ColumnSet bound, uint32_t arity) {
  return arity <= RELATION_KEYS &&
         (uint32_t)__builtin_popcountll(bound) == arity;
}

/* ---- order ---- */

/* Returns the mean number of rows of a lookup by these columns. */
static double rows_per_key(Relation *relation, ColumnSet bound) {
  if (!relation->count) return 0;
  if (all_bound(bound, relation->arity)) return 1;
  return (double)relation->count / relation_distinct(relation, bound);
}

/* Returns the cost of a literal as the next step; negative if it cannot be
   next. Tests cost less than 1, lookups their rows; a call costs more than a
   lookup of its size. */
static double cost_of(Compiler *compiler, const Literal *literal) {
  Plans *plans = compiler->plans;
  const Terms *terms = compiler->terms;
  const Term *list = term_arguments(terms, literal->atom);
  uint32_t arity = term_arity(terms, literal->atom);
  Symbol symbol = term_symbol(terms, literal->atom);
  if (literal->sign != POSITIVE && !is_bound(compiler, literal->atom))
    return -1;
  if (literal->sign == UNEQUAL) return 0;
  if (symbol == SYMBOL_TRUE) {
    if (is_bound(compiler, list[0])) return 0.01;
    if (term_is_variable(terms, list[0])) return 1000;
    uint32_t columns = term_arity(terms, list[0]);
    Relation *relation =
        class_relation(plans, term_symbol(terms, list[0]), columns);
    ColumnSet bound =
        bound_columns(compiler, term_arguments(terms, list[0]), columns);
    if (relation->count) return rows_per_key(relation, bound);
    return pow(3, columns -
                      (uint32_t)__builtin_popcountll(bound)); /* not seen yet */
  }
  if (symbol == SYMBOL_DOES) return 0.1;
  uint32_t p =
      dependencies_of(&plans->description->dependencies, terms, literal->atom);
  ColumnSet bound = bound_columns(compiler, list, arity);
  if (!plans->derived[p]) {
    if (!plans->facts[p]) return 0;
    return all_bound(bound, arity) ? 0.02
                                   : rows_per_key(plans->facts[p], bound);
  }
  if (all_bound(bound, arity)) return 1.5;
  return 4 * pow(3, arity - (uint32_t)__builtin_popcountll(bound));
}

/* ---- steps ---- */

static void scan_step(Compiler *compiler, Step *step, Relation *relation,
                      const Term *list) {
  ColumnSet bound = bound_columns(compiler, list, relation->arity);
  bool indexed = bound && relation != &compiler->plans->moves;
  step->kind = STEP_SCAN;
  step->relation = relation;
  step->index = indexed ? relation_index(relation, bound) : NO_INDEX;
  step->columns =
      split_columns(compiler->plans, indexed ? bound : 0, relation->arity);
  step->patterns = make_patterns(compiler, list, relation->arity);
}

static void true_step(Compiler *compiler, Step *step, const Literal *literal) {
  const Terms *terms = compiler->terms;
  Term fact = term_argument(terms, literal->atom, 0);
  bool bound = is_bound(compiler, fact);
  if (!bound && !term_is_variable(terms, fact)) {
    Plans *plans = compiler->plans;
    Relation *relation = class_relation(plans, term_symbol(terms, fact),
                                        term_arity(terms, fact));
    scan_step(compiler, step, relation, term_arguments(terms, fact));
    return;
  }
  step->kind = !bound                      ? STEP_FACTS
               : literal->sign == POSITIVE ? STEP_HOLDS
                                           : STEP_FAILS;
  step->patterns = make_patterns(compiler, &fact, 1);
}

static void call_step(Compiler *compiler, Step *step, const Literal *literal,
                      uint32_t predicate) {
  Plans *plans = compiler->plans;
  const Term *list = term_arguments(compiler->terms, literal->atom);
  uint32_t arity = term_arity(compiler->terms, literal->atom);
  ColumnSet bound = bound_columns(compiler, list, arity);
  step->procedure = plans_procedure(plans, predicate, bound);
  step->columns = step->procedure->columns;
  step->kind = literal->sign == NEGATIVE ? STEP_UNDERIVED
               : all_bound(bound, arity) ? STEP_DERIVED
                                         : STEP_CALL;
  step->patterns = make_patterns(compiler, list, arity);
}

/* A predicate without rules gets a relation without rows. */
static Relation *facts_of(Plans *plans, uint32_t predicate, uint32_t arity) {
  if (!plans->facts[predicate]) {
    plans->facts[predicate] = arena_new(&plans->arena, sizeof(Relation));
    plans->facts[predicate]->arity = arity;
  }
  return plans->facts[predicate];
}

static void make_step(Compiler *compiler, Step *step, const Literal *literal) {
  Plans *plans = compiler->plans;
  const Terms *terms = compiler->terms;
  const Term *list = term_arguments(terms, literal->atom);
  Symbol symbol = term_symbol(terms, literal->atom);
  *step = (Step){0};
  if (literal->sign == UNEQUAL) {
    step->kind = STEP_UNEQUAL;
    step->patterns = make_patterns(compiler, list, 2);
  } else if (symbol == SYMBOL_TRUE) {
    true_step(compiler, step, literal);
  } else if (symbol == SYMBOL_DOES) {
    scan_step(compiler, step, &plans->moves, list);
    if (literal->sign == NEGATIVE) step->kind = STEP_ABSENT;
  } else {
    uint32_t p = dependencies_of(&plans->description->dependencies, terms,
                                 literal->atom);
    if (plans->derived[p]) {
      call_step(compiler, step, literal, p);
    } else {
      scan_step(compiler, step,
                facts_of(plans, p, term_arity(terms, literal->atom)), list);
      if (literal->sign == NEGATIVE) step->kind = STEP_ABSENT;
    }
  }
}

/* ---- plans ---- */

static uint32_t choose_next(Compiler *compiler, const Literal *body,
                            uint32_t count, const bool *done) {
  uint32_t best = count;
  double best_cost = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (done[i]) continue;
    double cost = cost_of(compiler, &body[i]);
    if (cost >= 0 && (best == count || cost < best_cost)) {
      best = i;
      best_cost = cost;
    }
  }
  return best;
}

/* A step runs once if no variable it binds is needed later: by a step after it
   or by the columns of the head that are built at the end. */
static void mark_once(Compiler *compiler, Plan *plan, const Literal **order,
                      bool *const *bound_before, const TermVector *built) {
  TermVector needed = {0};
  for (uint32_t i = 0; i < built->count; i++)
    vector_push(&needed, built->data[i]);
  TermVector own = {0};
  for (uint32_t i = plan->step_count; i-- > 0;) {
    plan->steps[i].once = true;
    vector_clear(&own);
    term_collect_variables(compiler->terms, order[i]->atom, &own);
    for (uint32_t j = 0; j < own.count; j++)
      if (!bound_before[i][pattern_slot(&compiler->scope, own.data[j])] &&
          term_vector_contains(&needed, own.data[j]))
        plan->steps[i].once = false;
    term_collect_variables(compiler->terms, order[i]->atom, &needed);
  }
  vector_free(&needed);
  vector_free(&own);
}

/* The head's keys are the caller's arguments and bind variables first. */
static void enter_head(Compiler *compiler, const Procedure *procedure,
                       Plan *plan, Term head) {
  plan->head =
      arena_new(&compiler->plans->arena, procedure->arity * sizeof *plan->head);
  for (uint32_t i = 0; i < procedure->columns.key_count; i++) {
    uint32_t column = procedure->columns.keys[i];
    pattern_make(&compiler->scope, term_argument(compiler->terms, head, column),
                 &plan->head[column]);
  }
}

static void leave_head(Compiler *compiler, const Procedure *procedure,
                       Plan *plan, Term head, TermVector *built) {
  for (uint32_t i = 0; i < procedure->columns.rest_count; i++) {
    uint32_t column = procedure->columns.rest[i];
    Term term = term_argument(compiler->terms, head, column);
    pattern_make(&compiler->scope, term, &plan->head[column]);
    term_collect_variables(compiler->terms, term, built);
  }
}

static void order_steps(Compiler *compiler, Plan *plan, const Literal *body,
                        const Literal **order, bool **bound_before) {
  uint32_t slots = compiler->scope.variables.count;
  bool *done = memory_new(plan->step_count * sizeof *done);
  for (uint32_t i = 0; i < plan->step_count; i++) {
    bound_before[i] = memory_new(slots * sizeof(bool));
    memcpy(bound_before[i], compiler->scope.bound, slots * sizeof(bool));
    compiler->before = bound_before[i];
    uint32_t chosen = choose_next(compiler, body, plan->step_count, done);
    done[chosen] = true;
    order[i] = &body[chosen];
    make_step(compiler, &plan->steps[i], order[i]);
  }
  memory_delete(done);
}

static Dependence body_depends(const Plans *plans, const Literal *body,
                               uint32_t count) {
  const Terms *terms = &plans->description->rules.terms;
  const Dependencies *dependencies = &plans->description->dependencies;
  Dependence most = ON_NOTHING;
  for (uint32_t i = 0; i < count; i++) {
    if (body[i].sign == UNEQUAL) continue;
    Symbol symbol = term_symbol(terms, body[i].atom);
    uint32_t p = dependencies_of(dependencies, terms, body[i].atom);
    Dependence own = symbol == SYMBOL_TRUE ? ON_STATE
                     : symbol == SYMBOL_DOES
                         ? ON_MOVES
                         : dependencies->list.data[p].depends;
    if (own > most) most = own;
  }
  return most;
}

static void compile_rule(Plans *plans, const Procedure *procedure,
                         const Rule *rule, Plan *plan) {
  const Rules *rules = &plans->description->rules;
  const Literal *body = rule_body(rules, rule);
  Compiler compiler = {
      .plans = plans,
      .terms = &rules->terms,
      .scope = {.terms = &rules->terms, .arena = &plans->arena}};
  term_collect_variables(&rules->terms, rule->head, &compiler.scope.variables);
  for (uint32_t i = 0; i < rule->count; i++)
    term_collect_variables(&rules->terms, body[i].atom,
                           &compiler.scope.variables);
  plan->slot_count = compiler.scope.variables.count;
  plan->step_count = rule->count;
  plan->depends = body_depends(plans, body, rule->count);
  plan->steps = arena_new(&plans->arena, rule->count * sizeof *plan->steps);
  compiler.scope.bound = memory_new(plan->slot_count * sizeof(bool));

  const Literal **order = memory_new(rule->count * sizeof *order);
  bool **bound_before = memory_new(rule->count * sizeof *bound_before);
  TermVector built = {0};
  enter_head(&compiler, procedure, plan, rule->head);
  order_steps(&compiler, plan, body, order, bound_before);
  leave_head(&compiler, procedure, plan, rule->head, &built);
  mark_once(&compiler, plan, order, bound_before, &built);

  for (uint32_t i = 0; i < rule->count; i++) memory_delete(bound_before[i]);
  memory_delete(bound_before);
  memory_delete(order);
  memory_delete(compiler.scope.bound);
  vector_free(&compiler.scope.variables);
  vector_free(&built);
}

Procedure *plans_procedure(Plans *plans, uint32_t p, ColumnSet bound) {
  Procedure *found = plans->procedures[p];
  while (found && found->bound != bound) found = found->other;
  if (found) return found;
  const Predicate *predicate = &plans->description->dependencies.list.data[p];
  Procedure *procedure = arena_new(&plans->arena, sizeof *procedure);
  *procedure =
      (Procedure){.number = plans->procedure_count++,
                  .predicate = p,
                  .other = plans->procedures[p],
                  .bound = bound,
                  .arity = predicate->arity,
                  .columns = split_columns(plans, bound, predicate->arity),
                  .recursive = predicate->recursive,
                  .depends = predicate->depends,
                  .facts = plans->facts[p],
                  .facts_index = NO_INDEX};
  if (procedure->facts && bound)
    procedure->facts_index = relation_index(procedure->facts, bound);
  plans->procedures[p] = procedure;
  return procedure;
}

void plans_compile(Plans *plans, Procedure *procedure) {
  const Predicate *predicate =
      &plans->description->dependencies.list.data[procedure->predicate];
  procedure->compiled = true;
  procedure->plans = arena_new(&plans->arena, predicate->rules.count *
                                                  sizeof *procedure->plans);
  for (uint32_t i = 0; i < predicate->rules.count; i++) {
    const Rule *rule =
        &plans->description->rules.list.data[predicate->rules.data[i]];
    if (rule->count)
      compile_rule(plans, procedure, rule,
                   &procedure->plans[procedure->plan_count++]);
  }
}
