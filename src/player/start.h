/* What the process of a match is started with. */
#ifndef TAFL_PLAYER_START_H
#define TAFL_PLAYER_START_H

#include "agent/spec.h"
#include "cluster/scheme.h"

/* How much a process attempts; replacements of crashed ones attempt less. */
typedef enum {
  START_FULL,  /* everything */
  START_RULES, /* no grounding: the agent runs on the rules engine */
  START_LEGAL  /* any legal move, no agent */
} StartLevel;

typedef struct Start {
  const char *rules; /* text of the START message */
  size_t rules_length;
  const char *role;
  double start_deadline;     /* by clock_now: when LINK_READY is due */
  double play;               /* the play clock */
  const TextVector *history; /* joint moves made so far, one move per line */
  const AgentSpec *agent;
  BookLimits limits;
  StartLevel level;
  uint32_t processors; /* threads that a search may have, 0: one; */
  uint32_t threads;    /* and may use now, 0: all; see LINK_THREADS */
  uint64_t seed;
  const Scheme *scheme; /* of ranks that help the search; NULL: none do */
} Start;

#endif
