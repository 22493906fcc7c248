/* Three-input gates: upper bounds on the cost of a cover, correct values and
   tables, and recognition of equal functions. */
#include "program/cover.h"

#include "base/random.h"
#include "program/split.h"
#include "program/truth.h"
#include "support/unit.h"

/* Returns the table of a signal over the first three inputs, computed from all
   gates. */
static uint8_t find_table(const Pairs *pairs, Signal signal) {
  uint8_t *tables = memory_new(pairs->gates.count);
  static const uint8_t inputs[] = {TRUTH_A, TRUTH_B, TRUTH_C};
  for (Gate gate = 1; gate < pairs->gates.count; gate++) {
    const PairsGate *g = &pairs->gates.data[gate];
    if (gate <= 3) tables[gate] = inputs[gate - 1];
    if (gate <= pairs->input_count) continue;
    uint8_t value = 0xff;
    for (uint32_t i = 0; i < 2; i++)
      value &= (uint8_t)(tables[signal_gate(g->inputs[i])] ^
                         (signal_negated(g->inputs[i]) ? 0xff : 0));
    tables[gate] = value;
  }
  uint8_t table = (uint8_t)(tables[signal_gate(signal)] ^
                            (signal_negated(signal) ? 0xff : 0));
  memory_delete(tables);
  return table;
}

static void test_tables(void **state) {
  (void)state;
  for (uint32_t table = 0; table < 256; table++) {
    static const uint32_t turn[] = {1, 2, 0}, back[] = {2, 0, 1};
    uint8_t turned = truth_move((uint8_t)table, turn);
    assert_int_equal(truth_move(turned, back), table);
    for (uint32_t i = 0; i < 3; i++) {
      uint8_t negated = truth_negate((uint8_t)table, i);
      assert_int_equal(negated != table, truth_depends((uint8_t)table, i));
      assert_int_equal(truth_depends(turned, turn[i]),
                       truth_depends((uint8_t)table, i));
    }
  }
  assert_int_equal(truth_move(TRUTH_A, (const uint32_t[]){1, 2, 0}), TRUTH_B);
  assert_int_equal(truth_negate(TRUTH_B & TRUTH_C, 1), 0x22);
}

/* Any circuit of three inputs is at most one gate, and equal functions are the
   same signal. */
static void test_functions_of_three(void **state) {
  (void)state;
  Pairs pairs;
  Random random;
  Signal known[256] = {0};
  VECTOR(Signal) pool = {0};
  random_seed(&random, 1);
  pairs_init(&pairs, 3);
  for (Gate gate = 1; gate <= 3; gate++) vector_push(&pool, gate_signal(gate));
  for (uint32_t i = 0; i < 4000; i++) {
    Signal a = pool.data[random_below(&random, pool.count)];
    Signal b = pool.data[random_below(&random, pool.count)];
    a ^= random_below(&random, 2);
    b ^= random_below(&random, 2);
    Signal made = pairs_and(&pairs, a, b);
    uint8_t table = find_table(&pairs, made);
    assert_int_equal(table, find_table(&pairs, a) & find_table(&pairs, b));
    if (known[table]) assert_int_equal(known[table], made);
    known[table] = made;
    vector_push(&pool, made);
  }
  assert_true(pairs.gates.count <= 1 + 3 + 127);
  for (uint32_t i = 0; i < 256; i++) {
    Cover cover;
    if (!known[i]) continue;
    cover_pairs(&pairs, &known[i], 1, &cover);
    assert_true(cover.gates.count <= 1);
    cover_free(&cover);
  }
  pairs_free(&pairs);
  vector_free(&pool);
}

/* ---- costs ---- */

static uint32_t cost(const Net *net, const Signal *outputs, uint32_t count) {
  Split split;
  Cover cover;
  split_net(net, outputs, count, &split);
  cover_pairs(&split.pairs, split.outputs.data, count, &cover);
  uint32_t gates = cover.gates.count;
  cover_free(&cover);
  split_free(&split);
  return gates;
}

