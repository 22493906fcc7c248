/* Games that look ahead: what is told of them follows from them, budgets are
   kept, and whoever learns from them plays better. */
#include "learn/sparring.h"

#include <math.h>

#include "base/hash.h"
#include "base/trial.h"
#include "engine/moves.h"
#include "engine/turn.h"
#include "learn/learner.h"
#include "minimax/minimax.h"
#include "support/library.h"
#include "support/minds.h"

typedef struct Rig {
  TestGame game;
  Settings settings;
  Linear *linear;
  Sparring *sparring;
} Rig;

static void set_up(Rig *rig, const char *name, const char *agent,
                   uint64_t seed) {
  Text error = {0};
  test_game_open(&rig->game, name, true);
  assert_true(settings_parse(&rig->settings, agent, &error));
  assert_true(sparring_suits(&rig->game.rules, &rig->settings));
  rig->linear = linear_new(&rig->game.rules);
  for (uint32_t row = 0; row < rig->linear->rows; row++)
    for (uint32_t f = 0; f < rig->linear->features.count; f++)
      linear_row(rig->linear, row)[f] = (float)(f * 37 % 11) / 50 - 0.1f;
  linear_freeze(rig->linear);
  rig->sparring =
      sparring_new(&rig->game.rules, &rig->settings, rig->linear, seed);
  sparring_take_evaluation(rig->sparring);
}

static void tear_down(Rig *rig) {
  sparring_delete(rig->sparring);
  evaluation_delete(&rig->linear->evaluation);
  test_game_close(&rig->game);
}

/* ---- what is told ---- */

/* Games are told from their ends on. */
typedef struct Ear {
  Rig *rig;
  Game *game;
  uint32_t last; /* game, from 1 */
  uint64_t states, games, hash;
  float expected[RULE_ROLES], came[RULE_ROLES];
  bool moved; /* something else was expected than what came */
} Ear;

static void check_state(Ear *ear, const uint64_t *state) {
  game_enter(ear->game, state, ear->rig->game.rules.words);
  assert_false(game_terminal(ear->game));
  assert_int_equal(turn_of(ear->game).movers, 1);
}

static void hear(void *context, uint32_t game, const uint64_t *state,
                 const float *expected, const float *came) {
  Ear *ear = context;
  uint32_t rows = ear->rig->linear->rows, changed = 0;
  bool begins = game + 1 != ear->last;
  if (ear->game) check_state(ear, state);
  for (uint32_t row = 0; row < rows; row++) {
    float before = begins ? came[row] : ear->expected[row];
    assert_true(expected[row] >= 0 && expected[row] <= 1);
    assert_true(begins ? expected[row] == came[row]
                       : came[row] == ear->came[row]);
    assert_true(fabsf(expected[row] - before) < 0.1001f);
    changed += expected[row] != before;
    ear->moved |= expected[row] != came[row];
    ear->expected[row] = expected[row];
    ear->came[row] = came[row];
    ear->hash = hash_pair(ear->hash, (uint64_t)(expected[row] * 1e6f));
  }
  assert_true(changed <= 1); /* of the role in turn */
  for (uint32_t w = 0; w < ear->rig->game.rules.words; w++)
    ear->hash = hash_pair(ear->hash, state[w]);
  ear->games += begins;
  ear->last = game + 1;
  ear->states++;
}

static void check_told(const char *name, const char *agent) {
  enum { GAMES = 7, SIDE_BY_SIDE = 3 * 64 };
  Rig rig;
  set_up(&rig, name, agent, 5);
  Ear ear = {.rig = &rig, .game = book_game(&rig.game.rules)};
  Budget budget = {.simulations = GAMES};
  uint32_t ended = sparring_play(rig.sparring, &budget, hear, &ear);
  assert_in_range(ended, GAMES, GAMES + SIDE_BY_SIDE);
  sparring_tell(rig.sparring, hear, &ear);
  assert_int_equal(ear.games, ended);
  print_message("# %s: %llu states of %u games\n", name,
                (unsigned long long)ear.states, ended);
  assert_true(ear.moved && ear.states > 2 * GAMES);
  assert_true(sparring_states(rig.sparring) > 10 * ear.states);
  game_delete(ear.game);
  tear_down(&rig);
}

