/* Recursive predicates with known answers, each over a graph that is given as
   facts of the rules, as facts of the state, and as something that only holds
   while a move is made: evaluated in advance, per state and per move. */
#include "rules/rules.h"
#include "support/play.h"

typedef enum { OF_RULES, OF_STATE, OF_MOVES } Origin;

/* The edges "12 23" as (e 1 2) (e 2 3), where the origin wants them. */
static void write_edges(const char *edges, Origin origin, Text *text) {
  for (; *edges; edges += edges[2] ? 3 : 2)
    text_format(text, origin == OF_RULES ? "(e %c %c)\n" : "(init (f %c %c))\n",
                edges[0], edges[1]);
  if (origin == OF_STATE) text_add(text, "(<= (e ?x ?y) (true (f ?x ?y)))\n");
  if (origin == OF_MOVES)
    text_add(text, "(<= (e ?x ?y) (does r z) (true (f ?x ?y)))\n");
}

static void check_one(Origin origin, const char *edges, const char *rules,
                      const char *expected) {
  Text text = {0};
  Description description;
  text_add(&text, "(role r) (goal r 0) (<= terminal (true over))\n"
                  "(legal r z) (<= (next over) (true over))\n"
                  "(node 1) (node 2) (node 3) (node 4) (node 5)\n");
  write_edges(edges, origin, &text);
  text_add(&text, rules);
  if (origin != OF_MOVES) text_add(&text, "(<= (legal r ?x) (answer ?x))\n");
  text_add(&text, "(<= (next ?x) (answer ?x))\n");
  Game *game = play_open(&description, text.bytes);
  if (origin != OF_MOVES) {
    Text with_move = {0};
    text_format(&with_move, "%s%sz", expected, *expected ? " " : "");
    expect_legal(game, 0, with_move.bytes);
    text_free(&with_move);
  }
  PLAY(game, "z");
  expect_facts(game, expected);
  play_close(game);
  text_free(&text);
}

/* `expected`: the answers, which are sorted before the move z. */
static void check(const char *edges, const char *rules, const char *expected) {
  for (Origin origin = OF_RULES; origin <= OF_MOVES; origin++)
    check_one(origin, edges, rules, expected);
}

static const char cycle[] = "12 23 31 34 45";

static void test_right_recursion(void **state) {
  (void)state;
  static const char rules[] = "(<= (path ?x ?y) (e ?x ?y))"
                              "(<= (path ?x ?z) (e ?x ?y) (path ?y ?z))";
  char text[400];
  snprintf(text, sizeof text, "%s (<= (answer ?x) (path 2 ?x))", rules);
  check(cycle, text, "1 2 3 4 5");
  snprintf(text, sizeof text, "%s (<= (answer ?x) (path ?x 4))", rules);
  check(cycle, text, "1 2 3");
  snprintf(text, sizeof text, "%s (<= (answer ?x) (path ?x ?x))", rules);
  check(cycle, text, "1 2 3");
  snprintf(text, sizeof text, "%s (<= (answer yes) (path 5 1))", rules);
  check(cycle, text, "");
  snprintf(text, sizeof text, "%s (<= (answer (p ?x ?y)) (path ?x ?y))", rules);
  check("12 21", text, "(p 1 1) (p 1 2) (p 2 1) (p 2 2)");
}

static void test_left_recursion(void **state) {
  (void)state;
  check(cycle,
        "(<= (path ?x ?y) (e ?x ?y))"
        "(<= (path ?x ?z) (path ?x ?y) (e ?y ?z))"
        "(<= (answer ?x) (path 3 ?x))",
        "1 2 3 4 5");
  check(cycle,
        "(<= (path ?x ?y) (path ?x ?z) (e ?z ?y))"
        "(<= (path ?x ?y) (e ?x ?y))"
        "(<= (answer ?x) (path 4 ?x))",
        "5");
}

