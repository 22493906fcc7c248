/* Players over HTTP as agents, called as by the reference game master: INFO,
   PREVIEW, START, PLAY at every step, STOP or ABORT. A reply that is late,
   illegal or missing is reported as the agent's fault. */
#ifndef TAFL_MATCH_REMOTE_H
#define TAFL_MATCH_REMOTE_H

#include <stdatomic.h>

#include "agent/agent.h"
#include "match/scramble.h"

typedef struct RemoteClocks {
  double preview; /* 0: no PREVIEW is sent */
  double start, play;
  double grace; /* beyond the play clock before a reply is late */
} RemoteClocks;

/* What the players of one match share. */
typedef struct RemoteMatch {
  Game *game; /* borrowed; moves are judged in its state */
  RemoteClocks clocks;
  const atomic_bool *stop; /* ends all waiting; or NULL */
  Text id;
  Scramble scramble;
  VECTOR(const char *) urls; /* of the players made so far */
} RemoteMatch;

void remote_match_init(RemoteMatch *match, Game *game, const char *id,
                       const RemoteClocks *clocks, const atomic_bool *stop,
                       bool scramble, uint64_t seed);
void remote_match_free(RemoteMatch *match);

/* Makes a player; the match and the URL are borrowed. It goes by the clocks and
   ignores budgets. `preview`, `start`, `think` and `end` wait for replies and
   may be called for several players at the same time, each in its own thread.
 */
Agent *remote_new(RemoteMatch *match, uint32_t role, const char *url);

/* Asks the player for its name by INFO; waits shortly, and no answer is no
   fault. The name is "" if it is not known. */
void remote_ask_name(Agent *agent);
const char *remote_name(const Agent *agent);

#endif
