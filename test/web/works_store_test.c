/* The documents of the page against the store: a tournament of eight games that
   is played here, a table, and no store at all. Works are called as their
   processes would. */
#include <unistd.h>

#include "base/file.h"
#include "lab/tour_json.h"
#include "support/games.h"
#include "support/results.h"
#include "web/works.h"
#include "web/works_store.h"

static WebSettings settings;

/* ---- asking ---- */

typedef struct Query {
  const char *name, *value;
} Query;

static const char *find_query(const void *request, const char *name) {
  const Query *query = request;
  for (; query && query->name; query++)
    if (!strcmp(query->name, name)) return query->value;
  return NULL;
}

static TaskReply ask(const TaskKind *kind, const char *path,
                     const Query *query) {
  TaskReply reply = {.status = 200, .type = "application/json"};
  TaskCall call = {.path = path,
                   .body = "",
                   .query = find_query,
                   .request = query,
                   .context = &settings};
  kind->work(&call, &reply);
  return reply;
}

static json_t *ask_json(const TaskKind *kind, const char *path,
                        const Query *query) {
  TaskReply reply = ask(kind, path, query);
  if (reply.status != 200) fail_msg("%s: %s", path, text_string(&reply.body));
  assert_string_equal(reply.type, "application/json");
  json_t *value = json_loads(text_string(&reply.body), 0, NULL);
  assert_non_null(value);
  text_free(&reply.body);
  return value;
}

static void expect_failure(const TaskKind *kind, const char *path,
                           const Query *query, unsigned status) {
  TaskReply reply = ask(kind, path, query);
  if (reply.status != status) fail_msg("%s: %u", path, reply.status);
  json_t *value = json_loads(text_string(&reply.body), 0, NULL);
  assert_true(json_string_length(json_object_get(value, "error")) > 0);
  json_decref(value);
  text_free(&reply.body);
}

static void expect_chart(const TaskKind *kind, const char *path) {
  TaskReply reply = ask(kind, path, NULL);
  assert_int_equal(reply.status, 200);
  assert_string_equal(reply.type, "image/svg+xml");
  assert_int_equal(strncmp(text_string(&reply.body), "<svg ", 5), 0);
  text_free(&reply.body);
}

static json_int_t number(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_number(value)) fail_msg("%s is not a number", key);
  return (json_int_t)json_number_value(value);
}

static const char *string(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_string(value)) fail_msg("%s is not a string", key);
  return json_string_value(value);
}

static json_t *list(const json_t *object, const char *key, size_t count) {
  json_t *value = json_object_get(object, key);
  assert_true(json_is_array(value));
  assert_int_equal(json_array_size(value), count);
  return value;
}

/* ---- a store ---- */

static bool find_game(void *context, const char *game, Text *path) {
  (void)context;
  text_add(path, results_path(game));
  return true;
}

static void write_file(const char *name, const char *text) {
  Text error = {0};
  assert_true(file_replace(results_path(name), text, strlen(text), &error));
}

static const char tour_text[] =
    "{\"agents\": [\"legal\", \"random\"], \"games\": [\"duel\"], \"each\": 8, "
    "\"unit\": \"simulations\", \"play\": 1, \"name\": \"Evening <b>\"}";

/* Plays the tournament; returns what the verb prints of it. */
static json_t *play(const char *name) {
  TourSpec spec;
  Tour tour;
  TourScore score;
  Text error = {0};
  RunnerOptions options = {
      .threads = 1, .limits = games_limits(), .moves = true, .find = find_game};
  json_t *object = json_loads(tour_text, 0, NULL);
  Results *results = results_make(name);
  tour_spec_init(&spec);
  assert_true(tour_spec_read_object(&spec, object, &error));
  assert_true(tour_init(&tour, &spec, results, &options, &error));
  assert_int_equal(tour_run(&tour, &options, &error), RUNNER_DONE);
  assert_true(
      tour_score_init(&score, &tour.plan, results, tour.experiment, &error));
  json_t *written = tour_json(&tour, &score);
  tour_score_free(&score);
  tour_free(&tour);
  tour_spec_free(&spec);
  json_decref(object);
  results_close(results);
  text_free(&error);
  return written;
}

