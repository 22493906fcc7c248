/* They have an engine to know the legal moves, and nothing else. */
#include "agent/simple.h"

#include "engine/moves.h"

typedef struct Simple {
  Agent agent;
  bool at_random;
  Random random;
} Simple;

static void told(Agent *agent, const Move *joint) {
  game_make(agent->game, joint);
}

static void reset(Agent *agent) {
  game_reset(agent->game);
}

static bool enter(Agent *agent, const Term *facts, uint32_t count) {
  return game_enter_facts(agent->game, facts, count);
}

static bool best(Agent *agent, Move *move) {
  Simple *simple = (Simple *)agent;
  const Move *moves;
  uint32_t count = game_legal(agent->game, agent->role, &moves);
  if (!count) return false;
  *move = moves[0];
  if (count == 1) return true;
  *move = simple->at_random
              ? moves_random(agent->game, agent->role, &simple->random)
              : moves_first(agent->game, agent->role);
  return true;
}

static void end(Agent *agent, AgentEnd how) {
  (void)how;
  game_delete(agent->game);
  memory_delete(agent);
}

static const AgentOperations operations = {
    .told = told, .reset = reset, .enter = enter, .best = best, .end = end};

Agent *simple_new(Book *book, uint32_t role, bool random, uint64_t seed) {
  Simple *simple = memory_new(sizeof *simple);
  simple->agent =
      (Agent){.operations = &operations, .role = role, .game = book_game(book)};
  simple->at_random = random;
  random_seed(&simple->random, seed);
  return &simple->agent;
}
