/* Methods side by side: budgets, threads, memory, and results that depend on
   the seed alone. */
#include "base/clock.h"
#include "base/thread.h"
#include "solve/methods.h"
#include "solve/portfolio.h"
#include "support/games.h"
#include "support/library.h"

typedef struct Work {
  Settings settings;
  Puzzle *puzzle;
  Portfolio *portfolio;
} Work;

static void open_work(Work *work, TestGame *game, const char *methods,
                      uint32_t threads, size_t memory, uint64_t seed) {
  Text error = {0};
  assert_true(settings_parse(&work->settings, "tafl:memory=16", &error));
  work->puzzle = puzzle_new(&game->rules, seed, memory);
  work->portfolio =
      portfolio_new(work->puzzle,
                    &(PortfolioOptions){.methods = methods,
                                        .threads = threads,
                                        .seed = seed,
                                        .settings = &work->settings},
                    &error);
  assert_non_null(work->portfolio);
  text_free(&error);
}

static void close_work(Work *work) {
  portfolio_delete(work->portfolio);
  puzzle_delete(work->puzzle);
}

static const size_t room = (size_t)256 << 20;

static void test_names(void **state) {
  (void)state;
  Work work;
  Text error = {0};
  TestGame game;
  test_game_open(&game, "buttons", true);
  open_work(&work, &game, "uct+ida", 1, room, 1);
  MemberReport reports[4];
  assert_int_equal(portfolio_members(work.portfolio, reports, 4), 2);
  assert_string_equal(reports[0].name, "uct");
  assert_string_equal(reports[1].name, "ida");
  assert_null(portfolio_new(
      work.puzzle,
      &(PortfolioOptions){.methods = "uct+luck", .settings = &work.settings},
      &error));
  assert_non_null(strstr(error.bytes, "'luck'"));
  text_free(&error);
  close_work(&work);
  test_game_close(&game);
}

/* Every method alone ends, whatever it finds; plans were replayed by the puzzle
   before. */
static void test_alone(void **state) {
  (void)state;
  TestGame game;
  test_game_open(&game, "maze", true);
  for (uint32_t i = 0; i < methods_count; i++) {
    Work work;
    open_work(&work, &game, methods_list[i]->name, 1, room, 1);
    portfolio_think(work.portfolio, &(Budget){.states = 20000});
    Text text = {0};
    portfolio_explain(work.portfolio, &text);
    assert_true(text.length > 0 || !portfolio_has_work(work.portfolio));
    text_free(&text);
    close_work(&work);
  }
  test_game_close(&game);
}

static void write_plan(Work *work, Text *text) {
  Plan plan;
  puzzle_best(work->puzzle, &plan);
  text_format(text, "%d by %s:", plan.score, plan.by);
  for (uint32_t i = 0; i < plan.moves.count; i++)
    text_format(text, " %u", plan.moves.data[i]);
  text_format(text, "; bound %d", atomic_load(&work->puzzle->bound));
  vector_free(&plan.moves);
}

static void test_same_seed(void **state) {
  (void)state;
  static const char *const games[] = {"hanoi", "peg", "lightsOut"};
  for (size_t i = 0; i < LENGTH(games); i++) {
    TestGame game;
    Text results[2] = {0};
    test_game_open(&game, games[i], true);
    for (int run = 0; run < 2; run++) {
      Work work;
      open_work(&work, &game, NULL, 1, room, 5);
      portfolio_think(work.portfolio, &(Budget){.states = 30000});
      write_plan(&work, &results[run]);
      close_work(&work);
    }
    assert_string_equal(results[0].bytes, results[1].bytes);
    text_free(&results[0]);
    text_free(&results[1]);
    test_game_close(&game);
  }
}

static void test_threads(void **state) {
  (void)state;
  Work work;
  TestGame game;
  test_game_open(&game, "hunter", true);
  open_work(&work, &game, NULL, 3, room, 1);
  portfolio_think(work.portfolio, &(Budget){.seconds = 60});
  assert_true(puzzle_solved(work.puzzle));
  assert_int_equal(atomic_load(&work.puzzle->score), 87);
  assert_false(portfolio_has_work(work.portfolio));
  close_work(&work);
  test_game_close(&game);
}

static void *stop_soon(void *context) {
  double start = clock_now();
  while (clock_now() < start + 0.05) {
  }
  atomic_store((atomic_bool *)context, true);
  return NULL;
}

/* The flag of another thread, and the clock, end the slices too. */
static void test_stops(void **state) {
  (void)state;
  Work work;
  atomic_bool stop = false;
  pthread_t thread;
  TestGame game;
  test_game_open(&game, "rubiksCube", true);
  open_work(&work, &game, "uct+ida", 2, room, 1);
  assert_true(thread_start(&thread, THREAD_STACK, stop_soon, &stop));
  portfolio_think(work.portfolio, &(Budget){.seconds = 600, .stop = &stop});
  pthread_join(thread, NULL);
  portfolio_think(work.portfolio, &(Budget){.seconds = 0.05});
  assert_false(puzzle_solved(work.puzzle));
  assert_true(portfolio_has_work(work.portfolio));
  close_work(&work);
  test_game_close(&game);
}

/* Members that run out of memory are gone; there still is a move. */
static void test_little_memory(void **state) {
  (void)state;
  Work work;
  TestGame game;
  test_game_open(&game, "rubiksCube", true);
  open_work(&work, &game, NULL, 2, (size_t)4 << 20, 1);
  portfolio_think(work.portfolio, &(Budget){.states = 20000, .seconds = 20});
  Move move;
  assert_true(portfolio_best(work.portfolio, &move));
  close_work(&work);
  test_game_close(&game);
}

/* After a move of somebody else the members begin again at the new state. */
static void test_begins_again(void **state) {
  (void)state;
  Work work;
  TestGame game;
  test_game_open(&game, "maze", true);
  open_work(&work, &game, NULL, 1, room, 1);
  portfolio_think(work.portfolio, &(Budget){.seconds = 60});
  assert_int_equal(atomic_load(&work.puzzle->score), 100);
  for (int i = 0; i < 3; i++) {
    Game *engine = puzzle_game(work.puzzle);
    const Move *moves;
    Move planned, other = UINT32_MAX;
    uint32_t count = game_legal(engine, 0, &moves);
    assert_true(portfolio_best(work.portfolio, &planned));
    for (uint32_t m = 0; m < count; m++)
      if (moves[m] != planned) other = moves[m];
    game_delete(engine);
    puzzle_advance(work.puzzle, other == UINT32_MAX ? planned : other);
    if (work.puzzle->terminal) break;
    portfolio_think(work.portfolio, &(Budget){.seconds = 60});
    assert_true(puzzle_solved(work.puzzle));
  }
  close_work(&work);
  test_game_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),         cmocka_unit_test(test_alone),
      cmocka_unit_test(test_same_seed),     cmocka_unit_test(test_threads),
      cmocka_unit_test(test_stops),         cmocka_unit_test(test_begins_again),
      cmocka_unit_test(test_little_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
