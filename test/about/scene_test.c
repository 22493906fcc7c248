/* Scenes: every document keeps to docs/api.md, in all games and after random
   moves; and for some games, what the boards and the paths of moves are. */
#include "about/scene.h"

#include <glob.h>

#include "engine/moves.h"
#include "support/drawing.h"
#include "support/games.h"
#include "support/play.h"
#include "support/scenes.h"

/* ---- all games ---- */

static void check_now(Scene *scene, Drawn *drawn) {
  Game *game = drawn->game;
  json_t *state =
      scene_state(scene, game, drawn->moved ? drawn->before.data : NULL,
                  drawn->before.count);
  json_t *legal[RULE_ROLES] = {NULL};
  bool over = game_terminal(game);
  for (uint32_t role = 0; !over && role < game->role_count; role++)
    legal[role] = scene_legal(scene, game, role);
  json_t *json = scene_json(scene);
  scenes_check(json, game->role_count);
  scenes_check_state(json, state);
  for (uint32_t role = 0; !over && role < game->role_count; role++) {
    size_t i;
    json_t *move;
    json_array_foreach(legal[role], i, move) scenes_check_move(json, move);
    scenes_check_apart(legal[role]);
    json_decref(legal[role]);
  }
  json_decref(state);
  json_decref(json);
}

static void check_game(const char *path, bool net, int steps) {
  Drawn drawn;
  if (!drawn_open(&drawn, path, net, 7)) return;
  Scene *scene = scene_new(&drawn.book);
  check_now(scene, &drawn);
  for (int i = 0; i < steps && drawn_step(&drawn); i++)
    if (i % 7 == 6 || i < 2) check_now(scene, &drawn);
  check_now(scene, &drawn);
  scene_delete(scene);
  drawn_close(&drawn);
}

/* Games whose nets or analyses take long. */
static bool is_slow(const char *path) {
  static const char *const slow[] = {"amazons",  "chess",    "othello", "ttcc4",
                                     "skirmish", "checkers", "rubiks",  "hex"};
  for (size_t i = 0; i < LENGTH(slow); i++)
    if (strncmp(strrchr(path, '/') + 1, slow[i], strlen(slow[i])) == 0)
      return true;
  return false;
}

static void check_games(const char *pattern, bool net, int steps) {
  glob_t paths;
  if (glob(pattern, 0, NULL, &paths) != 0) return;
  for (size_t i = 0; i < paths.gl_pathc; i++)
    if (unit_long() || !is_slow(paths.gl_pathv[i]))
      check_game(paths.gl_pathv[i], net, steps);
  globfree(&paths);
}

static void test_own_games(void **state) {
  (void)state;
  check_games("games/*.kif", true, 30);
}

/* Without a net there is no analysis. */
static void test_rules_engine(void **state) {
  (void)state;
  check_games(unit_long() ? "games/*.kif" : "games/[np]*.kif", false, 10);
}

static void test_public_games(void **state) {
  (void)state;
  const char *shared = getenv("SHARED");
  Text pattern = {0};
  text_format(&pattern, "%s/*.kif", shared ? shared : "../shared/games");
  if (unit_long()) check_games(pattern.bytes, true, 30);
  text_free(&pattern);
}

/* ---- some games ---- */

typedef struct Case {
  Drawn drawn;
  Scene *scene;
  json_t *json, *state;
} Case;

static void open_with(Case *own, const char *path, bool net) {
  assert_true(drawn_open(&own->drawn, path, net, 1));
  own->scene = scene_new(&own->drawn.book);
  own->state = scene_state(own->scene, own->drawn.game, NULL, 0);
  own->json = scene_json(own->scene);
}

static void open_case(Case *own, const char *path) {
  open_with(own, path, true);
}

static void close_case(Case *own) {
  json_decref(own->json);
  json_decref(own->state);
  scene_delete(own->scene);
  drawn_close(&own->drawn);
}

