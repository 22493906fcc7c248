/* The runner: the same games whatever the workers, interrupts and other
   processes do, and the same as in a contest; nothing is played twice; what
   fails is given up, with what was played kept. */
#include "lab/runner.h"

#include <math.h>
#include <pthread.h>
#include <unistd.h>

#include "support/games.h"
#include "support/results.h"

/* ---- series ---- */

static void write_game(const char *name, const char *rules) {
  FILE *file = fopen(results_path(name), "w");
  assert_non_null(file);
  fputs(rules, file);
  assert_int_equal(fclose(file), 0);
}

/* Adds a series of the game in the test's directory. */
static void add_series(SeriesVector *list, const char *game, const char *one,
                       const char *two, uint32_t games) {
  Series series;
  const char *const players[] = {one, two};
  series_init(&series);
  text_add(&series.game, results_path(game));
  for (int i = 0; i < 2 && players[i]; i++) {
    Text player = {0};
    text_add(&player, players[i]);
    vector_push(&series.players, player);
  }
  series.games = games;
  series.unit = UNIT_SIMULATIONS;
  series.play = 20;
  vector_push(list, series);
}

static void make_list(SeriesVector *list) {
  add_series(list, "duel.kif", "cadia2007", "random", 8);
  add_series(list, "puzzle.kif", "random", "cadia2009", 5);
  add_series(list, "duel.kif", "legal", "random", 6);
  add_series(list, "three.kif", "random", "cadia2007", 7);
}

static RunnerOptions options_with(uint32_t threads) {
  return (RunnerOptions){
      .threads = threads, .limits = games_limits(), .moves = true};
}

static RunnerEnd run(Results *results, const SeriesVector *list,
                     const RunnerOptions *options) {
  Text error = {0};
  int64_t id = results_experiment(results, "lab", "test", "{}");
  RunnerEnd end = runner_run(results, id, list, options, &error);
  if (end < RUNNER_FAILED && error.length) fail_msg("%s", text_string(&error));
  text_free(&error);
  return end;
}

/* Everything that a seed decides, in order. */
static void dump(Results *results, Text *text) {
  results_ask(results,
              "SELECT s.key, m.number, m.seed, m.ending, m.steps, m.error "
              "FROM matches AS m JOIN series AS s ON s.id = m.series "
              "ORDER BY s.key, m.number",
              text);
  results_ask(results,
              "SELECT s.key, m.number, i.role, i.player, a.agent, i.goal, "
              "i.score, i.simulations, i.states FROM sides AS i "
              "JOIN matches AS m ON m.id = i.match "
              "JOIN agents AS a ON a.id = i.agent "
              "JOIN series AS s ON s.id = m.series "
              "ORDER BY s.key, m.number, i.role",
              text);
  results_ask(results,
              "SELECT s.key, m.number, i.step, i.role, i.move, i.simulations, "
              "i.states, i.value, i.depth FROM moves AS i "
              "JOIN matches AS m ON m.id = i.match "
              "JOIN series AS s ON s.id = m.series "
              "ORDER BY s.key, m.number, i.step, i.role",
              text);
}

/* What one worker plays without any trouble. */
static Text reference;

static void expect_reference(Results *results) {
  Text own = {0};
  dump(results, &own);
  assert_string_equal(text_string(&own), text_string(&reference));
  text_free(&own);
}

static int prepare(void **state) {
  (void)state;
  SeriesVector list = {0};
  write_game("duel.kif", GAME_DUEL);
  write_game("puzzle.kif", GAME_PUZZLE);
  write_game("three.kif", GAME_THREE);
  write_game("stuck.kif", GAME_STUCK);
  write_game("wrong.kif", "(role x) (legal x");
  make_list(&list);
  Results *results = results_make("reference.db");
  RunnerOptions options = options_with(1);
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  dump(results, &reference);
  results_close(results);
  series_vector_free(&list);
  return 0;
}

static int clean(void **state) {
  (void)state;
  text_free(&reference);
  results_remove();
  return 0;
}

/* ---- the same games ---- */

static void test_workers(void **state) {
  (void)state;
  SeriesVector list = {0};
  make_list(&list);
  for (uint32_t threads = 2; threads <= 3; threads++) {
    Results *results = results_make(threads == 2 ? "two.db" : "three.db");
    RunnerOptions options = options_with(threads);
    options.block = threads - 1;
    assert_int_equal(run(results, &list, &options), RUNNER_DONE);
    expect_reference(results);
    results_close(results);
  }
  series_vector_free(&list);
}

typedef struct Played {
  uint32_t steps;
  double goals[2];
  Text moves;
} Played;