static void test_double_recursion(void **state) {
  (void)state;
  static const char rules[] =
      "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z) (node ?y))"
      "(<= (path ?x ?y) (e ?x ?y))";
  char text[400];
  snprintf(text, sizeof text, "%s (<= (answer ?x) (path ?x 5))", rules);
  check(cycle, text, "1 2 3 4");
  snprintf(text, sizeof text, "%s (<= (answer ?x) (path 1 ?x))", rules);
  check(cycle, text, "1 2 3 4 5");
}

/* Paths of odd and of even length. */
static void test_mutual_recursion(void **state) {
  (void)state;
  static const char rules[] = "(<= (odd ?x ?y) (e ?x ?y))"
                              "(<= (odd ?x ?z) (e ?x ?y) (even ?y ?z))"
                              "(<= (even ?x ?z) (e ?x ?y) (odd ?y ?z))";
  char text[400];
  snprintf(text, sizeof text, "%s (<= (answer ?x) (odd 1 ?x))", rules);
  check("12 23 34 45", text, "2 4");
  check("12 23 31", text, "1 2 3");
  snprintf(text, sizeof text, "%s (<= (answer ?x) (even 1 ?x))", rules);
  check("12 23 34 45", text, "3 5");
  check("12 21", text, "1");
}

/* A ring of predicates, each with a fact of its own as well as a rule. */
static void test_facts_in_a_ring(void **state) {
  (void)state;
  check("12 23 34 45",
        "(p 1) (q 3) (<= (p ?y) (q ?x) (e ?x ?y)) (<= (q ?y) (r ?x) (e ?x ?y))"
        "(<= (r ?y) (p ?x) (e ?x ?y)) (<= (answer (p ?x)) (p ?x))"
        "(<= (answer (q ?x)) (q ?x)) (<= (answer (r ?x)) (r ?x))",
        "(p 1) (p 4) (q 3) (r 2) (r 5)");
}

/* The same question inside and outside a running recursion. */
static void test_nested_components(void **state) {
  (void)state;
  check("12 23 31 14 45",
        "(<= (inner ?x ?y) (e ?x ?y))"
        "(<= (inner ?x ?z) (inner ?x ?y) (e ?y ?z))"
        "(<= (outer ?x) (inner ?x ?x) (node ?x))"
        "(<= (outer ?y) (outer ?x) (inner ?x ?y))"
        "(<= (answer ?x) (outer ?x) (inner ?x 5))",
        "1 2 3 4");
}

/* Nodes from which no cycle can be reached: a complement over a recursion. */
static void test_negation_over_recursion(void **state) {
  (void)state;
  check("12 23 32 45",
        "(<= (path ?x ?y) (e ?x ?y))"
        "(<= (path ?x ?z) (e ?x ?y) (path ?y ?z))"
        "(<= (circular ?x) (path ?x ?x))"
        "(<= (doomed ?x) (circular ?x))"
        "(<= (doomed ?x) (path ?x ?y) (circular ?y))"
        "(<= (answer ?x) (node ?x) (not (doomed ?x)))",
        "4 5");
}

/* Three strata, the last of them recursive again. */
static void test_recursion_over_negation(void **state) {
  (void)state;
  check("12 23 34 45",
        "(<= (source ?y) (e ?x ?y))"
        "(<= (start ?x) (node ?x) (not (source ?x)))"
        "(<= (blocked ?x) (e ?x 4))"
        "(<= (walk ?x) (start ?x))"
        "(<= (walk ?y) (walk ?x) (e ?x ?y) (not (blocked ?y)))"
        "(<= (answer ?x) (walk ?x))",
        "1 2");
}

/* Truth values that support each other only in a circle are false. */
static void test_unfounded(void **state) {
  (void)state;
  check("12",
        "(<= a b) (<= b a) (<= b c) (<= c (e 2 1))"
        "(<= (answer yes) a) (<= (answer no) (not a))",
        "no");
  check("21",
        "(<= a b) (<= b a) (<= b c) (<= c (e 2 1))"
        "(<= (answer yes) a) (<= (answer no) (not a))",
        "yes");
}

