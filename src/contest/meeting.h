/* A meeting of two players in a tournament: as many games as the tournament
   gives to a pair, counted as one result. */
#ifndef TAFL_CONTEST_MEETING_H
#define TAFL_CONTEST_MEETING_H

#include "base/vector.h"

#define MEETING_BYE UINT32_MAX /* in place of a second player */

typedef struct Meeting {
  uint32_t round;         /* from 0 */
  uint32_t slot;          /* of the bracket; 0 in other systems */
  uint32_t first, second; /* players */
  double points;          /* the first one's share, 0 to 1 */
  double margin; /* its mean goal less the other's: settles equal points in a
                    bracket */
} Meeting;

typedef VECTOR(Meeting) Meetings;

#endif
