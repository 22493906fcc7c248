/* Answers that the rules engine finds in time, without whole sets: against the
   whole sets on all games, and where these cannot be had. */
#include <glob.h>

#include "base/clock.h"
#include "base/random.h"
#include "engine/attempt.h"
#include "rules/evaluate.h"
#include "support/games.h"
#include "support/play.h"

enum { STEPS = 8, CHECKED = 40 };

/* Nothing here is given up for lack of time. */
static double long_after(void) {
  return clock_now() + 600;
}

/* Our games; in the long run the public ones as well. */
static void find_games(glob_t *files) {
  const char *shared = getenv("SHARED");
  Text path = {0};
  text_format(&path, "%s/*.kif", shared ? shared : "../shared/games");
  assert_int_equal(glob("games/*.kif", 0, NULL, files), 0);
  if (unit_long()) glob(path.bytes, GLOB_APPEND, NULL, files);
  text_free(&path);
}

static const RulesLimits limits = {.memory = (size_t)64 << 20};

/* ---- against the whole set ---- */

static void check_moves(Game *game, uint32_t role, const MoveVector *all) {
  MoveVector some = {0};
  bool complete = attempt_moves(game, role, long_after(), &some);
  moves_sort(game, role, &some);
  if (complete) {
    assert_int_equal(some.count, all->count);
    for (uint32_t i = 0; i < all->count; i++)
      assert_int_equal(some.data[i], all->data[i]);
  }
  assert_true(complete || some.count);
  for (uint32_t i = 0; i < some.count; i++)
    assert_true(moves_contain(game, role, some.data[i]));
  vector_clear(&some);
  attempt_static_moves(game, role, long_after(), &some);
  for (uint32_t i = 0; i < some.count; i++)
    assert_true(moves_contain(game, role, some.data[i]));
  vector_free(&some);
}

/* Moves are asked for one by one: those of this state, and those of others. */
static void check_each(Game *game, uint32_t role, const MoveVector *moves,
                       const MoveVector *all) {
  uint32_t stride = moves->count / CHECKED + 1;
  for (uint32_t i = 0; i < moves->count; i += stride) {
    Move found;
    bool legal = moves == all || moves_contain(game, role, moves->data[i]);
    assert_int_equal(
        attempt_move(game, role, moves->data[i], long_after(), &found),
        legal ? VERDICT_YES : VERDICT_NO);
    assert_int_equal(found, moves->data[i]);
  }
}

/* Returns false at the end of the game. */
static bool check_state(Game *game, Random *random, MoveVector *before) {
  Move joint[RULE_ROLES];
  bool over = game_terminal(game);
  assert_int_equal(attempt_terminal(game, long_after()),
                   over ? VERDICT_YES : VERDICT_NO);
  for (uint32_t role = 0; role < game->role_count; role++) {
    MoveVector all = {0};
    moves_sorted(game, role, &all);
    check_moves(game, role, &all);
    check_each(game, role, &all, &all);
    check_each(game, role, &before[role], &all);
    if (all.count)
      joint[role] = moves_random(game, role, random);
    else
      over = true;
    vector_free(&before[role]);
    before[role] = all;
  }
  if (over) return false;
  game_make(game, joint);
  uint64_t hash = game_state_hash(game);
  game_retract(game);
  assert_true(attempt_make(game, joint, long_after()));
  assert_true(game_state_hash(game) == hash);
  return true;
}

static void check_game(const char *path) {
  Text error = {0};
  Description description;
  Random random;
  MoveVector before[RULE_ROLES] = {0};
  assert_true(description_read(&description, path, 1 << 20, &error));
  Game *game = rules_engine_new(&description, &limits);
  random_seed(&random, 3);
  for (int step = 0; step < STEPS; step++)
    if (!check_state(game, &random, before)) break;
  assert_false(game_failed(game));
  for (uint32_t role = 0; role < game->role_count; role++)
    vector_free(&before[role]);
  game_delete(game);
  description_free(&description);
}

static void the_whole_set_of_every_game(void **state) {
  (void)state;
  glob_t files;
  find_games(&files);
  for (size_t i = 0; i < files.gl_pathc; i++) check_game(files.gl_pathv[i]);
  globfree(&files);
}

/* Answers that are passed on one by one make the same set as tables do. Where
   that is much more work, it is given up. Returns true if it was compared. */
