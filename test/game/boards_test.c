/* Drawings of states: which facts make a board, how it is laid out, what is
   shown in a cell, and what is listed instead. */
#include "game/boards.h"

#include "support/games.h"
#include "support/play.h"

static const BoardsStyle plain = {.width = 80, .height = 24};

/* Draw the initial state of a game with these rules. */
static void draw(const char *rules, Text *drawn) {
  Description description;
  Text text = {0};
  text_add(&text, "(role r) (legal r go) (goal r 0) (<= terminal (true over))");
  text_add(&text, rules);
  Game *game = play_open(&description, text.bytes);
  Boards *boards = boards_new(&description, NULL);
  const Term *list;
  uint32_t count = game_facts(game, &list);
  boards_draw(boards, &plain, list, count, NULL, 0, drawn);
  boards_delete(boards);
  play_close(game);
  text_free(&text);
}

static void check(const char *rules, const char *expected) {
  Text drawn = {0};
  draw(rules, &drawn);
  assert_string_equal(text_string(&drawn), expected);
  text_free(&drawn);
}

/* The first coordinate runs right, the second up; a place without a fact is a
   dot, and so are blank contents. */
static void test_layout(void **state) {
  (void)state;
  check("(init (cell 1 1 x)) (init (cell 2 1 b)) (init (cell 1 2 blank)) "
        "(init (cell 3 2 queen))",
        "cell\n"
        "  2 .     .     queen\n"
        "  1 x     .     .    \n"
        "    1     2     3    \n");
}

static void test_coordinates_in_order(void **state) {
  (void)state;
  check("(init (cell a 10 x)) (init (cell b 9 o)) (init (cell c 9 z))",
        "cell\n"
        "  10 x . .\n"
        "  9  . o z\n"
        "     a b c\n");
}

/* The coordinates may stand anywhere; the others are shown in order. */
static void test_contents(void **state) {
  (void)state;
  check("(init (at white 1 king 1)) (init (at black 2 (rook 1) 2))",
        "  (at black 2 (rook 1) 2) (at white 1 king 1)\n");
  check("(init (at white 1 king 1)) (init (at black 2 rook 2))",
        "at\n"
        "  2 .          black rook\n"
        "  1 white king .         \n"
        "    1          2         \n");
  check("(init (wall 1 1)) (init (wall 2 2))",
        "wall\n  2 . *\n  1 * .\n    1 2\n");
}

static void test_listed(void **state) {
  (void)state;
  check("(init (step 1)) (init (control x)) (init done)",
        "  (control x) done (step 1)\n");
  check("", "");
}

/* One value of a coordinate, names for coordinates, numbers mixed with letters,
   or contents too long for a cell, make no board. */
static void test_no_board(void **state) {
  (void)state;
  check("(init (cell 1 1 xx)) (init (cell 2 1 oo))",
        "  (cell 1 1 xx) (cell 2 1 oo)\n");
  check("(init (on red green x)) (init (on green red y))",
        "  (on green red y) (on red green x)\n");
  check("(init (cell 1 1 xx)) (init (cell a 2 oo))",
        "  (cell 1 1 xx) (cell a 2 oo)\n");
  check("(init (cell 1 1 something_that_is_long)) (init (cell 2 2 oo))",
        "  (cell 1 1 something_that_is_long) (cell 2 2 oo)\n");
}

static void test_two_pieces_in_a_cell(void **state) {
  (void)state;
  check("(init (cell 1 1 xx)) (init (cell 1 1 yy)) (init (cell 2 2 zz))",
        "cell\n"
        "  2 .     zz   \n"
        "  1 xx,yy .    \n"
        "    1     2    \n");
}

/* Boards of several functors, each by itself; the rest below them. */
static void test_several(void **state) {
  (void)state;
  check("(init (p 1 1 xx)) (init (p 2 2 oo)) (init (q 1 1 xx)) "
        "(init (q 2 2 oo)) (init (turn x))",
        "p\n  2 .  oo\n  1 xx . \n    1  2 \n"
        "q\n  2 .  oo\n  1 xx . \n    1  2 \n"
        "  (turn x)\n");
}

/* `base` tells of places that no fact names yet. */
static void test_size_from_base(void **state) {
  (void)state;
  static const char places[] =
      "(n 1) (n 2) (n 3) (<= (base (cell ?x ?y xx)) (n ?x) (n ?y)) ";
  Text rules = {0};
  text_format(&rules, "%s (init (cell 2 2 xx))", places);
  check(rules.bytes, "cell\n"
                     "  3 .  .  . \n"
                     "  2 .  xx . \n"
                     "  1 .  .  . \n"
                     "    1  2  3 \n");
  text_free(&rules);
}

