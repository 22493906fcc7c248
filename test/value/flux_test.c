/* FluxPlayer's evaluation: orders and counters of small texts, degrees of truth
   against the truth of random nets and of games in play, and positions that are
   obviously better than others. */
#include "value/flux.h"

#include <math.h>

#include "base/bits.h"
#include "engine/moves.h"
#include "support/games.h"
#include "support/library.h"
#include "support/net_evaluate.h"
#include "support/random_net.h"
#include "value/fuzzy.h"
#include "value/orders.h"

/* ---- orders ---- */

/* `next` is a chain, `beside` goes round, `near` branches; (at ?x) runs along
   the chain, (on ?c) has no order and (left ?n) only numbers. */
#define RUNNER \
  "(role r) (role q) (follow a b) (follow b c) (follow c d)" \
  "(beside u v) (beside v w) (beside w u) (near u v) (near u w)" \
  "(init (at a)) (init (on w)) (init (step 1)) (init (left 5))" \
  "(init (control r)) (plus 1 2) (plus 2 3) (plus 3 4)" \
  "(other r q) (other q r) (less 5 3) (less 3 1) (less 5 1)" \
  "(<= (legal ?p go) (true (control ?p)))" \
  "(<= (legal ?p stay) (true (control ?p)))" \
  "(<= (legal ?p noop) (true (control ?o)) (other ?p ?o))" \
  "(<= (next (at ?y)) (true (at ?x)) (follow ?x ?y) (does ?p go))" \
  "(<= (next (at ?x)) (true (at ?x)) (does ?p stay))" \
  "(<= (next (on ?y)) (true (on ?x)) (beside ?x ?y))" \
  "(<= (next (left ?y)) (true (left ?x)) (less ?x ?y) (does r go))" \
  "(<= (next (left ?x)) (true (left ?x)) (not (does r go)))" \
  "(<= (next (step ?y)) (true (step ?x)) (plus ?x ?y))" \
  "(<= (next (control ?p)) (true (control ?o)) (other ?p ?o))" \
  "(<= terminal (true (step 4))) (<= terminal (true (at d)))" \
  "(<= (goal ?p 100) (role ?p) (true (at d)))" \
  "(<= (goal ?p 0) (role ?p) (not (true (at d))))"

typedef struct Opened {
  Description description;
  Book book;
} Opened;

static void open_text(Opened *opened, const char *text) {
  BookLimits limits = games_limits();
  games_read(&opened->description, text);
  book_init(&opened->book, &opened->description, &limits, true);
  assert_true(opened->book.has_net);
}

static void close_text(Opened *opened) {
  book_free(&opened->book);
  description_free(&opened->description);
}

static void finds_orders(void **state) {
  (void)state;
  Opened opened;
  Orders orders;
  Text text = {0};
  open_text(&opened, RUNNER);
  orders_init(&orders, book_analysis(&opened.book));
  orders_write(&orders, &text);
  assert_non_null(strstr(text.bytes, "argument 1 of at, 3 steps by follow"));
  assert_non_null(strstr(text.bytes, "argument 1 of left, 4 steps by number"));
  assert_non_null(strstr(text.bytes, "step counter: step, "));
  assert_null(strstr(text.bytes, " of on"));
  assert_null(strstr(text.bytes, "control"));
  for (uint32_t f = 0; f < opened.book.net.fluents.count; f++) {
    Text name = {0};
    term_write(orders.terms, opened.book.net.fluents.data[f].term, &name);
    if (strcmp(name.bytes, "(at c)") == 0)
      assert_int_equal(orders_rank(&orders, f, 0), 2);
    if (strncmp(name.bytes, "(on", 3) == 0)
      assert_int_equal(orders_rank(&orders, f, 0), -1);
    assert_int_equal(orders.counts[f], strncmp(name.bytes, "(step", 5) == 0);
    text_free(&name);
  }
  orders_free(&orders);
  text_free(&text);
  close_text(&opened);
}

/* ---- degrees ---- */