static bool compare_passing(Game *game, Evaluator *evaluator) {
  const Term *facts;
  CallTable *table;
  uint32_t call, count = game_facts(game, &facts), all = 0, found = 0;
  Plans *plans = &evaluator->plans;
  uint32_t legal =
      dependencies_find(&plans->description->dependencies, SYMBOL_LEGAL, 2);
  evaluator_set_state(evaluator, facts, count);
  evaluator->last_tick = evaluator->ticks + (1 << 22);
  evaluator->passing = true;
  if (!evaluator_ask(evaluator, plans_procedure(plans, legal, 0), &table,
                     &call)) {
    text_clear(evaluator->error);
    evaluator_forget(evaluator);
    return false;
  }
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    all += game_legal(game, role, &moves);
    for (uint32_t answer = table->calls.data[call].first; answer;
         answer = calls_next(table, answer))
      if (calls_terms(table, answer)[0] == game_role(game, role)) {
        assert_true(moves_contain(game, role, calls_terms(table, answer)[1]));
        found++;
      }
  }
  assert_int_equal(found, all);
  return true;
}

static uint32_t check_passing(const char *path) {
  Text error = {0};
  Description description;
  Random random;
  Evaluator evaluator;
  Statistics statistics = {0};
  EvaluatorLimits own = {.memory = limits.memory};
  uint32_t compared = 0;
  assert_true(description_read(&description, path, 1 << 20, &error));
  Game *game = rules_engine_new(&description, &limits);
  evaluator_init(&evaluator, &description, &own, &statistics, &error);
  random_seed(&random, 3);
  for (int step = 0; step < STEPS && !game_terminal(game); step++) {
    Move joint[RULE_ROLES];
    if (compare_passing(game, &evaluator))
      compared++;
    else
      break;
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    game_make(game, joint);
  }
  evaluator_free(&evaluator);
  game_delete(game);
  description_free(&description);
  text_free(&error);
  return compared;
}

static void answers_passed_on(void **state) {
  (void)state;
  glob_t files;
  uint32_t compared = 0;
  find_games(&files);
  for (size_t i = 0; i < files.gl_pathc; i++)
    compared += check_passing(files.gl_pathv[i]) > 0;
  assert_true(compared > files.gl_pathc * 3 / 4);
  globfree(&files);
}

/* ---- where there is no whole set ---- */

#define FRAME \
  "(role x) (init (step 0)) (goal x 0) (<= terminal (true (step 9)))" \
  "(<= (next (step 1)) (true (step 0)))" \
  "(d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)"
#define NINE(name) "(" name " ?a ?b ?c ?e ?f ?g ?h ?i ?j)"
#define DIGITS "(d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i) (d ?j)"

typedef struct Seat {
  Description description;
  Game *game;
} Seat;

/* Eleven different digits: no solution, and for ever to find that out. */
static void write_endless(Text *text) {
  for (int i = 0; i < 11; i++) {
    text_format(text, "(d ?v%d)", i);
    for (int j = 0; j < i; j++) text_format(text, "(distinct ?v%d ?v%d)", i, j);
  }
}

/* A body `@` never ends. */
static void sit(Seat *seat, const char *rules) {
  Text text = {0};
  text_add(&text, FRAME);
  for (const char *c = rules; *c; c++)
    if (*c == '@')
      write_endless(&text);
    else
      text_add_byte(&text, *c);
  games_read(&seat->description, text.bytes);
  seat->game = rules_engine_new(&seat->description, &limits);
  text_free(&text);
}

static void rise(Seat *seat) {
  assert_false(game_failed(seat->game));
  game_delete(seat->game);
  description_free(&seat->description);
}

/* The first of the legal moves that are found is this, and it is the only one
   if it is `alone`. */
static void check_found(const char *rules, const char *text, bool alone,
                        bool all) {
  Seat seat;
  MoveVector moves = {0};
  Text first = {0};
  Move move;
  sit(&seat, rules);
  assert_int_equal(attempt_moves(seat.game, 0, long_after(), &moves), all);
  assert_true(alone ? moves.count == 1 : moves.count > 1);
  moves_sort(seat.game, 0, &moves);
  moves_write(seat.game, 0, moves.data[0], &first);
  assert_string_equal(first.bytes, text);
  for (uint32_t i = 0; i < moves.count; i += moves.count / CHECKED + 1)
    assert_int_equal(
        attempt_move(seat.game, 0, moves.data[i], long_after(), &move),
        VERDICT_YES);
  assert_true(attempt_make(seat.game, moves.data, long_after()));
  vector_free(&moves);
  text_free(&first);
  rise(&seat);
}