static const char table_text[] =
    "{\"title\": \"Duels\", \"source\": \"A Paper, 2009, Table 1\", "
    "\"measure\": \"win\", \"games\": 8, \"unit\": \"simulations\", "
    "\"play\": 1, \"chart\": \"forest\", \"rows\": [{\"name\": \"Duel\", "
    "\"game\": \"duel\"}], \"columns\": [{\"name\": \"L\", \"players\": "
    "[\"legal\", \"random\"]}], \"figures\": [[[60, 8]]]}";

static char db[256];
static json_t *printed; /* of the tournament */

static int set_up(void **state) {
  (void)state;
  Text table = {0};
  write_file("duel", GAME_DUEL);
  write_file("t-1.json", table_text);
  printed = play("works.db");
  snprintf(db, sizeof db, "%s", results_path("works.db"));
  text_add(&table, results_path("t-1.json"));
  settings =
      (WebSettings){.db = db, .stylesheet = "", .limits = games_limits()};
  vector_push(&settings.tables, table);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  text_vector_free(&settings.tables);
  json_decref(printed);
  results_remove();
  return 0;
}

/* ---- tests ---- */

static void test_records(void **state) {
  (void)state;
  json_t *whole = ask_json(&works_records, "records", NULL);
  json_t *records = list(whole, "records", 8), *record;
  size_t i;
  assert_true(json_is_false(json_object_get(whole, "more")));
  assert_string_equal(
      json_string_value(json_array_get(list(whole, "games", 1), 0)), "duel");
  list(whole, "players", 2);
  json_array_foreach(records, i, record) {
    json_t *roles = list(record, "roles", 2);
    json_t *first = json_array_get(roles, 0), *other = json_array_get(roles, 1);
    assert_int_equal(atoi(string(record, "id")), 8 - (int)i);
    assert_string_equal(string(record, "game"), "duel");
    assert_string_equal(string(record, "end"), "ended");
    assert_string_equal(string(record, "kind"), "tour");
    assert_string_equal(string(record, "experiment"), "Evening <b>");
    assert_string_equal(string(first, "name"), "x");
    assert_string_equal(string(other, "name"), "y");
    assert_string_not_equal(string(first, "player"), string(other, "player"));
    assert_int_equal(number(first, "goal") + number(other, "goal"), 100);
    assert_int_equal(number(record, "steps"), 1);
  }
  json_decref(whole);
}

static void test_filters(void **state) {
  (void)state;
  static const struct {
    Query query[3];
    size_t count;
    bool more;
  } cases[] = {{{{"limit", "3"}}, 3, true},
               {{{"limit", "3"}, {"before", "3"}}, 2, false},
               {{{"limit", "8"}}, 8, false},
               {{{"game", "duel"}, {"kind", "tour"}}, 8, false},
               {{{"game", "chess"}}, 0, false},
               {{{"player", "legal"}}, 8, false},
               {{{"player", "tafl"}}, 0, false},
               {{{"text", "EVENING"}}, 8, false},
               {{{"experiment", "1"}}, 8, false},
               {{{"experiment", "2"}}, 0, false}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    json_t *whole = ask_json(&works_records, "records", cases[i].query);
    list(whole, "records", cases[i].count);
    assert_int_equal(json_is_true(json_object_get(whole, "more")),
                     cases[i].more);
    json_decref(whole);
  }
  static const char *const wrong[] = {"0", "-1", "x", "1x",
                                      "99999999999999999999"};
  for (size_t i = 0; i < LENGTH(wrong); i++) {
    Query before[] = {{"before", wrong[i]}, {NULL, NULL}};
    Query limit[] = {{"limit", wrong[i]}, {NULL, NULL}};
    expect_failure(&works_records, "records", before, 400);
    expect_failure(&works_records, "records", limit, 400);
  }
}

