/* Drawings of states: which facts make a board, how it is laid out, what is
   shown in a cell, what is said in words and what is hidden. The drawings of
   whole games are in test/game/drawings.txt. */
#include "game/boards.h"

#include <glob.h>
#include <stdlib.h>

#include "game/canvas.h"
#include "support/drawing.h"
#include "support/games.h"
#include "support/play.h"

static const BoardsStyle plain = {.width = 80, .height = 24};
static const BoardsStyle rich = {.width = 80, .height = 24, .unicode = true};
static const BoardsStyle coloured = {.width = 80, .height = 24, .colour = true};
static const BoardsStyle everything = {.width = 80, .height = 24, .all = true};

/* ---- states of small games, without an analysis ---- */

static const char frame[] =
    "(role white) (role black) (legal white go) (legal black go)"
    "(goal white 0) (goal black 0) (<= terminal (true over))";

/* Draws the initial state or, if `moved`, the next one with marks. */
static void draw(const char *rules, const BoardsStyle *style, bool moved,
                 Text *drawn) {
  Description description;
  Text text = {0};
  text_add(&text, frame);
  text_add(&text, rules);
  Game *game = play_open(&description, text.bytes);
  Boards *boards = boards_new(&description, NULL);
  TermVector before = {0};
  const Term *list;
  uint32_t count = game_facts(game, &list);
  for (uint32_t i = 0; i < count; i++) vector_push(&before, list[i]);
  if (moved) PLAY(game, "go", "go");
  count = game_facts(game, &list);
  boards_draw(boards, style, list, count, moved ? before.data : NULL,
              before.count, drawn);
  vector_free(&before);
  boards_delete(boards);
  play_close(game);
  text_free(&text);
}

static void check_style(const char *rules, const BoardsStyle *style, bool moved,
                        const char *expected) {
  Text drawn = {0};
  draw(rules, style, moved, &drawn);
  assert_string_equal(text_string(&drawn), expected);
  text_free(&drawn);
}

static void check(const char *rules, const char *expected) {
  check_style(rules, &plain, false, expected);
}

/* The first coordinate runs right, the second up; a place without a fact is a
   dot, and so are blank contents. */
static void test_layout(void **state) {
  (void)state;
  check("(init (cell 1 1 x)) (init (cell 2 1 b)) (init (cell 1 2 blank))"
        "(init (cell 3 2 queen))",
        "2 . . Q\n"
        "1 X . .\n"
        "  1 2 3\n"
        "Q queen\n");
}

static void test_coordinates_in_order(void **state) {
  (void)state;
  check("(init (cell a 10 x)) (init (cell b 9 o)) (init (cell c 9 z))",
        "10 X . .\n"
        " 9 . O Z\n"
        "   a b c\n");
  check("(init (cell c1 r2 x)) (init (cell c2 r10 o))", "r10  .  O\n"
                                                        " r2  X  .\n"
                                                        "    c1 c2\n");
}

/* Squares may have one name for both coordinates. */
static void test_squares(void **state) {
  (void)state;
  check("(init (cell a1 x)) (init (cell b2 o)) (init (cell c3 x))"
        "(init (cell a2 b)) (init (cell a3 b)) (init (cell b3 b))",
        "3 . . X\n"
        "2 . O .\n"
        "1 X . .\n"
        "  a b c\n");
}

/* The coordinates may stand anywhere. */
static void test_contents(void **state) {
  (void)state;
  check("(init (at white king 1 1)) (init (at black rook 2 2))",
        "2 . r\n"
        "1 K .\n"
        "  1 2\n"
        "upper case white, lower case black\n");
  check("(init (wall 1 1)) (init (wall 2 2))", "2 . O\n1 O .\n  1 2\nO wall\n");
  check("(init (cell 1 1 redMan)) (init (cell 2 2 blueMan))"
        "(init (cell 1 2 redChief)) (init (cell 2 1 hole))",
        "2 C m\n1 M o\n  1 2\n"
        "M man, C chief, o hole, upper case red, lower case blue\n");
}

