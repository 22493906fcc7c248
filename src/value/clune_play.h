/* Random games for ClunePlayer's evaluation: what the candidate features are in
   each state, and what became of the game. */
#ifndef TAFL_VALUE_CLUNE_PLAY_H
#define TAFL_VALUE_CLUNE_PLAY_H

#include "base/random.h"
#include "game/book.h"
#include "game/budget.h"
#include "value/candidates.h"

enum { CLUNE_LONGEST = 512 }; /* steps; longer games tell nothing */

typedef struct CluneGame {
  uint32_t steps; /* states that are no ends */
  bool ended;
  float *values;   /* by state and candidate */
  uint32_t *legal; /* by state and role */
  int *goals;      /* by role */
} CluneGame;

typedef struct ClunePlay {
  const Candidates *candidates; /* borrowed */
  Game *game;
  Random random;
  const Budget *budget; /* borrowed */
  double began;         /* by clock_now */
  uint64_t games, states;
  CluneGame last;
  Move *joint;
} ClunePlay;

void clune_play_init(ClunePlay *play, Book *book, const Candidates *candidates,
                     const Budget *budget, uint64_t seed);
void clune_play_free(ClunePlay *play);

/* Returns true if this share of the budget is spent. Without a limit it has
   50,000 states. */
bool clune_play_spent(const ClunePlay *play, double share);
/* Plays a game and sets `last`. Returns false if it was not brought to an end,
   or a goal is missing. */
bool clune_play_game(ClunePlay *play);

#endif
