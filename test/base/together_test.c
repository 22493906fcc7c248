/* Work in threads of one trial comes out as it does in one thread, also where a
   thread's share of the memory is too small. */
#include "base/together.h"

#include "base/clock.h"
#include "base/vector.h"
#include "support/unit.h"

/* Makes sanitizers ignore the blocks that successful trials leave behind. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "detect_leaks=0";
}

enum { ITEMS = 20 };

typedef struct Item {
  uint32_t number;
  size_t size; /* bytes to allocate */
  NumberVector list;
} Item;

static void fill(void *context) {
  Item *item = context;
  item->list = (NumberVector){0};
  memory_delete(memory_new(item->size));
  for (uint32_t i = 0; i < 1000; i++) vector_push(&item->list, item->number);
}

static void fill_all(void *context) {
  together_run(fill, context, sizeof(Item), ITEMS);
}

static void check(Item *items) {
  for (uint32_t i = 0; i < ITEMS; i++) {
    assert_int_equal(items[i].list.count, 1000);
    assert_int_equal(items[i].list.data[999], i);
    vector_free(&items[i].list);
  }
}

static void number(Item *items, size_t size) {
  for (uint32_t i = 0; i < ITEMS; i++) items[i] = (Item){i, size, {0}};
}

static void test_items(void **state) {
  (void)state;
  Item items[ITEMS];
  number(items, 100);
  fill_all(items);
  check(items);
  assert_true(trial_run(1 << 20, fill_all, items));
  check(items);
}

static void test_shares(void **state) {
  (void)state;
  Item items[ITEMS];
  number(items, 3 << 18);
  assert_true(trial_run(1 << 20, fill_all, items));
  check(items);
  number(items, 100);
  items[7].size = 3 << 18;
  assert_true(trial_run(1 << 20, fill_all, items));
  check(items);
}

static void test_failure(void **state) {
  (void)state;
  Item items[ITEMS];
  number(items, 2 << 20);
  assert_false(trial_run(1 << 20, fill_all, items));
  assert_true(trial_limit_reached());
  number(items, 100);
  assert_true(trial_run(1 << 20, fill_all, items));
  check(items);
}

static void wait_for_ever(void *context) {
  (void)context;
  for (;;) trial_check();
}

static void wait_all(void *context) {
  together_run(wait_for_ever, context, 1, 3);
}

static void test_deadline(void **state) {
  (void)state;
  char items[3];
  assert_false(trial_run_until(SIZE_MAX, clock_now() + 0.05, wait_all, items));
  assert_true(trial_deadline_passed());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_items),
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_failure),
      cmocka_unit_test(test_deadline),
  };
  return cmocka_run_group_tests_name("together", tests, NULL, NULL);
}
