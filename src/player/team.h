/* The thinkers of a match, one of each kind: on the rules, ready at once; on
   the net as it was built; on the reduced net, with all that the agent can do.
   A better one takes over when it is ready, in the middle of the match too. */
#ifndef TAFL_PLAYER_TEAM_H
#define TAFL_PLAYER_TEAM_H

#include "player/position.h"
#include "player/start.h"
#include "player/thinker.h"

typedef struct TeamReport { /* one that is owed */
  uint32_t number;          /* of the request */
  Thinker *from;            /* has been asked for it; NULL: nobody */
  Text text;                /* what is known already */
} TeamReport;

typedef struct Team {
  const Start *start;
  const Text *rules;
  int link; /* for notes */
  Position *position;
  uint32_t threads; /* that a search may use now; 0: all */
  double begun;
  bool watched;                    /* as in LINK_WATCH */
  Thinker *members[THINKER_KINDS]; /* by kind; may be NULL */
  bool spent[THINKER_KINDS];       /* it has failed, and only keeps the net */
  bool told[THINKER_KINDS];        /* a note said that it is ready */
  ThinkerKind base;  /* the position's engine is on this one's net, so it must
                        be kept; THINKER_RULES: on none */
  uint32_t attempts; /* at making the net, after the first */
  bool retired;      /* no more thinkers are started */
  VECTOR(TeamReport) reports; /* in the order of their requests */
} Team;

/* Starts the thinkers that the level and the agent call for: none if the
   description is invalid. */
void team_start(Team *team, const Start *start, const Description *description,
                Position *position, int link);
/* To be called regularly: drops thinkers that failed or that a better one
   replaces, tries again to make a net if that failed for want of time or
   memory, and switches the position to the best net; its old engine is then
   deleted. */
void team_update(Team *team, Text *notes);
/* Searches may use that many threads from now on. */
void team_share(Team *team, uint32_t threads);
/* Somebody watches, or no longer does. */
void team_watch(Team *team, bool watched);
/* The position has changed: of `before` steps, the first `kept` still hold. */
void team_follow(Team *team, uint32_t kept, uint32_t before);

/* Finds the best move so far, legal in the position; returns false if no
   thinker has one. `settled`: there will be no better one. */
bool team_best(Team *team, Text *move, bool *settled);
bool team_empty(const Team *team);

/* Asks the thinker whose move answers the request, if any, for a report. Each
   request gets exactly one, in order, somewhat later; `move` is the answer. */
void team_ask_report(Team *team, uint32_t number, const char *move);
/* Returns true if the next report is there: appends it and sets `number`. */
bool team_take_report(Team *team, uint32_t *number, Text *report);
/* Are reports owed? */
bool team_owes(const Team *team);
void team_free_reports(Team *team);

#endif
