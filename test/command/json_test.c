/* The output of --json is JSON, one value per line, with the fields that
   programs rely on, whatever bytes names consist of. Tests the program $TAFL.
 */
#include <jansson.h>
#include <unistd.h>

#include "support/unit.h"

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

/* Returns the path of a file in the folder, valid until the next call. */
static const char *write_file(const char *name, const char *text) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  fclose(file);
  return path;
}

/* Returns the values that `tafl ARGUMENTS` prints, one per line, as an array.
 */
static json_t *run(const char *arguments, const char *path) {
  char command[512], *line = NULL;
  size_t room = 0;
  const char *program = getenv("TAFL");
  snprintf(command, sizeof command, "%s %s '%s'",
           program ? program : "build/tafl", arguments, path);
  FILE *pipe = popen(command, "r");
  json_t *values = json_array();
  assert_non_null(pipe);
  while (getline(&line, &room, pipe) >= 0) {
    json_error_t error;
    json_t *value = json_loads(line, 0, &error);
    if (!value) fail_msg("%s: %s in %s", command, error.text, line);
    json_array_append_new(values, value);
  }
  free(line);
  pclose(pipe);
  return values;
}

static void test_check(void **state) {
  (void)state;
  json_t *values = run("check --json games/ticTacToe.kif",
                       write_file("bad.kif", "(role r)\n (role)"));
  assert_int_equal(json_array_size(values), 2);
  const char *file, *severity, *id, *message;
  int valid, errors, warnings, line, column, games, finished;
  json_t *list;
  assert_int_equal(json_unpack(json_array_get(values, 0),
                               "{s:s, s:b, s:i, s:i, s:i, s:i, s:o !}", "file",
                               &file, "valid", &valid, "errors", &errors,
                               "warnings", &warnings, "random_games", &games,
                               "random_games_finished", &finished,
                               "diagnostics", &list),
                   0);
  assert_string_equal(file, "games/ticTacToe.kif");
  assert_true(valid && !errors && !warnings);
  assert_true(games > 0 && finished == games);
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
  assert_string_equal(message, "'role' takes 1 argument but has 0 here");
  json_decref(values);
}

/* No diagnostic is lost, whatever is in the names it mentions. Text that cannot
   be read has errors alone. */
static void check_names(const char *name, bool readable) {
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
  assert_true(errors > 0 && (warnings > 0) == readable);
  json_decref(values);
}

