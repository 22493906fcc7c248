/* Playouts on a card from given states, by what the plain evaluation of the net
   knows exactly: states that are terminal, where a role is stuck, and from
   which every move leads to the end; the number of playouts, and where they are
   cut off. */
#include "support/cards.h"

#include <math.h>
#include <pthread.h>

#include "support/games.h"

/* ---- what must come out ---- */

/* What the plain evaluation finds one step ahead. */
typedef struct Ahead {
  bool terminal, stuck;
  bool ends, stays; /* every joint move leads to an end, none does */
  uint32_t joints;  /* 0: too many to look at */
  uint32_t joint[REPLAY_ROLES]; /* the last one, and its goals, or */
  int goals[REPLAY_ROLES];      /* those of the state itself */
  int low[REPLAY_ROLES], high[REPLAY_ROLES]; /* of all joint moves */
} Ahead;

static void read_goals(const Replay *replay, int *goals) {
  for (uint32_t role = 0; role < replay->net->role_count; role++)
    goals[role] = replay_goal(replay, role);
}

/* The joint move of a number below the product of the legal moves. */
static void find_joint(const Replay *replay, uint32_t number, uint32_t *joint) {
  const Net *net = replay->net;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t legal = replay_count_legal(replay, role), rank = number % legal;
    uint32_t move = net->role_first.data[role];
    while (!replay_value(replay, net->moves.data[move].legal) || rank--) move++;
    joint[role] = move;
    number /= legal;
  }
}

static void look_ahead(Replay *replay, const uint64_t *row, Ahead *ahead) {
  enum { MOST = 64 };
  uint32_t roles = replay->net->role_count;
  replay_enter(replay, row);
  *ahead = (Ahead){.terminal = replay_value(replay, replay->net->terminal),
                   .joints = 1,
                   .ends = true,
                   .stays = true};
  read_goals(replay, ahead->goals);
  for (uint32_t role = 0; role < roles; role++) {
    ahead->joints *= replay_count_legal(replay, role);
    ahead->stuck |= !ahead->joints;
    if (ahead->joints > MOST) break;
  }
  if (ahead->terminal || ahead->stuck) return;
  if (ahead->joints > MOST) ahead->joints = 0;
  ahead->ends = ahead->stays = ahead->joints;
  for (uint32_t i = 0; i < ahead->joints; i++) {
    replay_enter(replay, row);
    find_joint(replay, i, ahead->joint);
    replay_make(replay, ahead->joint);
    bool over = replay_value(replay, replay->net->terminal);
    ahead->ends &= over;
    ahead->stays &= !over;
    read_goals(replay, ahead->goals);
    for (uint32_t role = 0; role < roles; role++) {
      int goal = ahead->goals[role];
      if (!i || goal < ahead->low[role]) ahead->low[role] = goal;
      if (!i || goal > ahead->high[role]) ahead->high[role] = goal;
    }
  }
}

/* Every playout has this goal. */
static void check_goal(const GpuRoleSums *sums, uint64_t playouts, int goal,
                       double discount) {
  uint64_t value = (uint64_t)(goal < 0 ? 0 : goal);
  assert_int_equal(sums->scored, goal < 0 ? 0 : playouts);
  assert_int_equal(sums->goals, playouts * value);
  assert_int_equal(sums->goal_squares, playouts * value * value);
  /* The card rounds each return, and its powers are good for 22 bits. */
  double expected = (double)(playouts * value) * discount * 0x1p16;
  assert_true(fabs((double)sums->returns - expected) <= 4.0 * (double)playouts);
}

typedef struct Try {
  const Gpu *gpu;
  uint32_t batch, repeat, limit;
  double gamma;
} Try;