static void keep_game(void *context, const Contest *contest,
                      const Fixture *fixture) {
  Played *games = context;
  (void)contest;
  games[fixture->number].steps = fixture->result.steps;
  memcpy(games[fixture->number].goals, fixture->goals, sizeof games->goals);
  text_add(&games[fixture->number].moves, text_string(&fixture->result.moves));
}

/* The games of tafl match with the same seed. */
static void test_contest(void **state) {
  (void)state;
  enum { GAMES = 6 };
  SeriesVector list = {0};
  Played games[GAMES] = {0};
  Description description;
  AgentSpecs specs;
  Contest contest;
  add_series(&list, "three.kif", "cadia2007", "random", GAMES);
  list.data[0].seed = 77;
  list.data[0].start = 5;
  games_read(&description, GAME_THREE);
  games_specs(&specs, "cadia2007,random");
  ContestOptions options = {.games = GAMES,
                            .threads = 1,
                            .seed = 77,
                            .match = {.start = {.simulations = 5},
                                      .play = {.simulations = 20},
                                      .step_limit = 1000,
                                      .keep_moves = true},
                            .limits = games_limits(),
                            .ground = true,
                            .finished = keep_game,
                            .context = games};
  contest_init(&contest, &description, &specs, &options);
  assert_true(contest_run(&contest));
  contest_free(&contest);
  Results *results = results_make("contest.db");
  RunnerOptions own = options_with(2);
  assert_int_equal(run(results, &list, &own), RUNNER_DONE);
  for (int i = 0; i < GAMES; i++) {
    char query[256];
    Text moves = {0}, goals = {0}, expected = {0};
    snprintf(query, sizeof query,
             "SELECT move FROM moves JOIN matches ON id = match "
             "WHERE number = %d ORDER BY step, role",
             i);
    results_ask(results, query, &moves);
    assert_string_equal(text_string(&moves), text_string(&games[i].moves));
    snprintf(query, sizeof query,
             "SELECT avg(goal) FROM sides JOIN matches ON id = match "
             "WHERE number = %d GROUP BY player ORDER BY player",
             i);
    results_ask(results, query, &goals);
    text_format(&expected, "%.1f\n%.1f\n", games[i].goals[0],
                games[i].goals[1]);
    assert_string_equal(text_string(&goals), text_string(&expected));
    text_free(&moves);
    text_free(&goals);
    text_free(&expected);
    text_free(&games[i].moves);
  }
  results_close(results);
  description_free(&description);
  spec_free_list(&specs);
  series_vector_free(&list);
}

/* ---- order ---- */

static void test_blocks(void **state) {
  (void)state;
  SeriesVector list = {0};
  add_series(&list, "duel.kif", "legal", "random", 5);
  add_series(&list, "puzzle.kif", "random", NULL, 3);
  for (uint32_t block = 1; block <= 2; block++) {
    Results *results = results_make(block == 1 ? "block1.db" : "block2.db");
    RunnerOptions options = options_with(1);
    options.block = block;
    assert_int_equal(run(results, &list, &options), RUNNER_DONE);
    results_expect(results, "SELECT series, number FROM matches ORDER BY id",
                   block == 1 ? "1|0\n1|1\n2|0\n1|2\n1|3\n2|1\n1|4\n2|2\n"
                              : "1|0\n1|1\n1|2\n1|3\n2|0\n2|1\n1|4\n2|2\n");
    results_expect(results, "SELECT place, series FROM parts ORDER BY place",
                   "0|1\n1|2\n");
    results_close(results);
  }
  series_vector_free(&list);
}

static bool keep_progress(void *context, const RunnerProgress *progress) {
  *(RunnerProgress *)context = *progress;
  return true;
}

static void test_listed_twice(void **state) {
  (void)state;
  SeriesVector list = {0};
  RunnerProgress progress;
  add_series(&list, "duel.kif", "legal", "random", 3);
  add_series(&list, "puzzle.kif", "random", NULL, 2);
  add_series(&list, "duel.kif", "legal", "random", 5);
  Results *results = results_make("twice.db");
  RunnerOptions options = options_with(2);
  options.progress = keep_progress;
  options.context = &progress;
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  assert_int_equal(progress.played, 7);
  assert_int_equal(progress.done, progress.all);
  results_expect(results,
                 "SELECT series, count(*), max(number) FROM matches "
                 "GROUP BY series",
                 "1|5|4\n2|2|1\n");
  results_expect(results, "SELECT place, series FROM parts ORDER BY place",
                 "0|1\n1|2\n2|1\n");
  /* Nothing is left to do. */
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  assert_int_equal(progress.played, 0);
  results_close(results);
  series_vector_free(&list);
}

