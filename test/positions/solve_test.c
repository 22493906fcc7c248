/* The solver that proves answers, against what is known otherwise: nim by its
   sum (Bouton 1901), bounds of games of simultaneous moves by hand, and the two
   ways to judge against each other where both apply. */
#include "base/random.h"
#include "rules/rules.h"
#include "support/ask.h"
#include "support/judge.h"

enum { GAMES = 40 };

static void make_random_move(Game *game, Random *random) {
  Move joint[SOLVE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    joint[role] = moves[random_below(random, count)];
  }
  game_make(game, joint);
}

/* ---- nim ---- */

static uint32_t nim_sum(Game *game) {
  const Terms *terms = game_terms(game);
  const Term *facts;
  uint32_t count = game_facts(game, &facts), sum = 0;
  for (uint32_t i = 0; i < count; i++)
    if (term_arity(terms, facts[i]) == 2)
      sum ^= (uint32_t)term_number(terms, term_argument(terms, facts[i], 1));
  return sum;
}

/* The one to move wins unless the sum is zero. */
static void nim_is_won_by_its_sum(void **state) {
  (void)state;
  Asking asking = {0};
  Solver solver;
  Random random;
  uint32_t zero = 0;
  asking_open(&asking, "games/nim.kif");
  random_seed(&random, 1);
  solver_init(&solver, asking.game, UINT64_MAX);
  for (uint32_t i = 0; i < GAMES; i++) {
    uint32_t mover = 0;
    for (game_reset(asking.game); !game_terminal(asking.game); mover ^= 1) {
      uint32_t sum = nim_sum(asking.game);
      zero += !sum;
      for (uint32_t role = 0; role < 2; role++) {
        solver_begin(&solver, role);
        assert_int_equal(solve_reaches(&solver, 100, SOLVE_TO_THE_END),
                         (role == mover) == (sum != 0));
      }
      make_random_move(asking.game, &random);
    }
  }
  assert_true(zero > 10);
  solver_free(&solver);
  asking_close(&asking);
}

/* ---- simultaneous moves ---- */

/* Matching pennies, with a third move for a that brings 40 for certain. */
#define PENNIES \
  "(role a) (role b) (init start) (coin head) (coin tail)" \
  "(<= (legal ?r ?c) (role ?r) (coin ?c)) (legal a safe)" \
  "(<= (next same) (does a ?c) (does b ?c))" \
  "(<= (next some) (does a safe))" \
  "(<= (next other) (does a ?c) (does b ?d) (coin ?c) (distinct ?c ?d))" \
  "(<= terminal (not (true start)))" \
  "(<= (goal a 100) (true same)) (<= (goal b 0) (true same))" \
  "(<= (goal a 40) (true some)) (<= (goal b 60) (true some))" \
  "(<= (goal a 0) (true other)) (<= (goal b 100) (true other))" \
  "(<= (goal ?r 50) (role ?r) (true start))"

typedef struct Bounds {
  const char *rules;
  int ceiling, best; /* of a */
} Bounds;

/* Tossing a coin is worth 50, so that the safe move is not right; it is if b
   has a move that spoils both sides of the coin. */
static const Bounds bounds[] = {{PENNIES, 100, -1},
                                {PENNIES "(legal b spoil)", 40, 40}};

static void bounds_of_simultaneous_moves(void **state) {
  const Bounds *test = *state;
  Description description;
  RulesLimits limits = {.memory = (size_t)64 << 20};
  description_init(&description, "pennies", test->rules, strlen(test->rules));
  assert_true(description_valid(&description));
  Game *game = rules_engine_new(&description, &limits);
  Solver solver;
  Judgement judgement = {0};
  solver_init(&solver, game, UINT64_MAX);
  game_reset(game);
  judge(&solver, 0, &judgement);
  assert_true(judgement.proved);
  assert_int_equal(judgement.moves.count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    const JudgedMove *move = &judgement.moves.data[i];
    bool safe = term_symbol(game_terms(game), move->term) ==
                symbol_intern(&description.rules.terms.symbols, "safe", 4);
    assert_int_equal(move->low, safe ? 40 : 0);
    assert_int_equal(move->high, safe ? 40 : 0);
  }
  assert_int_equal(judgement.ceiling, test->ceiling);
  assert_int_equal(judge_best(&judgement), test->best);
  judgement_free(&judgement);
  solver_free(&solver);
  game_delete(game);
  description_free(&description);
}

