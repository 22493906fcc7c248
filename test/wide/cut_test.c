/* Playouts that are cut off tell where: replayed move by move with single wide
   steps, the moves lead to the state that the listener is given. */
#include "support/playouts.h"

#include "wide/expand.h"
#include "wide/lanes.h"

typedef struct Cuts {
  const Net *net;
  Wide *wide;
  Expand expand;
  uint32_t words, limit;
  uint32_t count, moved; /* playouts checked, and of those with another state */
} Cuts;

static void hear(void *context, const WidePlayout *playout) {
  Cuts *cuts = context;
  uint32_t roles = cuts->net->role_count;
  if (playout->outcome != WIDE_CUT_OFF) return;
  assert_int_equal(playout->steps, cuts->limit);
  uint64_t *state = memory_new(2 * cuts->words * sizeof *state);
  uint64_t *next = state + cuts->words;
  uint32_t joint[RULE_ROLES];
  for (uint32_t i = 0; i < cuts->net->fluents.count; i++)
    if (cuts->net->fluents.data[i].initial) bits_add(state, i);
  for (uint32_t step = 0; step < playout->steps; step++) {
    for (uint32_t role = 0; role < roles; role++)
      joint[role] = wide_move(cuts->wide, playout, step, role);
    ExpandTask task = {
        .count = 1, .states = state, .joints = joint, .successors = next};
    expand_run(&cuts->expand, &task);
    cuts->moved += memcmp(state, next, cuts->words * sizeof *state) != 0;
    memcpy(state, next, cuts->words * sizeof *state);
  }
  assert_memory_equal(state, playout->state, cuts->words * sizeof *state);
  cuts->count++;
  memory_delete(state);
}

static void check_cuts(const char *path, uint32_t limit) {
  Loaded loaded;
  load(&loaded, path);
  Cones *cones = make_cones(&loaded.net, best_isa(), false, 1);
  Cuts cuts = {.net = &loaded.net,
               .words = (uint32_t)bits_words(loaded.net.fluents.count),
               .limit = limit};
  expand_init(&cuts.expand, cones);
  WideOptions options = {.seed = 1,
                         .step_limit = 50,
                         .states = true,
                         .record = true,
                         .listener = hear,
                         .context = &cuts};
  cuts.wide = wide_new(cones, &options);
  wide_set_limit(cuts.wide, limit);
  assert_true(wide_run(cuts.wide, 6 * limit));
  assert_true(cuts.count >= 64);
  assert_true(cuts.moved >= 64);
  wide_delete(cuts.wide);
  expand_free(&cuts.expand);
  cones_delete(cones);
  unload(&loaded);
}

static void test_states(void **state) {
  (void)state;
  check_cuts("games/ticTacToe.kif", 3);
  check_cuts("games/connectFour.kif", 6);
  check_cuts("games/breakthrough.kif", 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
