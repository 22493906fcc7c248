/* The hash functions must never change: known values, computed independently of
   this source, and the properties that tables and state hashes rely on. */
#include "base/hash.h"

#include "support/unit.h"

/* splitmix64 with seed 0 gives hash_mix(n * 0x9e3779b97f4a7c15) for n = 1, 2,
   3; its first numbers are published. */
static void test_mix_is_splitmix64(void **state) {
  (void)state;
  static const uint64_t known[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4,
                                   0x06c45d188009454f};
  for (uint64_t n = 1; n <= 3; n++)
    assert_true(hash_mix(n * 0x9e3779b97f4a7c15u) == known[n - 1]);
  assert_true(hash_mix(0) == 0);
}

/* hash_bytes is the mixed FNV-1a; its 64-bit values are published. */
static void test_bytes_is_fnv1a(void **state) {
  (void)state;
  assert_true(hash_bytes("", 0) == hash_mix(0xcbf29ce484222325u));
  assert_true(hash_bytes("a", 1) == hash_mix(0xaf63dc4c8601ec8cu));
  assert_true(hash_bytes("foobar", 6) == hash_mix(0x85944171f73967e8u));
  assert_true(hash_bytes("foobarx", 6) == hash_bytes("foobar", 6));
  assert_true(hash_bytes("\xff", 1) != hash_bytes("\x7f", 1));
}

static void test_pair_is_fixed(void **state) {
  (void)state;
  assert_true(hash_pair(0, 0) == 0x6db6ca64564daeaau);
  assert_true(hash_pair(1, 2) == 0x30883360cc68d7b1u);
  assert_true(hash_pair(UINT64_MAX, UINT64_MAX) == 0xee911288b2575648u);
}

static void test_pair_order_matters(void **state) {
  (void)state;
  for (uint64_t a = 0; a < 30; a++)
    for (uint64_t b = 0; b < a; b++)
      assert_true(hash_pair(a, b) != hash_pair(b, a));
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* 65,536 pairs of small numbers have different hashes, whose low bits, which
   tables use, are spread as if at random. */
static void test_pairs_are_spread(void **state) {
  (void)state;
  enum { COUNT = 1 << 16, BUCKETS = 256 };
  static uint64_t values[COUNT];
  uint32_t buckets[BUCKETS] = {0};
  for (uint32_t i = 0; i < COUNT; i++) {
    values[i] = hash_pair(i / 256, i % 256);
    buckets[values[i] % BUCKETS]++;
  }
  for (uint32_t i = 0; i < BUCKETS; i++) /* 256 expected, deviation 16 */
    assert_in_range(buckets[i], 256 - 6 * 16, 256 + 6 * 16);
  qsort(values, COUNT, sizeof *values, compare);
  for (uint32_t i = 1; i < COUNT; i++) assert_true(values[i] != values[i - 1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mix_is_splitmix64),
      cmocka_unit_test(test_bytes_is_fnv1a),
      cmocka_unit_test(test_pair_is_fixed),
      cmocka_unit_test(test_pair_order_matters),
      cmocka_unit_test(test_pairs_are_spread),
  };
  return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
