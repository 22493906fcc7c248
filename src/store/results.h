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

#define RESULTS_MEMORY ":memory:" /* path of a database without a file */

/* Opens or makes the database, and its directory; an older schema is migrated,
   a newer one refused. `version` is that of the program, for matches; NULL: the
   database is only read, and must be there. Returns NULL and sets `error` if it
   is not ours or cannot be opened. */
Results *results_open(const char *path, const char *version, Text *error);
void results_close(Results *results);
/* Why the last function that failed in this thread did; valid until the next
   one fails. */
const char *results_error(Results *results);

/* Everything until results_end is one transaction, and the thread has the
   database to itself. A function that fails inside of it, or `fine` being
   false, undoes it all. Returns false on failure. */
bool results_begin(Results *results);
bool results_end(Results *results, bool fine);

/* ---- what has a number ---- */

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

/* The same of what another database has. `made` is when, "2026-11-16T15:30:00Z"
 */
int64_t results_copy_game(Results *results, const char *name, const char *hash,
                          const char *rules);
int64_t results_copy_agent(Results *results, const char *text,
                           const char *settings);
int64_t results_copy_experiment(Results *results, const char *kind,
                                const char *name, const char *specification,
                                const char *made);

/* Returns the series at that place of the experiment, 0 if there is none. */
int64_t results_part(Results *results, int64_t experiment, uint32_t place);
/* Returns the series of the experiment that has this key, 0 if there is none.
 */
int64_t results_find_series(Results *results, int64_t experiment,
                            const char *key);
/* Returns what is there, 0 if there is none. */
int64_t results_find_game(Results *results, const char *name, const char *hash);

/* ---- matches ---- */

typedef struct ResultsMove {
  uint32_t step, role;
  Text move;
  double seconds;
  uint64_t simulations, states;
  double value; /* NAN: not searched */
  double depth;
} ResultsMove;

typedef VECTOR(ResultsMove) ResultsMoves;

void results_moves_free(ResultsMoves *moves); /* frees the texts too */

typedef struct ResultsSide {
  uint32_t role, player;
  int64_t agent; /* its number */
  double goal;   /* NAN: the match ended with an error */
  Score score;
  AgentWork work;
  const char *found; /* strategy that found the highest score; "": none */
} ResultsSide;

/* A stored match; lists and texts are borrowed during the call. */
typedef struct ResultsMatch {
  int64_t id;
  uint32_t number; /* in its series, from 0 */
  uint64_t seed;
  MatchEnd end;
  uint32_t steps;
  double seconds;
  const char *version;  /* of the program */
  const char *finished; /* "2026-11-16T15:30:00Z"; NULL: now */
  const char *error;
  const ResultsSide *sides; /* by role */
  uint32_t side_count;
} ResultsMatch;

/* Stores a finished game; one that is there already is kept. `agents` are by
   player. Returns false on failure. */
bool results_add(Results *results, int64_t series, const Fixture *fixture,
                 const int64_t *agents, uint64_t seed, double seconds,
                 const ResultsMoves *moves);
/* The same with everything given but the id; `moves` may be NULL. */
bool results_add_match(Results *results, int64_t series,
                       const ResultsMatch *match, const ResultsMoves *moves);

typedef void ResultsVisit(void *context, const ResultsMatch *match);

/* Calls `visit` for each match of a series, in the order of numbers. It may
   call the other functions. */
bool results_visit(Results *results, int64_t series, ResultsVisit *visit,
                   void *context);
/* Appends the moves of a match, in order. */
bool results_read_moves(Results *results, int64_t match, ResultsMoves *moves);
/* Sets `there[n]` for each match with a number n below `count`. */
bool results_there(Results *results, int64_t series, bool *there,
                   uint32_t count);
/* Sets `there` to whether the match is. */
bool results_has(Results *results, int64_t series, uint32_t number,
                 bool *there);

typedef struct ResultsCount {
  uint32_t scored, errors; /* matches that ended well, and with an error */
} ResultsCount;

/* Counts the matches of a series with numbers below `games`; 0: all. */
bool results_count(Results *results, int64_t series, uint32_t games,
                   ResultsCount *count);
/* Forgets the matches of a series that ended with an error, to be played once
   more. */
bool results_forget_errors(Results *results, int64_t series);
/* Forgets all of them. */
bool results_forget(Results *results, int64_t series);
/* Sets `other` if games of the series were played for this player by an agent
   that had other settings. A setting that the program did not have then, or no
   longer has, makes no difference. */
bool results_others(Results *results, int64_t series, uint32_t player,
                    int64_t agent, bool *other);

/* Processes that play for the same database share the games: one that wants to
   play a match claims it first, and releases it when it is stored or given up;
   if the process ends in any way, its claims end too. Returns false if another
   process has it. */
bool results_claim(Results *results, int64_t series, uint32_t number);
void results_release(Results *results, int64_t series, uint32_t number);

/* The database itself, for queries. */
sqlite3 *results_database(Results *results);

#endif
