/* Orders that are made anew compute the same, and fewer words are live for
   long. */
#include "base/random.h"
#include "gpu/reorder.h"
#include "program/truth.h"
#include "support/unit.h"

enum {
  INPUTS = 40,
  OR = TRUTH_A | TRUTH_B | TRUTH_C,
  AND = TRUTH_A & TRUTH_B & TRUTH_C
};

static Value add_step(Order *order, uint32_t table, Value a, Value b, Value c) {
  OrderStep step = {table, order->value_count, {a, b, c}};
  vector_push(&order->steps, step);
  return order->value_count++;
}

static void close_order(Order *order) {
  vector_push(&order->segments, ((OrderSegment){0, order->steps.count, false}));
}

/* ---- what an order computes ---- */

/* Every value is computed once, after its inputs. */
static void check_steps(const Order *order) {
  bool *there = memory_new(order->value_count + 1);
  for (uint32_t i = 0; i < INPUTS; i++) there[i] = true;
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *step = &order->steps.data[i];
    for (uint32_t k = 0; k < 3; k++)
      if (truth_depends((uint8_t)step->kind, k))
        assert_true(there[step->inputs[k]]);
    assert_true(step->result < order->value_count);
    assert_false(there[step->result]);
    there[step->result] = true;
  }
  memory_delete(there);
}

static uint64_t apply(uint8_t table, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t result = 0;
  for (uint32_t at = 0; at < 8; at++)
    if (table >> at & 1)
      result |= (at & 4 ? a : ~a) & (at & 2 ? b : ~b) & (at & 1 ? c : ~c);
  return result;
}

/* Returns the values for given inputs; the caller frees them. */
static uint64_t *evaluate(const Order *order, const uint64_t *inputs) {
  uint64_t *values = memory_new((order->value_count + 1) * sizeof *values);
  memcpy(values, inputs, INPUTS * sizeof *values);
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *step = &order->steps.data[i];
    values[step->result] =
        apply((uint8_t)step->kind, values[step->inputs[0]],
              values[step->inputs[1]], values[step->inputs[2]]);
  }
  return values;
}

/* Inputs that are seldom false make the AND of many terms true now and then. */
static void check_same(Random *random, const Order *order, const Order *made,
                       const Value *wanted, uint32_t count) {
  check_steps(made);
  for (uint32_t round = 0; round < 12; round++) {
    uint64_t inputs[INPUTS];
    for (uint32_t i = 0; i < INPUTS; i++) {
      inputs[i] = random_next(random);
      for (uint32_t k = 0; k < round / 2; k++)
        inputs[i] = round % 2 ? inputs[i] | random_next(random)
                              : inputs[i] & random_next(random);
    }
    uint64_t *old = evaluate(order, inputs), *new = evaluate(made, inputs);
    for (uint32_t i = 0; i < count; i++)
      assert_true(old[wanted[i]] == new[wanted[i]]);
    memory_delete(old);
    memory_delete(new);
  }
}

/* ---- how long words are live ---- */

/* Returns the most values, inputs apart, that are live at the same time. */
static uint32_t find_peak(const Order *order) {
  uint32_t *last = memory_new((order->value_count + 1) * sizeof *last);
  uint32_t live = 0, peak = 0;
  for (uint32_t i = 0; i < order->steps.count; i++)
    for (uint32_t k = 0; k < 3; k++)
      if (truth_depends((uint8_t)order->steps.data[i].kind, k))
        last[order->steps.data[i].inputs[k]] = i;
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *step = &order->steps.data[i];
    for (uint32_t k = 0; k < 3; k++) {
      bool repeated = false;
      for (uint32_t j = 0; j < k; j++)
        repeated |= step->inputs[j] == step->inputs[k];
      if (step->inputs[k] >= INPUTS && last[step->inputs[k]] == i && !repeated)
        live--;
    }
    live += last[step->result] > i;
    if (live > peak) peak = live;
  }
  memory_delete(last);
  return peak;
}

