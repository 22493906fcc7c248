/* Evaluation is top-down with tables: a procedure (predicate and bound columns)
   called with certain keys is evaluated once per lifetime (for ever, per state,
   per state and moves). Recursive components are iterated: a call that meets
   itself uses the answers so far; the outermost call of such a cycle, its
   leader, is evaluated again until a round adds no answer, and then completes
   all calls that depend on it. Negation is stratified, so a negated call never
   depends on an active one; if one does, the question fails. */
#include "rules/derive.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"

enum {
  TICKS_BETWEEN_LOOKS = 1 << 14,
  DEEPEST_TERM = 2 * PARSE_DEEPEST, /* recursion over terms stays safe */
  LARGEST_TERM = 1 << 20            /* symbols: its text stays small */
};

/* A plan being run. */
typedef struct Frame {
  Evaluator *evaluator;
  const Procedure *procedure;
  const Plan *plan;
  Term *environment;
  CallTable *table; /* NULL: `call` is an Untabled */
  uint32_t call;
} Frame;

/* What becomes of an answer that is not kept in a table. */
typedef enum {
  COLLECT, /* its first column that is not bound is collected */
  EXIST,   /* it exists, that is all */
  PASS     /* it goes to the step that called; the frame is a Passing */
} Untabled;

/* A plan whose answers are read one by one by a step of another. */
typedef struct Passing {
  Frame frame; /* first */
  Frame *reader;
  uint32_t at; /* the reader's step */
  bool enough; /* no more answers of the reader itself are wanted */
} Passing;

static bool run(Frame *frame, uint32_t at);

/* ---- limits ---- */

static _Noreturn void fail(Evaluator *evaluator, const char *format, ...)
    PRINTF_LIKE(2, 3);

static _Noreturn void fail(Evaluator *evaluator, const char *format, ...) {
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (!evaluator->error->length) text_add(evaluator->error, message);
  longjmp(evaluator->failure, 1);
}

static const Terms *terms_of(const Evaluator *evaluator) {
  return &evaluator->plans.description->rules.terms;
}

size_t derive_memory(const Evaluator *evaluator) {
  const Plans *plans = &evaluator->plans;
  size_t memory =
      plans->arena.total + evaluator->state_memory + evaluator->owner_memory;
  size_t terms = terms_bytes(terms_of(evaluator));
  size_t numbers = plans->class_of.capacity + evaluator->facts.capacity +
                   evaluator->holds.eras.capacity +
                   evaluator->collected_set.eras.capacity;
  if (evaluator->collected) numbers += evaluator->collected->capacity;
  for (int i = 0; i < 3; i++) memory += calls_memory(&evaluator->tables[i]);
  if (terms > evaluator->terms_before)
    memory += terms - evaluator->terms_before;
  return memory + numbers * sizeof(uint32_t);
}

static void look_at_limits(Evaluator *evaluator) {
  if (derive_memory(evaluator) > evaluator->limits.memory)
    fail(evaluator, "the rules engine needs more than %zu MiB (--memory)",
         evaluator->limits.memory >> 20);
  if (evaluator->limits.deadline > 0 &&
      clock_now() > evaluator->limits.deadline)
    fail(evaluator, "the time is up");
  if (evaluator->deadline > 0 && clock_now() > evaluator->deadline)
    fail(evaluator, "one state takes longer than %g s (--state-seconds)",
         evaluator->limits.seconds);
  if (evaluator->ticks > evaluator->last_tick) fail(evaluator, "too much work");
}

static inline void tick_many(Evaluator *evaluator, uint32_t count) {
  uint64_t looks = evaluator->ticks / TICKS_BETWEEN_LOOKS;
  evaluator->ticks += count;
  if (evaluator->ticks / TICKS_BETWEEN_LOOKS != looks)
    look_at_limits(evaluator);
}

static inline void tick(Evaluator *evaluator) {
  tick_many(evaluator, 1);
}

static inline void check_stack(Evaluator *evaluator) {
  if ((const char *)__builtin_frame_address(0) < evaluator->stack_end)
    fail(evaluator, "the rules recurse too deeply");
}

/* ---- patterns ---- */

static bool match(const Evaluator *evaluator, const Pattern *pattern,
                  Term *environment, Term term) {
  return pattern_match(terms_of(evaluator), pattern, environment, term);
}