static void check_start(Replay *replay, const Try *try, uint32_t start,
                        const uint64_t *row) {
  const GpuSums *sums = gpu_sums(try->gpu, try->batch, start);
  uint64_t repeat = try->repeat;
  uint32_t roles = replay->net->role_count;
  Ahead ahead;
  look_ahead(replay, row, &ahead);
  assert_int_equal(sums->ended + sums->cut_off + sums->stuck, repeat);
  assert_true(sums->states <= repeat * try->limit);
  assert_true(sums->states >= sums->steps + sums->cut_off * try->limit);
  if (!sums->stuck)
    assert_int_equal(sums->states, sums->steps + sums->cut_off * try->limit);
  if (ahead.terminal || ahead.stuck) {
    assert_int_equal(ahead.terminal ? sums->ended : sums->stuck, repeat);
    assert_int_equal(sums->states, 0);
    for (uint32_t role = 0; ahead.terminal && role < roles; role++)
      check_goal(gpu_role_sums(try->gpu, try->batch, start, role), repeat,
                 ahead.goals[role], 1);
    return;
  }
  if (ahead.stays && try->limit == 1) assert_int_equal(sums->cut_off, repeat);
  if (!ahead.ends) return;
  assert_int_equal(sums->ended, repeat);
  assert_int_equal(sums->steps, repeat);
  for (uint32_t role = 0; role < roles; role++) {
    const GpuRoleSums *of = gpu_role_sums(try->gpu, try->batch, start, role);
    if (ahead.low[role] == ahead.high[role])
      check_goal(of, repeat, ahead.low[role], try->gamma);
    else if (ahead.low[role] >= 0)
      assert_in_range(of->goals, repeat * (uint64_t)ahead.low[role],
                      repeat * (uint64_t)ahead.high[role]);
  }
}

/* ---- states ---- */

/* Collects the states of random games, ends and all. */
static uint64_t *walk(Replay *replay, Random *random, uint32_t count) {
  const Net *net = replay->net;
  size_t words = bits_words(net->fluents.count);
  uint64_t *rows = memory_new(count * words * sizeof *rows), *row = rows;
  uint32_t joint[REPLAY_ROLES];
  replay_enter(replay, NULL);
  for (uint32_t i = 0; i < count; i++, row += words) {
    uint32_t joints = 1;
    for (uint32_t j = 0; j < net->fluents.count; j++)
      if (replay->state[j]) bits_add(row, j);
    for (uint32_t role = 0; role < net->role_count; role++)
      joints *= replay_count_legal(replay, role);
    if (replay_value(replay, net->terminal) || !joints) {
      replay_enter(replay, NULL);
    } else {
      find_joint(replay, random_below(random, joints), joint);
      replay_make(replay, joint);
    }
  }
  return rows;
}

static const GpuKernels kernel[] = {GPU_TEAM, GPU_SOLO, GPU_SQUAD};

typedef struct Case {
  const char *path;
  uint32_t rows, repeat, limit;
  RosterShape shape;
} Case;

/* `rounds`: by legs, where there are any. */
static void check_case(const Case *this, GpuKernels kernels, bool rounds) {
  Loaded loaded;
  Replay replay;
  Random random;
  load(&loaded, this->path);
  replay_init(&replay, &loaded.net);
  random_seed(&random, this->rows);
  Cones *cones = make_cones(&loaded.net, ISA_PLAIN, false, 1);
  if (rounds) cones_add_rounds(cones, 2);
  uint64_t *rows = walk(&replay, &random, this->rows);
  size_t words = bits_words(loaded.net.fluents.count);
  GpuOptions options = {.seed = 3,
                        .step_limit = this->limit,
                        .batches = 1,
                        .starts = this->rows,
                        .gamma = 0.75,
                        .shape = this->shape,
                        .kernels = kernels};
  Gpu *gpu = cards_new(cones, &options);
  assert_int_equal(cards_second(gpu), kernels != GPU_TEAM);
  Try try = {gpu, 0, this->repeat, this->limit, options.gamma};
  cards_play(gpu, rows, this->rows, this->repeat);
  for (uint32_t i = 0; i < this->rows; i++)
    check_start(&replay, &try, i, rows + i * words);
  gpu_delete(gpu);
  memory_delete(rows);
  cones_delete(cones);
  replay_free(&replay);
  unload(&loaded);
}