/* Returns the most steps from one use of a value to the next. */
static uint32_t find_gap(const Order *order) {
  uint32_t *used = memory_new((order->value_count + 1) * sizeof *used);
  uint32_t most = 0;
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *step = &order->steps.data[i];
    for (uint32_t k = 0; k < 3; k++) {
      Value input = step->inputs[k];
      if (input >= INPUTS && i - used[input] > most) most = i - used[input];
      used[input] = i;
    }
    used[step->result] = i;
  }
  memory_delete(used);
  return most;
}

/* ---- random orders ---- */

static Value draw_value(Random *random, const Order *order) {
  if (!random_below(random, 5)) return random_below(random, INPUTS);
  uint32_t near = random_below(random, 4) ? 30 : order->value_count;
  uint32_t back = 1 + random_below(random, near);
  return back > order->value_count ? 0 : order->value_count - back;
}

/* Three different values. */
static Value add_random(Random *random, Order *order, uint32_t table) {
  Value inputs[3];
  do
    for (uint32_t k = 0; k < 3; k++) inputs[k] = draw_value(random, order);
  while (inputs[0] == inputs[1] || inputs[1] == inputs[2] ||
         inputs[0] == inputs[2]);
  for (uint32_t k = 1; k < 3; k++)
    if (!truth_depends((uint8_t)table, k)) inputs[k] = inputs[k - 1];
  return add_step(order, table, inputs[0], inputs[1], inputs[2]);
}

/* Half of them are inputs, so that what is joined is not always the same. */
static Value draw_term(Random *random, const Order *order) {
  return random_below(random, 2) ? random_below(random, INPUTS)
                                 : draw_value(random, order);
}

/* Joins random values, by one of the ways in which gates do it. */
static Value add_join(Random *random, Order *order) {
  static const uint8_t tables[2][4] = {
      {OR, TRUTH_A | TRUTH_C, (TRUTH_A & TRUTH_B) | TRUTH_C,
       ((0xff ^ TRUTH_A) & TRUTH_B) | TRUTH_C},
      {AND, TRUTH_A & TRUTH_C, (TRUTH_A | TRUTH_B) & TRUTH_C,
       (0xff ^ TRUTH_A) & TRUTH_B & TRUTH_C}};
  static const uint8_t singles[2][2] = {
      {TRUTH_A | TRUTH_B, (0xff ^ TRUTH_A) | TRUTH_B},
      {TRUTH_A & TRUTH_B, (0xff ^ TRUTH_A) & TRUTH_B}};
  bool and = random_below(random, 2);
  Value sum = draw_value(random, order);
  for (uint32_t i = 5 + random_below(random, 12); i-- > 0;) {
    Value a = draw_term(random, order), b = draw_term(random, order);
    uint8_t table = tables[and][random_below(random, 4)];
    if (a == sum || b == sum || a == b) continue;
    if (truth_depends(table, 1))
      sum = add_step(order, table, a, b, sum);
    else
      sum = add_step(order, singles[and][random_below(random, 2)], a, sum, sum);
  }
  return sum;
}

static void test_random(void **state) {
  static const uint8_t tables[] = {0,  0xff, TRUTH_A & TRUTH_B, 0x96,
                                   OR, AND,  TRUTH_A ^ TRUTH_B, 0xca,
                                   6,  0xe8, 0xff ^ TRUTH_A,    0x1f};
  uint32_t better = 0;
  (void)state;
  for (uint32_t seed = 1; seed <= 60; seed++) {
    Random random;
    Order order = {.value_count = INPUTS}, made;
    NumberVector wanted = {0};
    random_seed(&random, seed);
    for (uint32_t i = 0; i < 100 * (seed % 20); i++) {
      Value value =
          random_below(&random, 8)
              ? add_random(&random, &order,
                           tables[random_below(&random, LENGTH(tables))])
              : add_join(&random, &order);
      if (!random_below(&random, 10)) vector_push(&wanted, value);
    }
    vector_push(&wanted, order.value_count - 1);
    vector_push(&wanted, 3);
    close_order(&order);
    if (reorder_make(&order, INPUTS, wanted.data, wanted.count, &made)) {
      check_same(&random, &order, &made, wanted.data, wanted.count);
      order_free(&made);
      better++;
    }
    order_free(&order);
    vector_free(&wanted);
  }
  assert_true(better > 20);
}

