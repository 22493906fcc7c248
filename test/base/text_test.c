/* Growing strings, and reading whole files: the size limit, and the errors for
   a missing file, a directory, or a file that cannot be read. */
#include "base/text.h"

#include <unistd.h>

#include "support/unit.h"

static void test_empty(void **state) {
  (void)state;
  Text text = {0};
  assert_string_equal(text_string(&text), "");
  text_clear(&text);
  assert_string_equal(text_string(&text), "");
  text_add(&text, "");
  assert_string_equal(text_string(&text), "");
  assert_int_equal(text.length, 0);
  text_free(&text);
}

static void test_add_every_way(void **state) {
  (void)state;
  Text text = {0};
  text_add(&text, "cell");
  text_add_byte(&text, ' ');
  text_add_bytes(&text, "12345", 3);
  text_format(&text, " %s-%d", "x", -7);
  assert_string_equal(text_string(&text), "cell 123 x--7");
  assert_int_equal(text.length, 13);
  text_clear(&text);
  assert_string_equal(text_string(&text), "");
  text_format(&text, "%u", 9u);
  assert_string_equal(text_string(&text), "9");
  text_free(&text);
  assert_null(text.bytes);
}

static void test_keeps_nul_bytes(void **state) {
  (void)state;
  Text text = {0};
  text_add_bytes(&text, "a\0b", 3);
  text_add_byte(&text, 'c');
  assert_int_equal(text.length, 4);
  assert_memory_equal(text.bytes, "a\0bc", 5);
  text_free(&text);
}

/* All lengths, among them those at which the memory has to grow. */
static void test_grows_to_any_length(void **state) {
  (void)state;
  Text bytes = {0}, formatted = {0};
  for (int i = 0; i < 5000; i++) {
    text_add_byte(&bytes, (char)('a' + i % 26));
    text_format(&formatted, "%c", 'a' + i % 26);
    assert_int_equal(strlen(bytes.bytes), i + 1);
    assert_int_equal(strlen(formatted.bytes), i + 1);
  }
  assert_string_equal(bytes.bytes, formatted.bytes);
  for (size_t i = 0; i < 5000; i++)
    assert_int_equal(bytes.bytes[i], 'a' + i % 26);
  text_clear(&formatted);
  text_format(&formatted, "%s%s", bytes.bytes, bytes.bytes);
  assert_int_equal(formatted.length, 10000);
  text_free(&bytes);
  text_free(&formatted);
}

/* ---- files ---- */

static char path[] = "/tmp/tafl-text-XXXXXX";

static int make_file(void **state) {
  (void)state;
  strcpy(path + sizeof path - 7, "XXXXXX");
  int file = mkstemp(path);
  if (file < 0) return -1;
  bool fine = write(file, "line one\n\0two\n", 14) == 14;
  return close(file) || !fine;
}

static int remove_file(void **state) {
  (void)state;
  return unlink(path);
}

static void test_read_file(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  text_add(&text, "before ");
  assert_true(text_read_file(&text, path, 1000, &error));
  assert_int_equal(text.length, 7 + 14);
  assert_memory_equal(text.bytes, "before line one\n\0two\n", 22);
  assert_int_equal(error.length, 0);
  text_free(&text);
}

static void test_read_limit(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  assert_true(text_read_file(&text, path, 14, &error));
  text_clear(&text);
  assert_false(text_read_file(&text, path, 13, &error));
  assert_string_equal(text_string(&error), "larger than the limit of 13 bytes");
  text_free(&text);
  text_free(&error);
}

/* Reading an endless file stops soon after the limit. */
static void test_read_endless(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  assert_false(text_read_file(&text, "/dev/zero", 1000, &error));
  assert_string_equal(text_string(&error),
                      "larger than the limit of 1000 bytes");
  assert_true(text.length <= 1 << 17);
  text_free(&text);
  text_free(&error);
}

static void test_read_missing(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  assert_false(text_read_file(&text, "/nonexistent/game.kif", 10, &error));
  assert_string_equal(text_string(&error), "No such file or directory");
  text_free(&text);
  text_free(&error);
}

static void test_read_directory(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  assert_false(text_read_file(&text, "/tmp", 10, &error));
  assert_string_equal(text_string(&error), "is a directory");
  text_free(&text);
  text_free(&error);
}

/* Opens, but every read fails. */
static void test_read_error(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  if (access("/proc/self/mem", R_OK) != 0) skip();
  assert_false(text_read_file(&text, "/proc/self/mem", 10, &error));
  assert_string_equal(text_string(&error), "Input/output error");
  text_free(&text);
  text_free(&error);
}

static void test_read_standard_input(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  assert_non_null(freopen(path, "rb", stdin));
  assert_true(text_read_file(&text, "-", 14, &error));
  assert_int_equal(text.length, 14);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_empty),
      cmocka_unit_test(test_add_every_way),
      cmocka_unit_test(test_keeps_nul_bytes),
      cmocka_unit_test(test_grows_to_any_length),
      cmocka_unit_test(test_read_file),
      cmocka_unit_test(test_read_limit),
      cmocka_unit_test(test_read_endless),
      cmocka_unit_test(test_read_missing),
      cmocka_unit_test(test_read_directory),
      cmocka_unit_test(test_read_error),
      cmocka_unit_test(test_read_standard_input),
  };
  return cmocka_run_group_tests_name("text", tests, make_file, remove_file);
}