/* One or two choosers, one or more roles; all kernels, as the card likes it. */
static void test_starts(void **state) {
  static const Case cases[] = {{"games/ticTacToe.kif", 40, 33, 100, {0}},
                               {"games/ticTacToe.kif", 40, 1, 1, {0}},
                               {"games/ticTacToe.kif", 33, 64, 3, {0}},
                               {"games/ticTicToe.kif", 30, 32, 100, {0}},
                               {"games/buttons.kif", 25, 70, 100, {0}},
                               {"games/lightsOut.kif", 45, 5, 60, {0}}};
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    check_case(&cases[i], GPU_TEAM, false);
    check_case(&cases[i], GPU_SOLO, false);
    check_case(&cases[i], GPU_SOLO, true);
    check_case(&cases[i], GPU_SQUAD, true);
  }
}

/* Blocks of all shapes: few words and many warps of each, and many words. */
static void test_shapes(void **state) {
  static const RosterShape shapes[] = {
      {1, 1, 1, 1},   {1, 4, 1, 3},   {2, 2, 2, 1},   {2, 8, 1, 2},
      {4, 4, 4, 3},   {4, 16, 2, 1},  {8, 8, 4, 3},   {8, 16, 1, 1},
      {16, 16, 4, 1}, {16, 16, 2, 3}, {32, 32, 1, 1}, {32, 32, 4, 3}};
  (void)state;
  for (size_t i = 0; i < LENGTH(shapes); i++) {
    Case this = {"games/ticTacToe.kif", 34, 33, 100, shapes[i]};
    check_case(&this, GPU_TEAM, false);
  }
}

/* ---- ends other than the end ---- */

static void test_endless(void **state) {
  (void)state;
  for (uint32_t limit = 1; limit < 20; limit += 3) {
    GpuKernels kernels = kernel[limit / 3 % LENGTH(kernel)];
    Terms terms;
    Net net;
    terms_init(&terms);
    make_endless(&net, &terms);
    Cones *cones = make_cones(&net, ISA_PLAIN, false, 1);
    GpuOptions options = {.step_limit = limit,
                          .batches = 1,
                          .starts = 3,
                          .credit = kernels != GPU_SOLO,
                          .kernels = kernels};
    const uint64_t rows[] = {1, 0, 1}; /* the second is terminal */
    CreditSum credit[2];
    Gpu *gpu = cards_new(cones, &options);
    assert_int_equal(cards_second(gpu), kernels != GPU_TEAM);
    cards_play(gpu, rows, 3, 50);
    for (uint32_t i = 0; i < 3; i++) {
      const GpuSums *sums = gpu_sums(gpu, 0, i);
      assert_int_equal(sums->cut_off, i == 1 ? 0 : 50);
      assert_int_equal(sums->ended, i == 1 ? 50 : 0);
      assert_int_equal(sums->states, i == 1 ? 0 : 50 * limit);
      assert_int_equal(sums->stuck + sums->steps, 0);
      assert_int_equal(gpu_role_sums(gpu, 0, i, 0)->goals, i == 1 ? 5000 : 0);
    }
    if (options.credit) gpu_credit(gpu, 0, credit);
    if (options.credit)
      assert_int_equal(credit[0].playouts + credit[1].playouts, 0);
    gpu_delete(gpu);
    cones_delete(cones);
    net_free(&net);
    terms_free(&terms);
  }
}

/* Ages are counted in few planes by solo kernels: what it cannot count it
   does not play. */
static void test_long_limit(void **state) {
  (void)state;
  Terms terms;
  Net net;
  terms_init(&terms);
  make_endless(&net, &terms);
  Cones *cones = make_cones(&net, ISA_PLAIN, false, 1);
  for (uint32_t limit = 8188; limit <= 8196; limit++) {
    const uint64_t row = 1;
    Gpu *gpu = cards_new(
        cones, &(GpuOptions){.step_limit = limit, .batches = 1, .starts = 1});
    assert_true(cards_second(gpu));
    assert_true(gpu_flow(gpu, 0, &row, 1, 64) && gpu_wait(gpu, 0));
    const GpuSums *sums = gpu_sums(gpu, 0, 0);
    assert_true(sums->states >= 64);
    /* Of those that were cut off, all had come to the limit. */
    assert_true(sums->cut_off * limit <= sums->states);
    gpu_delete(gpu);
  }
  cones_delete(cones);
  net_free(&net);
  terms_free(&terms);
}

