/* FAST: which features games have, TD(λ) against numbers computed by hand,
   scores of handmade positions, and what is learned about skirmish's pieces and
   othello's corners. */
#include "search/fast.h"

#include <math.h>

#include "base/bits.h"
#include "game/book.h"
#include "scalar/scalar.h"
#include "support/games.h"
#include "support/unit.h"

typedef struct Opened {
  Description description;
  Net net;
  Analysis analysis;
  Features features;
} Opened;

static const FastOptions usual = {
    .lambda = 0.99, .alpha = 0.01, .cell_factor = 5, .guard = 1};

static void analyse(Opened *opened) {
  Text error = {0};
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30}};
  AnalysisOptions options = {.seed = 5, .sample_seconds = 1000};
  assert_true(games_net(&opened->description, &limits, &opened->net, &error));
  analysis_init(&opened->analysis, &opened->net, &opened->description,
                &options);
  features_init(&opened->features, &opened->analysis);
}

static void open_game(Opened *opened, const char *name) {
  char path[64];
  Text error = {0};
  snprintf(path, sizeof path, "games/%s.kif", name);
  assert_true(description_read(&opened->description, path, 1 << 20, &error));
  analyse(opened);
}

static void close_game(Opened *opened) {
  features_free(&opened->features);
  analysis_free(&opened->analysis);
  net_free(&opened->net);
  description_free(&opened->description);
}

static bool is_text(const Opened *opened, Term term, const char *wanted) {
  Text text = {0};
  term_write(&opened->description.rules.terms, term, &text);
  bool same = strcmp(text_string(&text), wanted) == 0;
  text_free(&text);
  return same;
}

static uint32_t find_move(const Opened *opened, uint32_t role,
                          const char *wanted) {
  for (uint32_t m = 0; m < opened->net.moves.count; m++)
    if (opened->net.moves.data[m].role == role &&
        is_text(opened, opened->net.moves.data[m].term, wanted))
      return m;
  fail_msg("no move %s", wanted);
  return 0;
}

static void set_fact(const Opened *opened, uint64_t *state,
                     const char *wanted) {
  for (uint32_t i = 0; i < opened->net.fluents.count; i++)
    if (is_text(opened, opened->net.fluents.data[i].term, wanted)) {
      bits_add(state, i);
      return;
    }
  fail_msg("no fact %s", wanted);
}

enum { WORDS = 32 };

typedef struct Position {
  uint64_t words[WORDS];
} Position;

static Position make_position(const Opened *opened, const char *const *facts) {
  Position position = {0};
  assert_true(opened->net.fluents.count <= WORDS * 64);
  for (; *facts; facts++) set_fact(opened, position.words, *facts);
  return position;
}

#define POSITION(opened, ...) \
  make_position(opened, (const char *const[]){__VA_ARGS__, NULL})

static uint32_t find_feature(const Fast *fast, const char *wanted) {
  uint32_t found = UINT32_MAX;
  for (uint32_t f = 0; f < fast_feature_count(fast); f++) {
    Text text = {0};
    fast_write_feature(fast, f, &text);
    if (strcmp(text_string(&text), wanted) == 0) found = f;
    text_free(&text);
  }
  if (found == UINT32_MAX) fail_msg("no feature %s", wanted);
  return found;
}

static double weight_of(const Fast *fast, const char *feature) {
  return fast_weight(fast, find_feature(fast, feature));
}

/* ---- features found ---- */

static void check_kind(const char *name, FastKind kind, uint32_t count) {
  Opened opened;
  open_game(&opened, name);
  Fast *fast = fast_new(&opened.features, 0, &usual);
  if (opened.features.kind != kind || fast_feature_count(fast) != count)
    fail_msg("%s: kind %d with %u features", name, (int)opened.features.kind,
             fast_feature_count(fast));
  fast_delete(fast);
  close_game(&opened);
}

/* Queens of skirmish are so rare in random games that no owner is found for
   them. */
static void test_piece_types(void **state) {
  (void)state;
  check_kind("skirmish", FAST_PIECES, 8);
  check_kind("checkers", FAST_PIECES, 4);
  check_kind("ttcc4", FAST_PIECES, 8);
}

static void test_chess(void **state) {
  (void)state;
  check_kind("chess", FAST_PIECES, 12);
}

