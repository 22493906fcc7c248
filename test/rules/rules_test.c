/* The rules engine on small games with known answers: every kind of literal and
   term in the language, roles and goals, and retracting moves. */
#include "support/play.h"

/* What every game below begins with; the state stays unless rules say so. */
#define FRAME \
  "(role r) (goal r 0) (<= terminal (true over)) (legal r go)" \
  "(<= (next ?f) (true ?f) (distinct ?f s))"

/* The facts after the move `go`. */
static void check_next(const char *rules, const char *expected) {
  Text text = {0};
  Description description;
  text_format(&text, "%s %s", FRAME, rules);
  Game *game = play_open(&description, text.bytes);
  PLAY(game, "go");
  expect_facts(game, expected);
  play_close(game);
  text_free(&text);
}

static void test_true_with_a_variable(void **state) {
  (void)state;
  check_next("(init a) (init (b 1)) (init (c 1 2)) (init s)",
             "a (b 1) (c 1 2)");
  check_next("(init s) (init (b 1)) (init (b 2)) (kept (b 2))"
             "(<= (next (saw ?x)) (true ?x) (kept ?x))"
             "(<= (next (not_kept ?x)) (true ?x) (not (kept ?x)))",
             "(b 1) (b 2) (not_kept (b 1)) (not_kept s) (saw (b 2))");
}

static void test_fluents_without_arguments(void **state) {
  (void)state;
  check_next("(init on) (<= (next lit) (true on)) (<= (next dark) "
             "(not (true on))) (<= (next day) (not (true off)))",
             "day lit on");
}

static void test_no_init(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(&description, "(role r) (goal r 7) (legal r go)"
                                       "(<= terminal (true over))");
  expect_facts(game, "");
  assert_true(game_state_hash(game) == 0);
  PLAY(game, "go");
  expect_facts(game, "");
  expect_goals(game, 0, "7");
  assert_false(game_terminal(game));
  play_close(game);
}

static void test_function_terms(void **state) {
  (void)state;
  check_next("(init (at (p 1 (q 2)))) (init s)"
             "(<= (next (to ?x ?y)) (true (at (p ?x (q ?y)))))"
             "(<= (next (wrap (w ?x))) (true (at ?x)))"
             "(<= (next wrong) (true (at (p ?x (q ?x)))))"
             "(<= (next wrong) (true (at (p ?x ?y ?z))))"
             "(<= (next right) (true (at (p 1 ?y))) (true (at (p ?x (q 2)))))",
             "(at (p 1 (q 2))) right (to 1 2) (wrap (w (p 1 (q 2))))");
}

/* Function terms in facts of the rules, and as keys of a lookup. */
static void test_function_terms_in_relations(void **state) {
  (void)state;
  check_next("(init (n 2)) (table (k 1) a) (table (k 2) b) (table (k (k 2)) c)"
             "(<= (next (found ?y)) (true (n ?x)) (table (k ?x) ?y))"
             "(<= (next (deep ?y)) (true (n ?x)) (table (k (k ?x)) ?y))"
             "(<= (next (key ?x)) (table (k ?x) c))"
             "(<= (next no) (true (n ?x)) (not (table (k ?x) b)))"
             "(<= (next yes) (true (n ?x)) (not (table (k ?x) c)))",
             "(deep c) (found b) (key (k 2)) (n 2) yes");
}

static void test_does_with_variables(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(
      &description,
      "(role a) (role b) (init (n 1)) (<= terminal (true over)) (goal a 0)"
      "(goal b 0) (<= (legal ?r (go ?x)) (role ?r) (num ?x)) (num 1) (num 2)"
      "(legal b rest)"
      "(<= (next (did ?r ?m)) (does ?r ?m))"
      "(<= (next (went ?x)) (does ?r (go ?x)))"
      "(<= (next met) (does a (go ?x)) (does b (go ?x)))"
      "(<= (next (idle ?r)) (role ?r) (not (does ?r (go 1))) "
      "(not (does ?r (go 2))))"
      "(<= (next one) (does a (go 1)) (not (does b (go 1))))");
  expect_legal(game, 0, "(go 1) (go 2)");
  expect_legal(game, 1, "(go 1) (go 2) rest");
  PLAY(game, "(go 1)", "(go 1)");
  expect_facts(game, "(did a (go 1)) (did b (go 1)) met (went 1)");
  PLAY(game, "(go 1)", "rest");
  expect_facts(game, "(did a (go 1)) (did b rest) (idle b) one (went 1)");
  play_close(game);
}