static void add_fluents(Net *net, Signal *list, uint32_t count) {
  net_init(net, 1);
  for (uint32_t i = 0; i < count; i++) list[i] = net_add_fluent(net, 0, false);
}

static void test_wide_gates_cost_half_their_inputs(void **state) {
  (void)state;
  for (uint32_t count = 2; count <= 200; count++) {
    Net net;
    Signal list[200];
    add_fluents(&net, list, count);
    for (uint32_t i = 0; i < count; i += 3) list[i] = signal_not(list[i]);
    Signal all = net_and(&net, list, count);
    assert_int_equal(cost(&net, &all, 1), count / 2);
    net_free(&net);
  }
}

/* An OR of ANDs of `width` inputs, none shared. */
static void test_trees(void **state) {
  (void)state;
  for (uint32_t width = 2; width <= 7; width++) {
    for (uint32_t count = 2; count <= 40; count++) {
      Net net;
      Signal leaves[280], ands[40];
      add_fluents(&net, leaves, width * count);
      for (uint32_t i = 0; i < count; i++)
        ands[i] = net_and(&net, leaves + i * width, width);
      Signal any = net_or(&net, ands, count);
      assert_int_equal(cost(&net, &any, 1), width * count / 2);
      net_free(&net);
    }
  }
}

static Signal exclusive_or(Net *net, Signal a, Signal b) {
  Signal left[] = {a, signal_not(b)}, right[] = {signal_not(a), b};
  Signal both[2] = {net_and(net, left, 2), 0};
  both[1] = net_and(net, right, 2);
  return net_or(net, both, 2);
}

/* An adder takes two gates a digit. */
static void test_adder(void **state) {
  (void)state;
  enum { DIGITS = 16 };
  Net net;
  Signal inputs[2 * DIGITS + 1], outputs[DIGITS + 1];
  add_fluents(&net, inputs, 2 * DIGITS + 1);
  Signal carry = inputs[2 * DIGITS];
  for (uint32_t i = 0; i < DIGITS; i++) {
    Signal a = inputs[2 * i], b = inputs[2 * i + 1];
    outputs[i] = exclusive_or(&net, exclusive_or(&net, a, b), carry);
    Signal pairs[3], ab[] = {a, b}, ac[] = {a, carry}, bc[] = {b, carry};
    pairs[0] = net_and(&net, ab, 2);
    pairs[1] = net_and(&net, ac, 2);
    pairs[2] = net_and(&net, bc, 2);
    carry = net_or(&net, pairs, 3);
  }
  outputs[DIGITS] = carry;
  assert_int_equal(cost(&net, outputs, DIGITS + 1), 2 * DIGITS);
  net_free(&net);
}

/* Four in a row on a line of n places share their pairs. */
static void test_sharing(void **state) {
  (void)state;
  Net net;
  Signal places[20], rows[17];
  add_fluents(&net, places, 20);
  for (uint32_t i = 0; i < 17; i++) {
    Signal row[] = {places[i], places[i + 1], places[i + 2], places[i + 3]};
    rows[i] = net_and(&net, row, 4);
  }
  assert_in_range(cost(&net, rows, 17), 17, 26);
  net_free(&net);
}

static void test_wanted(void **state) {
  (void)state;
  Net net;
  Signal list[3];
  add_fluents(&net, list, 3);
  Signal outputs[] = {list[0], signal_not(list[0]), SIGNAL_TRUE, SIGNAL_TRUE,
                      list[0]};
  assert_int_equal(cost(&net, outputs, 1), 0);
  assert_int_equal(cost(&net, outputs, 5), 2);
  Signal all = net_and(&net, list, 3), both[] = {all, signal_not(all)};
  assert_int_equal(cost(&net, both, 1), 1);
  assert_int_equal(cost(&net, both + 1, 1), 1);
  assert_int_equal(cost(&net, both, 2), 2);
  net_free(&net);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_functions_of_three),
      cmocka_unit_test(test_wide_gates_cost_half_their_inputs),
      cmocka_unit_test(test_trees),
      cmocka_unit_test(test_adder),
      cmocka_unit_test(test_sharing),
      cmocka_unit_test(test_wanted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