static void test_cells(void **state) {
  (void)state;
  check_kind("breakthrough", FAST_CELLS, 128);
  check_kind("othello", FAST_CELLS, 128);
  check_kind("connect5", FAST_CELLS, 128);
  check_kind("chinook", FAST_CELLS, 128);
  check_kind("ticTacToe", FAST_CELLS, 18);
  check_kind("ticTicToe", FAST_CELLS, 18);
  check_kind("amazonsSmall", FAST_CELLS, 72);
  check_kind("chineseCheckers4", FAST_CELLS, 100);
}

/* Pieces placed by both roles, cells with one or three coordinates, moves that
   name no cell, a single role. */
static void test_none(void **state) {
  static const char *const names[] = {"quarto",      "nim",   "ticTacToe3d",
                                      "connectFour", "hanoi", "peg",
                                      "eightPuzzle", "pacman"};
  (void)state;
  for (size_t i = 0; i < LENGTH(names); i++) check_kind(names[i], FAST_NONE, 0);
}

/* A game on a board with blanks, where facts name owner and kind separately and
   only white captures; a move leaves a blank behind. */
static const char two_kinds[] =
    "(role white) (role red)"
    "(line 1) (line 2) (line 3)"
    "(init (at 1 1 white man)) (init (at 1 2 white king))"
    "(init (at 3 1 red man)) (init (at 3 2 red king))"
    "(<= (init (at ?x ?y none blank)) (line ?x) (line ?y)"
    "    (not (full ?x ?y)))"
    "(full 1 1) (full 1 2) (full 3 1) (full 3 2)"
    "(init (control white)) (init (step 1))"
    "(<= (legal %s (go ?x ?y ?u ?v)) (true (control %s))"
    "    (true (at ?x ?y %s ?k)) (true (at ?u ?v none blank)))"
    "(<= (legal white (go ?x ?y ?u ?v)) (true (control white))"
    "    (true (at ?x ?y white ?k)) (true (at ?u ?v red ?l)))"
    "(<= (legal ?r wait) (role ?r) (not (true (control ?r))))"
    "(<= (legal ?r pass) (true (control ?r)))"
    "(<= (next (at ?u ?v ?r ?k)) (does ?r (go ?x ?y ?u ?v))"
    "    (true (at ?x ?y ?r ?k)))"
    "(<= (next (at ?x ?y none blank)) (does ?r (go ?x ?y ?u ?v)))"
    "(<= (next (at ?x ?y ?r ?k)) (true (at ?x ?y ?r ?k))"
    "    (not (touched ?x ?y)))"
    "(<= (touched ?x ?y) (does ?r (go ?x ?y ?u ?v)))"
    "(<= (touched ?u ?v) (does ?r (go ?x ?y ?u ?v)))"
    "(<= (next (control white)) (true (control red)))"
    "(<= (next (control red)) (true (control white)))"
    "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)"
    "(succ 7 8) (succ 8 9) (succ 9 10)"
    "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
    "(<= terminal (true (step 10)))"
    "(<= (present ?r) (true (at ?x ?y ?r ?k)))"
    "(<= (goal ?r 100) (role ?r) (present ?r))"
    "(<= (goal ?r 0) (role ?r) (not (present ?r)))";

static void check_two_kinds(const char *mover, uint32_t count) {
  Opened opened;
  char text[sizeof two_kinds + 64];
  snprintf(text, sizeof text, two_kinds, mover, mover, mover);
  description_init(&opened.description, "two kinds", text, strlen(text));
  assert_true(description_valid(&opened.description));
  analyse(&opened);
  Fast *fast = fast_new(&opened.features, 0, &usual);
  assert_int_equal(opened.features.kind, FAST_PIECES);
  assert_int_equal(fast_feature_count(fast), count);
  find_feature(fast, "man of white");
  find_feature(fast, "king of white");
  if (count > 2) find_feature(fast, "man of red");
  if (count > 2) find_feature(fast, "king of red");
  fast_delete(fast);
  close_game(&opened);
}

/* Red owns pieces only if it moves them. */
static void test_blank_is_no_piece(void **state) {
  (void)state;
  check_two_kinds("?r", 4);
  check_two_kinds("white", 2);
}

/* ---- learning ---- */

/* An episode of one step from the position. */
static void learn(Fast *fast, const Position *position, double reward) {
  fast_begin(fast);
  fast_state(fast, position->words);
  fast_state(fast, position->words);
  fast_end(fast, reward);
}

