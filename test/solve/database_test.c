/* Units, acts and pattern databases against all states of small puzzles. */
#include "solve/database.h"

#include "support/unit.h"
#include "support/units.h"

enum { STATES = 20000, DIVISIONS = 4 };

typedef struct Rows {
  Factor factor;
  Exhaust all;
  uint8_t *rows;
} Rows;

static const uint8_t *row_of(const Rows *rows, uint32_t state) {
  return rows->rows + (size_t)state * rows->factor.units.count;
}

static void open_rows(Rows *rows, Puzzle *puzzle) {
  assert_true(factor_init(&rows->factor, puzzle));
  exhaust_init(&rows->all, puzzle, STATES);
  uint32_t units = rows->factor.units.count;
  rows->rows = memory_new((size_t)rows->all.count * units);
  for (uint32_t s = 0; s < rows->all.count; s++)
    for (uint32_t u = 0; u < units; u++) {
      const FactorUnit *unit = &rows->factor.units.data[u];
      const uint64_t *words = rows->all.words.data + rows->all.first.data[s];
      uint32_t raw = factor_raw(&rows->factor, unit, words);
      assert_true(raw < unit->raw);
      assert_true(unit->number[raw] < unit->count);
      rows->rows[(size_t)s * units + u] = unit->number[raw];
    }
}

static void close_rows(Rows *rows) {
  exhaust_free(&rows->all);
  factor_free(&rows->factor);
  memory_delete(rows->rows);
}

/* Returns whether an act leads from one state to the other, and back. */
static bool leads(const Rows *rows, uint32_t from, uint32_t to) {
  const Factor *factor = &rows->factor;
  uint32_t units = factor->units.count;
  uint8_t row[FACTOR_UNITS];
  if (!memcmp(row_of(rows, from), row_of(rows, to), units)) return true;
  for (uint32_t act = 0; act < factor->acts.count; act++) {
    memcpy(row, row_of(rows, from), units);
    if (!factor_apply(factor, act, factor_next(factor, act), row)) continue;
    if (memcmp(row, row_of(rows, to), units)) continue;
    assert_true(factor_apply(factor, act, factor_back(factor, act), row));
    assert_memory_equal(row, row_of(rows, from), units);
    return true;
  }
  return false;
}

/* The number of different states that acts lead to. */
static uint32_t count_next(const Rows *rows, uint32_t from) {
  const Factor *factor = &rows->factor;
  uint32_t units = factor->units.count, count = 0;
  uint8_t seen[FACTOR_ACTS][8];
  assert_true(units <= 8);
  for (uint32_t act = 0; act < factor->acts.count; act++) {
    memcpy(seen[count], row_of(rows, from), units);
    if (!factor_apply(factor, act, factor_next(factor, act), seen[count]))
      continue;
    uint32_t i = 0;
    while (memcmp(seen[i], seen[count], units)) i++;
    count += i == count;
  }
  return count;
}

static void check_acts(const Rows *rows) {
  for (uint32_t s = 0; s < rows->all.count; s++) {
    uint32_t first = rows->all.link_first.data[s];
    uint32_t end = rows->all.link_first.data[s + 1];
    for (uint32_t l = first; l < end; l++)
      assert_true(leads(rows, s, rows->all.links.data[l]));
    /* and no more than these, unless the state is an end */
    if (rows->all.goal.data[s] < 0)
      assert_true(count_next(rows, s) <= end - first);
    assert_int_equal(factor_is_goal(&rows->factor, row_of(rows, s)),
                     rows->all.goal.data[s] == rows->factor.target);
  }
}

static void check_keys(const Rows *rows) {
  uint64_t key[FACTOR_UNITS];
  uint8_t row[FACTOR_UNITS];
  for (uint32_t s = 0; s < rows->all.count; s++) {
    factor_key(&rows->factor, row_of(rows, s), key);
    factor_row(&rows->factor, key, row);
    assert_memory_equal(row, row_of(rows, s), rows->factor.units.count);
  }
}

