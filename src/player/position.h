/* Where a match stands according to the game master: the joint moves so far,
   and the state that they lead to.

   Messages do not always fit: turns are repeated or skipped, moves are spelled
   differently or make no sense. The position is then the best guess, and a note
   says so. */
#ifndef TAFL_PLAYER_POSITION_H
#define TAFL_PLAYER_POSITION_H

#include "base/random.h"
#include "match/spelling.h"

typedef struct Position {
  Game *game; /* borrowed; at the state, unless it has failed */
  uint32_t role;
  TextVector history; /* joint moves, as the rules spell them */
  TextVector legal;   /* own moves here, sorted; empty if the engine failed */
  uint32_t choice;    /* a random one of them */
  Text answered;      /* our last answer in this state; may be empty */
  Random random;
} Position;

/* Starts in the initial state. */
void position_init(Position *position, Game *game, uint32_t role,
                   uint64_t seed);
void position_free(Position *position);

/* Makes joint moves in order, up to the first illegal one. */
void position_replay(Position *position, const TextVector *history,
                     Text *notes);
/* Takes the moves of a PLAY or STOP: one for each role, or none. Returns how
   many of the earlier steps still hold; later ones are new. A search for a
   skipped turn ends at `until`. Notes are lines. */
uint32_t position_play(Position *position, const TextVector *moves,
                       double until, Text *notes);
/* Looks for an unreported turn after which `moves` are legal, and makes both.
   Returns false if none was found in time. */
bool position_skip(Position *position, const TextVector *moves, double until,
                   Text *notes);
/* Makes a joint move and appends it to the history. */
void position_make(Position *position, const Move *joint);

/* Replays the history on another engine of the same rules and switches to it.
   Returns false, with nothing changed, if the states differ. */
bool position_adopt(Position *position, Game *game);

bool position_has(const Position *position, const char *move); /* is it legal */
/* Remembers our answer. */
void position_answer(Position *position, const char *move);

#endif
