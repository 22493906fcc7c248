/* Each question resets the limits and sets the place that a failure jumps to.
   Predicates that depend on neither state nor moves are evaluated in full in
   advance if that takes little work, and are plain relations from then on. */
#include "rules/evaluate.h"

#include "base/clock.h"
#include "base/stack.h"

enum {
  STATIC_TICKS = 1 << 19, /* work for one predicate evaluated in advance */
  STATIC_TOTAL = 1 << 22  /* and for all of them */
};

/* ---- questions ---- */

void evaluator_begin(Evaluator *evaluator, double until) {
  evaluator->environment_used = 0;
  evaluator->depth = evaluator->round = 0;
  evaluator->low = UINT32_MAX;
  vector_clear(&evaluator->waiting);
  evaluator->stack_end = stack_end();
  evaluator->deadline = until;
}

static void begin(Evaluator *evaluator) {
  evaluator->collected = NULL;
  double seconds = evaluator->limits.seconds;
  evaluator_begin(evaluator, seconds > 0 ? clock_now() + seconds : 0);
}

static void empty_table(Evaluator *evaluator, Dependence which) {
  calls_free(&evaluator->tables[which]);
  calls_init(&evaluator->tables[which]);
}

void evaluator_forget(Evaluator *evaluator) {
  for (int i = 0; i < 3; i++) empty_table(evaluator, (Dependence)i);
}

bool evaluator_ask(Evaluator *evaluator, Procedure *procedure,
                   CallTable **table, uint32_t *call) {
  if (evaluator->error->length) return false;
  begin(evaluator);
  if (setjmp(evaluator->failure)) return false;
  *table = &evaluator->tables[procedure->depends];
  *call = calls_call(*table, procedure, NULL);
  if ((*table)->calls.data[*call].status != CALL_COMPLETE)
    derive_call(evaluator, *table, *call);
  return true;
}

bool evaluator_collect(Evaluator *evaluator, Procedure *procedure,
                       TermVector *terms) {
  if (evaluator->error->length) return false;
  begin(evaluator);
  marks_clear(&evaluator->collected_set);
  vector_clear(terms);
  evaluator->collected = terms;
  if (setjmp(evaluator->failure)) return false;
  derive_plans(evaluator, procedure, NULL, 0);
  return true;
}

void evaluator_set_state(Evaluator *evaluator, const Term *facts,
                         uint32_t count) {
  Plans *plans = &evaluator->plans;
  const Terms *terms = &plans->description->rules.terms;
  calls_forget(&evaluator->tables[ON_STATE]);
  calls_forget(&evaluator->tables[ON_MOVES]);
  if (calls_memory(&evaluator->tables[ON_NOTHING]) >
      evaluator->limits.memory / 2)
    empty_table(evaluator, ON_NOTHING);
  marks_clear(&evaluator->holds);
  vector_clear(&evaluator->facts);
  for (uint32_t c = 1; c < plans->classes.count; c++)
    relation_clear(&plans->classes.data[c]->relation);
  for (uint32_t i = 0; i < count; i++) {
    marks_add(&evaluator->holds, facts[i]);
    vector_push(&evaluator->facts, facts[i]);
    uint32_t class = plans_class(plans, facts[i]);
    if (class != CLASS_OF_CONSTANTS)
      relation_add(&plans->classes.data[class]->relation,
                   term_arguments(terms, facts[i]));
  }
  evaluator->state_memory = 0;
  for (uint32_t c = 1; c < plans->classes.count; c++)
    evaluator->state_memory +=
        relation_bytes(&plans->classes.data[c]->relation);
}

void evaluator_set_moves(Evaluator *evaluator, const Term *roles,
                         const Term *moves, uint32_t count) {
  calls_forget(&evaluator->tables[ON_MOVES]);
  relation_clear(&evaluator->plans.moves);
  for (uint32_t i = 0; i < count; i++) {
    Term row[2] = {roles[i], moves[i]};
    relation_add(&evaluator->plans.moves, row);
  }
}

/* ---- predicates evaluated in advance ---- */

/* Evaluates the predicate in full and makes it a relation, unless that is too
   much work: then it is evaluated as needed. */
static void evaluate_in_advance(Evaluator *evaluator, uint32_t predicate) {
  Procedure *procedure = plans_procedure(&evaluator->plans, predicate, 0);
  CallTable *table;
  uint32_t call;
  evaluator->last_tick = evaluator->ticks + STATIC_TICKS;
  if (evaluator_ask(evaluator, procedure, &table, &call)) {
    uint32_t answer = table->calls.data[call].first;
    plans_begin_relation(&evaluator->plans, predicate);
    for (; answer; answer = calls_next(table, answer))
      relation_add(evaluator->plans.facts[predicate],
                   calls_terms(table, answer));
    if (procedure->arity == 0 && table->calls.data[call].count)
      relation_add(evaluator->plans.facts[predicate], NULL);
  } else {
    text_clear(evaluator->error);
  }
  empty_table(evaluator, ON_NOTHING);
  evaluator->last_tick = UINT64_MAX;
}

/* Callees come first, so that their callers find relations. */
static void evaluate_static(Evaluator *evaluator) {
  const Dependencies *dependencies =
      &evaluator->plans.description->dependencies;
  uint32_t *order = dependencies_order(dependencies);
  for (uint32_t i = 0; i + 1 < dependencies->list.count; i++) {
    const Predicate *predicate = &dependencies->list.data[order[i]];
    if (predicate->name >= SYMBOL_FIRST_FREE && predicate->used &&
        predicate->depends == ON_NOTHING &&
        evaluator->plans.derived[order[i]] && evaluator->ticks < STATIC_TOTAL)
      evaluate_in_advance(evaluator, order[i]);
  }
  memory_delete(order);
}

void evaluator_init(Evaluator *evaluator, Description *description,
                    const EvaluatorLimits *limits, Statistics *statistics,
                    Text *error) {
  *evaluator =
      (Evaluator){.limits = *limits,
                  .statistics = statistics,
                  .error = error,
                  .terms_before = terms_bytes(&description->rules.terms),
                  .last_tick = UINT64_MAX,
                  .most = UINT32_MAX};
  plans_init(&evaluator->plans, description);
  for (int i = 0; i < 3; i++) calls_init(&evaluator->tables[i]);
  evaluator->environment = memory_new(DERIVE_ENVIRONMENT * sizeof(Term));
  marks_clear(&evaluator->holds);
  evaluate_static(evaluator);
}

void evaluator_free(Evaluator *evaluator) {
  for (int i = 0; i < 3; i++) calls_free(&evaluator->tables[i]);
  memory_delete(evaluator->environment);
  vector_free(&evaluator->waiting);
  vector_free(&evaluator->facts);
  marks_free(&evaluator->holds);
  marks_free(&evaluator->collected_set);
  plans_free(&evaluator->plans);
}