/* A recursion that only a later rule of another member sets going, so that the
   first round finds nothing. */
static void test_late_answers(void **state) {
  (void)state;
  check("12 23 34 45",
        "(<= (a ?y) (b ?x) (e ?x ?y)) (<= (b ?y) (c ?x) (e ?x ?y))"
        "(<= (c ?y) (a ?x) (e ?x ?y)) (<= (c ?x) (late ?x))"
        "(<= (late 1) (e 1 2))"
        "(<= (answer (a ?x)) (a ?x)) (<= (answer (b ?x)) (b ?x))"
        "(<= (answer (c ?x)) (c ?x))",
        "(a 3) (b 2) (b 5) (c 1) (c 4)");
}

/* ---- found by random programs ---- */

/* The facts after one move, of rules that the checker may not like. */
static void check_next(const char *rules, const char *expected) {
  Text text = {0};
  Description description;
  text_add(&text, "(role r) (goal r 0) (legal r z) (<= terminal (true over))");
  text_add(&text, rules);
  front_read(&description, text.bytes);
  RulesLimits limits = {.memory = (size_t)64 << 20};
  Game *game = rules_engine_new(&description, &limits);
  PLAY(game, "z");
  expect_facts(game, expected);
  play_close(game);
  text_free(&text);
}

/* b is known to be true before everything it depends on is complete; c must be
   evaluated again. */
static void test_truth_before_completion(void **state) {
  (void)state;
  check_next("(<= (a ?x) b (n ?x)) (n 0) (<= (a 1) (does r z)) "
             "(<= (c ?x ?x) (a ?x)) (<= b (c ?x ?y))"
             "(<= (next (a ?x)) (a ?x)) (<= (next (c ?x ?y)) (c ?x ?y))",
             "(a 0) (a 1) (c 0 0) (c 1 1)");
}

/* A call depends on one that later depends on another; it must not be treated
   as depending on a third at the same depth. */
static void test_waiting_for_the_waiting(void **state) {
  (void)state;
  check_next("(init (s 0)) (m c 1 0)"
             "(<= (m b ?x ?y) (m c ?y ?x))"
             "(<= (m c ?x ?x) (m a ?x ?y))"
             "(<= (m d ?x ?y) (m d ?z ?y) (true (s ?x)))"
             "(<= (m d ?x ?x) (m a 1 ?x))"
             "(<= (m a ?x ?y) (m c 0 ?z) (m c ?y 1) (m a ?y ?x))"
             "(<= (m d ?x ?y) (m a ?z ?y) (m d ?x 1))"
             "(<= (m a ?x ?y) (m b ?y ?x))"
             "(<= (m b ?x ?y) (m d ?x ?z) (m a ?z ?y))"
             "(<= (next (a ?x ?y)) (m a ?x ?y))"
             "(<= (next (d ?x ?y)) (m d ?x ?y))",
             "(a 0 0) (a 0 1) (a 1 0) (a 1 1) (d 0 0) (d 0 1) (d 1 0) (d 1 1)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right_recursion),
      cmocka_unit_test(test_left_recursion),
      cmocka_unit_test(test_double_recursion),
      cmocka_unit_test(test_mutual_recursion),
      cmocka_unit_test(test_facts_in_a_ring),
      cmocka_unit_test(test_nested_components),
      cmocka_unit_test(test_negation_over_recursion),
      cmocka_unit_test(test_recursion_over_negation),
      cmocka_unit_test(test_unfounded),
      cmocka_unit_test(test_late_answers),
      cmocka_unit_test(test_truth_before_completion),
      cmocka_unit_test(test_waiting_for_the_waiting),
  };
  return cmocka_run_group_tests_name("recursion", tests, NULL, NULL);
}
