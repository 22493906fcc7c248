/* The rules engine: answers questions about the state at hand straight from the
   rules, without grounding. Slow, obvious, complete; the twin that checks faster
   engines, and the fall-back for games too large to ground.

   Evaluation is top-down with tables: a procedure (predicate and bound columns)
   called with certain keys is evaluated once per lifetime (for ever, per state,
   per state and moves). Recursive components are iterated: a call that meets
   itself uses the answers so far; the outermost call of such a cycle, its
   leader, is evaluated again until a round brings no new answer, and then
   completes all calls that waited for it. Negation is stratified, so a negated
   call never waits for an active one; should it, the game fails.

   The state is a set of facts, kept as a list of terms and as marks by term; the
   marks carry the era of the state, so entering a state clears nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "engine/game.h"
#include "engine/table.h"

enum {
  ENVIRONMENT = 1 << 20,     /* terms: variables of all active plans */
  STACK_LIMIT = 3 << 20,     /* bytes of our own stack */
  TICKS_BETWEEN_LOOKS = 1 << 14,
  DEEPEST_TERM = 2 * PARSE_DEEPEST /* recursion over terms stays safe */
};

typedef struct Engine {
  Game game; /* first: a Game is the front of its engine */
  Plans plans;
  GameLimits limits;
  Procedure *terminal, *legal, *goal, *init, *next;

  Table tables[3]; /* by Dependence */
  Term *environment;
  uint32_t environment_used;
  uint32_t depth, low, round; /* of recursive calls */
  uint64_t added;             /* answers, to see whether a round brought any */
  VECTOR(uint32_t) waiting;   /* provisional calls, in order of evaluation */
  Dependence waiting_table;

  jmp_buf failure;
  uint32_t ticks;
  double deadline;
  const char *stack_base;

  TermVector facts;        /* of all states on the way, one after the other */
  VECTOR(uint32_t) states; /* where each begins in `facts` */
  VECTOR(uint32_t) marks;  /* by term: the era in which it is true */
  uint32_t era;
  VECTOR(uint32_t) collected_marks; /* by term, as `marks` */
  uint32_t collected_era;
  TermVector collected; /* facts of the state being made */

  TermVector *legal_moves; /* by role */
  bool legal_known;
  TermVector goal_values;
} Engine;

/* A plan being run. */
typedef struct Frame {
  Engine *engine;
  const Procedure *procedure;
  const Plan *plan;
  Term *environment;
  Table *table; /* NULL: collect facts */
  uint32_t call;
} Frame;

static void evaluate(Engine *engine, Table *table, uint32_t call);
static bool run(Frame *frame, uint32_t at);

/* ---- limits ---- */

static _Noreturn void fail(Engine *engine, const char *format, ...)
    PRINTF_LIKE(2, 3);

static _Noreturn void fail(Engine *engine, const char *format, ...) {
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  text_add(&engine->game.error, message);
  longjmp(engine->failure, 1);
}

static void look_at_limits(Engine *engine) {
  size_t memory = engine->game.description->rules.terms.nodes.capacity *
                  (sizeof(TermNode) + 3 * sizeof(Term));
  for (int i = 0; i < 3; i++) memory += table_memory(&engine->tables[i]);
  if (memory > engine->limits.memory)
    fail(engine, "the rules engine needs more than %zu MiB (--memory)",
         engine->limits.memory >> 20);
  if (engine->deadline > 0 && clock_now() > engine->deadline)
    fail(engine, "one state takes longer than %g s (--state-seconds)",
         engine->limits.seconds);
}

static inline void tick(Engine *engine) {
  if (++engine->ticks % TICKS_BETWEEN_LOOKS == 0) look_at_limits(engine);
}

static void check_stack(Engine *engine) {
  const char here = 0;
  if (engine->stack_base - &here > STACK_LIMIT)
    fail(engine, "the rules recurse too deeply");
}

/* ---- patterns ---- */

static bool match(const Engine *engine, const Pattern *pattern,
                  Term *environment, Term term) {
  switch (pattern->kind) {
  case PATTERN_CONSTANT: return pattern->value == term;
  case PATTERN_BOUND: return environment[pattern->value] == term;
  case PATTERN_BIND: environment[pattern->value] = term; return true;
  case PATTERN_COMPOUND: break;
  }
  const Terms *terms = &engine->game.description->rules.terms;
  if (term_symbol(terms, term) != pattern->value ||
      term_arity(terms, term) != pattern->arity)
    return false;
  for (uint32_t i = 0; i < pattern->arity; i++)
    if (!match(engine, &pattern->arguments[i], environment,
               term_argument(terms, term, i)))
      return false;
  return true;
}

