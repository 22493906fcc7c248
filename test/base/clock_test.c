#include "base/clock.h"

#include "support/unit.h"

static void test_never_backwards(void **state) {
  (void)state;
  double before = clock_now(), start = before;
  for (int i = 0; i < 1000000 && before - start < 0.001; i++) {
    double now = clock_now();
    assert_true(now >= before);
    before = now;
  }
  assert_true(before > start);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_never_backwards),
  };
  return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