/* ---- both ways ---- */

static uint32_t compare_judgements(Solver *solver) {
  Judgement one = {0}, other = {0};
  const Move *moves;
  uint32_t role = game_legal(solver->game, 0, &moves) > 1 ? 0 : 1;
  if (game_legal(solver->game, role, &moves) < 2) return 0;
  judge(solver, role, &one);
  judge(solver, role, &other);
  judge_by_outcomes(solver->game, role, UINT64_MAX, &other);
  assert_true(one.proved && other.proved);
  for (uint32_t i = 0; i < one.moves.count; i++) {
    assert_int_equal(one.moves.data[i].low, other.moves.data[i].low);
    assert_int_equal(one.moves.data[i].low, other.moves.data[i].high);
  }
  uint32_t telling = judge_best(&one) >= 0;
  judgement_free(&one);
  judgement_free(&other);
  return telling;
}

/* Goals of two that add up to 100 make both ways the same. */
static void both_ways_agree(void **state) {
  (void)state;
  Asking asking = {0};
  Solver solver;
  Random random;
  uint32_t telling = 0;
  asking_open(&asking, "games/ticTacToe.kif");
  random_seed(&random, 2);
  solver_init(&solver, asking.game, UINT64_MAX);
  for (uint32_t i = 0; i < GAMES; i++) {
    game_reset(asking.game);
    make_random_move(asking.game, &random);
    make_random_move(asking.game, &random);
    for (; !game_terminal(asking.game); make_random_move(asking.game, &random))
      telling += compare_judgements(&solver);
  }
  assert_true(telling > GAMES);
  solver_free(&solver);
  asking_close(&asking);
}

/* Three in turn: a takes 50 for all or leaves the choice to b, who can give 100
   to a or to c and does not care: the worst ending counts, then the best. */
static const char favour[] =
    "(role a) (role b) (role c) (init start)"
    "(<= (legal a take) (true start)) (<= (legal a leave) (true start))"
    "(<= (legal a wait) (true asked))"
    "(<= (legal b wait) (true start)) (<= (legal b up) (true asked))"
    "(<= (legal b down) (true asked))"
    "(<= (legal c wait) (true start)) (<= (legal c wait) (true asked))"
    "(<= (next even) (does a take)) (<= (next asked) (does a leave))"
    "(<= (next high) (does b up)) (<= (next low) (does b down))"
    "(<= terminal (true even)) (<= terminal (true high))"
    "(<= terminal (true low))"
    "(<= (goal a 50) (true even)) (<= (goal a 100) (true high))"
    "(<= (goal a 0) (true low)) (<= (goal b 50) (role b))"
    "(<= (goal c 50) (true even)) (<= (goal c 0) (true high))"
    "(<= (goal c 100) (true low))";

static void who_does_not_care_may_do_either(void **state) {
  (void)state;
  Description description;
  RulesLimits limits = {.memory = (size_t)64 << 20};
  description_init(&description, "favour", favour, strlen(favour));
  assert_true(description_valid(&description));
  Game *game = rules_engine_new(&description, &limits);
  Solver solver;
  Judgement judgement = {0};
  solver_init(&solver, game, UINT64_MAX);
  game_reset(game);
  judge(&solver, 0, &judgement);
  assert_true(judgement.proved);
  for (uint32_t i = 0; i < 2; i++) {
    const JudgedMove *move = &judgement.moves.data[i];
    bool take = term_symbol(game_terms(game), move->term) ==
                symbol_intern(&description.rules.terms.symbols, "take", 4);
    assert_int_equal(move->low, take ? 50 : 0);
    assert_int_equal(move->high, take ? 50 : 100);
  }
  assert_int_equal(judge_best(&judgement), -1);
  judgement_free(&judgement);
  solver_free(&solver);
  game_delete(game);
  description_free(&description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nim_is_won_by_its_sum),
      cmocka_unit_test_prestate(bounds_of_simultaneous_moves,
                                (void *)&bounds[0]),
      cmocka_unit_test_prestate(bounds_of_simultaneous_moves,
                                (void *)&bounds[1]),
      cmocka_unit_test(both_ways_agree),
      cmocka_unit_test(who_does_not_care_may_do_either),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