static void test_names(void **state) {
  (void)state;
  check_names("quote\"d", true);
  check_names("back\\slash", true);
  check_names("\xc3\xa5\xe2\x82\xac\xf0\x9f\x99\x82", true);
  check_names("\xff\xfe", false);
  check_names("\xed\xa0\x80", false);
  check_names("\xe2\x82", false);
  check_names("<tag>&'", true);
  char name[1600]; /* cut within a message, maybe within a letter */
  for (size_t shift = 0; shift < 3; shift++) {
    memset(name, 'x', shift);
    for (size_t i = shift; i + 3 < sizeof name; i += 3)
      memcpy(name + i, "\xe2\x82\xac", 4);
    check_names(name, true);
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

static const char *text_of(const json_t *value, const char *key) {
  return json_string_value(json_object_get(value, key));
}

static void test_bench_wide(void **state) {
  (void)state;
  json_t *values =
      run("bench --json --engine wide --credit --lanes 256 --isa plain "
          "--policy gibbs --threads 2 --seconds 0.1",
          "games/ticTacToe.kif");
  static const char *const numbers[] = {"seconds",
                                        "playouts_per_second",
                                        "states_per_second",
                                        "states_per_second_best",
                                        "states_per_second_median",
                                        "gates",
                                        "setup_seconds",
                                        "memory_bytes",
                                        "ended",
                                        "length_mean"};
  const json_t *line = json_array_get(values, 0);
  assert_int_equal(json_array_size(values), 1);
  assert_string_equal(text_of(line, "game"), "games/ticTacToe.kif");
  assert_string_equal(text_of(line, "engine"), "wide");
  assert_string_equal(text_of(line, "policy"), "gibbs");
  assert_string_equal(text_of(line, "isa"), "plain");
  assert_true(json_is_false(json_object_get(line, "jit")));
  assert_true(json_is_false(json_object_get(line, "record")));
  assert_true(json_is_true(json_object_get(line, "credit")));
  assert_int_equal(json_integer_value(json_object_get(line, "lanes")), 256);
  assert_int_equal(json_integer_value(json_object_get(line, "threads")), 2);
  for (size_t i = 0; i < LENGTH(numbers); i++)
    assert_true(json_number_value(json_object_get(line, numbers[i])) > 0);
  json_decref(values);
}

/* Games of the suite that are missing in the directory are errors on stderr. */
static void test_bench_suite(void **state) {
  (void)state;
  char command[256];
  snprintf(command, sizeof command, "cp games/ticTacToe.kif %s", folder);
  assert_int_equal(system(command), 0);
  json_t *values = run("bench --json --suite --seconds 0.1 2>&-", folder);
  static const char *const parts[] = {"gibbs_part_best", "gibbs_part_median",
                                      "credit_part_best", "credit_part_median"};
  assert_int_equal(json_array_size(values), 1);
  for (size_t i = 0; i < LENGTH(parts); i++) {
    double part =
        json_number_value(json_object_get(json_array_get(values, 0), parts[i]));
    assert_true(part > 0.01 && part < 10);
  }
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
  int games, wins, draws, losses, errors, cut_off, steps, pairs, faults;
  double rate, interval, low, high, goal, other, seconds;
  json_t *players;
  assert_int_equal(json_array_size(values), 1);
  assert_int_equal(
      json_unpack(json_array_get(values, 0),
                  "{s:s, s:[s, s !], s:i, s:i, s:i, s:i, s:F, s:F, s:[F, F !], "
                  "s:[F, F !], s:i, s:i, s:i, s:i, s:F, s:o, s:{s:i, s:s} !}",
                  "game", &game, "players", &first, &second, "games", &games,
                  "wins", &wins, "draws", &draws, "losses", &losses, "win_rate",
                  &rate, "interval95", &interval, "wilson95", &low, &high,
                  "mean_goals", &goal, &other, "errors", &errors, "faults",
                  &faults, "cut_off", &cut_off, "steps", &steps, "seconds",
                  &seconds, "by_player", &players, "sprt", "pairs", &pairs,
                  "decision", &decision),
      0);
  assert_string_equal(game, "games/ticTacToe.kif");
  assert_string_equal(first, "legal");
  assert_string_equal(second, "random");
  assert_string_equal(decision, "open");
  assert_int_equal(faults, 0);
  assert_true(games == 6 && pairs == 3 && !errors && !cut_off && steps >= 30);
  assert_int_equal(wins + draws + losses, 6);
  assert_true(rate == 100 * (wins + draws / 2.0) / 6 && interval > 0);
  assert_true(0 < low && low < rate && rate < high && high < 100);
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
  int number, one, other, steps, faults;
  json_t *moves, *scores;
  assert_int_equal(json_array_size(values), 3);
  assert_int_equal(
      json_unpack(json_array_get(values, 1),
                  "{s:i, s:[s, s !], s:[i, i !], s:o, s:s, s:i, s:s, s:i, s:o "
                  "!}",
                  "number", &number, "players_by_role", &first, &second,
                  "goals_by_role", &one, &other, "scores_by_role", &scores,
                  "end", &end, "steps", &steps, "error", &error, "faults",
                  &faults, "moves", &moves),
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

/* Unknown values are null: no scores of one player, no interval of one game. */
static void test_match_unknown(void **state) {
  (void)state;
  json_t *values =
      run("match --json --games 1 --players legal", "games/buttons.kif");
  json_t *summary = json_array_get(values, 0);
  assert_true(json_is_null(json_object_get(summary, "win_rate")));
  assert_true(json_is_null(json_object_get(summary, "interval95")));
  assert_true(json_is_null(json_object_get(summary, "wilson95")));
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
                               "tree", &word),
                   0);
  assert_string_equal(name, "cadia2007");
  assert_string_equal(word, "keep");
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
  assert_int_equal(json_unpack(json_array_get(settings, 2),
                               "{s:s, s:F, s:F, s:F}", "name", &name, "default",
                               &value, "least", &least, "most", &most),
                   0);
  assert_string_equal(name, "c");
  assert_true(value == 40 && least == 0 && most == 10000);
  json_decref(values);
}

/* ---- findings ---- */

/* Returns the member at a path of names and, in arrays, indices: "a.0.b". */
static json_t *member(json_t *value, const char *path) {
  char part[32];
  while (*path) {
    size_t length = strcspn(path, ".");
    snprintf(part, sizeof part, "%.*s", (int)length, path);
    value = json_is_array(value)
                ? json_array_get(value, strtoul(part, NULL, 10))
                : json_object_get(value, part);
    if (!value) fail_msg("nothing at '%s'", path);
    path += length + (path[length] == '.');
  }
  return value;
}

/* Checks that the member is this JSON, written with single quotes. */
static void expect_json(json_t *value, const char *path, const char *expected) {
  char text[512];
  snprintf(text, sizeof text, "%s", expected);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  json_t *wanted = json_loads(text, JSON_DECODE_ANY, NULL);
  assert_non_null(wanted);
  json_t *own = member(value, path);
  if (!json_equal(own, wanted)) {
    char *shown = json_dumps(own, JSON_ENCODE_ANY | JSON_COMPACT);
    fail_msg("%s is %s, not %s", path, shown, text);
  }
  json_decref(wanted);
}

static json_t *findings_of(const char *game, json_t **values) {
  *values = run("info --json", game);
  assert_int_equal(json_array_size(*values), 1);
  return member(json_array_get(*values, 0), "findings");
}

static void test_findings_of_a_board(void **state) {
  (void)state;
  json_t *values, *f = findings_of("games/breakthrough.kif", &values);
  expect_json(f, "turns.kind", "'taken'");
  expect_json(f, "turns.evidence", "'proved'");
  expect_json(f, "turns.roles.0.role", "'white'");
  expect_json(f, "turns.roles.0.moves", "155");
  expect_json(f, "turns.roles.0.waiting_moves", "1");
  expect_json(
      f, "turns.roles.1.turn_fluent",
      "{'fact': '(control black)', 'exact': true, 'evidence': 'proved'}");
  expect_json(f, "groups.0.facts", "['(control white)', '(control black)']");
  expect_json(f, "groups.0.varying", "[1]");
  expect_json(f, "groups.0.at_least_one", "'proved'");
  assert_int_equal(json_array_size(member(f, "groups")), 65);
  for (size_t i = 1; i < 65; i++) {
    json_t *group = json_array_get(member(f, "groups"), i);
    expect_json(group, "varying", "[3]");
    expect_json(group, "at_most_one", "'proved'");
    expect_json(group, "at_least_one", "'no'");
  }
  expect_json(f, "counters.0.cyclic", "true");
  expect_json(f, "ends", "null");
  expect_json(f, "goals.constant_sum", "100");
  expect_json(f, "goals.roles.1.most", "100");
  assert_int_equal(json_array_size(member(f, "boards")), 1);
  expect_json(f, "boards.0.predicate", "'cell'");
  expect_json(f, "boards.0.places", "64");
  expect_json(f, "boards.0.place_arguments", "[1, 2]");
  expect_json(f, "boards.0.piece_arguments", "[3]");
  expect_json(f, "boards.0.arguments.1",
              "{'names': 'place', 'order': 'numbers', 'values':"
              " ['1', '2', '3', '4', '5', '6', '7', '8']}");
  expect_json(f, "moves.0",
              "{'role': 'white', 'functor': 'move', 'arity': 4, 'count': 154,"
              " 'board': 'cell', 'from': 1, 'to': 3}");
  json_decref(values);
}

/* Two squares that are marked at once, a latch each, and a step. */
static const char *const steps =
    "(role a) (role b) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
    "(<= (legal ?r mark) (role ?r)) (<= (legal ?r wait) (role ?r))"
    "(<= (next (marked ?r)) (true (marked ?r)))"
    "(<= (next (marked ?r)) (does ?r mark))"
    "(<= (goal ?r 80) (true (marked ?r)))"
    "(<= (goal ?r 20) (role ?r) (not (true (marked ?r))))"
    "(<= terminal (true (step 4)))";

static void test_findings_of_steps(void **state) {
  (void)state;
  json_t *values, *f = findings_of(write_file("steps.kif", steps), &values);
  expect_json(f, "turns.kind", "'simultaneous'");
  expect_json(f, "counters",
              "[{'facts': ['(step 1)', '(step 2)', '(step 3)', '(step 4)'],"
              " 'cyclic': false, 'advances': 'proved', 'ends': 'proved'}]");
  expect_json(f, "ends", "{'within_steps': 3, 'evidence': 'proved'}");
  json_t *latches = member(f, "latches.stay_true");
  for (size_t i = 0; i < json_array_size(latches); i++)
    expect_json(json_array_get(latches, i), "evidence", "'proved'");
  assert_int_equal(json_array_size(latches), 3); /* (step 4) too */
  assert_int_equal(json_array_size(member(f, "subgames.parts")), 2);
  expect_json(f, "subgames.autonomous_facts", "4");
  expect_json(f, "subgames.parts.1.facts", "['(marked b)']");
  expect_json(f, "subgames.parts.1.moves", "1"); /* waiting is in none */
  expect_json(f, "goals.disjoint", "true");
  expect_json(f, "goals.roles.1",
              "{'role': 'b', 'least': 20, 'most': 80, 'one_at_a_time':"
              " 'proved', 'parts': [2]}");
  expect_json(f, "goals.constant_sum", "null");
  expect_json(f, "boards", "[]");
  json_decref(values);
}

/* Without a net there are no findings; with too little memory, a reason. */
static void test_findings_missing(void **state) {
  (void)state;
  json_t *values = run("info --json --engine rules", "games/ticTacToe.kif");
  expect_json(values, "0.findings", "null");
  expect_json(values, "0.engine", "'rules'");
  json_decref(values);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_perft),
      cmocka_unit_test(test_bench),
      cmocka_unit_test(test_bench_wide),
      cmocka_unit_test(test_bench_suite),
      cmocka_unit_test(test_info),
      cmocka_unit_test(test_match),
      cmocka_unit_test(test_match_games),
      cmocka_unit_test(test_match_unknown),
      cmocka_unit_test(test_agents),
      cmocka_unit_test(test_findings_of_a_board),
      cmocka_unit_test(test_findings_of_steps),
      cmocka_unit_test(test_findings_missing),
  };
  return cmocka_run_group_tests_name("json", tests, set_up, tear_down);
}