/* ---- what it is made for ---- */

/* Terms that a tree of gates joins in the wrong order. */
static void check_join(uint8_t table, uint8_t pair, bool wanted_terms) {
  enum { TERMS = 1001 };
  Random random;
  Order order = {.value_count = INPUTS}, made;
  Value terms[TERMS], wanted[TERMS + 1];
  random_seed(&random, table);
  for (uint32_t i = 0; i < TERMS; i++)
    wanted[i] = terms[i] = add_step(&order, 0x96, i % INPUTS, (i / 7) % 39 + 1,
                                    order.value_count - 1);
  Value sum = terms[0];
  for (uint32_t i = TERMS - 1; i > 0; i -= 2)
    sum = i % 8 ? add_step(&order, table, terms[i], terms[i - 1], sum)
                : add_step(&order, pair, terms[i], terms[i - 1], sum);
  wanted[TERMS] = sum;
  close_order(&order);
  assert_true(find_peak(&order) > TERMS / 2);
  const Value *from = wanted_terms ? wanted : wanted + TERMS;
  uint32_t count = wanted_terms ? TERMS + 1 : 1;
  assert_true(reorder_make(&order, INPUTS, from, count, &made));
  check_same(&random, &order, &made, from, count);
  assert_true(find_peak(&made) < 8);
  assert_true(made.steps.count <= order.steps.count + 1);
  order_free(&made);
  order.segments.data[0].loop = true;
  assert_false(reorder_make(&order, INPUTS, from, count, &made));
  order_free(&order);
}

static void test_joins(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 2; i++) {
    check_join(OR, (TRUTH_A & TRUTH_B) | TRUTH_C, i);
    check_join(OR, ((0xff ^ TRUTH_A) & TRUTH_B) | TRUTH_C, i);
    check_join(AND, (TRUTH_A | TRUTH_B) & TRUTH_C, i);
  }
}

/* Values of two gates, used at once and again long after, when their inputs
   have just been read. */
static void test_again(void **state) {
  enum { VALUES = 300, BETWEEN = 2000 };
  Random random;
  Order order = {.value_count = INPUTS}, made;
  Value values[VALUES], wanted[3], sum = 0;
  (void)state;
  random_seed(&random, 9);
  for (uint32_t i = 0; i < VALUES; i++) {
    Value part =
        add_step(&order, TRUTH_A & TRUTH_B, i % INPUTS,
                 (i / INPUTS + 1 + i) % INPUTS, (i / INPUTS + 1 + i) % INPUTS);
    values[i] =
        add_step(&order, 0x96, part, (i + 20) % INPUTS, (i / 3 + 21) % 19 + 1);
    sum = add_step(&order, 0x96, sum, values[i], i % 2);
  }
  wanted[0] = sum;
  for (uint32_t i = 0; i < BETWEEN; i++)
    sum = add_step(&order, 0xca, sum, i % INPUTS, (i + 11) % INPUTS);
  wanted[1] = sum;
  for (uint32_t i = 0; i < VALUES; i++)
    sum = add_step(&order, 0x96, sum, values[i], (i + 3) % INPUTS);
  wanted[2] = sum;
  close_order(&order);
  assert_true(find_gap(&order) > BETWEEN);
  assert_true(reorder_make(&order, INPUTS, wanted, 3, &made));
  check_same(&random, &order, &made, wanted, 3);
  assert_true(find_gap(&made) < BETWEEN / 2);
  assert_true(made.steps.count <= order.steps.count + 2 * VALUES);
  order_free(&order);
  order_free(&made);
}

/* Nothing is made where there is nothing to gain. */
static void test_none(void **state) {
  Order order = {.value_count = INPUTS}, made;
  (void)state;
  Value value = add_step(&order, OR, 0, 1, 2);
  close_order(&order);
  assert_false(reorder_make(&order, INPUTS, &value, 1, &made));
  order_free(&order);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_joins),
      cmocka_unit_test(test_again),
      cmocka_unit_test(test_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
