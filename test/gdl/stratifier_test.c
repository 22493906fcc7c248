/* Negation through recursion: stratified by predicates, by rules alone, or not
   at all. The first negative literal is judged. */
#include "gdl/stratifier.h"

#include "support/front.h"

static Stratification classify(const char *text) {
  Description description;
  front_read(&description, text);
  const Rules *rules = &description.rules;
  Stratifier stratifier;
  stratifier_init(&stratifier, rules, &description.dependencies);
  for (uint32_t r = 0; r < rules->list.count; r++)
    for (uint32_t i = 0; i < rules->list.data[r].count; i++) {
      const Literal *literal = &rule_body(rules, &rules->list.data[r])[i];
      if (literal->sign != NEGATIVE) continue;
      Stratification found = stratifier_judge(&stratifier, r, literal);
      stratifier_free(&stratifier);
      description_free(&description);
      return found;
    }
  fail_msg("no negative literal in %s", text);
  return STRATIFIED;
}

static void test_stratified(void **state) {
  (void)state;
  assert_int_equal(classify("(<= a (not b)) b"), STRATIFIED);
  assert_int_equal(classify("(<= a (not b)) (<= b c) (<= c b)"), STRATIFIED);
  assert_int_equal(classify("(<= a (not b)) (<= a a)"), STRATIFIED);
  assert_int_equal(classify("(<= a (not (p 1))) (<= (p ?x) (p ?x ?x) (q ?x)) "
                            "(<= (p ?x ?y) (r ?x ?y))"),
                   STRATIFIED);
}

static void test_not_stratified(void **state) {
  (void)state;
  assert_int_equal(classify("(<= a (not a))"), NOT_STRATIFIED);
  assert_int_equal(classify("(<= a (not b)) (<= b a)"), NOT_STRATIFIED);
  assert_int_equal(classify("(<= a (not b)) (<= b c) (<= c d) (<= d a)"),
                   NOT_STRATIFIED);
  assert_int_equal(classify("(<= a (not b)) (<= b (not a))"), NOT_STRATIFIED);
  assert_int_equal(
      classify("(<= (win ?x) (move ?x ?y) (not (win ?y))) (move 1 2)"),
      NOT_STRATIFIED);
}

/* No rule calls itself, although its predicate does. */
static void test_by_rule(void **state) {
  (void)state;
  assert_int_equal(classify("(<= (goal r 50) (not (goal r 0))) "
                            "(<= (goal r 0) lost)"),
                   STRATIFIED_BY_RULE);
  assert_int_equal(
      classify("(<= (goal ?r 100) (role ?r) (not (goal ?r 50)) "
               "(not (goal ?r 0))) (<= (goal ?r 50) (role ?r) (not (goal ?r "
               "0))) (<= (goal ?r 0) (role ?r) (lost ?r))"),
      STRATIFIED_BY_RULE);
  assert_int_equal(classify("(<= (p (f a) ?x) (q ?x) (not (p (f b) ?x))) "
                            "(<= (p (f b) ?x) (q ?x))"),
                   STRATIFIED_BY_RULE);
}

/* The same with the way back open: through a variable, or a third rule. */
static void test_by_rule_but_back(void **state) {
  (void)state;
  assert_int_equal(classify("(<= (goal r 50) (not (goal r 0))) "
                            "(<= (goal r 0) (goal r 50))"),
                   NOT_STRATIFIED);
  assert_int_equal(classify("(<= (goal r ?v) (value ?v) (not (goal r 0)))"),
                   NOT_STRATIFIED);
  assert_int_equal(classify("(<= (goal r 50) (not (goal r 0))) "
                            "(<= (goal r 0) h) (<= h (goal r ?x))"),
                   NOT_STRATIFIED);
  assert_int_equal(classify("(<= (p (f a)) (not (p (f b)))) "
                            "(<= (p (f b)) (p (f ?x)))"),
                   NOT_STRATIFIED);
  assert_int_equal(classify("(<= (goal r 50) (not (goal r 0))) "
                            "(<= (goal r 0) (not (goal r 50)))"),
                   NOT_STRATIFIED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stratified),
      cmocka_unit_test(test_not_stratified),
      cmocka_unit_test(test_by_rule),
      cmocka_unit_test(test_by_rule_but_back),
  };
  return cmocka_run_group_tests_name("stratify", tests, NULL, NULL);
}
