/* Games that other ranks play for this one, rank 0: it deals them out, a new
   one whenever a rank has finished one, and gets back what came of them. All of
   it is done by the thread that calls spread_run; whoever has the games decides
   about their order and counts them.

   A rank plays as many games at once as it has threads. Where games are short
   it is given a few more in advance, which hides the time that messages take;
   what waits in a rank is never more than a twentieth of a second of work. */
#ifndef TAFL_CONTEST_SPREAD_H
#define TAFL_CONTEST_SPREAD_H

#include "cluster/ranks.h"
#include "contest/errand.h"

typedef struct Spread Spread;

Spread *spread_new(Ranks *ranks, const char *version);
/* Tells all other ranks to begin, before the first run. If one is a program of
   another version, the run ends the job with code 4. */
void spread_begin(Spread *spread, const ErrandBegin *begin);
/* Tells them that there is nothing more to do. Returns false if a rank still
   plays a game that was broken off: it would be waited for. */
bool spread_delete(Spread *spread);

/* A game to be played. */
typedef struct SpreadGame {
  const Description *description; /* valid */
  bool ground, need_net;
  const AgentSpec *const *players; /* by role; valid until the next `take` */
  uint64_t seed;
  MatchOptions match;
  bool turns;     /* `stepped` is to be called, */
  bool live;      /* as the game goes; else when it has ended */
  Record *record; /* NULL: none. It is kept up to date, and written. */
  void *own;      /* whatever the asker knows it by */
} SpreadGame;

typedef enum {
  SPREAD_TAKEN,
  SPREAD_LATER, /* there may be a game later */
  SPREAD_OVER   /* there are no more */
} SpreadNext;

typedef struct SpreadWork {
  /* Fills in the game. With NULL it takes none, and is asked only whether there
     are no more. */
  SpreadNext (*take)(void *context, SpreadGame *game);
  void (*stepped)(void *context, const SpreadGame *game, uint32_t step,
                  const RecordTurn *turns);
  /* `result` is the callee's to free; `seconds` is how long it took. Called
     once for each game that was taken: if it was broken off and the rank does
     not say so in time, with a result of MATCH_STOPPED. */
  void (*finished)(void *context, const SpreadGame *game, MatchResult *result,
                   double seconds);
  /* A rank cannot play it: the net that is needed cannot be made. May be NULL
     if none is. */
  void (*refused)(void *context, const SpreadGame *game, const Text *why);
  /* Returns false if games that are being played are of no more use; NULL: they
     always are. */
  bool (*needed)(void *context);
  const atomic_bool *stop; /* breaks everything off */
  void *context;
} SpreadWork;

/* Returns when there are no more games and those taken are finished. */
void spread_run(Spread *spread, const SpreadWork *work);

#endif