/* A counter of two numbers is no board: few of its places occur in `base`. */
static void test_sparse_base(void **state) {
  (void)state;
  check("(base (count 1 2)) (base (count 2 3)) (base (count 3 4)) "
        "(base (count 4 5)) (init (count 1 2))",
        "  (count 1 2)\n");
}

static void test_size_limit(void **state) {
  (void)state;
  for (int size = 30; size <= 31; size++) {
    Text rules = {0}, drawn = {0};
    for (int i = 1; i <= size; i++)
      text_format(&rules, "(init (cell %d 1 x)) (init (cell %d 2 x))", i, i);
    draw(rules.bytes, &drawn);
    assert_int_equal(strncmp(drawn.bytes, "cell\n", 5) == 0, size <= 30);
    text_free(&rules);
    text_free(&drawn);
  }
}

/* What later states show widens the board. */
static void test_growing(void **state) {
  (void)state;
  Description description;
  Text drawn = {0};
  Game *game = play_open(
      &description, "(role r) (legal r go) (goal r 0) (<= terminal (true over))"
                    "(init (cell 1 1 xx)) (init (cell 2 2 xx))"
                    "(<= (next (cell 3 1 xx)) (does r go))");
  Boards *boards = boards_new(&description, NULL);
  const Term *list;
  uint32_t count = game_facts(game, &list);
  boards_draw(boards, &plain, list, count, NULL, 0, &drawn);
  text_clear(&drawn);
  PLAY(game, "go");
  count = game_facts(game, &list);
  boards_draw(boards, &plain, list, count, NULL, 0, &drawn);
  assert_string_equal(drawn.bytes, "cell\n"
                                   "  2 .  .  . \n"
                                   "  1 .  .  xx\n"
                                   "    1  2  3 \n");
  boards_delete(boards);
  play_close(game);
  text_free(&drawn);
}

/* ---- boards that the analysis found ---- */

static void check_game(const char *path, const char *expected) {
  Description description;
  Book book;
  Text error = {0}, drawn = {0};
  BookLimits limits = games_limits();
  assert_true(description_read(&description, path, 1 << 20, &error));
  book_init(&book, &description, &limits, true);
  Boards *boards = boards_new(&description, book_analysis(&book));
  Game *game = book_game(&book);
  const Term *list;
  uint32_t count = game_facts(game, &list);
  boards_draw(boards, &plain, list, count, NULL, 0, &drawn);
  assert_string_equal(text_string(&drawn), expected);
  text_free(&drawn);
  game_delete(game);
  boards_delete(boards);
  book_free(&book);
  description_free(&description);
}

static void test_rows(void **state) {
  (void)state;
  check_game("games/nim.kif", "size\n"
                              "  1 5 4 2\n"
                              "  a b c d\n"
                              "  (control first)\n");
}

static void test_names_as_coordinates(void **state) {
  (void)state;
  check_game("games/asteroidsSerial.kif",
             "place\n"
             "  north 10 10\n"
             "  east  10 10\n"
             "        1  2 \n"
             "speed\n"
             "  north 3 3\n"
             "  east  2 2\n"
             "        1 2\n"
             "  (heading 1 north) (heading 2 north) (step 1 1) (step 2 1)\n");
}

static void test_layers(void **state) {
  (void)state;
  check_game("games/ticTacToe3d.kif", "cell ? ? 1\n"
                                      "  4 . . . .\n"
                                      "  3 . . . .\n"
                                      "  2 . . . .\n"
                                      "  1 . . . .\n"
                                      "    1 2 3 4\n"
                                      "cell ? ? 2\n"
                                      "  4 . . . .\n"
                                      "  3 . . . .\n"
                                      "  2 . . . .\n"
                                      "  1 . . . .\n"
                                      "    1 2 3 4\n"
                                      "cell ? ? 3\n"
                                      "  4 . . . .\n"
                                      "  3 . . . .\n"
                                      "  2 . . . .\n"
                                      "  1 . . . .\n"
                                      "    1 2 3 4\n"
                                      "cell ? ? 4\n"
                                      "  4 . . . .\n"
                                      "  3 . . . .\n"
                                      "  2 . . . .\n"
                                      "  1 . . . .\n"
                                      "    1 2 3 4\n"
                                      "  (control xplayer)\n");
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
      cmocka_unit_test(test_size_from_base),
      cmocka_unit_test(test_sparse_base),
      cmocka_unit_test(test_size_limit),
      cmocka_unit_test(test_growing),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_names_as_coordinates),
      cmocka_unit_test(test_layers),
  };
  return cmocka_run_group_tests_name("boards", tests, NULL, NULL);
}
