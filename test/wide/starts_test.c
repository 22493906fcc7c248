/* Playouts from given states, each as often as requested, in batches and as a
   stream, whatever the phase of the states. */
#include "support/playouts.h"
#include "wide/phase.h"

/* ---- starts ---- */

/* Counts the playouts of a start that were reported since game `from`. */
static uint32_t count_playouts(const Replay *replay, uint32_t start,
                               uint32_t from) {
  uint32_t count = 0;
  for (uint32_t i = from; i < replay->games.count; i++)
    count += replay->games.data[i].start == start;
  return count;
}

static uint64_t total_steps(const Replay *replay) {
  uint64_t steps = 0;
  for (uint32_t i = 0; i < replay->games.count; i++)
    steps += replay->games.data[i].steps;
  return steps;
}

/* Plays random states `repeat` times each, then the initial state again. */
static void play_starts(const Net *net, Random *random, uint32_t words,
                        uint32_t count, uint32_t repeat) {
  size_t row_words = bits_words(net->fluents.count);
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
  for (uint32_t start = 0; start < count; start++)
    assert_int_equal(count_playouts(&replay, start, 0), repeat);
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

/* Plays a stream: numbers are reused for other states as soon as their starts
   are done. */
static void stream_starts(const Net *net, Random *random, uint32_t words) {
  enum { SLOTS = 150, ROUNDS = 40 };
  size_t row_words = bits_words(net->fluents.count);
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
    for (uint32_t i = 0; i < done; i++) {
      uint32_t slot = wide_done(wide, i);
      assert_int_equal(count_playouts(&replay, slot, from[slot]), repeat[slot]);
    }
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

/* ---- turns ---- */

/* Plays random games by the slow evaluation, checks the phases of their states
   and collects the states in `rows`. */
static void walk(Replay *replay, const Phase *phase, Random *random,
                 uint32_t count, uint64_t *rows) {
  const Net *net = replay->net;
  size_t row_words = bits_words(net->fluents.count);
  uint32_t step = 0;
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
    uint64_t *rows =
        memory_new(ROWS * bits_words(loaded.net.fluents.count) * sizeof *rows);
    phase_init(&phase, cones, memory);
    assert_int_equal(phase.period, cases[i].period);
    walk(&replay, &phase, &random, ROWS, rows);
    Wide *wide = make_wide(cones, &replay, 5, 200);
    wide_set_starts(wide, rows, ROWS, REPEAT);
    assert_int_equal(wide_play(wide, ROWS), ROWS);
    check_games(&replay, rows, 200, 30);
    for (uint32_t start = 0; start < ROWS; start++)
      assert_int_equal(count_playouts(&replay, start, 0), REPEAT);
    wide_delete(wide);
    phase_free(&phase);
    memory_delete(rows);
    memory_delete(memory);
    cones_delete(cones);
    replay_free(&replay);
    unload(&loaded);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_starts),
      cmocka_unit_test(test_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
