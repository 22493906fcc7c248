/* Who is to move. A role has a choice where it has two legal moves or more;
   where roles take turns, at most one has a choice in each state. What holds in
   all states of a game is in analyse/turns.h. */
#ifndef TAFL_ENGINE_TURN_H
#define TAFL_ENGINE_TURN_H

#include "engine/game.h"

typedef struct Turn {
  uint32_t movers; /* roles with a choice */
  uint32_t role;   /* the first of them; without any, the number of roles */
} Turn;

/* Returns who is to move in the current state. */
Turn turn_of(Game *game);

#endif
