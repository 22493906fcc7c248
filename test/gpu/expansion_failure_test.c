/* What a card does wrong in expansions is reported, and nothing is done on it
   any more; streams that work beside the caller change nothing. Each case is a
   process of its own, as in failure_test.c. */
#include <pthread.h>

#include "base/clock.h"
#include "gpu/expansion.h"
#include "support/cards.h"

enum { PAIRS = 100, BATCHES = 3, TASKS = 6 };

typedef struct Opened {
  Loaded loaded;
  Cones *cones;
  uint64_t *states;
  uint32_t *joints;
  ExpandTask wanted; /* with the results that lanes have */
} Opened;

/* ---- tasks ---- */

static ExpandTask new_task(const Opened *game) {
  const Net *net = &game->loaded.net;
  return (ExpandTask){
      .count = PAIRS,
      .states = game->states,
      .joints = game->joints,
      .successors = memory_new(PAIRS * bits_words(net->fluents.count) * 8),
      .legal = memory_new(PAIRS * bits_words(net->moves.count) * 8),
      .terminal = memory_new(PAIRS),
      .goals = memory_new(PAIRS * net->role_count * sizeof(int))};
}

static void free_task(ExpandTask *task) {
  memory_delete(task->successors);
  memory_delete(task->legal);
  memory_delete(task->terminal);
  memory_delete(task->goals);
}

static bool agrees(const Opened *game, const ExpandTask *task) {
  const Net *net = &game->loaded.net;
  const ExpandTask *wanted = &game->wanted;
  return !memcmp(task->successors, wanted->successors,
                 PAIRS * bits_words(net->fluents.count) * 8) &&
         !memcmp(task->legal, wanted->legal,
                 PAIRS * bits_words(net->moves.count) * 8) &&
         !memcmp(task->terminal, wanted->terminal, PAIRS) &&
         !memcmp(task->goals, wanted->goals,
                 PAIRS * net->role_count * sizeof(int));
}

/* Waits for a batch; by asking if `poll`. */
static int expand(const Opened *game, Expansion *expansion, uint32_t batch,
                  bool poll) {
  ExpandTask task = new_task(game);
  bool begun = expansion_begin(expansion, batch, &task);
  double start = clock_now();
  int code = FINE;
  while (begun && poll && !expansion_done(expansion, batch))
    if (clock_now() - start > 2) return HANGS;
  if (begun && expansion_wait(expansion, batch)) {
    CARDS_CHECK(!expansion_error(expansion));
    CARDS_CHECK(expansion_take(expansion, batch));
    CARDS_CHECK(agrees(game, &task));
  } else {
    const char *error = expansion_error(expansion);
    CARDS_CHECK(error && strstr(error, "the card fails ("));
    CARDS_CHECK(!expansion_take(expansion, batch));
    CARDS_CHECK(!task.terminal[0] && !task.legal[0]);
    CARDS_CHECK(!expansion_begin(expansion, batch, &task));
    CARDS_CHECK(!expansion_begin(expansion, batch + 1, &task));
    CARDS_CHECK(!expansion_wait(expansion, batch + 1));
    CARDS_CHECK(!expansion_take(expansion, batch + 1));
    CARDS_CHECK(expansion_done(expansion, batch));
    code = FAILED;
  }
  free_task(&task);
  return code;
}

/* ---- processes ---- */

static int run_card(const void *context, bool poll, Text *why) {
  const Opened *game = context;
  GpuOptions options = {.step_limit = 50,
                        .batches = 1,
                        .starts = 1,
                        .shape = {2, 4, 2, 1},
                        .kernels = GPU_TEAM};
  Card *card = card_open(why);
  if (!card) return NO_CARD;
  Gpu *gpu = gpu_new(card, game->cones, &options, why);
  Expansion *expansion = NULL;
  int code = NO_KERNEL;
  if (gpu) {
    expansion = expansion_new(gpu, &(ExpansionOptions){BATCHES, PAIRS}, why);
    code = NO_EXPANSION;
    CARDS_CHECK(!expansion == (why->length > 0));
  }
  for (uint32_t i = 0; expansion && i < TASKS; i++) {
    code = expand(game, expansion, i % (BATCHES - 1), poll);
    if (code != FINE) break;
  }
  if (code == HANGS || code >= LINES) return code;
  if (expansion) expansion_delete(expansion);
  if (gpu) gpu_delete(gpu);
  card_close(card);
  return code;
}

static int try_with(const Opened *game, const char *variable, uint32_t value,
                    const char *word) {
  return cards_try(variable, value, word, run_card, game);
}