/* Returns the term of a bound pattern. Unless it may be created, returns 0 if
   there is no such term yet, and so no fact or answer that has it. */
static Term build(Evaluator *evaluator, const Pattern *pattern,
                  const Term *environment, bool create) {
  if (pattern->kind != PATTERN_COMPOUND || !create)
    return pattern_find(terms_of(evaluator), pattern, environment);
  Term term = pattern_build(&evaluator->plans.description->rules.terms, pattern,
                            environment);
  /* It may be new: ticks also count memory. */
  tick_many(evaluator, term_size(terms_of(evaluator), term));
  if (term_depth(terms_of(evaluator), term) > DEEPEST_TERM)
    fail(evaluator, "the rules make terms nested deeper than %d", DEEPEST_TERM);
  if (term_size(terms_of(evaluator), term) > LARGEST_TERM)
    fail(evaluator, "the rules make terms of more than %d symbols",
         LARGEST_TERM);
  return term;
}

static bool match_rest(const Evaluator *evaluator, const Step *step,
                       Term *environment, const Term *row) {
  const Columns *columns = &step->columns;
  for (uint32_t i = 0; i < columns->rest_count; i++) {
    uint32_t column = columns->rest[i];
    if (!match(evaluator, &step->patterns[column], environment, row[column]))
      return false;
  }
  return true;
}

static bool same_keys(const Columns *columns, const Term *row,
                      const Term *keys) {
  for (uint32_t i = 0; i < columns->key_count; i++)
    if (row[columns->keys[i]] != keys[i]) return false;
  return true;
}

/* Finds the terms of the key columns; returns false if one does not exist. */
static bool build_keys(Evaluator *evaluator, const Step *step,
                       const Term *environment, Term *keys, bool create) {
  const Columns *columns = &step->columns;
  for (uint32_t i = 0; i < columns->key_count; i++) {
    const Pattern *pattern = &step->patterns[columns->keys[i]];
    keys[i] = build(evaluator, pattern, environment, create);
    if (!keys[i]) return false;
  }
  return true;
}

/* ---- steps ---- */

/* Runs the rest of the plan for each row that matches. */
static bool run_scan(Frame *frame, const Step *step, uint32_t at) {
  Evaluator *evaluator = frame->evaluator;
  Relation *relation = step->relation;
  if (step->index == NO_INDEX) {
    for (uint32_t row = 0; row < relation->count; row++) {
      tick(evaluator);
      if (!match_rest(evaluator, step, frame->environment,
                      relation_row(relation, row)))
        continue;
      if (run(frame, at + 1)) return true;
      if (step->once) return false;
    }
    return false;
  }
  Term keys[RELATION_KEYS];
  if (!build_keys(evaluator, step, frame->environment, keys, false))
    return false;
  for (uint32_t row = relation_first(relation, step->index, keys);
       row != RELATION_END; row = relation_next(relation, step->index, row)) {
    tick(evaluator);
    const Term *cells = relation_row(relation, row);
    if (!same_keys(&step->columns, cells, keys) ||
        !match_rest(evaluator, step, frame->environment, cells))
      continue;
    if (run(frame, at + 1)) return true;
    if (step->once) return false;
  }
  return false;
}

static bool row_exists(Frame *frame, const Step *step) {
  Evaluator *evaluator = frame->evaluator;
  Relation *relation = step->relation;
  if (step->index == NO_INDEX) {
    for (uint32_t row = 0; row < relation->count; row++)
      if (match_rest(evaluator, step, frame->environment,
                     relation_row(relation, row)))
        return true;
    return false;
  }
  Term keys[RELATION_KEYS];
  if (!build_keys(evaluator, step, frame->environment, keys, false))
    return false;
  for (uint32_t row = relation_first(relation, step->index, keys);
       row != RELATION_END; row = relation_next(relation, step->index, row)) {
    const Term *cells = relation_row(relation, row);
    if (same_keys(&step->columns, cells, keys) &&
        match_rest(evaluator, step, frame->environment, cells))
      return true;
  }
  return false;
}

static bool run_facts(Frame *frame, const Step *step, uint32_t at) {
  Evaluator *evaluator = frame->evaluator;
  for (uint32_t i = 0; i < evaluator->facts.count; i++) {
    tick(evaluator);
    if (!match(evaluator, &step->patterns[0], frame->environment,
               evaluator->facts.data[i]))
      continue;
    if (run(frame, at + 1)) return true;
    if (step->once) return false;
  }
  return false;
}