/* The term of a bound pattern; with `create` false, 0 if there is no such term
   yet (and so no fact or answer that has it). */
static Term build(Engine *engine, const Pattern *pattern,
                  const Term *environment, bool create) {
  if (pattern->kind == PATTERN_CONSTANT) return pattern->value;
  if (pattern->kind != PATTERN_COMPOUND) return environment[pattern->value];
  Term arguments[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < pattern->arity; i++) {
    arguments[i] =
        build(engine, &pattern->arguments[i], environment, create);
    if (!arguments[i]) return 0;
  }
  Terms *terms = &engine->game.description->rules.terms;
  if (!create)
    return term_find(terms, pattern->value, arguments, pattern->arity);
  Term term =
      term_compound(terms, pattern->value, arguments, pattern->arity);
  if (term_depth(terms, term) > DEEPEST_TERM)
    fail(engine, "the rules make terms nested deeper than %d", DEEPEST_TERM);
  return term;
}

static bool match_rest(const Engine *engine, const Step *step,
                       Term *environment, const Term *row) {
  const Columns *columns = &step->columns;
  for (uint32_t i = 0; i < columns->rest_count; i++) {
    uint32_t column = columns->rest[i];
    if (!match(engine, &step->patterns[column], environment, row[column]))
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

/* The terms of the key columns; false if one of them does not exist. */
static bool build_keys(Engine *engine, const Step *step,
                       const Term *environment, Term *keys, bool create) {
  const Columns *columns = &step->columns;
  for (uint32_t i = 0; i < columns->key_count; i++) {
    const Pattern *pattern = &step->patterns[columns->keys[i]];
    keys[i] = build(engine, pattern, environment, create);
    if (!keys[i]) return false;
  }
  return true;
}

/* ---- steps ---- */

static bool holds(const Engine *engine, Term fact) {
  return fact < engine->marks.count &&
         engine->marks.data[fact] == engine->era;
}

/* Run the rest of the plan for each row that matches. */
static bool run_scan(Frame *frame, const Step *step, uint32_t at) {
  Engine *engine = frame->engine;
  Relation *relation = step->relation;
  if (step->index == NO_INDEX) {
    for (uint32_t row = 0; row < relation->count; row++) {
      tick(engine);
      if (!match_rest(engine, step, frame->environment,
                      relation_row(relation, row)))
        continue;
      if (run(frame, at + 1)) return true;
      if (step->once) return false;
    }
    return false;
  }
  Term keys[32];
  if (!build_keys(engine, step, frame->environment, keys, false)) return false;
  for (uint32_t row = relation_first(relation, step->index, keys);
       row != RELATION_END; row = relation_next(relation, step->index, row)) {
    tick(engine);
    const Term *cells = relation_row(relation, row);
    if (!same_keys(&step->columns, cells, keys) ||
        !match_rest(engine, step, frame->environment, cells))
      continue;
    if (run(frame, at + 1)) return true;
    if (step->once) return false;
  }
  return false;
}

static bool row_exists(Frame *frame, const Step *step) {
  Engine *engine = frame->engine;
  Relation *relation = step->relation;
  if (step->index == NO_INDEX) {
    for (uint32_t row = 0; row < relation->count; row++)
      if (match_rest(engine, step, frame->environment,
                     relation_row(relation, row)))
        return true;
    return false;
  }
  Term keys[32];
  if (!build_keys(engine, step, frame->environment, keys, false)) return false;
  for (uint32_t row = relation_first(relation, step->index, keys);
       row != RELATION_END; row = relation_next(relation, step->index, row)) {
    const Term *cells = relation_row(relation, row);
    if (same_keys(&step->columns, cells, keys) &&
        match_rest(engine, step, frame->environment, cells))
      return true;
  }
  return false;
}

static bool run_facts(Frame *frame, const Step *step, uint32_t at) {
  Engine *engine = frame->engine;
  uint32_t first = vector_last(&engine->states);
  for (uint32_t i = first; i < engine->facts.count; i++) {
    tick(engine);
    if (!match(engine, &step->patterns[0], frame->environment,
               engine->facts.data[i]))
      continue;
    if (run(frame, at + 1)) return true;
    if (step->once) return false;
  }
  return false;
}

/* The evaluated call of a step. */
static uint32_t call_of(Frame *frame, const Step *step, Table **table) {
  Engine *engine = frame->engine;
  Term keys[32];
  build_keys(engine, step, frame->environment, keys, true);
  *table = &engine->tables[step->procedure->depends];
  uint32_t call = table_call(*table, step->procedure, keys);
  engine->game.statistics.calls++;
  if ((*table)->calls.data[call].status != CALL_COMPLETE)
    evaluate(engine, *table, call);
  return call;
}

static bool run_call(Frame *frame, const Step *step, uint32_t at) {
  Engine *engine = frame->engine;
  Table *table;
  uint32_t call = call_of(frame, step, &table);
  const Columns *columns = &step->columns;
  /* Answers found while we go on are appended and met in turn. */
  for (uint32_t answer = table->calls.data[call].first; answer;
       answer = table_next(table, answer)) {
    tick(engine);
    bool matches = true;
    for (uint32_t i = 0; matches && i < columns->rest_count; i++)
      matches = match(engine, &step->patterns[columns->rest[i]],
                      frame->environment, table_terms(table, answer)[i]);
    if (!matches) continue;
    if (run(frame, at + 1)) return true;
    if (step->once) return false;
  }
  return false;
}

static bool derived(Frame *frame, const Step *step) {
  Table *table;
  uint32_t call = call_of(frame, step, &table);
  return table->calls.data[call].count > 0;
}

/* Only a complete call can be denied. Stratified predicates always are complete
   here; those stratified by rule alone must not wait for themselves. */
static bool underived(Frame *frame, const Step *step) {
  Table *table;
  uint32_t call = call_of(frame, step, &table);
  if (table->calls.data[call].status != CALL_COMPLETE)
    fail(frame->engine, "the rules recurse through negation");
  return table->calls.data[call].count == 0;
}

static void collect(Engine *engine, Term fact) {
  while (engine->collected_marks.count <= fact)
    vector_push(&engine->collected_marks, 0);
  if (engine->collected_marks.data[fact] == engine->collected_era) return;
  engine->collected_marks.data[fact] = engine->collected_era;
  vector_push(&engine->collected, fact);
}

/* The plan has succeeded: build the answer. True if no more are wanted. */
static bool emit(Frame *frame) {
  Engine *engine = frame->engine;
  const Columns *columns = &frame->procedure->columns;
  if (!frame->table) {
    collect(engine, build(engine, &frame->plan->head[0], frame->environment,
                          true));
    return false;
  }
  Term rest[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < columns->rest_count; i++)
    rest[i] = build(engine, &frame->plan->head[columns->rest[i]],
                    frame->environment, true);
  if (columns->rest_count == 0) {
    Call *call = &frame->table->calls.data[frame->call];
    engine->added += call->count == 0;
    call->count = 1;
    return true;
  }
  if (table_answer(frame->table, frame->call, rest)) {
    engine->added++;
    engine->game.statistics.answers++;
  }
  return false;
}

/* Run the plan from a step on; true if no more answers are wanted. Tests are a
   loop, generators recur. */
static bool run(Frame *frame, uint32_t at) {
  Engine *engine = frame->engine;
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
      passes = holds(engine, build(engine, step->patterns, environment, false));
      break;
    case STEP_FAILS:
      passes =
          !holds(engine, build(engine, step->patterns, environment, false));
      break;
    case STEP_DERIVED: passes = derived(frame, step); break;
    case STEP_UNDERIVED: passes = underived(frame, step); break;
    case STEP_UNEQUAL:
      passes = build(engine, &step->patterns[0], environment, true) !=
               build(engine, &step->patterns[1], environment, true);
      break;
    }
    if (!passes) return false;
  }
  return emit(frame);
}

