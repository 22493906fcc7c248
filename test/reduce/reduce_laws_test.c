/* The laws of the reductions, one by one, checked by the size of small nets. */
#include "reduce/reduce.h"
#include "support/unit.h"

enum { A, B, C, D, E, LETTERS }; /* fluents of the net below */

/* Two roles with `moves` moves each; fluent A is true initially. */
static void law_begin(Net *net, uint32_t moves) {
  net_init(net, 2);
  for (uint32_t i = 0; i < LETTERS; i++) net_add_fluent(net, i + 1, i == A);
  for (uint32_t role = 0; role < 2; role++)
    for (uint32_t i = 0; i < moves; i++) net_add_move(net, role, i + 1);
  for (uint32_t i = 0; i < LETTERS; i++)
    net->fluents.data[i].next =
        gate_signal(net->fluents.data[i].gate) ^ (i > A);
  for (uint32_t i = 0; i < net->moves.count; i++)
    net->moves.data[i].legal = SIGNAL_TRUE;
}

static Signal fluent(const Net *net, uint32_t i) {
  return gate_signal(net->fluents.data[i].gate);
}

static Signal does(const Net *net, uint32_t move) {
  return gate_signal(net->moves.data[move].gate);
}

#define AND(net, ...) \
  net_and(net, (Signal[]){__VA_ARGS__}, \
          sizeof((Signal[]){__VA_ARGS__}) / sizeof(Signal))
#define OR(net, ...) \
  net_or(net, (Signal[]){__VA_ARGS__}, \
         sizeof((Signal[]){__VA_ARGS__}) / sizeof(Signal))

/* Replaces the net by the reduced one, which must have that size. */
static void law_expect_with(const ReduceOptions *options, Net *net,
                            Reduction *reduction, uint32_t ands,
                            uint32_t edges) {
  Net reduced, clean;
  reduction(net, &reduced, options);
  reduce_dead(&reduced, &clean, options);
  assert_int_equal(net_count_ands(&clean), ands);
  assert_int_equal(net_count_edges(&clean), edges);
  net_free(net);
  net_free(&reduced);
  *net = clean;
}

static void law_expect(Net *net, Reduction *reduction, uint32_t ands,
                       uint32_t edges) {
  law_expect_with(&(ReduceOptions){0}, net, reduction, ands, edges);
}

static void law_expect_legal(Net *net, Reduction *reduction, uint32_t ands,
                             uint32_t edges) {
  law_expect_with(&(ReduceOptions){.legal = true}, net, reduction, ands, edges);
}

static void test_absorb_laws(void **state) {
  (void)state;
  Net net;
  law_begin(&net, 2);
  Signal a = fluent(&net, A), b = fluent(&net, B), c = fluent(&net, C);
  net.terminal = AND(&net, a, OR(&net, a, b)); /* a */
  law_expect(&net, reduce_absorb, 0, 0);
  assert_int_equal(net.terminal, fluent(&net, A));
  net.terminal = AND(&net, a, OR(&net, signal_not(a), b)); /* ab */
  law_expect(&net, reduce_absorb, 1, 2);
  net.terminal = OR(&net, AND(&net, a, b), AND(&net, a, b, c)); /* ab */
  law_expect(&net, reduce_absorb, 1, 2);
  net.terminal = OR(&net, AND(&net, a, b), AND(&net, a, signal_not(b)));
  law_expect(&net, reduce_absorb, 0, 0); /* a */
  assert_int_equal(net.terminal, fluent(&net, A));
  net.terminal = AND(&net, a, AND(&net, a, b)); /* ab */
  law_expect(&net, reduce_absorb, 1, 2);
  net_free(&net);
}

static void test_legal_laws(void **state) {
  (void)state;
  Net net;
  law_begin(&net, 2);
  Signal a = fluent(&net, A), b = fluent(&net, B), c = fluent(&net, C);
  net.moves.data[1].legal = AND(&net, a, b);
  net.terminal = c;
  net.fluents.data[D].next =
      AND(&net, a, b, signal_not(c), does(&net, 1)); /* does */
  law_expect_legal(&net, reduce_absorb, 1, 2);
  assert_int_equal(net.fluents.data[D].next, does(&net, 1));
  net_free(&net);
}

