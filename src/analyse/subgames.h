/* Parts of a game that do not touch each other. Fluents and moves are connected
   where the next value of a fluent reads a fluent or a move, where the legality
   of a move reads a fluent, and where a condition of goals or of the end has
   facts of both as conditions of one conjunction (a line of squares); not where
   it only combines what was found in each. Fluents that run by themselves
   (counters, turns: their next values read no moves and nothing but such
   fluents) connect nothing.

   If that leaves one part, moves may still be tuples, one action for each part:
   parts are then found without the moves, and moves must be all combinations of
   what the parts can tell apart. */
#ifndef TAFL_ANALYSE_SUBGAMES_H
#define TAFL_ANALYSE_SUBGAMES_H

#include "analyse/evidence.h"
#include "net/net.h"

enum { SUBGAME_MOST = 64 }; /* the rest counts as part of the last */

typedef struct Subgame {
  uint32_t fluents, moves;
  bool terminal; /* the end depends on it */
} Subgame;

typedef struct Subgames {
  uint32_t count;
  bool parallel; /* a move acts in all parts at once */
  Subgame list[SUBGAME_MOST];
  uint32_t *of_fluent; /* part + 1; 0: runs by itself */
  uint64_t *of_move;   /* by move: its parts, as bits */
  uint64_t *of_goal;   /* by goal: its parts, as bits */
  uint32_t autonomous; /* fluents that run by themselves */
} Subgames;

/* Waiting moves (net/turns.h), by move, are no tuples. */
void subgames_init(Subgames *subgames, const Net *net, const Evidence *waiting);
void subgames_free(Subgames *subgames);

#endif
