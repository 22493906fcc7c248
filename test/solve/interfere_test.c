/* Moves that are said not to interfere are made in both orders on the engine,
   wherever both are legal in random games: both must stay legal and lead to the
   same state. And what is said to be written is what changes. */
#include "solve/interfere.h"

#include "base/bits.h"
#include "base/random.h"
#include "support/exhaust.h"
#include "support/unit.h"

/* Four queens by rules that let none attack another; a clock runs beside. */
#define GAME_QUEENS \
  "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)" \
  "(succ 4 5) (n 1) (n 2) (n 3) (n 4)" \
  "(<= (legal r (put ?x ?y)) (n ?x) (n ?y) (not (hit ?x ?y)))" \
  "(<= (legal r stop))" \
  "(<= (hit ?x ?y) (true (q ?x ?z)) (n ?y)) (<= (hit ?x ?y) (true (q ?z ?y))" \
  "(n ?x)) (<= (hit ?x ?y) (true (q ?u ?v)) (diagonal ?u ?v ?x ?y))" \
  "(<= (diagonal ?u ?v ?x ?y) (far ?u ?x ?d) (far ?v ?y ?d))" \
  "(<= (far ?a ?b 1) (succ ?a ?b) (n ?a)) (<= (far ?a ?b 1) (succ ?b ?a)" \
  "(n ?b) (n ?a)) (<= (far ?a ?c 2) (succ ?a ?b) (succ ?b ?c) (n ?a) (n ?c))" \
  "(<= (far ?c ?a 2) (succ ?a ?b) (succ ?b ?c) (n ?a) (n ?c))" \
  "(far 1 4 3) (far 4 1 3)" \
  "(<= (next (q ?x ?y)) (does r (put ?x ?y)))" \
  "(<= (next (q ?x ?y)) (true (q ?x ?y)))" \
  "(<= (next over) (does r stop))" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))" \
  "(<= terminal (true over)) (<= terminal (true (step 5)))" \
  "(<= (goal r 100) (true (q 1 ?a)) (true (q 2 ?b)) (true (q 3 ?c))" \
  "(true (q 4 ?d))) (<= (goal r 0) (not (true (q 1 1))))"

/* Counters on two tracks; a move reads the other track if it is at 2. */
#define GAME_TRACKS \
  "(role r) (init (a 0)) (init (b 0)) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(<= (legal r (go ?x)) (true (a ?x)) (succ ?x ?y))" \
  "(<= (legal r (run ?x)) (true (b ?x)) (succ ?x ?y))" \
  "(<= (next (a ?y)) (does r (go ?x)) (succ ?x ?y))" \
  "(<= (next (a ?x)) (true (a ?x)) (not (does r (go ?x))))" \
  "(<= (next (b ?y)) (does r (run ?x)) (succ ?x ?y) (distinct ?x 2))" \
  "(<= (next (b 3)) (does r (run 2)) (true (a 3)))" \
  "(<= (next (b 0)) (does r (run 2)) (not (true (a 3))))" \
  "(<= (next (b ?x)) (true (b ?x)) (not (does r (run ?x))))" \
  "(<= terminal (true (b 3))) (<= (goal r 100) (true (b 3)))"

typedef struct Case {
  Interfere interfere;
  Game *game;
  uint32_t words;
  uint64_t *first, *second; /* states */
  uint32_t commuting;
} Case;

static bool is_rival(const Interfere *interfere, uint32_t a, uint32_t b) {
  const InterfereMove *move = &interfere->moves.data[a];
  for (uint32_t i = 0; i < move->rival_count; i++)
    if (interfere->rivals.data[move->rivals + i] == b) return true;
  return false;
}

static bool is_legal(Game *game, Move move) {
  const Move *moves;
  uint32_t count = game_legal(game, 0, &moves);
  for (uint32_t i = 0; i < count; i++)
    if (moves[i] == move) return true;
  return false;
}

static void read_state(const Case *c, uint64_t *state) {
  const uint64_t *words;
  game_state(c->game, &words);
  memcpy(state, words, c->words * sizeof *words);
}

