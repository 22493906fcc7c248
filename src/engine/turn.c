/* The roles' legal moves are counted. */
#include "engine/turn.h"

Turn turn_of(Game *game) {
  Turn turn = {.role = game->role_count};
  for (uint32_t role = game->role_count; role-- > 0;) {
    const Move *moves;
    if (game_legal(game, role, &moves) < 2) continue;
    turn.movers++;
    turn.role = role;
  }
  return turn;
}
