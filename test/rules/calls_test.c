/* Tables of calls and answers against plain lists, on random data: one number
   per call, no answer twice, all in order, and nothing left after calls_forget.
 */
#include "rules/calls.h"

#include "base/random.h"
#include "support/unit.h"

enum { CALLS = 700, ANSWERS = 400, KEYS = 3, REST = 2 };

static const Procedure procedures[] = {
    {.number = 0, .columns = {.key_count = 2, .rest_count = 2}},
    {.number = 1, .columns = {.key_count = 2, .rest_count = 1}},
    {.number = 2, .columns = {.key_count = 0, .rest_count = 2}},
    {.number = 3, .columns = {.key_count = 3, .rest_count = 1}},
};

/* The slow twin. */
typedef struct PlainCall {
  const Procedure *procedure;
  Term keys[KEYS];
  Term answers[ANSWERS][REST];
  uint32_t count;
} PlainCall;

static PlainCall plain[CALLS];
static uint32_t plain_count;

static uint32_t plain_call(const Procedure *procedure, const Term *keys) {
  uint32_t length = procedure->columns.key_count;
  for (uint32_t i = 0; i < plain_count; i++)
    if (plain[i].procedure == procedure &&
        memcmp(plain[i].keys, keys, length * sizeof *keys) == 0)
      return i;
  plain[plain_count] = (PlainCall){.procedure = procedure};
  memcpy(plain[plain_count].keys, keys, length * sizeof *keys);
  return plain_count++;
}

static bool plain_answer(PlainCall *call, const Term *rest) {
  size_t size = call->procedure->columns.rest_count * sizeof *rest;
  for (uint32_t i = 0; i < call->count; i++)
    if (memcmp(call->answers[i], rest, size) == 0) return false;
  memcpy(call->answers[call->count++], rest, size);
  return true;
}

static void check_all(const CallTable *table) {
  assert_int_equal(table->calls.count, plain_count);
  for (uint32_t i = 0; i < plain_count; i++) {
    const Call *call = &table->calls.data[i];
    size_t size = plain[i].procedure->columns.rest_count * sizeof(Term);
    uint32_t n = 0;
    assert_int_equal(call->count, plain[i].count);
    for (uint32_t a = call->first; a; a = calls_next(table, a), n++)
      assert_memory_equal(calls_terms(table, a), plain[i].answers[n], size);
    assert_int_equal(n, plain[i].count);
  }
}

static void do_one(CallTable *table, Random *random, uint32_t values) {
  const Procedure *procedure = &procedures[random_below(random, 4)];
  Term keys[KEYS], rest[REST];
  for (int i = 0; i < KEYS; i++) keys[i] = random_below(random, 8) + 1;
  for (int i = 0; i < REST; i++) rest[i] = random_below(random, values) + 1;
  uint32_t number = calls_call(table, procedure, keys);
  assert_int_equal(number, plain_call(procedure, keys));
  if (plain[number].count == ANSWERS) return;
  assert_int_equal(calls_answer(table, number, rest),
                   plain_answer(&plain[number], rest));
}

static void test_against_lists(void **state) {
  (void)state;
  static const uint32_t lengths[] = {10, 100, 20000, 3000, 50};
  Random random;
  CallTable table;
  random_seed(&random, 41);
  calls_init(&table);
  for (size_t round = 0; round < 4 * LENGTH(lengths); round++) {
    plain_count = 0;
    for (uint32_t i = 0; i < lengths[round % LENGTH(lengths)]; i++)
      do_one(&table, &random, round % 2 ? 3 : 50);
    check_all(&table);
    calls_forget(&table);
    assert_int_equal(table.calls.count, 0);
  }
  calls_free(&table);
}

static void test_new_call(void **state) {
  (void)state;
  CallTable table;
  calls_init(&table);
  uint32_t number = calls_call(&table, &procedures[0], (Term[]){5, 6});
  const Call *call = &table.calls.data[number];
  assert_int_equal(call->status, CALL_NEW);
  assert_ptr_equal(call->procedure, &procedures[0]);
  assert_int_equal(call->count, 0);
  assert_int_equal(call->first, 0);
  assert_memory_equal(table.pool.data + call->keys, ((Term[]){5, 6}), 8);
  calls_free(&table);
}

/* Answers added while the list is walked are visited too. */
static void test_walk_while_adding(void **state) {
  (void)state;
  CallTable table;
  calls_init(&table);
  uint32_t number = calls_call(&table, &procedures[1], (Term[]){1, 1});
  calls_answer(&table, number, (Term[]){1});
  Term seen = 0;
  for (uint32_t a = table.calls.data[number].first; a;
       a = calls_next(&table, a)) {
    Term value = calls_terms(&table, a)[0];
    assert_int_equal(value, ++seen);
    if (value < 2000) calls_answer(&table, number, (Term[]){value + 1});
  }
  assert_int_equal(seen, 2000);
  calls_free(&table);
}

static void test_memory_counts_all(void **state) {
  (void)state;
  CallTable table;
  calls_init(&table);
  size_t before = calls_memory(&table);
  uint32_t number = calls_call(&table, &procedures[0], (Term[]){1, 1});
  for (Term i = 1; i <= 100000; i++)
    calls_answer(&table, number, (Term[]){i, i});
  size_t least = 100000 * (3 * sizeof(Term) + sizeof(MapSlot));
  assert_true(calls_memory(&table) - before >= least);
  calls_free(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_lists),
      cmocka_unit_test(test_new_call),
      cmocka_unit_test(test_walk_while_adding),
      cmocka_unit_test(test_memory_counts_all),
  };
  return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