static json_t *board_of(const Case *own, size_t at) {
  return json_array_get(scenes_member(own->json, "boards"), at);
}

static void expect_board(const Case *own, size_t at, const char *expected) {
  json_t *board = board_of(own, at);
  Text text = {0};
  assert_non_null(board);
  text_format(&text, "%s %ldx%ldx%ld%s %s %zu missing",
              scenes_string(board, "shape"), scenes_number(board, "columns"),
              scenes_number(board, "rows"), scenes_number(board, "layers"),
              json_is_true(scenes_member(board, "checkered")) ? " checkered"
                                                              : "",
              scenes_string(board, "style"),
              json_array_size(scenes_member(board, "missing")));
  assert_string_equal(text.bytes, expected);
  text_free(&text);
}

/* Compares "board path say" of a legal move of the role. */
static void expect_move(Case *own, uint32_t role, const char *wanted,
                        const char *expected) {
  json_t *legal = scene_legal(own->scene, own->drawn.game, role), *move;
  Text text = {0};
  size_t i;
  json_array_foreach(legal, i, move) {
    if (strcmp(scenes_string(move, "move"), wanted) != 0) continue;
    json_add_text(scenes_member(move, "board"), JSON_ENCODE_ANY, &text);
    text_add_byte(&text, ' ');
    json_add_text(scenes_member(move, "path"), JSON_COMPACT, &text);
    text_format(&text, " %s", scenes_string(move, "say"));
  }
  json_decref(legal);
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

/* Compares "shape side" of the piece with the name. */
static void expect_piece(const Case *own, const char *name,
                         const char *expected) {
  json_t *piece;
  size_t i;
  Text text = {0};
  json_array_foreach(scenes_member(own->json, "pieces"), i, piece) {
    if (strcmp(scenes_string(piece, "name"), name) != 0) continue;
    text_format(&text, "%s ", scenes_string(piece, "shape"));
    json_add_text(scenes_member(piece, "side"), JSON_ENCODE_ANY, &text);
  }
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

static void play(Case *own, const char *first, const char *second) {
  Move joint[2];
  assert_true(moves_find(own->drawn.game, 0, first, &joint[0]));
  if (second) assert_true(moves_find(own->drawn.game, 1, second, &joint[1]));
  drawn_take(&own->drawn, joint);
}

static void test_marks(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/ticTacToe.kif");
  expect_board(&own, 0, "grid 3x3x1 squares 0 missing");
  expect_piece(&own, "x", "cross 3");
  expect_piece(&own, "o", "ring 2");
  expect_piece(&own, "b", "none null");
  expect_move(&own, 0, "(mark 3 1)", "0 [2] mark 3 1");
  expect_move(&own, 1, "noop", "null [] wait");
  play(&own, "(mark 3 1)", "noop");
  json_t *after = scene_state(own.scene, own.drawn.game, own.drawn.before.data,
                              own.drawn.before.count);
  Text text = {0};
  json_add_text(scenes_member(after, "changed"), JSON_COMPACT, &text);
  json_add_text(scenes_member(after, "remarks"), JSON_COMPACT, &text);
  assert_string_equal(text.bytes, "[[2]][\"o to move\"]");
  text_free(&text);
  json_decref(after);
  close_case(&own);
}

static void test_drops(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/connectFour.kif");
  expect_board(&own, 0, "grid 7x6x1 holes 0 missing");
  expect_piece(&own, "red", "disc 2");
  expect_move(&own, 0, "(drop 3)", "0 [[2,9,16,23,30,37]] drop in column 3");
  close_case(&own);
}

static void test_from_and_to(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/breakthrough.kif");
  expect_board(&own, 0, "grid 8x8x1 checkered squares 0 missing");
  expect_move(&own, 0, "(move 1 2 2 3)", "0 [8,17] 1 2 to 2 3");
  close_case(&own);
}

static void test_chess(void **state) {
  (void)state;
  Case own;
  open_with(&own, "games/chess.kif", false);
  expect_board(&own, 0, "grid 8x8x1 checkered squares 0 missing");
  expect_piece(&own, "white king", "king 0");
  expect_piece(&own, "black pawn", "pawn 1");
  expect_move(&own, 0, "(move e 2 e 4)", "0 [12,28] e2 to e4");
  play(&own, "(move e 2 e 4)", "noop");
  play(&own, "noop", "(move a 7 a 6)");
  play(&own, "(move g 1 f 3)", "noop");
  play(&own, "noop", "(move b 7 b 6)");
  play(&own, "(move f 1 e 2)", "noop");
  play(&own, "noop", "(move c 7 c 6)");
  expect_move(&own, 0, "(castle kingside)", "0 [4,6] castle kingside");
  close_case(&own);
}

static void test_crowns(void **state) {
  (void)state;
  Case own;
  open_with(&own, "games/checkers.kif", false);
  expect_board(&own, 0, "grid 8x8x1 checkered squares 32 missing");
  expect_piece(&own, "red man", "man 2");
  expect_piece(&own, "black king", "crown 1");
  close_case(&own);
}

static void test_hexagons(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/hex.kif");
  expect_board(&own, 0, "hex 9x9x1 squares 0 missing");
  assert_int_equal(scenes_number(board_of(&own, 0), "slant"), 1);
  assert_true(json_is_false(scenes_member(board_of(&own, 0), "up")));
  expect_move(&own, 0, "(place 2 1)", "0 [9] place 2 1");
  close_case(&own);
  open_case(&own, "games/chineseCheckers4.kif");
  expect_board(&own, 0, "hex 9x5x1 discs 14 missing");
  assert_int_equal(scenes_number(board_of(&own, 0), "slant"), 1);
  close_case(&own);
  open_case(&own, "games/chineseCheckers2.kif");
  expect_board(&own, 0, "grid 5x5x1 squares 0 missing");
  close_case(&own);
}

static void test_layers(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/ticTacToe3d.kif");
  expect_board(&own, 0, "grid 4x4x4 squares 0 missing");
  expect_move(&own, 0, "(mark 2 3 4)", "0 [57] mark 2 3 4");
  close_case(&own);
}

static void test_boards_on_a_board(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/nineBoardTicTacToe.kif");
  expect_board(&own, 0, "grid 3x3x1 squares 0 missing");
  assert_int_equal(
      scenes_number(scenes_member(board_of(&own, 0), "outer"), "columns"), 3);
  expect_move(&own, 0, "(mark 2 1 3 2)", "0 [14] mark 2 1 3 2");
  close_case(&own);
}

static void test_towers(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/hanoi.kif");
  expect_board(&own, 0, "tower 3x5x1 squares 0 missing");
  expect_move(&own, 0, "(puton disc1 pillar2)",
              "0 [[0,3,6,9,12],[1,4,7,10,13]] puton disc1 to pillar2");
  close_case(&own);
  open_case(&own, "games/blocksWorld.kif");
  expect_board(&own, 0, "tower 3x3x1 squares 0 missing");
  close_case(&own);
}

static void test_cube(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/rubiksCube.kif");
  expect_board(&own, 0, "cube 3x3x6 squares 0 missing");
  expect_move(&own, 0, "(turn l 90)",
              "0 [[9,10,11,12,13,14,15,16,17]] turn l 90");
  close_case(&own);
}

static void test_rows(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/nim.kif");
  expect_board(&own, 0, "row 4x1x1 squares 0 missing");
  expect_piece(&own, "5", "bar null");
  expect_move(&own, 0, "(take b 3)", "0 [1] take b 3");
  close_case(&own);
  open_case(&own, "games/circleSolitaire.kif");
  expect_board(&own, 0, "ring 8x1x1 squares 0 missing");
  close_case(&own);
}

/* Discs that move on a board with an outline of its own lie in holes. */
static void test_holes(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/peg.kif");
  expect_board(&own, 0, "grid 7x7x1 discs 16 missing");
  close_case(&own);
  open_case(&own, "games/lightsOut.kif");
  expect_board(&own, 0, "grid 5x5x1 squares 0 missing");
  expect_piece(&own, "lit", "lamp null");
  close_case(&own);
}

/* What changes tells what (turn upperLeft clockwise) is about. */
static void test_regions(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/pentago.kif");
  play(&own, "(place 1 1)", "noop");
  expect_move(&own, 0, "(turn upperLeft clockwise)",
              "0 [[18,19,20,24,25,26,30,31,32]] turn upper left clockwise");
  json_t *parts = scenes_member(board_of(&own, 0), "parts");
  assert_int_equal(scenes_number(parts, "columns"), 3);
  assert_int_equal(scenes_number(parts, "rows"), 3);
  close_case(&own);
  open_case(&own, "games/othello.kif");
  assert_true(json_is_null(scenes_member(board_of(&own, 0), "parts")));
  close_case(&own);
}

/* A move that names no place but carries a piece has the path of that. */
static void test_journeys(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/bomberman.kif");
  expect_piece(&own, "bomb 3", "bomb null");
  expect_piece(&own, "bomberman", "token 0");
  expect_move(&own, 0, "(move north)", "0 [0,8] move north");
  expect_move(&own, 1, "(move west)", "0 [63,62] move west");
  expect_move(&own, 0, "dropBomb", "null [] drop bomb");
  close_case(&own);
}

/* Rows that are named first are counted from above. */
static void test_rows_and_columns(void **state) {
  (void)state;
  Case own;
  open_case(&own, "games/eightPuzzle.kif");
  expect_board(&own, 0, "grid 3x3x1 squares 0 missing");
  assert_true(json_is_false(scenes_member(board_of(&own, 0), "up")));
  expect_piece(&own, "8", "number null");
  expect_move(&own, 0, "(slide 3 2)", "0 [7] slide 3 2");
  close_case(&own);
}

/* ---- odd games ---- */

static void check_text(const char *rules) {
  Drawn drawn = {.moved = false};
  BookLimits limits = games_limits();
  games_read(&drawn.description, rules);
  for (int net = 0; net < 2; net++) {
    book_init(&drawn.book, &drawn.description, &limits, net);
    Scene *scene = scene_new(&drawn.book);
    drawn.game = book_game(&drawn.book);
    check_now(scene, &drawn);
    scene_delete(scene);
    game_delete(drawn.game);
    book_free(&drawn.book);
  }
  description_free(&drawn.description);
}

static void test_odd_games(void **state) {
  (void)state;
  check_text(GAME_DUEL);
  check_text(GAME_THREE);
  check_text(GAME_STUCK);
  check_text(GAME_ENDLESS);
  /* no facts at all, and moves that are said alike */
  check_text("(role x) (legal x (do (a 1))) (legal x (do (b 1)))"
             "(<= terminal (true over)) (goal x 0)");
  /* nothing but hostile names */
  check_text("(role <script>) (init (cell 1 1 <b>)) (init (cell 2 2 &amp))"
             "(legal <script> (mark <i> 1)) (legal <script> (mark 1 2))"
             "(<= terminal (true over)) (goal <script> 0)");
}

/* Terms double with each step: texts stay short. */
static void test_huge_terms(void **state) {
  (void)state;
  Drawn drawn = {.moved = false};
  BookLimits limits = games_limits();
  games_read(&drawn.description, GAME_DOUBLING);
  book_init(&drawn.book, &drawn.description, &limits, false);
  Scene *scene = scene_new(&drawn.book);
  drawn.game = book_game(&drawn.book);
  for (int i = 0; i < 16; i++) {
    Move joint = moves_first(drawn.game, 0);
    drawn_take(&drawn, &joint);
  }
  json_t *json =
      scene_state(scene, drawn.game, drawn.before.data, drawn.before.count);
  Text text = {0};
  json_add_text(json, JSON_COMPACT, &text);
  assert_true(text.length < 100000);
  text_free(&text);
  json_decref(json);
  scene_delete(scene);
  game_delete(drawn.game);
  vector_free(&drawn.facts);
  vector_free(&drawn.before);
  book_free(&drawn.book);
  description_free(&drawn.description);
}

/* Numbers of pieces stay what they were when new ones appear. */
static void test_new_pieces(void **state) {
  (void)state;
  Description description;
  Book book;
  BookLimits limits = games_limits();
  games_read(&description,
             "(role p) (init (cell 1 1 a)) (init (cell 2 2 c)) (legal p go)"
             "(<= (legal p (name ?x)) (true (cell 1 1 ?x)))"
             "(<= (next (cell 1 1 (f ?x))) (true (cell 1 1 ?x)))"
             "(next (cell 2 2 c)) (<= terminal (true over)) (goal p 0)");
  book_init(&book, &description, &limits, false);
  Scene *scene = scene_new(&book);
  Game *game = book_game(&book);
  json_t *before = scene_json(scene), *value;
  uint32_t version = scene_version(scene);
  for (int i = 0; i < 400; i++) {
    Move move = moves_first(game, 0);
    game_make(game, &move);
  }
  json_decref(scene_state(scene, game, NULL, 0));
  json_t *after = scene_json(scene);
  assert_true(scene_version(scene) > version);
  size_t i;
  json_array_foreach(scenes_member(before, "pieces"), i, value)
      assert_string_equal(
          scenes_string(value, "name"),
          scenes_string(json_array_get(scenes_member(after, "pieces"), i),
                        "name"));
  json_decref(before);
  json_decref(after);
  scene_delete(scene);
  game_delete(game);
  book_free(&book);
  description_free(&description);
}

/* A counter without end does not change the scene. */
static void test_counters(void **state) {
  (void)state;
  Description description;
  Book book;
  BookLimits limits = games_limits();
  games_read(&description,
             "(role p) (init (cell 1 1 a)) (init (cell 2 2 c)) (legal p go)"
             "(init (step 0)) (<= (next (step (s ?n))) (true (step ?n)))"
             "(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))"
             "(<= terminal (true over)) (goal p 0)");
  book_init(&book, &description, &limits, false);
  Scene *scene = scene_new(&book);
  Game *game = book_game(&book);
  json_decref(scene_state(scene, game, NULL, 0));
  uint32_t version = scene_version(scene);
  for (int i = 0; i < 200; i++) {
    Move move = moves_first(game, 0);
    game_make(game, &move);
    json_decref(scene_state(scene, game, NULL, 0));
  }
  assert_int_equal(scene_version(scene), version);
  scene_delete(scene);
  game_delete(game);
  book_free(&book);
  description_free(&description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_marks),
      cmocka_unit_test(test_drops),
      cmocka_unit_test(test_from_and_to),
      cmocka_unit_test(test_chess),
      cmocka_unit_test(test_crowns),
      cmocka_unit_test(test_hexagons),
      cmocka_unit_test(test_layers),
      cmocka_unit_test(test_boards_on_a_board),
      cmocka_unit_test(test_towers),
      cmocka_unit_test(test_cube),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_holes),
      cmocka_unit_test(test_regions),
      cmocka_unit_test(test_journeys),
      cmocka_unit_test(test_rows_and_columns),
      cmocka_unit_test(test_odd_games),
      cmocka_unit_test(test_huge_terms),
      cmocka_unit_test(test_new_pieces),
      cmocka_unit_test(test_counters),
      cmocka_unit_test(test_own_games),
      cmocka_unit_test(test_rules_engine),
      cmocka_unit_test(test_public_games),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