static bool is_near(double value, double wanted) {
  return fabs(value - wanted) < 1e-9 * (1 + fabs(wanted));
}

#define assert_near(value, wanted) assert_true(is_near(value, wanted))

/* Teaches pawn 4 and rook 10, by one episode each with one state and one piece;
   the step is α, then α / 1.001. */
static void make_values(const Opened *opened, Fast *fast) {
  Position pawn = POSITION(opened, "(cell 4 2 whitePawn)");
  Position rook = POSITION(opened, "(cell 4 1 whiteRook)");
  learn(fast, &pawn, 400);
  learn(fast, &rook, 1001);
  assert_near(weight_of(fast, "whitePawn of white"), 4);
  assert_near(weight_of(fast, "whiteRook of white"), 10);
}

/* V = 18, 14, 10, then the end with 40. The λ-returns are
     λ = 1:    40,     40,   40: errors 22,     26,   30
     λ = 0:    14,     10,   40:        -4,     -4,   30
     λ = 0.99: 39.443, 39.7, 40:        21.443, 25.7, 30
   and pawns count 2, 1, 0, the rook 1, 1, 1. */
static void check_episode(const Opened *opened, double lambda, double pawns,
                          double rook) {
  FastOptions options = usual;
  options.lambda = lambda;
  Fast *fast = fast_new(&opened->features, 0, &options);
  make_values(opened, fast);
  Position steps[] = {
      POSITION(opened, "(cell 4 2 whitePawn)", "(cell 5 2 whitePawn)",
               "(cell 4 1 whiteRook)"),
      POSITION(opened, "(cell 5 2 whitePawn)", "(cell 4 1 whiteRook)"),
      POSITION(opened, "(cell 4 7 whiteRook)"),
      POSITION(opened, "(cell 4 8 whiteRook)", "(cell 1 1 whiteKnight)")};
  fast_begin(fast);
  fast_state(fast, steps[3].words); /* an episode without an end */
  fast_begin(fast);
  for (int i = 0; i < 4; i++) fast_state(fast, steps[i].words);
  assert_near(weight_of(fast, "whiteRook of white"), 10);
  fast_end(fast, 40);
  double step = 0.01 / 3 / 1.002;
  assert_near(weight_of(fast, "whitePawn of white"), 4 + step * pawns);
  assert_near(weight_of(fast, "whiteRook of white"), 10 + step * rook);
  assert_near(weight_of(fast, "whiteKnight of white"), 0);
  fast_delete(fast);
}

static void test_three_steps(void **state) {
  (void)state;
  Opened opened;
  open_game(&opened, "skirmish");
  check_episode(&opened, 1, 70, 78);
  check_episode(&opened, 0, -12, 22);
  check_episode(&opened, 0.99, 68.586, 77.143);
  close_game(&opened);
}

/* However large α is, the step is at most 1 / Σ |f|²: 1 / 5 with two pawns and
   a knight. An episode of one state teaches nothing. */
static void test_step_bound(void **state) {
  (void)state;
  Opened opened;
  FastOptions options = usual;
  options.alpha = 1000;
  open_game(&opened, "skirmish");
  Fast *fast = fast_new(&opened.features, 0, &options);
  Position position =
      POSITION(&opened, "(cell 4 2 whitePawn)", "(cell 5 2 whitePawn)",
               "(cell 1 1 whiteKnight)");
  learn(fast, &position, 50);
  assert_near(weight_of(fast, "whitePawn of white"), 20);
  assert_near(weight_of(fast, "whiteKnight of white"), 10);
  learn(fast, &position, 50); /* V is right now */
  assert_near(weight_of(fast, "whitePawn of white"), 20);
  fast_begin(fast);
  fast_state(fast, position.words);
  fast_end(fast, 100);
  assert_near(weight_of(fast, "whitePawn of white"), 20);
  fast_delete(fast);
  close_game(&opened);
}

/* ---- scores ---- */

/* White's rook on 4 4 can take a knight or a pawn or go to 4 5; black's knight
   can take the rook. */