static bool run_plan(Frame *frame, const Term *keys);
static void compile(Evaluator *evaluator, Procedure *procedure);

/* ---- calls without tables ---- */

static bool pass(Frame *reader, uint32_t at, bool *enough) {
  *enough = run(reader, at + 1);
  return *enough || reader->plan->steps[at].once;
}

/* The facts of a predicate that may have the keys. */
static uint32_t first_fact(const Procedure *procedure, const Term *keys) {
  Relation *facts = procedure->facts;
  if (!facts || !facts->count) return RELATION_END;
  if (procedure->facts_index == NO_INDEX) return 0;
  return relation_first(facts, procedure->facts_index, keys);
}

static uint32_t next_fact(const Procedure *procedure, uint32_t row) {
  const Relation *facts = procedure->facts;
  if (procedure->facts_index != NO_INDEX)
    return relation_next(facts, procedure->facts_index, row);
  return row + 1 < facts->count ? row + 1 : RELATION_END;
}

static bool pass_facts(Frame *reader, const Step *step, uint32_t at,
                       const Term *keys, bool *enough) {
  const Procedure *procedure = step->procedure;
  for (uint32_t row = first_fact(procedure, keys); row != RELATION_END;
       row = next_fact(procedure, row)) {
    const Term *cells = relation_row(procedure->facts, row);
    tick(reader->evaluator);
    if (same_keys(&step->columns, cells, keys) &&
        match_rest(reader->evaluator, step, reader->environment, cells) &&
        pass(reader, at, enough))
      return true;
  }
  return false;
}

/* Runs the rest of the plan for each answer as soon as it is found. */
static bool run_call_passing(Frame *reader, const Step *step, uint32_t at) {
  Evaluator *evaluator = reader->evaluator;
  Procedure *procedure = step->procedure;
  Term keys[RELATION_KEYS];
  bool enough = false;
  build_keys(evaluator, step, reader->environment, keys, true);
  compile(evaluator, procedure);
  if (pass_facts(reader, step, at, keys, &enough)) return enough;
  for (uint32_t i = 0; i < procedure->plan_count; i++) {
    Passing passing = {.frame = {.evaluator = evaluator,
                                 .procedure = procedure,
                                 .plan = &procedure->plans[i],
                                 .call = PASS},
                       .reader = reader,
                       .at = at};
    if (run_plan(&passing.frame, keys)) return passing.enough;
  }
  return false;
}

/* Is there an answer with these keys? All columns are bound. */
static bool exists(Evaluator *evaluator, Procedure *procedure,
                   const Term *keys) {
  compile(evaluator, procedure);
  if (derive_facts(evaluator, procedure, keys)) return true;
  for (uint32_t i = 0; i < procedure->plan_count; i++)
    if (derive_plan(evaluator, procedure, i, keys)) return true;
  return false;
}

static bool is_passing(const Frame *frame, const Step *step) {
  return frame->evaluator->passing && !step->procedure->recursive;
}

static bool exists_untabled(Frame *frame, const Step *step) {
  Term keys[RELATION_KEYS];
  build_keys(frame->evaluator, step, frame->environment, keys, true);
  return exists(frame->evaluator, step->procedure, keys);
}

/* ---- calls with tables ---- */

/* Returns the call of a step, evaluated. */
static uint32_t call_of(Frame *frame, const Step *step, CallTable **table) {
  Evaluator *evaluator = frame->evaluator;
  Term keys[RELATION_KEYS];
  build_keys(evaluator, step, frame->environment, keys, true);
  *table = &evaluator->tables[step->procedure->depends];
  uint32_t call = calls_call(*table, step->procedure, keys);
  evaluator->statistics->calls++;
  if ((*table)->calls.data[call].status != CALL_COMPLETE)
    derive_call(evaluator, *table, call);
  return call;
}

static bool match_answer(Frame *frame, const Step *step, const Term *answer) {
  const Columns *columns = &step->columns;
  for (uint32_t i = 0; i < columns->rest_count; i++)
    if (!match(frame->evaluator, &step->patterns[columns->rest[i]],
               frame->environment, answer[i]))
      return false;
  return true;
}

