/* Export and import: a database that was imported exports the same text, and
   whatever is wrong with a line keeps the whole file out, with its place. */
#include <math.h>

#include "store/export.h"
#include "store/import.h"
#include "support/games.h"
#include "support/results.h"

static const char key[] = "{\"game\":\"duel\",\"play\":0.25,\"players\":"
                          "[\"cadia2007:c=30\",\"random\"],\"start\":0,"
                          "\"unit\":\"seconds\"}";

/* Two experiments that share a series, and one series of no experiment. */
static Results *make_database(const char *name) {
  Results *results = results_make(name);
  int64_t one = results_make_series(results, key);
  int64_t two = results_make_series(results, "{\"players\":[\"cadia2007:c=30\","
                                             "\"random\"],\"seed\":2}");
  int64_t three =
      results_make_series(results, "{\"players\":[\"cadia2007:c=30\","
                                   "\"random\"],\"seed\":3}");
  int64_t a = results_experiment(results, "lab", "a", "{\"seed\":2}");
  int64_t b = results_experiment(results, "tour", "b", "two\nlines \"x\", y");
  assert_true(results_add_part(results, a, one, 0));
  assert_true(results_add_part(results, a, two, 1));
  assert_true(results_add_part(results, b, two, 7));
  for (uint32_t i = 4; i-- > 0;) {
    assert_true(results_make_match(results, one, i));
    if (i) assert_true(results_make_match(results, two, i));
  }
  ResultsSide side = {.agent = 1, .goal = (double)NAN, .found = "explore"};
  ResultsMatch match = {.version = "a, \"b\"\nc",
                        .error = "no\\move",
                        .end = MATCH_FAILED,
                        .seconds = 1.0 / 3,
                        .sides = &side,
                        .side_count = 1,
                        .number = 7};
  assert_true(results_add_match(results, three, &match, NULL));
  return results;
}

static void write_export(Results *results, const char *name, bool csv,
                         Text *out) {
  char *bytes = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&bytes, &length);
  TextVector names = {0};
  Text error = {0}, own = {0};
  if (name) {
    text_add(&own, name);
    vector_push(&names, own);
  }
  if (!(csv ? export_csv : export_json)(results, &names, file, &error))
    fail_msg("%s", text_string(&error));
  fclose(file);
  text_add_bytes(out, bytes, length);
  free(bytes);
  text_vector_free(&names);
}

static bool read_import(Results *results, const char *text, size_t length,
                        ImportCount *count, Text *error) {
  FILE *file = fmemopen((char *)text, length, "r");
  assert_non_null(file);
  bool fine = import_read(results, file, "file", count, error);
  fclose(file);
  return fine;
}

static uint32_t count_lines(const Text *text) {
  uint32_t count = 0;
  for (size_t i = 0; i < text->length; i++) count += text->bytes[i] == '\n';
  return count;
}

static void expect_import(Results *results, const Text *text, uint64_t matches,
                          uint64_t kept) {
  ImportCount count = {0};
  Text error = {0};
  if (!read_import(results, text->bytes, text->length, &count, &error))
    fail_msg("%s", text_string(&error));
  assert_int_equal(count.matches, matches);
  assert_int_equal(count.kept, kept);
}

static void test_round(void **state) {
  (void)state;
  Results *from = make_database("from.db"), *to = results_make("to.db");
  Text first = {0}, second = {0};
  write_export(from, NULL, false, &first);
  assert_int_equal(count_lines(&first), 1 + 1 + 2 + 8); /* 8 matches */
  expect_import(to, &first, 8, 0);
  write_export(to, NULL, false, &second);
  assert_string_equal(text_string(&second), text_string(&first));
  expect_import(to, &first, 0, 8);
  text_clear(&second);
  write_export(to, NULL, false, &second);
  assert_string_equal(text_string(&second), text_string(&first));
  /* What the games are is the same, but for how long they took. */
  results_expect(to, "SELECT count(*) FROM moves", "14\n");
  results_expect(to, "SELECT DISTINCT found FROM sides ORDER BY 1",
                 "\nexplore\n");
  results_expect(to,
                 "SELECT id FROM experiments WHERE kind = 'lab' AND name = 'a' "
                 "AND specification = '{\"seed\":2}'",
                 "1\n");
  results_close(from);
  results_close(to);
  text_free(&first);
  text_free(&second);
}

