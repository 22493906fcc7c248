/* What --json prints is JSON, one value a line, with the fields that programs
   rely on and names of any bytes in it. The program is that of $TAFL. */
#include <jansson.h>
#include <unistd.h>

#include "../unit.h"

static char folder[] = "/tmp/tafl-json-XXXXXX";

static int set_up(void **state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

/* A file of the folder; its path is good until the next call. */
static const char *write_file(const char *name, const char *text) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  fclose(file);
  return path;
}

/* The values that `tafl ARGUMENTS` prints, one for each line, as an array. */
static json_t *run(const char *arguments, const char *path) {
  char command[512], line[65536];
  const char *program = getenv("TAFL");
  snprintf(command, sizeof command, "%s %s '%s'",
           program ? program : "build/tafl", arguments, path);
  FILE *pipe = popen(command, "r");
  json_t *values = json_array();
  assert_non_null(pipe);
  while (fgets(line, sizeof line, pipe)) {
    json_error_t error;
    json_t *value = json_loads(line, 0, &error);
    if (!value) fail_msg("%s: %s in %s", command, error.text, line);
    json_array_append_new(values, value);
  }
  pclose(pipe);
  return values;
}

static void test_check(void **state) {
  (void)state;
  json_t *values = run("check --json games/ticTacToe.kif",
                       write_file("bad.kif", "(role r)\n (role)"));
  assert_int_equal(json_array_size(values), 2);
  const char *file, *severity, *id, *message;
  int valid, errors, warnings, line, column;
  json_t *list;
  assert_int_equal(json_unpack(json_array_get(values, 0),
                               "{s:s, s:b, s:i, s:i, s:o !}", "file", &file,
                               "valid", &valid, "errors", &errors, "warnings",
                               &warnings, "diagnostics", &list),
                   0);
  assert_string_equal(file, "games/ticTacToe.kif");
  assert_true(valid && !errors && !warnings);
  assert_int_equal(json_array_size(list), 0);
  json_unpack(json_array_get(values, 1), "{s:b, s:i, s:i, s:o}", "valid",
              &valid, "errors", &errors, "warnings", &warnings, "diagnostics",
              &list);
  assert_false(valid);
  assert_int_equal(json_array_size(list), errors + warnings);
  assert_int_equal(json_unpack(json_array_get(list, json_array_size(list) - 1),
                               "{s:i, s:i, s:s, s:s, s:s !}", "line", &line,
                               "column", &column, "severity", &severity, "id",
                               &id, "message", &message),
                   0);
  assert_int_equal(line, 2);
  assert_int_equal(column, 2);
  assert_string_equal(severity, "error");
  assert_string_equal(id, "arity");
  assert_string_equal(message, "'role' takes 1 argument, here it has 0");
  json_decref(values);
}

/* No diagnostic may get lost, whatever is in the names it tells of. */
static void check_names(const char *name) {
  char text[4096];
  json_t *list;
  int errors, warnings;
  snprintf(text, sizeof text, "(<= (next a) (%s 1))", name);
  json_t *values = run("check --json", write_file("name.kif", text));
  assert_int_equal(json_array_size(values), 1);
  assert_int_equal(json_unpack(json_array_get(values, 0), "{s:i, s:i, s:o}",
                               "errors", &errors, "warnings", &warnings,
                               "diagnostics", &list),
                   0);
  assert_int_equal(json_array_size(list), errors + warnings);
  assert_true(errors > 0 && warnings > 0);
  json_decref(values);
}

static void test_names(void **state) {
  (void)state;
  check_names("quote\"d");
  check_names("back\\slash");
  check_names("\xc3\xa5\xe2\x82\xac\xf0\x9f\x99\x82");
  check_names("\xff\xfe");
  check_names("\xed\xa0\x80");
  check_names("\xe2\x82");
  check_names("<tag>&'");
  char name[1600]; /* cut somewhere in a message, maybe within a letter */
  for (size_t shift = 0; shift < 3; shift++) {
    memset(name, 'x', shift);
    for (size_t i = shift; i + 3 < sizeof name; i += 3)
      memcpy(name + i, "\xe2\x82\xac", 4);
    check_names(name);
  }
}

