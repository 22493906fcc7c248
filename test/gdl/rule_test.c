/* Sentences become rules: `or` is split, `not` pushed down to atoms, (not
   (distinct …)) solved by unification, and everything is written back as text.
   The expected texts are the rules in order. */
#include "gdl/rule.h"

#include "support/front.h"

typedef struct Fixture {
  Source source;
  Report report;
  Rules rules;
} Fixture;

static void read_rules(Fixture *fixture, const char *text) {
  source_init(&fixture->source, "text", text, strlen(text));
  report_init(&fixture->report, &fixture->source);
  rules_read(&fixture->rules, &fixture->source, &fixture->report);
}

static void release(Fixture *fixture) {
  rules_free(&fixture->rules);
  report_free(&fixture->report);
  source_free(&fixture->source);
}

/* All rules on one line, line breaks within them as single blanks. */
static void write_rules(const Rules *rules, Text *out) {
  for (uint32_t r = 0; r < rules->list.count; r++) {
    if (r) text_add_byte(out, ' ');
    Text text = {0};
    rule_write(rules, &rules->list.data[r], &text);
    for (size_t i = 0; i < text.length; i++)
      if (text.bytes[i] != '\n')
        text_add_byte(out, text.bytes[i]);
      else
        i += 3; /* keep one of the four blanks that follow */
    text_free(&text);
  }
}

static void check(const char *text, const char *expected) {
  Fixture fixture;
  Text out = {0};
  read_rules(&fixture, text);
  write_rules(&fixture.rules, &out);
  assert_string_equal(text_string(&out), expected);
  text_free(&out);
  release(&fixture);
}

/* `ids` are those of the diagnostics in order. */
static void check_report(const char *text, const char *ids) {
  Fixture fixture;
  Text out = {0};
  read_rules(&fixture, text);
  report_sort(&fixture.report);
  for (uint32_t i = 0; i < fixture.report.list.count; i++)
    text_format(&out, "%s%s", i ? " " : "", fixture.report.list.data[i].id);
  assert_string_equal(text_string(&out), ids);
  text_free(&out);
  release(&fixture);
}

static void test_plain(void **state) {
  (void)state;
  check("(role x) (succ 1 2) open", "(role x) (succ 1 2) open");
  check("(<= (p ?x) (q ?x) r (not (s ?x)) (distinct ?x a))",
        "(<= (p ?x) (q ?x) r (not (s ?x)) (distinct ?x a))");
  check("(<= terminal (true (cell ?x (f ?y))))",
        "(<= terminal (true (cell ?x (f ?y))))");
}

static void test_or_is_split(void **state) {
  (void)state;
  check("(<= h (or a b c) d)", "(<= h a d) (<= h b d) (<= h c d)");
  check("(<= h (or a b) (or c d))",
        "(<= h a c) (<= h a d) (<= h b c) (<= h b d)");
  check("(<= h (or a (and b (or c d))))", "(<= h a) (<= h b c) (<= h b d)");
  check("(<= h (or a))", "(<= h a)");
  check("(<= h (and a b) c)", "(<= h a b c)");
}

static void test_not_is_pushed_down(void **state) {
  (void)state;
  check("(<= h (not (not a)))", "(<= h a)");
  check("(<= h (not (not (not a))))", "(<= h (not a))");
  check("(<= h (not (or a b)) c)", "(<= h (not a) (not b) c)");
  check("(<= h (not (and a b)) c)", "(<= h (not a) c) (<= h (not b) c)");
  check("(<= h (not (or a (and b (not c)))))",
        "(<= h (not a) (not b)) (<= h (not a) c)");
  check_report("(<= h (not (or a b)) (not (not c)) (not (and d e)) (not f))",
               "nested-not nested-not nested-not");
}

static void test_not_distinct_unifies(void **state) {
  (void)state;
  check("(<= (p ?x ?y) (q ?x ?y) (not (distinct ?x ?y)))",
        "(<= (p ?y ?y) (q ?y ?y))");
  check("(<= (p ?x) (not (distinct ?x a)) (q ?x))", "(<= (p a) (q a))");
  check("(<= (p ?x ?y) (q ?x ?y) (not (distinct (f ?x b) (f a ?y))))",
        "(<= (p a b) (q a b))");
  check("(<= (p ?x ?y ?z) (q ?x ?y ?z) (not (distinct ?x ?y)) "
        "(not (distinct ?y (f ?z))) (not (distinct c ?z)))",
        "(<= (p (f c) (f c) c) (q (f c) (f c) c))");
  check("(<= h a (not (distinct b b)))", "(<= h a)");
  check_report("(<= (p ?x) (q ?x) (not (distinct ?x a)))", "not-distinct");
}

/* An alternative that equates unequal terms never holds. */
static void test_not_distinct_of_unequal(void **state) {
  (void)state;
  check("(<= h a (not (distinct b c)))", "");
  check("(<= h (q ?x) (not (distinct ?x (f ?x))))", "");
  check("(<= h (q ?x ?y) (not (distinct (f ?x a) (f b ?x))))", "");
  check("(<= h (q ?x) (not (distinct (f ?x) (f ?x ?x))))", "");
  check("(<= h (or (not (distinct b c)) a))", "(<= h a)");
}