static void set_fluents(const Cone *cone, const bool *fluents, float *power) {
  for (uint32_t g = 0; g < cone->gates.count; g++) {
    if (cone->gates.data[g].kind != GATE_FLUENT) continue;
    double degree = fluents[cone->gates.data[g].first] ? fuzzy_p : 1 - fuzzy_p;
    power[2 * g] = fuzzy_power(degree);
    power[2 * g + 1] = fuzzy_power(1 - degree);
  }
}

/* Checks that goals and `terminal` are true by degree where they are true. */
static void compare_truth(const Net *net, const Cone *cone, const Fuzzy *fuzzy,
                          const bool *fluents, const bool *values) {
  float *power = memory_new((2 * cone->gates.count + 2) * sizeof *power);
  set_fluents(cone, fluents, power);
  fuzzy_run(fuzzy, power);
  for (uint32_t i = 0; i < cone->outputs.count; i++) {
    Signal signal =
        i < net->goals.count ? net->goals.data[i].signal : net->terminal;
    bool truth = values[signal_gate(signal)] != signal_negated(signal);
    double degree = fuzzy_degree(power[cone->outputs.data[i]]);
    if (truth)
      assert_true(degree >= fuzzy_t - 1e-6);
    else
      assert_true(degree <= 1 - fuzzy_t + 1e-6);
  }
  memory_delete(power);
}

static void compare_net(Net *net, Random *random) {
  SignalVector formulas = {0};
  Cone cone;
  Fuzzy fuzzy;
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(&formulas, net->goals.data[i].signal);
  vector_push(&formulas, net->terminal);
  assert_true(cone_init(&cone, net, formulas.data, formulas.count, NULL));
  fuzzy_init(&fuzzy, &cone);
  bool *fluents = memory_new(net->fluents.count + 1);
  bool *moves = memory_new(net->moves.count + 1);
  bool *values = memory_new(net->gates.count + 1);
  for (uint32_t i = 0; i < 20; i++) {
    for (uint32_t f = 0; f < net->fluents.count; f++)
      fluents[f] = random_below(random, 2);
    net_evaluate(net, fluents, moves, values);
    compare_truth(net, &cone, &fuzzy, fluents, values);
  }
  memory_delete(fluents);
  memory_delete(moves);
  memory_delete(values);
  fuzzy_free(&fuzzy);
  cone_free(&cone);
  vector_free(&formulas);
}

/* Also with recursion, and nets of many layers. */
static void degrees_say_what_is_true(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  for (uint32_t i = 0; i < 200; i++) {
    Net net;
    Terms terms;
    terms_init(&terms);
    random_net(&net, &terms, &random, i % 2);
    compare_net(&net, &random);
    net_free(&net);
    terms_free(&terms);
  }
}

/* (a and b) or (c and d) … by the formulas of the paper. */
static double twin(const bool *facts, uint32_t pairs) {
  double sum = 0;
  for (uint32_t i = 0; i < pairs; i++) {
    double a = facts[2 * i] ? fuzzy_p : 1 - fuzzy_p;
    double b = facts[2 * i + 1] ? fuzzy_p : 1 - fuzzy_p;
    double both =
        1 - pow(pow(1 - a, FUZZY_Q) + pow(1 - b, FUZZY_Q), 1.0 / FUZZY_Q);
    if (a > 0.5 && b > 0.5) both = fmax(both, fuzzy_t);
    sum += pow(both, FUZZY_Q);
  }
  return pow(sum, 1.0 / FUZZY_Q);
}

