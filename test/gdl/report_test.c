/* Diagnostics: places in lines and characters, the shown line with its caret
   (tabs, UTF-8, control characters, long lines), order, and bounded memory. */
#include "gdl/report.h"

#include "support/unit.h"

static Source source;
static Report report;

static void begin(const char *text) {
  source_init(&source, "file", text, strlen(text));
  report_init(&report, &source);
}

static void end(void) {
  report_free(&report);
  source_free(&source);
}

static void check_place(uint32_t offset, uint32_t line, uint32_t column) {
  Place place = source_place(&source, offset);
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
  assert_int_equal(source_line(&source, offset), line);
}

static void check_written(bool errors_only, const char *expected) {
  Text text = {0};
  report_write(&report, errors_only, &text);
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

static void test_places(void **state) {
  (void)state;
  begin("ab\n\ncd\r\ne");
  check_place(0, 1, 1);
  check_place(1, 1, 2);
  check_place(2, 1, 3); /* the line's end belongs to it */
  check_place(3, 2, 1);
  check_place(4, 3, 1);
  check_place(5, 3, 2);
  check_place(8, 4, 1);
  check_place(9, 4, 2); /* the end of the text */
  end();
  begin("");
  check_place(0, 1, 1);
  end();
}

static void test_columns_are_characters(void **state) {
  (void)state;
  begin("\xc3\xa5\xe2\x82\xac\xf0\x9f\x99\x82x\n\tx");
  check_place(0, 1, 1);
  check_place(2, 1, 2);
  check_place(5, 1, 3);
  check_place(9, 1, 4);
  check_place(12, 2, 2);
  end();
}

static void test_form(void **state) {
  (void)state;
  begin("(role x)\n(role y z)\n");
  report_error(&report, 9, "arity", "'%s' takes %d", "role", 1);
  check_written(false, "file:2:1: error: 'role' takes 1 [arity]\n"
                       "  (role y z)\n  ^\n");
  end();
}

static void test_caret(void **state) {
  (void)state;
  begin("\t(a\tb) c\r\nx");
  report_warning(&report, 4, "i", "m"); /* b */
  check_written(false, "file:1:5: warning: m [i]\n"
                       "  \t(a\tb) c\n  \t  \t^\n");
  end();
  begin("(\xc3\xa5\xe2\x82\xac x)");
  report_warning(&report, 7, "i", "m"); /* x */
  check_written(false, "file:1:5: warning: m [i]\n"
                       "  (\xc3\xa5\xe2\x82\xac x)\n      ^\n");
  end();
  begin("a\x01\x7f\x1b[31mb");
  report_warning(&report, 8, "i", "m"); /* no escape sequence gets through */
  check_written(false, "file:1:9: warning: m [i]\n  a???[31mb\n          ^\n");
  end();
  begin("ab");
  report_warning(&report, 2, "i", "m"); /* the end of the text */
  check_written(false, "file:1:3: warning: m [i]\n  ab\n    ^\n");
  end();
}

/* Of a long line, whole characters around the caret are shown. */
static void test_long_line(void **state) {
  (void)state;
  Text text = {0}, out = {0};
  for (int i = 0; i < 1000; i++) text_add(&text, "\xc3\xa5");
  text_add_byte(&text, 'X');
  for (int i = 0; i < 1000; i++) text_add(&text, "\xe2\x82\xac");
  begin(text.bytes);
  report_error(&report, 2000, "i", "m");
  report_write(&report, false, &out);
  char *line = strchr(out.bytes, '\n') + 1, *caret = strchr(line, '\n') + 1;
  assert_int_equal(strncmp(out.bytes, "file:1:1001: ", 13), 0);
  assert_true(out.length < 500);
  size_t column = 0;
  for (char *c = line + 2; *c != 'X'; c++) {
    assert_true(*c == '\xc3' || *c == '\xa5');
    column += *c == '\xc3';
  }
  assert_int_equal(line[2], '\xc3');
  assert_int_equal(memcmp(caret - 4, "\xe2\x82\xac\n", 4), 0);
  assert_int_equal(strlen(caret), 2 + column + 2);
  assert_int_equal(caret[2 + column], '^');
  end();
  text_free(&text);
  text_free(&out);
}

static void test_order(void **state) {
  (void)state;
  begin("abc\nd");
  report_warning(&report, 4, "w", "last");
  report_warning(&report, 1, "a", "third");
  report_error(&report, 1, "z", "second");
  report_error(&report, 0, "z", "first");
  check_written(false, "file:1:1: error: first [z]\n  abc\n  ^\n"
                       "file:1:2: error: second [z]\n  abc\n   ^\n"
                       "file:1:2: warning: third [a]\n  abc\n   ^\n"
                       "file:2:1: warning: last [w]\n  d\n  ^\n");
  check_written(true, "file:1:1: error: first [z]\n  abc\n  ^\n"
                      "file:1:2: error: second [z]\n  abc\n   ^\n");
  assert_int_equal(report.errors, 2);
  assert_int_equal(report.warnings, 2);
  end();
}

static void test_reported_once(void **state) {
  (void)state;
  begin("abc");
  for (int i = 0; i < 5; i++) {
    report_error(&report, 1, "i", "m");
    report_error(&report, 1, "i", "n");
    report_error(&report, 2, "i", "m");
    report_error(&report, 1, "j", "m");
  }
  assert_int_equal(report.errors, 4);
  assert_int_equal(report.list.count, 4);
  end();
}

static void test_limit(void **state) {
  (void)state;
  begin("abc");
  for (int i = 0; i < REPORT_LIMIT + 7; i++)
    report_error(&report, 0, "i", "%d", i);
  for (int i = 0; i < REPORT_LIMIT; i++)
    report_warning(&report, 0, "w", "%d", i);
  assert_int_equal(report.errors, REPORT_LIMIT + 7);
  assert_int_equal(report.warnings, REPORT_LIMIT);
  assert_int_equal(report.list.count, 2 * REPORT_LIMIT);
  Text text = {0};
  report_write(&report, false, &text);
  assert_non_null(strstr(text.bytes, "\nfile: 7 more errors not shown\n"));
  assert_null(strstr(text.bytes, "more warnings"));
  text_free(&text);
  end();
}

static void test_long_message(void **state) {
  (void)state;
  char name[2000];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  begin("a");
  report_error(&report, 0, "i", "%s", name);
  const char *message = report.list.data[0].message;
  assert_true(strlen(message) < 600);
  assert_string_equal(message + strlen(message) - 4, "x...");
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_columns_are_characters),
      cmocka_unit_test(test_form),
      cmocka_unit_test(test_caret),
      cmocka_unit_test(test_long_line),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_reported_once),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_long_message),
  };
  return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
