/* Tables by name: the folder at hand before the user's before the program's
   own; names that are alike; what is said about names that are not found. */
#include "command/find.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/unit.h"

static char top[] = "/tmp/tafl-find-XXXXXX";

static void make_folder(const char *path) {
  if (mkdir(path, 0700) != 0) fail_msg("cannot make %s", path);
}

static void make_file(const char *path) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fclose(file);
}

/* Two folders of tables that have one name in common. */
static int set_up(void **state) {
  (void)state;
  assert_non_null(mkdtemp(top));
  assert_int_equal(chdir(top), 0);
  make_folder("tables");
  make_folder("data");
  make_folder("data/tafl");
  make_folder("data/tafl/tables");
  make_file("tables/one-1.json");
  make_file("tables/notes.txt");
  make_file("data/tafl/tables/one-1.json");
  make_file("data/tafl/tables/two-2.json");
  Text data = {0};
  text_format(&data, "%s/data", top);
  setenv("XDG_DATA_HOME", data.bytes, 1);
  text_free(&data);
  return 0;
}

static int clean_up(void **state) {
  (void)state;
  Text command = {0};
  text_format(&command, "rm -rf '%s'", top);
  int code = system(command.bytes);
  text_free(&command);
  return code;
}

/* Checks that a name is found in a file that ends like this. */
static void assert_found(const char *name, const char *end) {
  Text path = {0}, error = {0};
  if (!find_table(name, &path, &error)) fail_msg("%s", error.bytes);
  size_t length = strlen(end);
  if (path.length < length ||
      strcmp(path.bytes + path.length - length, end) != 0)
    fail_msg("%s is %s", name, path.bytes);
  assert_null(error.bytes);
  text_free(&path);
}

static void test_names(void **state) {
  (void)state;
  assert_found("one-1", "tables/one-1.json");
  assert_found("one-1.json", "tables/one-1.json");
  assert_found("ONE_1", "tables/one-1.json");
  assert_found("two-2", "data/tafl/tables/two-2.json");
  assert_found("two2", "data/tafl/tables/two-2.json");
  assert_found("thesis-5.1", "/tables/thesis-5.1.json"); /* of the program */
  assert_found("data/none.json", "data/none.json");      /* taken as it is */
}

static void test_unknown(void **state) {
  (void)state;
  Text path = {0}, error = {0};
  assert_false(find_table("two-3", &path, &error));
  assert_non_null(strstr(error.bytes, "no file or table 'two-3'"));
  assert_non_null(strstr(error.bytes, "did you mean 'two-2'"));
  assert_non_null(strstr(error.bytes, "\nTables (see tafl lab list) were"));
  assert_non_null(strstr(error.bytes, "\n  tables\n"));
  text_free(&path);
  text_free(&error);
}

static void test_all(void **state) {
  (void)state;
  TextVector paths = {0};
  find_tables(&paths);
  assert_true(paths.count >= 2 + 17);
  assert_string_equal(paths.data[0].bytes, "tables/one-1.json");
  assert_non_null(strstr(paths.data[1].bytes, "/two-2.json"));
  for (uint32_t i = 0; i < paths.count; i++) {
    assert_int_equal(access(paths.data[i].bytes, R_OK), 0);
    for (uint32_t j = 0; j < i; j++)
      assert_string_not_equal(strrchr(paths.data[i].bytes, '/'),
                              strrchr(paths.data[j].bytes, '/'));
  }
  text_vector_free(&paths);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_unknown),
                                     cmocka_unit_test(test_all)};
  return cmocka_run_group_tests(tests, set_up, clean_up);
}
