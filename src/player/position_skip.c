/* Finds a turn that was never reported. Every joint move of the state is tried,
   our own last answer first, since it was most likely made. The moves are
   counted through like digits, our own being the slowest. The first joint move
   after which the reported moves are legal is assumed to be the turn. */
#include <string.h>

#include "base/clock.h"
#include "engine/attempt.h"
#include "player/position.h"

enum { TRIALS = 10000 };

typedef struct Skip {
  Position *position;
  const TextVector *told; /* the moves that were reported */
  double until;
  MoveVector choices[RULE_ROLES]; /* by role */
  uint32_t digits[RULE_ROLES];
  uint32_t fitting;
  Move first[RULE_ROLES], next[RULE_ROLES]; /* the first that fits */
} Skip;

static void collect(Skip *skip) {
  Game *game = skip->position->game;
  for (uint32_t role = 0; role < game->role_count; role++)
    attempt_moves(game, role, skip->until, &skip->choices[role]);
}

/* Puts our last answer first. */
static void prefer_answer(Skip *skip) {
  const Position *position = skip->position;
  MoveVector *own = &skip->choices[position->role];
  Text text = {0};
  for (uint32_t i = 0; i < own->count && position->answered.length; i++) {
    Move move = own->data[i];
    text_clear(&text);
    moves_write(position->game, position->role, move, &text);
    if (strcmp(text.bytes, position->answered.bytes) != 0) continue;
    own->data[i] = own->data[0];
    own->data[0] = move;
    break;
  }
  text_free(&text);
}

static void try_one(Skip *skip) {
  Game *game = skip->position->game;
  Move joint[RULE_ROLES], next[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++)
    joint[role] = skip->choices[role].data[skip->digits[role]];
  if (!attempt_make(game, joint, skip->until)) return;
  bool fits = position_find_joint(game, skip->told, true, skip->until, next) ==
              game->role_count;
  game_retract(game);
  if (!fits || game_failed(game)) return;
  if (!skip->fitting++)
    for (uint32_t role = 0; role < game->role_count; role++) {
      skip->first[role] = joint[role];
      skip->next[role] = next[role];
    }
}

/* Steps to the next combination of the others' moves; false after the last. */
static bool turn_others(Skip *skip) {
  for (uint32_t role = 0; role < skip->position->game->role_count; role++) {
    if (role == skip->position->role) continue;
    if (++skip->digits[role] < skip->choices[role].count) return true;
    skip->digits[role] = 0;
  }
  return false;
}

static void try_all(Skip *skip) {
  const Game *game = skip->position->game;
  uint32_t *own = &skip->digits[skip->position->role];
  for (uint32_t role = 0; role < game->role_count; role++)
    if (!skip->choices[role].count) return;
  for (uint32_t trial = 0; trial < TRIALS; trial++) {
    try_one(skip);
    if (game_failed(game) || clock_now() >= skip->until) return;
    if (turn_others(skip)) continue;
    if (skip->fitting || ++*own == skip->choices[skip->position->role].count)
      return;
  }
}

bool position_skip(Position *position, const TextVector *moves, double until,
                   Text *notes) {
  Game *game = position->game;
  double begun = clock_now();
  if (attempt_terminal(game, until) == VERDICT_YES) return false;
  Skip skip = {.position = position, .told = moves, .until = until};
  collect(&skip);
  prefer_answer(&skip);
  try_all(&skip);
  if (skip.fitting) {
    text_format(notes, "a turn was skipped after %u steps; %u fit%s\n",
                position->history.count, skip.fitting,
                skip.fitting > 1 ? ", the first is taken" : "s");
    /* It was made before, in time: as much time again is enough. */
    double end = clock_now() + (until - begun);
    position_make(position, skip.first, end);
    position_make(position, skip.next, end);
  }
  for (uint32_t role = 0; role < game->role_count; role++)
    vector_free(&skip.choices[role]);
  return skip.fitting;
}
