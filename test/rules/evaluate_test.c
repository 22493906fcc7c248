/* The evaluator asked directly: states and moves set at will, and that what was
   derived from one state or move is not remembered in the next. */
#include "rules/evaluate.h"

#include "support/play.h"

/* ---- questions ---- */

typedef struct Fixture {
  Description description;
  Evaluator evaluator;
  Statistics statistics;
  Text error;
} Fixture;

static void open_rules(Fixture *fixture, const char *rules) {
  *fixture = (Fixture){0};
  front_read(&fixture->description, rules);
  EvaluatorLimits limits = {.memory = (size_t)64 << 20};
  evaluator_init(&fixture->evaluator, &fixture->description, &limits,
                 &fixture->statistics, &fixture->error);
}

static void close_rules(Fixture *fixture) {
  evaluator_free(&fixture->evaluator);
  description_free(&fixture->description);
  text_free(&fixture->error);
}

static Term term(Fixture *fixture, const char *text) {
  return front_term(&fixture->description.rules.terms, text);
}

/* Collects all terms of `next`. */
static void expect_next(Fixture *fixture, const char *expected) {
  Terms *terms = &fixture->description.rules.terms;
  uint32_t p =
      dependencies_find(&fixture->description.dependencies, SYMBOL_NEXT, 1);
  TermVector list = {0};
  Text text = {0};
  assert_true(evaluator_collect(
      &fixture->evaluator, plans_procedure(&fixture->evaluator.plans, p, 0),
      &list));
  term_sort(terms, list.data, list.count);
  for (uint32_t i = 0; i < list.count; i++) {
    text_add(&text, i ? " " : "");
    term_write(terms, list.data[i], &text);
  }
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
  vector_free(&list);
}

static const char rules[] =
    "(<= (next (a ?x)) (big ?x)) (<= (big ?x) (true (n ?x)) (more ?x))"
    "(more 2) (more 3) (<= (next (b ?m)) (moved ?m))"
    "(<= (moved ?m) (does ?r ?m) (not (true (n 1))))";

static void test_state_and_moves(void **state) {
  (void)state;
  Fixture f;
  open_rules(&f, rules);
  expect_next(&f, "");
  Term first[] = {term(&f, "(n 1)"), term(&f, "(n 2)")};
  Term second[] = {term(&f, "(n 2)"), term(&f, "(n 3)"), term(&f, "other")};
  Term roles[] = {term(&f, "r"), term(&f, "s")};
  Term moves[] = {term(&f, "go"), term(&f, "stay")};
  evaluator_set_state(&f.evaluator, first, 2);
  expect_next(&f, "(a 2)");
  evaluator_set_moves(&f.evaluator, roles, moves, 2);
  expect_next(&f, "(a 2)");
  evaluator_set_state(&f.evaluator, second, 3);
  expect_next(&f, "(a 2) (a 3) (b go) (b stay)");
  evaluator_set_moves(&f.evaluator, roles, moves, 1);
  expect_next(&f, "(a 2) (a 3) (b go)");
  expect_next(&f, "(a 2) (a 3) (b go)");
  evaluator_set_state(&f.evaluator, NULL, 0);
  expect_next(&f, "(b go)");
  close_rules(&f);
}

/* After a failure every question fails at once, with the same message. */
static void test_failure_stays(void **state) {
  (void)state;
  Fixture f;
  open_rules(&f, "(<= (next ?x) (n ?x)) (<= (n ?x) (true ?x)) "
                 "(<= (n (s ?x)) (n ?x))");
  Term start[] = {term(&f, "zero")};
  evaluator_set_state(&f.evaluator, start, 1);
  uint32_t p = dependencies_find(&f.description.dependencies, SYMBOL_NEXT, 1);
  Procedure *procedure = plans_procedure(&f.evaluator.plans, p, 0);
  TermVector list = {0};
  CallTable *table;
  uint32_t call;
  assert_false(evaluator_collect(&f.evaluator, procedure, &list));
  size_t length = f.error.length;
  assert_true(length > 0);
  evaluator_set_state(&f.evaluator, NULL, 0);
  assert_false(evaluator_collect(&f.evaluator, procedure, &list));
  assert_false(evaluator_ask(&f.evaluator, procedure, &table, &call));
  assert_int_equal(f.error.length, length);
  vector_free(&list);
  close_rules(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_state_and_moves),
      cmocka_unit_test(test_failure_stays),
  };
  return cmocka_run_group_tests_name("evaluate", tests, NULL, NULL);
}
