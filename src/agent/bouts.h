/* Short games between minds, to find out which of them plays a game better.

   Entrants meet in pairs of games with the same random opening and exchanged
   roles. A game can be broken off at any time; the next call goes on with it.
 */
#ifndef TAFL_AGENT_BOUTS_H
#define TAFL_AGENT_BOUTS_H

#include "agent/agent.h"
#include "game/book.h"
#include "search/settings.h"
#include "value/evaluation.h"

typedef struct Entrant {
  const char *name;
  Settings settings;
  const Evaluation *evaluation; /* borrowed; or NULL */
} Entrant;

/* What a meeting of two entrants has come to. */
typedef struct BoutsScore {
  double points; /* of the first: 1 for each game that it won by 100 to 0 */
  uint32_t games;
} BoutsScore;

typedef struct Bouts Bouts;

/* `memory` is in MiB, of everything; `making` is how many seconds it may take
   to make a candidate. The book is borrowed. */
Bouts *bouts_new(Book *book, const Entrant *entrants, uint32_t count,
                 int64_t memory, double making, uint64_t seed);
void bouts_delete(Bouts *bouts);

/* Plays a game of two entrants, or goes on with one, with `move` for each move.
   Returns false if it was broken off by `until` (of clock_now; 0: none) or the
   flag of `move`, or if the game cannot be played. */
bool bouts_play(Bouts *bouts, uint32_t first, uint32_t second,
                const Budget *move, double until);
BoutsScore bouts_score(const Bouts *bouts, uint32_t first, uint32_t second);
/* How often somebody has thought. */
uint64_t bouts_moves(const Bouts *bouts);

#endif
