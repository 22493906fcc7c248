/* Matches of tafl match beyond plain contests of local agents: with players
   over HTTP, with people at the terminal, and those that are recorded. */
#ifndef TAFL_COMMAND_REFEREED_H
#define TAFL_COMMAND_REFEREED_H

#include "command/person.h"
#include "contest/contest.h"
#include "match/referee.h"
#include "options.h"

typedef struct Refereed {
  const Options *options;
  RefereeOptions referee;
  bool several; /* paths are directories, with a file for each match */
  bool people;  /* some players are human: one match at a time */
  Terminal terminal;
  atomic_bool *stop; /* set when a person quits */
  Record *resumed;   /* NULL: matches are new */
  atomic_bool lost;  /* a record could not be written */
} Refereed;

/* Returns true if the options or players ask for such a match. */
bool refereed_wanted(const Options *options, const AgentSpecs *players);
/* Returns false, after printing why, if --record or --xml is a file, but there
   is more than one game (0: any number). */
bool refereed_check(const Options *options, uint32_t games);
/* `match` has the budgets of local agents. Returns false, after printing why,
   if a directory cannot be made. */
bool refereed_init(Refereed *refereed, const Options *options,
                   const AgentSpecs *players, const MatchOptions *match,
                   uint32_t games);
/* Returns the file of the only match's record, or NULL if there is none. */
const char *refereed_file(const Refereed *refereed);
/* For ContestOptions.play. */
void refereed_play(Refereed *refereed, const ContestTable *table,
                   MatchResult *result);
/* For ContestRecords. */
void refereed_open(const Refereed *refereed, const ContestTable *table,
                   Record *record);
void refereed_step(const Refereed *refereed, const ContestTable *table,
                   uint32_t step, const RecordTurn *turns);
void refereed_close(Refereed *refereed, Record *record);

#endif