static void degrees_are_those_of_the_paper(void **state) {
  (void)state;
  enum { PAIRS = 4 };
  Net net;
  Terms terms;
  Signal facts[2 * PAIRS], pairs[PAIRS];
  Cone cone;
  Fuzzy fuzzy;
  double before[1 << 2 * PAIRS];
  terms_init(&terms);
  net_init(&net, 1);
  for (uint32_t i = 0; i < 2 * PAIRS; i++)
    facts[i] = net_add_fluent(&net, random_net_term(&terms, "f", i), false);
  for (uint32_t i = 0; i < PAIRS; i++) {
    Signal both[2] = {facts[2 * i], facts[2 * i + 1]};
    pairs[i] = net_and(&net, both, 2);
  }
  Signal any = net_or(&net, pairs, PAIRS);
  assert_true(cone_init(&cone, &net, &any, 1, NULL));
  fuzzy_init(&fuzzy, &cone);
  for (uint32_t set = 0; set < 1 << 2 * PAIRS; set++) {
    bool holds[2 * PAIRS];
    float power[64];
    for (uint32_t i = 0; i < 2 * PAIRS; i++) holds[i] = set >> i & 1;
    set_fluents(&cone, holds, power);
    fuzzy_run(&fuzzy, power);
    before[set] = fuzzy_degree(power[cone.outputs.data[0]]);
    assert_true(fabs(before[set] - twin(holds, PAIRS)) < 1e-3);
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
      /* one more fact, one step up; where it is true the steps are tiny */
      double less = holds[i] ? before[set & ~(1u << i)] : 0;
      assert_true(before[set] > less - 1e-6);
      if (holds[i] && before[set] < 0.5) assert_true(before[set] > less);
    }
  }
  fuzzy_free(&fuzzy);
  cone_free(&cone);
  net_free(&net);
  terms_free(&terms);
}

static void leaves_facts_out(void **state) {
  (void)state;
  Net net;
  Terms terms;
  Cone cone;
  bool out[3] = {true, true, false};
  terms_init(&terms);
  net_init(&net, 1);
  Signal a = net_add_fluent(&net, random_net_term(&terms, "f", 0), false);
  Signal b = net_add_fluent(&net, random_net_term(&terms, "f", 1), false);
  Signal c = net_add_fluent(&net, random_net_term(&terms, "f", 2), false);
  Signal ab[2] = {a, b}, abc[2];
  Signal first = net_and(&net, ab, 2);
  abc[0] = first;
  abc[1] = c;
  Signal formulas[2] = {first, net_and(&net, abc, 2)};
  assert_true(cone_init(&cone, &net, formulas, 2, out));
  assert_int_equal(cone.outputs.data[0], reading_none);
  const ConeGate *gate = &cone.gates.data[reading_gate(cone.outputs.data[1])];
  assert_int_equal(gate->count, 1);
  Reading input = cone.inputs.data[gate->first];
  assert_int_equal(cone.gates.data[reading_gate(input)].first, 2);
  cone_free(&cone);
  net_free(&net);
  terms_free(&terms);
}

/* ---- games ---- */

static void make(Game *game, const char *first, const char *second) {
  Move joint[2];
  assert_true(moves_find(game, 0, first, &joint[0]));
  assert_true(moves_find(game, 1, second, &joint[1]));
  game_make(game, joint);
}

static double value_of(const Evaluation *evaluation, Game *game) {
  const uint64_t *words;
  float values[8];
  game_state(game, &words);
  evaluation_values(evaluation, words, NULL, NULL, values);
  return (double)values[0];
}

/* The value for the first role after these moves, in turn. */
static double value_after(const Evaluation *evaluation, Game *game,
                          const char *const *moves, uint32_t count) {
  game_reset(game);
  for (uint32_t i = 0; i < count; i++)
    make(game, i % 2 ? "noop" : moves[i], i % 2 ? moves[i] : "noop");
  return value_of(evaluation, game);
}

#define AFTER(evaluation, game, ...) \
  value_after(evaluation, game, (const char *const[]){__VA_ARGS__}, \
              LENGTH(((const char *const[]){__VA_ARGS__})))

