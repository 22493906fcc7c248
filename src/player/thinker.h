/* A thread that thinks about a match: it reads the rules, grounds them if it
   can, and searches wherever the match stands until it is told that it stands
   elsewhere. Nobody ever waits for it. */
#ifndef TAFL_PLAYER_THINKER_H
#define TAFL_PLAYER_THINKER_H

#include "agent/spec.h"
#include "player/link.h"

typedef struct Thinker Thinker;

typedef struct ThinkerPlan {
  const char *rules; /* they and all below stay as long as the process */
  size_t rules_length;
  uint32_t role;
  AgentSpec agent;
  BookLimits limits;
  bool ground; /* on the net, or not at all; else on the rules */
  int nice;    /* how much it gives way to other threads */
  uint64_t seed;
  int link; /* for notes */
} ThinkerPlan;

/* After those joint moves. NULL if there is no thread to be had. */
Thinker *thinker_start(const ThinkerPlan *plan, const TextVector *course);
/* It ends itself as soon as it can, and is not to be asked any more. */
void thinker_end(Thinker *thinker);

/* The match has gone on by a joint move, spelled as the rules do; or is back
   where only so many were made. */
void thinker_advance(Thinker *thinker, const char *joint);
void thinker_return(Thinker *thinker, uint32_t steps);

/* The best move so far after so many steps; false: it does not stand there.
   `settled`: no better one will come. */
bool thinker_best(Thinker *thinker, uint32_t steps, Text *move, bool *settled);
/* It has given up: it could not be ground, or a limit was reached. */
bool thinker_failed(Thinker *thinker);
/* An engine of its own net in the initial state, once; NULL: not yet. */
Game *thinker_take_game(Thinker *thinker);

/* Ask for a report on the thinking so far; it is there somewhat later. */
void thinker_ask_report(Thinker *thinker);
bool thinker_take_report(Thinker *thinker, Text *report);

#endif
