/* Parts against exhaustive search of the whole: random puzzles of two or three
   parts, in step or one at a time, with and without a clock. */
#include "solve/parts.h"

#include "base/random.h"
#include "solve/division.h"
#include "support/games.h"
#include "support/unit.h"

typedef struct Opened {
  Description description;
  Book book;
  Puzzle *puzzle;
} Opened;

static void open_puzzle(Opened *opened, const char *text) {
  BookLimits limits = games_limits();
  games_read(&opened->description, text);
  book_init(&opened->book, &opened->description, &limits, true);
  assert_true(opened->book.has_net);
  opened->puzzle = puzzle_new(&opened->book, 1, (size_t)1 << 26);
}

static void close_puzzle(Opened *opened) {
  puzzle_delete(opened->puzzle);
  book_free(&opened->book);
  description_free(&opened->description);
}

/* ---- the twin: breadth-first, one state at a time ---- */

typedef struct Twin {
  Game *game;
  uint32_t words;
  VECTOR(uint64_t) states;
  int best; /* -1: no end can be reached */
  uint32_t length;
} Twin;

static void visit(Twin *twin, uint32_t depth) {
  const uint64_t *words;
  twin->words = game_state(twin->game, &words);
  if (game_terminal(twin->game)) {
    int score = game_goal(twin->game, 0);
    if (score > twin->best) twin->best = score, twin->length = depth;
    return;
  }
  for (uint32_t i = 0; i < twin->states.count; i += twin->words)
    if (memcmp(twin->states.data + i, words, twin->words * sizeof *words) == 0)
      return;
  for (uint32_t w = 0; w < twin->words; w++)
    vector_push(&twin->states, words[w]);
}

static void search_all(Twin *twin, Game *game) {
  *twin = (Twin){.game = game, .best = -1};
  visit(twin, 0);
  uint32_t depth = 0, end = twin->states.count;
  for (uint32_t at = 0; at < twin->states.count; at += twin->words) {
    const Move *moves;
    if (at == end) depth++, end = twin->states.count;
    game_enter(game, twin->states.data + at, twin->words);
    uint32_t count = game_legal(game, 0, &moves);
    Move *copy = memory_new((count + 1) * sizeof *copy);
    memcpy(copy, moves, count * sizeof *copy);
    for (uint32_t i = 0; i < count; i++) {
      game_make(game, &copy[i]);
      visit(twin, depth + 1);
      game_retract(game);
    }
    memory_delete(copy);
  }
  vector_free(&twin->states);
}

/* ---- one puzzle ---- */

/* Returns whether the method is for the puzzle; if so, compares it. */
static bool compare(const char *text, uint64_t slice_states) {
  Opened opened;
  Twin twin;
  open_puzzle(&opened, text);
  Puzzle *puzzle = opened.puzzle;
  MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = (size_t)1 << 26};
  Method *method = parts_method.new(&task);
  if (method) {
    Slice slice = {.states = slice_states};
    while (parts_method.run(method, &slice) == METHOD_WORKING) continue;
    Game *game = puzzle_game(puzzle);
    search_all(&twin, game);
    assert_int_equal(atomic_load(&puzzle->score), twin.best);
    if (twin.best >= 0) {
      Plan plan;
      puzzle_best(puzzle, &plan);
      assert_int_equal(plan.moves.count, twin.length);
      vector_free(&plan.moves);
      assert_true(puzzle_solved(puzzle));
      assert_true(puzzle_shortest(puzzle));
    }
    game_delete(game);
    Text line = {0};
    parts_method.explain(method, &line);
    assert_non_null(strstr(text_string(&line), "parts that go"));
    text_free(&line);
    parts_method.delete(method);
  }
  close_puzzle(&opened);
  return method;
}

/* ---- by hand ---- */

/* Two walkers on a line, each must be home (place 3, or 5) when the bell rings,
   which the second one does by pulling at the end. In step: walker one has to
   wait for the other. */
