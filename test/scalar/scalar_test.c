/* The scalar engine against the slow evaluation of its net: on random nets,
   with and without recursion, every answer in every state of random walks that
   make and retract moves, restart and jump; and against the rules engine on
   games of the library, trace by trace. */
#include "scalar/scalar.h"

#include "base/hash.h"
#include "engine/trace.h"
#include "game/book.h"
#include "scalar/zobrist.h"
#include "support/games.h"
#include "support/net_evaluate.h"
#include "support/random_net.h"

/* What the slow evaluation says about a state; earlier states are on a stack.
 */
typedef struct Twin {
  const Net *net;
  VECTOR(bool) way;
  bool *values, *moves;
} Twin;

static bool *twin_state(const Twin *twin) {
  return twin->way.data + twin->way.count - twin->net->fluents.count;
}

static bool twin_value(const Twin *twin, Signal signal) {
  return twin->values[signal_gate(signal)] != signal_negated(signal);
}

static void twin_reset(Twin *twin) {
  vector_clear(&twin->way);
  for (uint32_t i = 0; i < twin->net->fluents.count; i++)
    vector_push(&twin->way, twin->net->fluents.data[i].initial);
}

static void twin_init(Twin *twin, const Net *net) {
  *twin = (Twin){.net = net};
  twin->values = memory_new(net->gates.count);
  twin->moves = memory_new(net->moves.count);
  twin_reset(twin);
}

static void twin_free(Twin *twin) {
  vector_free(&twin->way);
  memory_delete(twin->values);
  memory_delete(twin->moves);
}

static void twin_make(Twin *twin, const Move *joint) {
  for (uint32_t role = 0; role < twin->net->role_count; role++)
    twin->moves[joint[role]] = true;
  net_evaluate(twin->net, twin_state(twin), twin->moves, twin->values);
  for (uint32_t i = 0; i < twin->net->fluents.count; i++)
    vector_push(&twin->way, twin_value(twin, twin->net->fluents.data[i].next));
  for (uint32_t role = 0; role < twin->net->role_count; role++)
    twin->moves[joint[role]] = false;
}

/* ---- comparing ---- */

static void compare_facts(Twin *twin, Game *game) {
  const Net *net = twin->net;
  const Term *facts;
  const uint64_t *state;
  uint32_t count = game_facts(game, &facts), at = 0;
  uint64_t key = 0;
  game_state(game, &state);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    bool here = at < count && facts[at] == net->fluents.data[i].term;
    assert_int_equal(here, twin_state(twin)[i]);
    assert_int_equal(state[i / 64] >> i % 64 & 1, here);
    if (here)
      key += hash_mix(term_hash(game_terms(game), net->fluents.data[i].term));
    at += here;
  }
  assert_int_equal(at, count);
  assert_true(game_key(game) == key);
  assert_true(game_state_hash(game) == key);
}

static void compare_legal(Twin *twin, Game *game, uint32_t role) {
  const Net *net = twin->net;
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves), at = 0;
  uint32_t first = net->role_first.data[role];
  for (uint32_t m = first; m < net->role_first.data[role + 1]; m++) {
    bool here = at < count && moves[at] == m;
    assert_int_equal(here, twin_value(twin, net->moves.data[m].legal));
    assert_int_equal(game_move_term(game, role, m), net->moves.data[m].term);
    at += here;
  }
  assert_int_equal(at, count);
}

static void compare_goals(Twin *twin, Game *game, uint32_t role) {
  const Term *values;
  uint32_t count = game_goals(game, role, &values), at = 0;
  for (uint32_t i = 0; i < twin->net->goals.count; i++) {
    const NetGoal *goal = &twin->net->goals.data[i];
    if (goal->role != role || !twin_value(twin, goal->signal)) continue;
    assert_true(at < count && values[at] == goal->term);
    at++;
  }
  assert_int_equal(at, count);
}

/* Ask some questions, in any order. */
static void compare(Twin *twin, Game *game, Random *random) {
  net_evaluate(twin->net, twin_state(twin), twin->moves, twin->values);
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t role = random_below(random, game->role_count);
    switch (random_below(random, 5)) {
    case 0: compare_facts(twin, game); break;
    case 1: compare_legal(twin, game, role); break;
    case 2: compare_goals(twin, game, role); break;
    case 3:
      assert_int_equal(game_terminal(game),
                       twin_value(twin, twin->net->terminal));
      break;
    default: break;
    }
  }
}

/* ---- walking ---- */

static void step(Twin *twin, Game *game, Random *random) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++) {
    uint32_t first = twin->net->role_first.data[role];
    joint[role] =
        first +
        random_below(random, twin->net->role_first.data[role + 1] - first);
  }
  twin_make(twin, joint);
  game_make(game, joint);
}

