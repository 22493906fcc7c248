/* Agents play a role: a search, a simple chooser, a player over HTTP, a person
   at the terminal. Each kind is a table of functions, and callers that need a
   move do not care which kind they ask.

   An agent has a current state: `told` advances it by the joint move that was
   made, `reset` takes it back to the initial state. One thread at a time may
   call its functions; only `best` may be called by another thread while the
   agent thinks or explains. */
#ifndef TAFL_AGENT_AGENT_H
#define TAFL_AGENT_AGENT_H

#include "engine/game.h"
#include "game/budget.h"
#include "search/ally.h"

typedef struct Agent Agent;

/* Sums over all thinking of the match. */
typedef struct AgentWork {
  uint64_t simulations, states;
  uint64_t allied;    /* simulations of an ally, as in SearchReport */
  uint64_t offloaded; /* of the simulations: by the graphics card */
  double seconds;
  const char *found; /* a word for what found the highest score of a puzzle, as
                        in SearchReport; NULL: nothing has, or not known */
} AgentWork;

/* Moves that are expected to follow. */
typedef struct AgentStep { /* a role's part of it */
  Move move;
  bool chosen; /* it is the role's turn */
} AgentStep;

typedef struct AgentLine {
  const AgentStep *steps; /* one for each step and role */
  uint32_t count;         /* steps */
} AgentLine;

/* A move of the agent's role. */
typedef struct AgentMove {
  Move move;
  uint32_t visits;
  double value;   /* mean return; -1 without visits */
  bool proven;    /* the value is exact */
  AgentLine line; /* begins with the move; empty beyond the best few moves */
} AgentMove;

/* What the agent found when it last thought. Lists are borrowed until the
   agent's next call. */
typedef struct AgentReport {
  bool searched; /* false: nothing below is meaningful */
  uint64_t simulations, states;
  uint64_t allied;    /* simulations of an ally, as in SearchReport */
  uint64_t offloaded; /* and of the graphics card, */
  const char *card;   /* and why it is not used; or NULL */
  double seconds;
  double value;         /* expected goal of the agent's role, 0 to 100 */
  const double *values; /* of all roles; NULL: not known */
  double depth;         /* mean depth of the descents */
  bool deepened; /* or the depth that was completed: a simulation is then a
                    state that was evaluated, and moves have no visits */
  uint32_t nodes;
  bool proven;            /* the value is exact, */
  uint32_t distance;      /* and the game then ends within as many steps */
  const AgentMove *moves; /* legal ones, the best first */
  uint32_t move_count;
} AgentReport;

typedef enum {
  AGENT_COMPLETED,
  AGENT_BROKEN_OFF,
  AGENT_DROPPED /* nothing is sent to players outside this process */
} AgentEnd;

/* Functions may be NULL, except `told`, `best` and `end`. */
typedef struct AgentOperations {
  bool every_turn; /* `think` is called even if only one move is legal */
  /* Comes before `start`, for players that get the rules early. */
  void (*preview)(Agent *agent);
  /* The match begins. Thinks until the budget is spent, if it has a limit. */
  void (*start)(Agent *agent, const Budget *budget);
  /* A joint move was made; advances the agent's game. */
  void (*told)(Agent *agent, const Move *joint);
  void (*reset)(Agent *agent);
  /* Goes to the state with these facts; returns false if it cannot be one. */
  bool (*enter)(Agent *agent, const Term *facts, uint32_t count);
  /* Thinks until the budget is spent or there is nothing left to find. */
  void (*think)(Agent *agent, const Budget *budget);
  /* Gives the agent an ally (search/ally.h), borrowed; NULL: takes it away. Not
     while it thinks. Returns false if it has no use for one. */
  bool (*ally)(Agent *agent, Ally *ally);
  /* Gives the best move so far. Returns false if there is none, with the reason
     in `agent->fault` if the player is outside this process. */
  bool (*best)(Agent *agent, Move *move);
  void (*report)(Agent *agent, AgentReport *report);
  /* Append lines of text: who of several minds plays, and why; the last
     thinking; what was learned in general. */
  void (*who)(Agent *agent, Text *text);
  void (*explain)(Agent *agent, Text *text);
  void (*learned)(Agent *agent, Text *text);
  /* The match is over. Frees the agent. */
  void (*end)(Agent *agent, AgentEnd how);
} AgentOperations;

/* The first member of every kind. */
struct Agent {
  const AgentOperations *operations;
  uint32_t role;
  /* Has the agent's state, and numbers its moves. May be borrowed from the
     referee, which then advances it before it calls `told`. */
  Game *game;
  AgentWork work;
  /* What was wrong with the last answer, in the form of match records: "TO"
     late, "IL text" not a legal move, "CE why" no connection; empty: nothing.
   */
  Text fault;
  /* What whoever runs the agent should know, such as a damaged file; empty:
     nothing. */
  Text note;
};

void agent_preview(Agent *agent);
void agent_start(Agent *agent, const Budget *budget);
void agent_told(Agent *agent, const Move *joint);
void agent_reset(Agent *agent);
/* Returns false also for agents that cannot enter states. */
bool agent_enter(Agent *agent, const Term *facts, uint32_t count);
/* Does nothing if the budget has no limit. */
void agent_think(Agent *agent, const Budget *budget);
/* The same, and calls `watch` about every tenth of a second, in this thread,
   while the agent thinks, if it is a search; agent_report may be called then,
   and nothing that changes the agent. What is found does not depend on it.
   `spent` and `left` are seconds; left < 0: there is no time limit. */
typedef void AgentWatch(void *context, Agent *agent, double spent, double left);
void agent_think_watched(Agent *agent, const Budget *budget, AgentWatch *watch,
                         void *context);
/* Returns false also for agents that are no searches. */
bool agent_ally(Agent *agent, Ally *ally);
bool agent_best(Agent *agent, Move *move);
void agent_report(Agent *agent, AgentReport *report);
void agent_who(Agent *agent, Text *text);
void agent_explain(Agent *agent, Text *text);
void agent_learned(Agent *agent, Text *text);
void agent_end(Agent *agent, AgentEnd how);

#endif
