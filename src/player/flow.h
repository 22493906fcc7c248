/* The game flow of one match, as a process of its own (Finnsson 2007, 3.1.2):
   from the rules to moves that are legal and in time.

   First of all it makes an engine on the rules alone and publishes a legal
   move; then it grounds, analyses and thinks as far as the clock goes, falling
   back by cost. It never stops thinking while the link is open. */
#ifndef TAFL_PLAYER_FLOW_H
#define TAFL_PLAYER_FLOW_H

#include "agent/spec.h"
#include "player/link.h"

/* How much a process trusts itself; a successor of one that died trusts less.
 */
typedef enum {
  FLOW_FULL,  /* everything */
  FLOW_RULES, /* no grounding: the search on the rules engine */
  FLOW_LEGAL, /* any legal move, no search */
  FLOW_LEVELS
} FlowLevel;

typedef struct FlowStart {
  const char *rules; /* text of the START message */
  size_t rules_length;
  const char *role;
  double start_deadline;     /* by clock_now: when LINK_READY is due */
  double play;               /* the play clock */
  const TextVector *history; /* joint moves already made, one move a line */
  const AgentSpec *agent;
  BookLimits limits;
  FlowLevel level;
  uint64_t seed;
} FlowStart;

/* The process's life: returns when the link is closed or the match is over; the
   exit code. Its threads may be at work still: the caller ends the process, and
   does nothing else. */
int flow_run(const FlowStart *start, int link);

#endif
