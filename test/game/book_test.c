/* From a description to a game: the engine that the memory allows, with the
   reason, and the description as good as before; `base` and `input` narrow the
   net where they are right, and change nothing where they are wrong. */
#include "game/book.h"

#include "base/thread.h"
#include "engine/trace.h"
#include "support/play.h"

static const BookLimits plenty = {
    .ground = {.memory = (size_t)256 << 20},
    .rules = {.memory = (size_t)64 << 20},
};

/* ---- limits ---- */

static const char *const counting =
    "(role r) (init (at 0)) (legal r go) (legal r wait)"
    "(<= (legal r (say ?x ?y ?z)) (true (at ?x)) (n ?x ?a) (n ?y ?b) (n ?z ?c))"
    "(n 0 1) (n 1 2) (n 2 3) (n 3 4) (n 4 5) (n 5 6) (n 6 7) (n 7 8) (n 8 9)"
    "(<= (next (at ?y)) (true (at ?x)) (n ?x ?y))"
    "(<= terminal (true (at 9))) (<= (goal r 7) (true (at 9)))";

static Game *expect_end(Game *game) {
  for (int i = 0; i < 9; i++) PLAY(game, "go");
  assert_true(game_terminal(game));
  assert_int_equal(game_goal(game, 0), 7);
  return game;
}

static void test_memory(void **state) {
  (void)state;
  Description description;
  front_read(&description, counting);
  BookLimits small = plenty;
  bool fell_back = false, fitted = false;
  for (size_t memory = 1 << 10; memory <= 16 << 20; memory *= 2) {
    Book book;
    small.ground.memory = memory;
    uint32_t terms = description.rules.terms.nodes.count;
    book_init(&book, &description, &small, true);
    assert_int_equal(book.why[BOOK_NET].length == 0, book.has_net);
    if (!book.has_net) {
      assert_non_null(strstr(book.why[BOOK_NET].bytes, "--memory"));
      assert_int_equal(description.rules.terms.nodes.count, terms);
      assert_null(book_analysis(&book));
      assert_null(book_cones(&book, 1));
    }
    Game *game = book_game(&book);
    assert_string_equal(game->operations->name,
                        book.has_net ? "scalar" : "rules");
    fell_back |= !book.has_net;
    fitted |= book.has_net;
    game_delete(expect_end(game));
    book_free(&book);
  }
  assert_true(fell_back && fitted);
  description_free(&description);
}

/* ---- the net before it is reduced ---- */

typedef struct Making {
  const char *rules;
  BookLimits limits;
  bool fitted;
} Making;

static void *make_book(void *context) {
  Making *making = context;
  Description description;
  Book book;
  front_read(&description, making->rules);
  book_init(&book, &description, &making->limits, true);
  handover_close(making->limits.offer);
  making->fitted = book.has_net;
  book_free(&book);
  description_free(&description);
  return NULL;
}

/* Takes the net from another thread; returns true if it came. The other book is
   made in any case. */
static bool take_early(const char *rules, size_t memory) {
  Making making = {rules, plenty, false};
  BookLimits limits = plenty;
  Handover *handover = making.limits.offer = handover_new();
  Description description;
  Book book;
  pthread_t thread;
  front_read(&description, rules);
  limits.ground.memory = memory;
  assert_true(thread_start(&thread, THREAD_STACK, make_book, &making));
  book_init_early(&book, &description, &limits, handover);
  handover_close(handover);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_true(making.fitted);
  bool taken = book.has_net;
  Game *game = book_game(&book);
  assert_string_equal(game->operations->name, taken ? "scalar" : "rules");
  game_delete(expect_end(game));
  book_free(&book);
  description_free(&description);
  return taken;
}

static void test_early_net(void **state) {
  (void)state;
  assert_true(take_early(counting, plenty.ground.memory));
  assert_false(take_early(counting, 1 << 10));
}

/* Nobody takes it, or nothing is offered. */
static void test_no_early_net(void **state) {
  (void)state;
  Making making = {counting, plenty, false};
  making.limits.offer = handover_new();
  handover_close(making.limits.offer);
  make_book(&making);
  assert_true(making.fitted);
  Handover *empty = handover_new();
  Description description;
  Book book;
  handover_close(empty);
  front_read(&description, counting);
  book_init_early(&book, &description, &plenty, empty);
  handover_close(empty);
  assert_false(book.has_net);
  assert_non_null(strstr(book.why[BOOK_NET].bytes, "no net was offered"));
  book_free(&book);
  description_free(&description);
}

/* Lazy stages are given up one by one, and not tried again; the net and its
   engines stay as they were. */