static void test_stuck(void **state) {
  (void)state;
  Description description;
  Net net;
  Text error = {0};
  BookLimits limits = games_limits();
  games_read(&description, GAME_STUCK);
  assert_true(games_net(&description, &limits, &net, &error));
  Cones *cones = make_cones(&net, ISA_PLAIN, false, 1);
  for (uint32_t k = 0; k < LENGTH(kernel); k++) {
    GpuKernels kernels = kernel[k];
    GpuOptions options = {
        .step_limit = 9, .batches = 1, .starts = 1, .kernels = kernels};
    Gpu *gpu = cards_new(cones, &options);
    assert_int_equal(cards_second(gpu), kernels != GPU_TEAM);
    cards_play(gpu, NULL, 1, 99);
    const GpuSums *sums = gpu_sums(gpu, 0, 0);
    assert_int_equal(sums->stuck, 99);
    assert_int_equal(sums->states, 99);
    assert_int_equal(sums->ended + sums->cut_off + sums->steps, 0);
    assert_int_equal(gpu_role_sums(gpu, 0, 0, 0)->scored, 0);
    gpu_delete(gpu);
  }
  cones_delete(cones);
  net_free(&net);
  description_free(&description);
  text_free(&error);
}

/* Lanes that play without pause make a move in every step. Those of teams and
   squads stop where they are in the end; those of solo kernels play on to the
   end, and may be cut off somewhat late. */
static void test_flow(void **state) {
  enum { STEPS = 64, LATE = 64 };
  (void)state;
  Terms terms;
  Net net;
  terms_init(&terms);
  make_endless(&net, &terms);
  Cones *cones = make_cones(&net, ISA_PLAIN, false, 1);
  for (uint32_t i = 0; i < 2 * LENGTH(kernel); i++) {
    uint32_t limit = i % 2 ? 700 : 7;
    GpuKernels kernels = kernel[i / 2];
    GpuOptions options = {
        .step_limit = limit, .batches = 1, .starts = 1, .kernels = kernels};
    Gpu *gpu = cards_new(cones, &options);
    assert_int_equal(cards_second(gpu), kernels != GPU_TEAM);
    uint64_t lanes = 32 * (uint64_t)gpu_width(gpu);
    assert_true(gpu_flow(gpu, 0, NULL, 1, STEPS) && gpu_wait(gpu, 0));
    const GpuSums *sums = gpu_sums(gpu, 0, 0);
    assert_int_equal(sums->ended + sums->stuck, 0);
    assert_true(sums->states >= limit * sums->cut_off);
    if (kernels == GPU_SOLO) {
      assert_true(sums->cut_off > 0);
      assert_true(sums->steps <= LATE * sums->cut_off);
      assert_true(sums->states <= (limit + LATE) * sums->cut_off);
    } else {
      assert_int_equal(sums->steps, 0);
      if (limit > STEPS) assert_int_equal(sums->states, STEPS * lanes);
      assert_true(sums->states - limit * sums->cut_off <= limit * lanes);
      assert_true(limit > STEPS ? !sums->cut_off : sums->cut_off >= lanes);
    }
    gpu_delete(gpu);
  }
  cones_delete(cones);
  net_free(&net);
  terms_free(&terms);
}

/* ---- credit ---- */

/* Where there is one joint move, and it ends the game, the sums of moves are
   known. */
