/* How often clients may ask, on a clock that the test moves. */
#include "web/rate.h"

#include "support/unit.h"

static uint32_t take_all(Rate *rate, const char *address, RateKind kind,
                         double now) {
  uint32_t count = 0;
  while (count < 100000 && rate_take(rate, address, kind, now)) count++;
  return count;
}

static void buckets_fill_again(void **state) {
  (void)state;
  static Rate rate;
  uint32_t burst = take_all(&rate, "10.0.0.1", RATE_ACT, 100);
  assert_in_range(burst, 10, 1000);
  assert_false(rate_take(&rate, "10.0.0.1", RATE_ACT, 100));
  uint32_t second = take_all(&rate, "10.0.0.1", RATE_ACT, 101);
  assert_in_range(second, 1, burst - 1);
  assert_int_equal(take_all(&rate, "10.0.0.1", RATE_ACT, 103), 2 * second);
  assert_int_equal(take_all(&rate, "10.0.0.1", RATE_ACT, 1e6), burst);
}

static void kinds_and_clients_are_apart(void **state) {
  (void)state;
  static Rate rate;
  uint32_t burst = take_all(&rate, "10.0.0.1", RATE_ACT, 100);
  assert_in_range(take_all(&rate, "10.0.0.1", RATE_LOOK, 100), burst, 99999);
  assert_int_equal(take_all(&rate, "10.0.0.2", RATE_ACT, 100), burst);
  assert_int_equal(take_all(&rate, "unknown", RATE_ACT, 100), burst);
}

static void networks_of_ipv6_are_clients(void **state) {
  (void)state;
  static Rate rate;
  take_all(&rate, "2001:db8:1:2::1", RATE_ACT, 100);
  assert_false(rate_take(&rate, "2001:db8:1:2:ffff::7", RATE_ACT, 100));
  assert_true(rate_take(&rate, "2001:db8:1:3::1", RATE_ACT, 100));
  assert_int_not_equal(rate_network("::ffff:10.0.0.1"),
                       rate_network("::ffff:10.0.0.2"));
  assert_int_not_equal(rate_network(""), 0);
}

static void who_was_here_longest_ago_is_forgotten(void **state) {
  (void)state;
  static Rate rate;
  char address[32];
  take_all(&rate, "10.0.0.1", RATE_ACT, 100);
  take_all(&rate, "10.0.0.2", RATE_ACT, 100.001);
  for (int i = 0; i < RATE_CLIENTS - 1; i++) {
    snprintf(address, sizeof address, "10.1.%d.%d", i / 250, i % 250);
    assert_true(rate_take(&rate, address, RATE_ACT, 100.01));
  }
  assert_false(rate_take(&rate, "10.0.0.2", RATE_ACT, 100.01));
  assert_true(rate_take(&rate, "10.0.0.1", RATE_ACT, 100.01));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buckets_fill_again),
      cmocka_unit_test(kinds_and_clients_are_apart),
      cmocka_unit_test(networks_of_ipv6_are_clients),
      cmocka_unit_test(who_was_here_longest_ago_is_forgotten)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
