/* Results that last: an SQLite database of games, agents, experiments, series,
   matches and moves. A match is written in one transaction when it ends, so a
   kill at any time loses at most the matches that are being played. Several
   processes may write at once (write-ahead log, waiting for locks). All
   functions may be called by several threads.

   Tables (columns in store/schema.c):

     games        name, hash of the rules, rules
     agents       text as it was written, all settings
     experiments  kind ("lab", "tour", "sweep", "match"), name, specification
                  as JSON, when it was made
     series       key (lab/series.h), game
     parts        which series an experiment consists of, in order
     matches      series, number in it, seed, version of the program, when, how
                  it ended, error
     sides        match, role, agent, goal, score and work of the agent
     moves        match, step, role, move and work

   A series belongs to no experiment alone: a match that a table and a
   tournament both ask for is played once. */
#ifndef TAFL_STORE_RESULTS_H
#define TAFL_STORE_RESULTS_H

#include <jansson.h>
#include <sqlite3.h>

#include "contest/fixture.h"

typedef struct Results Results;

/* Opens or makes the database, and its directory; an older schema is migrated,
   a newer one refused. `version` is that of the program, for matches; NULL: the
   database is only read, and must be there. Returns NULL and sets `error` if it
   is not ours or cannot be opened. */
Results *results_open(const char *path, const char *version, Text *error);
void results_close(Results *results);
/* Why the last function that failed did; of this thread or another. */
const char *results_error(Results *results);

/* Each returns a number from 1; 0 on failure. Made if it is not there. */
int64_t results_game(Results *results, const char *name,
                     const Description *description);
int64_t results_agent(Results *results, const AgentSpec *spec);
int64_t results_experiment(Results *results, const char *kind, const char *name,
                           const char *specification);
int64_t results_series(Results *results, const char *key, int64_t game);
/* Adds a series to an experiment, with its place in it; it may be there. */
bool results_add_part(Results *results, int64_t experiment, int64_t series,
                      uint32_t place);

/* Returns the series of the experiment that has this key, 0 if there is none.
 */
int64_t results_find_series(Results *results, int64_t experiment,
                            const char *key);
/* Returns an experiment that is there, 0 if there is none. */
int64_t results_find_experiment(Results *results, const char *kind,
                                const char *name, const char *specification);

typedef struct ResultsMove {
  uint32_t step, role;
  Text move;
  double seconds;
  uint64_t simulations, states;
  double value; /* NAN: not searched */
  double depth;
} ResultsMove;

typedef VECTOR(ResultsMove) ResultsMoves;

/* Stores a finished game; one that is there already is kept. `agents` are by
   player. Returns false on failure. */
bool results_add(Results *results, int64_t series, const Fixture *fixture,
                 const int64_t *agents, uint64_t seed, double seconds,
                 const ResultsMoves *moves);

/* ---- reading ---- */

typedef struct ResultsSide {
  uint32_t role, player;
  double goal;
  Score score;
  AgentWork work;
} ResultsSide;

/* A stored match; lists are borrowed during the call. */
typedef struct ResultsMatch {
  int64_t id;
  uint32_t number;
  uint64_t seed;
  MatchEnd end;
  uint32_t steps;
  double seconds;
  const char *version, *error;
  const ResultsSide *sides; /* by role */
  uint32_t side_count;
} ResultsMatch;

typedef void ResultsVisit(void *context, const ResultsMatch *match);

/* Calls `visit` for each match of a series, in the order of numbers. */
bool results_visit(Results *results, int64_t series, ResultsVisit *visit,
                   void *context);
/* Sets `there[n]` for each match with a number n below `count`. */
bool results_there(Results *results, int64_t series, bool *there,
                   uint32_t count);
/* The database itself, for queries. */
sqlite3 *results_database(Results *results);

#endif
