/* One match: agents of any kind, and an engine that alone decides what is legal
   and when it is over. A match may be recorded as it goes, and may go on from
   its record. */
#ifndef TAFL_MATCH_REFEREE_H
#define TAFL_MATCH_REFEREE_H

#include "match/party.h"
#include "match/record.h"

typedef struct RefereeOptions {
  MatchOptions match; /* budgets are those of local agents */
  PartyOptions party;
  /* Called after each step, with its turns by role; may be NULL. */
  void (*stepped)(void *context, uint32_t step, const RecordTurn *turns);
  /* Called before a step is sent again to HTTP players that had ABORT; may be
     NULL. */
  void (*repeated)(void *context, uint32_t step, uint32_t steps);
  void *context;
} RefereeOptions;

typedef struct RefereeMatch {
  Book *book;
  const AgentSpec *const *players; /* by role */
  Record *record; /* NULL: none. The match goes on from where it stands. */
  uint64_t seed; /* an agent's is hash_pair(seed, role); a record has its own */
} RefereeMatch;

/* Plays a match. HTTP players need a record, which has the match's id. Free the
   result in any case. */
void referee_play(const RefereeMatch *match, const RefereeOptions *options,
                  MatchResult *result);

#endif
