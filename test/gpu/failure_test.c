/* What a card does wrong is reported, and nothing is done on it any more: the
   card made of software is told by the environment what to do when. Each case
   is a process of its own, since a card that has failed is of no more use. */

#include "base/clock.h"
#include "support/cards.h"

enum { PLAYOUTS = 100 };

/* Plays `batches` batches; the card is polled if `poll`. */
static int play_batches(Gpu *gpu, uint32_t batches, bool poll) {
  for (uint32_t i = 0; i < batches; i++) {
    uint32_t batch = i % 2;
    bool begun = gpu_begin(gpu, batch, NULL, 1, PLAYOUTS);
    double start = clock_now();
    while (begun && poll && !gpu_done(gpu, batch))
      if (clock_now() - start > 2) return HANGS;
    if (!begun || !gpu_wait(gpu, batch)) {
      CARDS_CHECK(gpu_error(gpu) && strstr(gpu_error(gpu), "the card fails ("));
      CARDS_CHECK(!gpu_begin(gpu, 1 - batch, NULL, 1, PLAYOUTS));
      CARDS_CHECK(!gpu_flow(gpu, 1 - batch, NULL, 1, 64));
      CARDS_CHECK(!gpu_wait(gpu, 1 - batch));
      CARDS_CHECK(gpu_done(gpu, batch));
      return FAILED;
    }
    CARDS_CHECK(!gpu_error(gpu));
    CARDS_CHECK(gpu_sums(gpu, batch, 0)->ended == PLAYOUTS);
  }
  return FINE;
}

static int play_game(const Cones *cones, uint32_t batches, bool poll,
                     GpuKernels kernels, Text *why) {
  GpuOptions options = {.seed = 1,
                        .step_limit = 50,
                        .batches = 2,
                        .starts = 1,
                        .credit = kernels != GPU_SOLO,
                        .shape = {4, 4, 1, 1},
                        .kernels = kernels};
  Card *card = card_open(why);
  CARDS_CHECK(!card == (why->length > 0));
  if (!card) return NO_CARD;
  Gpu *gpu = gpu_new(card, cones, &options, why);
  CARDS_CHECK(!gpu == (why->length > 0));
  if (gpu && kernels != GPU_TEAM) cards_second(gpu);
  int code = gpu ? play_batches(gpu, batches, poll) : NO_KERNEL;
  if (code == HANGS) return HANGS; /* nobody can wait for it */
  if (gpu) gpu_delete(gpu);
  card_close(card);
  return code;
}

typedef struct Case {
  const Cones *cones;
  GpuKernels kernels;
} Case;

static int play_case(const void *context, bool poll, Text *why) {
  const Case *this = context;
  return play_game(this->cones, 3, poll, this->kernels, why);
}

/* Returns how far the process came in which a variable has this value. */
static int try_kernel(const Cones *cones, const char *variable, uint32_t value,
                      const char *word, GpuKernels kernels) {
  return cards_try(variable, value, word, play_case, &(Case){cones, kernels});
}

static const GpuKernels kernel[] = {GPU_TEAM, GPU_SOLO, GPU_SQUAD};

/* With all kernels. */
static int try_with(const Cones *cones, const char *variable, uint32_t value,
                    const char *word) {
  int code = try_kernel(cones, variable, value, word, kernel[0]);
  for (size_t i = 1; i < LENGTH(kernel); i++)
    assert_int_equal(try_kernel(cones, variable, value, word, kernel[i]), code);
  return code;
}

typedef struct Opened {
  Loaded loaded;
  Cones *cones;
} Opened;

static int open_game(void **state) {
  static Opened game;
  cards_find();
  load(&game.loaded, "games/ticTacToe.kif");
  game.cones = make_cones(&game.loaded.net, ISA_PLAIN, false, 1);
  *state = &game;
  return 0;
}

static int close_game(void **state) {
  Opened *game = *state;
  cones_delete(game->cones);
  unload(&game->loaded);
  return 0;
}

/* ---- cases ---- */

static void test_no_card(void **state) {
  const Opened *game = *state;
  assert_int_equal(try_with(game->cones, "TAFL_CARD_COUNT", 0, "device"),
                   NO_CARD);
  assert_int_equal(try_with(game->cones, "TAFL_CARD_COUNT", 1, ""), FINE);
}

static void test_launch_fails(void **state) {
  const Opened *game = *state;
  for (uint32_t i = 1; i <= 3; i++) {
    assert_int_equal(try_with(game->cones, "TAFL_CARD_FAIL", i, ""), FAILED);
    assert_int_equal(try_with(game->cones, "TAFL_CARD_REFUSE", i, ""), FAILED);
  }
  assert_int_equal(try_with(game->cones, "TAFL_CARD_FAIL", 4, ""), FINE);
}

static void test_launch_hangs(void **state) {
  const Opened *game = *state;
  assert_int_equal(try_with(game->cones, "TAFL_CARD_HANG", 2, ""), HANGS);
}

static void test_late(void **state) {
  const Opened *game = *state;
  assert_int_equal(try_with(game->cones, "TAFL_CARD_LATE", 1, ""), FINE);
}

static void test_little_memory(void **state) {
  const Opened *game = *state;
  assert_int_equal(try_with(game->cones, "TAFL_CARD_MEMORY", 1000, "memory"),
                   NO_KERNEL);
}

/* A squad that does not get its memory leaves the game to the team. */
static void test_memory_for_a_team(void **state) {
  const Opened *game = *state;
  uint32_t seen[LINES] = {0};
  for (uint32_t kib = 8; kib <= 1 << 16; kib *= 2)
    seen[try_kernel(game->cones, "TAFL_CARD_MEMORY", kib << 10, "memory",
                    GPU_SQUAD)]++;
  assert_true(seen[NO_KERNEL] && seen[FINE] > 3);
  assert_int_equal(seen[NO_KERNEL] + seen[FINE], 14);
}

/* Whichever call is the first that fails: later ones let it come farther. */
static void test_card_is_gone(void **state) {
  const Opened *game = *state;
  for (uint32_t k = 0; k < LENGTH(kernel); k++) {
    uint32_t seen[LINES] = {0}, number = 1;
    for (int code = 0; code != FINE && number < 1000; number++) {
      code = try_kernel(game->cones, "TAFL_CARD_GONE", number, "", kernel[k]);
      seen[code]++;
    }
    assert_true(seen[NO_CARD] && seen[NO_KERNEL] && seen[FAILED] && seen[FINE]);
    assert_int_equal(seen[HANGS], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_card),
      cmocka_unit_test(test_launch_fails),
      cmocka_unit_test(test_launch_hangs),
      cmocka_unit_test(test_late),
      cmocka_unit_test(test_little_memory),
      cmocka_unit_test(test_card_is_gone),
      cmocka_unit_test(test_memory_for_a_team),
  };
  return cmocka_run_group_tests(tests, open_game, close_game);
}
