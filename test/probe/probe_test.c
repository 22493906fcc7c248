/* The games of the probes: they are valid without warnings, as long as the
   probes need, and stay so when renamed. */
#include "base/random.h"
#include "probe/probe_parts.h"
#include "rules/rules.h"
#include "support/unit.h"

static const RulesLimits limits = {.memory = 64 << 20, .seconds = 10};

static Game *open_game(Description *description, const char *rules) {
  description_init(description, "probe", rules, strlen(rules));
  assert_true(description_valid(description));
  assert_int_equal(description->report.list.count, 0);
  return rules_engine_new(description, &limits);
}

static void close_game(Description *description, Game *game) {
  game_delete(game);
  description_free(description);
}

/* Plays a random game to the end; returns the number of steps. */
static uint32_t play(Game *game, Random *random) {
  uint32_t steps = 0;
  for (; !game_terminal(game); steps++) {
    Move joint[PROBE_MOST_ROLES];
    for (uint32_t role = 0; role < game->role_count; role++) {
      const Move *moves;
      uint32_t count = game_legal(game, role, &moves);
      assert_true(count > 0);
      joint[role] = moves[random_below(random, count)];
    }
    game_make(game, joint);
  }
  for (uint32_t role = 0; role < game->role_count; role++)
    assert_true(game_goal(game, role) >= 0);
  return steps;
}

static void games_are_long_enough(void **state) {
  (void)state;
  const struct {
    const char *rules;
    uint32_t roles, least, most;
  } cases[] = {{probe_rules_line, 2, 7, 16},
               {probe_rules_fingers, 3, 2, 2},
               {probe_rules_lamps, 1, 2, 2}};
  Random random;
  random_seed(&random, 1);
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Description description;
    Game *game = open_game(&description, cases[i].rules);
    assert_int_equal(game->role_count, cases[i].roles);
    for (int round = 0; round < 50; round++) {
      game_reset(game);
      uint32_t steps = play(game, &random);
      assert_in_range(steps, cases[i].least, cases[i].most);
    }
    close_game(&description, game);
  }
}

static void role_name(Game *game, uint32_t role, Text *text) {
  term_write(game_terms(game), game_role(game, role), text);
}

static void renamed_games_are_games(void **state) {
  (void)state;
  Random random;
  Text mixed = {0}, scrambled = {0}, name = {0};
  Description description;
  random_seed(&random, 1);
  probe_rename_mixed(probe_rules_line, &mixed);
  probe_rename_random(probe_rules_line, &random, &scrambled);
  Game *game = open_game(&description, mixed.bytes);
  assert_in_range(play(game, &random), 7, 16);
  role_name(game, 1, &name);
  assert_string_equal(name.bytes, "BlAcK");
  close_game(&description, game);
  game = open_game(&description, scrambled.bytes);
  assert_in_range(play(game, &random), 7, 16);
  text_clear(&name);
  role_name(game, 0, &name);
  assert_int_equal(name.length, 10);
  assert_null(strstr(scrambled.bytes, "white"));
  assert_null(strstr(scrambled.bytes, "mark"));
  assert_non_null(strstr(scrambled.bytes, "(<= terminal "));
  close_game(&description, game);
  text_free(&mixed);
  text_free(&scrambled);
  text_free(&name);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(games_are_long_enough),
                                     cmocka_unit_test(renamed_games_are_games)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
