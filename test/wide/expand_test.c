/* The wide step against the slow evaluation of the net. */
#include "support/playouts.h"

#include "wide/expand.h"

/* ---- many states at once ---- */

/* The same once more in another order, some of them twice, and told by a
   program of its own which are ends. */
static void expand_again(Expand *expand, const ExpandTask *task,
                         Random *random) {
  const Cones *cones = expand->cones;
  const Net *net = cones->net;
  size_t words = bits_words(net->fluents.count), roles = net->role_count;
  Program *ends = program_new(net, &net->terminal, 1);
  uint32_t *owners = memory_new(task->count * sizeof *owners);
  uint32_t *joints = memory_new(task->count * roles * sizeof *joints);
  ExpandTask again = {.count = task->count,
                      .states = task->states,
                      .owners = owners,
                      .joints = task->joints ? joints : NULL,
                      .successors = memory_new(task->count * words * 8),
                      .terminal = memory_new(task->count)};
  for (uint32_t i = 0; i < task->count; i++) {
    owners[i] = random_below(random, task->count);
    if (task->joints)
      memcpy(joints + i * roles, task->joints + owners[i] * roles,
             roles * sizeof *joints);
  }
  assert_true(program_prepare(ends, &cones->mode));
  expand_know_ends(expand, ends);
  expand_run(expand, &again);
  for (uint32_t i = 0; i < task->count; i++) {
    assert_memory_equal(again.successors + i * words,
                        task->successors + owners[i] * words, words * 8);
    assert_int_equal(again.terminal[i], task->terminal[owners[i]]);
  }
  program_delete(ends);
  memory_delete(owners);
  memory_delete(joints);
  memory_delete(again.successors);
  memory_delete(again.terminal);
}

static void expand_any(const Net *net, Random *random, uint32_t words,
                       uint32_t count, bool moves) {
  size_t fluent_words = bits_words(net->fluents.count);
  size_t move_words = bits_words(net->moves.count);
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
  for (uint32_t i = 0; i < count; i++)
    replay_check_expansion(&replay, &task, i);
  expand_again(&expand, &task, random);
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

/* Next values that are other fluents' values: chains, cycles, many copies of
   one. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_expand),
      cmocka_unit_test(test_permutations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
