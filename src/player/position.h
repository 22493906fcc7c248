/* Where a match stands according to the game master: the joint moves so far,
   and the state that they lead to.

   Messages do not always fit: turns are repeated or skipped, moves are spelled
   differently or make no sense. The position is then the best guess, and a note
   says so. Nor are rules always such that their answers can be had in time: the
   engine may then be some steps behind, and only some legal moves known. */
#ifndef TAFL_PLAYER_POSITION_H
#define TAFL_PLAYER_POSITION_H

#include "base/random.h"
#include "match/spelling.h"

typedef struct Position {
  Game *game; /* borrowed */
  uint32_t role;
  TextVector history; /* joint moves, as the rules spell them */
  uint32_t made;      /* steps of it that the engine has made; if not all, the
                         state is not known */
  uint32_t tries;     /* attempts in vain to make the next, or to find a move */
  MoveVector legal;   /* own moves here, in order if they are all */
  bool complete;      /* they are all */
  uint32_t choice;    /* a random one of them */
  Text always;        /* a move that is legal in every state; may be empty */
  Text likely;        /* a move that is legal as far as the state can be found,
                         while it is not known; may be empty */
  Text answered;      /* our last answer in this state; may be empty */
  Text accepted;      /* the last text that was found to be a legal move here */
  Random random;
} Position;

/* Starts in the initial state. Wherever a time `until` is given, what takes
   longer is given up. */
void position_init(Position *position, Game *game, uint32_t role, uint64_t seed,
                   double until);
void position_free(Position *position);

/* Makes joint moves in order, up to the first illegal one. */
void position_replay(Position *position, const TextVector *history,
                     double until, Text *notes);
/* Takes the moves of a PLAY or STOP: one for each role, or none. Returns how
   many of the earlier steps still hold; later ones are new. Notes are lines. */
uint32_t position_play(Position *position, const TextVector *moves,
                       double until, Text *notes);
/* Looks for an unreported turn after which `moves` are legal, and makes both.
   Returns false if none was found in time. */
bool position_skip(Position *position, const TextVector *moves, double until,
                   Text *notes);
/* Appends a joint move to the history and makes it. */
void position_make(Position *position, const Move *joint, double until);
/* Finds a move for each role in turn, up to the first that is not legal;
   returns how many were found. Moves that may be legal for all that is known
   count unless it is `strict`. */
uint32_t position_find_joint(Game *game, const TextVector *moves, bool strict,
                             double until, Move *joint);
/* Is the state, or any move in it, not known but may yet be; and looks again.
   Returns true if it found what was missing. */
bool position_lags(const Position *position);
bool position_catch_up(Position *position, double until, Text *notes);

/* Replays the history on another engine of the same rules and switches to it.
   Returns false, with nothing changed, if the states differ. */
bool position_adopt(Position *position, Game *game);

/* Is it legal, as far as is known? */
bool position_has(Position *position, const char *move);
/* Appends a move that is known to be legal: the first or a random one. Returns
   false if none is known. */
bool position_any(const Position *position, bool first, Text *move);
/* Remembers our answer. */
void position_answer(Position *position, const char *move);

#endif
