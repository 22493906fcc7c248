/* Series as JSON: what is read is written again, equal series have equal keys,
   and every key is checked. */
#include "lab/series.h"

#include "support/unit.h"

static json_t *parse(const char *text) {
  json_error_t wrong;
  json_t *object = json_loads(text, 0, &wrong);
  if (!object) fail_msg("%s: %s", text, wrong.text);
  return object;
}

/* Reads a text over what the series has. */
static bool read(Series *series, const char *text, Text *error) {
  json_t *object = parse(text);
  bool fine = series_read(series, object, error);
  json_decref(object);
  return fine;
}

static void assert_key(const char *text, const char *key) {
  Series series;
  Text error = {0}, own = {0};
  series_init(&series);
  assert_true(read(&series, text, &error));
  series_key(&series, &own);
  assert_string_equal(own.bytes, key);
  text_free(&own);
  series_free(&series);
}

static const char full[] =
    "{\"game\":\"othello\",\"players\":[\"cadia2007\",\"mc-org:share=0.758\"],"
    "\"games\":250,\"seed\":7,\"unit\":\"states\",\"play\":1350,\"start\":2700,"
    "\"steps\":90,\"idle\":true}";

static void test_read(void **state) {
  (void)state;
  Series series;
  Text error = {0};
  series_init(&series);
  assert_true(read(&series, full, &error));
  assert_string_equal(series.game.bytes, "othello");
  assert_int_equal(series.players.count, 2);
  assert_string_equal(series.players.data[1].bytes, "mc-org:share=0.758");
  assert_int_equal(series.games, 250);
  assert_int_equal(series.seed, 7);
  assert_int_equal(series.unit, UNIT_STATES);
  assert_true(series.play == 1350 && series.start == 2700);
  assert_int_equal(series.steps, 90);
  assert_true(series.idle);
  /* what an object does not say stays; other keys are left alone */
  assert_true(read(&series, "{\"games\":3,\"name\":[]}", &error));
  assert_int_equal(series.games, 3);
  assert_string_equal(series.game.bytes, "othello");
  assert_true(read(&series, "{\"players\":[\"random\"]}", &error));
  assert_int_equal(series.players.count, 1);
  series_free(&series);
}

static void test_write(void **state) {
  (void)state;
  Series series, copy, again;
  Text error = {0}, first = {0}, second = {0};
  series_init(&series);
  series_init(&again);
  assert_true(read(&series, full, &error));
  series_copy(&copy, &series);
  json_t *object = series_write(&copy, false);
  assert_int_equal(json_object_size(object), 9);
  assert_true(series_read(&again, object, &error));
  assert_int_equal(again.games, 250);
  series_key(&series, &first);
  series_key(&again, &second);
  assert_string_equal(first.bytes, second.bytes);
  json_decref(object);
  object = series_write(&copy, true);
  assert_null(json_object_get(object, "games"));
  json_decref(object);
  text_free(&first);
  text_free(&second);
  SeriesVector list = {0};
  vector_push(&list, series);
  vector_push(&list, copy);
  vector_push(&list, again);
  series_vector_free(&list);
}

static void test_key(void **state) {
  (void)state;
  assert_key("{}", "{\"game\":\"\",\"idle\":false,\"play\":1,\"players\":[],"
                   "\"seed\":1,\"start\":0,\"steps\":1000,"
                   "\"unit\":\"seconds\"}");
  /* the order, the number of games and how numbers are written do not matter */
  const char *key =
      "{\"game\":\"nim\",\"idle\":false,\"play\":0.1,\"players\":[\"legal\"],"
      "\"seed\":1,\"start\":20,\"steps\":1000,\"unit\":\"seconds\"}";
  assert_key("{\"game\":\"nim\",\"players\":[\"legal\"],\"play\":0.1,"
             "\"start\":20,\"games\":5}",
             key);
  assert_key("{\"games\":9,\"start\":2e1,\"play\":1e-1,"
             "\"players\":[\"legal\"],\"game\":\"nim\"}",
             key);
}