static void test_perft(void **state) {
  (void)state;
  static const json_int_t known[] = {9, 72, 504};
  json_t *values = run("perft --json games/ticTacToe.kif", "3");
  assert_int_equal(json_array_size(values), 3);
  for (int i = 0; i < 3; i++) {
    int depth;
    json_int_t count;
    double seconds;
    assert_int_equal(json_unpack(json_array_get(values, (size_t)i),
                                 "{s:i, s:I, s:F}", "depth", &depth, "count",
                                 &count, "seconds", &seconds),
                     0);
    assert_int_equal(depth, i + 1);
    assert_int_equal(count, known[i]);
  }
  json_decref(values);
}

static void test_bench(void **state) {
  (void)state;
  json_t *values =
      run("bench --json --games 5 games/ticTicToe.kif", "games/ticTacToe.kif");
  assert_int_equal(json_array_size(values), 2);
  const char *game;
  int playouts, ended, cut_off, stuck;
  double length;
  json_t *means;
  assert_int_equal(json_unpack(json_array_get(values, 1),
                               "{s:s, s:i, s:i, s:i, s:i, s:F, s:o}", "game",
                               &game, "playouts", &playouts, "ended", &ended,
                               "cut_off", &cut_off, "stuck", &stuck,
                               "length_mean", &length, "goal_means", &means),
                   0);
  assert_string_equal(game, "games/ticTacToe.kif");
  assert_int_equal(playouts, 5);
  assert_int_equal(ended, 5);
  assert_true(length >= 5 && length <= 9);
  assert_int_equal(json_array_size(means), 2);
  assert_true(json_number_value(json_array_get(means, 0)) +
                  json_number_value(json_array_get(means, 1)) ==
              100);
  json_decref(values);
}

static void test_info(void **state) {
  (void)state;
  json_t *values = run("info --json", "games/ticTacToe.kif");
  const char *structure, *name;
  int facts;
  json_t *roles;
  assert_int_equal(json_array_size(values), 1);
  assert_int_equal(json_unpack(json_array_get(values, 0), "{s:s, s:i, s:o}",
                               "structure", &structure, "initial_facts", &facts,
                               "roles", &roles),
                   0);
  assert_string_equal(structure, "turn-taking");
  assert_int_equal(facts, 10);
  assert_int_equal(json_array_size(roles), 2);
  assert_int_equal(
      json_unpack(json_array_get(roles, 1), "{s:s}", "name", &name), 0);
  assert_string_equal(name, "o");
  json_decref(values);
}

static void test_match(void **state) {
  (void)state;
  json_t *values = run("match --json --games 6 --sprt --players legal,random "
                       "--seed 3",
                       "games/ticTacToe.kif");
  const char *game, *first, *second, *decision;
  int games, wins, draws, losses, errors, cut_off, steps, pairs;
  double rate, interval, goal, other, seconds;
  json_t *players;
  assert_int_equal(json_array_size(values), 1);
  assert_int_equal(
      json_unpack(json_array_get(values, 0),
                  "{s:s, s:[s, s !], s:i, s:i, s:i, s:i, s:F, s:F, s:[F, F !], "
                  "s:i, s:i, s:i, s:F, s:o, s:{s:i, s:s} !}",
                  "game", &game, "players", &first, &second, "games", &games,
                  "wins", &wins, "draws", &draws, "losses", &losses, "win_rate",
                  &rate, "interval95", &interval, "mean_goals", &goal, &other,
                  "errors", &errors, "cut_off", &cut_off, "steps", &steps,
                  "seconds", &seconds, "by_player", &players, "sprt", "pairs",
                  &pairs, "decision", &decision),
      0);
  assert_string_equal(game, "games/ticTacToe.kif");
  assert_string_equal(first, "legal");
  assert_string_equal(second, "random");
  assert_string_equal(decision, "open");
  assert_true(games == 6 && pairs == 3 && !errors && !cut_off && steps >= 30);
  assert_int_equal(wins + draws + losses, 6);
  assert_true(rate == 100 * (wins + draws / 2.0) / 6 && interval > 0);
  assert_true(goal + other == 100);
  assert_int_equal(json_array_size(players), 2);
  assert_int_equal(
      json_integer_value(json_object_get(json_array_get(players, 1), "wins")),
      losses);
  json_decref(values);
}

