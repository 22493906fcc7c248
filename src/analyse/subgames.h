/* Parts of a game that do not affect each other. Fluents and moves are
   connected where the next value of a fluent reads a fluent or a move, where
   the legality of a move reads a fluent, and where one conjunction in the goal
   or terminal conditions reads facts of both (a line of squares); conditions
   that merely combine results from each part connect nothing. Neither do
   autonomous fluents (counters, turns), whose next values read no moves and
   only such fluents.

   If that leaves one part, moves may still be tuples with one action for each
   part. Parts are then found without the moves, and the moves must be all
   combinations of what the parts can distinguish. */
#ifndef TAFL_ANALYSE_SUBGAMES_H
#define TAFL_ANALYSE_SUBGAMES_H

#include "analyse/evidence.h"
#include "net/net.h"

enum { SUBGAME_MOST = 64 }; /* any more are counted with the last */

typedef struct Subgame {
  uint32_t fluents, moves;
  bool terminal; /* the terminal condition depends on it */
} Subgame;

typedef struct Subgames {
  uint32_t count;
  bool parallel; /* a move acts in all parts at once */
  Subgame list[SUBGAME_MOST];
  uint32_t *of_fluent; /* part + 1; 0: autonomous */
  uint64_t *of_move;   /* by move: its parts, as bits */
  uint64_t *of_goal;   /* by goal: its parts, as bits */
  uint32_t autonomous; /* fluents */
} Subgames;

/* `waiting` (Turns.waiting): moves that are not counted as tuples. */
void subgames_init(Subgames *subgames, const Net *net, const Evidence *waiting);
void subgames_free(Subgames *subgames);

#endif
