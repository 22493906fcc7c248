/* What a tournament is: agents, games, a system and a budget. Written as a JSON
   object, in a file or the store:

     agents   list of agents                   games   list of games
     system   "round-robin", "gauntlet",       rounds  of the Swiss system
              "swiss" or "elimination"         each    games of a pair at a game
     name     of the tournament                sprt    {"elo0": 0, "elo1": 30}
     seed, unit, play, start, steps, idle, opening: as in lab/series.h

   In a gauntlet the first agent plays each of the others; in an elimination the
   agents are seeded in their order. */
#ifndef TAFL_LAB_TOUR_SPEC_H
#define TAFL_LAB_TOUR_SPEC_H

#include "contest/pairing.h"
#include "lab/series.h"

typedef struct TourSpec {
  Text name;
  TextVector agents, games; /* as they were written */
  PairingSystem system;
  uint32_t rounds; /* of the Swiss system; 0: as many as it needs */
  Series common;   /* what all series have; its `games` is `each` */
  bool sprt;       /* stop when the test has decided; for two agents */
  double elo0, elo1;
} TourSpec;

/* A round robin of nobody, with the budget of series_init. */
void tour_spec_init(TourSpec *spec);
void tour_spec_free(TourSpec *spec);

/* Reads a file. Returns false and sets `error`, which begins with the path and,
   where there is one, the line or the key, if it is not a tournament; free the
   specification in any case. */
bool tour_spec_read(TourSpec *spec, const char *path, Text *error);
/* The same for an object. */
bool tour_spec_read_object(TourSpec *spec, const json_t *object, Text *error);
json_t *tour_spec_write(const TourSpec *spec); /* new object */

/* Returns false and sets `error` if it cannot be played: too few agents or
   games, an agent that is unknown, not local or listed twice, a test of more
   than two agents. */
bool tour_spec_check(const TourSpec *spec, Text *error);

#endif
