/* Sets of bits against an array of flags. */
#include "base/bits.h"

#include "base/random.h"
#include "support/unit.h"

enum { NUMBERS = 200, WORDS = 4 };

static void check(const uint64_t *words, const bool *flags) {
  uint32_t i = 0;
  for (; i < NUMBERS; i++) assert_int_equal(bits_has(words, i), flags[i]);
  for (; i < 64 * WORDS; i++) assert_false(bits_has(words, i));
}

static void test_random_operations(void **state) {
  (void)state;
  uint64_t words[WORDS] = {0};
  bool flags[NUMBERS] = {false};
  Random random;
  random_seed(&random, 1);
  for (int step = 0; step < 5000; step++) {
    uint32_t i = random_below(&random, NUMBERS);
    if (random_below(&random, 2)) {
      bits_add(words, i);
      flags[i] = true;
    } else {
      bits_flip(words, i);
      flags[i] = !flags[i];
    }
    if (step % 16 == 0) check(words, flags);
  }
  check(words, flags);
}

static void test_words(void **state) {
  (void)state;
  assert_int_equal(bits_words(0), 0);
  assert_int_equal(bits_words(1), 1);
  assert_int_equal(bits_words(64), 1);
  assert_int_equal(bits_words(65), 2);
  assert_int_equal(bits_words(NUMBERS), WORDS);
  for (uint32_t i = 0; i < 130; i++)
    assert_true(bits_of(i) == (uint64_t)1 << i % 64);
}

static void test_taking(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 2);
  for (int n = 0; n < 1000; n++) {
    uint64_t word = random_next(&random) & random_next(&random), left = word;
    for (uint32_t i = 0; i < 64; i++)
      if (word & bits_of(i)) assert_int_equal(bits_take(&left), i);
    assert_true(left == 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_operations),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_taking),
  };
  return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