static void test_match_games(void **state) {
  (void)state;
  json_t *values =
      run("match --json --verbose --games 2 --players legal,random",
          "games/ticTacToe.kif");
  const char *first, *second, *end, *error;
  int number, one, other, steps;
  json_t *moves, *scores;
  assert_int_equal(json_array_size(values), 3);
  assert_int_equal(
      json_unpack(json_array_get(values, 1),
                  "{s:i, s:[s, s !], s:[i, i !], s:o, s:s, s:i, s:s, s:o !}",
                  "number", &number, "players_by_role", &first, &second,
                  "goals_by_role", &one, &other, "scores_by_role", &scores,
                  "end", &end, "steps", &steps, "error", &error, "moves",
                  &moves),
      0);
  assert_int_equal(number, 2);
  assert_string_equal(first, "random");
  assert_string_equal(second, "legal");
  assert_string_equal(end, "ended");
  assert_string_equal(error, "");
  assert_int_equal(one + other, 100);
  assert_int_equal(json_array_size(moves), steps);
  assert_int_equal(json_array_size(json_array_get(moves, 0)), 2);
  assert_string_equal(
      json_string_value(json_array_get(json_array_get(moves, 0), 1)), "noop");
  json_decref(values);
}

/* What is not known is null: no scores alone, no interval of one game. */
static void test_match_unknown(void **state) {
  (void)state;
  json_t *values =
      run("match --json --games 1 --players legal", "games/buttons.kif");
  json_t *summary = json_array_get(values, 0);
  assert_true(json_is_null(json_object_get(summary, "win_rate")));
  assert_true(json_is_null(json_object_get(summary, "interval95")));
  assert_true(json_is_number(
      json_array_get(json_object_get(summary, "mean_goals"), 0)));
  json_decref(values);
}

static void test_agents(void **state) {
  (void)state;
  json_t *values = run("agents --json", "--json");
  const char *name, *kind, *word, *origin, *help;
  json_t *presets, *settings, *choices;
  double least, most, value;
  assert_int_equal(json_array_size(values), 1);
  assert_int_equal(json_unpack(json_array_get(values, 0), "{s:o, s:o}",
                               "presets", &presets, "settings", &settings),
                   0);
  assert_int_equal(json_unpack(json_array_get(presets, 2),
                               "{s:s, s:s, s:{s:F, s:s}}", "name", &name,
                               "origin", &origin, "settings", "c", &value,
                               "returns", &word),
                   0);
  assert_string_equal(name, "cadia2007");
  assert_string_equal(word, "scaled");
  assert_true(value == 40);
  assert_int_equal(json_unpack(json_array_get(settings, 0),
                               "{s:s, s:s, s:s, s:o, s:s, s:s "
                               "!}",
                               "name", &name, "kind", &kind, "default", &word,
                               "choices", &choices, "origin", &origin, "help",
                               &help),
                   0);
  assert_string_equal(name, "tree");
  assert_string_equal(kind, "word");
  assert_int_equal(json_array_size(choices), 3);
  assert_int_equal(json_unpack(json_array_get(settings, 1),
                               "{s:s, s:F, s:F, s:F}", "name", &name, "default",
                               &value, "least", &least, "most", &most),
                   0);
  assert_string_equal(name, "c");
  assert_true(value == 40 && least == 0 && most == 10000);
  json_decref(values);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check),       cmocka_unit_test(test_names),
      cmocka_unit_test(test_perft),       cmocka_unit_test(test_bench),
      cmocka_unit_test(test_info),        cmocka_unit_test(test_match),
      cmocka_unit_test(test_match_games), cmocka_unit_test(test_match_unknown),
      cmocka_unit_test(test_agents),
  };
  return cmocka_run_group_tests_name("json", tests, set_up, tear_down);
}
