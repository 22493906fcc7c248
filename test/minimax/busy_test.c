/* Marks of moves that threads are searching. */
#include "minimax/busy.h"

#include "base/random.h"
#include "base/thread.h"
#include "support/unit.h"

static void test_marks(void **state) {
  (void)state;
  Busy busy;
  busy_init(&busy, 2);
  uint64_t mark = busy_mark(1, 2, 3);
  assert_true(mark && mark == busy_mark(1, 2, 3));
  assert_true(mark != busy_mark(2, 2, 3) && mark != busy_mark(1, 3, 3) &&
              mark != busy_mark(1, 2, 4));
  assert_false(busy_has(&busy, mark));
  busy_add(&busy, mark);
  assert_true(busy_has(&busy, mark));
  assert_false(busy_has(&busy, busy_mark(1, 2, 4)));
  busy_remove(&busy, mark);
  assert_false(busy_has(&busy, mark));
  busy_add(&busy, mark);
  busy_clear(&busy);
  assert_false(busy_has(&busy, mark));
  busy_free(&busy);
}

static void test_alone(void **state) {
  (void)state;
  Busy busy;
  uint64_t mark = busy_mark(1, 2, 3);
  busy_init(&busy, 1);
  busy_add(&busy, mark);
  assert_false(busy_has(&busy, mark));
  busy_remove(&busy, mark);
  busy_clear(&busy);
  busy_free(&busy);
}

/* Of marks in the same line as many are kept as it has room for, the last one
   among them. */
static void test_full_line(void **state) {
  (void)state;
  enum { ADDED = 2 * BUSY_WAYS };
  Busy busy;
  uint32_t kept = 0;
  busy_init(&busy, 2);
  for (uint64_t i = 1; i <= ADDED; i++) {
    busy_add(&busy, i * BUSY_LINES);
    assert_true(busy_has(&busy, i * BUSY_LINES));
  }
  for (uint64_t i = 1; i <= ADDED; i++) kept += busy_has(&busy, i * BUSY_LINES);
  assert_int_equal(kept, BUSY_WAYS);
  for (uint64_t i = 1; i <= ADDED; i++) busy_remove(&busy, i * BUSY_LINES);
  for (uint64_t i = 1; i <= ADDED; i++)
    assert_false(busy_has(&busy, i * BUSY_LINES));
  busy_free(&busy);
}

typedef struct Marker {
  Busy *busy;
  uint64_t seed;
} Marker;

/* Adds and removes marks in lines that others use, too. */
static void *mark_along(void *context) {
  const Marker *marker = context;
  Random random;
  random_seed(&random, marker->seed);
  for (uint32_t i = 0; i < 100000; i++) {
    uint64_t mark = (marker->seed + 4 * random_below(&random, 8)) * BUSY_LINES;
    busy_add(marker->busy, mark);
    busy_remove(marker->busy, mark);
  }
  return NULL;
}

/* Whatever threads do to each other's marks, what was removed is gone. */
static void test_threads(void **state) {
  (void)state;
  enum { MARKERS = 3 };
  Busy busy;
  Marker markers[MARKERS];
  pthread_t threads[MARKERS];
  busy_init(&busy, MARKERS);
  for (uint32_t t = 0; t < MARKERS; t++) {
    markers[t] = (Marker){&busy, t + 1};
    assert_true(
        thread_start(&threads[t], THREAD_STACK, mark_along, &markers[t]));
  }
  for (uint32_t t = 0; t < MARKERS; t++) pthread_join(threads[t], NULL);
  for (uint64_t i = 1; i < 64; i++)
    assert_false(busy_has(&busy, i * BUSY_LINES));
  busy_free(&busy);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_marks),
      cmocka_unit_test(test_alone),
      cmocka_unit_test(test_full_line),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
