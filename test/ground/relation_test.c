/* Relations against a linear scan on random data: every row with a key is met
   once by the index over any set of columns, while rows are added, looked up
   and cleared in any order. */
#include "ground/relation.h"

#include "base/random.h"
#include "support/unit.h"

enum { WIDEST = 40, LOOKS = 60 };

/* What the relation should hold, row by row. */
typedef struct Twin {
  Term cells[4000][WIDEST];
  uint32_t count;
} Twin;

static Twin twin;

static bool row_has_key(const Term *row, ColumnSet columns, const Term *key) {
  for (uint32_t column = 0; column < 32; column++)
    if (columns >> column & 1 && row[column] != *key++) return false;
  return true;
}

/* The rows of the key, by index and by scan, are the same. */
static void check_key(Relation *relation, ColumnSet columns, const Term *key) {
  static bool met[LENGTH(twin.cells)];
  memset(met, 0, sizeof met);
  uint32_t index = relation_index(relation, columns);
  for (uint32_t row = relation_first(relation, index, key); row != RELATION_END;
       row = relation_next(relation, index, row)) {
    assert_true(row < twin.count);
    assert_false(met[row]);
    met[row] = true;
  }
  for (uint32_t row = 0; row < twin.count; row++)
    if (row_has_key(twin.cells[row], columns, key)) assert_true(met[row]);
}

static uint32_t count_distinct(ColumnSet columns, uint32_t arity) {
  uint32_t distinct = 0;
  for (uint32_t row = 0; row < twin.count; row++) {
    Term key[WIDEST];
    uint32_t length = 0, older = 0;
    for (uint32_t c = 0; c < arity && c < 32; c++)
      if (columns >> c & 1) key[length++] = twin.cells[row][c];
    while (older < row && !row_has_key(twin.cells[older], columns, key))
      older++;
    distinct += older == row;
  }
  return distinct;
}

static void add_rows(Relation *relation, Random *random, uint32_t count,
                     uint32_t values) {
  for (uint32_t i = 0; i < count && twin.count < LENGTH(twin.cells); i++) {
    Term *row = twin.cells[twin.count++];
    for (uint32_t c = 0; c < relation->arity; c++)
      row[c] = random_below(random, values) + 1;
    relation_add(relation, row);
  }
}

static void look(Relation *relation, Random *random, uint32_t values) {
  ColumnSet columns = 0;
  Term key[32];
  uint32_t length = 0;
  for (uint32_t c = 0; c < relation->arity && c < 32; c++)
    if (random_below(random, 2)) {
      columns |= (ColumnSet)1 << c;
      key[length++] = random_below(random, values) + 1;
    }
  if (!columns) return;
  if (random_below(random, 2) && twin.count) { /* a key that is present */
    const Term *row = twin.cells[random_below(random, twin.count)];
    length = 0;
    for (uint32_t c = 0; c < 32; c++)
      if (columns >> c & 1) key[length++] = row[c];
  }
  check_key(relation, columns, key);
}

static void check_rows(const Relation *relation) {
  assert_int_equal(relation->count, twin.count);
  for (uint32_t row = 0; row < twin.count; row++)
    assert_memory_equal(relation_row(relation, row), twin.cells[row],
                        relation->arity * sizeof(Term));
}

static void test_against_scan(void **state) {
  (void)state;
  static const uint32_t arities[] = {1, 2, 3, 5, 33, WIDEST};
  Random random;
  random_seed(&random, 31);
  for (size_t a = 0; a < LENGTH(arities); a++) {
    Relation relation = {.arity = arities[a]};
    uint32_t values = arities[a] > 5 ? 2 : 6;
    twin.count = 0;
    for (int round = 0; round < LOOKS; round++) {
      add_rows(&relation, &random, random_below(&random, 40), values);
      for (int i = 0; i < 5; i++) look(&relation, &random, values);
      check_rows(&relation);
      if (random_below(&random, 15)) continue;
      relation_clear(&relation);
      twin.count = 0;
      for (int i = 0; i < 5; i++) look(&relation, &random, values);
    }
    relation_free(&relation);
  }
}

static void test_distinct(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 32);
  Relation relation = {.arity = 4};
  twin.count = 0;
  assert_int_equal(relation_distinct(&relation, 3), 0);
  for (int round = 0; round < 20; round++) {
    if (round % 8 == 7) {
      relation_clear(&relation);
      twin.count = 0;
    }
    add_rows(&relation, &random, 20, 5);
    for (ColumnSet columns = 0; columns < 16; columns++)
      assert_int_equal(relation_distinct(&relation, columns),
                       count_distinct(columns, 4));
  }
  relation_free(&relation);
}

/* Chains stay short: looking up one row among many meets few others. */
static void test_keys_are_spread(void **state) {
  (void)state;
  enum { COUNT = 4096 };
  Relation relation = {.arity = 2};
  for (Term i = 0; i < COUNT; i++)
    relation_add(&relation, (Term[]){i / 64, i % 64});
  uint32_t index = relation_index(&relation, 3), met = 0;
  for (Term i = 0; i < COUNT; i++)
    for (uint32_t row =
             relation_first(&relation, index, (Term[]){i / 64, i % 64});
         row != RELATION_END; row = relation_next(&relation, index, row))
      met++;
  assert_true(met < 4 * COUNT);
  relation_free(&relation);
}

static void test_index_is_made_once(void **state) {
  (void)state;
  Relation relation = {.arity = 3};
  uint32_t first = relation_index(&relation, 1);
  uint32_t second = relation_index(&relation, 6);
  assert_int_not_equal(first, second);
  assert_int_equal(relation_index(&relation, 1), first);
  assert_int_equal(relation_index(&relation, 6), second);
  assert_int_equal(relation.indexes.count, 2);
  relation_free(&relation);
}

/* Zero columns: rows are only counted. */
static void test_no_columns(void **state) {
  (void)state;
  Relation relation = {.arity = 0};
  relation_add(&relation, NULL);
  relation_add(&relation, NULL);
  assert_int_equal(relation.count, 2);
  assert_int_equal(relation_distinct(&relation, 0), 1);
  relation_free(&relation);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_scan),
      cmocka_unit_test(test_distinct),
      cmocka_unit_test(test_keys_are_spread),
      cmocka_unit_test(test_index_is_made_once),
      cmocka_unit_test(test_no_columns),
  };
  return cmocka_run_group_tests_name("relation", tests, NULL, NULL);
}
