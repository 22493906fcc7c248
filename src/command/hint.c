/* Each move of the menu is tried with a few random games, within a time limit
   for all of them. The game returns to its state afterwards. */
#include "command/hint.h"

#include <stdio.h>

#include "base/clock.h"
#include "engine/playout.h"

enum { PLAYOUTS = 20, STEPS = 1000 };
static const double seconds = 2;

/* Returns the mean goal of random games that begin with the move. */
static double sample(Game *game, uint32_t person, Move move, Random *random,
                     double deadline) {
  Move joint[RULE_ROLES];
  double sum = 0;
  uint32_t played = 0;
  while (played < PLAYOUTS && (!played || clock_now() < deadline)) {
    uint32_t steps, stuck;
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, random);
    joint[person] = move;
    game_make(game, joint);
    playout_run(game, random, STEPS, &steps, &stuck);
    int goal = game_terminal(game) ? game_goal(game, person) : 0;
    sum += goal > 0 ? goal : 0;
    played++;
    for (uint32_t i = 0; i <= steps; i++) game_retract(game);
  }
  return sum / played;
}

void hint_give(Game *game, uint32_t role, const Menu *menu, Random *random) {
  double best = -1, start = clock_now();
  uint32_t choice = 0;
  for (uint32_t i = 0; i < menu->count; i++) {
    double deadline = start + seconds * (i + 1) / menu->count;
    double value = sample(game, role, menu->moves.data[i], random, deadline);
    if (value > best) {
      best = value;
      choice = i;
    }
  }
  printf("Hint: %u %s (random games after it bring you %.0f on average)\n",
         choice + 1, menu->texts[choice].bytes, best);
}