static void test_told(void **state) {
  (void)state;
  check_told("breakthrough", "minimax"); /* one row */
  check_told("skirmish", "minimax");     /* two */
  check_told("connectFour", "minimax:threads=3");
}

static void test_same(void **state) {
  (void)state;
  uint64_t hashes[3];
  for (uint32_t i = 0; i < 3; i++) {
    Rig rig;
    set_up(&rig, "breakthrough", "minimax", i == 2 ? 8 : 7);
    Ear ear = {.rig = &rig};
    uint32_t ended = 0;
    for (uint32_t k = 0; k < 2; k++) {
      ear.last = 0;
      ended +=
          sparring_play(rig.sparring, &(Budget){.simulations = 3}, hear, &ear);
    }
    ear.last = 0;
    sparring_tell(rig.sparring, hear, &ear);
    assert_true(ended >= 6);
    assert_int_equal(ear.games, ended);
    hashes[i] = ear.hash;
    tear_down(&rig);
  }
  assert_true(hashes[0] == hashes[1]);
  assert_true(hashes[0] != hashes[2]);
}

static void test_budgets(void **state) {
  (void)state;
  enum { STATES = 5000, STEP = 300 };
  Rig rig;
  Ear ear = {.rig = &rig};
  atomic_bool stop = true;
  set_up(&rig, "breakthrough", "minimax:threads=2", 1);
  Budget stopped = {.simulations = 100, .stop = &stop};
  assert_int_equal(sparring_play(rig.sparring, &stopped, hear, &ear), 0);
  Budget late = {.simulations = 100, .seconds = 1e-9};
  assert_int_equal(sparring_play(rig.sparring, &late, hear, &ear), 0);
  assert_int_equal(sparring_states(rig.sparring), 0);
  Budget states = {.simulations = 100, .states = STATES};
  uint32_t ended = sparring_play(rig.sparring, &states, hear, &ear);
  assert_true(ended < 100);
  assert_in_range(sparring_states(rig.sparring), STATES, STATES + 2 * STEP);
  assert_int_equal(ear.games, 0);
  sparring_tell(rig.sparring, hear, &ear);
  assert_int_equal(ear.games, ended);
  tear_down(&rig);
}

static void test_suits(void **state) {
  (void)state;
  static const char *const names[] = {"connectFour", "hanoi", "blocker"};
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, "minimax", &error));
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    TestGame game;
    test_game_open(&game, names[i], true);
    assert_true(sparring_suits(&game.rules, &settings) == (i == 0));
    test_game_close(&game);
  }
}

/* ---- learners ---- */

static Learner *learn(TestGame *game, const char *agent, uint64_t states) {
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, agent, &error));
  Learner *learner = learner_new(&game->rules, &settings, 3);
  learner_learn(learner, &(Budget){.states = states});
  assert_non_null(learner_evaluation(learner));
  return learner;
}

/* Returns the goal of the first evaluation, which plays the role. */
static int play(TestGame *game, const Evaluation *const *evaluations,
                uint32_t role, uint64_t seed) {
  Settings settings;
  Text error = {0};
  int goals[2];
  assert_true(settings_parse(&settings, "minimax:memory=1", &error));
  const MindsGame minds = {
      .book = &game->rules,
      .settings = {&settings, &settings},
      .evaluations = {evaluations[role], evaluations[1 - role]},
      .random = 4,
      .states = 1500};
  minds_play(&minds, seed, goals);
  return goals[role];
}

/* Equal numbers of states teach more in games that look ahead than in playouts.
 */
static void test_stronger(void **state) {
  (void)state;
  enum { STATES = 12000000, GAMES = 20 };
  TestGame game;
  int points = 0;
  test_game_open(&game, "breakthrough", true);
  Learner *games = learn(&game, "minimax", STATES);
  Learner *playouts = learn(&game, "minimax:teacher=playouts", STATES);
  const Evaluation *evaluations[] = {learner_evaluation(games),
                                     learner_evaluation(playouts)};
  for (uint32_t i = 0; i < GAMES; i++)
    points += play(&game, evaluations, i % 2, i / 2);
  print_message("# %d of %d points\n", points, 100 * GAMES);
  assert_true(points >= 60 * GAMES);
  learner_delete(games);
  learner_delete(playouts);
  test_game_close(&game);
}

