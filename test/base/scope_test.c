/* Memory scopes that outlive a call, and trials of several threads. */
#include "base/scope.h"

#include <sys/mman.h>

#include "base/thread.h"
#include "base/trial.h"
#include "base/vector.h"
#include "support/unit.h"

typedef struct Thing {
  Scope scope;
  VECTOR(uint32_t) numbers;
  ScopePages *pages;
  uint32_t wanted;
  char *last;
} Thing;

static void fill(void *context) {
  Thing *thing = context;
  for (uint32_t i = 0; i < thing->wanted; i++) {
    vector_push(&thing->numbers, i);
    memory_delete(thing->last);
    thing->last = memory_new(100);
  }
}

static void test_scope_lasts(void **state) {
  (void)state;
  Thing thing = {.wanted = 100};
  scope_init(&thing.scope, 10000, true);
  for (int i = 0; i < 10; i++)
    assert_true(trial_run_in(&thing.scope, fill, &thing));
  assert_int_equal(thing.numbers.count, 1000);
  assert_int_equal(thing.numbers.data[999], 99);
  assert_true(thing.scope.held > 4000 && thing.scope.held < 10000);
  /* the calls together have the limit */
  thing.wanted = 4000;
  assert_false(trial_run_in(&thing.scope, fill, &thing));
  assert_true(trial_limit_reached());
  assert_int_equal(thing.scope.held, 0);
  assert_ptr_equal(thing.scope.ring.newer, &thing.scope.ring);
  /* and the thread has lost nothing of its own */
  assert_int_equal(scope_left(), SIZE_MAX);
}

static void map(void *context) {
  Thing *thing = context;
  thing->pages = memory_pages_new((size_t)1 << 20);
  memset(thing->pages->address, 1, 1 << 20);
  if (!thing->wanted) trial_fail("enough");
}

static bool is_mapped(void *address) {
  unsigned char present;
  return mincore(address, 1, &present) == 0;
}

static void test_pages(void **state) {
  (void)state;
  Thing thing = {.wanted = 1};
  assert_true(trial_run(1000, map, &thing));
  void *address = thing.pages->address;
  assert_int_equal(thing.pages->size, 1 << 20);
  assert_true(is_mapped(address));
  memory_pages_delete(thing.pages);
  assert_false(is_mapped(address));
  scope_init(&thing.scope, 1000, true);
  assert_true(trial_run_in(&thing.scope, map, &thing));
  address = thing.pages->address;
  scope_release(&thing.scope);
  assert_false(is_mapped(address));
  thing.wanted = 0;
  assert_false(trial_run(1000, map, &thing));
  assert_null(memory_pages_new(SIZE_MAX / 2));
}

/* ---- threads ---- */

enum { THREADS = 4 };

typedef struct Worker {
  TrialHelper helper;
  VECTOR(uint32_t) numbers; /* first made by the thread that starts */
  uint32_t wanted;
} Worker;

typedef struct Team {
  Worker workers[THREADS];
  uint32_t failed;
} Team;

static void grow(void *context) {
  Worker *worker = context;
  for (uint32_t i = 0; i < worker->wanted; i++) {
    vector_push(&worker->numbers, i);
    memory_delete(memory_new(64));
    if (i % 64 == 0) memory_new(16); /* its owner loses it */
  }
}

static void *help(void *context) {
  Worker *worker = context;
  trial_help(&worker->helper, grow, worker);
  return NULL;
}

static void run_team(void *context) {
  Team *team = context;
  pthread_t threads[THREADS];
  for (uint32_t i = 0; i < THREADS; i++) {
    vector_push(&team->workers[i].numbers, 7);
    trial_helper_init(&team->workers[i].helper, THREADS);
  }
  for (uint32_t i = 1; i < THREADS; i++)
    assert_true(
        thread_start(&threads[i], THREAD_STACK, help, &team->workers[i]));
  help(&team->workers[0]);
  for (uint32_t i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < THREADS; i++) {
    trial_join(&team->workers[i].helper);
    team->failed += team->workers[i].helper.failed;
  }
  if (team->failed) trial_fail("a helper failed");
}

static void test_helpers(void **state) {
  (void)state;
  Scope scope;
  Team team = {.failed = 0};
  scope_init(&scope, 4 << 20, true);
  for (uint32_t i = 0; i < THREADS; i++) team.workers[i].wanted = 20000;
  assert_true(trial_run_in(&scope, run_team, &team));
  assert_true(scope.held > THREADS * 80000 && scope.held < 4 << 20);
  /* one of them needs more than its share */
  team = (Team){.failed = 0};
  scope_release(&scope);
  for (uint32_t i = 0; i < THREADS; i++) team.workers[i].wanted = 1000;
  team.workers[2].wanted = 1 << 20;
  assert_false(trial_run_in(&scope, run_team, &team));
  assert_int_equal(team.failed, 1);
  assert_true(trial_limit_reached());
  assert_ptr_equal(scope.ring.newer, &scope.ring);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_scope_lasts),
      cmocka_unit_test(test_pages),
      cmocka_unit_test(test_helpers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
