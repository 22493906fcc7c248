/* One game of a contest: who sits where, how it ended, and who scored what.

   There are as many seats as players or roles, whichever is more. Seat s
   belongs to player s mod players and has the role (s + g) mod seats in game g;
   if there is no such role, the seat sits out. So two players of a two-player
   game swap roles, several players of a puzzle take turns, and two players of a
   four-player game have every second role.

   A player's goal in a game is the mean of its roles' goals. The player with
   the highest goal has won; if several have it, it is a draw for them; the
   others have lost. A game cut off at the step limit is a draw for all. Games
   that end with an error have no score.

   Games in which everybody has had every seat's roles once are a round, and use
   the same seed for the same role. A round has as many games as there are
   seats, or as there are players where their number divides that of the seats:
   two players of a four-player game have changed all roles after two games, and
   the next two would be the same. */
#ifndef TAFL_CONTEST_FIXTURE_H
#define TAFL_CONTEST_FIXTURE_H

#include "contest/tally.h"
#include "match/match.h"

typedef struct Seating {
  uint32_t players, roles, seats;
} Seating;

typedef struct Fixture {
  uint32_t number; /* from 0 */
  Seating seating;
  uint32_t *players; /* by role */
  Score *scores;     /* by player; SCORE_NONE: sat out, alone, or error */
  double *goals;     /* by player */
  bool *played;      /* by player */
  MatchResult result;
} Fixture;

Seating fixture_seating(uint32_t players, uint32_t roles);
/* Returns the player that has the role in a game. */
uint32_t fixture_player(const Seating *seating, uint32_t game, uint32_t role);
/* Returns the number of games in a round. */
uint32_t fixture_round(const Seating *seating);
/* Returns the seed of a game; an agent's is hash_pair(seed, role). */
uint64_t fixture_seed(const Seating *seating, uint64_t seed, uint32_t game);

Fixture *fixture_new(const Seating *seating, uint32_t number);
void fixture_delete(Fixture *fixture); /* may be NULL */
/* Fills in goals and scores from the result. */
void fixture_judge(Fixture *fixture);
bool fixture_has_score(const Fixture *fixture);

#endif