/* Every entry is a bound of the distance, and entries of neighbours differ by
   one at most. */
static void check_database(const Rows *rows, const Database *database,
                           const uint32_t *distances) {
  for (uint32_t s = 0; s < rows->all.count; s++) {
    uint8_t entry =
        database->distance[database_index(database, row_of(rows, s))];
    if (distances[s] != EXHAUST_NEVER) {
      assert_true(entry <= distances[s]);
      if (database->count == rows->factor.units.count)
        assert_int_equal(entry, distances[s]);
    }
    uint32_t end = rows->all.link_first.data[s + 1];
    for (uint32_t l = rows->all.link_first.data[s]; l < end; l++) {
      const uint8_t *row = row_of(rows, rows->all.links.data[l]);
      uint32_t next = database->distance[database_index(database, row)];
      assert_true(entry <= next + 1 || entry == DATABASE_FAR);
      assert_true(entry != DATABASE_FAR || next == DATABASE_FAR);
    }
  }
}

/* Patterns of all sizes; returns the highest entry of the start. */
static uint32_t check_databases(const Rows *rows) {
  uint32_t *distances = exhaust_distances(&rows->all, rows->factor.target);
  Random random;
  uint32_t highest = 0;
  random_seed(&random, 1);
  for (uint32_t i = 0; i < DIVISIONS; i++) {
    static const uint32_t most[DIVISIONS] = {1, 40, 250, 1 << 19};
    DatabaseVector databases = {0};
    uint32_t units = 0;
    database_divide(&rows->factor, &random, most[i], &databases);
    for (uint32_t d = 0; d < databases.count; d++) {
      Database pattern = databases.data[d], made;
      units += pattern.count;
      database_init(&made, &rows->factor, pattern.units, pattern.count);
      check_database(rows, &made, distances);
      uint32_t entry = made.distance[database_index(&made, row_of(rows, 0))];
      if (entry != DATABASE_FAR && entry > highest) highest = entry;
      database_free(&made);
    }
    assert_int_equal(units, rows->factor.units.count);
    vector_free(&databases);
  }
  memory_delete(distances);
  return highest;
}

static void check(const char *text, uint32_t units, uint32_t acts,
                  uint32_t least) {
  ExhaustPuzzle opened;
  Rows rows;
  units_open(&opened, text);
  open_rows(&rows, opened.puzzle);
  assert_int_equal(rows.factor.units.count, units);
  if (acts) assert_int_equal(rows.factor.acts.count, acts);
  check_acts(&rows);
  check_keys(&rows);
  assert_true(check_databases(&rows) >= least);
  close_rows(&rows);
  exhaust_close(&opened);
}

static void test_rings(void **state) {
  (void)state;
  check(UNITS_RINGS, 6, 2, 9);
}

static void test_slide(void **state) {
  (void)state;
  check(UNITS_SLIDE, 6, 14, 10);
}

static void test_hanoi(void **state) {
  (void)state;
  check("games/hanoi.kif", 6, 0, 31);
}

static void test_many_ends(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  Factor factor;
  units_open(&opened, UNITS_MANY_ENDS);
  assert_true(factor_init(&factor, opened.puzzle));
  assert_true(factor.goal_states == 2048);
  factor_free(&factor);
  exhaust_close(&opened);
}

/* There must be something to do, and few states before each. */
static void test_refused(void **state) {
  static const char *const texts[] = {UNITS_RESET, PUZZLE_OVER};
  (void)state;
  for (size_t i = 0; i < LENGTH(texts); i++) {
    ExhaustPuzzle opened;
    Factor factor;
    units_open(&opened, texts[i]);
    assert_false(factor_init(&factor, opened.puzzle));
    exhaust_close(&opened);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rings), cmocka_unit_test(test_slide),
      cmocka_unit_test(test_hanoi), cmocka_unit_test(test_many_ends),
      cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