/* Letters of codes are read as chess pieces. */
static void test_codes(void **state) {
  (void)state;
  static const char rules[] =
      "(init (cell a 1 wk)) (init (cell a 2 wp)) (init (cell b 1 b))"
      "(init (cell b 2 bk))";
  check(rules, "2 P k\n1 K .\n  a b\nupper case white, lower case black\n");
  check_style(rules, &rich, false, "2 ♙ ♚\n1 ♔ ·\n  a b\n");
}

/* b is black beside w, and blank beside x and o. */
static void test_letter_b(void **state) {
  (void)state;
  check("(init (cell 1 1 w)) (init (cell 2 2 b)) (init (cell 1 2 e))",
        "2 . b\n1 W .\n  1 2\n");
  check("(init (cell 1 1 x)) (init (cell 2 2 b)) (init (cell 1 2 o))",
        "2 O .\n1 X .\n  1 2\n");
}

static void test_circles(void **state) {
  (void)state;
  static const char rules[] =
      "(init (cell 1 1 black)) (init (cell 2 2 white)) (init (cell 2 1 arrow))";
  check(rules, "2 . W\n1 b *\n  1 2\nb black, W white, * arrow\n");
  check_style(rules, &rich, false,
              "2 · ○\n1 ● ×\n  1 2\n● black, ○ white, × arrow\n");
  check_style(rules, &coloured, false,
              "2 \33[2m.\33[0m \33[1mW\33[0m\n"
              "1 \33[36mb\33[0m *\n"
              "  1 2\n"
              "\33[36mb\33[0m black, \33[1mW\33[0m white, * arrow\n");
}

/* Three sides have their own letters, unless colours tell. */
static void test_three_sides(void **state) {
  (void)state;
  static const char rules[] = "(init (cell 1 1 redPawn)) (init (cell 2 2 "
                              "bluePawn)) (init (cell 1 2 greenPawn))";
  check(rules, "2 gP bP\n1 rP  .\n   1  2\nr red, b blue, g green\n");
  Text drawn = {0};
  draw(rules, &coloured, false, &drawn);
  assert_int_equal(
      strncmp(drawn.bytes, "2 \33[32mP\33[0m \33[94mP\33[0m\n", 22), 0);
  text_free(&drawn);
}

static void test_numbers(void **state) {
  (void)state;
  check("(init (cell 1 1 9)) (init (cell 2 2 10)) (init (cell 1 2 11))"
        "(init (cell 2 1 gap))",
        "2 11 10\n1  9  .\n   1  2\n");
}

/* The mark is a bracket, or reverse video. */
static void test_marks(void **state) {
  (void)state;
  static const char rules[] =
      "(init (cell 1 1 x)) (init (cell 2 1 o)) (init (cell 3 2 z))"
      "(init (cell 1 2 b)) (init (cell 2 2 b)) (init (cell 3 1 b))"
      "(next (cell 2 1 o)) (next (cell 1 2 x)) (next (cell 2 2 z))"
      "(next (cell 1 1 b))";
  check_style(rules, &plain, true,
              "2[X|Z|.]\n"
              "1[.]O .\n"
              "  1 2 3\n");
  Text drawn = {0};
  draw(rules, &coloured, true, &drawn);
  assert_non_null(strstr(drawn.bytes, "2 \33[7m\33["));
  assert_null(strchr(drawn.bytes, ']'));
  text_free(&drawn);
}

static void test_words(void **state) {
  (void)state;
  check("(init (stepCount 1)) (init (control white)) (init done)"
        "(init (score white 10)) (init (score black 0)) (init (left a))"
        "(init (left b))",
        "white to move; step count 1; done; score white 10, black 0; left a "
        "b\n");
  check("(init (placeControl black)) (init (has_been x y z))",
        "black to place; has been x y z\n");
  check("", "");
}

