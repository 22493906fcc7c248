/* The Prolog writer: names are quoted, predicates get a prefix of their own,
   negations wait for their variables, recursive predicates are tabled. That the
   programs mean the same as the rules is tested by test/agree/oracle.test. */
#include "gdl/prolog.h"

#include "support/front.h"

static Text written;

static void write_game(const char *text) {
  Description description;
  front_read(&description, text);
  text_clear(&written);
  prolog_write(&description, &written);
  description_free(&description);
}

static void expect(const char *line) {
  if (!strstr(written.bytes, line))
    fail_msg("no \"%s\" in:\n%s", line, written.bytes);
}

static int tear_down(void **state) {
  (void)state;
  text_free(&written);
  return 0;
}

static void test_names(void **state) {
  (void)state;
  write_game("(role X) (cell 1 ?y) (it's back\\slash (f O'Hara)) open");
  expect("\n'gdl role'('X').\n");
  expect("\n'gdl cell'('1', V0).\n");
  expect("\n'gdl it\\'s'('back\\\\slash', 'f'('O\\'Hara')).\n");
  expect("\n'gdl open'.\n");
}

static void test_rules(void **state) {
  (void)state;
  write_game("(<= (next (cell ?x ?y)) (does ?x (mark ?y)) (true (cell ?x b)) "
             "(distinct ?x ?y) (not (p ?y)) (legal ?x ?y))");
  expect("'gdl next'('cell'(V0, V1)) :-\n    does(V0, 'mark'(V1)),\n"
         "    holds('cell'(V0, 'b')),\n    V0 \\== V1,\n    \\+ 'gdl p'(V1),\n"
         "    'gdl legal'(V0, V1).\n");
}

static void test_negation_waits(void **state) {
  (void)state;
  write_game("(<= (p ?x) (not (q ?x)) (distinct ?x ?y) (r ?x) (s ?y))");
  expect("'gdl p'(V0) :-\n    'gdl r'(V0),\n    \\+ 'gdl q'(V0),\n"
         "    'gdl s'(V1),\n    V0 \\== V1.\n");
}

static void test_declarations(void **state) {
  (void)state;
  write_game("(role x) (<= (path ?x ?y) (edge ?x ?y)) (edge 1 2) "
             "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z)) "
             "(<= terminal (path 1 2) (not (nobody ?x)) (true s) (does x y))");
  expect(":- table 'gdl path'/2.\n");
  expect(":- discontiguous 'gdl edge'/2.\n");
  expect(":- dynamic 'gdl nobody'/1.\n");
  expect(":- dynamic holds/1, does/2.\n");
  expect(":- dynamic 'gdl init'/1.\n");
  assert_null(strstr(written.bytes, "'gdl true'"));
  assert_null(strstr(written.bytes, "'gdl does'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_negation_waits),
      cmocka_unit_test(test_declarations),
  };
  return cmocka_run_group_tests_name("prolog", tests, NULL, tear_down);
}