/* Makes both moves; the second must be legal, unless the game is over. */
static bool make_two(Case *c, Move a, Move b, uint64_t *state) {
  game_make(c->game, &a);
  bool goes_on = !game_terminal(c->game);
  if (goes_on) {
    assert_true(is_legal(c->game, b));
    game_make(c->game, &b);
    read_state(c, state);
    game_retract(c->game);
  }
  game_retract(c->game);
  return goes_on;
}

static void try_pair(Case *c, Move a, Move b) {
  if (is_rival(&c->interfere, a, b) || is_rival(&c->interfere, b, a)) return;
  bool both = make_two(c, a, b, c->first);
  both &= make_two(c, b, a, c->second);
  if (!both) return;
  assert_memory_equal(c->first, c->second, c->words * sizeof *c->first);
  c->commuting++;
}

/* Every fluent that changes is written or depends on time alone. */
static void check_writes(Case *c, Move move) {
  const InterfereMove *m = &c->interfere.moves.data[move];
  read_state(c, c->first);
  game_make(c->game, &move);
  read_state(c, c->second);
  game_retract(c->game);
  for (uint32_t i = 0; i < m->write_count; i++) {
    Write write = c->interfere.writes.data[m->writes + i];
    bool after = bits_has(c->second, write.fluent);
    if (write.kind != WRITE_DEPENDS)
      assert_int_equal(after, write.kind == WRITE_TRUE);
    if (after != bits_has(c->first, write.fluent))
      bits_flip(c->first, write.fluent);
  }
  for (uint32_t f = 0; f < c->interfere.net->fluents.count; f++)
    if (!c->interfere.timed[f])
      assert_int_equal(bits_has(c->first, f), bits_has(c->second, f));
}

static void play(Case *c, Random *random) {
  MoveVector list = {0};
  game_reset(c->game);
  while (!game_terminal(c->game)) {
    const Move *moves;
    uint32_t count = game_legal(c->game, 0, &moves);
    if (count == 0) break;
    vector_clear(&list);
    for (uint32_t i = 0; i < count; i++) vector_push(&list, moves[i]);
    for (uint32_t i = 0; i < count; i++) {
      check_writes(c, list.data[i]);
      for (uint32_t j = 0; j < i; j++) try_pair(c, list.data[i], list.data[j]);
    }
    game_make(c->game, &list.data[random_below(random, count)]);
  }
  vector_free(&list);
}

static uint32_t count_commuting(const char *text, bool useful) {
  ExhaustPuzzle opened;
  Random random;
  random_seed(&random, 9);
  exhaust_open(&opened, text, true);
  opened.book.limits.prove_seconds = 1;
  const Analysis *analysis = book_analysis(&opened.book);
  Case c = {.game = book_game(&opened.book), .words = opened.puzzle->words};
  c.first = memory_new((c.words + 1) * sizeof *c.first);
  c.second = memory_new((c.words + 1) * sizeof *c.second);
  interfere_init(&c.interfere, &opened.book.net, analysis,
                 opened.puzzle->start);
  InterfereStatus status;
  do status = interfere_work(&c.interfere);
  while (status == INTERFERE_WORKING);
  assert_int_equal(status, useful ? INTERFERE_READY : INTERFERE_USELESS);
  for (int i = 0; i < 20 && useful; i++) play(&c, &random);
  interfere_free(&c.interfere);
  memory_delete(c.first);
  memory_delete(c.second);
  game_delete(c.game);
  exhaust_close(&opened);
  return c.commuting;
}

static void test_pairs(void **state) {
  (void)state;
  assert_true(count_commuting(GAME_QUEENS, true) > 50);
  assert_true(count_commuting(GAME_TRACKS, true) > 10);
  assert_true(count_commuting("games/peg.kif", true) > 50);
}

/* One thing moves about, or moves read the clock. */
static void test_useless(void **state) {
  (void)state;
  count_commuting("games/knightsTour.kif", false);
  count_commuting("games/eightPuzzle.kif", false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_useless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