/* ---- calls ---- */

static Term *push_environment(Engine *engine, uint32_t count) {
  if (engine->environment_used + count > ENVIRONMENT)
    fail(engine, "the rules recurse too deeply");
  Term *environment = engine->environment + engine->environment_used;
  engine->environment_used += count;
  return environment;
}

/* An answer that stands as a fact in the rules; true if no more are wanted. */
static bool answer_from_fact(Engine *engine, const Procedure *procedure,
                             const Term *cells, Table *table, uint32_t call) {
  const Columns *columns = &procedure->columns;
  if (!table) {
    collect(engine, cells[0]);
    return false;
  }
  const Term *keys = table->pool.data + table->calls.data[call].keys;
  if (!same_keys(columns, cells, keys)) return false;
  if (columns->rest_count == 0) {
    engine->added += table->calls.data[call].count == 0;
    table->calls.data[call].count = 1;
    return true;
  }
  Term rest[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < columns->rest_count; i++)
    rest[i] = cells[columns->rest[i]];
  engine->added += table_answer(table, call, rest);
  return false;
}

static bool answer_from_facts(Engine *engine, const Procedure *procedure,
                              Table *table, uint32_t call) {
  Relation *facts = procedure->facts;
  uint32_t index = procedure->facts_index;
  if (!facts) return false;
  if (index == NO_INDEX) {
    for (uint32_t row = 0; row < facts->count; row++)
      if (answer_from_fact(engine, procedure, relation_row(facts, row), table,
                           call))
        return true;
    return false;
  }
  const Term *keys = table->pool.data + table->calls.data[call].keys;
  for (uint32_t row = relation_first(facts, index, keys); row != RELATION_END;
       row = relation_next(facts, index, row))
    if (answer_from_fact(engine, procedure, relation_row(facts, row), table,
                         call))
      return true;
  return false;
}