static void test_captures(void **state) {
  (void)state;
  Opened opened;
  FastOptions options = usual;
  double scores[3];
  options.alpha = 1e6; /* a weight is learned at once */
  open_game(&opened, "skirmish");
  Fast *fast = fast_new(&opened.features, 0, &options);
  Position at = POSITION(&opened, "(cell 4 4 whiteRook)",
                         "(cell 4 6 blackKnight)", "(cell 2 4 blackPawn)",
                         "(cell 5 6 blackKnight)", "(control white)");
  uint32_t white[] = {find_move(&opened, 0, "(move 4 4 4 6)"),
                      find_move(&opened, 0, "(move 4 4 2 4)"),
                      find_move(&opened, 0, "(move 4 4 4 5)")};
  uint32_t black[] = {find_move(&opened, 1, "(move 5 6 4 4)"),
                      find_move(&opened, 1, "(move 5 6 7 5)")};
  assert_false(fast_scores(fast, at.words, 0, white, 3, scores));
  Position rook = POSITION(&opened, "(cell 4 4 whiteRook)");
  Position knight = POSITION(&opened, "(cell 4 6 blackKnight)");
  Position pawn = POSITION(&opened, "(cell 2 4 blackPawn)");
  learn(fast, &rook, 13);
  assert_false(fast_scores(fast, at.words, 0, white, 3, scores));
  learn(fast, &knight, -10);
  learn(fast, &pawn, -0.9); /* inside the guard */
  assert_true(fast_scores(fast, at.words, 0, white, 3, scores));
  assert_near(scores[0], 2 * 10 - 13);
  assert_near(scores[1], 0 - 13);
  assert_near(scores[2], -100);
  assert_false(fast_scores(fast, at.words, 0, white + 1, 2, scores));
  assert_true(fast_scores(fast, at.words, 1, black, 2, scores));
  assert_near(scores[0], 2 * 13 - 10);
  assert_near(scores[1], -100);
  assert_false(fast_scores(fast, at.words, 1, black + 1, 1, scores));
  fast_delete(fast);
  close_game(&opened);
}

static void test_cell_scores(void **state) {
  (void)state;
  Opened opened;
  FastOptions options = usual;
  double scores[2];
  options.alpha = 1e6;
  open_game(&opened, "breakthrough");
  Fast *fast = fast_new(&opened.features, 1, &options); /* black's values */
  Position nothing = {0};
  uint32_t white[] = {find_move(&opened, 0, "(move 3 4 4 5)"),
                      find_move(&opened, 0, "(move 3 4 2 5)")};
  uint32_t black[] = {find_move(&opened, 1, "(move 3 6 4 5)"),
                      find_move(&opened, 1, "(move 3 6 2 5)")};
  assert_false(fast_scores(fast, nothing.words, 0, white, 2, scores));
  Position own = POSITION(&opened, "(cell 4 5 black)");
  Position other = POSITION(&opened, "(cell 4 5 white)");
  learn(fast, &own, 3);
  learn(fast, &other, -8);
  assert_near(weight_of(fast, "4 5 of black"), 3);
  assert_near(weight_of(fast, "4 5 of white"), -8);
  assert_true(fast_scores(fast, nothing.words, 0, white, 2, scores));
  assert_near(scores[0], 5 * 8);
  assert_near(scores[1], 0);
  assert_true(fast_scores(fast, nothing.words, 1, black, 2, scores));
  assert_near(scores[0], 5 * 3);
  assert_near(scores[1], 0);
  assert_false(fast_scores(fast, nothing.words, 1, black + 1, 1, scores));
  fast_delete(fast);
  close_game(&opened);
}

/* An amazon's arrow belongs to no role: only the amazon's moves have values. */
static void test_arrows(void **state) {
  (void)state;
  Opened opened;
  FastOptions options = usual;
  double score;
  options.alpha = 1e6;
  open_game(&opened, "amazonsSmall");
  Fast *fast = fast_new(&opened.features, 0, &options);
  Position own = POSITION(&opened, "(cell 3 3 white)");
  uint32_t move = find_move(&opened, 0, "(move 2 2 3 3)");
  uint32_t fire = find_move(&opened, 0, "(fire 3 3)");
  learn(fast, &own, 4);
  assert_true(fast_scores(fast, own.words, 0, &move, 1, &score));
  assert_near(score, 20);
  assert_false(fast_scores(fast, own.words, 0, &fire, 1, &score));
  fast_delete(fast);
  close_game(&opened);
}

/* ---- whole games ---- */

