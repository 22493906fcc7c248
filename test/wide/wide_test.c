/* Wide playouts on random nets and games of the library: every recorded game is
   replayed by the slow evaluation of the net, sums are counted again from the
   records, starts and step limits are kept, and every instruction set and the
   machine code play the same games. */
#include "replay.h"

#include "../program/random_net.h"
#include "base/hash.h"
#include "engine/load.h"
#include "wide/expand.h"
#include "wide/record.h"

enum { LIMIT = 12 };

static Cones *make_cones(const Net *net, Isa isa, bool jit, uint32_t words) {
  return cones_new(net, &(ProgramMode){isa, jit, words});
}

static Isa best_isa(void) {
  Isa best = ISA_PLAIN;
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    if (program_isa_available(isa)) best = isa;
  return best;
}

static Wide *make_wide(const Cones *cones, Replay *replay, uint64_t seed,
                       uint32_t limit) {
  WideOptions options = {.seed = seed,
                         .step_limit = limit,
                         .record = true,
                         .credit = true,
                         .listener = replay_listen,
                         .context = replay};
  return replay->wide = wide_new(cones, &options);
}

/* ---- what the records say ---- */

static void check_totals(const Replay *replay, const WideTotals *totals) {
  uint32_t roles = replay->net->role_count;
  uint64_t outcomes[3] = {0}, steps = 0, all_steps = 0;
  uint64_t scored[REPLAY_ROLES] = {0}, goals[REPLAY_ROLES] = {0},
           squares[REPLAY_ROLES] = {0};
  for (uint32_t i = 0; i < replay->games.count; i++) {
    const ReplayGame *game = &replay->games.data[i];
    outcomes[game->outcome]++;
    all_steps += game->steps;
    if (game->outcome != WIDE_ENDED) continue;
    steps += game->steps;
    for (uint32_t role = 0; role < roles; role++) {
      if (game->goals[role] < 0) continue;
      scored[role]++;
      goals[role] += (uint64_t)game->goals[role];
      squares[role] += (uint64_t)(game->goals[role] * game->goals[role]);
    }
  }
  assert_int_equal(totals->ended, outcomes[WIDE_ENDED]);
  assert_int_equal(totals->cut_off, outcomes[WIDE_CUT_OFF]);
  assert_int_equal(totals->stuck, outcomes[WIDE_STUCK]);
  assert_int_equal(totals->steps, steps);
  assert_true(totals->states >= all_steps);
  for (uint32_t role = 0; role < roles; role++) {
    assert_int_equal(totals->scored[role], scored[role]);
    assert_int_equal(totals->goals[role], goals[role]);
    assert_int_equal(totals->goal_squares[role], squares[role]);
  }
}

/* Each move once in a playout. */
static void check_credit(const Replay *replay, const CreditSum *credit) {
  const Net *net = replay->net;
  CreditSum *sums = memory_new(net->moves.count * sizeof *sums);
  uint32_t *last = memory_new(net->moves.count * sizeof *last);
  for (uint32_t i = 0; i < replay->games.count; i++) {
    const ReplayGame *game = &replay->games.data[i];
    uint32_t count = game->steps * net->role_count;
    for (uint32_t j = game->first; j < game->first + count; j++) {
      uint32_t move = replay->moves.data[j];
      int goal = game->goals[net->moves.data[move].role];
      if (game->outcome != WIDE_ENDED || goal < 0 || last[move] == i + 1)
        continue;
      last[move] = i + 1;
      sums[move].playouts++;
      sums[move].goals += (uint64_t)goal;
    }
  }
  for (uint32_t i = 0; i < net->moves.count; i++) {
    assert_int_equal(credit[i].playouts, sums[i].playouts);
    assert_int_equal(credit[i].goals, sums[i].goals);
  }
  memory_delete(sums);
  memory_delete(last);
}

static void check_games(Replay *replay, const uint64_t *rows, uint32_t limit,
                        uint32_t most) {
  uint32_t row_words = lanes_row_words(replay->net->fluents.count);
  for (uint32_t i = 0; i < replay->games.count && i < most; i++) {
    const ReplayGame *game = &replay->games.data[i];
    replay_check(replay, game, rows ? rows + game->start * row_words : NULL,
                 limit);
  }
}

