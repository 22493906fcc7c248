/* The game master of one match on the page, in a process of its own: it reads
   the rules, asks agents and persons for moves, and tells the server everything
   that happens (docs/api.md: HEAD, STEP, TURN, THOUGHT). When the match ends it
   is written to the store. */
#ifndef TAFL_WEB_MASTER_H
#define TAFL_WEB_MASTER_H

#include "agent/spec.h"
#include "io/json.h"
#include "web/kinds.h"

typedef struct MasterPlan {
  const char *id;
  const char *game; /* its name; "": none */
  const char *rules;
  size_t rules_length;
  const char *name;          /* of the source, for diagnostics */
  const char *title;         /* for people; "": the first line of the rules */
  const AgentSpecs *players; /* by role; those missing are the last */
  const char *role;          /* that the first player has in a match that is
                                played elsewhere and only shown; NULL: it is
                                played here */
  double start, play;        /* clocks of agents, seconds */
  json_t *moves;             /* joint moves to begin with, or NULL */
  uint64_t seed;
  bool stylesheet;
  const char *db;      /* the store; NULL: none */
  const char *version; /* of the program, for the store */
  BookLimits limits;
  uint32_t processors, threads; /* as in player/start.h */
} MasterPlan;

/* Runs until the link is closed; returns the exit code. */
int master_run(const MasterPlan *plan, int link);

#endif