static void test_exclusive_laws(void **state) {
  (void)state;
  Net net;
  law_begin(&net, 6);
  NetFluent *fluents = net.fluents.data;
  Signal all[6];
  for (uint32_t i = 0; i < 6; i++) all[i] = does(&net, i);
  fluents[A].next = OR(&net, all[0], all[1], all[2], all[3], all[4], all[5]);
  fluents[B].next = OR(&net, all[0], all[1], all[2], all[3], all[4]);
  fluents[C].next = AND(&net, all[0], all[1]);
  fluents[D].next = AND(&net, all[0], signal_not(all[1]), signal_not(all[2]));
  fluents[E].next = OR(&net, all[0], all[1], all[2], all[3]);
  law_expect(&net, reduce_exclusive, 1, 2);
  fluents = net.fluents.data;
  assert_int_equal(fluents[A].next, SIGNAL_TRUE);
  assert_int_equal(fluents[B].next, signal_not(does(&net, 5)));
  assert_int_equal(fluents[C].next, SIGNAL_FALSE);
  assert_int_equal(fluents[D].next, does(&net, 0));
  net_free(&net);
}

/* Role 0 moves when A is true, role 1 when it is false; move 0 of each does
   nothing. */
static void test_turn_laws(void **state) {
  (void)state;
  Net net;
  law_begin(&net, 4);
  Signal a = fluent(&net, A), list[6];
  for (uint32_t i = 0; i < 8; i++)
    net.moves.data[i].legal = a ^ (i == 0 || i > 4);
  for (uint32_t i = 0; i < 3; i++) list[i] = does(&net, 1 + i);
  for (uint32_t i = 0; i < 3; i++) list[3 + i] = does(&net, 5 + i);
  net.fluents.data[B].next = net_or(&net, list, 5);
  net.fluents.data[C].next = does(&net, 0);
  law_expect_legal(&net, reduce_forced, 1, 5);
  assert_int_equal(net.fluents.data[C].next, signal_not(fluent(&net, A)));
  law_expect_legal(&net, reduce_exclusive, 0, 0);
  assert_int_equal(net.fluents.data[B].next, signal_not(does(&net, 7)));
  net_free(&net);
}

/* Three roles with two moves each, doing nothing and doing something; fluents
   pass `tokens` around. If only one role does something, an OR over two roles
   is what the third does not do. */
static void check_circle(uint32_t tokens, uint32_t ands) {
  Net net;
  net_init(&net, 3);
  for (uint32_t i = 0; i < 4; i++) net_add_fluent(&net, i + 1, i < tokens);
  for (uint32_t i = 0; i < 6; i++) net_add_move(&net, i / 2, i % 2 + 1);
  for (uint32_t i = 0; i < 3; i++) {
    Signal turn = fluent(&net, i);
    net.fluents.data[i].next = fluent(&net, (i + 1) % 3);
    net.moves.data[2 * i].legal = signal_not(turn);
    net.moves.data[2 * i + 1].legal = turn;
  }
  net.fluents.data[3].next = OR(&net, does(&net, 1), does(&net, 3));
  law_expect_legal(&net, reduce_exclusive, ands, 2 * ands);
  net_free(&net);
}

static void test_circle_law(void **state) {
  (void)state;
  check_circle(1, 0);
  check_circle(2, 1);
}

static void test_sharing_laws(void **state) {
  (void)state;
  Net net;
  law_begin(&net, 2);
  Signal a = fluent(&net, A), b = fluent(&net, B), c = fluent(&net, C);
  Signal d = fluent(&net, D), e = fluent(&net, E);
  net.terminal = OR(&net, AND(&net, a, b), AND(&net, a, c), AND(&net, a, d));
  law_expect(&net, reduce_distribute, 2, 5); /* a AND NOT(!b !c !d) */
  net.terminal = AND(&net, a, AND(&net, b, c));
  law_expect(&net, reduce_single_use, 1, 3);
  net.terminal = AND(&net, a, b, c);
  net.moves.data[0].legal = AND(&net, a, b, d);
  net.moves.data[1].legal = AND(&net, a, b, e);
  law_expect(&net, reduce_factor, 4, 8);
  net_free(&net);
}

