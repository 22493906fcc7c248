/* The Swiss system: in each round players meet who have about as many points,
   but nobody meets the same player twice and nobody has two byes while that can
   be avoided. */
#ifndef TAFL_CONTEST_SWISS_H
#define TAFL_CONTEST_SWISS_H

#include "contest/meeting.h"

/* Appends the next round to `next`. `order` has the players, best first. */
void swiss_pair(const Meetings *played, const uint32_t *order, uint32_t players,
                uint32_t round, Meetings *next);

#endif