static void test_record(void **state) {
  (void)state;
  json_t *match = ask_json(&works_record, "records/8", NULL);
  assert_string_equal(string(match, "id"), "8");
  list(match, "steps", 2);
  assert_string_equal(string(json_object_get(match, "head"), "budget"),
                      "1 simulation a move");
  assert_string_equal(string(json_object_get(match, "record"), "tour"), "1");
  json_decref(match);
  expect_failure(&works_record, "records/9", NULL, 404);
  expect_failure(&works_record, "records/", NULL, 404);
  expect_failure(&works_record, "records/x", NULL, 404);
}

static void test_tours(void **state) {
  (void)state;
  json_t *whole = ask_json(&works_tours, "tours", NULL);
  json_t *brief = json_array_get(list(whole, "tours", 1), 0);
  assert_string_equal(string(brief, "id"), "1");
  assert_string_equal(string(brief, "name"), "Evening <b>");
  assert_string_equal(string(brief, "system"), "round-robin");
  assert_int_equal(number(brief, "played"), 8);
  assert_int_equal(number(brief, "planned"), 8);
  assert_true(json_is_true(json_object_get(brief, "over")));
  json_decref(whole);
  whole = ask_json(&works_tour, "tours/1", NULL);
  list(whole, "charts", 3);
  const char *key;
  json_t *value;
  json_object_foreach(printed, key, value) {
    if (json_is_array(value) || json_is_integer(value))
      assert_non_null(json_object_get(whole, key));
    if (json_is_integer(value))
      assert_true(json_equal(json_object_get(whole, key), value));
  }
  list(whole, "standings", 2);
  json_decref(whole);
  expect_chart(&works_tour_chart, "tours/1/ratings.svg");
  expect_chart(&works_tour_chart, "tours/1/games.svg");
  expect_chart(&works_tour_chart, "tours/1/pairs.svg");
  expect_failure(&works_tour_chart, "tours/1/pairs", NULL, 404);
  expect_failure(&works_tour_chart, "tours/1/.svg", NULL, 404);
  expect_failure(&works_tour_chart, "tours/2/pairs.svg", NULL, 404);
  expect_failure(&works_tour, "tours/2", NULL, 404);
  expect_failure(&works_tour, "tours/../1", NULL, 404);
}

static void test_lab(void **state) {
  (void)state;
  json_t *whole = ask_json(&works_lab, "lab", NULL);
  json_t *brief = json_array_get(list(whole, "tables", 1), 0);
  assert_string_equal(string(brief, "id"), "t-1");
  assert_int_equal(number(brief, "cells"), 1);
  assert_int_equal(number(brief, "played"), 1);
  assert_int_equal(number(brief, "games"), 8);
  assert_int_equal(number(brief, "agree") + number(brief, "near") +
                       number(brief, "differ"),
                   1);
  json_decref(whole);
  whole = ask_json(&works_lab_table, "lab/t-1", NULL);
  json_t *cell =
      json_array_get(json_array_get(list(whole, "figures", 1), 0), 0);
  assert_int_equal(number(cell, "games"), 8);
  json_t *chart = json_array_get(list(whole, "charts", 1), 0);
  assert_string_equal(string(chart, "name"), "t-1");
  json_decref(whole);
  expect_chart(&works_lab_chart, "lab/t-1/t-1.svg");
  expect_failure(&works_lab_chart, "lab/t-1/t-2.svg", NULL, 404);
  expect_failure(&works_lab_table, "lab/t-2", NULL, 404);
  expect_failure(&works_lab_table, "lab/", NULL, 404);
  expect_failure(&works_lab_table, "lab/..", NULL, 404);
}