/* Every difference but the number of games is one of the key. */
static void test_key_differs(void **state) {
  (void)state;
  const char *const changes[] = {"{\"game\":\"nim\"}",
                                 "{\"players\":[\"random\",\"legal\"]}",
                                 "{\"players\":[\"random\"]}",
                                 "{\"seed\":8}",
                                 "{\"unit\":\"simulations\"}",
                                 "{\"play\":1351}",
                                 "{\"start\":0}",
                                 "{\"steps\":91}",
                                 "{\"idle\":false}",
                                 "{\"games\":251}"};
  Text before = {0}, error = {0};
  for (size_t i = 0; i < LENGTH(changes); i++) {
    Series series;
    Text own = {0};
    series_init(&series);
    assert_true(read(&series, full, &error));
    text_clear(&before);
    series_key(&series, &before);
    assert_true(read(&series, changes[i], &error));
    series_key(&series, &own);
    assert_int_equal(strcmp(own.bytes, before.bytes) == 0,
                     i + 1 == LENGTH(changes));
    text_free(&own);
    series_free(&series);
  }
  text_free(&before);
}

static void test_wrong(void **state) {
  (void)state;
  const struct {
    const char *text, *error;
  } cases[] = {
      {"{\"game\":3}", "game: expected the name of a game"},
      {"{\"game\":\"\"}", "game: expected the name of a game"},
      {"{\"players\":\"random\"}",
       "players: expected a list of 1 to 64 agents"},
      {"{\"players\":[]}", "players: expected a list of 1 to 64 agents"},
      {"{\"players\":[\"random\",1]}",
       "players: expected an agent as text at place 2"},
      {"{\"players\":[\"radnom\"]}", "players: 'radnom' is no agent: "},
      {"{\"players\":[\"tafl:c=no\"]}",
       "players: 'tafl:c=no' is no agent: c takes a number from 0 to 10000"},
      {"{\"games\":0}", "games: expected a whole number from 1 to 1000000000"},
      {"{\"games\":1.5}", "games: expected a whole number"},
      {"{\"games\":\"100\"}", "games: expected a whole number"},
      {"{\"seed\":-1}", "seed: expected a whole number from 0 to 922337203685"},
      {"{\"unit\":\"minutes\"}",
       "unit: expected \"seconds\", \"simulations\" or \"states\""},
      {"{\"unit\":1}", "unit: expected"},
      {"{\"play\":-0.1}", "play: expected a number from 0 to 1e+15"},
      {"{\"play\":1e16}", "play: expected a number"},
      {"{\"play\":true}", "play: expected a number"},
      {"{\"start\":[]}", "start: expected a number"},
      {"{\"steps\":0}", "steps: expected a whole number"},
      {"{\"idle\":1}", "idle: expected true or false"},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Series series;
    Text error = {0};
    series_init(&series);
    assert_false(read(&series, cases[i].text, &error));
    if (strncmp(error.bytes, cases[i].error, strlen(cases[i].error)) != 0)
      fail_msg("%s: %s", cases[i].text, error.bytes);
    text_free(&error);
    series_free(&series);
  }
  assert_true(series_has_key("idle") && series_has_key("players"));
  assert_false(series_has_key("name"));
}

static void test_budgets(void **state) {
  (void)state;
  const struct {
    const char *text, *words;
    double seconds;
    uint64_t simulations, states;
  } cases[] = {
      {"{\"play\":0.5,\"start\":10}", "0.5 seconds a move, 10 at the start",
       0.5, 0, 0},
      {"{\"unit\":\"states\",\"play\":5000,\"start\":5000,\"idle\":true}",
       "5000 states a move, 5000 at the start, thinking in every step", 0, 0,
       5000},
      {"{\"unit\":\"simulations\",\"play\":1}", "1 simulation a move", 0, 1, 0},
      {"{\"unit\":\"states\",\"play\":36000000}", "36000000 states a move", 0,
       0, 36000000},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Series series;
    Text error = {0}, words = {0};
    series_init(&series);
    assert_true(read(&series, cases[i].text, &error));
    series_write_budget(&series, &words);
    assert_string_equal(words.bytes, cases[i].words);
    Budget play = series_play(&series), start = series_start(&series);
    assert_true(play.seconds == cases[i].seconds);
    assert_int_equal(play.simulations, cases[i].simulations);
    assert_int_equal(play.states, cases[i].states);
    assert_true(start.seconds == (i == 0 ? 10 : 0));
    assert_int_equal(start.states, i == 1 ? 5000 : 0);
    text_free(&words);
    series_free(&series);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),  cmocka_unit_test(test_write),
      cmocka_unit_test(test_key),   cmocka_unit_test(test_key_differs),
      cmocka_unit_test(test_wrong), cmocka_unit_test(test_budgets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
