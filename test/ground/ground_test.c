/* Small games whose reachable facts and moves, and rows of predicates, are
   known. */
#include "support/ground.h"

#define FRAME \
  "(role r) (<= (goal r 100) (true (step 3))) (<= terminal (true (step 3)))" \
  "(init (step 1)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))" \
  "(succ 1 2) (succ 2 3)"

static void test_reachable_only(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game, FRAME "(legal r wait)"
                           "(<= (legal r (jump ?x)) (true (step ?x)))"
                           "(<= (next (never ?x)) (true (never ?x)))"
                           "(<= (next (far ?x)) (does r (jump ?x))"
                           "    (true (step 9)))");
  expect_fluents(&game, "(step 1) (step 2) (step 3)");
  expect_moves(&game, 0, "(jump 1) (jump 2) (jump 3) wait");
  ground_close(&game);
}

/* A negation of what depends on the state may be true. */
static void test_negation_is_possible(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game, FRAME "(legal r wait)"
                           "(<= (next late) (not (true (step 1))))"
                           "(<= (next odd) (not (true (step 1)))"
                           "    (not (true (step 2))) (true late))");
  expect_fluents(&game, "late odd (step 1) (step 2) (step 3)");
  ground_close(&game);
}

static void test_static_recursion(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game,
              FRAME "(edge a b) (edge b c) (edge c d) (edge d b)"
                    "(<= (path ?x ?y) (edge ?x ?y))"
                    "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))"
                    "(<= (apart ?x ?y) (node ?x) (node ?y)"
                    "    (not (path ?x ?y)) (distinct ?x ?y))"
                    "(node a) (node b) (node c) (node d)"
                    "(<= (legal r (go ?x ?y)) (path ?x ?y) (true (step 1)))"
                    "(<= (legal r (fly ?x ?y)) (apart ?x ?y))");
  expect_rows(&game, "path", 2, 12);
  expect_rows(&game, "apart", 2, 3);
  expect_moves(&game, 0,
               "(fly b a) (fly c a) (fly d a) (go a b) (go a c) (go a d) "
               "(go b b) (go b c) (go b d) (go c b) (go c c) (go c d) "
               "(go d b) (go d c) (go d d)");
  assert_int_equal(ground_named(&game, "apart", 2)->kind, HOLDS_ALWAYS);
  ground_close(&game);
}

/* Walls never change: what reads them is static, and nothing crosses them. */
static void test_constant_fluents(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game, FRAME
              "(init (at 1)) (init (wall 2)) (line 1 2) (line 2 3) (line 3 4)"
              "(line 1 4)"
              "(<= (next (wall ?x)) (true (wall ?x)))"
              "(<= (open ?x ?y) (line ?x ?y) (not (true (wall ?x)))"
              "    (not (true (wall ?y))))"
              "(<= (open ?x ?y) (open ?y ?x))"
              "(legal r stay)"
              "(<= (legal r (to ?y)) (true (at ?x)) (open ?x ?y))"
              "(<= (next (at ?y)) (does r (to ?y)))");
  GroundRelation *open = ground_named(&game, "open", 2);
  assert_int_equal(open->kind, HOLDS_ALWAYS);
  assert_true(open->late);
  assert_int_equal(open->rows.count, 4);
  expect_moves(&game, 0, "stay (to 1) (to 3) (to 4)");
  expect_fluents(&game, "(at 1) (at 3) (at 4) (step 1) (step 2) (step 3) "
                        "(wall 2)");
  ground_close(&game);
}

/* A wall that can fall is not constant. */
static void test_changing_walls(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game,
              FRAME "(init (at 1)) (init (wall 2)) (line 1 2) (line 2 3)"
                    "(<= (next (wall ?x)) (true (wall ?x)) (does r stay))"
                    "(<= (open ?x ?y) (line ?x ?y) (not (true (wall ?y))))"
                    "(legal r stay)"
                    "(<= (legal r (to ?y)) (true (at ?x)) (open ?x ?y))"
                    "(<= (next (at ?y)) (does r (to ?y)))");
  assert_int_equal(ground_named(&game, "open", 2)->kind, HOLDS_DERIVED);
  expect_moves(&game, 0, "stay (to 2) (to 3)");
  ground_close(&game);
}

