#include "twin.h"

#include <math.h>

#include "base/bits.h"
#include "support/replay.h"

static Signal and_two(Net *net, Signal a, Signal b) {
  return net_and(net, (Signal[]){a, b}, 2);
}

/* none[i]: no move up to the i-th is legal, by doubling how many it looks at.
 */
static void single_role(Net *net, uint32_t first, uint32_t count,
                        uint32_t turn) {
  Signal *none = memory_new((count + 1) * sizeof *none);
  for (uint32_t i = 0; i < count; i++)
    none[i] = signal_not(net->moves.data[first + (i + turn) % count].legal);
  for (uint32_t step = 1; step < count; step *= 2)
    for (uint32_t i = count; i-- > step;)
      none[i] = and_two(net, none[i], none[i - step]);
  for (uint32_t i = 1; i < count; i++) {
    NetMove *move = &net->moves.data[first + (i + turn) % count];
    move->legal = and_two(net, move->legal, none[i - 1]);
  }
  memory_delete(none);
}

void twin_single(Net *net, Random *random) {
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t first = net->role_first.data[role];
    uint32_t count = net->role_first.data[role + 1] - first;
    if (count) single_role(net, first, count, random_below(random, count));
  }
}

/* Returns false if a role has no move. */
static bool find_joint(const Replay *replay, uint32_t *joint) {
  const Net *net = replay->net;
  for (uint32_t role = 0; role < net->role_count; role++) {
    joint[role] = UINT32_MAX;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++)
      if (replay_value(replay, net->moves.data[i].legal)) joint[role] = i;
    if (joint[role] == UINT32_MAX) return false;
  }
  return true;
}

static void add_goals(const Replay *replay, TwinSums *expect, double gamma) {
  for (uint32_t role = 0; role < replay->net->role_count; role++) {
    int goal = replay_goal(replay, role);
    if (goal < 0) continue;
    double discount = pow(gamma, (double)expect->sums.steps);
    expect->roles[role] =
        (GpuRoleSums){.scored = 1,
                      .goals = (uint64_t)goal,
                      .goal_squares = (uint64_t)(goal * goal),
                      .returns = (uint64_t)llrint(65536 * goal * discount)};
  }
}

TwinSums twin_playout(const Net *net, const uint64_t *row, uint32_t limit,
                      double gamma) {
  TwinSums expect = {0};
  Replay replay;
  uint32_t joint[TWIN_ROLES];
  replay_init(&replay, net);
  replay_enter(&replay, row);
  for (;;) {
    if (replay_value(&replay, net->terminal)) {
      expect.sums.ended = 1;
      expect.sums.steps = expect.sums.states;
      add_goals(&replay, &expect, gamma);
      break;
    }
    if (expect.sums.states == limit) {
      expect.sums.cut_off = 1;
      break;
    }
    if (!find_joint(&replay, joint)) {
      expect.sums.stuck = 1;
      break;
    }
    replay_make(&replay, joint);
    expect.sums.states++;
  }
  replay_free(&replay);
  return expect;
}

uint32_t twin_path(const Net *net, uint32_t limit, uint64_t **rows) {
  Replay replay;
  uint32_t joint[TWIN_ROLES], count = 0;
  size_t words = bits_words(net->fluents.count);
  *rows = memory_new((limit + 1) * words * sizeof **rows);
  replay_init(&replay, net);
  replay_enter(&replay, NULL);
  for (;;) {
    for (uint32_t i = 0; i < net->fluents.count; i++)
      if (replay.state[i]) bits_add(*rows + count * words, i);
    if (count++ == limit || replay_value(&replay, net->terminal) ||
        !find_joint(&replay, joint))
      break;
    replay_make(&replay, joint);
  }
  replay_free(&replay);
  return count;
}

static void check_equal(const char *what, const char *field, uint64_t value,
                        uint64_t wanted) {
  if (value != wanted)
    fail_msg("%s: %s are %llu, not %llu", what, field,
             (unsigned long long)value, (unsigned long long)wanted);
}

void twin_check(const Net *net, const TwinSums *one, uint64_t repeat,
                const GpuSums *sums, const GpuRoleSums *roles,
                const char *what) {
  check_equal(what, "states", sums->states, repeat * one->sums.states);
  check_equal(what, "ended", sums->ended, repeat * one->sums.ended);
  check_equal(what, "cut off", sums->cut_off, repeat * one->sums.cut_off);
  check_equal(what, "stuck", sums->stuck, repeat * one->sums.stuck);
  check_equal(what, "steps", sums->steps, repeat * one->sums.steps);
  for (uint32_t role = 0; role < net->role_count; role++) {
    const GpuRoleSums *wanted = &one->roles[role];
    check_equal(what, "scored", roles[role].scored, repeat * wanted->scored);
    check_equal(what, "goals", roles[role].goals, repeat * wanted->goals);
    check_equal(what, "squares", roles[role].goal_squares,
                repeat * wanted->goal_squares);
    double returns = (double)(repeat * wanted->returns);
    if (fabs((double)roles[role].returns - returns) >
        (double)repeat + 2e-6 * returns)
      fail_msg("%s: returns are %llu, not %.0f", what,
               (unsigned long long)roles[role].returns, returns);
  }
}

uint64_t *twin_rows(const Net *net, Random *random, uint32_t count) {
  size_t words = bits_words(net->fluents.count);
  uint64_t *rows = memory_new(count * words * sizeof *rows + 8);
  for (uint32_t row = 0; row < count; row++)
    for (uint32_t i = 0; i < net->fluents.count; i++)
      if (row ? random_below(random, 2) : net->fluents.data[i].initial)
        bits_add(rows + row * words, i);
  return rows;
}

RosterShape twin_shape(Random *random) {
  RosterShape shape = {.words = 1u << random_below(random, 6),
                       .bunch = 1u << random_below(random, 3),
                       .entries = 1 + random_below(random, 4)};
  if (shape.bunch > shape.words) shape.bunch = shape.words;
  shape.warps = shape.words;
  while (shape.warps < 32 && random_below(random, 2)) shape.warps *= 2;
  return shape;
}
