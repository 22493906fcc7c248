#include "support/playouts.h"
#include "support/games.h"

const uint32_t widths[5] = {1, 2, 4, 8, 16};

Cones *make_cones(const Net *net, Isa isa, bool jit, uint32_t words) {
  return cones_new(net, &(ProgramMode){isa, jit, words});
}

Isa best_isa(void) {
  Isa best = ISA_PLAIN;
  for (Isa isa = ISA_PLAIN; isa < ISA_COUNT; isa++)
    if (isa_available(isa)) best = isa;
  return best;
}

Wide *make_wide(const Cones *cones, Replay *replay, uint64_t seed,
                uint32_t limit) {
  WideOptions options = {.seed = seed,
                         .step_limit = limit,
                         .record = true,
                         .credit = true,
                         .rivals = true,
                         .listener = replay_listen,
                         .context = replay};
  return replay->wide = wide_new(cones, &options);
}

/* ---- what the records say ---- */

void check_totals(const Replay *replay, const WideTotals *totals) {
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

void check_credit(const Replay *replay, const CreditSum *credit) {
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
      if (net->role_count != 2) continue;
      int rival = game->goals[1 - net->moves.data[move].role];
      if (rival > 0) sums[move].rival_goals += (uint64_t)rival;
    }
  }
  for (uint32_t i = 0; i < net->moves.count; i++) {
    assert_int_equal(credit[i].playouts, sums[i].playouts);
    assert_int_equal(credit[i].goals, sums[i].goals);
    assert_int_equal(credit[i].rival_goals, sums[i].rival_goals);
  }
  memory_delete(sums);
  memory_delete(last);
}

void check_games(Replay *replay, const uint64_t *rows, uint32_t limit,
                 uint32_t most) {
  size_t row_words = bits_words(replay->net->fluents.count);
  for (uint32_t i = 0; i < replay->games.count && i < most; i++) {
    const ReplayGame *game = &replay->games.data[i];
    replay_check(replay, game, rows ? rows + game->start * row_words : NULL,
                 limit);
  }
}

/* ---- games of the library ---- */

void load(Loaded *loaded, const char *path) {
  Text error = {0};
  BookLimits limits = {
      .ground = {.seconds = 20, .ticks = UINT64_MAX, .memory = (size_t)1 << 30},
      .reduce_seconds = 1};
  assert_true(description_read(&loaded->description, path, 1 << 20, &error));
  assert_true(games_net(&loaded->description, &limits, &loaded->net, &error));
  text_free(&error);
}

void unload(Loaded *loaded) {
  net_free(&loaded->net);
  description_free(&loaded->description);
}

void make_endless(Net *net, Terms *terms) {
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