static void test_distinct_of_compounds(void **state) {
  (void)state;
  check_next("(init (n 1)) (init (n 2))"
             "(<= (next (differ ?x ?y)) (true (n ?x)) (true (n ?y)) "
             "(distinct (f ?x ?y) (f ?y ?x)))"
             "(<= (next (not_f1 ?x)) (true (n ?x)) (distinct (f ?x) (f 1)))"
             "(<= (next never) (true (n ?x)) (distinct (f ?x) (f ?x)))"
             "(<= (next always) (true (n ?x)) (distinct (f ?x) (g ?x)))",
             "always (differ 1 2) (differ 2 1) (n 1) (n 2) (not_f1 2)");
}

/* Predicates with both facts and rules, of any dependence. */
static void test_facts_and_rules(void **state) {
  (void)state;
  check_next("(init (n 3)) (p 1) (p 2) (<= (p ?x) (true (n ?x))) (q 1)"
             "(<= (q ?x) (s2 ?x)) (s2 9)"
             "(<= (next (p ?x)) (p ?x)) (<= (next two) (p 2)) "
             "(<= (next three) (p 3)) (<= (next four) (p 4))"
             "(<= (next (q ?x)) (q ?x)) (<= (next nine) (q 9))",
             "(n 3) nine (p 1) (p 2) (p 3) (q 1) (q 9) three two");
}

static void test_or_and_not(void **state) {
  (void)state;
  check_next("(init (n 1)) (init (n 2)) (init (n 3)) (odd 1) (odd 3)"
             "(<= (next (or ?x)) (true (n ?x)) (or (odd ?x) (true (n 9))))"
             "(<= (next (even ?x)) (true (n ?x)) (not (odd ?x)))"
             "(<= (next (mid ?x)) (true (n ?x)) (not (or (true (over ?x)) "
             "(distinct ?x 2))))",
             "(even 2) (mid 2) (n 1) (n 2) (n 3) (or 1) (or 3)");
}

/* The first rule that holds gives the goal; others say not (goal …). */
static void test_goal_by_other_goals(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(
      &description,
      "(role a) (role b) (init (n 0)) (<= terminal (true (n 3)))"
      "(<= (legal ?r go) (role ?r)) (succ 0 1) (succ 1 2) (succ 2 3)"
      "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))"
      "(<= (goal ?r 100) (role ?r) (true (n 2)))"
      "(<= (goal ?r 50) (role ?r) (true (n 1)) (not (goal ?r 100)))"
      "(<= (goal ?r 0) (role ?r) (not (goal ?r 50)) (not (goal ?r 100)))");
  static const char *const goals[] = {"0", "50", "100", "0"};
  for (int i = 0; i < 4; i++) {
    expect_goals(game, 0, goals[i]);
    expect_goals(game, 1, goals[i]);
    assert_int_equal(game_goal(game, 1), atoi(goals[i]));
    assert_int_equal(game_terminal(game), i == 3);
    if (i < 3) PLAY(game, "go", "go");
  }
  play_close(game);
}

static void test_goal_values(void **state) {
  (void)state;
  static const struct {
    const char *rules;
    int goal;
  } cases[] = {{"(goal r 100)", 100},
               {"(<= (goal r ?v) (v ?v)) (v 101)", -1},
               {"(<= (goal r ?v) (v ?v)) (v x)", -1},
               {"(<= (goal r 5) (true no))", -1},
               {"(goal q 5) (goal r 6)", 6}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Text text = {0};
    Description description;
    text_format(&text, "(role r) (legal r go) (<= terminal (true no)) %s",
                cases[i].rules);
    Game *game = play_open(&description, text.bytes);
    assert_int_equal(game_goal(game, 0), cases[i].goal);
    play_close(game);
    text_free(&text);
  }
}

