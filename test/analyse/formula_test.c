/* Conjunctions, exclusions and sums against counting, on all assignments of a
   few variables. */
#include "analyse/formula.h"

#include "base/random.h"
#include "support/unit.h"

enum { MOST = 9 };

/* Assumes the values of the variables and returns whether that is possible. */
static bool assume(Formula *formula, const SatLiteral *variables,
                   uint32_t count, uint32_t values) {
  SatLiteral list[MOST];
  for (uint32_t i = 0; i < count; i++)
    list[i] = variables[i] ^ (SatLiteral) !(values >> i & 1);
  return sat_solve(formula->sat, list, count, NULL, 0, UINT64_MAX) == SAT_MAYBE;
}

static uint32_t ones(uint32_t values) {
  return (uint32_t)__builtin_popcount(values);
}

static void test_at_most_one(void **state) {
  (void)state;
  for (uint32_t count = 0; count <= MOST; count++) {
    Formula formula;
    SatLiteral variables[MOST];
    formula_init(&formula);
    for (uint32_t i = 0; i < count; i++)
      variables[i] = formula_variable(&formula);
    formula_at_most_one(&formula, variables, count);
    for (uint32_t v = 0; v < (uint32_t)1 << count; v++)
      assert_int_equal(assume(&formula, variables, count, v), ones(v) <= 1);
    formula_free(&formula);
  }
}

static void check_sums(uint32_t count, uint32_t most) {
  Formula formula;
  SatLiteral variables[MOST], sums[MOST + 3];
  formula_init(&formula);
  for (uint32_t i = 0; i < count; i++)
    variables[i] = formula_variable(&formula);
  formula_sums(&formula, variables, count, most, sums);
  for (uint32_t v = 0; v < (uint32_t)1 << count; v++) {
    assert_true(assume(&formula, variables, count, v));
    for (uint32_t i = 0; i <= most; i++)
      assert_int_equal(sat_value(formula.sat, sums[i]) > 0, ones(v) > i);
  }
  formula_free(&formula);
}

static void test_sums(void **state) {
  (void)state;
  for (uint32_t count = 0; count < MOST; count++)
    for (uint32_t most = 0; most <= count + 2; most++) check_sums(count, most);
}

/* Random conjunctions of conjunctions; equal ones are made once. */
static void test_conjunctions(void **state) {
  (void)state;
  enum { VARIABLES = 5, GATES = 40 };
  Random random;
  random_seed(&random, 4);
  for (int n = 0; n < 30; n++) {
    Formula formula;
    SatLiteral literals[VARIABLES + 1 + GATES];
    uint32_t truth[VARIABLES + 1 + GATES], all = UINT32_MAX;
    formula_init(&formula);
    literals[0] = FORMULA_FALSE;
    truth[0] = 0;
    for (uint32_t i = 1; i <= VARIABLES; i++) {
      literals[i] = formula_variable(&formula);
      truth[i] = 0;
      for (uint32_t v = 0; v < 32; v++) truth[i] |= (v >> (i - 1) & 1) << v;
    }
    for (uint32_t i = VARIABLES + 1; i < LENGTH(literals); i++) {
      SatLiteral list[4];
      uint32_t count = random_below(&random, 5);
      truth[i] = all;
      for (uint32_t j = 0; j < count; j++) {
        uint32_t at = random_below(&random, i), flip = random_below(&random, 2);
        list[j] = literals[at] ^ flip;
        truth[i] &= flip ? ~truth[at] : truth[at];
      }
      literals[i] = formula_and(&formula, list, count);
    }
    for (uint32_t v = 0; v < 32; v++) {
      assert_true(assume(&formula, literals + 1, VARIABLES, v));
      for (uint32_t i = 0; i < LENGTH(literals); i++)
        assert_int_equal(sat_value(formula.sat, literals[i]) > 0,
                         truth[i] >> v & 1);
    }
    uint32_t before = sat_statistics(formula.sat).variables;
    SatLiteral twice[2] = {literals[1], literals[2]};
    SatLiteral first = formula_and(&formula, twice, 2);
    assert_int_equal(formula_and_two(&formula, literals[2], literals[1]),
                     first);
    assert_in_range(sat_statistics(formula.sat).variables, before, before + 1);
    formula_free(&formula);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_at_most_one),
      cmocka_unit_test(test_sums),
      cmocka_unit_test(test_conjunctions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
