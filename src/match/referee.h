/* One match under a game master's rules: players over HTTP and agents of this
   process are asked at the same time, what is late, illegal or missing is
   replaced by a legal move at random and noted, and everything is recorded as
   it happens. */
#ifndef TAFL_MATCH_REFEREE_H
#define TAFL_MATCH_REFEREE_H

#include "match/local.h"

typedef struct RefereeOptions {
  MatchOptions
      match; /* budgets of agents here; the flag breaks the match off */
  RemoteClocks clocks;
  bool scramble;
  BookLimits limits; /* for agents that get a rulebook of their own */
  bool ground;
  /* Called after each step, with its turns by role; may be NULL. */
  void (*stepped)(void *context, uint32_t step, const RecordTurn *turns);
  void *context;
} RefereeOptions;

/* Goes on from where the record stands: from the beginning if it is new.
   `players`, by role, and `book` are borrowed. Free the result in any case.
   Seeds of agents are hash_pair(record_seed, role). */
void referee_play(Book *book, const AgentSpec *const *players,
                  const RefereeOptions *options, Record *record,
                  MatchResult *result);

/* Is one of them asked over HTTP? */
bool referee_needed(const AgentSpecs *players);

#endif
