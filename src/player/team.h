/* The thinkers of a match: one on the rules, there at once; one on the net,
   which takes over when it can. */
#ifndef TAFL_PLAYER_TEAM_H
#define TAFL_PLAYER_TEAM_H

#include "player/flow.h"
#include "player/position.h"
#include "player/thinker.h"

typedef struct Team {
  const FlowStart *start;
  const Text *rules;
  int link; /* for notes */
  Position *position;
  double begun;
  Thinker *quick, *full; /* on the rules, on the net; NULL: none */
  bool on_net;           /* the position has the net's engine: full stays */
  bool failed;           /* full is of no more use than that */
  Thinker *reporting;    /* NULL: nobody was asked */
} Team;

/* As the start's level and agent say; it may be nobody, as for a description
   that is not valid. */
void team_start(Team *team, const FlowStart *start,
                const Description *description, Position *position, int link);
/* Now and then: who has given up, who can take over. The position then has the
   net's engine, and the one that it had is deleted. */
void team_look(Team *team, Text *notes);
/* The position has changed: so many steps of those before hold. */
void team_follow(Team *team, uint32_t kept, uint32_t before);

/* The best move so far, legal in the position; false: nobody has one.
   `settled`: no better one will come. */
bool team_best(Team *team, Text *move, bool *settled);
bool team_empty(const Team *team);

/* Ask who answered for a report; it is there somewhat later. */
void team_ask_report(Team *team);
bool team_take_report(Team *team, Text *report);

#endif
