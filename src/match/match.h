/* How a match is to be played, and how it went. */
#ifndef TAFL_MATCH_MATCH_H
#define TAFL_MATCH_MATCH_H

#include "agent/spec.h"

typedef struct MatchOptions {
  Budget start; /* thinking before the first move; without a limit: none */
  Budget play;  /* of each move; its flag breaks the match off */
  uint32_t step_limit;
  uint32_t opening; /* steps at the beginning whose moves are random, by seed */
  bool idle; /* think even where only one move is legal, as players do that get
                a clock for every step */
  bool keep_moves;
} MatchOptions;

typedef enum {
  MATCH_ENDED,   /* in a terminal state */
  MATCH_CUT_OFF, /* at the step limit */
  MATCH_STUCK,   /* a role has no legal move in a state not terminal */
  MATCH_ILLEGAL, /* a local agent's move was not legal */
  MATCH_FAILED,  /* an engine reached a limit */
  MATCH_STOPPED  /* by the flag */
} MatchEnd;

typedef struct MatchSide {
  int goal;  /* in the last state; 0 if the rules give none */
  Text name; /* that an HTTP player gave itself; empty: none */
  AgentWork work;
} MatchSide;

typedef struct MatchResult {
  MatchEnd end;
  uint32_t role_count, steps;
  MatchSide *sides; /* by role */
  Text moves;       /* if kept: one a line, role by role, step by step */
  Text error;       /* what went wrong; empty: nothing did */
  uint32_t faults;  /* answers that were late, illegal or missing */
  Text fault;       /* the first of them */
} MatchResult;

void match_result_free(MatchResult *result);
const char *match_end_name(MatchEnd end);

#endif
