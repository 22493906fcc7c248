/* The rules engine answers questions about the current state straight from the
   rules, without grounding. It is slow, obvious and complete: the twin that
   checks faster engines, and the fallback for games too large to ground. The
   states from the first to the current one are consecutive lists of facts. */
#include <stdlib.h>

#include "rules/rules.h"
#include "rules/seek.h"

/* Attempts: legal moves that are found at most, since each is a term that is
   kept; and the work after which some moves, or some facts of a successor, will
   do. Successors that are found in part may follow each other. */
enum { MOST_MOVES = 1 << 12, MOVES_WORK = 1 << 20, PART_WORK = 1 << 16 };

typedef struct Engine {
  Game game; /* first: a Game is the front of its engine */
  Evaluator evaluator;
  Procedure *terminal, *legal, *goal, *init, *next; /* NULL: no rule */
  Procedure *legal_of;                              /* legal, its role bound */
  Procedure *legal_exact;  /* legal, role and move bound */
  TermVector facts;        /* of all states up to the current one */
  VECTOR(uint32_t) states; /* where each begins in `facts` */
  TermVector successor;
  TermVector *legal_moves; /* by role */
  bool legal_known;
  TermVector goal_values;
  VECTOR(uint64_t) words; /* the state as sorted facts */
} Engine;

static void check_memory(Engine *engine) {
  size_t limit = engine->evaluator.limits.memory;
  size_t own = (engine->facts.capacity + engine->successor.capacity +
                engine->states.capacity) *
                   sizeof(Term) +
               engine->words.capacity * sizeof(uint64_t);
  for (uint32_t role = 0; role < engine->game.role_count; role++)
    own += engine->legal_moves[role].capacity * sizeof(Term);
  engine->evaluator.owner_memory = own;
  engine->evaluator.collected = NULL; /* is among them */
  if (derive_memory(&engine->evaluator) > limit && !game_failed(&engine->game))
    text_format(&engine->game.error,
                "the states of this game need more than %zu MiB (--memory)",
                limit >> 20);
}

static void enter_last_state(Engine *engine) {
  uint32_t first = vector_last(&engine->states);
  engine->legal_known = false;
  evaluator_set_state(&engine->evaluator,
                      engine->facts.data ? engine->facts.data + first : NULL,
                      engine->facts.count - first);
}

static void push_successor(Engine *engine) {
  vector_push(&engine->states, engine->facts.count);
  for (uint32_t i = 0; i < engine->successor.count; i++)
    vector_push(&engine->facts, engine->successor.data[i]);
  check_memory(engine);
  enter_last_state(engine);
}

/* Collects the facts of `init` or `next`; none if the engine has failed. */
static void find_successor(Engine *engine, Procedure *procedure) {
  if (!procedure ||
      !evaluator_collect(&engine->evaluator, procedure, &engine->successor))
    vector_clear(&engine->successor);
}

/* Enters the successor as the first state, which cannot be retracted. */
static void push_bottom(Engine *engine) {
  vector_clear(&engine->facts);
  vector_clear(&engine->states);
  push_successor(engine);
}

static void reset(Game *game) {
  Engine *engine = (Engine *)game;
  find_successor(engine, engine->init);
  push_bottom(engine);
}

static void make(Game *game, const Move *joint) {
  Engine *engine = (Engine *)game;
  evaluator_set_moves(&engine->evaluator, game->description->rules.roles.data,
                      joint, game->role_count);
  find_successor(engine, engine->next);
  push_successor(engine);
}

static void retract(Game *game) {
  Engine *engine = (Engine *)game;
  engine->facts.count = vector_last(&engine->states);
  engine->states.count--;
  enter_last_state(engine);
}

static bool terminal(Game *game) {
  Engine *engine = (Engine *)game;
  CallTable *table;
  uint32_t call;
  if (!evaluator_ask(&engine->evaluator, engine->terminal, &table, &call))
    return true;
  return table->calls.data[call].count > 0;
}

