/* Tokens with their places: every kind, comments, all white space, the end of
   the text, valid and invalid UTF-8, control characters. */
#include "gdl/lex.h"

#include "support/unit.h"

/* Writes the text's tokens in order: ( ) word ?variable, each with its offset.
 */
static void write_tokens(const char *text, size_t length, Report *report,
                         Source *source, Text *out) {
  source_init(source, "text", text, length);
  report_init(report, source);
  Lexer lexer = {source, report, 0};
  for (;;) {
    Token token = lex_next(&lexer);
    text_format(out, "%s%u", out->length ? " " : "", token.offset);
    switch (token.kind) {
    case TOKEN_END: text_add(out, "."); return;
    case TOKEN_OPEN: text_add(out, "("); break;
    case TOKEN_CLOSE: text_add(out, ")"); break;
    case TOKEN_WORD: text_add(out, "w:"); break;
    case TOKEN_VARIABLE: text_add(out, "v:"); break;
    }
    if (token.kind == TOKEN_WORD || token.kind == TOKEN_VARIABLE)
      text_add_bytes(out, text + token.offset, token.length);
    else
      assert_int_equal(token.length, 1);
  }
}

/* Errors are written "OFFSET message;" after the tokens. */
static void check_bytes(const char *text, size_t length, const char *expected) {
  Source source;
  Report report;
  Text out = {0};
  write_tokens(text, length, &report, &source, &out);
  for (uint32_t i = 0; i < report.list.count; i++) {
    assert_string_equal(report.list.data[i].id, "syntax");
    text_format(&out, " | %u %s", report.list.data[i].offset,
                report.list.data[i].message);
  }
  assert_string_equal(text_string(&out), expected);
  text_free(&out);
  report_free(&report);
  source_free(&source);
}

static void check(const char *text, const char *expected) {
  check_bytes(text, strlen(text), expected);
}

static void test_every_kind(void **state) {
  (void)state;
  check("", "0.");
  check("(a ?b)", "0( 1w:a 3v:?b 5) 6.");
  check("a", "0w:a 1.");
  check("))((", "0) 1) 2( 3( 4.");
  check("a(b)c", "0w:a 1( 2w:b 3) 4w:c 5.");
  check("<= -1.5 a?b ?x?y", "0w:<= 3w:-1.5 8w:a?b 12v:?x?y 16.");
  check("\"a b\" 'c |d|", "0w:\"a 3w:b\" 6w:'c 9w:|d| 12.");
}

static void test_blanks_and_comments(void **state) {
  (void)state;
  check(" \t\r\n\f\va \n", "6w:a 9.");
  check("a;b\nc", "0w:a 4w:c 5.");
  check("; only a comment", "16.");
  check(";;\n;x\n(;)\n)", "6( 10) 11.");
  check("a ; \x01\xff ( \n b", "0w:a 11w:b 12.");
}

static void test_utf8(void **state) {
  (void)state;
  check("\xc3\xa5\xe2\x82\xac\xf0\x9f\x99\x82 x",
        "0w:\xc3\xa5\xe2\x82\xac\xf0\x9f\x99\x82 10w:x 11.");
  check("?\xc3\xa5", "0v:?\xc3\xa5 3.");
  check("\xe0\xa0\x80\xed\x9f\xbf", "0w:\xe0\xa0\x80\xed\x9f\xbf 6.");
  check("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
        "0w:\xf0\x90\x80\x80\xf4\x8f\xbf\xbf 8.");
}

/* One report for each word, whatever else is wrong with it; reading continues.
 */
static void test_not_utf8(void **state) {
  (void)state;
  check("a\xff\xfe z", "0w:a\xff\xfe 4w:z 5. | 1 byte 0xff is not valid UTF-8");
  check("\xc3(", "0w:\xc3 1( 2. | 0 byte 0xc3 is not valid UTF-8");
  check("\xe2\x82", "0w:\xe2\x82 2. | 0 byte 0xe2 is not valid UTF-8");
  check("\xc0\xaf", "0w:\xc0\xaf 2. | 0 byte 0xc0 is not valid UTF-8");
  check("\xf5\x80\x80\x80",
        "0w:\xf5\x80\x80\x80 4. | 0 byte 0xf5 is not valid UTF-8");
  check("\xe0\x9f\xbf", "0w:\xe0\x9f\xbf 3. | 0 byte 0xe0 is not valid UTF-8");
  check("\xed\xa0\x80", "0w:\xed\xa0\x80 3. | 0 byte 0xed is not valid UTF-8");
  check("\xf0\x8f\xbf\xbf",
        "0w:\xf0\x8f\xbf\xbf 4. | 0 byte 0xf0 is not valid UTF-8");
  check("\xf4\x90\x80\x80",
        "0w:\xf4\x90\x80\x80 4. | 0 byte 0xf4 is not valid UTF-8");
  check("\x80 \x80", "0w:\x80 2w:\x80 3. | 0 byte 0x80 is not valid UTF-8 | "
                     "2 byte 0x80 is not valid UTF-8");
}

static void test_control_characters(void **state) {
  (void)state;
  check_bytes("a\0b", 3, "0w:a 2w:b 3. | 1 control character 0x00");
  check("\x01\x7f", "2. | 0 control character 0x01"); /* once for a run */
  check("\x01 \x7f", "3. | 0 control character 0x01 | "
                     "2 control character 0x7f");
}

static void test_variable_needs_a_name(void **state) {
  (void)state;
  check("(? a)", "0( 1v:? 3w:a 4) 5. | 1 a variable needs a name after '?'");
  check("??", "0v:?? 2.");
}

/* After the end, the end comes again. */
static void test_end_stays(void **state) {
  (void)state;
  Source source;
  Report report;
  source_init(&source, "text", "a ", 2);
  report_init(&report, &source);
  Lexer lexer = {&source, &report, 0};
  assert_int_equal(lex_next(&lexer).kind, TOKEN_WORD);
  for (int i = 0; i < 3; i++) {
    Token token = lex_next(&lexer);
    assert_int_equal(token.kind, TOKEN_END);
    assert_int_equal(token.offset, 2);
  }
  report_free(&report);
  source_free(&source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_kind),
      cmocka_unit_test(test_blanks_and_comments),
      cmocka_unit_test(test_utf8),
      cmocka_unit_test(test_not_utf8),
      cmocka_unit_test(test_control_characters),
      cmocka_unit_test(test_variable_needs_a_name),
      cmocka_unit_test(test_end_stays),
  };
  return cmocka_run_group_tests_name("lex", tests, NULL, NULL);
}