/* ---- ends ---- */

typedef struct Stopper {
  atomic_bool flag;
  uint64_t after;
  bool by_flag; /* or by what the function returns */
} Stopper;

static bool stop_after(void *context, const RunnerProgress *progress) {
  Stopper *stopper = context;
  bool enough = progress->played >= stopper->after;
  if (stopper->by_flag && enough) atomic_store(&stopper->flag, true);
  return stopper->by_flag || !enough;
}

/* Stopped again and again, it plays the same in the end. */
static void test_stop(void **state) {
  (void)state;
  SeriesVector list = {0};
  RunnerEnd end = RUNNER_STOPPED;
  uint32_t runs = 0;
  make_list(&list);
  while (end == RUNNER_STOPPED && runs < 50) {
    Stopper stopper = {.after = 3, .by_flag = runs % 3 == 0};
    Results *results = results_make("stop.db");
    RunnerOptions options = options_with(1 + runs % 2);
    options.stop = &stopper.flag;
    options.progress = stop_after;
    options.context = &stopper;
    end = run(results, &list, &options);
    runs++;
    if (end == RUNNER_DONE) expect_reference(results);
    results_close(results);
  }
  assert_int_equal(end, RUNNER_DONE);
  assert_true(runs >= 5);
  series_vector_free(&list);
}

static void test_seconds(void **state) {
  (void)state;
  SeriesVector list = {0};
  RunnerProgress progress;
  make_list(&list);
  Results *results = results_make("seconds.db");
  RunnerOptions options = options_with(2);
  options.seconds = 1e-9;
  options.progress = keep_progress;
  options.context = &progress;
  assert_int_equal(run(results, &list, &options), RUNNER_STOPPED);
  assert_int_equal(progress.played, 0);
  assert_true(isnan(progress.left));
  results_expect(results, "SELECT count(*) FROM matches", "0\n");
  options.seconds = 1000;
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  expect_reference(results);
  results_close(results);
  series_vector_free(&list);
}

static void test_given_up(void **state) {
  (void)state;
  SeriesVector list = {0};
  Text error = {0};
  add_series(&list, "stuck.kif", "legal", "random", 20);
  add_series(&list, "duel.kif", "legal", "random", 6);
  Results *results = results_make("given_up.db");
  RunnerOptions options = options_with(1);
  for (int i = 0; i < 3; i++) {
    options.retry = i == 2;
    text_clear(&error);
    assert_int_equal(runner_run(results, 0, &list, &options, &error),
                     RUNNER_BROKEN);
    assert_non_null(strstr(text_string(&error), "stuck.kif: legal, random"));
    assert_null(strstr(text_string(&error), "duel"));
    results_expect(results,
                   "SELECT series, ending, count(*), max(error) <> '' "
                   "FROM matches GROUP BY series, ending",
                   "1|stuck|3|1\n2|ended|6|0\n");
  }
  results_expect(results, "SELECT count(*) FROM parts", "0\n");
  text_free(&error);
  results_close(results);
  series_vector_free(&list);
}

/* Games of a preset that has changed since do not count as its own. */
static void test_other_settings(void **state) {
  (void)state;
  SeriesVector list = {0};
  Text error = {0};
  make_list(&list);
  Results *results = results_make("settings.db");
  RunnerOptions options = options_with(1);
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  sqlite3_exec(results_database(results),
               "UPDATE agents SET settings = 'c=40,old=1' "
               "WHERE agent = 'cadia2007'",
               NULL, NULL, NULL);
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  sqlite3_exec(results_database(results),
               "UPDATE agents SET settings = 'c=1' "
               "WHERE settings = 'c=40,old=1'",
               NULL, NULL, NULL);
  assert_int_equal(runner_run(results, 0, &list, &options, &error),
                   RUNNER_FAILED);
  assert_non_null(strstr(text_string(&error), "cadia2007 had other settings"));
  options.fresh = true;
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  expect_reference(results);
  results_expect(results,
                 "SELECT count(*) FROM sides AS s JOIN agents AS a "
                 "ON a.id = s.agent WHERE a.settings = 'c=1'",
                 "0\n");
  text_free(&error);
  results_close(results);
  series_vector_free(&list);
}

static void expect_failed(SeriesVector *list, const char *why) {
  Text error = {0};
  Results *results = results_make("failed.db");
  RunnerOptions options = options_with(2);
  assert_int_equal(runner_run(results, 0, list, &options, &error),
                   RUNNER_FAILED);
  if (!strstr(text_string(&error), why))
    fail_msg("'%s' does not say '%s'", text_string(&error), why);
  results_expect(results, "SELECT count(*) FROM matches", "0\n");
  text_free(&error);
  results_close(results);
  series_vector_free(list);
}