/* Nothing was played: everything is empty, and no file is made. */
static void test_none(void **state) {
  (void)state;
  char none[256];
  snprintf(none, sizeof none, "%s", results_path("none.db"));
  for (int i = 0; i < 2; i++) {
    settings.db = i ? "" : none;
    json_t *whole = ask_json(&works_records, "records", NULL);
    list(whole, "records", 0);
    list(whole, "games", 0);
    json_decref(whole);
    whole = ask_json(&works_tours, "tours", NULL);
    list(whole, "tours", 0);
    json_decref(whole);
    whole = ask_json(&works_lab, "lab", NULL);
    assert_int_equal(
        number(json_array_get(list(whole, "tables", 1), 0), "played"), 0);
    json_decref(whole);
    whole = ask_json(&works_lab_table, "lab/t-1", NULL);
    list(whole, "charts", 0);
    json_decref(whole);
    expect_failure(&works_tour, "tours/1", NULL, 404);
  }
  assert_int_equal(access(none, F_OK), -1);
  settings.db = db;
}

static const char figures_text[] =
    "{\"versions\": {\"0.9\": 20}, \"last\": \"2026-11-16\", \"rows\": "
    "[\"Duel\"], \"columns\": [\"L\"], \"figures\": [[{\"value\": 95, "
    "\"interval\": 20, \"deviation\": 22.4, \"games\": 20}]]}";

/* Nothing was played, and figures come with the table: they are shown, and it
   says whose they are. A file that is wrong is like none. */
static void test_shipped(void **state) {
  (void)state;
  json_t *whole = ask_json(&works_lab, "lab", NULL);
  json_t *brief = json_array_get(list(whole, "tables", 1), 0);
  assert_true(json_is_null(json_object_get(brief, "shipped")));
  json_decref(whole);
  file_make_above(results_path("figures/t-1.json"), 0777);
  write_file("figures/t-1.json", figures_text);
  settings.db = "";
  whole = ask_json(&works_lab, "lab", NULL);
  brief = json_array_get(list(whole, "tables", 1), 0);
  assert_int_equal(number(brief, "games"), 20);
  assert_int_equal(number(brief, "differ"), 1);
  json_decref(whole);
  whole = ask_json(&works_lab_table, "lab/t-1", NULL);
  json_t *shipped = json_object_get(whole, "shipped");
  assert_string_equal(string(shipped, "last"), "2026-11-16");
  assert_string_equal(
      json_string_value(json_array_get(list(shipped, "versions", 1), 0)),
      "0.9");
  list(whole, "charts", 1);
  json_decref(whole);
  expect_chart(&works_lab_chart, "lab/t-1/t-1.svg");

  settings.db = db;
  whole = ask_json(&works_lab_table, "lab/t-1", NULL);
  assert_true(json_is_null(json_object_get(whole, "shipped")));
  assert_int_equal(number(json_object_get(whole, "verdicts"), "unknown"), 0);
  json_decref(whole);
  write_file("figures/t-1.json", "{}");
  settings.db = "";
  whole = ask_json(&works_lab_table, "lab/t-1", NULL);
  assert_true(json_is_null(json_object_get(whole, "shipped")));
  assert_int_equal(number(whole, "played"), 0);
  json_decref(whole);
  unlink(results_path("figures/t-1.json"));
  settings.db = db;
}

/* Something else is where the store should be. */
static void test_broken(void **state) {
  (void)state;
  char other[256];
  write_file("other.db", "This is a text, and no database at all.");
  snprintf(other, sizeof other, "%s", results_path("other.db"));
  settings.db = other;
  expect_failure(&works_records, "records", NULL, 500);
  expect_failure(&works_tours, "tours", NULL, 500);
  expect_failure(&works_tour_chart, "tours/1/pairs.svg", NULL, 500);
  expect_failure(&works_lab, "lab", NULL, 500);
  settings.db = db;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_records), cmocka_unit_test(test_filters),
      cmocka_unit_test(test_record),  cmocka_unit_test(test_tours),
      cmocka_unit_test(test_lab),     cmocka_unit_test(test_none),
      cmocka_unit_test(test_shipped), cmocka_unit_test(test_broken),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