/* Moves of something that is not a role are ignored. */
static void test_roles_in_order(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(
      &description, "(role white) (role (black 1)) (goal white 1)"
                    "(goal (black 1) 2) (legal white go) (legal nobody stay)"
                    "(legal (black 1) (go 1)) (<= terminal (true over))");
  assert_int_equal(game->role_count, 2);
  expect_legal(game, 0, "go");
  expect_legal(game, 1, "(go 1)");
  assert_int_equal(game_goal(game, 0), 1);
  assert_int_equal(game_goal(game, 1), 2);
  play_close(game);
}

static void test_bodies_may_ask_legal_and_goal(void **state) {
  (void)state;
  check_next("(init (n 1)) (<= (legal r (to ?x)) (true (n ?x)))"
             "(<= (next (could ?m)) (legal r ?m))"
             "(<= (next ended) terminal) (<= (next (worth ?v)) (goal r ?v))",
             "(could go) (could (to 1)) (n 1) (worth 0)");
}

/* ---- wide predicates ---- */

/* " w w … w last", `count` words in all. */
static void add_words(Text *text, uint32_t count, const char *word,
                      const char *last) {
  for (uint32_t i = 1; i < count; i++) {
    text_format(text, " %s", word);
    if (word[0] == '?') text_format(text, "%u", i);
  }
  text_format(text, " %s", last);
}

/* More columns than an index can have; the last one decides. */
static void check_wide(uint32_t arity, const char *guard) {
  Text text = {0};
  text_add(&text, "(init s) (f");
  add_words(&text, arity, "a", "x");
  text_add(&text, ") (f");
  add_words(&text, arity, "a", "y");
  text_add(&text, ") (<= (p");
  add_words(&text, arity, "?v", "?last");
  text_format(&text, ") %s (f", guard);
  add_words(&text, arity, "?v", "?last");
  text_add(&text, "))");
  static const char *const questions[][3] = {{"x", "", "px"},
                                             {"z", "", "pz"},
                                             {"x", "not ", "nx"},
                                             {"z", "not ", "nz"}};
  for (size_t i = 0; i < LENGTH(questions); i++)
    for (int fact = 0; fact < 2; fact++) {
      bool negative = *questions[i][1];
      text_format(&text, "(<= (next %s%s) (true s) %s(%s", questions[i][2],
                  fact ? "f" : "p", negative ? "(not " : "", fact ? "f" : "p");
      add_words(&text, arity, "a", questions[i][0]);
      text_add(&text, negative ? ")))" : "))");
    }
  text_add(&text, "(<= (next (all ?l)) (p");
  add_words(&text, arity, "a", "?l");
  text_add(&text, "))");
  check_next(text.bytes, "(all x) (all y) nzf nzp pxf pxp");
  text_free(&text);
}

static void test_many_arguments(void **state) {
  (void)state;
  static const uint32_t arities[] = {2, 31, 32, 33, 64, 255};
  for (size_t i = 0; i < LENGTH(arities); i++) {
    check_wide(arities[i], "");
    check_wide(arities[i], "(true s)");
    check_wide(arities[i], "(does r go)");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_true_with_a_variable),
      cmocka_unit_test(test_fluents_without_arguments),
      cmocka_unit_test(test_no_init),
      cmocka_unit_test(test_function_terms),
      cmocka_unit_test(test_function_terms_in_relations),
      cmocka_unit_test(test_does_with_variables),
      cmocka_unit_test(test_distinct_of_compounds),
      cmocka_unit_test(test_facts_and_rules),
      cmocka_unit_test(test_or_and_not),
      cmocka_unit_test(test_goal_by_other_goals),
      cmocka_unit_test(test_goal_values),
      cmocka_unit_test(test_roles_in_order),
      cmocka_unit_test(test_bodies_may_ask_legal_and_goal),
      cmocka_unit_test(test_many_arguments),
  };
  return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