/* Beside a board, long families are hidden; without one they are cut. */
static void test_long_lists(void **state) {
  (void)state;
  Text rules = {0}, drawn = {0};
  for (int i = 1; i <= 400; i++) text_format(&rules, "(init (heap %d n))", i);
  draw(rules.bytes, &plain, false, &drawn);
  assert_int_equal(canvas_height(drawn.bytes), 17);
  assert_non_null(strstr(drawn.bytes, "... and "));
  text_clear(&drawn);
  text_add(&rules, "(init (cell 1 1 x)) (init (cell 2 2 o))");
  draw(rules.bytes, &plain, false, &drawn);
  assert_string_equal(drawn.bytes, "2 . O\n1 X .\n  1 2\n");
  text_clear(&drawn);
  draw(rules.bytes, &everything, false, &drawn);
  assert_non_null(strstr(drawn.bytes, "(heap 400 n)"));
  text_free(&rules);
  text_free(&drawn);
}

/* Facts that only name a place are hidden beside a board with contents. */
static void test_helpers(void **state) {
  (void)state;
  static const char rules[] = "(init (cell 1 1 x)) (init (cell 2 2 o))"
                              "(init (aim 1 1)) (init (aim 2 2))";
  check(rules, "2 . O\n1 X .\n  1 2\n");
  check_style(rules, &everything, false,
              "2 . O\n1 X .\n  1 2\n(aim 1 1) (aim 2 2)\n");
}

/* Things that move are above what lies on places. */
static void test_layers_of_one_board(void **state) {
  (void)state;
  check("(init (at robot 1 1)) (init (at ghost 2 2)) (init (food 1 1))"
        "(init (food 1 2)) (init (food 2 1))",
        "2 F G\n1 R F\n  1 2\nR robot, G ghost, F food\n");
}

/* The rarest of several pieces in a cell is seen. */
static void test_two_pieces_in_a_cell(void **state) {
  (void)state;
  check(
      "(init (cell 1 1 hole)) (init (cell 1 1 knight)) (init (cell 2 2 hole))",
      "2 . o\n1 N .\n  1 2\no hole, N knight\n");
}

/* Boards with the same contents stand side by side. */
static void test_several(void **state) {
  (void)state;
  check("(init (p 1 1 x)) (init (p 2 2 o)) (init (q 1 1 o)) "
        "(init (q 2 2 x)) (init (turn white))",
        "p       q\n"
        "2 . O   2 . X\n"
        "1 X .   1 O .\n"
        "  1 2     1 2\n"
        "white to move\n");
}

static void test_rows(void **state) {
  (void)state;
  check("(init (heap a 3)) (init (heap b 1)) (init (heap c 0))",
        "3 O . .\n1 . O .\n0 . . O\n  a b c\nO heap\n");
  check("(init (row 1 x)) (init (row 2 o)) (init (row 3 b))",
        " X O .\n 1 2 3\n");
}

static void test_towers(void **state) {
  (void)state;
  check_style("(init (on c a)) (init (on a table)) (init (on b table))"
              "(init (clear c)) (init (clear b))"
              "(next (on c b)) (next (on a table)) (next (on b table))",
              &plain, true,
              "       [c]\n"
              "  a     b\n"
              "table\n");
  /* what goes round in circles is no tower */
  check("(init (on a b)) (init (on b c)) (init (on c a))",
        "on a b, b c, c a\n");
}

/* `base` tells of places that no fact names yet; others do not exist. */
static void test_size_from_base(void **state) {
  (void)state;
  check("(n 1) (n 2) (n 3) (<= (base (cell ?x ?y x)) (n ?x) (n ?y) (distinct "
        "?x ?y)) (base (cell 2 2 x)) (init (cell 2 2 x))",
        "3 . .\n"
        "2 . X .\n"
        "1   . .\n"
        "  1 2 3\n");
}

/* A counter of two numbers is no board: few of its places occur in `base`. */
static void test_sparse_base(void **state) {
  (void)state;
  check("(base (count 1 2)) (base (count 2 3)) (base (count 3 4)) "
        "(base (count 4 5)) (init (count 1 2))",
        "count 1 2\n");
}