/* Run all plans of the call's procedure; table NULL collects facts. */
static void run_plans(Engine *engine, Procedure *procedure, Table *table,
                      uint32_t call) {
  check_stack(engine);
  if (!procedure->compiled) {
    plans_compile(&engine->plans, procedure);
    engine->game.statistics.procedures++;
  }
  if (answer_from_facts(engine, procedure, table, call)) return;
  uint32_t used = engine->environment_used;
  for (uint32_t i = 0; i < procedure->plan_count; i++) {
    const Plan *plan = &procedure->plans[i];
    Frame frame = {engine, procedure, plan,
                   push_environment(engine, plan->slot_count), table, call};
    bool matches = true;
    for (uint32_t k = 0; matches && k < procedure->columns.key_count; k++) {
      const Term *keys = table->pool.data + table->calls.data[call].keys;
      matches = match(engine, &plan->head[procedure->columns.keys[k]],
                      frame.environment, keys[k]);
    }
    bool stop = matches && run(&frame, 0);
    engine->environment_used = used;
    if (stop) return;
  }
}

/* Give all calls that waited since `mark` a new status. */
static void settle(Engine *engine, Table *table, uint32_t mark,
                   CallStatus status) {
  while (engine->waiting.count > mark)
    table->calls.data[engine->waiting.data[--engine->waiting.count]].status =
        status;
}

static void evaluate_recursive(Engine *engine, Table *table, uint32_t number) {
  Procedure *procedure = (Procedure *)table->calls.data[number].procedure;
  uint32_t depth = ++engine->depth, low_before = engine->low;
  uint32_t mark = engine->waiting.count;
  table->calls.data[number].status = CALL_ACTIVE;
  table->calls.data[number].depth = depth;
  for (;;) {
    uint64_t added = engine->added;
    engine->low = UINT32_MAX;
    run_plans(engine, procedure, table, number);
    Call *call = &table->calls.data[number];
    if (procedure->columns.rest_count == 0 && call->count) {
      /* True is true: nobody needs to wait for it. Those that did are asked
         again if need be. */
      settle(engine, table, mark, CALL_NEW);
      call->status = CALL_COMPLETE;
      engine->low = low_before;
      break;
    }
    if (engine->low < depth) { /* an outer call leads */
      call->status = CALL_PROVISIONAL;
      call->depth = engine->low;
      call->round = engine->round;
      vector_push(&engine->waiting, number);
      if (low_before < engine->low) engine->low = low_before;
      break;
    }
    if (engine->low == UINT32_MAX || engine->added == added) {
      settle(engine, table, mark, CALL_COMPLETE);
      call->status = CALL_COMPLETE;
      engine->low = low_before;
      break;
    }
    engine->round++;
    engine->game.statistics.rounds++;
  }
  engine->depth--;
}

/* Make the answers of a call as complete as they can be here. */
static void evaluate(Engine *engine, Table *table, uint32_t number) {
  Call *call = &table->calls.data[number];
  if (call->status == CALL_ACTIVE ||
      (call->status == CALL_PROVISIONAL && call->round == engine->round)) {
    if (call->depth < engine->low) engine->low = call->depth;
    return;
  }
  engine->game.statistics.evaluations++;
  tick(engine);
  if (call->procedure->recursive) {
    evaluate_recursive(engine, table, number);
  } else {
    run_plans(engine, (Procedure *)call->procedure, table, number);
    table->calls.data[number].status = CALL_COMPLETE;
  }
}