/* From the initial state, uniformly, then with scores. */
static void play(const Net *net, const ProgramMode *mode, uint64_t seed,
                 uint32_t limit, uint32_t most) {
  Replay replay;
  replay_init(&replay, net);
  Cones *cones = cones_new(net, mode);
  assert_non_null(cones);
  Wide *wide = make_wide(cones, &replay, seed, limit);
  double *scores = memory_new(net->moves.count * sizeof *scores);
  for (uint32_t i = 0; i < net->moves.count; i++) scores[i] = i % 7 * 0.8;
  assert_true(wide_run(wide, 2 * limit));
  wide_set_scores(wide, scores);
  assert_true(wide_run(wide, 2 * limit + 40));
  assert_true(replay.games.count > 0);
  check_games(&replay, NULL, limit, most);
  check_totals(&replay, wide_totals(wide));
  check_credit(&replay, wide_credit(wide));
  memory_delete(scores);
  wide_delete(wide);
  cones_delete(cones);
  replay_free(&replay);
}

static const uint32_t widths[] = {1, 2, 4, 8, 16};

static void test_random_nets(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    Terms terms;
    Net net;
    Random random;
    terms_init(&terms);
    random_seed(&random, seed);
    random_net(&net, &terms, &random, seed % 3 == 0);
    ProgramMode mode = {(Isa)(seed % ((uint32_t)best_isa() + 1)), false,
                        widths[seed % LENGTH(widths)]};
    play(&net, &mode, seed, LIMIT, 40);
    net_free(&net);
    terms_free(&terms);
  }
}

/* ---- games of the library ---- */

typedef struct Loaded {
  Description description;
  Net net;
} Loaded;

static void load(Loaded *loaded, const char *path) {
  Text error = {0};
  LoadLimits limits = {
      .ground = {.seconds = 20, .ticks = UINT64_MAX, .memory = (size_t)1 << 30},
      .reduce_seconds = 1};
  assert_true(description_read(&loaded->description, path, 1 << 20, &error));
  assert_true(
      load_net(&loaded->description, &limits, &loaded->net, NULL, &error));
  text_free(&error);
}

static void unload(Loaded *loaded) {
  net_free(&loaded->net);
  description_free(&loaded->description);
}

static void test_library(void **state) {
  static const char *const paths[] = {
      "games/ticTacToe.kif", "games/ticTicToe.kif", "games/bomberman.kif",
      "games/lightsOut.kif"};
  (void)state;
  for (size_t i = 0; i < LENGTH(paths); i++) {
    Loaded loaded;
    load(&loaded, paths[i]);
    ProgramMode mode = {best_isa(), false, 8};
    play(&loaded.net, &mode, i, 150, 12);
    unload(&loaded);
  }
}

/* A signature of all that was told. */
static uint64_t sign(const Replay *replay) {
  uint64_t sign = replay->games.count;
  for (uint32_t i = 0; i < replay->games.count; i++) {
    const ReplayGame *game = &replay->games.data[i];
    sign = hash_pair(sign, hash_pair(game->outcome, game->steps));
    sign = hash_pair(sign, (uint64_t)game->goals[0]);
  }
  for (uint32_t i = 0; i < replay->moves.count; i++)
    sign = hash_pair(sign, replay->moves.data[i]);
  return sign;
}

static uint64_t play_signed(const Net *net, const ProgramMode *mode,
                            const double *scores) {
  Cones *cones = cones_new(net, mode);
  if (!cones) return 0;
  Replay replay;
  replay_init(&replay, net);
  Wide *wide = make_wide(cones, &replay, 7, 40);
  wide_set_scores(wide, scores);
  wide_run(wide, 100);
  uint64_t signature = sign(&replay);
  wide_delete(wide);
  cones_delete(cones);
  replay_free(&replay);
  return signature;
}

/* The same seed and width: the same games, whatever the machine. */
static void test_same_everywhere(void **state) {
  (void)state;
  Loaded loaded;
  load(&loaded, "games/bomberman.kif");
  double *scores = memory_new(loaded.net.moves.count * sizeof *scores);
  for (uint32_t i = 0; i < loaded.net.moves.count; i++)
    scores[i] = i * 5 % 11 * 0.3;
  for (size_t i = 0; i < LENGTH(widths); i++)
    for (int gibbs = 0; gibbs < 2; gibbs++) {
      ProgramMode mode = {ISA_PLAIN, false, widths[i]};
      const double *used = gibbs ? scores : NULL;
      uint64_t plain = play_signed(&loaded.net, &mode, used);
      for (mode.isa = ISA_AVX2; mode.isa <= best_isa(); mode.isa++)
        assert_true(play_signed(&loaded.net, &mode, used) == plain);
      mode = (ProgramMode){best_isa(), true, widths[i]};
      uint64_t jit = play_signed(&loaded.net, &mode, used);
      assert_true(!jit || jit == plain);
    }
  memory_delete(scores);
  unload(&loaded);
}