#define WALKERS_IN_STEP \
  "(role r) (init (a 0)) (init (b 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5)" \
  "(go f) (go k) (<= (legal r (do ?x ?y)) (go ?x) (go ?y))" \
  "(<= (next (a ?q)) (does r (do f ?y)) (true (a ?p)) (s ?p ?q))" \
  "(<= (next (a 5)) (does r (do f ?y)) (true (a 5)))" \
  "(<= (next (a ?q)) (does r (do k ?y)) (true (a ?p)) (s ?q ?p))" \
  "(<= (next (a 0)) (does r (do k ?y)) (true (a 0)))" \
  "(<= (next (b ?q)) (does r (do ?x f)) (true (b ?p)) (s ?p ?q))" \
  "(<= (next (b ?p)) (does r (do ?x k)) (true (b ?p)))" \
  "(<= terminal (true (b 5)))" \
  "(<= (goal r 100) (true (a 2)) (true (b 5)))" \
  "(<= (goal r 60) (true (a 3)) (true (b 5)))" \
  "(<= (goal r 0) (not (true (a 2))) (not (true (a 3))))"

/* One at a time, twelve steps in all; both have to be home in the end, which
   is when the time is over. */
#define WALKERS_IN_TURN \
  "(role r) (init (a 0)) (init (b 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5)" \
  "(init (t 0)) (t 0 1) (t 1 2) (t 2 3) (t 3 4) (t 4 5) (t 5 6) (t 6 7)" \
  "(t 7 8) (t 8 9) (t 9 10) (<= (next (t ?n)) (true (t ?m)) (t ?m ?n))" \
  "(<= (legal r (one f)) (true (a ?p)) (s ?p ?q))" \
  "(<= (legal r (one k)) (true (a ?q)) (s ?p ?q))" \
  "(<= (legal r (two f)) (true (b ?p)) (s ?p ?q)) (legal r pause)" \
  "(<= (next (a ?q)) (does r (one f)) (true (a ?p)) (s ?p ?q))" \
  "(<= (next (a ?p)) (does r (one k)) (true (a ?q)) (s ?p ?q))" \
  "(<= (next (a ?p)) (true (a ?p)) (not moves_one))" \
  "(<= (next (b ?q)) (does r (two f)) (true (b ?p)) (s ?p ?q))" \
  "(<= (next (b ?p)) (true (b ?p)) (not moves_two))" \
  "(<= moves_one (does r (one ?x))) (<= moves_two (does r (two ?x)))" \
  "(<= terminal (true (t 10))) (<= terminal (true (b 5)))" \
  "(<= (goal r 100) (true (a 5)) (true (b 4)))" \
  "(<= (goal r 50) (true (a 5)) (true (b 5)))" \
  "(<= (goal r 10) (not (true (a 5))))"

static void test_by_hand(void **state) {
  (void)state;
  assert_true(compare(WALKERS_IN_STEP, 1000000));
  assert_true(compare(WALKERS_IN_STEP, 1));
  assert_true(compare(WALKERS_IN_TURN, 1000000));
  assert_true(compare(WALKERS_IN_TURN, 1));
}

/* Not parts: the second walker only moves where the first is. */
static void test_tied(void **state) {
  (void)state;
  assert_false(
      compare("(role r) (init (a 0)) (init (b 0)) (s 0 1) (s 1 2) (s 2 3)"
              "(legal r one) (<= (legal r two) (true (a ?p)) (true (b ?p)))"
              "(<= (next (a ?q)) (does r one) (true (a ?p)) (s ?p ?q))"
              "(<= (next (a ?p)) (does r two) (true (a ?p)))"
              "(<= (next (b ?q)) (does r two) (true (b ?p)) (s ?p ?q))"
              "(<= (next (b ?p)) (does r one) (true (b ?p)))"
              "(<= terminal (true (b 2))) (goal r 50)",
              1000));
}

/* ---- random puzzles ---- */

enum { PUZZLES = 300 };

typedef struct Shape {
  bool together, clock;
  uint32_t parts, states[3], actions[3], steps;
} Shape;

/* (t p x a y): in part p, action a leads from x to y; some are missing. */
static void write_part(Text *text, Random *random, const Shape *shape,
                       uint32_t p) {
  text_format(text, "(init (at %u 0))", p);
  for (uint32_t x = 0; x < shape->states[p]; x++)
    for (uint32_t a = 0; a < shape->actions[p]; a++)
      if (a == 0 || random_below(random, 4))
        text_format(text, "(t %u %u %u %u)", p, x, a,
                    random_below(random, shape->states[p]));
}