/* Does open/2 count as static with these rules for walls? */
static bool walls_are_constant(const char *rules) {
  GroundGame game;
  Text text = {0};
  text_format(&text,
              FRAME "(init (wall 2)) (init (wall 3)) (line 1 2) (line 2 3)"
                    "(<= (open ?x ?y) (line ?x ?y) (not (true (wall ?y))))"
                    "(legal r stay) (<= (legal r (to ?y)) (open ?x ?y)) %s",
              rules);
  ground_open(&game, text.bytes);
  bool constant = ground_named(&game, "open", 2)->kind == HOLDS_ALWAYS;
  ground_close(&game);
  text_free(&text);
  return constant;
}

static void test_constant_or_not(void **state) {
  (void)state;
  assert_true(walls_are_constant("(<= (next (wall ?x)) (true (wall ?x)))"));
  /* one wall stays, the other does not */
  assert_false(walls_are_constant("(<= (next (wall 2)) (true (wall 2)))"));
  /* any fact may become true, a wall among them */
  assert_false(walls_are_constant("(<= (next (wall ?x)) (true (wall ?x)))"
                                  "(<= (next ?f) (stone ?f) (does r stay))"
                                  "(stone (wall 1))"));
  /* every fact stays */
  assert_false(walls_are_constant("(<= (next ?f) (true ?f))"));
  GroundGame game;
  ground_open(&game, FRAME "(legal r wait) (<= (next lamp) (not (true lamp)))"
                           "(<= (legal r look) (dark)) (<= (dark)"
                           "    (not (true lamp)))");
  assert_int_equal(ground_named(&game, "dark", 0)->kind, HOLDS_DERIVED);
  ground_close(&game);
}

/* What reads moves depends on them, directly or not. */
static void test_moves_are_read(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game, FRAME "(legal r wait) (legal r (jump 1)) (who r) (who s)"
                           "(<= (legal ?r (sing ?r)) (who ?r))"
                           "(<= (hit ?x) (does r (jump ?x)))"
                           "(<= (hurt ?x) (hit ?x))"
                           "(<= (next (down ?x)) (hurt ?x))");
  assert_int_equal(ground_named(&game, "hit", 1)->kind, HOLDS_DERIVED);
  assert_int_equal(ground_named(&game, "hurt", 1)->kind, HOLDS_DERIVED);
  expect_rows(&game, "hurt", 1, 1);
  /* s is not a role */
  expect_moves(&game, 0, "(jump 1) (sing r) wait");
  assert_int_equal(game.ground.moves.count, 3);
  for (uint32_t i = 0; i < game.ground.fluents.count; i++) {
    Text name = {0};
    term_write(game.ground.terms, game.ground.fluents.data[i].term, &name);
    assert_int_equal(game.ground.fluents.data[i].initial,
                     strcmp(name.bytes, "(step 1)") == 0);
    text_free(&name);
  }
  ground_close(&game);
}

/* Nothing outside base and input is found, except in the initial state. */
static void test_narrowed(void **state) {
  (void)state;
  static const char *const text =
      FRAME "(legal r wait) (<= (legal r (jump ?x)) (true (step ?x)))"
            "(init (far 7)) (<= (next (far ?x)) (true (far ?x)) (does r wait))"
            "(base (step 1)) (<= (base (step ?y)) (less ?x ?y))"
            "(less 1 2) (input r wait) (<= (input r (jump ?x)) (less ?x ?y))";
  GroundGame game;
  GroundLimits limits = {.memory = (size_t)1 << 30, .narrow = true};
  assert_true(ground_try(&game, text, &limits));
  expect_fluents(&game, "(far 7) (step 1) (step 2)");
  expect_moves(&game, 0, "(jump 1) wait");
  ground_close(&game);
  limits.narrow = false;
  assert_true(ground_try(&game, text, &limits));
  expect_fluents(&game, "(far 7) (step 1) (step 2) (step 3)");
  expect_moves(&game, 0, "(jump 1) (jump 2) (jump 3) wait");
  ground_close(&game);
}

static void test_whole_terms(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game, "(role a) (role b) (init (p 1)) (init q)"
                     "(<= (legal a (keep ?x)) (true (p ?x)))"
                     "(legal b pass) (legal b (f 2))"
                     "(<= (next ?t) (true ?t)) (small q)"
                     "(<= (legal b (take ?t)) (true ?t) (small ?t))"
                     "(<= (next (done ?r ?m)) (does ?r ?m) (distinct ?m pass))"
                     "(<= (goal ?r 50) (role ?r))"
                     "(<= terminal (not (true q)))");
  expect_fluents(&game,
                 "(done a (keep 1)) (done b (f 2)) (done b (take q)) (p 1) q");
  expect_moves(&game, 0, "(keep 1)");
  expect_moves(&game, 1, "(f 2) pass (take q)");
  ground_close(&game);
}

