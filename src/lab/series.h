/* A series is a contest of several games between the same agents at one game
   under one budget: the unit in which everything is planned, played and stored.
   How roles rotate, and how scores come from goals, is in contest/contest.h.

   Written as a JSON object, in tables, tournament files and the store:

     - game: name of a game, or its file
     - players: list of agents
     - games: how many to play
     - seed: of the random numbers
     - unit: "seconds", "simulations" or "states"
     - play: thinking for each move, in units
     - start: thinking before the first one
     - steps: until a game is cut off
     - idle: true: think where one move is legal, too
     - opening: steps at the beginning whose moves are random; all games with
       the same seed have the same ones, whoever plays

   The key of a series is its text without `games`, in a fixed order: two series
   with the same key and the same rules are the same experiment, so what was
   played of one counts for the other. */
#ifndef TAFL_LAB_SERIES_H
#define TAFL_LAB_SERIES_H

#include <jansson.h>

#include "contest/contest.h"

/* Budgets beyond this are mistakes; doubles count exactly up to it. */
#define SERIES_MOST_BUDGET 1e15

typedef enum { UNIT_SECONDS, UNIT_SIMULATIONS, UNIT_STATES } BudgetUnit;

typedef struct Series {
  Text game;          /* as it was written */
  TextVector players; /* agents, as they were written */
  uint32_t games;
  uint64_t seed;
  BudgetUnit unit;
  double play, start;
  uint32_t steps;
  uint32_t opening;
  bool idle;
} Series;

/* What a JSON object that says nothing else has: 100 games, seed 1, 1 second a
   move, no start, 1000 steps. */
void series_init(Series *series);
void series_free(Series *series);
/* Initialises a series as a copy. */
void series_copy(Series *series, const Series *from);

/* Sets what the object has, and keeps the rest. Other keys are left alone.
   Returns false and sets `error`, which begins with the key, if something has
   the wrong type or range, or a player is no agent; what was read so far is
   set then. */
bool series_read(Series *series, const json_t *object, Text *error);
/* Returns true if series_read knows the key. */
bool series_has_key(const char *key);
/* Returns a new object, without `games` if `key`. */
json_t *series_write(const Series *series, bool key);
/* Appends the key; equal series have equal text. */
void series_key(const Series *series, Text *text);
/* "5000 states a move, 5000 at the start, thinking in every step". */
void series_write_budget(const Series *series, Text *text);

Budget series_play(const Series *series);
Budget series_start(const Series *series);

typedef VECTOR(Series) SeriesVector;

void series_vector_free(SeriesVector *list); /* frees the series too */

#endif
