/* The thinkers of a match: one on the rules engine, ready at once, and one on
   the net, which takes over when it is ready. */
#ifndef TAFL_PLAYER_TEAM_H
#define TAFL_PLAYER_TEAM_H

#include "player/position.h"
#include "player/start.h"
#include "player/thinker.h"

typedef struct Team {
  const Start *start;
  const Text *rules;
  int link; /* for notes */
  Position *position;
  double begun;
  Thinker *quick, *full; /* on the rules, on the net; may be NULL */
  bool on_net;           /* the position uses an engine of full's net, so full
                            must be kept */
  bool failed;           /* full only keeps the net */
  Thinker *reporting;    /* was asked for a report; may be NULL */
} Team;

/* Starts the thinkers that the level and the agent call for: none if the
   description is invalid. */
void team_start(Team *team, const Start *start, const Description *description,
                Position *position, int link);
/* To be called regularly: drops thinkers that failed and switches to the net
   when it is ready; the position's old engine is then deleted. */
void team_update(Team *team, Text *notes);
/* The position has changed: of `before` steps, the first `kept` still hold. */
void team_follow(Team *team, uint32_t kept, uint32_t before);

/* Finds the best move so far, legal in the position; returns false if no
   thinker has one. `settled`: there will be no better one. */
bool team_best(Team *team, Text *move, bool *settled);
bool team_empty(const Team *team);

/* Asks the thinker that answered for a report, which is ready somewhat later.
 */
void team_ask_report(Team *team);
bool team_take_report(Team *team, Text *report);

#endif
