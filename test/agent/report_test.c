/* Reports of searches: each of the best moves has an expected line of legal
   moves, and the line of a solved game leads to its value. */
#include "agent/spec.h"
#include "engine/moves.h"
#include "support/front.h"
#include "support/games.h"
#include "support/library.h"

static Agent *make(Book *book, const char *text) {
  AgentSpecs specs;
  games_specs(&specs, text);
  Agent *agent = spec_agent(&specs.data[0], book, 0, 7);
  spec_free_list(&specs);
  return agent;
}

/* Plays the line in a game at the agent's state and stays at its end. */
static void follow(Game *game, const AgentLine *line) {
  Move joint[RULE_ROLES];
  Term noop = front_term(&game->description->rules.terms, "noop");
  for (uint32_t step = 0; step < line->count; step++) {
    assert_false(game_terminal(game));
    for (uint32_t role = 0; role < game->role_count; role++) {
      const AgentStep *part = &line->steps[step * game->role_count + role];
      const Move *legal;
      Term move = game_move_term(game, role, part->move);
      joint[role] = part->move;
      assert_true(moves_contain(game, role, part->move));
      /* an only move may be the role's turn, too, unless it is waiting */
      if (game_legal(game, role, &legal) > 1)
        assert_true(part->chosen);
      else if (move == noop)
        assert_false(part->chosen);
    }
    game_make(game, joint);
  }
}

static void check_lines(Agent *agent, Game *game) {
  AgentReport report;
  agent_report(agent, &report);
  assert_true(report.move_count > 0);
  for (uint32_t i = 0; i < report.move_count; i++) {
    const AgentMove *move = &report.moves[i];
    assert_true(move->line.count > 0);
    assert_int_equal(move->line.steps[agent->role].move, move->move);
    game_reset(game);
    follow(game, &move->line);
  }
}

static void test_legal(void **state) {
  (void)state;
  static const char *const games[] = {"connectFour", "blocker", "eightPuzzle"};
  static const char *const agents[] = {"cadia2010", "tafl:puzzle=search"};
  for (size_t i = 0; i < LENGTH(games); i++) {
    TestGame book;
    test_game_open(&book, games[i], true);
    for (size_t j = 0; j < LENGTH(agents); j++) {
      Agent *agent = make(&book.rules, agents[j]);
      Game *game = book_game(&book.rules);
      agent_think(agent, &(Budget){.simulations = 3000});
      check_lines(agent, game);
      game_delete(game);
      agent_end(agent, AGENT_COMPLETED);
    }
    test_game_close(&book);
  }
}

/* Lines of a solved game end where the value is reached. */
static void check_solved(const char *name, double value) {
  TestGame book;
  AgentReport report;
  test_game_open(&book, name, true);
  Agent *agent = make(&book.rules, "tafl");
  Game *game = book_game(&book.rules);
  agent_think(agent, &(Budget){.simulations = 2000000});
  agent_report(agent, &report);
  assert_true(report.proven);
  assert_true(report.value == value);
  follow(game, &report.moves[0].line);
  assert_true(game_terminal(game));
  assert_int_equal(game_goal(game, 0), (int)value);
  game_delete(game);
  agent_end(agent, AGENT_COMPLETED);
  test_game_close(&book);
}

static void test_solved(void **state) {
  (void)state;
  check_solved("ticTacToe", 50);
  check_solved("maze", 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_legal),
      cmocka_unit_test(test_solved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