static const char *const endless =
    "(role r) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))"
    "(legal r go) (goal r 0) (<= terminal (true (n stop)))";

/* A million facts in one step. */
static const char *const broad =
    "(role r) (init (n 0 0 0 0 0 0)) (legal r go) (goal r 0)"
    "(d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)"
    "(<= (next (n ?a ?b ?c ?d ?e ?f)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e)"
    "    (d ?f))"
    "(<= terminal (true (n 9 9 9 9 9 9)))";

static void test_limits(void **state) {
  (void)state;
  GroundGame game;
  GroundLimits any = {.memory = (size_t)1 << 30};
  assert_false(ground_try(&game, endless, &any));
  assert_string_equal(text_string(&game.error),
                      "the rules make ever larger terms");
  ground_close(&game);
  GroundLimits few = {.ticks = 100000, .memory = (size_t)1 << 30};
  assert_false(ground_try(&game, broad, &few));
  assert_string_equal(text_string(&game.error),
                      "grounding takes more work than allowed");
  ground_close(&game);
  GroundLimits small = {.memory = (size_t)1 << 20};
  assert_false(ground_try(&game, broad, &small));
  assert_string_equal(text_string(&game.error),
                      "grounding takes more than 1 MiB (--memory)");
  /* the description is as it was: another try gives the same */
  uint32_t terms = game.description.rules.terms.nodes.count;
  Text again = {0};
  assert_false(ground_init(&game.ground, &game.description, &small, &again));
  assert_string_equal(text_string(&again), text_string(&game.error));
  assert_int_equal(game.description.rules.terms.nodes.count, terms);
  text_free(&again);
  ground_close(&game);
}

/* Only what is asked for is found. */
static void test_demand(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game,
              FRAME "(legal r wait) (init (on a)) (init (on b)) (init (on c))"
                    "(init (on d))"
                    "(<= (next (on ?x)) (true (on ?x)) (not bad))"
                    "(<= (both ?x ?y ?n) (true (on ?x)) (true (on ?y))"
                    "    (true (step ?n)))"
                    "(<= (free ?x ?y) (true (on ?x)) (true (on ?y)))"
                    "(<= bad (both a c ?n) (free ?x b))"
                    "(<= bad (not (both d d 2)) (free a ?y))");
  expect_rows(&game, "both", 3, 6);
  expect_rows(&game, "free", 2, 16); /* no column is constant in every call */
  ground_close(&game);
}

/* A negative call counts as demand too, here for any ?x. */
static void test_demand_of_negation(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game,
              FRAME "(legal r wait) (init (on a)) (init (on b)) (init (on c))"
                    "(<= (next (on ?x)) (true (on ?x)) (not bad))"
                    "(<= (both ?x ?y) (true (on ?x)) (true (on ?y)))"
                    "(<= bad (both a c))"
                    "(<= bad (true (on ?x)) (not (both ?x b)))");
  expect_rows(&game, "both", 2, 6);
  ground_close(&game);
}

static void test_demand_of_recursion(void **state) {
  (void)state;
  GroundGame game;
  ground_open(&game,
              FRAME "(init (link a b)) (init (link b c)) (init (link c d))"
                    "(<= (next (link ?x ?y)) (true (link ?x ?y)) (not joined))"
                    "(<= (path ?x ?x) (node ?x))"
                    "(<= (path ?x ?z) (path ?x ?y) (true (link ?y ?z)))"
                    "(<= (back ?x ?z) (true (link ?x ?y)) (back ?y ?z))"
                    "(<= (back ?x ?x) (node ?x))"
                    "(node a) (node b) (node c) (node d) (legal r wait)"
                    "(<= joined (path a d) (back a d))");
  expect_rows(&game, "path", 2, 4); /* (path a ?), kept by the inner call */
  expect_rows(&game, "back", 2, 4); /* (back ? d) */
  ground_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reachable_only),
      cmocka_unit_test(test_negation_is_possible),
      cmocka_unit_test(test_static_recursion),
      cmocka_unit_test(test_constant_fluents),
      cmocka_unit_test(test_changing_walls),
      cmocka_unit_test(test_constant_or_not),
      cmocka_unit_test(test_moves_are_read),
      cmocka_unit_test(test_narrowed),
      cmocka_unit_test(test_whole_terms),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_demand),
      cmocka_unit_test(test_demand_of_negation),
      cmocka_unit_test(test_demand_of_recursion),
  };
  return cmocka_run_group_tests_name("ground", tests, NULL, NULL);
}
