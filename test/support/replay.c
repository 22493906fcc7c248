#include "support/replay.h"

#include "base/hash.h"
#include "support/net_evaluate.h"

void replay_init(Replay *replay, const Net *net) {
  *replay = (Replay){.net = net};
  replay->state = memory_new(net->fluents.count);
  replay->does = memory_new(net->moves.count);
  replay->values = memory_new(net->gates.count);
}

void replay_free(Replay *replay) {
  vector_free(&replay->games);
  vector_free(&replay->moves);
  memory_delete(replay->state);
  memory_delete(replay->does);
  memory_delete(replay->values);
}

void replay_listen(void *context, const WidePlayout *playout) {
  Replay *replay = context;
  ReplayGame game = {playout->outcome,
                     playout->start,
                     playout->steps,
                     replay->moves.count,
                     {0}};
  for (uint32_t role = 0; role < replay->net->role_count; role++)
    game.goals[role] = playout->goals[role];
  vector_push(&replay->games, game);
  for (uint32_t step = 0; step < playout->steps; step++)
    for (uint32_t role = 0; role < replay->net->role_count; role++) {
      uint32_t move = wide_move(replay->wide, playout, step, role);
      vector_push(&replay->moves, move);
    }
}

bool replay_value(const Replay *replay, Signal signal) {
  return replay->values[signal_gate(signal)] != signal_negated(signal);
}

static void replay_see(Replay *replay) {
  net_evaluate(replay->net, replay->state, replay->does, replay->values);
}

void replay_make(Replay *replay, const uint32_t *joint) {
  const Net *net = replay->net;
  for (uint32_t role = 0; role < net->role_count; role++)
    replay->does[joint[role]] = true;
  replay_see(replay);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    replay->state[i] = replay_value(replay, net->fluents.data[i].next);
  memset(replay->does, 0, net->moves.count);
  replay_see(replay);
}

void replay_enter(Replay *replay, const uint64_t *row) {
  for (uint32_t i = 0; i < replay->net->fluents.count; i++)
    replay->state[i] =
        row ? bits_has(row, i) : replay->net->fluents.data[i].initial;
  replay_see(replay);
}

uint32_t replay_count_legal(const Replay *replay, uint32_t role) {
  const Net *net = replay->net;
  uint32_t count = 0;
  for (uint32_t i = net->role_first.data[role];
       i < net->role_first.data[role + 1]; i++)
    count += replay_value(replay, net->moves.data[i].legal);
  return count;
}

static bool replay_stuck(const Replay *replay) {
  for (uint32_t role = 0; role < replay->net->role_count; role++)
    if (!replay_count_legal(replay, role)) return true;
  return false;
}

int replay_goal(const Replay *replay, uint32_t role) {
  const Net *net = replay->net;
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].role == role &&
        replay_value(replay, net->goals.data[i].signal))
      return net->goals.data[i].value;
  return -1;
}

void replay_check(Replay *replay, const ReplayGame *game, const uint64_t *row,
                  uint32_t limit) {
  const Net *net = replay->net;
  const uint32_t *joint = replay->moves.data + game->first;
  replay_enter(replay, row);
  for (uint32_t step = 0; step < game->steps; step++) {
    assert_false(replay_value(replay, net->terminal));
    for (uint32_t role = 0; role < net->role_count; role++) {
      assert_int_equal(net->moves.data[joint[role]].role, role);
      assert_true(replay_value(replay, net->moves.data[joint[role]].legal));
    }
    replay_make(replay, joint);
    joint += net->role_count;
  }
  bool terminal = replay_value(replay, net->terminal);
  assert_int_equal(terminal, game->outcome == WIDE_ENDED);
  if (game->outcome == WIDE_CUT_OFF) assert_int_equal(game->steps, limit);
  if (game->outcome == WIDE_STUCK) assert_true(replay_stuck(replay));
  for (uint32_t role = 0; terminal && role < net->role_count; role++)
    assert_int_equal(game->goals[role], replay_goal(replay, role));
}

void replay_check_expansion(Replay *replay, const ExpandTask *task,
                            uint32_t item) {
  const Net *net = replay->net;
  uint32_t roles = net->role_count;
  size_t words = bits_words(net->fluents.count);
  replay_enter(replay, task->states + item * words);
  if (task->joints) replay_make(replay, task->joints + item * roles);
  const uint64_t *row = task->successors + item * words;
  const uint64_t *legal = task->legal + item * bits_words(net->moves.count);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    assert_int_equal(bits_has(row, i), replay->state[i]);
  for (uint32_t i = 0; i < net->moves.count; i++)
    assert_int_equal(bits_has(legal, i),
                     replay_value(replay, net->moves.data[i].legal));
  assert_int_equal(task->terminal[item], replay_value(replay, net->terminal));
  for (uint32_t role = 0; role < roles; role++)
    assert_int_equal(task->goals[item * roles + role],
                     replay_goal(replay, role));
}

uint64_t replay_sign(const Replay *replay) {
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