static void test_chosen(void **state) {
  (void)state;
  Results *from = make_database("chosen.db"), *to = results_make("part.db");
  Text all = {0}, a = {0}, b = {0}, again = {0};
  write_export(from, NULL, false, &all);
  write_export(from, "a", false, &a);
  write_export(from, "b", false, &b);
  assert_int_equal(count_lines(&a), 1 + 1 + 1 + 7);
  assert_int_equal(count_lines(&b), 1 + 1 + 1 + 3);
  expect_import(to, &b, 3, 0);
  write_export(to, NULL, false, &again);
  assert_string_equal(text_string(&again), text_string(&b));
  expect_import(to, &a, 4, 3);
  expect_import(to, &all, 1, 7);
  text_clear(&again);
  write_export(to, NULL, false, &again);
  assert_string_equal(text_string(&again), text_string(&all));
  TextVector names = {0};
  Text name = {0}, error = {0};
  text_add(&name, "c");
  vector_push(&names, name);
  assert_false(export_json(from, &names, stdout, &error));
  assert_string_equal(text_string(&error), "there is no experiment 'c'");
  text_vector_free(&names);
  text_free(&error);
  text_free(&all);
  text_free(&a);
  text_free(&b);
  text_free(&again);
  results_close(from);
  results_close(to);
}

static void test_csv(void **state) {
  (void)state;
  Results *from = make_database("csv.db");
  Text text = {0};
  write_export(from, "b", true, &text);
  assert_int_equal(count_lines(&text), 1 + 2 * 3);
  const char *line = strchr(text.bytes, '\n') + 1;
  assert_int_equal(strncmp(line, "duel,", 5), 0);
  assert_non_null(strstr(line, ",1,fedcba9876543211,1.2.3 (abc),"));
  assert_non_null(strstr(line, ",cadia2007:c=30,\""));
  text_clear(&text);
  write_export(from, NULL, true, &text);
  assert_non_null(strstr(text.bytes, ",\"a, \"\"b\"\"\nc\","));
  assert_non_null(strstr(text.bytes, ",seconds,0.25,0,0,"));
  text_free(&text);
  results_close(from);
}

/* ---- what is wrong ---- */

/* Replaces what stands in the text once. */
static void replace(const Text *text, const char *old, const char *new,
                    Text *out) {
  const char *at = strstr(text->bytes, old);
  if (!at) fail_msg("there is no '%s'", old);
  text_clear(out);
  text_add_bytes(out, text->bytes, (size_t)(at - text->bytes));
  text_add(out, new);
  text_add(out, at + strlen(old));
}