/* A piece on A and cells to which it can go, each empty if neither of two facts
   is true; the path to a cell is said from its other end, and may be of other
   use. */
static void check_line(bool other, uint32_t ands) {
  Net net;
  law_begin(&net, 3);
  Signal a = fluent(&net, A), cells[3], paths[2];
  for (uint32_t i = 0; i < 3; i++)
    cells[i] = AND(&net, signal_not(fluent(&net, B + i)),
                   signal_not(fluent(&net, B + (i + 1) % 4)));
  paths[0] = AND(&net, cells[0], cells[1]);
  paths[1] = AND(&net, cells[0], AND(&net, cells[1], cells[2]));
  net.moves.data[0].legal = AND(&net, a, cells[0]);
  for (uint32_t i = 0; i < 2; i++) {
    net.moves.data[1 + i].legal = AND(&net, a, paths[i]);
    if (other) net.fluents.data[B + i].next = paths[i];
  }
  net.terminal = signal_not(net.moves.data[2].legal);
  assert_int_equal(net_count_ands(&net), 9);
  law_expect(&net, reduce_lines, ands, 2 * ands);
  net_free(&net);
}

static void test_lines_law(void **state) {
  (void)state;
  check_line(false, 6);
  check_line(true, 9);
}

/* Two kinds of piece, four ways to move from two cells to two cells. */
static void test_select_law(void **state) {
  (void)state;
  Net net;
  law_begin(&net, 16);
  for (uint32_t kind = 0; kind < 2; kind++)
    for (uint32_t to = 0; to < 2; to++) {
      Signal terms[8];
      for (uint32_t from = 0; from < 8; from++)
        terms[from] = AND(&net, does(&net, 8 * to + from),
                          fluent(&net, A + 2 * kind + from % 2));
      net.fluents.data[A + 2 * kind + to].next = net_or(&net, terms, 8);
    }
  assert_int_equal(net_count_ands(&net), 36);
  law_expect(&net, reduce_select, 14, 52);
  net_free(&net);
}

/* A stays, B and C alternate, D never becomes true, E depends on a move. */
static void test_state_laws(void **state) {
  (void)state;
  Net net;
  law_begin(&net, 2);
  Signal a = fluent(&net, A), b = fluent(&net, B), c = fluent(&net, C);
  Signal d = fluent(&net, D), e = fluent(&net, E);
  net.fluents.data[C].initial = true;
  net.fluents.data[B].next = c;
  net.fluents.data[C].next = b;
  net.fluents.data[D].next = AND(&net, d, does(&net, 0));
  net.fluents.data[E].next = does(&net, 1);
  net.terminal = OR(&net, AND(&net, a, e), AND(&net, d, b));
  law_expect(&net, reduce_constant, 0, 0); /* e */
  assert_int_equal(net.terminal, fluent(&net, E));
  net.terminal = AND(&net, b, e);
  net.moves.data[0].legal = AND(&net, signal_not(c), e);
  net.moves.data[1].legal = AND(&net, b, signal_not(c), e);
  law_expect(&net, reduce_equal, 1, 2); /* all the same */
  assert_int_equal(net.terminal, net.moves.data[0].legal);
  assert_int_equal(net.terminal, net.moves.data[1].legal);
  net_free(&net);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_absorb_laws),
      cmocka_unit_test(test_legal_laws),
      cmocka_unit_test(test_exclusive_laws),
      cmocka_unit_test(test_turn_laws),
      cmocka_unit_test(test_circle_law),
      cmocka_unit_test(test_sharing_laws),
      cmocka_unit_test(test_lines_law),
      cmocka_unit_test(test_select_law),
      cmocka_unit_test(test_state_laws),
  };
  return cmocka_run_group_tests_name("reduce laws", tests, NULL, NULL);
}