/* Chooses by the Gibbs distribution over the scores, τ = 10. */
static Move choose(const Fast *fast, const uint64_t *state, uint32_t role,
                   const Move *moves, uint32_t count, Random *random) {
  double scores[256], sum = 0;
  assert_true(count <= LENGTH(scores));
  if (!fast_scores(fast, state, role, moves, count, scores))
    return moves[random_below(random, count)];
  double most = scores[0];
  for (uint32_t i = 1; i < count; i++) most = fmax(most, scores[i]);
  for (uint32_t i = 0; i < count; i++)
    sum += scores[i] = exp((scores[i] - most) / 10);
  double point = (double)(random_next(random) >> 11) * 0x1p-53 * sum;
  uint32_t at = 0;
  while (at + 1 < count && (point -= scores[at]) >= 0) at++;
  return moves[at];
}

static void play(Game *game, Fast *fast, Random *random) {
  const uint64_t *words;
  const Move *moves;
  Move joint[2];
  game_reset(game);
  fast_begin(fast);
  for (;;) {
    game_state(game, &words);
    fast_state(fast, words);
    if (game_terminal(game)) break;
    for (uint32_t role = 0; role < 2; role++) {
      uint32_t count = game_legal(game, role, &moves);
      joint[role] = choose(fast, words, role, moves, count, random);
    }
    game_make(game, joint);
  }
  fast_end(fast, game_goal(game, 0) - game_goal(game, 1));
}

static Fast *learn_games(const Opened *opened, Description *description,
                         uint32_t games) {
  Fast *fast = fast_new(&opened->features, 0, &usual);
  Game *game = scalar_engine_new(description, &opened->net);
  Random random;
  random_seed(&random, 1);
  for (uint32_t i = 0; i < games; i++) play(game, fast, &random);
  game_delete(game);
  return fast;
}

/* In the paper: about pawn 5, knight 10, bishop 10, rook 13. */
static void test_skirmish(void **state) {
  (void)state;
  Opened opened;
  open_game(&opened, "skirmish");
  Fast *fast = learn_games(&opened, &opened.description, 3000);
  static const char *const names[2][4] = {
      {"whitePawn of white", "whiteKnight of white", "whiteBishop of white",
       "whiteRook of white"},
      {"blackPawn of black", "blackKnight of black", "blackBishop of black",
       "blackRook of black"}};
  for (int side = 0; side < 2; side++) {
    double value[4];
    for (int i = 0; i < 4; i++)
      value[i] = (side ? -1 : 1) * weight_of(fast, names[side][i]);
    print_message("# pawn %.1f knight %.1f bishop %.1f rook %.1f\n", value[0],
                  value[1], value[2], value[3]);
    assert_true(value[0] > 4);
    assert_true(value[0] < value[1] && value[0] < value[2]);
    assert_true(fabs(value[1] - value[2]) < 3);
    assert_true(value[3] > 1.2 * value[1] && value[3] > 1.2 * value[2]);
    assert_true(value[3] < 25);
  }
  fast_delete(fast);
  close_game(&opened);
}

/* Corners are valuable, the squares that give them away are not. */
static void test_othello(void **state) {
  (void)state;
  Opened opened;
  open_game(&opened, "othello");
  Fast *fast = learn_games(&opened, &opened.description, 1000);
  static const char *const near[] = {"1 1", "1 8", "8 1", "8 8"};
  static const char *const inner[] = {"2 2", "2 7", "7 2", "7 7"};
  double corners = 0, others = 0;
  for (int i = 0; i < 4; i++)
    for (int side = 0; side < 2; side++) {
      char name[32];
      const char *role = side ? "white" : "black";
      snprintf(name, sizeof name, "%s of %s", near[i], role);
      corners += (side ? -1 : 1) * weight_of(fast, name) / 8;
      snprintf(name, sizeof name, "%s of %s", inner[i], role);
      others += (side ? -1 : 1) * weight_of(fast, name) / 8;
    }
  print_message("# corners %.1f, squares next to them %.1f\n", corners, others);
  assert_true(corners > 5);
  assert_true(others < corners - 5);
  fast_delete(fast);
  close_game(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_piece_types),
      cmocka_unit_test(test_chess),
      cmocka_unit_test(test_cells),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_blank_is_no_piece),
      cmocka_unit_test(test_three_steps),
      cmocka_unit_test(test_step_bound),
      cmocka_unit_test(test_captures),
      cmocka_unit_test(test_cell_scores),
      cmocka_unit_test(test_arrows),
      cmocka_unit_test(test_skirmish),
      cmocka_unit_test(test_othello),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
