/* Many matches of the same players at one game, several at a time, with
   rotating roles (see contest/fixture.h). Results are counted in the order of
   the games, whichever thread or rank played them, so that with budgets in
   simulations a seed decides the result. */
#ifndef TAFL_CONTEST_CONTEST_H
#define TAFL_CONTEST_CONTEST_H

#include "contest/fixture.h"
#include "contest/spread.h"
#include "contest/sprt.h"
#include "match/referee.h"

typedef struct Contest Contest;

/* A game to be played. */
typedef struct ContestTable {
  const Contest *contest;
  uint32_t number;
  uint64_t seed;                   /* an agent's is hash_pair(seed, role) */
  Book *book;                      /* NULL: another rank plays it */
  const AgentSpec *const *players; /* by role */
} ContestTable;

/* Records of games that other ranks play. */
typedef struct ContestRecords {
  void (*open)(void *context, const ContestTable *table, Record *record);
  /* Called as the game goes on, for each step; the table has no players. */
  void (*stepped)(void *context, const ContestTable *table, uint32_t step,
                  const RecordTurn *turns);
  void (*close)(void *context, Record *record); /* and frees it */
} ContestRecords;

typedef struct ContestOptions {
  uint32_t games;   /* 0: until the test or the flag ends it */
  uint32_t threads; /* at least one, unless other ranks play */
  uint64_t seed;
  MatchOptions match;
  BookLimits limits;
  bool ground;   /* false: everybody plays on the rules engine */
  bool need_net; /* rules too large to ground are an error */
  bool sprt;     /* stop when the test has decided; for two players and roles */
  double elo0, elo1, alpha, beta;
  /* Called for each game in order, by one thread at a time; may be NULL. */
  void (*finished)(void *context, const Contest *contest, const Fixture *game);
  /* Plays a game by a referee with other options; called by several threads at
     once. NULL: all players are local agents, and nothing is recorded. */
  void (*play)(void *context, const ContestTable *table, MatchResult *result);
  void *context;
  Spread *spread; /* other ranks, which play too; NULL: there are none */
  const ContestRecords *records; /* what they play is recorded; may be NULL */
} ContestOptions;

struct Contest {
  const ContestOptions *options;
  const Description *description; /* valid; each thread parses its own copy */
  const AgentSpecs *players;
  uint32_t role_count;
  Seating seating;
  Tally *tallies; /* by player */
  Text *names;    /* by player: what HTTP players call themselves */
  uint32_t games; /* finished, including those with errors */
  uint32_t cut_off, errors, illegal;
  uint64_t steps;
  uint64_t faults; /* of players over HTTP; see MatchResult */
  Text fault;      /* the first one */
  AgentWork *work; /* by player */
  Sprt sprt;
  Text error; /* the first one */
};

/* The arguments are borrowed until contest_free. */
void contest_init(Contest *contest, const Description *description,
                  const AgentSpecs *players, const ContestOptions *options);
void contest_free(Contest *contest);
/* Returns false and sets `error` if no game could be played. */
bool contest_run(Contest *contest);

#endif