/* ---- starts ---- */

/* A start's sums against the games told since game `from`. */
static void check_start(const Replay *replay, const Wide *wide, uint32_t start,
                        uint32_t from, uint32_t repeat) {
  uint32_t roles = replay->net->role_count, outcomes[3] = {0};
  uint64_t goals[REPLAY_ROLES] = {0};
  for (uint32_t i = from; i < replay->games.count; i++) {
    const ReplayGame *game = &replay->games.data[i];
    if (game->start != start) continue;
    outcomes[game->outcome]++;
    for (uint32_t role = 0; role < roles; role++)
      if (game->outcome == WIDE_ENDED && game->goals[role] > 0)
        goals[role] += (uint64_t)game->goals[role];
  }
  const StartsResult *result = wide_start(wide, start);
  assert_int_equal(result->ended, outcomes[WIDE_ENDED]);
  assert_int_equal(result->cut_off, outcomes[WIDE_CUT_OFF]);
  assert_int_equal(result->stuck, outcomes[WIDE_STUCK]);
  assert_int_equal(result->ended + result->cut_off + result->stuck, repeat);
  assert_int_equal(result->left, 0);
  for (uint32_t role = 0; role < roles; role++)
    assert_int_equal(wide_start_goals(wide, start)[role], goals[role]);
}

static void check_starts(const Replay *replay, const Wide *wide, uint32_t count,
                         uint32_t repeat) {
  for (uint32_t start = 0; start < count; start++)
    check_start(replay, wide, start, 0, repeat);
}

static uint64_t total_steps(const Replay *replay) {
  uint64_t steps = 0;
  for (uint32_t i = 0; i < replay->games.count; i++)
    steps += replay->games.data[i].steps;
  return steps;
}

/* Any states, each so many times, then no more; then the initial one again. */
static void play_starts(const Net *net, Random *random, uint32_t words,
                        uint32_t count, uint32_t repeat) {
  uint32_t row_words = lanes_row_words(net->fluents.count);
  uint64_t *rows = memory_new((size_t)count * row_words * sizeof *rows);
  for (uint32_t i = 0; i < count * row_words; i++)
    rows[i] = random_next(random);
  Replay replay;
  replay_init(&replay, net);
  Cones *cones = make_cones(net, best_isa(), false, words);
  Wide *wide = make_wide(cones, &replay, 5, LIMIT);
  wide_run(wide, 5);
  wide_clear(wide);
  vector_clear(&replay.games);
  vector_clear(&replay.moves);
  wide_set_starts(wide, rows, count, repeat);
  while (wide_run(wide, 3)) continue;
  check_games(&replay, rows, LIMIT, 60);
  check_starts(&replay, wide, count, repeat);
  check_totals(&replay, wide_totals(wide));
  check_credit(&replay, wide_credit(wide));
  assert_int_equal(wide_totals(wide)->states, total_steps(&replay));
  assert_false(wide_run(wide, 1));
  vector_clear(&replay.games);
  vector_clear(&replay.moves);
  wide_set_starts(wide, NULL, 0, 0);
  assert_true(wide_run(wide, 3 * LIMIT));
  check_games(&replay, NULL, LIMIT, 20);
  wide_delete(wide);
  cones_delete(cones);
  replay_free(&replay);
  memory_delete(rows);
}

/* As a stream: numbers are used again as soon as their starts are done, with
   other states; sums are those of the listener's playouts since. */
