/* Looking through the store: filters, pages, one match, experiments. */
#include "store/archive.h"

#include <math.h>

#include "support/games.h"
#include "support/results.h"

/* ---- a store to look through ---- */

static int64_t make_game(Results *results, const char *name) {
  Description description;
  games_read(&description, GAME_DUEL);
  int64_t game = results_game(results, name, &description);
  description_free(&description);
  return game;
}

static void add_match(Results *results, int64_t series, uint32_t number,
                      const char *first, const char *second, double goal) {
  ResultsSide sides[2] = {{.role = 0, .goal = goal, .found = ""},
                          {.role = 1, .goal = 100 - goal, .found = ""}};
  sides[0].agent = results_copy_agent(results, first, "");
  sides[1].agent = results_copy_agent(results, second, "");
  ResultsMatch match = {.number = number,
                        .seed = number,
                        .end = isnan(goal) ? MATCH_FAILED : MATCH_ENDED,
                        .steps = 7,
                        .seconds = 1.5,
                        .version = "v",
                        .finished = "2026-11-16T15:30:00Z",
                        .error = isnan(goal) ? "broken" : "",
                        .sides = sides,
                        .side_count = 2};
  assert_true(results_add_match(results, series, &match, NULL));
}

/* Matches 1 to 6: chess 1, 2 (tour, and lab from the same series), go 3, 4
   (lab), chess 5, 6 (page). */
static Results *make(const char *name) {
  Results *results = results_make(name);
  int64_t chess = make_game(results, "chess"), go = make_game(results, "go");
  make_game(results, "unplayed");
  int64_t one = results_series(results, "{\"a\":1}", chess);
  int64_t two = results_series(results, "{\"a\":1}", go);
  int64_t page = results_series(results, "{\"a\":2}", chess);
  int64_t tour = results_copy_experiment(results, "tour", "Evening", "{}",
                                         "2026-11-16T15:30:00Z");
  int64_t lab = results_experiment(results, "lab", "2010-1", "{}");
  int64_t room = results_experiment(results, "page", "page", "{}");
  results_experiment(results, "tour", "empty", "{}");
  assert_true(results_add_part(results, tour, one, 0));
  assert_true(results_add_part(results, lab, one, 0));
  assert_true(results_add_part(results, lab, two, 1));
  assert_true(results_add_part(results, room, page, 0));
  add_match(results, one, 0, "tafl", "random", 100);
  add_match(results, one, 1, "random", "tafl", 0);
  add_match(results, two, 0, "Cadia2007", "random", 50);
  add_match(results, two, 1, "random", "Cadia2007", NAN);
  add_match(results, page, 0, "human", "tafl", 0);
  add_match(results, page, 1, "human", "tafl:c=30", 100);
  results_copy_agent(results, "idle", "");
  return results;
}

/* The ids of the list, as text. */
static void expect_list(Results *results, ArchiveFilter filter,
                        const char *expected) {
  ArchiveMatches list = {0};
  Text ids = {0};
  if (!filter.limit) filter.limit = 100;
  assert_true(archive_list(results, &filter, &list));
  for (uint32_t i = 0; i < list.count; i++)
    text_format(&ids, "%s%lld", i ? " " : "", (long long)list.data[i].id);
  assert_string_equal(text_string(&ids), expected);
  text_free(&ids);
  archive_matches_free(&list);
}

/* ---- tests ---- */

static void test_filters(void **state) {
  (void)state;
  Results *results = make("filters.db");
  expect_list(results, (ArchiveFilter){0}, "6 5 4 3 2 1");
  expect_list(results, (ArchiveFilter){.game = "chess"}, "6 5 2 1");
  expect_list(results, (ArchiveFilter){.game = "Chess"}, "");
  expect_list(results, (ArchiveFilter){.player = "tafl"}, "5 2 1");
  expect_list(results, (ArchiveFilter){.player = "idle"}, "");
  expect_list(results, (ArchiveFilter){.kind = "tour"}, "2 1");
  expect_list(results, (ArchiveFilter){.kind = "lab"}, "4 3 2 1");
  expect_list(results, (ArchiveFilter){.kind = "page"}, "6 5");
  expect_list(results, (ArchiveFilter){.experiment = 1}, "2 1");
  expect_list(results, (ArchiveFilter){.experiment = 99}, "");
  expect_list(results, (ArchiveFilter){.text = "CADIA"}, "4 3");
  expect_list(results, (ArchiveFilter){.text = "hes"}, "6 5 2 1");
  expect_list(results, (ArchiveFilter){.text = "evening"}, "2 1");
  expect_list(results, (ArchiveFilter){.text = "tafl"}, "6 5 2 1");
  expect_list(results, (ArchiveFilter){.text = "%"}, "");
  expect_list(results, (ArchiveFilter){.text = "' OR 1 --"}, "");
  expect_list(results,
              (ArchiveFilter){.game = "chess", .player = "tafl", .kind = "lab"},
              "2 1");
  results_close(results);
}

