/* Wide negative calls that read the place of a king: taken apart where a king
   is proved to be in one place at a time, left alone otherwise. Their meaning
   is the same either way. */
#include "ground/token.h"

#include "support/ground.h"
#include "support/meaning.h"

/* Two kings and two stones on a line of places. A stone hits what is near it,
   unless it is captured or stands on a mark. No move may leave the own king
   hit. */
#define RULES \
  "(role w) (role b) (other w b) (other b w)" \
  "(place 1) (place 2) (place 3) (place 4) (place 5) (mark 3) (mark 4)" \
  "(near 1 2) (near 2 1) (near 2 3) (near 3 2) (near 3 4) (near 4 3)" \
  "(near 4 5) (near 5 4)" \
  "(owner k w king) (owner s w stone) (owner q b king) (owner t b stone)" \
  "(init (at 1 k)) (init (at 3 s)) (init (at 5 q)) (init (at 4 t))" \
  "(init (control w)) (init (step 1))" \
  "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))" \
  "(<= terminal (true (step 6)))" \
  "(<= (goal ?p 100) (role ?p) (true (at 3 ?t)) (owner ?t ?p king))" \
  "(<= (goal ?p 0) (role ?p) (true (at 3 ?t)) (other ?p ?o)" \
  "    (owner ?t ?o king))" \
  "(<= (apart ?a ?b ?c ?d) (place ?a) (place ?b) (place ?c) (place ?d)" \
  "    (distinct ?a ?b))" \
  "(<= (apart ?a ?b ?c ?d) (place ?a) (place ?b) (place ?c) (place ?d)" \
  "    (distinct ?c ?d))" \
  "(<= (hit ?p ?k ?x ?y ?m) (other ?p ?o) (owner ?s ?o stone)" \
  "    (true (at ?z ?s)) (near ?z ?k) (apart ?z ?y ?z ?m) (place ?x))" \
  "(<= (hit ?p ?k ?x ?y ?m) (other ?p ?o) (owner ?q ?o king)" \
  "    (true (at ?k ?q)) (place ?x) (place ?y) (place ?m))" \
  "(<= (next (at ?y ?t)) (does ?p (go ?t ?x ?y)))" \
  "(<= (legal ?p stay) (true (control ?o)) (other ?p ?o))" \
  "(<= (legal ?p stay) (true (control ?p)))"
#define KEEPS \
  "(<= (next (at ?x ?t)) (true (at ?x ?t)) (does ?p (go ?s ?u ?v))" \
  "    (distinct ?x ?u) (distinct ?x ?v))"
#define RESTS \
  "(<= (next (at ?x ?t)) (true (at ?x ?t)) still)" \
  "(<= moves (does ?p (go ?s ?u ?v)))" \
  "(<= still (not moves))"
#define TURNS \
  "(<= (next (control b)) (true (control w)))" \
  "(<= (next (control w)) (true (control b)))"
#define LEGAL \
  "(<= (legal ?p (go ?t ?x ?y)) (true (control ?p)) (owner ?t ?p ?kind)" \
  "    (true (at ?x ?t)) (place ?y) (distinct ?x ?y)" \
  "    (owner ?king ?p king) (true (at ?k ?king)) (near ?k ?n) (mark ?m)" \
  "    (not (hit ?p ?k ?x ?y ?m)))"

typedef struct Case {
  const char *text;
  bool proved;
} Case;

static const Case cases[] = {
    {RULES KEEPS TURNS LEGAL, true},
    /* a move that is written twice alike */
    {RULES KEEPS TURNS LEGAL "(<= (next (at 2 k)) (does w (go k 1 2)))", true},
    /* whose turn it is, said with variables */
    {RULES KEEPS LEGAL
     "(<= (next (control ?p)) (true (control ?o)) (other ?p ?o))",
     true},
    /* two kings to begin with */
    {RULES KEEPS TURNS LEGAL "(init (at 2 k))", false},
    /* legal although the king is elsewhere */
    {RULES KEEPS TURNS LEGAL "(<= (legal w (go k 1 2)) (true (control w)))",
     false},
    /* the source is kept */
    {RULES TURNS LEGAL
     "(<= (next (at ?x ?t)) (true (at ?x ?t)) (does ?p (go ?s ?u ?v))"
     "    (distinct ?x ?v))",
     false},
    {RULES KEEPS TURNS LEGAL "(<= (next (at 1 ?t)) (true (at 1 ?t)))", false},
    /* both roles may move at once */
    {RULES KEEPS TURNS LEGAL
     "(<= (legal b (go t ?x 5)) (true (at ?x t)) (place ?x))",
     false},
    {RULES KEEPS TURNS LEGAL "(init (control b))", false},
    {RULES KEEPS TURNS LEGAL "(<= (next (control w)) (true (control w)))",
     false},
    {RULES KEEPS TURNS LEGAL "(<= (next (control w)) (true (at 2 s)))", false},
    /* a move that writes two places, or another thing's place */
    {RULES KEEPS TURNS LEGAL "(<= (next (at 2 k)) (does w (go k 1 3)))", false},
    {RULES KEEPS TURNS LEGAL "(<= (next (at 2 k)) (does w (go s ?x ?y)))",
     false},
    /* facts that no move writes */
    {RULES KEEPS TURNS LEGAL "(<= (next (at 2 k)) (true (step 2)))", false},
    /* kept by a rule that says nothing of moves */
    {RULES KEEPS RESTS TURNS LEGAL, false},
};

static void test_proofs(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    GroundGame game;
    ground_open(&game, cases[i].text);
    if (game.ground.tight != cases[i].proved) fail_msg("case %zu", i);
    assert_int_equal(game.ground.tokens.count > 0, cases[i].proved);
    assert_int_equal(ground_named(&game, "hit", 5)->rows.count > 0,
                     !cases[i].proved);
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
  return cmocka_run_group_tests_name("token", tests, NULL, NULL);
}
