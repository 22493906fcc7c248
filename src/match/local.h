/* Roles of a refereed match that agents of this process have. Beside players
   over HTTP each thinks in a thread of its own, with a rulebook of its own,
   while those are asked; without such players they share one, and are asked one
   after the other, so that a seed decides the match. */
#ifndef TAFL_MATCH_LOCAL_H
#define TAFL_MATCH_LOCAL_H

#include <pthread.h>

#include "match/record.h"

/* What agents are made of. */
typedef struct LocalHouse {
  Book *shared; /* NULL: each makes its own of what follows */
  const Description *description;
  BookLimits limits;
  bool ground;
} LocalHouse;

typedef struct Local {
  const LocalHouse *house;
  uint32_t role;
  const AgentSpec *spec;
  uint64_t seed;
  Description description; /* if it has its own */
  Book book;
  Agent *agent;
  pthread_t thread;
  /* the turn at hand */
  Budget budget;
  bool idle; /* see MatchOptions */
  RecordTurn *turn;
} Local;

/* Without an agent yet; everything is borrowed. */
void local_init(Local *local, const LocalHouse *house, uint32_t role,
                const AgentSpec *spec, uint64_t seed);
void local_free(Local *local);

/* Work that a thread does, if the house is not shared: wait for it then.
   First the agent is made, in the initial state, and thinks for what is left of
   the budget; later it chooses, and the move goes to the turn. */
void local_start(Local *local, const Budget *budget, RecordTurn *turn);
void local_play(Local *local, const Budget *budget, bool idle,
                RecordTurn *turn);
void local_wait(Local *local);

/* The moves of all roles; false if one of them is none in its engine. */
bool local_advance(Local *local, const RecordTurn *turns);
/* The agent's engine. */
Game *local_game(Local *local);

#endif
