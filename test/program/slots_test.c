/* A value keeps its slot as long as it is live, through all rounds of a loop;
   slots are reused as early as possible. */
#include "program/slots.h"

#include "support/unit.h"

enum { AND = 0x80 };

static void add_step(Order *order, uint32_t kind, Value result, Value a,
                     Value b) {
  OrderStep step = {kind, result, {a, b, b}};
  vector_push(&order->steps, step);
}

static void test_reuse(void **state) {
  (void)state;
  Order order = {.value_count = 6};
  uint32_t slots[] = {0, 1, SLOT_NONE, SLOT_NONE, SLOT_NONE, 2};
  add_step(&order, AND, 2, 0, 1);
  add_step(&order, AND, 3, 0, 2); /* 2 is needed later */
  add_step(&order, AND, 4, 2, 3); /* 2 and 3 are not */
  add_step(&order, AND, 5, 4, 1);
  vector_push(&order.segments, ((OrderSegment){0, 4, false}));
  assert_int_equal(slots_assign(&order, 3, slots), 5);
  assert_int_not_equal(slots[2], slots[3]);
  assert_in_range(slots[4], 3, 4);
  assert_int_equal(slots[5], 2);
  order_free(&order);
}

/* Value 1 is the loop's, 2 is computed before it, 3 and 4 in it. */
static void test_loop(void **state) {
  (void)state;
  Order order = {.value_count = 5};
  uint32_t slots[] = {0, 1, SLOT_NONE, SLOT_NONE, SLOT_NONE};
  add_step(&order, AND, 2, 0, 0);
  add_step(&order, 0, 1, 0, 0);
  vector_push(&order.segments, ((OrderSegment){0, 2, false}));
  add_step(&order, AND, 3, 1, 2);
  add_step(&order, KIND_UPDATE, 1, 3, 3);
  add_step(&order, AND, 4, 3, 0); /* the last step; another round may follow */
  vector_push(&order.segments, ((OrderSegment){2, 3, true}));
  slots_assign(&order, 2, slots);
  assert_int_not_equal(slots[2], slots[3]);
  assert_int_not_equal(slots[2], slots[4]);
  order_free(&order);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reuse),
                                     cmocka_unit_test(test_loop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
