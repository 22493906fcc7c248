/* Double elimination: who has lost twice is out. The winners' bracket is a
   knock-out tree in which the best seeds meet last; its losers go on in the
   losers' bracket. The winner of that one plays the winner of the other one,
   who must be beaten twice. Players are seeded in their order: player 0 is the
   first seed. Where their number is no power of two, the first seeds have byes.
 */
#ifndef TAFL_CONTEST_BRACKET_H
#define TAFL_CONTEST_BRACKET_H

#include <stdbool.h>

#include "contest/meeting.h"

/* Appends all meetings that can be played and are not among those played,
   which may be in any order. Appends nothing when somebody has won. Equal
   points and goals are decided by lot. */
void bracket_next(const Meetings *played, uint32_t players, uint64_t seed,
                  uint32_t round, Meetings *next);

/* Sets places by player, from 1: those who leave in the same round of the
   losers' bracket share a place, and so do all who are still in. */
void bracket_places(const Meetings *played, uint32_t players, uint64_t seed,
                    uint32_t *places);

#endif
