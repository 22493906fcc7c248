/* Random numbers: the published first numbers of xoshiro256** seeded by
   splitmix64, and bounded numbers that are fixed for a seed and unbiased. */
#include "base/random.h"

#include "support/unit.h"

/* The reference implementation started with the state 1, 2, 3, 4. */
static void test_first_numbers_of_a_state(void **state) {
  (void)state;
  static const uint64_t known[] = {11520,
                                   0,
                                   1509978240,
                                   1215971899390074240,
                                   1216172134540287360,
                                   607988272756665600};
  Random random = {{1, 2, 3, 4}};
  for (size_t i = 0; i < LENGTH(known); i++)
    assert_true(random_next(&random) == known[i]);
}

static void test_first_numbers_of_seeds(void **state) {
  (void)state;
  static const struct {
    uint64_t seed, numbers[4];
  } known[] = {
      {0,
       {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0,
        0x6aa594f1262d2d2c}},
      {1,
       {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514,
        0x642e1c7bc266a3a7}},
      {UINT64_MAX,
       {0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e,
        0xbf658d7e065f3c2f}},
  };
  for (size_t i = 0; i < LENGTH(known); i++) {
    Random random;
    random_seed(&random, known[i].seed);
    for (size_t j = 0; j < 4; j++)
      assert_true(random_next(&random) == known[i].numbers[j]);
  }
}

/* Golden traces depend on these. */
static void test_first_bounded_numbers(void **state) {
  (void)state;
  static const uint32_t known[] = {7, 5, 5, 3, 6, 1, 0, 3, 8, 5, 9, 9};
  Random random;
  random_seed(&random, 1);
  for (size_t i = 0; i < LENGTH(known); i++)
    assert_int_equal(random_below(&random, 10), known[i]);
}

static void test_below_one(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  for (int i = 0; i < 100; i++) assert_int_equal(random_below(&random, 1), 0);
}

static void test_below_small_limits(void **state) {
  (void)state;
  enum { EACH = 10000 };
  Random random;
  random_seed(&random, 4);
  for (uint32_t limit = 2; limit <= 20; limit++) {
    uint32_t counts[20] = {0};
    for (uint32_t i = 0; i < limit * EACH; i++) {
      uint32_t number = random_below(&random, limit);
      assert_true(number < limit);
      counts[number]++;
    }
    for (uint32_t i = 0; i < limit; i++) /* deviation 100 */
      assert_in_range(counts[i], EACH - 500, EACH + 500);
  }
}

/* With this limit a plain multiplication would yield multiples of three half of
   the time, and a plain remainder the lowest third. */
static void test_below_large_limit_is_unbiased(void **state) {
  (void)state;
  enum { COUNT = 90000 };
  const uint32_t limit = 3u << 30;
  uint32_t by_remainder[3] = {0}, by_third[3] = {0};
  Random random;
  random_seed(&random, 5);
  for (int i = 0; i < COUNT; i++) {
    uint32_t number = random_below(&random, limit);
    assert_true(number < limit);
    by_remainder[number % 3]++;
    by_third[number >> 30]++;
  }
  for (int i = 0; i < 3; i++) { /* 30,000 expected, deviation 141 */
    assert_in_range(by_remainder[i], 29000, 31000);
    assert_in_range(by_third[i], 29000, 31000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_numbers_of_a_state),
      cmocka_unit_test(test_first_numbers_of_seeds),
      cmocka_unit_test(test_first_bounded_numbers),
      cmocka_unit_test(test_below_one),
      cmocka_unit_test(test_below_small_limits),
      cmocka_unit_test(test_below_large_limit_is_unbiased),
  };
  return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
