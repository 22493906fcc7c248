/* Sets emptied by counting, against a plain array of flags. */
#include "base/marks.h"

#include "base/random.h"
#include "support/unit.h"

enum { NUMBERS = 3000 };

static void test_marks(void **state) {
  (void)state;
  Marks marks = {0};
  Random random;
  random_seed(&random, 1);
  for (uint32_t round = 0; round < 8; round++) {
    bool flags[NUMBERS] = {0};
    if (round == 4) marks.era = UINT32_MAX; /* clearing starts again at 1 */
    marks_clear(&marks);
    for (uint32_t i = 0; i < 5000; i++) {
      uint32_t number = random_below(&random, NUMBERS);
      assert_int_equal(marks_has(&marks, number), flags[number]);
      if (random_below(&random, 3)) {
        assert_int_equal(marks_add(&marks, number), !flags[number]);
        flags[number] = true;
      } else {
        marks_remove(&marks, number);
        flags[number] = false;
      }
    }
    assert_false(marks_has(&marks, UINT32_MAX));
  }
  marks_free(&marks);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_marks)};
  return cmocka_run_group_tests_name("marks", tests, NULL, NULL);
}
