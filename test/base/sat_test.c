/* The SAT solver against all assignments, on random clauses with and without
   assumptions, in several queries; and on pigeonhole problems, which need
   learning. */
#include "base/sat.h"

#include "base/random.h"
#include "support/unit.h"

enum { MOST_VARIABLES = 10, MOST_CLAUSES = 60, WIDEST = 4 };

typedef struct Problem {
  uint32_t variables, clauses;
  SatLiteral literals[MOST_CLAUSES][WIDEST];
  uint32_t sizes[MOST_CLAUSES];
} Problem;

static bool holds(SatLiteral literal, uint32_t assignment) {
  return (assignment >> (literal >> 1) & 1) != (literal & 1);
}

static bool satisfies(const Problem *problem, uint32_t assignment) {
  for (uint32_t c = 0; c < problem->clauses; c++) {
    bool any = false;
    for (uint32_t i = 0; i < problem->sizes[c]; i++)
      any |= holds(problem->literals[c][i], assignment);
    if (!any) return false;
  }
  return true;
}

static bool possible(const Problem *problem, const SatLiteral *assumptions,
                     uint32_t count) {
  for (uint32_t a = 0; a < (uint32_t)1 << problem->variables; a++) {
    bool fits = satisfies(problem, a);
    for (uint32_t i = 0; i < count; i++) fits &= holds(assumptions[i], a);
    if (fits) return true;
  }
  return false;
}

static void make_problem(Problem *problem, Random *random) {
  problem->variables = 3 + random_below(random, MOST_VARIABLES - 2);
  problem->clauses = random_below(random, MOST_CLAUSES);
  for (uint32_t c = 0; c < problem->clauses; c++) {
    problem->sizes[c] =
        random_below(random, 12) ? 2 + random_below(random, 3) : 1;
    for (uint32_t i = 0; i < problem->sizes[c]; i++)
      problem->literals[c][i] = random_below(random, problem->variables * 2);
  }
}

static void check_model(const Problem *problem, const Sat *sat,
                        const SatLiteral *assumptions, uint32_t count) {
  uint32_t assignment = 0;
  for (uint32_t v = 0; v < problem->variables; v++) {
    assert_int_not_equal(sat_value(sat, v * 2), 0);
    assignment |= (uint32_t)(sat_value(sat, v * 2) > 0) << v;
  }
  assert_true(satisfies(problem, assignment));
  for (uint32_t i = 0; i < count; i++)
    assert_true(holds(assumptions[i], assignment));
}

static void ask(const Problem *problem, Sat *sat, Random *random) {
  uint32_t all[MOST_VARIABLES];
  SatLiteral assumptions[5];
  uint32_t count = random_below(random, 6);
  for (uint32_t v = 0; v < problem->variables; v++) all[v] = v;
  for (uint32_t i = 0; i < count; i++)
    assumptions[i] = random_below(random, problem->variables * 2);
  bool expected = possible(problem, assumptions, count);
  SatAnswer answer =
      sat_solve(sat, assumptions, count, all, problem->variables, UINT64_MAX);
  assert_int_equal(answer, expected ? SAT_MAYBE : SAT_NO);
  if (expected) check_model(problem, sat, assumptions, count);
  answer = sat_solve(sat, assumptions, count, all, problem->variables / 2,
                     UINT64_MAX);
  if (expected) assert_int_equal(answer, SAT_MAYBE);
}

static void test_against_all_assignments(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  for (int i = 0; i < 1500; i++) {
    Problem problem;
    make_problem(&problem, &random);
    Sat *sat = sat_new();
    assert_int_equal(sat_add_variables(sat, problem.variables), 0);
    for (uint32_t c = 0; c < problem.clauses; c++)
      sat_add_clause(sat, problem.literals[c], problem.sizes[c]);
    for (int j = 0; j < 6; j++) ask(&problem, sat, &random);
    sat_delete(sat);
  }
}

/* Puts each of `pigeons` into one of `holes`, no two into the same. */
static SatAnswer place_pigeons(uint32_t pigeons, uint32_t holes,
                               uint64_t limit) {
  Sat *sat = sat_new();
  uint32_t decide[100];
  SatLiteral clause[10];
  for (uint32_t i = 0; i < pigeons * holes; i++) decide[i] = i;
  sat_add_variables(sat, pigeons * holes);
  for (uint32_t p = 0; p < pigeons; p++) {
    for (uint32_t h = 0; h < holes; h++) clause[h] = (p * holes + h) * 2;
    sat_add_clause(sat, clause, holes);
    for (uint32_t q = 0; q < p; q++)
      for (uint32_t h = 0; h < holes; h++) {
        clause[0] = (p * holes + h) * 2 + 1;
        clause[1] = (q * holes + h) * 2 + 1;
        sat_add_clause(sat, clause, 2);
      }
  }
  SatAnswer answer = sat_solve(sat, NULL, 0, decide, pigeons * holes, limit);
  sat_delete(sat);
  return answer;
}

static void test_pigeons(void **state) {
  (void)state;
  assert_int_equal(place_pigeons(6, 6, UINT64_MAX), SAT_MAYBE);
  assert_int_equal(place_pigeons(7, 6, UINT64_MAX), SAT_NO);
  assert_int_equal(place_pigeons(9, 8, 100), SAT_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_all_assignments),
      cmocka_unit_test(test_pigeons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