static void facts_first(void **state) {
  (void)state;
  check_found("(legal x a) (<= (legal x b) @)", "a", true, false);
  check_found("(<= (legal x b) @) (legal x a)", "a", true, false);
}

static void the_cheap_rule(void **state) {
  (void)state;
  check_found("(<= (legal x b) @) (<= (legal x (go ?n))"
              "(true (step ?n)))",
              "(go 0)", true, false);
  check_found("(<= hard @) (<= (legal x b) hard)"
              "(<= (legal x c) (not hard)) (<= (legal x (go ?n)) (nice ?n))"
              "(<= (nice ?n) (true (step ?n)) (not (odd ?n))) (odd 1)",
              "(go 0)", true, false);
}

static void very_many(void **state) {
  (void)state;
  check_found("(<= (legal x " NINE("m") ") " DIGITS ")",
              "(m 0 0 0 0 0 0 0 0 0)", false, false);
  check_found("(<= (legal x ?m) (able ?m)) (<= (able " NINE("m") ") " DIGITS
                                                                 ")",
              "(m 0 0 0 0 0 0 0 0 0)", false, false);
  check_found("(<= (legal x (go ?n)) (true (step ?n)) able)"
              "(<= able " NINE("many") ") (<= " NINE(
                  "many") " " DIGITS "(true ?x)) (<= (legal x c) (not able))",
              "(go 0)", true, true);
}

static void nothing_to_find(void **state) {
  (void)state;
  Seat seat;
  Move move;
  MoveVector moves = {0};
  sit(&seat, "(<= (legal x a) (true (step 5)))");
  assert_true(attempt_moves(seat.game, 0, long_after(), &moves));
  assert_int_equal(moves.count, 0);
  attempt_static_moves(seat.game, 0, long_after(), &moves);
  assert_int_equal(moves.count, 0);
  Term a = front_term(&seat.description.rules.terms, "a");
  assert_int_equal(attempt_move(seat.game, 0, a, long_after(), &move),
                   VERDICT_NO);
  vector_free(&moves);
  rise(&seat);
}

/* What is given up leaves the game as it was. */
static void given_up(void **state) {
  (void)state;
  Seat seat;
  Move move;
  MoveVector moves = {0};
  sit(&seat, "(<= (legal x b) @) (<= terminal @)"
             "(<= (next (lost ?v0)) @) (legal x a)");
  Terms *terms = &seat.description.rules.terms;
  Term a = front_term(terms, "a"), b = front_term(terms, "b");
  double soon = clock_now() + 0.05;
  uint64_t hash = game_state_hash(seat.game);
  assert_int_equal(attempt_terminal(seat.game, soon), VERDICT_UNKNOWN);
  assert_int_equal(attempt_move(seat.game, 0, b, soon, &move), VERDICT_UNKNOWN);
  assert_false(attempt_make(seat.game, &a, soon));
  assert_true(game_state_hash(seat.game) == hash);
  assert_int_equal(attempt_move(seat.game, 0, a, soon, &move), VERDICT_YES);
  attempt_moves(seat.game, 0, soon, &moves);
  assert_int_equal(moves.count, 1);
  vector_free(&moves);
  rise(&seat);
}

/* Moves that are legal in every state are found even by an engine that has
   failed. */
static void legal_in_every_state(void **state) {
  (void)state;
  Seat seat;
  MoveVector moves = {0};
  sit(&seat, "(<= (legal x (m ?a)) (d ?a) (even ?a)) (even 0) (even 2)"
             "(<= (legal x b) (true (step 0)))");
  text_add(&seat.game->error, "a limit");
  attempt_static_moves(seat.game, 0, long_after(), &moves);
  moves_sort(seat.game, 0, &moves);
  assert_int_equal(moves.count, 2);
  Text text = {0};
  moves_write(seat.game, 0, moves.data[1], &text);
  assert_string_equal(text.bytes, "(m 2)");
  assert_string_equal(seat.game->error.bytes, "a limit");
  text_clear(&seat.game->error);
  text_free(&text);
  vector_free(&moves);
  rise(&seat);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_whole_set_of_every_game),
      cmocka_unit_test(answers_passed_on),
      cmocka_unit_test(facts_first),
      cmocka_unit_test(the_cheap_rule),
      cmocka_unit_test(very_many),
      cmocka_unit_test(nothing_to_find),
      cmocka_unit_test(given_up),
      cmocka_unit_test(legal_in_every_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
