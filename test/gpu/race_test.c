/* Whoever is faster wins the race, however long its batches are. */
#include "gpu/race.h"
#include "support/unit.h"

/* Runs a race in which a runner plays so many states a second, and its batches
   have so many states; the first of each is slow. Returns the winner. */
static uint32_t run(const double rates[2], const uint64_t sizes[2]) {
  Race race = {0};
  uint32_t batches[2] = {0};
  while (!race.over) {
    uint32_t runner = race_next(&race);
    double seconds = (double)sizes[runner] / rates[runner];
    race_count(&race, runner, batches[runner]++ ? seconds : 100, sizes[runner]);
    assert_true(batches[0] + batches[1] <= 2 * RACE_BATCHES + 2);
  }
  assert_int_equal(batches[0], RACE_BATCHES + 1);
  assert_int_equal(batches[1], RACE_BATCHES + 1);
  uint32_t winner = race_next(&race);
  race_count(&race, 1 - winner, 1e-9, 1000000);
  assert_int_equal(race_next(&race), winner);
  return winner;
}

static void test_winner(void **state) {
  (void)state;
  assert_int_equal(run((double[]){1e6, 2e6}, (uint64_t[]){1000, 1000}), 1);
  assert_int_equal(run((double[]){2e6, 1e6}, (uint64_t[]){1000, 1000}), 0);
  assert_int_equal(run((double[]){1e6, 2e6}, (uint64_t[]){100, 9000}), 1);
  assert_int_equal(run((double[]){2e6, 1e6}, (uint64_t[]){9000, 100}), 0);
}

/* A runner whose batches are not done yet is waited for. */
static void test_late(void **state) {
  (void)state;
  Race race = {0};
  for (uint32_t i = 0; i < 100; i++) {
    race_next(&race);
    race_count(&race, 0, 1, 10);
  }
  assert_false(race.over);
  for (uint32_t i = 0; i <= RACE_BATCHES; i++) race_count(&race, 1, 1, 20);
  assert_true(race.over);
  assert_int_equal(race_next(&race), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_winner),
                                     cmocka_unit_test(test_late)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
