/* Leaving the pool is quick whatever the driver is doing, and what the caller
   frees then is not read any more: sanitizers would see it. The card is one
   made of software, which is slow to compile or does not return from a call
   (machine_card.h). Every case has a process of its own, as the card is one for
   each. */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/pool.h"
#include "support/cards.h"

static const double quick = 0.3; /* seconds; machines are busy */

/* How a process ends; anything else is a fault, also the codes of sanitizers.
 */
enum { FAULT = 1, READY = 100, REFUSED, PENDING };

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, \
              #condition); \
      _exit(FAULT); \
    } \
  } while (0)

static void pause_for(double seconds) {
  double until = clock_now() + seconds;
  while (clock_now() < until) nanosleep(&(struct timespec){0, 1000000}, NULL);
}

typedef struct Player {
  Loaded loaded;
  Cones *cones;
  PoolPlace *place;
} Player;

static void ask(Player *player, bool single) {
  player->cones = make_cones(&player->loaded.net, ISA_PLAIN, false, 1);
  player->place = pool_ask(
      player->cones, &(GpuOptions){.seed = 1,
                                   .step_limit = 100,
                                   .batches = 2,
                                   .starts = 4,
                                   .gamma = 1,
                                   .kernels = single ? GPU_TEAM : GPU_ALL});
  CHECK(player->place);
}

static void leave(Player *player) {
  double start = clock_now();
  pool_leave(player->place);
  CHECK(clock_now() - start < quick);
  cones_delete(player->cones);
}

static void come(Player *player, const char *path, bool single) {
  load(&player->loaded, path);
  ask(player, single);
}

/* Leaves, and frees everything at once. */
static void go(Player *player) {
  leave(player);
  unload(&player->loaded);
}

/* Waits for a Gpu. Returns how far it came. */
static int await(Player *player, double seconds) {
  double until = clock_now() + seconds;
  Text why = {0};
  do {
    if (pool_gpu(player->place)) return READY;
    if (pool_refused(player->place, &why)) {
      text_free(&why);
      return REFUSED;
    }
    pause_for(0.001);
  } while (clock_now() < until);
  return PENDING;
}

/* Plays on a Gpu that is ready. */
static void play(const Player *player) {
  Gpu *gpu = pool_gpu(player->place);
  CHECK(gpu_begin(gpu, 1, NULL, 1, 50) && gpu_wait(gpu, 1));
  CHECK(gpu_sums(gpu, 1, 0)->ended == 50);
}

typedef int Work(uint32_t number);

/* Runs the work in a process where a variable has that value. */
static int in_child(Work *work, const char *variable, uint32_t value,
                    uint32_t number) {
  fflush(NULL);
  pid_t pid = fork();
  assert_true(pid >= 0);
  if (!pid) {
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    alarm(100);
    setenv("TAFL_CARD_QUIET", "1", 1);
    setenv("TAFL_CARD_LATE", "1", 1);
    setenv(variable, text, 1);
    cards_find();
    exit(work(number));
  }
  int status = 0;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  if (!WIFEXITED(status) || WEXITSTATUS(status) < READY)
    fail_msg("%s=%u, %u: status %d", variable, value, number, status);
  return WEXITSTATUS(status);
}

/* ---- cases ---- */

static int leave_stuck(uint32_t number) {
  Player player, other;
  (void)number;
  come(&player, "games/ticTacToe.kif", true);
  int found = await(&player, 0.15);
  if (found == PENDING) { /* somebody else asks, in vain */
    come(&other, "games/buttons.kif", true);
    CHECK(await(&other, 0.01) == PENDING);
    go(&other);
  }
  go(&player);
  pause_for(0.02);
  return found;
}

/* A call never returns: any of those until the Gpu is ready. */
static void test_stuck(void **state) {
  (void)state;
  uint32_t pending = 0, number = 1;
  while (in_child(leave_stuck, "TAFL_CARD_STUCK", number, 0) == PENDING) {
    pending++;
    number += 3;
    assert_true(number < 300);
  }
  assert_true(pending > 5);
}

/* Leaves while a kernel is compiled. The next one gets the card after that. */
static int leave_compiling(uint32_t second) {
  Player player, other;
  come(&player, "games/connectFour.kif", !second);
  CHECK(await(&player, second ? 1.3 : 0.5) == (second ? READY : PENDING));
  if (second) play(&player); /* its second kernel is being compiled */
  go(&player);
  come(&other, "games/ticTacToe.kif", true);
  CHECK(await(&other, 20) == READY);
  play(&other);
  go(&other);
  pause_for(second ? 1 : 0.1);
  return READY;
}

static void test_compiling(void **state) {
  (void)state;
  in_child(leave_compiling, "TAFL_CARD_COMPILE", 1000, 0);
  in_child(leave_compiling, "TAFL_CARD_COMPILE", 1000, 1);
}

/* Returns how many places somebody could have now. */
static uint32_t count_free(const Cones *cones) {
  enum { MANY = 70 };
  PoolPlace *places[MANY];
  uint32_t count = 0;
  do places[count] = pool_ask(cones, &(GpuOptions){.step_limit = 9});
  while (places[count] && ++count < MANY);
  CHECK(count < MANY);
  for (uint32_t i = 0; i < count; i++) pool_leave(places[i]);
  return count;
}

/* Leaves sooner and later while the cones are read; then all places become free
   again, and one stays. */
static int leave_sketching(uint32_t number) {
  enum { TIMES = 48, PAUSES = 24, ALL = 64 };
  Player player;
  uint32_t readied = 0;
  (void)number;
  load(&player.loaded, "games/checkers.kif");
  for (uint32_t i = 0; i < TIMES; i++) {
    ask(&player, i % 2);
    pause_for(0.002 * (i % PAUSES));
    readied += pool_gpu(player.place) != NULL;
    leave(&player);
  }
  CHECK(readied < TIMES);
  unload(&player.loaded);
  come(&player, "games/ticTacToe.kif", true);
  double until = clock_now() + 20;
  while (count_free(player.cones) < ALL - 1) {
    CHECK(clock_now() < until);
    pause_for(0.02);
  }
  CHECK(await(&player, 30) == READY);
  play(&player);
  go(&player);
  pause_for(0.1);
  return READY;
}

static void test_sketching(void **state) {
  (void)state;
  in_child(leave_sketching, "TAFL_CARD_COUNT", 1, 0);
}

/* The card hangs on a batch: its place is left at once, too. */
static int leave_hanging(uint32_t number) {
  Player player, other;
  (void)number;
  come(&player, "games/ticTacToe.kif", true);
  CHECK(await(&player, 20) == READY);
  Gpu *gpu = pool_gpu(player.place);
  CHECK(gpu_begin(gpu, 0, NULL, 1, 50));
  CHECK(!gpu_done(gpu, 0));
  go(&player);
  come(&other, "games/ticTacToe.kif", true);
  await(&other, 0.5);
  go(&other);
  return READY;
}

static void test_hanging(void **state) {
  (void)state;
  in_child(leave_hanging, "TAFL_CARD_HANG", 1, 0);
}

/* More than there are places: whoever is refused one has none to leave. */
static int leave_many(uint32_t number) {
  Player player;
  (void)number;
  come(&player, "games/ticTacToe.kif", true);
  CHECK(count_free(player.cones) > 50);
  go(&player);
  return READY;
}

static void test_many(void **state) {
  (void)state;
  in_child(leave_many, "TAFL_CARD_COMPILE", 300, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stuck),     cmocka_unit_test(test_compiling),
      cmocka_unit_test(test_sketching), cmocka_unit_test(test_hanging),
      cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
