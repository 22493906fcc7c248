/* The blackboard of a puzzle: plans are believed only after they were played,
   the better one stays, and a plan survives what does not concern it. */
#include "solve/puzzle.h"
#include "support/games.h"
#include "support/unit.h"

/* A walk on a line of five places with a clock of eight steps. `stay` only lets
   time pass. At place 4 the game is over with 100, in the end it is worth ten
   points a place. */
#define WALK \
  "(role r) (init (at 0)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (next_place 0 1)" \
  "(next_place 1 2) (next_place 2 3) (next_place 3 4) (worth 0 0) (worth 1 " \
  "10)" \
  "(worth 2 20) (worth 3 30) (worth 4 100) (legal r stay)" \
  "(<= (legal r go) (true (at ?p)) (next_place ?p ?q))" \
  "(<= (legal r back) (true (at ?q)) (next_place ?p ?q))" \
  "(<= (next (at ?q)) (does r go) (true (at ?p)) (next_place ?p ?q))" \
  "(<= (next (at ?p)) (does r back) (true (at ?q)) (next_place ?p ?q))" \
  "(<= (next (at ?p)) (does r stay) (true (at ?p)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= terminal (true (at 4))) (<= terminal (true (step 8)))" \
  "(<= (goal r ?g) (true (at ?p)) (worth ?p ?g))"

/* The initial state is terminal. */
#define OVER \
  "(role r) (init end) (legal r go) (<= (next end) (true end))" \
  "(<= terminal (true end)) (<= (goal r 40) (true end))" \
  "(<= (goal r 100) (not (true end)))"

typedef struct Opened {
  Description description;
  Book book;
  Puzzle *puzzle;
} Opened;

static void open_puzzle(Opened *opened, const char *text, bool ground) {
  BookLimits limits = games_limits();
  games_read(&opened->description, text);
  book_init(&opened->book, &opened->description, &limits, ground);
  opened->puzzle = puzzle_new(&opened->book, 1, (size_t)1 << 20);
}

static void close_puzzle(Opened *opened) {
  puzzle_delete(opened->puzzle);
  book_free(&opened->book);
  description_free(&opened->description);
}

/* The legal move of the puzzle's state with that name, after `made` moves. */
static Move named(Puzzle *puzzle, const char *name, const MoveVector *made) {
  Game *game = puzzle_game(puzzle);
  Move found = UINT32_MAX;
  Text text = {0};
  const Move *moves;
  for (uint32_t i = 0; i < made->count; i++) game_make(game, &made->data[i]);
  uint32_t count = game_legal(game, 0, &moves);
  for (uint32_t i = 0; i < count; i++) {
    text_clear(&text);
    term_write(game_terms(game), game_move_term(game, 0, moves[i]), &text);
    if (strcmp(text.bytes, name) == 0) found = moves[i];
  }
  text_free(&text);
  game_delete(game);
  assert_int_not_equal(found, UINT32_MAX);
  return found;
}

/* Plans are spelled by the first letters of their moves: g, b, s. */
static void spell(Puzzle *puzzle, const char *letters, MoveVector *moves) {
  *moves = (MoveVector){0};
  for (; *letters; letters++) {
    const char *name = *letters == 'g'   ? "go"
                       : *letters == 'b' ? "back"
                                         : "stay";
    Move move = named(puzzle, name, moves);
    vector_push(moves, move);
  }
}

static bool offer(Puzzle *puzzle, const char *letters) {
  MoveVector moves;
  spell(puzzle, letters, &moves);
  bool taken = puzzle_offer(puzzle, "test", 100, moves.data, moves.count);
  vector_free(&moves);
  return taken;
}

static void advance(Puzzle *puzzle, const char *name) {
  puzzle_advance(puzzle, named(puzzle, name, &(MoveVector){0}));
}

static void check_best(Puzzle *puzzle, int score, uint32_t length) {
  Plan plan;
  puzzle_best(puzzle, &plan);
  assert_int_equal(plan.score, score);
  assert_int_equal(plan.moves.count, length);
  assert_int_equal(atomic_load(&puzzle->score), score);
  vector_free(&plan.moves);
}

static void with_each_engine(const char *text, void (*check)(Puzzle *puzzle)) {
  for (int ground = 0; ground < 2; ground++) {
    Opened opened;
    open_puzzle(&opened, text, ground);
    assert_int_equal(opened.puzzle->net != NULL, ground);
    check(opened.puzzle);
    close_puzzle(&opened);
  }
}

