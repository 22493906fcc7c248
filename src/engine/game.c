/* What is the same for every engine. */
#include "engine/game.h"

#include "base/clock.h"
#include "base/hash.h"

bool game_late(Game *game) {
  if (game->deadline <= 0 || clock_now() <= game->deadline) return false;
  if (!game_failed(game)) text_add(&game->error, "the time is up");
  return true;
}

uint32_t game_successor(Game *game, const Move *joint, const uint64_t **words) {
  if (game->operations->successor) {
    game->statistics.states++;
    return game->operations->successor(game, joint, words);
  }
  game_make(game, joint);
  uint32_t count = game_state(game, words);
  game_retract(game);
  return count;
}

int game_goal(Game *game, uint32_t role) {
  const Term *values;
  if (!game_goals(game, role, &values)) return -1;
  int64_t value = term_number(game_terms(game), values[0]);
  return value <= 100 ? (int)value : -1;
}

Term game_role(const Game *game, uint32_t role) {
  return game->description->rules.roles.data[role];
}

/* The sum of the facts' mixed hashes: independent of their order. */
uint64_t game_state_hash(Game *game) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  uint64_t hash = 0;
  for (uint32_t i = 0; i < count; i++)
    hash += hash_mix(term_hash(game_terms(game), facts[i]));
  return hash;
}