static int open_game(void **state) {
  static Opened game;
  Random random;
  Expand lanes;
  cards_find();
  load(&game.loaded, "games/ticTacToe.kif");
  const Net *net = &game.loaded.net;
  size_t words = PAIRS * bits_words(net->fluents.count);
  random_seed(&random, 2);
  game.cones = make_cones(net, ISA_PLAIN, false, 1);
  game.states = memory_new(words * sizeof *game.states);
  game.joints = memory_new(PAIRS * net->role_count * sizeof *game.joints);
  for (size_t i = 0; i < words; i++) game.states[i] = random_next(&random);
  for (uint32_t i = 0; i < PAIRS * net->role_count; i++)
    game.joints[i] = net->role_first.data[i % net->role_count];
  game.wanted = new_task(&game);
  expand_init(&lanes, game.cones);
  expand_run(&lanes, &game.wanted);
  expand_free(&lanes);
  *state = &game;
  return 0;
}

static int close_game(void **state) {
  Opened *game = *state;
  free_task(&game->wanted);
  memory_delete(game->states);
  memory_delete(game->joints);
  cones_delete(game->cones);
  unload(&game->loaded);
  return 0;
}

/* ---- cases ---- */

static void test_launch(void **state) {
  for (uint32_t i = 1; i <= TASKS; i++) {
    assert_int_equal(try_with(*state, "TAFL_CARD_FAIL", i, ""), FAILED);
    assert_int_equal(try_with(*state, "TAFL_CARD_REFUSE", i, ""), FAILED);
  }
  assert_int_equal(try_with(*state, "TAFL_CARD_FAIL", TASKS + 1, ""), FINE);
  assert_int_equal(try_with(*state, "TAFL_CARD_STEPS", 10, ""), FAILED);
}

static void test_hangs(void **state) {
  assert_int_equal(try_with(*state, "TAFL_CARD_HANG", 2, ""), HANGS);
}

static void test_late(void **state) {
  assert_int_equal(try_with(*state, "TAFL_CARD_LATE", 1, ""), FINE);
}

/* Whatever the memory is enough for. */
static void test_memory(void **state) {
  uint32_t seen[LINES] = {0};
  for (uint32_t bytes = 1000; !seen[FINE] && bytes < 1 << 24;
       bytes += bytes / 4)
    seen[try_with(*state, "TAFL_CARD_MEMORY", bytes, "memory")]++;
  assert_true(seen[NO_KERNEL] && seen[NO_EXPANSION] && seen[FINE]);
  assert_int_equal(seen[FAILED] + seen[HANGS] + seen[NO_CARD], 0);
}

/* Whichever call is the first that fails. */
static void test_gone(void **state) {
  uint32_t seen[LINES] = {0}, number = 1;
  for (int code = 0; code != FINE && number < 1000; number++) {
    code = try_with(*state, "TAFL_CARD_GONE", number, "");
    seen[code]++;
  }
  assert_true(seen[NO_CARD] && seen[NO_KERNEL] && seen[NO_EXPANSION]);
  assert_true(seen[FAILED] && seen[FINE]);
  assert_int_equal(seen[HANGS], 0);
}

/* ---- threads ---- */

typedef struct Worker {
  pthread_t thread;
  const Opened *game;
  Expansion *expansion;
  uint32_t batch;
  int code;
} Worker;

static void *work(void *context) {
  Worker *worker = context;
  worker->code = FINE;
  for (uint32_t i = 0; i < 4 && worker->code == FINE; i++)
    worker->code =
        expand(worker->game, worker->expansion, worker->batch, i % 2);
  return NULL;
}

static void test_threads(void **state) {
  Worker workers[BATCHES];
  Text why = {0};
  const Opened *game = *state;
  setenv("TAFL_CARD_LATE", "1", 1);
  Card *card = card_open(&why);
  assert_non_null(card);
  Gpu *gpu = gpu_new(card, game->cones,
                     &(GpuOptions){.step_limit = 9, .kernels = GPU_TEAM}, &why);
  assert_non_null(gpu);
  Expansion *expansion =
      expansion_new(gpu, &(ExpansionOptions){BATCHES, PAIRS}, &why);
  assert_non_null(expansion);
  for (uint32_t i = 0; i < BATCHES; i++) {
    workers[i] = (Worker){.game = game, .expansion = expansion, .batch = i};
    assert_false(pthread_create(&workers[i].thread, NULL, work, &workers[i]));
  }
  for (uint32_t i = 0; i < BATCHES; i++) {
    pthread_join(workers[i].thread, NULL);
    assert_int_equal(workers[i].code, FINE);
  }
  expansion_delete(expansion);
  gpu_delete(gpu);
  card_close(card);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launch), cmocka_unit_test(test_hangs),
      cmocka_unit_test(test_late),   cmocka_unit_test(test_memory),
      cmocka_unit_test(test_gone),   cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, open_game, close_game);
}