static void test_memory_of_later_stages(void **state) {
  (void)state;
  Description description;
  Book book;
  front_read(&description, counting);
  book_init(&book, &description, &plenty, true);
  assert_true(book.has_net);
  book.limits.ground.memory = 1 << 10;
  assert_null(book_analysis(&book));
  assert_non_null(strstr(book.why[BOOK_ANALYSIS].bytes, "--memory"));
  assert_null(book_features(&book));
  assert_null(book_cones(&book, 1));
  assert_non_null(strstr(book.why[BOOK_CONES].bytes, "--memory"));
  assert_null(book_capturing(&book, 1));
  book.limits = plenty;
  assert_null(book_analysis(&book));
  Game *first = expect_end(book_game(&book));
  Game *second = expect_end(book_game(&book));
  assert_ptr_not_equal(first, second);
  game_delete(second);
  game_delete(first);
  book_free(&book);
  book_init(&book, &description, &plenty, true);
  assert_non_null(book_features(&book));
  assert_non_null(book_capturing(&book, 1));
  assert_ptr_equal(book_capturing(&book, 1), book_cones(&book, 1));
  for (int i = 0; i < BOOK_STAGES; i++) assert_int_equal(book.why[i].length, 0);
  book_free(&book);
  description_free(&description);
}

/* ---- narrowing ---- */

/* Fluents and moves of the net, and that both engines play the same. */
static void check_net(const char *text, uint32_t fluents, uint32_t moves) {
  Description description;
  Text traces[2] = {{0}};
  front_read(&description, text);
  for (int i = 0; i < 2; i++) {
    Book book;
    book_init(&book, &description, &plenty, i);
    assert_int_equal(book.has_net, i);
    if (i) {
      assert_int_equal(book.net.fluents.count, fluents);
      assert_int_equal(book.net.moves.count, moves);
      assert_int_equal(book.net.beyond_base, SIGNAL_FALSE);
      assert_int_equal(book.net.beyond_input, SIGNAL_FALSE);
    }
    Game *game = book_game(&book);
    for (uint64_t seed = 0; seed < 20; seed++) {
      Random random;
      TermVector none = {0};
      random_seed(&random, seed);
      trace_write(game, &random, &none, 30, NULL, &traces[i]);
    }
    game_delete(game);
    book_free(&book);
  }
  assert_string_equal(text_string(&traces[0]), text_string(&traces[1]));
  for (int i = 0; i < 2; i++) text_free(&traces[i]);
  description_free(&description);
}

/* The step goes on to 4; at 3 the game is over. */
#define STEPS \
  "(role r) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (goal r 50)" \
  "(legal r wait) (<= (legal r (say ?x)) (succ ?x ?y) (true (step ?x)))" \
  "(<= terminal (true (step 3))) (input r wait)" \
  "(<= (input r (say ?x)) (succ ?x ?y))"

static void test_narrowing(void **state) {
  (void)state;
  check_net(STEPS, 4, 4);
  check_net(STEPS "(base (step 1)) (base (step 2)) (base (step 3))", 3, 4);
  check_net(STEPS "(<= (base (step ?x)) (succ ?x ?y)) (base (step 9))", 3, 4);
  /* a step that comes is missing */
  check_net(STEPS "(base (step 1)) (base (step 2))", 4, 4);
  check_net(STEPS "(base (step 1))", 4, 4);
  /* the first is there anyway */
  check_net(STEPS "(base (step 2)) (base (step 3))", 3, 4);
}

#define BOXES \
  "(role r) (goal r 50) (init (box 1)) (b 1) (b 2) (b 3)" \
  "(<= (next (box ?x)) (does r (put ?x)))" \
  "(<= terminal (true (box 9)))" \
  "(<= (base (box ?x)) (b ?x))"

static void test_narrowing_of_moves(void **state) {
  (void)state;
  /* (put 3) would need two boxes at once */
  check_net(BOXES "(legal r (put 1)) (legal r (put 2))"
                  "(<= (legal r (put 3)) (true (box 1)) (true (box 2)))"
                  "(input r (put 1)) (input r (put 2))",
            2, 2);
  /* a move that is legal is missing */
  check_net(BOXES "(legal r (put 1)) (legal r (put 2))"
                  "(<= (legal r (put 3)) (true (box 2)))"
                  "(input r (put 1)) (input r (put 2))",
            3, 3);
  /* it is the only one there */
  check_net(BOXES "(<= (legal r (put 2)) (true (box 1)))"
                  "(<= (legal r (put 3)) (true (box 2)))"
                  "(<= (legal r (put 1)) (true (box 3)))"
                  "(input r (put 1)) (input r (put 2))",
            3, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_early_net),
      cmocka_unit_test(test_no_early_net),
      cmocka_unit_test(test_memory_of_later_stages),
      cmocka_unit_test(test_narrowing),
      cmocka_unit_test(test_narrowing_of_moves),
  };
  return cmocka_run_group_tests_name("book", tests, NULL, NULL);
}