static bool find_nothing(void *context, const char *game, Text *path) {
  (void)context;
  (void)game;
  (void)path;
  return false;
}

static void test_bad_input(void **state) {
  (void)state;
  SeriesVector list = {0};
  add_series(&list, "duel.kif", "legal", "random", 2);
  add_series(&list, "none.kif", "legal", "random", 2);
  expect_failed(&list, "none.kif");
  add_series(&list, "wrong.kif", "legal", "random", 2);
  expect_failed(&list, "not valid");
  add_series(&list, "duel.kif", "legal", "nobody", 2);
  expect_failed(&list, "nobody");
  add_series(&list, "duel.kif", "legal", "human", 2);
  expect_failed(&list, "human: only agents of this program");
  add_series(&list, "duel.kif", NULL, NULL, 2);
  expect_failed(&list, "nobody plays");
  Text error = {0};
  add_series(&list, "duel.kif", "legal", "random", 2);
  Results *results = results_make("failed.db");
  RunnerOptions options = options_with(1);
  options.find = find_nothing;
  assert_int_equal(runner_run(results, 0, &list, &options, &error),
                   RUNNER_FAILED);
  assert_non_null(strstr(text_string(&error), "there is no game"));
  text_free(&error);
  results_close(results);
  series_vector_free(&list);
}

/* ---- with other processes ---- */

typedef struct Other {
  Results *results;
  int64_t series;
  RunnerProgress progress;
} Other;

/* The other process has finished its game when we have played three. */
static bool finish_other(void *context, const RunnerProgress *progress) {
  Other *other = context;
  other->progress = *progress;
  if (progress->played != 3) return true;
  assert_true(results_make_match(other->results, other->series, 1));
  results_release(other->results, other->series, 1);
  return true;
}

static void test_claimed(void **state) {
  (void)state;
  SeriesVector list = {0};
  Text key = {0};
  add_series(&list, "duel.kif", "cadia2007:c=30", "random", 4);
  series_key(&list.data[0], &key);
  Results *results = results_make("claimed.db");
  Other other = {.results = results_make("claimed.db")};
  Description description;
  games_read(&description, GAME_DUEL);
  int64_t game = results_game(other.results, text_string(&list.data[0].game),
                              &description);
  other.series = results_series(other.results, text_string(&key), game);
  assert_true(results_claim(other.results, other.series, 1));
  RunnerOptions options = options_with(1);
  options.progress = finish_other;
  options.context = &other;
  assert_int_equal(run(results, &list, &options), RUNNER_DONE);
  assert_int_equal(other.progress.played, 3);
  results_expect(results, "SELECT number FROM matches ORDER BY id",
                 "0\n2\n3\n1\n");
  description_free(&description);
  results_close(other.results);
  results_close(results);
  text_free(&key);
  series_vector_free(&list);
}

typedef struct Process {
  SeriesVector list;
  RunnerProgress progress;
  RunnerEnd end;
  const char *path;
} Process;

static void *play_process(void *argument) {
  Process *process = argument;
  Text error = {0};
  Results *results = results_open(process->path, "v", &error);
  RunnerOptions options = options_with(2);
  options.progress = keep_progress;
  options.context = &process->progress;
  process->end = runner_run(results, 0, &process->list, &options, &error);
  results_close(results);
  text_free(&error);
  return NULL;
}

/* Two of them play every game once, together. */
static void test_shared(void **state) {
  (void)state;
  Process processes[2] = {0};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) make_list(&processes[i].list);
  results_close(results_make("shared.db"));
  processes[0].path = processes[1].path = results_path("shared.db");
  for (int i = 0; i < 2; i++)
    assert_int_equal(
        pthread_create(&threads[i], NULL, play_process, &processes[i]), 0);
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
    assert_int_equal(processes[i].end, RUNNER_DONE);
    series_vector_free(&processes[i].list);
  }
  assert_int_equal(processes[0].progress.played + processes[1].progress.played,
                   26);
  Results *results = results_make("shared.db");
  expect_reference(results);
  results_close(results);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_workers),
      cmocka_unit_test(test_contest),
      cmocka_unit_test(test_blocks),
      cmocka_unit_test(test_listed_twice),
      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_seconds),
      cmocka_unit_test(test_given_up),
      cmocka_unit_test(test_bad_input),
      cmocka_unit_test(test_other_settings),
      cmocka_unit_test(test_claimed),
      cmocka_unit_test(test_shared),
  };
  return cmocka_run_group_tests(tests, prepare, clean);
}