static bool run_call(Frame *frame, const Step *step, uint32_t at) {
  CallTable *table;
  if (is_passing(frame, step)) return run_call_passing(frame, step, at);
  uint32_t call = call_of(frame, step, &table);
  /* Answers found meanwhile are appended, so the loop reaches them. */
  for (uint32_t answer = table->calls.data[call].first; answer;
       answer = calls_next(table, answer)) {
    tick(frame->evaluator);
    if (!match_answer(frame, step, calls_terms(table, answer))) continue;
    if (run(frame, at + 1)) return true;
    if (step->once) return false;
  }
  return false;
}

static bool derived(Frame *frame, const Step *step) {
  CallTable *table;
  if (is_passing(frame, step)) return exists_untabled(frame, step);
  uint32_t call = call_of(frame, step, &table);
  return table->calls.data[call].count > 0;
}

/* Only a complete call can be negated. Stratified predicates always are
   complete here; those stratified only rule by rule must not depend on
   themselves. Columns beyond those of a key are compared with the answers. */
static bool underived(Frame *frame, const Step *step) {
  CallTable *table;
  if (is_passing(frame, step) && step->columns.rest_count == 0)
    return !exists_untabled(frame, step);
  uint32_t call = call_of(frame, step, &table);
  if (table->calls.data[call].status != CALL_COMPLETE)
    fail(frame->evaluator, "the rules recurse through negation");
  if (step->columns.rest_count == 0) return table->calls.data[call].count == 0;
  for (uint32_t answer = table->calls.data[call].first; answer;
       answer = calls_next(table, answer))
    if (match_answer(frame, step, calls_terms(table, answer))) return false;
  return true;
}

static void collect(Evaluator *evaluator, Term term) {
  if (marks_add(&evaluator->collected_set, term))
    vector_push(evaluator->collected, term);
}

static bool emit_untabled(Frame *frame) {
  Evaluator *evaluator = frame->evaluator;
  const Columns *columns = &frame->procedure->columns;
  if (frame->call == EXIST) return true;
  if (frame->call == COLLECT) {
    collect(evaluator, build(evaluator, &frame->plan->head[columns->rest[0]],
                             frame->environment, true));
    return evaluator->collected->count >= evaluator->most;
  }
  Passing *passing = (Passing *)frame;
  Frame *reader = passing->reader;
  Term rest[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < columns->rest_count; i++)
    rest[i] = build(evaluator, &frame->plan->head[columns->rest[i]],
                    frame->environment, true);
  return match_answer(reader, &reader->plan->steps[passing->at], rest) &&
         pass(reader, passing->at, &passing->enough);
}

/* The plan has succeeded: builds the answer. Returns true if no more are
   wanted. */
static bool emit(Frame *frame) {
  Evaluator *evaluator = frame->evaluator;
  const Columns *columns = &frame->procedure->columns;
  if (!frame->table) return emit_untabled(frame);
  Term rest[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < columns->rest_count; i++)
    rest[i] = build(evaluator, &frame->plan->head[columns->rest[i]],
                    frame->environment, true);
  if (columns->rest_count == 0) {
    Call *call = &frame->table->calls.data[frame->call];
    evaluator->added += call->count == 0;
    call->count = 1;
    return true;
  }
  if (calls_answer(frame->table, frame->call, rest)) {
    evaluator->added++;
    evaluator->statistics->answers++;
  }
  return false;
}

/* Runs the plan from a step on. Returns true if no more answers are wanted.
   Tests are a loop, generators recurse. */
static bool run(Frame *frame, uint32_t at) {
  Evaluator *evaluator = frame->evaluator;
  check_stack(evaluator);
  for (; at < frame->plan->step_count; at++) {
    const Step *step = &frame->plan->steps[at];
    Term *environment = frame->environment;
    bool passes = false;
    switch (step->kind) {
    case STEP_SCAN: return run_scan(frame, step, at);
    case STEP_FACTS: return run_facts(frame, step, at);
    case STEP_CALL: return run_call(frame, step, at);
    case STEP_ABSENT: passes = !row_exists(frame, step); break;
    case STEP_HOLDS:
      passes = marks_has(&evaluator->holds,
                         build(evaluator, step->patterns, environment, false));
      break;
    case STEP_FAILS:
      passes = !marks_has(&evaluator->holds,
                          build(evaluator, step->patterns, environment, false));
      break;
    case STEP_DERIVED: passes = derived(frame, step); break;
    case STEP_UNDERIVED: passes = underived(frame, step); break;
    case STEP_UNEQUAL:
      passes = build(evaluator, &step->patterns[0], environment, true) !=
               build(evaluator, &step->patterns[1], environment, true);
      break;
    }
    if (!passes) return false;
  }
  return emit(frame);
}