/* Games that a call leaves go on in the next one. */
static void test_pieces(void **state) {
  (void)state;
  enum { STATES = 200000, CALLS = 30 };
  TestGame game;
  uint64_t games[2];
  test_game_open(&game, "breakthrough", true);
  for (uint32_t i = 0; i < 2; i++) {
    Learner *learner = learn(&game, "minimax", 1500000);
    LearnerProgress before = learner_progress(learner);
    for (uint32_t k = 0; k < (i ? CALLS : 1); k++)
      learner_learn(learner, &(Budget){.states = i ? STATES : STATES * CALLS});
    games[i] = learner_progress(learner).games - before.games;
    learner_delete(learner);
  }
  print_message("# %llu and %llu games\n", (unsigned long long)games[0],
                (unsigned long long)games[1]);
  assert_in_range(games[1], games[0] * 3 / 4, games[0] * 5 / 4);
  test_game_close(&game);
}

/* Goes on where it was, with several threads. */
static void test_rounds(void **state) {
  (void)state;
  enum { STATES = 300000, CALLS = 10 };
  TestGame game;
  test_game_open(&game, "breakthrough", true);
  Learner *learner = learn(&game, "minimax:threads=2", 1500000);
  LearnerProgress first = learner_progress(learner);
  for (uint32_t i = 0; i < CALLS; i++) {
    LearnerProgress before = learner_progress(learner);
    learner_learn(learner, &(Budget){.states = STATES});
    LearnerProgress now = learner_progress(learner);
    assert_in_range(now.states - before.states, STATES, STATES / 10 * 11);
    assert_non_null(learner_evaluation(learner));
  }
  LearnerProgress last = learner_progress(learner);
  print_message("# %llu games\n",
                (unsigned long long)(last.games - first.games));
  assert_in_range(last.games - first.games, 3 * CALLS, 20 * CALLS);
  assert_true(last.targets > first.targets);
  learner_delete(learner);
  test_game_close(&game);
}

/* Without memory for minds playouts teach. */
static void run_short(void *learner) {
  learner_learn(learner, &(Budget){.states = 1500000});
}

static void check_memory(const char *agent) {
  TestGame game;
  test_game_open(&game, "breakthrough", true);
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, agent, &error));
  learner_prepare(&game.rules, &settings);
  Learner *learner = learner_new(&game.rules, &settings, 3);
  assert_true(trial_run(200 << 10, run_short, learner));
  LearnerProgress progress = learner_progress(learner);
  assert_true(progress.states >= 1500000 && progress.games > 2000);
  assert_non_null(learner_evaluation(learner));
  learner_learn(learner, &(Budget){.states = 100000});
  assert_true(learner_progress(learner).games > progress.games + 500);
  learner_delete(learner);
  test_game_close(&game);
}

static void test_memory(void **state) {
  (void)state;
  check_memory("minimax");
  check_memory("minimax:threads=3");
}

/* Some for the first mind, but not for those of all threads. */
static void test_memory_of_threads(void **state) {
  (void)state;
  TestGame game;
  test_game_open(&game, "breakthrough", true);
  for (size_t most = 1; most <= 9; most += 2) {
    Settings settings;
    Text error = {0};
    assert_true(settings_parse(&settings, "minimax:threads=3", &error));
    learner_prepare(&game.rules, &settings);
    Learner *learner = learner_new(&game.rules, &settings, 3);
    assert_true(trial_run(most << 20, run_short, learner));
    assert_true(learner_progress(learner).states >= 1500000);
    assert_non_null(learner_evaluation(learner));
    learner_delete(learner);
  }
  test_game_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_told),
                                     cmocka_unit_test(test_same),
                                     cmocka_unit_test(test_budgets),
                                     cmocka_unit_test(test_suits),
                                     cmocka_unit_test(test_stronger),
                                     cmocka_unit_test(test_rounds),
                                     cmocka_unit_test(test_pieces),
                                     cmocka_unit_test(test_memory),
                                     cmocka_unit_test(test_memory_of_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
