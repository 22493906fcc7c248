/* The agents of one match, one for each role: made, asked, told and ended
   together.

   Without HTTP players all of them share one book and are asked in the order of
   the roles by the calling thread, so that a seed decides the match. Beside
   HTTP players everybody thinks at the same time, each in its own thread, and
   local agents have a book of their own, since engines add terms to the
   description. People at the terminal are always asked by the calling thread,
   after all others have answered. With a `clock`, an agent that still thinks
   when it has run out answers with the best move so far, and is waited for
   before it is told anything. Local agents that have answered think on
   until the HTTP players have, and while people choose, unless simulations or
   states are counted; they begin to when the last of them has answered, since
   they share processors.

   In a match with HTTP players, an answer that is late, illegal or missing is
   replaced by a random legal move. */
#ifndef TAFL_MATCH_PARTY_H
#define TAFL_MATCH_PARTY_H

#include <pthread.h>

#include "agent/spec.h"
#include "match/remote.h"

typedef struct PartyOptions {
  RemoteClocks clocks; /* of HTTP players */
  bool scramble;
  bool ponder;  /* local agents think while HTTP players and people do */
  double clock; /* seconds for a move of a local agent, if there are no HTTP
                   players and the book has a net; 0: they are waited for */
  int nice;     /* priority of agents with a `clock`, below that of the
                   thread that waits for them */
  BookLimits limits; /* of books that agents have of their own */
  bool ground;
  /* Makes the agent of a person; NULL if nobody is human. */
  Agent *(*person)(void *context, Book *book, uint32_t role);
  /* Called before people are asked, for every other agent: after its start, and
     after each of its answers. May be NULL. */
  void (*started)(void *context, Agent *agent, const AgentSpec *spec);
  void (*answered)(void *context, Agent *agent, const AgentSpec *spec);
  /* Called while local agents think, if there are no HTTP players; with a
     `clock` by another thread, while the calling one waits. May be NULL. */
  AgentWatch *watch;
  void *context; /* of these */
} PartyOptions;

typedef struct PartyPlan {
  const PartyOptions *options;
  Game *game; /* the referee's */
  Book *book;
  const AgentSpec *const *players; /* by role; read by party_init only */
  uint64_t seed;                   /* an agent's is hash_pair(seed, role) */
  const char *id;                  /* of the match, for HTTP players */
  const atomic_bool *stop;         /* or NULL */
  bool reports;                    /* fill in `report` of members */
} PartyPlan;

typedef struct Party Party;

typedef struct PartyMember {
  Party *party;
  const AgentSpec *spec;
  uint32_t role;
  Agent *agent;            /* NULL: not made yet */
  Description description; /* if it has its own book */
  Book book;
  pthread_t thread;
  bool threaded;
  pthread_mutex_t lock; /* of those that think by a clock: */
  pthread_cond_t ended;
  double until; /* when the clock ends, */
  bool done;
  bool late;     /* the last answer was taken while it thought; there is no
                    report then, and it may still think */
  Budget budget; /* of the turn */
  bool think;    /* think even where only one move is legal */
  bool moved;    /* if it has its own book: `move` was its answer */
  /* The last turn; the agent has its fault. */
  Move move; /* in the numbering of the referee's game */
  bool legal;
  double seconds;
  AgentWork work;
  AgentReport report;
} PartyMember;

struct Party {
  PartyPlan plan;
  PartyMember *members; /* by role */
  uint32_t count;
  uint32_t steps;       /* joint moves told */
  bool at_once;         /* there are HTTP players */
  atomic_uint asked;    /* of them: those that have not answered yet */
  atomic_bool answered; /* everybody has: stops pondering, */
  double patience;      /* which lasts that many seconds at most */
  AgentEnd end;
  RemoteMatch remote;
};

/* Return true if one of the players is over HTTP, or is a person. */
bool party_has_remote(const AgentSpecs *players);
bool party_has_person(const AgentSpecs *players);

/* What the plan points to is borrowed until party_end. */
void party_init(Party *party, const PartyPlan *plan);
/* Asks HTTP players for their names, before the match. */
void party_ask_names(Party *party);
/* The name that an HTTP player gave itself; "" if there is none. */
const char *party_name(const Party *party, uint32_t role);
/* Must be called before the following: PREVIEW, START and the start budget.
   With NULL the match is resumed: agents are made, but nothing starts. */
void party_start(Party *party, const Budget *budget);
/* Bring HTTP players that have forgotten a match to its state: START, then for
   each joint move that was made the PLAY before it, whose answer is ignored. */
void party_start_again(Party *party);
void party_play_again(Party *party);
/* Asks everybody for a move; `idle`: agents think even where they have only one
   legal move. Sets `move` and `legal` of all members, unless an engine failed.
   With HTTP players there is a legal move in any case. */
void party_ask(Party *party, const Budget *budget, bool idle);
/* Gives everybody a random move instead, which depends on the seed, the step
   and the role only; nobody thinks. */
void party_draw(Party *party);
/* Tells everybody the joint move that the referee's game has just made. Returns
   false if it is not legal in an agent's engine. */
bool party_tell(Party *party, const Move *joint);
/* Returns an engine that failed, or NULL. */
const Game *party_failed(const Party *party);
void party_end(Party *party, AgentEnd how);

#endif