/* ---- calls ---- */

static Term *push_environment(Evaluator *evaluator, uint32_t count) {
  if (evaluator->environment_used + count > DERIVE_ENVIRONMENT)
    fail(evaluator, "the rules recurse too deeply");
  Term *environment = evaluator->environment + evaluator->environment_used;
  evaluator->environment_used += count;
  return environment;
}

/* Adds an answer that is a fact in the rules. Returns true if no more are
   wanted. */
static bool answer_from_fact(Evaluator *evaluator, const Procedure *procedure,
                             const Term *cells, CallTable *table,
                             uint32_t call) {
  const Columns *columns = &procedure->columns;
  if (!table) {
    collect(evaluator, cells[0]);
    return false;
  }
  const Term *keys = table->pool.data + table->calls.data[call].keys;
  if (!same_keys(columns, cells, keys)) return false;
  if (columns->rest_count == 0) {
    evaluator->added += table->calls.data[call].count == 0;
    table->calls.data[call].count = 1;
    return true;
  }
  Term rest[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < columns->rest_count; i++)
    rest[i] = cells[columns->rest[i]];
  evaluator->added += calls_answer(table, call, rest);
  return false;
}

static bool answer_from_facts(Evaluator *evaluator, const Procedure *procedure,
                              CallTable *table, uint32_t call) {
  Relation *facts = procedure->facts;
  uint32_t index = procedure->facts_index;
  if (!facts) return false;
  if (index == NO_INDEX) {
    for (uint32_t row = 0; row < facts->count; row++)
      if (answer_from_fact(evaluator, procedure, relation_row(facts, row),
                           table, call))
        return true;
    return false;
  }
  const Term *keys = table->pool.data + table->calls.data[call].keys;
  for (uint32_t row = relation_first(facts, index, keys); row != RELATION_END;
       row = relation_next(facts, index, row))
    if (answer_from_fact(evaluator, procedure, relation_row(facts, row), table,
                         call))
      return true;
  return false;
}

static void compile(Evaluator *evaluator, Procedure *procedure) {
  if (procedure->compiled) return;
  plans_compile(&evaluator->plans, procedure);
  look_at_limits(evaluator);
  evaluator->statistics->procedures++;
}

/* Runs a plan whose frame lacks only its variables. Returns true if no more
   answers are wanted. */
static bool run_plan(Frame *frame, const Term *keys) {
  Evaluator *evaluator = frame->evaluator;
  const Columns *columns = &frame->procedure->columns;
  uint32_t used = evaluator->environment_used;
  bool matches = true;
  frame->environment = push_environment(evaluator, frame->plan->slot_count);
  for (uint32_t k = 0; matches && k < columns->key_count; k++)
    matches = match(evaluator, &frame->plan->head[columns->keys[k]],
                    frame->environment, keys[k]);
  bool stop = matches && run(frame, 0);
  evaluator->environment_used = used;
  return stop;
}

bool derive_facts(Evaluator *evaluator, Procedure *procedure,
                  const Term *keys) {
  const Columns *columns = &procedure->columns;
  for (uint32_t row = first_fact(procedure, keys); row != RELATION_END;
       row = next_fact(procedure, row)) {
    const Term *cells = relation_row(procedure->facts, row);
    if (!same_keys(columns, cells, keys)) continue;
    if (!columns->rest_count) return true;
    collect(evaluator, cells[columns->rest[0]]);
  }
  return false;
}

uint32_t derive_plan_count(Evaluator *evaluator, Procedure *procedure) {
  compile(evaluator, procedure);
  return procedure->plan_count;
}

bool derive_plan(Evaluator *evaluator, Procedure *procedure, uint32_t plan,
                 const Term *keys) {
  Frame frame = {.evaluator = evaluator,
                 .procedure = procedure,
                 .plan = &procedure->plans[plan],
                 .call = procedure->columns.rest_count ? COLLECT : EXIST};
  return run_plan(&frame, keys);
}

