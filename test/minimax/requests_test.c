/* The ring of requests against a plain list. */
#include "minimax/requests.h"

#include <string.h>

#include "base/random.h"
#include "support/unit.h"

enum { ROOM = 7, WORDS = 2, STEPS = 20000 };

/* The head is the first. */
typedef struct List {
  uint32_t moves[ROOM], count, urgent;
} List;

static bool list_add(List *list, uint32_t move, bool urgent) {
  bool full = list->count == ROOM;
  if (full && !urgent) return false;
  if (!urgent) {
    list->moves[list->count++] = move;
    return true;
  }
  if (!full) list->count++;
  memmove(list->moves + 1, list->moves, (list->count - 1) * sizeof(uint32_t));
  list->moves[0] = move;
  if (list->urgent < list->count) list->urgent++;
  return !full;
}

static uint32_t list_take(List *list, uint32_t most, uint32_t *moves) {
  uint32_t there = list->urgent ? list->urgent : list->count;
  uint32_t count = most < there ? most : there;
  memcpy(moves, list->moves, count * sizeof *moves);
  list->count -= count;
  memmove(list->moves, list->moves + count, list->count * sizeof *moves);
  if (list->urgent) list->urgent -= count;
  return count;
}

static void compare_taken(Requests *requests, List *list, uint32_t most) {
  uint64_t rows[ROOM * WORDS];
  uint32_t moves[ROOM], expected[ROOM];
  uint32_t count = requests_take(requests, most, rows, moves);
  assert_int_equal(count, list_take(list, most, expected));
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(moves[i], expected[i]);
    assert_int_equal(rows[i * WORDS], moves[i]);
    assert_int_equal(rows[i * WORDS + 1], ~(uint64_t)moves[i]);
  }
}

static void test_list(void **state) {
  (void)state;
  Requests requests;
  List list = {0};
  Random random;
  uint32_t full = 0;
  random_seed(&random, 1);
  requests_init(&requests, ROOM, WORDS);
  for (uint32_t step = 0; step < STEPS; step++) {
    if (random_below(&random, 3)) {
      bool urgent = !random_below(&random, 3);
      uint64_t row[WORDS] = {step, ~(uint64_t)step};
      bool kept = requests_add(&requests, row, step, urgent);
      assert_int_equal(kept, list_add(&list, step, urgent));
      full += !kept;
    } else {
      compare_taken(&requests, &list, random_below(&random, ROOM + 1));
    }
    if (!random_below(&random, 500)) {
      requests_clear(&requests);
      list = (List){0};
    }
    assert_int_equal(requests.count, list.count);
    assert_int_equal(requests.urgent, list.urgent);
  }
  assert_true(full > STEPS / 20);
  requests_free(&requests);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_list)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