static void test_wrong(void **state) {
  (void)state;
  static const struct {
    const char *old, *new, *why;
  } cases[] = {
      {"{\"type\":\"tafl\"", "{\"type\":\"other\"", "file:1: this is no file"},
      {"\"version\":1,", "\"version\":9,", "file:1: version 9"},
      {"\"type\":\"game\"", "\"type\":\"tafl\"", "file:2: the first line"},
      {"\"type\":\"game\"", "\"type\":\"x\"", "file:2: type"},
      {"\"rules\":\"(role x)", "\"rules\":\"(role x", "file:2: rules"},
      {"\"rules\":\"(role x) ", "\"rules\":\"(role x) (other x) ",
       "file:2: hash"},
      {"\"rules\"", "\"rule\"", "file:2: rules: expected a text"},
      {"\"made\":\"2", "\"made\":\"x", "file:3: made: expected a time"},
      {"\"place\":1", "\"place\":-1", "file:3: place"},
      {"\"parts\":[", "\"parts\":[3,", "file:3: place"},
      {"\"number\":0,", "\"number\":0.5,", "file:5: number"},
      {"\"number\":0,", "\"number\":99999999999,", "file:5: number"},
      {"\"seed\":\"f", "\"seed\":\"F", "file:5: seed"},
      {"\"ending\":\"ended\"", "\"ending\":\"stopped\"", "file:5: ending"},
      {"\"steps\":1", "\"steps\":null", "file:5: steps"},
      {"\"role\":0", "\"role\":1", "file:5: role: expected one after"},
      {"\"player\":0", "\"player\":1", "file:5: agent: expected that of"},
      {"\"agent\":\"random", "\"agent\":\"randon", "file:5: agent"},
      {"\"score\":1.0", "\"score\":0.7", "file:5: score"},
      {"\"states\":21", "\"states\":\"21\"", "file:5: states"},
      {"\"moves\":[[0,0,\"a\"", "\"moves\":[[0,1,\"a\"",
       "file:5: moves: expected steps and roles in order"},
      {"\"moves\":[[0,0,\"a\"", "\"moves\":[[0,2,\"a\"", "file:5: moves"},
      {"\"moves\":[[0,0,\"a\"", "\"moves\":[[0,0,7", "file:5: moves"},
      {"\"moves\":[[0,0,\"a\",0.25", "\"moves\":[[0,0,\"a\",null",
       "file:5: seconds"},
      {"\"sides\":[{\"role\":0", "\"sides\":[],\"x\":[{\"role\":0",
       "file:5: sides"},
      {"\"unit\":\"seconds\"}", "\"unit\":\"seconds\"", "file:3: "},
      {"\"found\":\"explore\"", "\"found\":\"expl", "file:12: "},
      {"\"number\":7,", "\"number\":7,\"number\":7,", "file:12: duplicate"},
  };
  Results *from = make_database("right.db"), *to = results_make("wrong.db");
  Text all = {0}, text = {0};
  write_export(from, NULL, false, &all);
  for (size_t i = 0; i < LENGTH(cases); i++) {
    ImportCount count = {0};
    Text error = {0};
    replace(&all, cases[i].old, cases[i].new, &text);
    assert_false(read_import(to, text.bytes, text.length, &count, &error));
    if (strncmp(text_string(&error), cases[i].why, strlen(cases[i].why)) != 0)
      fail_msg("%s: '%s' instead of '%s'", cases[i].new, text_string(&error),
               cases[i].why);
    assert_int_equal(count.matches, 0);
    results_expect(to,
                   "SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM "
                   "matches), (SELECT count(*) FROM agents), "
                   "(SELECT count(*) FROM series)",
                   "0|0|0|0\n");
    text_free(&error);
  }
  text_free(&all);
  text_free(&text);
  results_close(from);
  results_close(to);
}

/* A file that is cut off anywhere but at the end of a line is refused. */
static void test_cut(void **state) {
  (void)state;
  Results *from = make_database("whole.db"), *to = results_make("cut.db");
  Text all = {0};
  write_export(from, NULL, false, &all);
  for (size_t length = all.length - 2; length > all.length - 400; length -= 7) {
    ImportCount count = {0};
    Text error = {0};
    bool fine = read_import(to, all.bytes, length, &count, &error);
    assert_true(fine ==
                (all.bytes[length - 1] == '\n' || all.bytes[length] == '\n'));
    text_free(&error);
    if (fine) break;
    results_expect(to, "SELECT count(*) FROM games", "0\n");
  }
  Text error = {0};
  FILE *empty = fopen("/dev/null", "r");
  ImportCount count = {0};
  assert_false(import_read(to, empty, "nothing", &count, &error));
  assert_string_equal(text_string(&error), "nothing: the file is empty");
  fclose(empty);
  text_free(&error);
  text_free(&all);
  results_close(from);
  results_close(to);
}

static int remove_all(void **state) {
  (void)state;
  results_remove();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round), cmocka_unit_test(test_chosen),
      cmocka_unit_test(test_csv),   cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_cut),
  };
  return cmocka_run_group_tests(tests, NULL, remove_all);
}
