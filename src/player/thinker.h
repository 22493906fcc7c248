/* A thread that thinks about a match: it reads the rules, makes an engine, and
   lets an agent think about the current state until the match moves on. Nobody
   ever waits for it. */
#ifndef TAFL_PLAYER_THINKER_H
#define TAFL_PLAYER_THINKER_H

#include "agent/spec.h"
#include "cluster/scheme.h"
#include "player/link.h"

typedef struct Thinker Thinker;

/* What it runs on; later ones are faster, and ready later. */
typedef enum {
  THINKER_RULES, /* the rules: sequential search */
  THINKER_EARLY, /* the net as it was built, which another thinker offers:
                    sequential search */
  THINKER_NET,   /* the reduced net: all that the agent can do */
  THINKER_KINDS
} ThinkerKind;

typedef struct ThinkerPlan {
  const char
      *rules; /* borrowed, like the agent's text, until the process ends */
  size_t rules_length;
  uint32_t role;
  AgentSpec agent;
  BookLimits limits;
  const Scheme *scheme; /* of ranks that help its search; NULL: none do */
  ThinkerKind kind;
  uint32_t threads;   /* that its search may use; 0: all that it has */
  Handover *handover; /* from THINKER_NET to THINKER_EARLY; each closes it;
                         may be NULL for THINKER_NET */
  int nice;           /* added to the nice value of the process: while the
                         engine is made, */
  int nice_later;     /* and from then on, if it is higher */
  uint64_t seed;
  double start_deadline, play; /* as in player/start.h */
  int link;                    /* for notes */
  bool watched;                /* as in LINK_WATCH */
} ThinkerPlan;

/* Starts a thinker at the state after these joint moves. Returns NULL if the
   system refuses a thread. */
Thinker *thinker_start(const ThinkerPlan *plan, const TextVector *course);
/* Makes it end, and free itself, as soon as it can; it may not be used any
   more. */
void thinker_end(Thinker *thinker);

/* From its next thinking on it may use that many threads. */
void thinker_share(Thinker *thinker, uint32_t threads);
/* From its next thinking on it sends LINK_OUTLOOK, or no longer. */
void thinker_watch(Thinker *thinker, bool watched);

/* A joint move, spelled as in the rules, was made; or the match is back where
   only `steps` were made. */
void thinker_advance(Thinker *thinker, const char *joint);
void thinker_return(Thinker *thinker, uint32_t steps);

/* Finds the best move so far after `steps` steps; returns false if the thinker
   has none or is at another state. `settled`: there will be no better one. */
bool thinker_best(Thinker *thinker, uint32_t steps, Text *move, bool *settled);
/* True if it has given up: grounding failed, or a limit was reached. */
bool thinker_failed(Thinker *thinker);
/* True if it has given up because its net takes more time or memory than its
   limits allow: more of them may help. */
bool thinker_starved(Thinker *thinker);
/* True if the agent is there, and may be asked. */
bool thinker_prepared(Thinker *thinker);
/* Returns an engine on its net in the initial state, once; NULL if there is
   none yet. The caller owns it. */
Game *thinker_take_game(Thinker *thinker);

/* Asks for a report on the thinking so far, which is ready somewhat later; a
   thinker that fails before then has none. Reports come in the order in which
   they were asked for. */
void thinker_ask_report(Thinker *thinker);
bool thinker_take_report(Thinker *thinker, Text *report);

#endif
