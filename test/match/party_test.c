/* Agents beside a person think while the person does, and no longer; agents
   with a clock answer in time. */
#include "match/party.h"

#include <unistd.h>

#include "base/clock.h"
#include "support/games.h"
#include "support/library.h"

enum { PATIENCE = 60 }; /* seconds */

/* A person who takes a moment, and then the first move. */
typedef struct Person {
  Agent agent;
} Person;

static void think(Agent *agent, const Budget *budget) {
  (void)agent, (void)budget;
  usleep(20000);
}

static bool best(Agent *agent, Move *move) {
  const Move *moves;
  bool any = game_legal(agent->game, agent->role, &moves);
  if (any) *move = moves[0];
  return any;
}

static void told(Agent *agent, const Move *joint) {
  game_make(agent->game, joint);
}

static void end(Agent *agent, AgentEnd how) {
  (void)how;
  game_delete(agent->game);
  memory_delete(agent);
}

static Agent *make_person(void *context, Book *book, uint32_t role) {
  static const AgentOperations operations = {.every_turn = true,
                                             .told = told,
                                             .think = think,
                                             .best = best,
                                             .end = end};
  Person *person = memory_new(sizeof *person);
  (void)context;
  person->agent =
      (Agent){.operations = &operations, .role = role, .game = book_game(book)};
  return &person->agent;
}

/* Returns how many simulations the other role, which has only one move, has
   made when the person has answered often enough. */
static uint64_t simulations(bool ponder, const Budget *budget) {
  BookLimits limits = games_limits();
  Description description;
  Book book;
  AgentSpecs specs;
  games_read(&description, GAME_ENDLESS);
  book_init(&book, &description, &limits, true);
  games_specs(&specs, "human,tafl:memory=16");
  const AgentSpec *players[] = {&specs.data[0], &specs.data[1]};
  PartyOptions options = {.limits = limits,
                          .ground = true,
                          .person = make_person,
                          .ponder = ponder};
  PartyPlan plan = {.options = &options,
                    .game = book_game(&book),
                    .book = &book,
                    .players = players,
                    .seed = 1,
                    .id = "m"};
  Party party;
  party_init(&party, &plan);
  party_start(&party, NULL);
  const Agent *agent = party.members[1].agent;
  double until = clock_now() + PATIENCE;
  for (int turn = 0;
       turn < 5 || (ponder && budget->seconds > 0 && !agent->work.simulations &&
                    clock_now() < until);
       turn++) {
    Move joint[2];
    party_ask(&party, budget, false);
    for (int role = 0; role < 2; role++) {
      assert_true(party.members[role].legal);
      joint[role] = party.members[role].move;
    }
    game_make(plan.game, joint);
    assert_true(party_tell(&party, joint));
  }
  uint64_t count = agent->work.simulations;
  party_end(&party, AGENT_COMPLETED);
  game_delete(plan.game);
  spec_free_list(&specs);
  book_free(&book);
  description_free(&description);
  return count;
}

static void test_people_are_waited_for(void **state) {
  (void)state;
  const Budget seconds = {.seconds = 0.01}, counted = {.simulations = 10};
  assert_true(simulations(true, &seconds) > 0);
  assert_int_equal(simulations(false, &seconds), 0);
  assert_int_equal(simulations(true, &counted), 0);
}

/* An agent that would think on answers when its clock has run out, and can be
   told the move. Whoever keeps to the clock is not late. */
static void check_clock(const Budget *budget, double clock, bool late) {
  TestGame book;
  AgentSpecs specs;
  test_game_open(&book, "connectFour", true);
  games_specs(&specs, "tafl:memory=16,legal");
  const AgentSpec *players[] = {&specs.data[0], &specs.data[1]};
  PartyOptions options = {.clock = clock};
  PartyPlan plan = {.options = &options,
                    .game = book_game(&book.rules),
                    .book = &book.rules,
                    .players = players,
                    .seed = 1,
                    .id = "m",
                    .reports = true};
  Party party;
  party_init(&party, &plan);
  party_start(&party, NULL);
  double start = clock_now();
  party_ask(&party, budget, false);
  const PartyMember *member = &party.members[0];
  if (late) assert_true(clock_now() - start < budget->seconds);
  assert_int_equal(member->late, late);
  assert_true(member->legal);
  assert_true(member->seconds < clock + PATIENCE);
  assert_int_equal(member->report.searched, !late);
  Move joint[] = {member->move, party.members[1].move};
  game_make(plan.game, joint);
  assert_true(party_tell(&party, joint));
  assert_false(member->late);
  party_end(&party, AGENT_COMPLETED);
  game_delete(plan.game);
  spec_free_list(&specs);
  test_game_close(&book);
}

static void test_clock(void **state) {
  (void)state;
  check_clock(&(Budget){.seconds = 1.5}, 0.2, true);
  check_clock(&(Budget){.seconds = 0.05}, PATIENCE, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_people_are_waited_for),
      cmocka_unit_test(test_clock)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