/* ---- questions from outside ---- */

/* Every question begins so: limits start anew. Then it sets the place where a
   failure goes. */
static void begin(Engine *engine) {
  engine->environment_used = 0;
  engine->depth = engine->round = 0;
  engine->low = UINT32_MAX;
  vector_clear(&engine->waiting);
  engine->deadline =
      engine->limits.seconds > 0 ? clock_now() + engine->limits.seconds : 0;
}

/* A call without bound columns, evaluated. */
static uint32_t ask(Engine *engine, Procedure *procedure, Table **table) {
  const char here = 0;
  engine->stack_base = &here;
  *table = &engine->tables[procedure->depends];
  uint32_t call = table_call(*table, procedure, NULL);
  if ((*table)->calls.data[call].status != CALL_COMPLETE)
    evaluate(engine, *table, call);
  return call;
}

/* Unmark everything: marks of an older era count as none. */
static void new_era(uint32_t *era, uint32_t *marks, uint32_t count) {
  if (++*era) return;
  memset(marks, 0, count * sizeof *marks);
  *era = 1;
}

/* All terms that `init` or `next` give. */
static void collect_all(Engine *engine, Procedure *procedure) {
  const char here = 0;
  engine->stack_base = &here;
  new_era(&engine->collected_era, engine->collected_marks.data,
          engine->collected_marks.count);
  vector_clear(&engine->collected);
  run_plans(engine, procedure, NULL, 0);
}

/* Make the facts on top of the stack the current state. */
static void enter_state(Engine *engine) {
  Plans *plans = &engine->plans;
  table_forget(&engine->tables[ON_STATE]);
  table_forget(&engine->tables[ON_MOVES]);
  if (table_memory(&engine->tables[ON_NOTHING]) > engine->limits.memory / 2)
    table_forget(&engine->tables[ON_NOTHING]);
  engine->legal_known = false;
  new_era(&engine->era, engine->marks.data, engine->marks.count);
  for (uint32_t c = 1; c < plans->classes.count; c++)
    relation_clear(&plans->classes.data[c]->relation);
  const Terms *terms = &engine->game.description->rules.terms;
  for (uint32_t i = vector_last(&engine->states); i < engine->facts.count;
       i++) {
    Term fact = engine->facts.data[i];
    while (engine->marks.count <= fact) vector_push(&engine->marks, 0);
    engine->marks.data[fact] = engine->era;
    uint32_t class = plans_class(plans, fact);
    if (class != CLASS_OF_CONSTANTS)
      relation_add(&plans->classes.data[class]->relation,
                   term_arguments(terms, fact));
  }
}

static void push_collected(Engine *engine) {
  vector_push(&engine->states, engine->facts.count);
  for (uint32_t i = 0; i < engine->collected.count; i++)
    vector_push(&engine->facts, engine->collected.data[i]);
  enter_state(engine);
}

static void reset(Game *game) {
  Engine *engine = (Engine *)game;
  vector_clear(&engine->facts);
  vector_clear(&engine->states);
  vector_clear(&engine->collected);
  relation_clear(&engine->plans.moves);
  begin(engine);
  if (engine->init && setjmp(engine->failure) == 0)
    collect_all(engine, engine->init);
  push_collected(engine);
}

static void make(Game *game, const Move *joint) {
  Engine *engine = (Engine *)game;
  relation_clear(&engine->plans.moves);
  for (uint32_t role = 0; role < game->role_count; role++) {
    Term row[2] = {game_role(game, role), joint[role]};
    relation_add(&engine->plans.moves, row);
  }
  table_forget(&engine->tables[ON_MOVES]);
  vector_clear(&engine->collected);
  begin(engine);
  if (engine->next && setjmp(engine->failure) == 0)
    collect_all(engine, engine->next);
  push_collected(engine);
}

static void retract(Game *game) {
  Engine *engine = (Engine *)game;
  engine->facts.count = vector_last(&engine->states);
  engine->states.count--;
  enter_state(engine);
}

static bool terminal(Game *game) {
  Engine *engine = (Engine *)game;
  begin(engine);
  if (setjmp(engine->failure)) return true;
  Table *table;
  uint32_t call = ask(engine, engine->terminal, &table);
  return table->calls.data[call].count > 0;
}