/* A binding ends with its alternative. */
static void test_bindings_do_not_leak(void **state) {
  (void)state;
  check("(<= (p ?x) (q ?x) (or (not (distinct ?x a)) (not (distinct ?x b)) "
        "(r ?x)))",
        "(<= (p a) (q a)) (<= (p b) (q b)) (<= (p ?x) (q ?x) (r ?x))");
  check("(<= (p ?x ?y) (q ?x ?y) (not (distinct ?x ?y)) "
        "(or (not (distinct ?y a)) (not (distinct b ?x))))",
        "(<= (p a a) (q a a)) (<= (p b b) (q b b))");
  check("(<= (p ?x) (q ?x) (not (distinct ?x a))) (<= (s ?x) (t ?x))",
        "(<= (p a) (q a)) (<= (s ?x) (t ?x))");
}

static void test_tolerated(void **state) {
  (void)state;
  check("(<= (terminal) (open)) (<= (p a)) (ROLE x) (<= (Legal x y) "
        "(NOT (True z)))",
        "(<= terminal open) (p a) (role x) (<= (legal x y) (not (true z)))");
  check_report("(<= (terminal) open)", "needless-list");
  check_report("(<= (p a))", "empty-body");
  check_report("(ROLE x) (ROLE y) (Role z)", "keyword-case");
}

/* Keywords in upper case, wherever the store's memory happens to end. */
static void test_upper_case_everywhere(void **state) {
  (void)state;
  Text text = {0}, expected = {0};
  for (int i = 0; i < 300; i++) {
    text_format(&text, "(LEGAL r%d (move %d %d))\n", i, i, i + 1);
    text_format(&expected, "%s(legal r%d (move %d %d))", i ? " " : "", i, i,
                i + 1);
  }
  check(text.bytes, expected.bytes);
  text_free(&text);
  text_free(&expected);
}

static void test_refused(void **state) {
  (void)state;
  check_report("(<= )", "syntax");
  check_report("?x", "syntax");
  check_report("()", "syntax");
  check_report("((f) a)", "syntax");
  check_report("(<= h (?p a))", "syntax");
  check_report("(role x y)", "arity");
  check_report("(<= terminal (does x))", "arity");
  check_report("(<= h (not a b))", "arity");
  check_report("(<= h (not))", "arity");
  check_report("(<= h (or))", "arity");
  check_report("(<= h (and))", "arity");
  check_report("(<= h (distinct a))", "arity");
  check_report("(not a)", "keyword");
  check_report("(<= (or a b) c)", "keyword");
  check_report("(<= h or)", "keyword");
  check_report("(<= h (<= a b))", "keyword");
}

/* A wrong sentence does not affect its neighbours. */
static void test_reading_goes_on(void **state) {
  (void)state;
  check("(role x) (role) (<= h (f ()) a) (role y) (<= p (or (role) q))",
        "(role x) (role y) (<= p q)");
}

static void test_signs_and_places(void **state) {
  (void)state;
  Fixture fixture;
  read_rules(&fixture, "a\n(<= b (not c) (distinct d e) f)");
  const Rule *rule = &fixture.rules.list.data[1];
  const Literal *body = rule_body(&fixture.rules, rule);
  assert_int_equal(fixture.rules.list.data[0].count, 0);
  assert_int_equal(rule->count, 3);
  assert_int_equal(rule->form->offset, 2);
  assert_int_equal(rule->head_form->offset, 6);
  assert_int_equal(body[0].sign, NEGATIVE);
  assert_int_equal(body[0].form->offset, 13);
  assert_int_equal(body[1].sign, UNEQUAL);
  assert_int_equal(body[2].sign, POSITIVE);
  assert_int_equal(body[2].form->offset, 31);
  release(&fixture);
}

static void test_roles_in_order(void **state) {
  (void)state;
  Fixture fixture;
  read_rules(&fixture, "(role b) (role a) (role b) (role ?x) (<= (role c) d) "
                       "(role (team 1))");
  assert_int_equal(fixture.rules.roles.count, 3);
  static const char *const names[] = {"b", "a", "(team 1)"};
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(fixture.rules.roles.data[i],
                     front_term(&fixture.rules.terms, names[i]));
  release(&fixture);
}

static void test_keyword_arities(void **state) {
  (void)state;
  assert_int_equal(rule_keyword_arity(SYMBOL_TERMINAL), 0);
  assert_int_equal(rule_keyword_arity(SYMBOL_ROLE), 1);
  assert_int_equal(rule_keyword_arity(SYMBOL_GOAL), 2);
  assert_int_equal(rule_keyword_arity(SYMBOL_OR), -1);
  assert_int_equal(rule_keyword_arity(SYMBOL_FIRST_FREE), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),
      cmocka_unit_test(test_or_is_split),
      cmocka_unit_test(test_not_is_pushed_down),
      cmocka_unit_test(test_not_distinct_unifies),
      cmocka_unit_test(test_not_distinct_of_unequal),
      cmocka_unit_test(test_bindings_do_not_leak),
      cmocka_unit_test(test_tolerated),
      cmocka_unit_test(test_upper_case_everywhere),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_reading_goes_on),
      cmocka_unit_test(test_signs_and_places),
      cmocka_unit_test(test_roles_in_order),
      cmocka_unit_test(test_keyword_arities),
  };
  return cmocka_run_group_tests_name("rule", tests, NULL, NULL);
}
