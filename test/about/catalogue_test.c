/* Games as files: names, files, and words for people. */
#include "about/catalogue.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support/unit.h"

static void expect_name(const char *rules, const char *name,
                        const char *title) {
  Text made = {0};
  catalogue_name(rules, name, &made);
  assert_string_equal(text_string(&made), title);
  text_free(&made);
}

static void test_name(void **state) {
  (void)state;
  expect_name(";; Chess\n;;\n;; Two players\n(role x)", "chess", "Chess");
  expect_name(";; Checkers (with free captures)\n", "checkers", "Checkers");
  expect_name(";; State space, large\n", "stateSpaceLarge", "State space");
  expect_name(";; blocksWorld - three blocks\n", "blocksWorld", "Blocks World");
  expect_name("(role x)", "knights_tour", "Knights tour");
  expect_name(";;; Tic-Tac-Toe ;;;\n", "ticTacToe", "Tic-Tac-Toe");
  expect_name("; a remark that is no title\n(role x)", "nim", "Nim");
  expect_name("(role x)", "", "");
}

static void expect_words(const char *rules, const char *name,
                         const char *joined, const char *summary) {
  TextVector words = {0};
  Text all = {0}, made = {0};
  catalogue_words(rules, name, &words);
  for (uint32_t i = 0; i < words.count; i++)
    text_format(&all, "%s%s", i ? "|" : "", words.data[i].bytes);
  assert_string_equal(text_string(&all), joined);
  catalogue_summary(&words, &made);
  assert_string_equal(text_string(&made), summary);
  text_vector_free(&words);
  text_free(&all);
  text_free(&made);
}

static void test_words(void **state) {
  (void)state;
  expect_words("(role x)", "x", "", "");
  expect_words(";; Nim\n;;\n;; Take some. Win.\n;; serves: none\n;; like: x\n",
               "nim", "Take some. Win.", "Take some. Win.");
  expect_words(";; hanoi - the towers\n;; rules: put discs.\n", "hanoi",
               "The towers|Rules: put discs.", "The towers");
  expect_words(";; X\n;;\n;; Two players.\n;;\n"
               ";; In turn they put a stone on an empty place. Whoever has five"
               " wins. More.\n",
               "x",
               "Two players.|In turn they put a stone on an empty place. "
               "Whoever has five wins. More.",
               "In turn they put a stone on an empty place. Whoever has five "
               "wins.");
}

static void test_summary_is_cut_behind_a_word(void **state) {
  (void)state;
  TextVector words = {0};
  Text one = {0}, made = {0};
  for (int i = 0; i < 60; i++) text_add(&one, "wörter, ");
  vector_push(&words, one);
  catalogue_summary(&words, &made);
  assert_true(made.length < 200);
  assert_string_equal(made.bytes + made.length - strlen("wörter…"), "wörter…");
  text_vector_free(&words);
  text_free(&made);
}

static void test_file(void **state) {
  (void)state;
  char root[] = "/tmp/tafl-catalogue-XXXXXX";
  assert_non_null(mkdtemp(root));
  TextVector directories = {0}, names = {0};
  Text directory = {0}, path = {0}, error = {0};
  text_add(&directory, root);
  vector_push(&directories, directory);
  static const char *const files[] = {"b.kif", "A.kif", ".hidden.kif", "c.txt"};
  for (size_t i = 0; i < LENGTH(files); i++) {
    text_clear(&path);
    text_format(&path, "%s/%s", root, files[i]);
    assert_true(file_replace(path.bytes, "", 0, &error));
  }
  catalogue_names(root, ".kif", &names);
  assert_int_equal(names.count, 2);
  assert_string_equal(names.data[0].bytes, "A");
  assert_true(catalogue_file(&directories, "b", &path));
  static const char *const wrong[] = {"",    ".",     "..", ".hidden",
                                      "B",   "b.kif", "/b", "../tmp",
                                      "./b", "b\n",   "c"};
  for (size_t i = 0; i < LENGTH(wrong); i++)
    assert_false(catalogue_file(&directories, wrong[i], &path));
  for (size_t i = 0; i < LENGTH(files); i++) {
    text_clear(&path);
    text_format(&path, "%s/%s", root, files[i]);
    unlink(path.bytes);
  }
  rmdir(root);
  text_vector_free(&directories);
  text_vector_free(&names);
  text_free(&path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_name),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_summary_is_cut_behind_a_word),
      cmocka_unit_test(test_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