static void write_moves(Text *text, const Shape *shape) {
  if (!shape->together) {
    text_add(text, "(<= (legal r (go ?p ?a)) (true (at ?p ?x)) (t ?p ?x ?a ?y))"
                   "(<= (next (at ?p ?y)) (does r (go ?p ?a)) (true (at ?p ?x))"
                   "    (t ?p ?x ?a ?y))"
                   "(<= (next (at ?p ?x)) (true (at ?p ?x)) (does r (go ?q ?a))"
                   "    (distinct ?p ?q))");
    return;
  }
  text_add(text, "(<= (legal r (go");
  for (uint32_t p = 0; p < shape->parts; p++) text_format(text, " ?a%u", p);
  text_add(text, "))");
  for (uint32_t p = 0; p < shape->parts; p++)
    text_format(text, "(true (at %u ?x%u)) (t %u ?x%u ?a%u ?y%u)", p, p, p, p,
                p, p);
  text_add(text, ")");
  for (uint32_t p = 0; p < shape->parts; p++) {
    text_format(text, "(<= (next (at %u ?y)) (does r (go", p);
    for (uint32_t q = 0; q < shape->parts; q++) text_format(text, " ?a%u", q);
    text_format(text, ")) (true (at %u ?x)) (t %u ?x ?a%u ?y))", p, p, p);
  }
}

/* (good p x) is what a goal asks of part p; three goals, the best first. */
static void write_ends(Text *text, Random *random, const Shape *shape) {
  static const int values[] = {100, 70, 30};
  for (uint32_t p = 0; p < shape->parts; p++)
    for (uint32_t i = 0; i < 4; i++) {
      text_format(text, "(good%u %u %u)", i, p,
                  random_below(random, shape->states[p]));
      if (random_below(random, 2))
        text_format(text, "(good%u %u %u)", i, p,
                    random_below(random, shape->states[p]));
    }
  for (uint32_t i = 0; i < 4; i++) {
    text_format(text, "(<= is%u", i);
    for (uint32_t p = 0; p < shape->parts; p++)
      text_format(text, "(true (at %u ?x%u)) (good%u %u ?x%u)", p, p, i, p, p);
    text_add(text, ")");
  }
  for (uint32_t i = 0; i < 3; i++) {
    text_format(text, "(<= (goal r %d) is%u", values[i], i);
    for (uint32_t j = 0; j < i; j++) text_format(text, "(not is%u)", j);
    text_add(text, ")");
  }
  text_add(text, "(<= (goal r 5) (not is0) (not is1) (not is2))");
  switch (random_below(random, 3)) {
  case 0: /* one part ends the game */
    text_add(text, "(<= terminal (true (at ?p ?x)) (good3 ?p ?x))");
    break;
  case 1: /* all together do */
    text_add(text, "(<= terminal is0) (<= terminal is3)");
    break;
  default: text_add(text, "(<= terminal is1) (<= terminal (true (at 0 1)))");
  }
}

static void write_puzzle(Text *text, Random *random, const Shape *shape) {
  text_clear(text);
  text_add(text, "(role r)");
  for (uint32_t p = 0; p < shape->parts; p++)
    write_part(text, random, shape, p);
  write_moves(text, shape);
  write_ends(text, random, shape);
  if (!shape->clock) return;
  text_add(text, "(init (step 0))");
  for (uint32_t i = 0; i < shape->steps; i++)
    text_format(text, "(succ %u %u)", i, i + 1);
  text_add(text, "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))");
  text_format(text, "(<= terminal (true (step %u)))", shape->steps);
}

static void test_random(void **state) {
  (void)state;
  Random random;
  Text text = {0};
  uint32_t fit[2][2] = {{0}};
  random_seed(&random, 5);
  for (uint32_t i = 0; i < PUZZLES; i++) {
    Shape shape = {.together = i & 1,
                   .clock = i & 2,
                   .parts = 2 + (i % 5 == 0),
                   .steps = 2 + random_below(&random, 6)};
    for (uint32_t p = 0; p < shape.parts; p++) {
      shape.states[p] = 3 + random_below(&random, shape.parts == 2 ? 5 : 2);
      shape.actions[p] = 2 + random_below(&random, 2);
    }
    write_puzzle(&text, &random, &shape);
    uint64_t slice = random_below(&random, 2) ? 1 : 1000000;

    fit[shape.together][shape.clock] += compare(text.bytes, slice);
  }
  text_free(&text);
  /* some are over at once, or only look divided */
  for (uint32_t i = 0; i < 4; i++)
    assert_true(fit[i & 1][i >> 1] > PUZZLES / 4 / 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_tied),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