static void find_legal(Engine *engine) {
  CallTable *table;
  uint32_t call;
  for (uint32_t role = 0; role < engine->game.role_count; role++)
    vector_clear(&engine->legal_moves[role]);
  engine->legal_known = true;
  if (!evaluator_ask(&engine->evaluator, engine->legal, &table, &call)) return;
  for (uint32_t answer = table->calls.data[call].first; answer;
       answer = calls_next(table, answer)) {
    const Term *terms = calls_terms(table, answer);
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
  CallTable *table;
  uint32_t call;
  vector_clear(&engine->goal_values);
  if (evaluator_ask(&engine->evaluator, engine->goal, &table, &call))
    for (uint32_t answer = table->calls.data[call].first; answer;
         answer = calls_next(table, answer)) {
      const Term *terms = calls_terms(table, answer);
      if (terms[0] == game_role(game, role))
        vector_push(&engine->goal_values, terms[1]);
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

static int compare_words(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static uint32_t state(Game *game, const uint64_t **words) {
  Engine *engine = (Engine *)game;
  const Term *list;
  uint32_t count = facts(game, &list);
  vector_clear(&engine->words);
  for (uint32_t i = 0; i < count; i++) vector_push(&engine->words, list[i]);
  if (count)
    qsort(engine->words.data, count, sizeof *engine->words.data, compare_words);
  *words = engine->words.data;
  return count;
}

static bool enter_facts(Game *game, const Term *list, uint32_t count) {
  Engine *engine = (Engine *)game;
  vector_clear(&engine->successor);
  for (uint32_t i = 0; i < count; i++) vector_push(&engine->successor, list[i]);
  push_bottom(engine);
  return true;
}

static void enter(Game *game, const uint64_t *words, uint32_t count) {
  Engine *engine = (Engine *)game;
  vector_clear(&engine->successor);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&engine->successor, (Term)words[i]);
  push_bottom(engine);
}

static void delete (Game *game) {
  Engine *engine = (Engine *)game;
  for (uint32_t role = 0; role < game->role_count; role++)
    vector_free(&engine->legal_moves[role]);
  memory_delete(engine->legal_moves);
  vector_free(&engine->facts);
  vector_free(&engine->states);
  vector_free(&engine->successor);
  vector_free(&engine->goal_values);
  vector_free(&engine->words);
  evaluator_free(&engine->evaluator);
  text_free(&game->error);
  memory_delete(engine);
}

/* ---- attempts ---- */

static bool attempt_moves(Game *game, uint32_t role, bool stateless,
                          double until, MoveVector *moves) {
  Engine *engine = (Engine *)game;
  TermVector found = {0};
  Term name = game_role(game, role);
  Seek seek = {.procedure = engine->legal_of,
               .keys = &name,
               .until = until,
               .stateless = stateless,
               .found = &found,
               .most = MOST_MOVES,
               .enough = MOVES_WORK};
  if (!engine->legal_of || (game_failed(game) && !stateless)) return false;
  bool all = seek_answers(&engine->evaluator, &seek);
  for (uint32_t i = 0; i < found.count; i++) vector_push(moves, found.data[i]);
  vector_free(&found);
  return all;
}

static Verdict seek_answer(Engine *engine, Procedure *procedure,
                           const Term *keys, double until) {
  Seek seek = {.procedure = procedure, .keys = keys, .until = until};
  if (game_failed(&engine->game)) return VERDICT_UNKNOWN;
  if (!procedure) return VERDICT_NO;
  bool all = seek_answers(&engine->evaluator, &seek);
  return seek.exists ? VERDICT_YES : all ? VERDICT_NO : VERDICT_UNKNOWN;
}

static Verdict attempt_move(Game *game, uint32_t role, Term term, double until,
                            Move *move) {
  Engine *engine = (Engine *)game;
  Term keys[] = {game_role(game, role), term};
  *move = term;
  return seek_answer(engine, engine->legal_exact, keys, until);
}

static Verdict attempt_terminal(Game *game, double until) {
  Engine *engine = (Engine *)game;
  return seek_answer(engine, engine->terminal, NULL, until);
}

/* Finds the successor; returns false if that is not possible in time. */
static bool seek_successor(Engine *engine, bool partly, double until) {
  TermVector *found = &engine->successor;
  Seek seek = {.procedure = engine->next,
               .until = until,
               .found = found,
               .most = UINT32_MAX,
               .enough = PART_WORK};
  vector_clear(found);
  if (game_failed(&engine->game)) return false;
  if (!engine->next) return true;
  if (!partly)
    return seek_terms(&engine->evaluator, engine->next, until, found);
  seek_answers(&engine->evaluator, &seek);
  return true;
}

static bool attempt_make(Game *game, const Move *joint, bool partly,
                         double until) {
  Engine *engine = (Engine *)game;
  evaluator_set_moves(&engine->evaluator, game->description->rules.roles.data,
                      joint, game->role_count);
  if (!seek_successor(engine, partly, until)) return false;
  game->statistics.states++;
  push_successor(engine);
  return !game_failed(game);
}

static const GameAttempts attempts = {.moves = attempt_moves,
                                      .move = attempt_move,
                                      .terminal = attempt_terminal,
                                      .make = attempt_make};

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
    .state = state,
    .key = game_state_hash,
    .enter = enter,
    .enter_facts = enter_facts,
    .attempts = &attempts,
};

static Procedure *keyword_procedure(Engine *engine, Symbol keyword,
                                    ColumnSet bound) {
  uint32_t p =
      dependencies_find(&engine->game.description->dependencies, keyword,
                        (uint32_t)rule_keyword_arity(keyword));
  return p ? plans_procedure(&engine->evaluator.plans, p, bound) : NULL;
}

Game *rules_engine_new(Description *description, const RulesLimits *limits) {
  Engine *engine = memory_new(sizeof *engine);
  engine->game = (Game){.operations = &operations,
                        .description = description,
                        .role_count = description->rules.roles.count};
  EvaluatorLimits own = {limits->memory, limits->seconds, limits->deadline};
  evaluator_init(&engine->evaluator, description, &own,
                 &engine->game.statistics, &engine->game.error);
  engine->legal_moves =
      memory_new(engine->game.role_count * sizeof *engine->legal_moves);
  engine->terminal = keyword_procedure(engine, SYMBOL_TERMINAL, 0);
  engine->legal = keyword_procedure(engine, SYMBOL_LEGAL, 0);
  engine->legal_of = keyword_procedure(engine, SYMBOL_LEGAL, 1);
  engine->legal_exact = keyword_procedure(engine, SYMBOL_LEGAL, 3);
  engine->goal = keyword_procedure(engine, SYMBOL_GOAL, 0);
  engine->init = keyword_procedure(engine, SYMBOL_INIT, 0);
  engine->next = keyword_procedure(engine, SYMBOL_NEXT, 0);
  game_reset(&engine->game);
  return &engine->game;
}
