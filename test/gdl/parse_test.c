/* Text as forms and forms as terms: shape, places, several errors in one text,
   and the limits on nesting and on arguments. */
#include "gdl/parse.h"

#include "support/front.h"

typedef struct Fixture {
  Source source;
  Report report;
  Arena arena;
  Terms terms;
  Form *forms;
} Fixture;

static void parse(Fixture *fixture, const char *text) {
  *fixture = (Fixture){0};
  source_init(&fixture->source, "text", text, strlen(text));
  report_init(&fixture->report, &fixture->source);
  terms_init(&fixture->terms);
  fixture->forms = parse_text(&fixture->terms, &fixture->arena,
                              &fixture->source, &fixture->report);
}

static void release(Fixture *fixture) {
  arena_free(&fixture->arena);
  terms_free(&fixture->terms);
  report_free(&fixture->report);
  source_free(&fixture->source);
}

/* Forms with their offsets: (0 a1 (3 ?b4)). */
static void write_forms(const Fixture *fixture, const Form *form, Text *out) {
  for (const Form *item = form; item; item = item->next) {
    if (item != form) text_add_byte(out, ' ');
    if (item->kind == FORM_LIST) {
      text_format(out, "(%u", item->offset);
      if (item->first) text_add_byte(out, ' ');
      write_forms(fixture, item->first, out);
      text_add_byte(out, ')');
      continue;
    }
    const char *name = symbol_text(&fixture->terms.symbols, item->symbol);
    assert_int_equal(item->kind == FORM_VARIABLE, name[0] == '?');
    text_format(out, "%s%u", name, item->offset);
  }
}

static void check(const char *text, const char *forms, const char *errors) {
  Fixture fixture;
  Text out = {0}, said = {0};
  parse(&fixture, text);
  write_forms(&fixture, fixture.forms, &out);
  for (uint32_t i = 0; i < fixture.report.list.count; i++)
    text_format(&said, "%u %s;", fixture.report.list.data[i].offset,
                fixture.report.list.data[i].message);
  assert_string_equal(text_string(&out), forms);
  assert_string_equal(text_string(&said), errors);
  text_free(&out);
  text_free(&said);
  release(&fixture);
}

static void test_forms(void **state) {
  (void)state;
  check("", "", "");
  check("a ?b", "a0 ?b2", "");
  check("()", "(0)", "");
  check("(a (b ?c) ())d", "(0 a1 (3 b4 ?c6) (10)) d13", "");
}

static void test_item_counts(void **state) {
  (void)state;
  Fixture fixture;
  parse(&fixture, "(a b (c d e f)) ()");
  assert_int_equal(fixture.forms->count, 3);
  assert_int_equal(fixture.forms->first->next->next->count, 4);
  assert_int_equal(fixture.forms->next->count, 0);
  release(&fixture);
}

/* A form that is never closed is left out. */
static void test_unbalanced(void **state) {
  (void)state;
  check("(a))b)", "(0 a1) b4",
        "3 this ')' closes nothing;"
        "5 this ')' closes nothing;");
  check("(a) (b (c d", "(0 a1)", "7 this '(' is never closed;");
  check("(", "", "0 this '(' is never closed;");
}

/* `depth` opening parentheses, a word, as many closing ones, another word. */
static void nest(Text *text, size_t depth) {
  for (size_t i = 0; i < depth; i++) text_add_byte(text, '(');
  text_add_byte(text, 'a');
  for (size_t i = 0; i < depth; i++) text_add_byte(text, ')');
  text_add(text, " b");
}

static void test_nesting_limit(void **state) {
  (void)state;
  Text text = {0};
  Fixture fixture;
  nest(&text, PARSE_DEEPEST);
  parse(&fixture, text.bytes);
  assert_int_equal(fixture.report.errors, 0);
  assert_non_null(fixture.forms->next);
  release(&fixture);
  text_clear(&text);
  nest(&text, PARSE_DEEPEST + 1);
  parse(&fixture, text.bytes);
  assert_int_equal(fixture.report.errors, 1);
  assert_int_equal(fixture.report.list.data[0].offset, PARSE_DEEPEST);
  release(&fixture);
  text_free(&text);
}

/* Depth counts open lists, not all lists. */
static void test_nesting_is_not_added_up(void **state) {
  (void)state;
  Text text = {0};
  Fixture fixture;
  for (int i = 0; i < 5 * PARSE_DEEPEST; i++) text_add(&text, "((a)(b))");
  parse(&fixture, text.bytes);
  assert_int_equal(fixture.report.errors, 0);
  release(&fixture);
  text_free(&text);
}

/* ---- terms ---- */

static void check_term(const char *text, const char *term,
                       const char *message) {
  Fixture fixture;
  Text out = {0};
  parse(&fixture, text);
  Term made = parse_term(&fixture.terms, fixture.forms, &fixture.report);
  if (made) term_write(&fixture.terms, made, &out);
  assert_string_equal(text_string(&out), term);
  assert_int_equal(fixture.report.errors, *message ? 1 : 0);
  if (*message)
    assert_string_equal(fixture.report.list.data[0].message, message);
  text_free(&out);
  release(&fixture);
}

static void test_terms(void **state) {
  (void)state;
  check_term("a", "a", "");
  check_term("?x", "?x", "");
  check_term("( f  ?x\n(g a) )", "(f ?x (g a))", "");
  check_term("(f)", "f", "");
  check_term("()", "", "empty list");
  check_term("(f (g ()))", "", "empty list");
  check_term("(?f a)", "", "a term must begin with a name");
  check_term("((f) a)", "", "a term must begin with a name");
}

static void test_equal_terms_are_one(void **state) {
  (void)state;
  Fixture fixture;
  parse(&fixture, "(f (g ?x) a) (f\n (g ?x)a) (f (g ?y) a)");
  Term list[3];
  const Form *form = fixture.forms;
  for (int i = 0; i < 3; i++, form = form->next)
    list[i] = parse_term(&fixture.terms, form, &fixture.report);
  assert_int_equal(list[0], list[1]);
  assert_int_not_equal(list[0], list[2]);
  release(&fixture);
}

static void test_argument_limit(void **state) {
  (void)state;
  for (uint32_t count = 254; count <= 257; count++) {
    Text text = {0};
    Fixture fixture;
    text_add(&text, "(f");
    for (uint32_t i = 0; i < count; i++) text_format(&text, " a%u", i);
    text_add_byte(&text, ')');
    parse(&fixture, text.bytes);
    Term term = parse_term(&fixture.terms, fixture.forms, &fixture.report);
    assert_int_equal(term != 0, count <= TERM_LARGEST_ARITY);
    assert_int_equal(fixture.report.errors, term ? 0 : 1);
    if (term) assert_int_equal(term_arity(&fixture.terms, term), count);
    release(&fixture);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forms),
      cmocka_unit_test(test_item_counts),
      cmocka_unit_test(test_unbalanced),
      cmocka_unit_test(test_nesting_limit),
      cmocka_unit_test(test_nesting_is_not_added_up),
      cmocka_unit_test(test_terms),
      cmocka_unit_test(test_equal_terms_are_one),
      cmocka_unit_test(test_argument_limit),
  };
  return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
