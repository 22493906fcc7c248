/* An engine without operations for this is asked in the usual way. */
#include "engine/attempt.h"

static const GameAttempts *attempts_of(const Game *game) {
  return game->operations->attempts;
}

bool attempt_moves(Game *game, uint32_t role, double until, MoveVector *moves) {
  if (attempts_of(game))
    return attempts_of(game)->moves(game, role, false, until, moves);
  const Move *list;
  uint32_t count = game_legal(game, role, &list);
  for (uint32_t i = 0; i < count; i++) vector_push(moves, list[i]);
  return true;
}

void attempt_static_moves(Game *game, uint32_t role, double until,
                          MoveVector *moves) {
  if (attempts_of(game))
    attempts_of(game)->moves(game, role, true, until, moves);
}

Verdict attempt_move(Game *game, uint32_t role, Term term, double until,
                     Move *move) {
  if (attempts_of(game))
    return attempts_of(game)->move(game, role, term, until, move);
  return moves_find_term(game, role, term, move) ? VERDICT_YES : VERDICT_NO;
}

Verdict attempt_terminal(Game *game, double until) {
  if (attempts_of(game)) return attempts_of(game)->terminal(game, until);
  return game_terminal(game) ? VERDICT_YES : VERDICT_NO;
}

static bool make(Game *game, const Move *joint, bool partly, double until) {
  if (attempts_of(game))
    return attempts_of(game)->make(game, joint, partly, until);
  game_make(game, joint);
  return true;
}

bool attempt_make(Game *game, const Move *joint, double until) {
  return make(game, joint, false, until);
}

bool attempt_make_partly(Game *game, const Move *joint, double until) {
  return make(game, joint, true, until);
}