static void sees_what_is_better(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  Evaluation *evaluation = flux_new(&book.rules);
  Game *game = book_game(&book.rules);
  double row = AFTER(evaluation, game, "(mark 1 1)", "(mark 2 3)", "(mark 1 2)",
                     "(mark 3 2)");
  double apart = AFTER(evaluation, game, "(mark 1 1)", "(mark 2 3)",
                       "(mark 3 1)", "(mark 2 1)"); /* o is between */
  assert_true(row > apart);
  game_delete(game);
  evaluation_delete(evaluation);
  test_game_close(&book);

  test_game_open(&book, "breakthrough", true);
  evaluation = flux_new(&book.rules);
  game = book_game(&book.rules);
  double far = AFTER(evaluation, game, "(move 1 2 1 3)", "(move 1 7 1 6)");
  double near = AFTER(evaluation, game, "(move 1 2 1 3)", "(move 1 7 1 6)",
                      "(move 1 3 1 4)");
  assert_true(near > far);
  game_delete(game);
  evaluation_delete(evaluation);
  test_game_close(&book);
}

/* Values stay within the goals, add up to 100 where goals do, and are the same
   for an evaluation that is made again. */
static void check_game(const char *name, uint32_t games) {
  TestGame book;
  Random random;
  random_seed(&random, 5);
  test_game_open(&book, name, true);
  Evaluation *evaluation = flux_new(&book.rules),
             *again = flux_new(&book.rules);
  Game *game = book_game(&book.rules);
  double least = 1000, most = -1;
  assert_non_null(evaluation);
  for (uint32_t i = 0; i < games; i++) {
    game_reset(game);
    for (uint32_t step = 0; step < 60 && !game_terminal(game); step++) {
      const uint64_t *words;
      float values[8], other[8];
      Move joint[8];
      game_state(game, &words);
      evaluation_values(evaluation, words, NULL, NULL, values);
      evaluation_values(again, words, NULL, NULL, other);
      for (uint32_t r = 0; r < game->role_count; r++) {
        assert_true(values[r] >= 0 && values[r] <= 100);
        assert_true(values[r] == other[r]);
      }
      if (book.rules.analysis->constant_sum && game->role_count == 2)
        assert_true(fabsf(values[0] + values[1] - 100) < 1e-3f);
      if ((double)values[0] < least) least = (double)values[0];
      if ((double)values[0] > most) most = (double)values[0];
      for (uint32_t r = 0; r < game->role_count; r++)
        joint[r] = moves_random(game, r, &random);
      game_make(game, joint);
    }
  }
  assert_true(most > least);
  game_delete(game);
  evaluation_delete(evaluation);
  evaluation_delete(again);
  test_game_close(&book);
}

static void stays_within_the_goals(void **state) {
  (void)state;
  check_game("connectFour", 5);
  check_game("hex", 1); /* recursion */
  check_game("skirmish", 1);
  check_game("blocker", 5);
}

static void says_what_it_found(void **state) {
  (void)state;
  Opened opened;
  Text text = {0};
  open_text(&opened, RUNNER);
  Evaluation *evaluation = flux_new(&opened.book);
  evaluation->operations->write(evaluation, &text);
  assert_non_null(strstr(text.bytes, "goal: r 100"));
  assert_non_null(strstr(text.bytes, "step counter: step"));
  assert_non_null(strstr(text.bytes, "distance: of facts like (at "));
  evaluation_delete(evaluation);
  text_free(&text);
  close_text(&opened);
}

/* Without a net, or without a goal worth anything, there is nothing. */
static void declines(void **state) {
  (void)state;
  Opened opened;
  TestGame book;
  test_game_open(&book, "ticTacToe", false);
  assert_null(flux_new(&book.rules));
  test_game_close(&book);
  open_text(&opened, "(role r) (init a) (legal r x) (legal r y)"
                     "(<= (next a) (does r x)) (<= (next b) (does r y))"
                     "(<= terminal (true b)) (goal r 0)");
  assert_null(flux_new(&opened.book));
  close_text(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_orders),
      cmocka_unit_test(degrees_say_what_is_true),
      cmocka_unit_test(degrees_are_those_of_the_paper),
      cmocka_unit_test(leaves_facts_out),
      cmocka_unit_test(sees_what_is_better),
      cmocka_unit_test(stays_within_the_goals),
      cmocka_unit_test(says_what_it_found),
      cmocka_unit_test(declines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
