/* One match: agents in this process, a referee's engine that alone knows what
   is legal and when it is over. All agents are asked in turn by one thread. */
#ifndef TAFL_MATCH_MATCH_H
#define TAFL_MATCH_MATCH_H

#include "agent/spec.h"

typedef struct MatchOptions {
  Budget start; /* thinking before the first move; without a limit: none */
  Budget play;  /* of each move; its flag breaks the match off */
  uint32_t step_limit;
  bool idle; /* think also where there is nothing to choose, as players do that
                get a clock for every step */
  bool keep_moves;
} MatchOptions;

typedef enum {
  MATCH_ENDED,   /* in a terminal state */
  MATCH_CUT_OFF, /* at the step limit */
  MATCH_STUCK,   /* a role has no legal move in a state not terminal */
  MATCH_ILLEGAL, /* an agent's move was not legal */
  MATCH_FAILED,  /* an engine reached a limit */
  MATCH_STOPPED  /* by the flag */
} MatchEnd;

typedef struct MatchSide {
  int goal; /* in the last state; 0 if the rules give none */
  AgentWork work;
} MatchSide;

typedef struct MatchResult {
  MatchEnd end;
  uint32_t role_count, steps;
  MatchSide *sides; /* by role */
  Text moves;       /* if kept: one a line, role by role, step by step */
  Text error;       /* what went wrong; empty: nothing did */
  uint32_t faults;  /* replies that were late, illegal or missing */
  Text fault;       /* the first of them */
} MatchResult;

/* Between agents, one for each role, and a referee; all stand at the same
   state, and their engines are of one rulebook. Free the result in any case. */
void match_play(Game *referee, Agent *const *agents,
                const MatchOptions *options, MatchResult *result);
void match_result_free(MatchResult *result);
const char *match_end_name(MatchEnd end);

#endif