static void find_legal(Engine *engine) {
  for (uint32_t role = 0; role < engine->game.role_count; role++)
    vector_clear(&engine->legal_moves[role]);
  engine->legal_known = true;
  begin(engine);
  if (setjmp(engine->failure)) return;
  Table *table;
  uint32_t call = ask(engine, engine->legal, &table);
  for (uint32_t answer = table->calls.data[call].first; answer;
       answer = table_next(table, answer)) {
    const Term *terms = table_terms(table, answer);
    for (uint32_t role = 0; role < engine->game.role_count; role++)
      if (game_role(&engine->game, role) == terms[0])
        vector_push(&engine->legal_moves[role], terms[1]);
  }
}

static uint32_t legal(Game *game, uint32_t role, const Move **moves) {
  Engine *engine = (Engine *)game;
  if (!engine->legal_known) find_legal(engine);
  *moves = engine->legal_moves[role].data;
  return engine->legal_moves[role].count;
}

static uint32_t goals(Game *game, uint32_t role, const Term **values) {
  Engine *engine = (Engine *)game;
  vector_clear(&engine->goal_values);
  begin(engine);
  if (setjmp(engine->failure) == 0) {
    Table *table;
    uint32_t call = ask(engine, engine->goal, &table);
    for (uint32_t answer = table->calls.data[call].first; answer;
         answer = table_next(table, answer)) {
      const Term *terms = table_terms(table, answer);
      if (terms[0] == game_role(game, role))
        vector_push(&engine->goal_values, terms[1]);
    }
  }
  *values = engine->goal_values.data;
  return engine->goal_values.count;
}

static uint32_t facts(Game *game, const Term **list) {
  Engine *engine = (Engine *)game;
  uint32_t first = vector_last(&engine->states);
  *list = engine->facts.data ? engine->facts.data + first : NULL;
  return engine->facts.count - first;
}

static Term move_term(const Game *game, uint32_t role, Move move) {
  (void)game, (void)role;
  return move; /* a move of this engine is its term */
}

static void delete(Game *game) {
  Engine *engine = (Engine *)game;
  for (int i = 0; i < 3; i++) table_free(&engine->tables[i]);
  for (uint32_t role = 0; role < game->role_count; role++)
    vector_free(&engine->legal_moves[role]);
  memory_delete(engine->legal_moves);
  memory_delete(engine->environment);
  vector_free(&engine->waiting);
  vector_free(&engine->facts);
  vector_free(&engine->states);
  vector_free(&engine->marks);
  vector_free(&engine->collected_marks);
  vector_free(&engine->collected);
  vector_free(&engine->goal_values);
  plans_free(&engine->plans);
  text_free(&game->error);
  memory_delete(engine);
}

static const GameOperations operations = {
    .name = "rules",
    .delete = delete,
    .reset = reset,
    .make = make,
    .retract = retract,
    .terminal = terminal,
    .legal = legal,
    .goals = goals,
    .facts = facts,
    .move_term = move_term,
};

static Procedure *keyword_procedure(Engine *engine, Symbol keyword) {
  uint32_t p = dependencies_find(&engine->game.description->dependencies,
                                 keyword, (uint32_t)rule_keyword_arity(keyword));
  return p ? plans_procedure(&engine->plans, p, 0) : NULL;
}

Game *rules_engine_new(Description *description, const GameLimits *limits) {
  Engine *engine = memory_new(sizeof *engine);
  engine->game = (Game){.operations = &operations,
                        .description = description,
                        .role_count = description->rules.roles.count};
  engine->limits = *limits;
  plans_init(&engine->plans, description);
  for (int i = 0; i < 3; i++) table_init(&engine->tables[i]);
  engine->environment = memory_new(ENVIRONMENT * sizeof(Term));
  engine->legal_moves =
      memory_new(engine->game.role_count * sizeof *engine->legal_moves);
  engine->terminal = keyword_procedure(engine, SYMBOL_TERMINAL);
  engine->legal = keyword_procedure(engine, SYMBOL_LEGAL);
  engine->goal = keyword_procedure(engine, SYMBOL_GOAL);
  engine->init = keyword_procedure(engine, SYMBOL_INIT);
  engine->next = keyword_procedure(engine, SYMBOL_NEXT);
  game_reset(&engine->game);
  return &engine->game;
}