void derive_plans(Evaluator *evaluator, Procedure *procedure, CallTable *table,
                  uint32_t call) {
  check_stack(evaluator);
  compile(evaluator, procedure);
  if (answer_from_facts(evaluator, procedure, table, call)) return;
  uint32_t used = evaluator->environment_used;
  for (uint32_t i = 0; i < procedure->plan_count; i++) {
    const Plan *plan = &procedure->plans[i];
    Frame frame = {evaluator, procedure,
                   plan,      push_environment(evaluator, plan->slot_count),
                   table,     call};
    bool matches = true;
    for (uint32_t k = 0; matches && k < procedure->columns.key_count; k++) {
      const Term *keys = table->pool.data + table->calls.data[call].keys;
      matches = match(evaluator, &plan->head[procedure->columns.keys[k]],
                      frame.environment, keys[k]);
    }
    bool stop = matches && run(&frame, 0);
    evaluator->environment_used = used;
    if (stop) return;
  }
}

/* Give all calls that waited since `mark` a new status; those that were not
   evaluated again since round `since` are to be asked anew. */
static void settle(Evaluator *evaluator, CallTable *table, uint32_t mark,
                   CallStatus status, uint32_t since) {
  while (evaluator->waiting.count > mark) {
    uint32_t number = evaluator->waiting.data[--evaluator->waiting.count];
    Call *call = &table->calls.data[number];
    if (call->status == CALL_PROVISIONAL)
      call->status = call->round >= since ? status : CALL_NEW;
  }
}

static void evaluate_recursive(Evaluator *evaluator, CallTable *table,
                               uint32_t number) {
  Procedure *procedure = (Procedure *)table->calls.data[number].procedure;
  uint32_t depth = ++evaluator->depth, low_before = evaluator->low;
  uint32_t mark = evaluator->waiting.count;
  table->calls.data[number].status = CALL_ACTIVE;
  table->calls.data[number].depth = depth;
  for (;;) {
    uint64_t added = evaluator->added;
    uint32_t round = evaluator->round;
    evaluator->low = UINT32_MAX;
    derive_plans(evaluator, procedure, table, number);
    Call *call = &table->calls.data[number];
    if (procedure->columns.rest_count == 0 && call->count) {
      /* True is true: nobody needs to wait for it. Those that did are asked
         again if need be. */
      settle(evaluator, table, mark, CALL_NEW, round);
      call->status = CALL_COMPLETE;
      evaluator->low = low_before;
      break;
    }
    if (evaluator->low < depth) { /* an outer call leads */
      call->status = CALL_PROVISIONAL;
      call->depth = evaluator->low;
      for (uint32_t i = mark; i < evaluator->waiting.count; i++) {
        Call *inner = &table->calls.data[evaluator->waiting.data[i]];
        if (inner->status == CALL_PROVISIONAL && inner->depth >= depth)
          inner->depth = evaluator->low; /* it waits for what we wait for */
      }
      call->round = evaluator->round;
      vector_push(&evaluator->waiting, number);
      if (low_before < evaluator->low) evaluator->low = low_before;
      break;
    }
    if (evaluator->low == UINT32_MAX || evaluator->added == added) {
      settle(evaluator, table, mark, CALL_COMPLETE, round);
      call->status = CALL_COMPLETE;
      evaluator->low = low_before;
      break;
    }
    evaluator->round++;
    evaluator->statistics->rounds++;
  }
  evaluator->depth--;
}

/* Make the answers of a call as complete as they can be here. */
void derive_call(Evaluator *evaluator, CallTable *table, uint32_t number) {
  Call *call = &table->calls.data[number];
  if (call->status == CALL_ACTIVE ||
      (call->status == CALL_PROVISIONAL && call->round == evaluator->round)) {
    if (call->depth < evaluator->low) evaluator->low = call->depth;
    return;
  }
  evaluator->statistics->evaluations++;
  tick(evaluator);
  if (call->procedure->recursive) {
    evaluate_recursive(evaluator, table, number);
  } else {
    derive_plans(evaluator, (Procedure *)call->procedure, table, number);
    table->calls.data[number].status = CALL_COMPLETE;
  }
}