static void test_credit(void **state) {
  enum { ROWS = 300, REPEAT = 33 };
  (void)state;
  Loaded loaded;
  Replay replay;
  Random random;
  load(&loaded, "games/ticTacToe.kif");
  replay_init(&replay, &loaded.net);
  random_seed(&random, 1);
  const Net *net = &loaded.net;
  size_t words = bits_words(net->fluents.count), count = 0;
  Cones *cones = make_cones(net, ISA_PLAIN, false, 1);
  uint64_t *rows = walk(&replay, &random, ROWS);
  CreditSum *wanted = memory_new(net->moves.count * sizeof *wanted);
  CreditSum *sums = memory_new(net->moves.count * sizeof *sums);
  for (uint32_t i = 0; i < ROWS; i++) {
    Ahead ahead;
    look_ahead(&replay, rows + i * words, &ahead);
    if (ahead.terminal || ahead.joints != 1 || !ahead.ends) continue;
    memmove(rows + count++ * words, rows + i * words, words * sizeof *rows);
    for (uint32_t role = 0; role < 2; role++) {
      CreditSum *of = &wanted[ahead.joint[role]];
      of->playouts += REPEAT;
      of->goals += REPEAT * (uint64_t)ahead.goals[role];
      of->rival_goals += REPEAT * (uint64_t)ahead.goals[1 - role];
    }
  }
  assert_true(count > 5);
  GpuOptions options = {.step_limit = 20,
                        .batches = 1,
                        .starts = ROWS,
                        .credit = true,
                        .kernels = GPU_TEAM};
  Gpu *gpu = cards_new(cones, &options);
  for (uint32_t round = 0; round < 2; round++) { /* sums begin anew */
    cards_play(gpu, rows, (uint32_t)count, REPEAT);
    gpu_credit(gpu, 0, sums);
    assert_memory_equal(sums, wanted, net->moves.count * sizeof *sums);
  }
  gpu_delete(gpu);
  memory_delete(wanted);
  memory_delete(sums);
  memory_delete(rows);
  cones_delete(cones);
  replay_free(&replay);
  unload(&loaded);
}

/* ---- several batches ---- */

typedef struct Shared {
  Loaded loaded;
  Cones *cones;
  Gpu *gpu;
  uint64_t *rows;
} Shared;

enum { BATCHES = 3, STARTS = 20, TIMES = 40, STEPS_MOST = 50 };

static void begin_sharing(Shared *shared, GpuKernels kernels) {
  Replay replay;
  Random random;
  load(&shared->loaded, "games/ticTacToe.kif");
  replay_init(&replay, &shared->loaded.net);
  random_seed(&random, 5);
  shared->cones = make_cones(&shared->loaded.net, ISA_PLAIN, false, 1);
  if (kernels != GPU_TEAM) cones_add_rounds(shared->cones, 2);
  shared->rows = walk(&replay, &random, BATCHES * STARTS);
  GpuOptions options = {.step_limit = STEPS_MOST,
                        .batches = BATCHES,
                        .starts = STARTS,
                        .gamma = 1,
                        .kernels = kernels};
  shared->gpu = cards_new(shared->cones, &options);
  assert_int_equal(cards_second(shared->gpu), kernels != GPU_TEAM);
  replay_free(&replay);
}

static void end_sharing(Shared *shared) {
  gpu_delete(shared->gpu);
  memory_delete(shared->rows);
  cones_delete(shared->cones);
  unload(&shared->loaded);
}

static const uint64_t *rows_of(const Shared *shared, uint32_t batch) {
  return shared->rows +
         batch * STARTS * bits_words(shared->loaded.net.fluents.count);
}

static void check_batch(const Shared *shared, uint32_t batch) {
  Replay replay;
  Try try = {shared->gpu, batch, TIMES, STEPS_MOST, 1};
  replay_init(&replay, &shared->loaded.net);
  for (uint32_t i = 0; i < STARTS; i++)
    check_start(&replay, &try, i,
                rows_of(shared, batch) +
                    i * bits_words(shared->loaded.net.fluents.count));
  replay_free(&replay);
}

