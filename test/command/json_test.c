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

/* The suite's games that a directory has; others are missed on stderr. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_check),      cmocka_unit_test(test_names),
      cmocka_unit_test(test_perft),      cmocka_unit_test(test_bench),
      cmocka_unit_test(test_bench_wide), cmocka_unit_test(test_bench_suite),
      cmocka_unit_test(test_info),
  };
  return cmocka_run_group_tests_name("json", tests, set_up, tear_down);
}