/* One value of a coordinate or names for coordinates make no board. */
static void test_no_board(void **state) {
  (void)state;
  check("(init (cell 1 1 xx)) (init (cell 2 1 oo))", "cell 1 1 xx, 2 1 oo\n");
  check("(init (on red green x)) (init (on green red y))",
        "on green red y, red green x\n");
}

/* What later states show widens the board. */
static void test_growing(void **state) {
  (void)state;
  check_style("(init (cell 1 1 x)) (init (cell 2 2 x)) (next (cell 3 1 x))",
              &plain, false, "2 . X\n1 X .\n  1 2\n");
  check_style("(init (cell 1 1 x)) (init (cell 2 2 x)) (next (cell 3 1 x))",
              &plain, true, "2 .[.].\n1[.].[X]\n  1 2 3\n");
}

/* Deep terms, many arguments, long names. */
static void test_odd_facts(void **state) {
  (void)state;
  Text rules = {0}, drawn = {0};
  text_add(&rules, "(init (wide");
  for (int i = 0; i < 30; i++) text_format(&rules, " %d", i);
  text_add(&rules, ")) (init (deep ");
  for (int i = 0; i < 60; i++) text_add(&rules, "(f ");
  text_add(&rules, "x");
  for (int i = 0; i < 60; i++) text_add(&rules, ")");
  text_add(&rules, ")) (init (cell 1 1 ");
  for (int i = 0; i < 300; i++) text_add(&rules, "long");
  text_add(&rules, ")) (init (cell 2 2 (g (h i) j)))");
  draw(rules.bytes, &plain, false, &drawn);
  assert_true(canvas_width(drawn.bytes) <= 80);
  assert_non_null(strstr(drawn.bytes, "deep (f ...)"));
  assert_non_null(strstr(drawn.bytes, "1 L .\n"));
  text_free(&rules);
  text_free(&drawn);
}

/* ---- a cube ---- */

/* Turning the upper face clockwise brings the right side to the front. */
static void test_cube(void **state) {
  (void)state;
  static const char rest[] =
      "(init (at df df)) (init (at db db)) (init (at dl dl)) (init (at dr dr))"
      "(init (at fl fl)) (init (at fr fr)) (init (at bl bl)) (init (at br br))"
      "(init (at dfl dfl)) (init (at dfr dfr)) (init (at dbl dbl))"
      "(init (at dbr dbr))";
  Text rules = {0};
  text_format(&rules,
              "%s(init (at uf ul)) (init (at ul ub)) (init (at ub ur))"
              "(init (at ur uf)) (init (at ufl ubl)) (init (at ubl ubr))"
              "(init (at ubr ufr)) (init (at ufr ufl))",
              rest);
  check(rules.bytes, "       U U U\n"
                     "       U U U\n"
                     "       U U U\n"
                     "F F F  R R R  B B B  L L L\n"
                     "L L L  F F F  R R R  B B B\n"
                     "L L L  F F F  R R R  B B B\n"
                     "       D D D\n"
                     "       D D D\n"
                     "       D D D\n");
  text_free(&rules);
}

/* ---- drawings of games ---- */

/* Draws what a heading asks for: "== FILE STEPS [unicode] [colour] [all]
   [rules]"; rules: without a net. */
static void draw_section(const char *heading, Text *drawn) {
  char path[100], options[100] = "";
  int steps;
  assert_true(sscanf(heading, "== %99s %d %99[^\n]", path, &steps, options) >=
              2);
  BoardsStyle style = {.width = 80,
                       .height = 24,
                       .unicode = strstr(options, "unicode") != NULL,
                       .colour = strstr(options, "colour") != NULL,
                       .all = strstr(options, "all") != NULL};
  Drawn game;
  assert_true(drawn_open(&game, path, !strstr(options, "rules"), 1));
  for (int i = 0; i < steps; i++) assert_true(drawn_step(&game));
  drawn_write(&game, &style, drawn);
  drawn_close(&game);
}

