/* Elements of a vector survive growth, the count can be set, a freed vector can
   be used again, and capacities double so that pushing is cheap. */
#include "base/vector.h"

#include "support/unit.h"

typedef VECTOR(uint32_t) Numbers;

static void test_push_keeps_elements(void **state) {
  (void)state;
  Numbers numbers = {0};
  for (uint32_t i = 0; i < 10000; i++) {
    vector_push(&numbers, i * 7);
    assert_int_equal(numbers.count, i + 1);
    assert_true(numbers.capacity >= numbers.count);
    assert_int_equal(vector_last(&numbers), i * 7);
  }
  for (uint32_t i = 0; i < 10000; i++) assert_int_equal(numbers.data[i], i * 7);
  vector_free(&numbers);
}

static void test_push_of_a_struct(void **state) {
  (void)state;
  typedef struct Pair {
    char name;
    uint64_t value;
  } Pair;
  VECTOR(Pair) pairs = {0};
  for (uint32_t i = 0; i < 100; i++)
    vector_push(&pairs, ((Pair){(char)i, UINT64_MAX - i}));
  for (uint32_t i = 0; i < 100; i++) {
    assert_int_equal(pairs.data[i].name, i);
    assert_true(pairs.data[i].value == UINT64_MAX - i);
  }
  vector_free(&pairs);
}

static void test_growth_doubles(void **state) {
  (void)state;
  Numbers numbers = {0};
  uint32_t moves = 0, before = 0;
  for (uint32_t i = 0; i < 1 << 16; i++) {
    vector_push(&numbers, i);
    moves += numbers.capacity != before;
    before = numbers.capacity;
  }
  assert_int_equal(numbers.capacity, 1 << 16);
  assert_int_equal(moves, 14); /* 8, 16, … 65536 */
  vector_free(&numbers);
}

static void test_resize(void **state) {
  (void)state;
  Numbers numbers = {0};
  vector_push(&numbers, 42);
  vector_resize(&numbers, 1000);
  assert_int_equal(numbers.count, 1000);
  assert_true(numbers.capacity >= 1000);
  assert_int_equal(numbers.data[0], 42);
  for (uint32_t i = 1; i < 1000; i++) numbers.data[i] = i;
  uint32_t capacity = numbers.capacity;
  vector_resize(&numbers, 3);
  assert_int_equal(numbers.count, 3);
  assert_int_equal(numbers.capacity, capacity);
  assert_int_equal(vector_last(&numbers), 2);
  vector_free(&numbers);
}

static void test_grow_gives_room(void **state) {
  (void)state;
  Numbers numbers = {0};
  vector_grow(&numbers, 9);
  assert_int_equal(numbers.capacity, 16);
  assert_int_equal(numbers.count, 0);
  vector_grow(&numbers, 1); /* always grows */
  assert_int_equal(numbers.capacity, 32);
  vector_free(&numbers);
}

static void test_clear_and_free(void **state) {
  (void)state;
  Numbers numbers = {0};
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < 20; i++) vector_push(&numbers, round);
    uint32_t capacity = numbers.capacity;
    vector_clear(&numbers);
    assert_int_equal(numbers.count, 0);
    assert_int_equal(numbers.capacity, capacity);
    vector_free(&numbers);
    assert_null(numbers.data);
    assert_int_equal(numbers.capacity, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_push_keeps_elements),
      cmocka_unit_test(test_push_of_a_struct),
      cmocka_unit_test(test_growth_doubles),
      cmocka_unit_test(test_resize),
      cmocka_unit_test(test_grow_gives_room),
      cmocka_unit_test(test_clear_and_free),
  };
  return cmocka_run_group_tests_name("vector", tests, NULL, NULL);
}