static void jump(Twin *twin, Game *game, Random *random) {
  const uint64_t *entered;
  uint32_t words = game_state(game, &entered);
  uint64_t *state = memory_new(words * sizeof *state);
  vector_clear(&twin->way);
  for (uint32_t i = 0; i < twin->net->fluents.count; i++) {
    bool value = random_below(random, 2);
    vector_push(&twin->way, value);
    state[i / 64] |= (uint64_t)value << i % 64;
  }
  game_enter(game, state, words);
  game_state(game, &entered);
  assert_memory_equal(entered, state, words * sizeof *state);
  memory_delete(state);
}

static void walk(Twin *twin, Game *game, Random *random) {
  for (int i = 0; i < 60; i++) {
    uint32_t what = random_below(random, 20);
    if (what == 0) {
      twin_reset(twin);
      game_reset(game);
    } else if (what == 1) {
      jump(twin, game, random);
    } else if (what < 7 && twin->way.count > twin->net->fluents.count) {
      twin->way.count -= twin->net->fluents.count;
      game_retract(game);
    } else {
      step(twin, game, random);
    }
    compare(twin, game, random);
  }
}

static void walk_random_nets(bool blocks, uint64_t seed) {
  Random random;
  random_seed(&random, seed);
  for (int i = 0; i < 400; i++) {
    Description description;
    Net net;
    Twin twin;
    front_read(&description, "(role a)");
    random_net(&net, &description.rules.terms, &random, blocks);
    Game *game = scalar_engine_new(&description, &net);
    twin_init(&twin, &net);
    compare_facts(&twin, game);
    walk(&twin, game, &random);
    twin_free(&twin);
    game_delete(game);
    net_free(&net);
    description_free(&description);
  }
}

static void test_random_nets(void **state) {
  (void)state;
  walk_random_nets(false, 1);
}

static void test_random_nets_with_loops(void **state) {
  (void)state;
  walk_random_nets(true, 2);
}

/* The same seed is the same game in every engine. */
static void compare_traces(const char *name) {
  char path[64];
  Description description;
  Text error = {0};
  TermVector script = {0};
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30},
                       .rules = {.memory = (size_t)256 << 20}};
  Net net;
  snprintf(path, sizeof path, "games/%s.kif", name);
  assert_true(description_read(&description, path, 1 << 20, &error));
  assert_true(games_net(&description, &limits, &net, &error));
  Game *games[2] = {scalar_engine_new(&description, &net),
                    rules_engine_new(&description, &limits.rules)};
  for (uint64_t seed = 1; seed <= 3; seed++) {
    Text texts[2] = {{0}, {0}};
    for (int i = 0; i < 2; i++) {
      Random random;
      random_seed(&random, seed);
      trace_write(games[i], &random, &script, 40, NULL, &texts[i]);
    }
    if (strcmp(texts[0].bytes, texts[1].bytes) != 0)
      fail_msg("%s: scalar\n%srules\n%s", name, texts[0].bytes, texts[1].bytes);
    text_free(&texts[0]);
    text_free(&texts[1]);
  }
  for (int i = 0; i < 2; i++) game_delete(games[i]);
  net_free(&net);
  description_free(&description);
}

static void test_games(void **state) {
  (void)state;
  static const char *const names[] = {
      "ticTacToe", "connectFour", "breakthrough", "ticTicToe",
      "bomberman", "hanoi",       "othello",      "pacman",
      "nim",       "checkers",    "maze",         "hex"};
  for (size_t i = 0; i < LENGTH(names); i++) compare_traces(names[i]);
}

static void test_keys(void **state) {
  (void)state;
  Terms terms;
  Net net;
  terms_init(&terms);
  net_init(&net, 1);
  for (uint32_t i = 0; i < 70; i++)
    net_add_fluent(&net, random_net_term(&terms, "f", i), false);
  uint64_t *keys = zobrist_keys(&net, &terms);
  uint64_t bits[2] = {0, 0};
  assert_true(zobrist_state_key(keys, bits, 70) == 0);
  bits[0] = 5, bits[1] = 32;
  assert_true(zobrist_state_key(keys, bits, 70) ==
              keys[0] + keys[2] + keys[69]);
  assert_true(keys[69] ==
              hash_mix(term_hash(&terms, net.fluents.data[69].term)));
  memory_delete(keys);
  net_free(&net);
  terms_free(&terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_nets),
      cmocka_unit_test(test_random_nets_with_loops),
      cmocka_unit_test(test_games),
      cmocka_unit_test(test_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
