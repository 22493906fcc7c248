/* Margins: initial values, growth and decay, limits. */
#include "server/margin.h"

#include "support/unit.h"

static void at_first(void **state) {
  (void)state;
  Margin margin;
  margin_init(&margin);
  assert_true(margin_reply(&margin, 10) > 0.1399);
  assert_true(margin_reply(&margin, 10) < 0.1401);
  assert_true(margin_reply(&margin, 0.2) <= 0.2 / 3);
  assert_true(margin_reply(&margin, 0) <= 0);
  assert_true(margin_process(&margin, 0) <= 0);
  assert_true(margin_process(&margin, 10) < 0.1);
}

static void a_good_connection_makes_it_smaller(void **state) {
  (void)state;
  Margin margin;
  margin_init(&margin);
  double before = margin_reply(&margin, 1), ahead = margin_process(&margin, 1);
  for (int i = 0; i < 100; i++) {
    margin_saw_trip(&margin, 0.0001);
    margin_saw_reply(&margin, 0);
    margin_saw_process(&margin, 0.001);
  }
  assert_true(margin_reply(&margin, 1) < 0.9 * before);
  assert_true(margin_reply(&margin, 1) >= 0.05);
  assert_true(margin_process(&margin, 1) < ahead);
}

static void delays_make_it_larger(void **state) {
  (void)state;
  Margin margin, other;
  margin_init(&margin);
  double before = margin_reply(&margin, 1);
  margin_saw_trip(&margin, 0.05);
  assert_true(margin_reply(&margin, 1) >= before + 0.1 - 1e-9);
  margin_init(&other);
  margin_saw_reply(&other, 0.1);
  assert_true(margin_reply(&other, 1) >= 0.15);
  double worst = margin_reply(&other, 10);
  margin_saw_reply(&other, 0);
  assert_true(margin_reply(&other, 10) < worst);
  assert_true(margin_reply(&other, 10) > 0.9 * worst);
  margin_saw_process(&other, 0.08);
  assert_true(margin_process(&other, 1) >= 0.1);
}

static void never_most_of_the_clock(void **state) {
  (void)state;
  Margin margin;
  margin_init(&margin);
  margin_saw_trip(&margin, 100);
  margin_saw_reply(&margin, 100);
  margin_saw_process(&margin, 100);
  for (double clock = 0.01; clock < 100; clock *= 2) {
    assert_true(margin_reply(&margin, clock) <= clock / 3);
    assert_true(margin_process(&margin, clock) <= clock / 6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_first),
      cmocka_unit_test(a_good_connection_makes_it_smaller),
      cmocka_unit_test(delays_make_it_larger),
      cmocka_unit_test(never_most_of_the_clock)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