static void stream_starts(const Net *net, Random *random, uint32_t words) {
  enum { SLOTS = 150, ROUNDS = 40 };
  uint32_t row_words = lanes_row_words(net->fluents.count);
  uint64_t *rows = memory_new(SLOTS * row_words * sizeof *rows);
  uint32_t from[SLOTS], repeat[SLOTS] = {0}, done = SLOTS, all = 0, told = 0;
  Replay replay;
  replay_init(&replay, net);
  Cones *cones = make_cones(net, best_isa(), false, words);
  Wide *wide = make_wide(cones, &replay, 9, LIMIT);
  wide_run(wide, 5);
  vector_clear(&replay.games);
  for (uint32_t round = 0; round < ROUNDS; round++) {
    for (uint32_t i = 0; i < done; i++) {
      uint32_t slot = round ? wide_done(wide, i) : i;
      for (uint32_t j = 0; j < row_words; j++)
        rows[slot * row_words + j] = random_next(random);
      from[slot] = replay.games.count;
      repeat[slot] = 1 + random_below(random, 4);
      all += repeat[slot];
      wide_add_start(wide, slot, rows + slot * row_words, repeat[slot]);
    }
    uint32_t wanted = round + 1 == ROUNDS ? SLOTS : 1 + 3 * round;
    uint32_t first = replay.games.count;
    done = wide_play(wide, wanted);
    assert_true(done >= wanted);
    for (uint32_t i = 0; i < done; i++)
      check_start(&replay, wide, wide_done(wide, i), from[wide_done(wide, i)],
                  repeat[wide_done(wide, i)]);
    for (uint32_t i = first; i < replay.games.count && i < first + 5; i++)
      replay_check(&replay, &replay.games.data[i],
                   rows + replay.games.data[i].start * row_words, LIMIT);
    told = replay.games.count;
  }
  assert_int_equal(told, all);
  assert_int_equal(wide_play(wide, 1), 0);
  wide_delete(wide);
  cones_delete(cones);
  replay_free(&replay);
  memory_delete(rows);
}

static void test_starts(void **state) {
  (void)state;
  for (uint64_t seed = 100; seed < 130; seed++) {
    Terms terms;
    Net net;
    Random random;
    terms_init(&terms);
    random_seed(&random, seed);
    random_net(&net, &terms, &random, false);
    play_starts(&net, &random, widths[seed % LENGTH(widths)],
                1 + random_below(&random, 40), 1 + random_below(&random, 50));
    stream_starts(&net, &random, widths[seed % LENGTH(widths)]);
    net_free(&net);
    terms_free(&terms);
  }
}

/* ---- limits ---- */

/* ---- turns ---- */

/* Random games in the slow evaluation: their states' phases; and rows of them.
 */
static void walk(Replay *replay, const Phase *phase, Random *random,
                 uint32_t count, uint64_t *rows) {
  const Net *net = replay->net;
  uint32_t row_words = lanes_row_words(net->fluents.count), step = 0;
  for (uint32_t i = 0; i < count; i++, step++, rows += row_words) {
    uint32_t joint[REPLAY_ROLES];
    if (!step || replay_value(replay, net->terminal)) {
      replay_enter(replay, NULL);
      step = 0;
    }
    memset(rows, 0, row_words * sizeof *rows);
    for (uint32_t j = 0; j < net->fluents.count; j++)
      rows[j / 64] |= (uint64_t)replay->state[j] << j % 64;
    assert_int_equal(phase_of(phase, rows), step % phase->period);
    for (uint32_t role = 0; role < net->role_count; role++) {
      uint32_t rank = random_below(random, replay_count_legal(replay, role));
      uint32_t move = net->role_first.data[role];
      while (!replay_value(replay, net->moves.data[move].legal) || rank--)
        move++;
      joint[role] = move;
    }
    replay_make(replay, joint);
  }
}

/* Phases are found, and states of any phase can be mixed. */
static void test_turns(void **state) {
  static const struct {
    const char *path;
    uint32_t period;
  } cases[] = {{"games/ticTacToe.kif", 2},
               {"games/ticTicToe.kif", 1},
               {"games/lightsOut.kif", 1},
               {"games/pentago.kif", 4},
               {"games/chineseCheckers4.kif", 4}};
  enum { ROWS = 700, REPEAT = 3 };
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Loaded loaded;
    Replay replay;
    Phase phase;
    Random random;
    load(&loaded, cases[i].path);
    replay_init(&replay, &loaded.net);
    random_seed(&random, i);
    Cones *cones = make_cones(&loaded.net, best_isa(), false, 4);
    uint64_t *memory = cones_memory_new(cones);
    uint64_t *rows = memory_new(
        ROWS * lanes_row_words(loaded.net.fluents.count) * sizeof *rows);
    phase_init(&phase, cones, memory);
    assert_int_equal(phase.period, cases[i].period);
    walk(&replay, &phase, &random, ROWS, rows);
    Wide *wide = make_wide(cones, &replay, 5, 200);
    wide_set_starts(wide, rows, ROWS, REPEAT);
    assert_int_equal(wide_play(wide, ROWS), ROWS);
    check_games(&replay, rows, 200, 30);
    check_starts(&replay, wide, ROWS, REPEAT);
    wide_delete(wide);
    phase_free(&phase);
    memory_delete(rows);
    memory_delete(memory);
    cones_delete(cones);
    replay_free(&replay);
    unload(&loaded);
  }
}