static void test_games(void **state) {
  (void)state;
  Text file = {0}, error = {0};
  assert_true(text_read_file(&file, "test/game/drawings.txt", 1 << 20, &error));
  char *section = strstr(file.bytes, "\n== ");
  uint32_t count = 0;
  for (; section; count++) {
    char *next = strstr(section + 1, "\n== "), *body;
    Text drawn = {0};
    if (next) *next = '\0';
    body = strchr(section + 1, '\n') + 1;
    draw_section(section + 1, &drawn);
    text_add_byte(&drawn, '\0');
    if (next)
      assert_string_equal(drawn.bytes, body);
    else
      assert_int_equal(strncmp(drawn.bytes, body, strlen(drawn.bytes)), 0);
    text_free(&drawn);
    section = next;
  }
  assert_true(count >= 12);
  text_free(&file);
}

/* ---- all games ---- */

static void check_limits(Drawn *game, const char *path) {
  for (uint32_t i = 0; i < 12; i++) {
    BoardsStyle style = {.width = i < 8 ? 80 : 40,
                         .height = 24,
                         .unicode = i & 1,
                         .colour = i & 2,
                         .all = i >= 4 && i < 8};
    Text drawn = {0};
    drawn_write(game, &style, &drawn);
    uint32_t width = canvas_width(text_string(&drawn));
    if (width > style.width)
      fail_msg("%s: %u columns\n%s", path, width, drawn.bytes);
    if (game->facts.count > 2 && !drawn.length)
      fail_msg("%s: nothing is drawn", path);
    text_free(&drawn);
  }
}

/* Draws states of random games in all styles. */
static void check_all(const char *pattern, bool net, size_t largest) {
  glob_t paths;
  if (glob(pattern, 0, NULL, &paths) != 0) return;
  for (size_t i = 0; i < paths.gl_pathc; i++) {
    Text text = {0}, error = {0};
    Drawn game;
    bool small = text_read_file(&text, paths.gl_pathv[i], largest, &error);
    text_free(&text);
    text_free(&error);
    if (!small || !drawn_open(&game, paths.gl_pathv[i], net, 1)) continue;
    check_limits(&game, paths.gl_pathv[i]);
    for (int step = 0; step < 10 && drawn_step(&game); step++) continue;
    check_limits(&game, paths.gl_pathv[i]);
    drawn_close(&game);
  }
  globfree(&paths);
}

static void test_own_games(void **state) {
  (void)state;
  check_all("games/*.kif", false, 1 << 20);
}

static void test_public_games(void **state) {
  (void)state;
  const char *shared = getenv("SHARED");
  bool thorough = unit_long();
  Text pattern = {0};
  text_format(&pattern, "%s/%s", shared ? shared : "../shared/games",
              thorough ? "*.kif" : "[a-d]*.kif");
  check_all(pattern.bytes, thorough, thorough ? 1 << 20 : 1 << 14);
  text_free(&pattern);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layout),
      cmocka_unit_test(test_coordinates_in_order),
      cmocka_unit_test(test_squares),
      cmocka_unit_test(test_contents),
      cmocka_unit_test(test_codes),
      cmocka_unit_test(test_letter_b),
      cmocka_unit_test(test_circles),
      cmocka_unit_test(test_three_sides),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_marks),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_long_lists),
      cmocka_unit_test(test_helpers),
      cmocka_unit_test(test_layers_of_one_board),
      cmocka_unit_test(test_two_pieces_in_a_cell),
      cmocka_unit_test(test_several),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_towers),
      cmocka_unit_test(test_size_from_base),
      cmocka_unit_test(test_sparse_base),
      cmocka_unit_test(test_no_board),
      cmocka_unit_test(test_growing),
      cmocka_unit_test(test_odd_facts),
      cmocka_unit_test(test_cube),
      cmocka_unit_test(test_games),
      cmocka_unit_test(test_own_games),
      cmocka_unit_test(test_public_games),
  };
  return cmocka_run_group_tests_name("boards", tests, NULL, NULL);
}
