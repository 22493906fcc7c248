/* Where a match stands, by what the game master says of it: the joint moves so
   far, and the state that they lead to.

   What is said does not always fit: turns are repeated or skipped, moves have
   another spelling, or make no sense. Then the position is what fits best, and
   a note says so. */
#ifndef TAFL_PLAYER_POSITION_H
#define TAFL_PLAYER_POSITION_H

#include "base/random.h"
#include "match/spelling.h"

typedef struct Position {
  Game *game; /* borrowed; it stands at the state, unless it has failed */
  uint32_t role;
  TextVector history; /* joint moves, as the rules spell them */
  TextVector legal;   /* own moves here, sorted; none if the engine failed */
  uint32_t choice;    /* any of them, by chance */
  Text answered;      /* the last answer in this state; empty: none */
  Random random;
} Position;

/* In the initial state. */
void position_init(Position *position, Game *game, uint32_t role,
                   uint64_t seed);
void position_free(Position *position);

/* Joint moves in a row, as far as they are legal. */
void position_replay(Position *position, const TextVector *history,
                     Text *notes);
/* What came with a PLAY or STOP: a move for each role, or none. So many of the
   earlier steps still hold: all after them are new. It takes no longer than
   until that time, if it has to search. Notes are lines. */
uint32_t position_play(Position *position, const TextVector *moves,
                       double until, Text *notes);
/* The state reached by another turn and `moves`: both are made. False: there is
   none, or it was not found in time. */
bool position_skip(Position *position, const TextVector *moves, double until,
                   Text *notes);
/* Push a joint move and make it. */
void position_make(Position *position, const Move *joint);
/* Find the legal moves of the state again. */
void position_look(Position *position);

/* Go on with another engine of the same rules; false if it comes to another
   state: then nothing is changed. */
bool position_adopt(Position *position, Game *game);

bool position_has(const Position *position, const char *move);
void position_answer(Position *position, const char *move);

#endif