static void check_offers(Puzzle *puzzle) {
  check_best(puzzle, -1, 0);
  assert_false(puzzle_solved(puzzle));
  assert_false(offer(puzzle, "ggg")); /* does not end */
  check_best(puzzle, -1, 0);
  assert_true(offer(puzzle, "ggssssss"));
  check_best(puzzle, 20, 8);
  assert_false(offer(puzzle, "gsssssss")); /* worse */
  assert_false(offer(puzzle, "ssssssgg")); /* equal */
  assert_true(offer(puzzle, "ggbggg"));
  check_best(puzzle, 100, 6);
  assert_true(puzzle_solved(puzzle));
  assert_false(puzzle_shortest(puzzle));
  assert_true(offer(puzzle, "gggg")); /* shorter */
  check_best(puzzle, 100, 4);
  puzzle_prove_least(puzzle, 30, 9); /* not the bound */
  assert_false(puzzle_shortest(puzzle));
  puzzle_prove_least(puzzle, 100, 4);
  assert_true(puzzle_shortest(puzzle));
}

static void test_offers(void **state) {
  (void)state;
  with_each_engine(WALK, check_offers);
}

static void check_replay(Puzzle *puzzle) {
  MoveVector moves;
  uint32_t at;
  spell(puzzle, "gggbgg", &moves);
  assert_int_equal(puzzle_replay(puzzle, moves.data, 5, &at), -1);
  assert_int_equal(at, 5); /* legal, but the game goes on */
  assert_int_equal(puzzle_replay(puzzle, moves.data, 6, &at), 100);
  assert_int_equal(puzzle_replay(puzzle, moves.data + 3, 3, &at), -1);
  assert_int_equal(at, 0); /* there is no way back from the first place */
  moves.data[3] = moves.data[0];
  assert_int_equal(puzzle_replay(puzzle, moves.data, 5, &at), -1);
  assert_int_equal(at, 4); /* over before the plan is */
  vector_free(&moves);
}

static void test_replay(void **state) {
  (void)state;
  with_each_engine(WALK, check_replay);
}

static void check_advance(Puzzle *puzzle) {
  assert_true(offer(puzzle, "gggg"));
  advance(puzzle, "go");
  check_best(puzzle, 100, 3);
  advance(puzzle, "stay"); /* the plan still works */
  check_best(puzzle, 100, 3);
  advance(puzzle, "back"); /* it does not: the first place is farther away */
  check_best(puzzle, -1, 0);
  assert_true(offer(puzzle, "sgggg"));
  assert_false(puzzle_waits(puzzle, named(puzzle, "stay", &(MoveVector){0})));
  assert_true(offer(puzzle, "gggg"));
  assert_true(puzzle_waits(puzzle, named(puzzle, "stay", &(MoveVector){0})));
}

static void test_advance(void **state) {
  (void)state;
  with_each_engine(WALK, check_advance);
}

static void check_bounds(Puzzle *puzzle) {
  assert_int_equal(atomic_load(&puzzle->bound), 100);
  assert_null(puzzle_prover(puzzle));
  puzzle_prove_least(puzzle, 100, 6);
  puzzle_prove_bound(puzzle, "test", 30);
  assert_int_equal(atomic_load(&puzzle->least), 0);
  puzzle_prove_bound(puzzle, "other", 60); /* known better */
  assert_int_equal(atomic_load(&puzzle->bound), 30);
  assert_string_equal(puzzle_prover(puzzle), "test");
  assert_true(offer(puzzle, "gggsssss"));
  assert_true(puzzle_solved(puzzle));
}

static void test_bounds(void **state) {
  (void)state;
  Opened opened;
  open_puzzle(&opened, WALK, true);
  check_bounds(opened.puzzle);
  close_puzzle(&opened);
}

/* Only what matters makes methods begin again. */
static void test_version(void **state) {
  (void)state;
  Opened opened;
  open_puzzle(&opened, WALK, true);
  Puzzle *puzzle = opened.puzzle;
  uint64_t timed[2] = {0}, version = puzzle_version(puzzle);
  const Net *net = &opened.book.net;
  for (uint32_t f = 0; f < net->fluents.count; f++) {
    Text text = {0};
    term_write(&opened.description.rules.terms, net->fluents.data[f].term,
               &text);
    if (strncmp(text.bytes, "(step", 5) == 0) timed[f / 64] |= 1ull << f % 64;
    text_free(&text);
  }
  puzzle_set_timed(puzzle, timed);
  advance(puzzle, "stay");
  assert_int_equal(puzzle_version(puzzle), version);
  advance(puzzle, "go");
  assert_int_not_equal(puzzle_version(puzzle), version);
  close_puzzle(&opened);
}

static void check_over(Puzzle *puzzle) {
  assert_true(puzzle->terminal);
  assert_true(puzzle_solved(puzzle));
  check_best(puzzle, 40, 0);
}

static void test_over(void **state) {
  (void)state;
  with_each_engine(OVER, check_over);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_offers),  cmocka_unit_test(test_replay),
      cmocka_unit_test(test_advance), cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_version), cmocka_unit_test(test_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
