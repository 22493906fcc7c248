/* Matches of tafl match that a referee runs: those with players over HTTP, and
   those that are recorded. */
#ifndef TAFL_COMMAND_REFEREED_H
#define TAFL_COMMAND_REFEREED_H

#include "contest/contest.h"
#include "match/referee.h"
#include "options.h"

typedef struct Refereed {
  const Options *options;
  RefereeOptions referee;
  bool several;     /* files are directories, with a file for each match */
  Record *resumed;  /* NULL: matches are new */
  atomic_bool lost; /* a record could not be written to its end */
} Refereed;

/* Do the options or players ask for a referee? */
bool refereed_wanted(const Options *options, const AgentSpecs *players);
/* `match` has the budgets of agents here. False, after saying why on stderr, if
   a directory cannot be made. */
bool refereed_init(Refereed *refereed, const Options *options,
                   const AgentSpecs *players, const MatchOptions *match,
                   uint32_t games);
/* For ContestOptions.play. */
void refereed_play(Refereed *refereed, const ContestTable *table,
                   MatchResult *result);

#endif
