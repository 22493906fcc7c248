/* Watched thinking: the watch is called with a sound report, and what is found
   does not depend on it. */
#include "agent/spec.h"
#include "support/games.h"
#include "support/library.h"

static const char *const agents[] = {"cadia2010", "tafl", "tafl:threads=2"};

enum { STEADY = 2 }; /* agents: the same seed gives the same result */

typedef struct Seen {
  uint32_t calls;
  double spent;
  uint64_t simulations;
} Seen;

static void look(void *context, Agent *agent, double spent, double left) {
  Seen *seen = context;
  AgentReport report;
  agent_report(agent, &report);
  assert_true(report.searched);
  assert_int_equal(report.move_count, 7);
  assert_true(report.simulations >= seen->simulations);
  assert_true(spent > seen->spent);
  assert_true(report.seconds > 0 && report.seconds <= spent);
  assert_true(left < 0 || left <= 0.5);
  seen->calls++;
  seen->spent = spent;
  seen->simulations = report.simulations;
}

static Agent *make(TestGame *book, const char *text) {
  AgentSpecs specs;
  games_specs(&specs, text);
  Agent *agent = spec_agent(&specs.data[0], &book->rules, 0, 7);
  spec_free_list(&specs);
  return agent;
}

static void test_called(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t i = 0; i < LENGTH(agents); i++) {
    Seen seen = {0};
    AgentReport report;
    Agent *agent = make(&book, agents[i]);
    agent_think_watched(agent, &(Budget){.seconds = 0.5}, look, &seen);
    assert_in_range(seen.calls, 1, 5);
    agent_report(agent, &report);
    assert_true(report.simulations >= seen.simulations);
    agent_end(agent, AGENT_COMPLETED);
  }
  test_game_close(&book);
}

static void write_result(Agent *agent, Text *text) {
  AgentReport report;
  agent_report(agent, &report);
  text_format(text, "%llu %llu %u %.17g",
              (unsigned long long)report.simulations,
              (unsigned long long)report.states, report.nodes, report.value);
  for (uint32_t i = 0; i < report.move_count; i++)
    text_format(text, " %u:%u:%.17g", report.moves[i].move,
                report.moves[i].visits, report.moves[i].value);
}

static void test_same_result(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t i = 0; i < STEADY; i++) {
    Text results[2] = {0};
    for (int watched = 0; watched < 2; watched++) {
      Seen seen = {0};
      Agent *agent = make(&book, agents[i]);
      Budget budget = {.simulations = 20000};
      agent_think_watched(agent, &budget, watched ? look : NULL, &seen);
      write_result(agent, &results[watched]);
      agent_end(agent, AGENT_COMPLETED);
    }
    assert_string_equal(results[0].bytes, results[1].bytes);
    for (int j = 0; j < 2; j++) text_free(&results[j]);
  }
  test_game_close(&book);
}

/* Agents that do not think, and budgets without a limit. */
static void test_nothing(void **state) {
  (void)state;
  TestGame book;
  Seen seen = {0};
  test_game_open(&book, "connectFour", true);
  Agent *agent = make(&book, "random");
  agent_think_watched(agent, &(Budget){.seconds = 0.5}, look, &seen);
  agent_end(agent, AGENT_COMPLETED);
  agent = make(&book, "tafl");
  agent_think_watched(agent, &(Budget){0}, look, &seen);
  agent_end(agent, AGENT_COMPLETED);
  assert_int_equal(seen.calls, 0);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_called),
      cmocka_unit_test(test_same_result),
      cmocka_unit_test(test_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
