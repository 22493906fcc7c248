/* Bodies in which several wide static calls compare many facts: distributed
   where each fact has one value at a time, left alone where that cannot be
   proved. Their meaning is the same either way. */
#include "ground/claim.h"

#include "support/ground.h"
#include "support/meaning.h"

/* Five cells; good if the first and the last are 1 and 2. */
#define RULES \
  "(role r) (m 1) (m 2) (m 3) (c 1) (c 2) (c 3) (c 4) (c 5)" \
  "(eq 1 1) (eq 2 2) (eq 3 3)" \
  "(<= (ends ?k ?a ?b ?c ?d ?e)" \
  "    (eq ?k ?a) (m ?b) (m ?c) (m ?d) (m ?e) (not (eq ?k ?e)))" \
  "(<= (ends ?k ?a ?b ?c ?d ?e)" \
  "    (eq ?k ?e) (m ?a) (m ?b) (m ?c) (m ?d) (not (eq ?k ?a)))" \
  "(<= (good ?n) (n ?n) (true (mark 1 ?n ?a)) (true (mark 2 ?n ?b))" \
  "    (true (mark 3 ?n ?c)) (true (mark 4 ?n ?d)) (true (mark 5 ?n ?e))" \
  "    (ends 1 ?a ?b ?c ?d ?e) (ends 2 ?a ?b ?c ?d ?e))" \
  "(n x) (<= (goal r 100) (good x)) (<= (goal r 0) (not (good x)))" \
  "(<= some (empty ?c)) (<= terminal (not some)) (legal r wait)"
#define KEEPS "(<= (next (mark ?c ?n ?v)) (true (mark ?c ?n ?v)))"
#define WRITES "(<= (next (mark ?c x ?v)) (does r (play ?c ?v)))"
#define EMPTY \
  "(<= (empty ?c) (c ?c) (not (true (mark ?c x 1)))" \
  "    (not (true (mark ?c x 2))) (not (true (mark ?c x 3))))"
#define LEGAL "(<= (legal r (play ?c ?v)) (empty ?c) (m ?v))"

typedef struct Case {
  const char *text;
  bool proved;
} Case;

static const Case cases[] = {
    {RULES KEEPS WRITES EMPTY LEGAL, true},
    {RULES KEEPS WRITES EMPTY LEGAL "(init (mark 1 x 2)) (init (mark 3 x 2))",
     true},
    /* a value may be written again, but no other */
    {RULES KEEPS WRITES EMPTY
     "(<= (legal r (play ?c 1)) (c ?c) (not (true (mark ?c x 2)))"
     "    (not (true (mark ?c x 3))))"
     "(<= (legal r (play ?c 2)) (c ?c) (not (true (mark ?c x 1)))"
     "    (not (true (mark ?c x 3))))"
     "(<= (legal r (play ?c 3)) (c ?c) (not (true (mark ?c x 1)))"
     "    (not (true (mark ?c x 2))))",
     true},
    /* the initial state has two values */
    {RULES KEEPS WRITES EMPTY LEGAL "(init (mark 1 x 2)) (init (mark 1 x 1))",
     false},
    /* legal although the cell has a value */
    {RULES KEEPS WRITES EMPTY "(<= (legal r (play ?c ?v)) (c ?c) (m ?v))",
     false},
    {RULES KEEPS WRITES EMPTY LEGAL
     "(<= (legal r (play 1 ?v)) (true (mark 1 x ?v)) (m ?v))"
     "(<= (legal r (play 1 2)) (true (mark 1 x 1)))",
     false},
    /* legal because the cell has a value */
    {RULES KEEPS WRITES EMPTY LEGAL
     "(<= (legal r (play 1 2)) (true (mark 1 x 1)) (not (true (mark 1 x 3))))",
     false},
    /* facts that become true where they were not */
    {RULES KEEPS WRITES EMPTY LEGAL
     "(<= (next (mark ?c x ?v)) (c ?c) (m ?v) (does r wait)"
     "    (not (true (mark ?c x ?v))))",
     false},
    /* emptiness that overlooks a value, in one of its rules */
    {RULES KEEPS WRITES EMPTY LEGAL
     "(<= (empty ?c) (c ?c) (not (true (mark ?c x 1)))"
     "    (not (true (mark ?c x 2))))",
     false},
    {RULES KEEPS WRITES EMPTY "(init (mark 1 x 2))"
                              "(<= (legal r (play ?c ?v)) (c ?c) (m ?v)"
                              "    (not (empty ?c)))",
     false},
    /* written by a move that is not done, or only legal */
    {RULES KEEPS EMPTY LEGAL "(<= (next (mark ?c x ?v)) (c ?c) (m ?v)"
                             "    (not (does r (play ?c ?v))))",
     false},
    {RULES KEEPS EMPTY LEGAL "(<= (next (mark ?c x ?v)) (c ?c) (m ?v)"
                             "    (legal r (play ?c ?v)))",
     false},
    /* a second writer */
    {RULES KEEPS WRITES EMPTY LEGAL
     "(<= (next (mark 1 x 1)) (does r (play 2 ?v)))",
     false},
    {RULES KEEPS WRITES EMPTY LEGAL
     "(<= (next (mark ?c x 1)) (does r (play ?c ?v)))",
     false},
    /* another role may write at the same time */
    {RULES KEEPS EMPTY "(role s) (<= (goal s 0) (n ?x))"
                       "(<= (legal ?r (play ?c ?v)) (role ?r) (empty ?c)"
                       "    (m ?v))"
                       "(<= (next (mark ?c x ?v)) (does ?r (play ?c ?v)))",
     false},
    /* the move does not say which value */
    {RULES KEEPS EMPTY "(<= (legal r (fill ?c)) (empty ?c))"
                       "(<= (next (mark ?c x ?v)) (does r (fill ?c)) (m ?v))",
     false},
    /* facts that come from any fact */
    {RULES WRITES EMPTY LEGAL "(<= (next ?f) (true ?f))", false},
    /* facts that come from another fact */
    {RULES KEEPS WRITES EMPTY LEGAL
     "(<= (next (mark 1 x ?v)) (true (mark 5 x ?v)))",
     false},
};

static void test_proofs(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    GroundGame game;
    ground_open(&game, cases[i].text);
    bool proved = game.ground.claims.count > 0;
    if (proved != cases[i].proved) fail_msg("case %zu", i);
    assert_int_equal(game.ground.distributes, cases[i].proved);
    if (proved) {
      expect_rows(&game, "good", 1, 1);
      assert_int_equal(ground_named(&game, "ends", 6)->rows.count, 0);
      assert_true(claim_all_hold(&game.ground));
    } else {
      assert_int_not_equal(ground_named(&game, "ends", 6)->rows.count, 0);
    }
    ground_close(&game);
  }
}

/* ---- the meaning of the net ---- */

static void test_meaning(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++)
    meaning_expect_same(cases[i].text, i);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_proofs),
      cmocka_unit_test(test_meaning),
  };
  return cmocka_run_group_tests_name("claim", tests, NULL, NULL);
}