/* All are under way at once, and taken in another order. */
static void check_batches(GpuKernels kernels) {
  Shared shared;
  begin_sharing(&shared, kernels);
  for (uint32_t i = 0; i < BATCHES; i++)
    assert_true(gpu_begin(shared.gpu, i, rows_of(&shared, i), STARTS, TIMES));
  while (!gpu_done(shared.gpu, 1)) continue;
  check_batch(&shared, 1);
  for (uint32_t i = BATCHES; i-- > 0;) {
    assert_true(gpu_wait(shared.gpu, i));
    check_batch(&shared, i);
  }
  end_sharing(&shared);
}

static void test_batches(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(kernel); i++) check_batches(kernel[i]);
}

typedef struct Worker {
  pthread_t thread;
  const Shared *shared;
  uint32_t batch, done;
} Worker;

static void *work(void *argument) {
  Worker *worker = argument;
  for (worker->done = 0; worker->done < 3; worker->done++)
    if (!gpu_begin(worker->shared->gpu, worker->batch,
                   rows_of(worker->shared, worker->batch), STARTS, TIMES) ||
        !gpu_wait(worker->shared->gpu, worker->batch))
      break;
  return NULL;
}

static void check_threads(GpuKernels kernels) {
  Shared shared;
  Worker workers[BATCHES];
  begin_sharing(&shared, kernels);
  for (uint32_t i = 0; i < BATCHES; i++) {
    workers[i] = (Worker){.shared = &shared, .batch = i};
    assert_int_equal(
        pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (uint32_t i = 0; i < BATCHES; i++) {
    pthread_join(workers[i].thread, NULL);
    assert_int_equal(workers[i].done, 3);
    check_batch(&shared, i);
  }
  end_sharing(&shared);
}

static void test_threads(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(kernel); i++) check_threads(kernel[i]);
}

/* A batch is played with other random numbers each time. */
static void check_not_the_same_again(GpuKernels kernels) {
  Shared shared;
  uint32_t same = 0, starts = 0;
  uint64_t steps[STARTS];
  begin_sharing(&shared, kernels);
  for (uint32_t round = 0; round < 2; round++) {
    cards_play(shared.gpu, shared.rows, STARTS, TIMES);
    for (uint32_t i = 0; i < STARTS; i++) {
      uint64_t now = gpu_sums(shared.gpu, 0, i)->steps;
      if (round && now > 4 * TIMES) same += now == steps[i], starts++;
      steps[i] = now;
    }
  }
  assert_true(starts > 4);
  assert_true(same < starts / 2);
  end_sharing(&shared);
}

static void test_not_the_same_again(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(kernel); i++)
    check_not_the_same_again(kernel[i]);
}

/* ---- */

/* More fluents than a block has memory for. */
static void test_too_large(void **state) {
  enum { FLUENTS = 70000 };
  (void)state;
  Terms terms;
  Net net;
  Text why = {0};
  terms_init(&terms);
  net_init(&net, 1);
  for (uint32_t i = 0; i < FLUENTS; i++) {
    Signal same = net_add_fluent(&net, random_net_term(&terms, "f", i), i % 2);
    net.fluents.data[i].next = same;
  }
  net_add_move(&net, 0, random_net_term(&terms, "m", 0));
  net.moves.data[0].legal = SIGNAL_TRUE;
  net.terminal = gate_signal(net.fluents.data[1].gate);
  Cones *cones = make_cones(&net, ISA_PLAIN, false, 1);
  GpuOptions options = {.step_limit = 9, .batches = 1, .starts = 1};
  assert_null(gpu_new(cards_card(), cones, &options, &why));
  assert_non_null(strstr(text_string(&why), "too large"));
  text_free(&why);
  cones_delete(cones);
  net_free(&net);
  terms_free(&terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_starts),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_long_limit),
      cmocka_unit_test(test_stuck),
      cmocka_unit_test(test_flow),
      cmocka_unit_test(test_credit),
      cmocka_unit_test(test_batches),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_not_the_same_again),
      cmocka_unit_test(test_too_large),
  };
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