static void test_pages(void **state) {
  (void)state;
  Results *results = make("pages.db");
  expect_list(results, (ArchiveFilter){.limit = 2}, "6 5");
  expect_list(results, (ArchiveFilter){.limit = 2, .before = 5}, "4 3");
  expect_list(results,
              (ArchiveFilter){.limit = 2, .before = 5, .game = "chess"}, "2 1");
  expect_list(results, (ArchiveFilter){.before = 1}, "");
  results_close(results);
}

static void test_match(void **state) {
  (void)state;
  Results *results = make("match.db");
  ArchiveMatch match;
  bool there;
  Text rules = {0};
  assert_true(archive_match(results, 1, &match, &there) && there);
  assert_string_equal(text_string(&match.name), "chess");
  assert_string_equal(text_string(&match.ending), "ended");
  assert_string_equal(text_string(&match.finished), "2026-11-16T15:30:00Z");
  assert_string_equal(text_string(&match.key), "{\"a\":1}");
  assert_string_equal(text_string(&match.kind), "tour");
  assert_string_equal(text_string(&match.title), "Evening");
  assert_int_equal(match.experiment, 1);
  assert_int_equal(match.steps, 7);
  assert_int_equal(match.sides.count, 2);
  assert_string_equal(text_string(&match.sides.data[1].agent), "random");
  assert_true(match.sides.data[0].goal == 100);
  assert_true(archive_rules(results, match.game, &rules));
  assert_string_equal(text_string(&rules), GAME_DUEL);
  archive_match_free(&match);
  assert_true(archive_match(results, 4, &match, &there) && there);
  assert_string_equal(text_string(&match.ending), "failed");
  assert_string_equal(text_string(&match.error), "broken");
  assert_true(isnan(match.sides.data[0].goal));
  archive_match_free(&match);
  assert_true(archive_match(results, 7, &match, &there) && !there);
  archive_match_free(&match);
  text_free(&rules);
  results_close(results);
}

/* A match of several experiments is shown with the one that was asked for. */
static void test_shared(void **state) {
  (void)state;
  Results *results = make("shared.db");
  ArchiveMatches list = {0};
  assert_true(archive_list(
      results, &(ArchiveFilter){.kind = "lab", .before = 2, .limit = 1},
      &list));
  assert_int_equal(list.count, 1);
  assert_string_equal(text_string(&list.data[0].title), "2010-1");
  archive_matches_free(&list);
  results_close(results);
}

static void expect_names(TextVector *names, const char *expected) {
  Text text = {0};
  for (uint32_t i = 0; i < names->count; i++)
    text_format(&text, "%s%s", i ? " " : "", text_string(&names->data[i]));
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
  text_vector_free(names);
}

static void test_names(void **state) {
  (void)state;
  Results *results = make("names.db");
  TextVector names = {0};
  assert_true(archive_games(results, &names));
  expect_names(&names, "chess go");
  assert_true(archive_players(results, &names));
  expect_names(&names, "Cadia2007 human random tafl tafl:c=30");
  results_close(results);
}

static void test_experiments(void **state) {
  (void)state;
  Results *results = make("experiments.db");
  ArchiveExperiments list = {0};
  Text rules = {0};
  assert_true(archive_experiments(results, "tour", &list));
  assert_int_equal(list.count, 2);
  assert_string_equal(text_string(&list.data[0].name), "empty");
  assert_int_equal(list.data[0].played, 0);
  assert_string_equal(text_string(&list.data[1].name), "Evening");
  assert_string_equal(text_string(&list.data[1].made), "2026-11-16T15:30:00Z");
  assert_int_equal(list.data[1].played, 2);
  archive_experiments_free(&list);
  assert_true(archive_experiment(results, "tour", 1, &list));
  assert_int_equal(list.count, 1);
  archive_experiments_free(&list);
  assert_true(archive_experiment(results, "lab", 1, &list));
  assert_int_equal(list.count, 0);
  archive_experiments_free(&list);
  assert_true(archive_experiment_rules(results, 1, "go", &rules));
  assert_int_equal(rules.length, 0);
  assert_true(archive_experiment_rules(results, 1, "chess", &rules));
  assert_string_equal(text_string(&rules), GAME_DUEL);
  text_free(&rules);
  results_close(results);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_filters), cmocka_unit_test(test_pages),
      cmocka_unit_test(test_match),   cmocka_unit_test(test_shared),
      cmocka_unit_test(test_names),   cmocka_unit_test(test_experiments),
  };
  int failed = cmocka_run_group_tests_name("archive", tests, NULL, NULL);
  results_remove();
  return failed;
}
