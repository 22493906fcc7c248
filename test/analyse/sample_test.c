/* 64 random games at once against the slow evaluation of the net, lane by lane:
   every gate, one legal move for each role, the successor, and a new game after
   the end. */
#include "analyse/sample.h"

#include "support/random_net.h"

static bool bit(uint64_t word, uint32_t lane) {
  return word >> lane & 1;
}

static void compare_gates(const Sample *sample, uint32_t lane) {
  const Net *net = sample->net;
  bool *fluents = memory_new(net->fluents.count);
  bool *moves = memory_new(net->moves.count);
  bool *values = memory_new(net->gates.count);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    fluents[i] = bit(sample->state[i], lane);
  for (uint32_t m = 0; m < net->moves.count; m++)
    moves[m] = bit(sample->values[net->moves.data[m].gate], lane);
  net_evaluate(net, fluents, moves, values);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    assert_int_equal(bit(sample->values[gate], lane), values[gate]);
  memory_delete(fluents);
  memory_delete(moves);
  memory_delete(values);
}

static void check_moves(const Sample *sample, uint32_t lane) {
  const Net *net = sample->net;
  bool moving = !bit(sample_value(sample, net->terminal), lane);
  assert_int_equal(bit(sample->terminal, lane), !moving);
  for (uint32_t role = 0; role < net->role_count; role++) {
    bool any = false;
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1]; m++)
      any |= bit(sample_value(sample, net->moves.data[m].legal), lane);
    moving &= any;
  }
  assert_int_equal(bit(sample->moving, lane), moving);
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t done = 0;
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1]; m++) {
      if (!bit(sample->values[net->moves.data[m].gate], lane)) continue;
      assert_true(bit(sample_value(sample, net->moves.data[m].legal), lane));
      done++;
    }
    assert_int_equal(done, moving);
  }
}

/* The state after the next step is the next value now, or the initial one. */
static void check_step(Sample *sample) {
  const Net *net = sample->net;
  uint64_t *wanted = memory_new(net->fluents.count * sizeof *wanted);
  uint64_t moving = sample->moving;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    wanted[i] = (sample_value(sample, net->fluents.data[i].next) & moving) |
                (net->fluents.data[i].initial ? ~moving : 0);
  sample_step(sample);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    assert_true(sample->state[i] == wanted[i]);
  memory_delete(wanted);
}

static void test_random_nets(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 23);
  for (int i = 0; i < 60; i++) {
    Terms terms;
    Net net;
    Sample sample;
    terms_init(&terms);
    random_net(&net, &terms, &random, i % 2);
    sample_init(&sample, &net, (uint64_t)i, 1000);
    sample_step(&sample);
    for (uint32_t j = 0; j < net.fluents.count; j++)
      assert_true(sample.state[j] ==
                  (net.fluents.data[j].initial ? UINT64_MAX : 0));
    for (int step = 0; step < 5; step++) {
      for (uint32_t lane = 0; lane < 64; lane += 9) {
        compare_gates(&sample, lane);
        check_moves(&sample, lane);
      }
      check_step(&sample);
    }
    sample_free(&sample);
    net_free(&net);
    terms_free(&terms);
  }
}

/* One fluent alternates forever: games are cut off. */
static void test_step_limit(void **state) {
  (void)state;
  Terms terms;
  Net net;
  Sample sample;
  terms_init(&terms);
  net_init(&net, 1);
  Signal one = net_add_fluent(&net, random_net_term(&terms, "f", 1), true);
  Signal two = net_add_fluent(&net, random_net_term(&terms, "f", 2), false);
  net_add_move(&net, 0, random_net_term(&terms, "m", 1));
  net.moves.data[0].legal = SIGNAL_TRUE;
  net.fluents.data[1].next = one;
  net.fluents.data[0].next = SIGNAL_FALSE;
  sample_init(&sample, &net, 1, 3);
  for (int step = 0; step < 12; step++) {
    sample_step(&sample);
    assert_true(sample_value(&sample, one) == (step % 4 ? 0 : UINT64_MAX));
    assert_true(sample_value(&sample, two) == (step % 4 == 1 ? UINT64_MAX : 0));
  }
  sample_free(&sample);
  net_free(&net);
  terms_free(&terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_nets),
      cmocka_unit_test(test_step_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
