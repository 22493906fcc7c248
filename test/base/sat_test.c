/* The SAT solver against all assignments, on random clauses with and without
   assumptions, in several queries; on pigeonhole problems, which need learning;
   on hard random clauses, where it must say the same whatever the variables are
   called, in one piece or in slices, and under assumptions. */
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
  assert_int_equal(place_pigeons(8, 7, UINT64_MAX), SAT_NO);
  assert_int_equal(place_pigeons(9, 8, 100), SAT_UNKNOWN);
}

/* ---- hard random clauses ---- */

enum { HARD = 110, HARD_CLAUSES = 470 }; /* 4.27 clauses a variable */

typedef struct Hard {
  SatLiteral literals[HARD_CLAUSES][3];
} Hard;

static void make_hard(Hard *hard, Random *random) {
  for (uint32_t c = 0; c < HARD_CLAUSES; c++)
    for (uint32_t i = 0; i < 3; i++)
      hard->literals[c][i] = random_below(random, HARD * 2);
}

/* Renames the variables, so that the search takes another way. */
static Sat *state_hard(const Hard *hard, const uint32_t *names) {
  Sat *sat = sat_new();
  sat_add_variables(sat, HARD);
  for (uint32_t c = 0; c < HARD_CLAUSES; c++) {
    SatLiteral clause[3];
    for (uint32_t i = 0; i < 3; i++)
      clause[i] =
          names[hard->literals[c][i] >> 1] << 1 | (hard->literals[c][i] & 1);
    sat_add_clause(sat, clause, 3);
  }
  return sat;
}

static void shuffle(uint32_t *names, Random *random) {
  for (uint32_t i = 0; i < HARD; i++) names[i] = i;
  for (uint32_t i = HARD; i > 1; i--) {
    uint32_t j = random_below(random, i), kept = names[i - 1];
    names[i - 1] = names[j];
    names[j] = kept;
  }
}

static void check_hard_model(const Hard *hard, const Sat *sat,
                             const uint32_t *names) {
  for (uint32_t c = 0; c < HARD_CLAUSES; c++) {
    bool any = false;
    for (uint32_t i = 0; i < 3; i++) {
      SatLiteral literal = hard->literals[c][i];
      any |= sat_value(sat, names[literal >> 1] << 1 | (literal & 1)) > 0;
    }
    assert_true(any);
  }
}

static SatAnswer ask_in_slices(Sat *sat, const SatLiteral *assumptions,
                               uint32_t count) {
  SatAnswer answer;
  sat_begin(sat, assumptions, count, NULL, 0);
  do answer = sat_continue(sat, 500);
  while (answer == SAT_UNKNOWN);
  return answer;
}

/* Some variable has both values in turn: the clauses can be satisfied if they
   can be with either. */
static SatAnswer ask_twice(Sat *sat, uint32_t variable) {
  for (SatLiteral l = variable << 1; l <= (variable << 1 | 1); l++)
    if (ask_in_slices(sat, &l, 1) == SAT_MAYBE) return SAT_MAYBE;
  return SAT_NO;
}

static void test_hard_clauses(void **state) {
  (void)state;
  Random random;
  uint32_t answers[3] = {0}, names[HARD];
  random_seed(&random, 5);
  for (uint32_t n = unit_long() ? 300 : 24; n > 0; n--) {
    Hard hard;
    make_hard(&hard, &random);
    shuffle(names, &random);
    Sat *sat = state_hard(&hard, names);
    SatAnswer answer = sat_solve(sat, NULL, 0, NULL, 0, UINT64_MAX);
    if (answer == SAT_MAYBE) check_hard_model(&hard, sat, names);
    sat_delete(sat);
    shuffle(names, &random);
    sat = state_hard(&hard, names);
    assert_int_equal(ask_twice(sat, random_below(&random, HARD)), answer);
    if (answer == SAT_MAYBE) check_hard_model(&hard, sat, names);
    sat_delete(sat);
    answers[answer]++;
  }
  assert_true(answers[SAT_NO] > 3 && answers[SAT_MAYBE] > 3);
}

/* Models are excluded one by one until there is none left. */
static void test_counting_models(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 7);
  for (int n = 0; n < 40; n++) {
    Problem problem;
    make_problem(&problem, &random);
    uint32_t models = 0, found = 0;
    for (uint32_t a = 0; a < (uint32_t)1 << problem.variables; a++)
      models += satisfies(&problem, a);
    Sat *sat = sat_new();
    sat_begin(sat, NULL, 0, NULL, 0);
    sat_add_variables(sat, problem.variables);
    for (uint32_t c = 0; c < problem.clauses; c++)
      sat_add_clause(sat, problem.literals[c], problem.sizes[c]);
    while (sat_solve(sat, NULL, 0, NULL, 0, UINT64_MAX) == SAT_MAYBE) {
      SatLiteral clause[MOST_VARIABLES];
      check_model(&problem, sat, NULL, 0);
      for (uint32_t v = 0; v < problem.variables; v++)
        clause[v] = v << 1 | (sat_value(sat, v << 1) > 0);
      sat_add_clause(sat, clause, problem.variables);
      found++;
    }
    assert_int_equal(found, models);
    assert_false(sat_settle(sat));
    sat_delete(sat);
  }
}

/* What unit clauses imply is fixed, what assumptions imply is not. */
static void test_fixed(void **state) {
  (void)state;
  Sat *sat = sat_new();
  sat_add_variables(sat, 4);
  sat_add_clause(sat, (SatLiteral[]){1, 2}, 2); /* 0 implies 1 */
  sat_add_clause(sat, (SatLiteral[]){5, 6}, 2); /* 2 implies 3 */
  sat_add_clause(sat, (SatLiteral[]){0}, 1);
  SatLiteral assumption = 4;
  assert_int_equal(sat_solve(sat, &assumption, 1, NULL, 0, UINT64_MAX),
                   SAT_MAYBE);
  assert_int_equal(sat_value(sat, 6), 1);
  assert_int_equal(sat_fixed(sat, 6), 0);
  assert_int_equal(sat_fixed(sat, 3), -1);
  assert_true(sat_settle(sat));
  assert_int_equal(sat_value(sat, 6), 0);
  assert_int_equal(sat_statistics(sat).fixed, 2);
  sat_delete(sat);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_all_assignments),
      cmocka_unit_test(test_pigeons),
      cmocka_unit_test(test_hard_clauses),
      cmocka_unit_test(test_counting_models),
      cmocka_unit_test(test_fixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
