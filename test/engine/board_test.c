/* Drawings of states: which facts make a board, how it is laid out, what is
   shown in a cell, and what is listed instead. */
#include "engine/board.h"

#include "play.h"

static void check(const char *facts, const char *expected) {
  Description description;
  Text text = {0}, drawn = {0};
  text_add(&text, "(role r) (legal r go) (goal r 0) (<= terminal (true over))");
  text_add(&text, facts);
  Game *game = play_open(&description, text.bytes);
  const Term *list;
  uint32_t count = game_facts(game, &list);
  board_draw(game, list, count, &drawn);
  assert_string_equal(text_string(&drawn), expected);
  text_free(&text);
  text_free(&drawn);
  play_close(game);
}

/* The first argument runs right, the second up; a place without a fact is
   empty, blank contents are a dot. */
static void test_layout(void **state) {
  (void)state;
  check("(init (cell 1 1 x)) (init (cell 2 1 b)) (init (cell 1 2 blank)) "
        "(init (cell 3 2 queen))",
        "cell\n"
        "  2 .           queen\n"
        "  1 x     .          \n"
        "    1     2     3    \n");
}

static void test_coordinates_in_order(void **state) {
  (void)state;
  check("(init (cell a 10 x)) (init (cell b 9 o)) (init (cell c 9 z))",
        "cell\n"
        "  10 x    \n"
        "  9    o z\n"
        "     a b c\n");
}

static void test_contents(void **state) {
  (void)state;
  check("(init (at 1 1 white king)) (init (at 2 2 black (rook 1)))",
        "at\n"
        "  2                black (rook 1)\n"
        "  1 white king                   \n"
        "    1              2             \n");
}

static void test_listed(void **state) {
  (void)state;
  check("(init (step 1)) (init (control x)) (init done)",
        "  (control x) done (step 1)\n");
  check("", "");
}

/* One value of a coordinate, or contents too long for a cell, make no board. */
static void test_no_board(void **state) {
  (void)state;
  check("(init (cell 1 1 x)) (init (cell 2 1 o))",
        "  (cell 1 1 x) (cell 2 1 o)\n");
  check("(init (cell 1 1 something_that_is_long)) (init (cell 2 2 o))",
        "  (cell 1 1 something_that_is_long) (cell 2 2 o)\n");
}

static void test_two_pieces_in_a_cell(void **state) {
  (void)state;
  check("(init (cell 1 1 x)) (init (cell 1 1 y)) (init (cell 2 2 z))",
        "cell\n"
        "  2     z  \n"
        "  1 x,y    \n"
        "    1   2  \n");
}

/* Boards of several functors, and of one functor with several arities, each by
   itself; the rest below them. */
static void test_several(void **state) {
  (void)state;
  check("(init (b 1 1 x)) (init (b 2 2 o)) (init (a 1 1 x)) (init (a 2 2 o))"
        "(init (turn x))",
        "a\n  2   o\n  1 x  \n    1 2\n"
        "b\n  2   o\n  1 x  \n    1 2\n"
        "  (turn x)\n");
}

static void test_size_limit(void **state) {
  (void)state;
  for (int size = 30; size <= 31; size++) {
    Text text = {0}, drawn = {0};
    Description description;
    text_add(&text, "(role r) (legal r go) (goal r 0) (<= terminal (true o))");
    for (int i = 1; i <= size; i++)
      text_format(&text, "(init (cell %d 1 x)) (init (cell %d 2 x))", i, i);
    Game *game = play_open(&description, text.bytes);
    const Term *list;
    uint32_t count = game_facts(game, &list);
    board_draw(game, list, count, &drawn);
    assert_int_equal(strncmp(drawn.bytes, "cell\n", 5) == 0, size <= 30);
    text_free(&text);
    text_free(&drawn);
    play_close(game);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layout),
      cmocka_unit_test(test_coordinates_in_order),
      cmocka_unit_test(test_contents),
      cmocka_unit_test(test_listed),
      cmocka_unit_test(test_no_board),
      cmocka_unit_test(test_two_pieces_in_a_cell),
      cmocka_unit_test(test_several),
      cmocka_unit_test(test_size_limit),
  };
  return cmocka_run_group_tests_name("board", tests, NULL, NULL);
}