/* ---- limits ---- */

/* One fluent that never changes anything, and two moves: a game without end. */
static void make_endless(Net *net, Terms *terms) {
  net_init(net, 1);
  Signal fluent = net_add_fluent(net, random_net_term(terms, "f", 0), true);
  net_add_move(net, 0, random_net_term(terms, "m", 0));
  net_add_move(net, 0, random_net_term(terms, "m", 1));
  net->fluents.data[0].next = fluent;
  net->moves.data[0].legal = net->moves.data[1].legal = SIGNAL_TRUE;
  net->terminal = signal_not(fluent);
  vector_push(&net->goals,
              ((NetGoal){0, 100, front_term(terms, "100"), SIGNAL_TRUE}));
}

static void test_endless(void **state) {
  (void)state;
  for (uint32_t limit = 1; limit < 20; limit += 3) {
    Terms terms;
    Net net;
    Replay replay;
    terms_init(&terms);
    make_endless(&net, &terms);
    replay_init(&replay, &net);
    Cones *cones = make_cones(&net, best_isa(), false, 8);
    Wide *wide = make_wide(cones, &replay, 3, limit);
    wide_run(wide, 3 * (limit + 1));
    const WideTotals *totals = wide_totals(wide);
    assert_int_equal(totals->cut_off, 3 * 512);
    assert_int_equal(totals->states, 3 * 512 * limit);
    assert_int_equal(totals->ended + totals->stuck + totals->steps, 0);
    assert_int_equal(totals->scored[0] + totals->goals[0], 0);
    assert_int_equal(wide_credit(wide)[0].playouts, 0);
    check_games(&replay, NULL, limit, 30);
    wide_delete(wide);
    cones_delete(cones);
    replay_free(&replay);
    net_free(&net);
    terms_free(&terms);
  }
}

/* ---- many states at once ---- */

static void check_item(Replay *replay, const ExpandTask *task, uint32_t item) {
  const Net *net = replay->net;
  uint32_t roles = net->role_count;
  uint32_t fluent_words = lanes_row_words(net->fluents.count);
  replay_enter(replay, task->states + item * fluent_words);
  if (task->joints) replay_make(replay, task->joints + item * roles);
  const uint64_t *row = task->successors + item * fluent_words;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    assert_int_equal(lanes_bit(row, i), replay->state[i]);
  const uint64_t *legal =
      task->legal + item * lanes_row_words(net->moves.count);
  for (uint32_t i = 0; i < net->moves.count; i++)
    assert_int_equal(lanes_bit(legal, i),
                     replay_value(replay, net->moves.data[i].legal));
  assert_int_equal(task->terminal[item], replay_value(replay, net->terminal));
  for (uint32_t role = 0; role < roles; role++)
    assert_int_equal(task->goals[item * roles + role],
                     replay_goal(replay, role));
}

static void expand_any(const Net *net, Random *random, uint32_t words,
                       uint32_t count, bool moves) {
  uint32_t fluent_words = lanes_row_words(net->fluents.count);
  uint32_t move_words = lanes_row_words(net->moves.count);
  uint64_t *states = memory_new((size_t)count * fluent_words * 8);
  uint32_t *joints = memory_new((size_t)count * net->role_count * 4);
  for (uint32_t i = 0; i < count * fluent_words; i++)
    states[i] = random_next(random);
  for (uint32_t i = 0; i < count * net->role_count; i++) {
    const uint32_t *first = net->role_first.data + i % net->role_count;
    joints[i] = first[0] + random_below(random, first[1] - first[0]);
  }
  ExpandTask task = {.count = count,
                     .states = states,
                     .joints = moves ? joints : NULL,
                     .successors = memory_new((size_t)count * fluent_words * 8),
                     .legal = memory_new((size_t)count * move_words * 8),
                     .terminal = memory_new(count),
                     .goals = memory_new((size_t)count * net->role_count * 4)};
  Cones *cones = make_cones(net, best_isa(), false, words);
  Expand expand;
  Replay replay;
  replay_init(&replay, net);
  expand_init(&expand, cones);
  expand_run(&expand, &task);
  for (uint32_t i = 0; i < count; i++) check_item(&replay, &task, i);
  expand_free(&expand);
  cones_delete(cones);
  replay_free(&replay);
  memory_delete(states);
  memory_delete(joints);
  memory_delete(task.successors);
  memory_delete(task.legal);
  memory_delete(task.terminal);
  memory_delete(task.goals);
}

static void test_expand(void **state) {
  (void)state;
  for (uint64_t seed = 200; seed < 240; seed++) {
    Terms terms;
    Net net;
    Random random;
    terms_init(&terms);
    random_seed(&random, seed);
    random_net(&net, &terms, &random, seed % 4 == 0);
    expand_any(&net, &random, widths[seed % LENGTH(widths)],
               1 + random_below(&random, 300), seed % 5);
    net_free(&net);
    terms_free(&terms);
  }
}

/* Next values that are other fluents' values: chains, circles, many of one. */
static void test_permutations(void **state) {
  (void)state;
  for (uint64_t seed = 300; seed < 340; seed++) {
    Terms terms;
    Net net;
    Random random;
    terms_init(&terms);
    random_seed(&random, seed);
    net_init(&net, 1);
    uint32_t count = 1 + random_below(&random, 20);
    for (uint32_t i = 0; i < count; i++)
      net_add_fluent(&net, random_net_term(&terms, "f", i), false);
    net_add_move(&net, 0, random_net_term(&terms, "m", 0));
    net.moves.data[0].legal = SIGNAL_TRUE;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t from =
          seed % 2 ? (i * 7 + 1) % count : random_below(&random, count);
      net.fluents.data[i].next = gate_signal(net.fluents.data[from].gate);
    }
    expand_any(&net, &random, widths[seed % LENGTH(widths)], 100, true);
    net_free(&net);
    terms_free(&terms);
  }
}

/* ---- records ---- */

/* Lanes begin at any steps, also where 32 bits of their number run over; their
   first steps are known and kept. */
static void test_first_steps(void **state) {
  (void)state;
  Terms terms;
  Net net;
  Random random;
  Record record;
  Choose choose;
  uint64_t expected[128], lanes[2], all[2] = {~UINT64_C(0), ~UINT64_C(0)};
  terms_init(&terms);
  random_seed(&random, 1);
  make_endless(&net, &terms);
  Cones *cones = make_cones(&net, ISA_PLAIN, false, 2);
  choose_init(&choose, cones, 1);
  record_init(&record, cones);
  record.now = record.oldest = (UINT64_C(1) << 32) - 300;
  record_begin(&record, all);
  for (uint32_t lane = 0; lane < 128; lane++) expected[lane] = record.now;
  for (uint32_t step = 0; step < 4000; step++) {
    record_step(&record, &choose, NULL, all);
    for (uint32_t i = 0; i < 2; i++)
      lanes[i] = random_next(&random) & random_next(&random) &
                 random_next(&random) & random_next(&random) &
                 random_next(&random) & random_next(&random);
    record_begin(&record, lanes);
    for (uint32_t lane = 0; lane < 128; lane++) {
      if (lanes_bit(lanes, lane)) expected[lane] = record.now;
      assert_true(record_first(&record, lane) == expected[lane]);
      assert_true(record.oldest <= expected[lane]);
    }
    assert_true(record.now - record.oldest <= record.capacity);
  }
  assert_true(record.capacity < 4096);
  assert_true(record.oldest > UINT64_C(1) << 32);
  record_free(&record);
  choose_free(&choose);
  cones_delete(cones);
  net_free(&net);
  terms_free(&terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_nets),
      cmocka_unit_test(test_library),
      cmocka_unit_test(test_same_everywhere),
      cmocka_unit_test(test_starts),
      cmocka_unit_test(test_turns),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_expand),
      cmocka_unit_test(test_permutations),
      cmocka_unit_test(test_first_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
