/* Whoever plays a role: a search, a simple chooser, a player over HTTP, a
   person at the terminal. All of them are a table of functions; whoever needs
   a move asks an agent and does not care which kind it is.

   An agent stands at a state of the match: `told` tells it the joint move that
   was made, `reset` takes it back to the initial state. One thread at a time
   may call its functions; only `best` may be called by another thread while
   it thinks. */
#ifndef TAFL_AGENT_AGENT_H
#define TAFL_AGENT_AGENT_H

#include "engine/game.h"
#include "game/budget.h"

typedef struct Agent Agent;

/* All thinking since the beginning. */
typedef struct AgentWork {
  uint64_t simulations, states;
  double seconds;
} AgentWork;

/* What the last thinking found. */
typedef struct AgentReport {
  bool searched; /* false: nothing below is meaningful */
  double value;  /* expected goal of the agent's role, 0 to 100 */
  double depth;  /* mean depth of the descents */
  uint32_t nodes;
  bool proven; /* the value is exact */
} AgentReport;

typedef enum {
  AGENT_COMPLETED,
  AGENT_BROKEN_OFF,
  AGENT_DROPPED /* nobody outside this process hears of it */
} AgentEnd;

/* A function may be NULL where an agent has nothing to do. */
typedef struct AgentOperations {
  bool every_turn; /* it must think even if it has only one legal move */
  /* Comes before `start`, for agents that get the rules early. */
  void (*preview)(Agent *agent);
  /* The match begins: spend the start clock, if it has a limit. */
  void (*start)(Agent *agent, const Budget *budget);
  /* A joint move was made. The agent's game is advanced by this. */
  void (*told)(Agent *agent, const Move *joint);
  void (*reset)(Agent *agent);
  /* Thinks until the budget is spent or nothing is left to think about. */
  void (*think)(Agent *agent, const Budget *budget);
  /* The best move so far; false, with the reason in `agent->fault`, if there is
     none: only agents outside this process may fail so. */
  bool (*best)(Agent *agent, Move *move);
  void (*report)(Agent *agent, AgentReport *report);
  /* The last thinking as lines of text; what was learned in general. */
  void (*explain)(Agent *agent, Text *text);
  void (*learned)(Agent *agent, Text *text);
  /* The match is over; frees the agent. */
  void (*end)(Agent *agent, AgentEnd how);
} AgentOperations;

/* Each kind begins with this. */
struct Agent {
  const AgentOperations *operations;
  uint32_t role;
  /* Stands at the agent's state; its moves are the agent's. An agent may borrow
     it from the referee, who then advances it before calling `told`. */
  Game *game;
  AgentWork work;
  /* What was wrong with the last answer, in the form of match records: "TO"
     late, "IL text" not a legal move, "CE why" no connection; empty: nothing.
   */
  Text fault;
};

void agent_preview(Agent *agent);
void agent_start(Agent *agent, const Budget *budget);
void agent_told(Agent *agent, const Move *joint);
void agent_reset(Agent *agent);
/* Does nothing if the budget has no limit. */
void agent_think(Agent *agent, const Budget *budget);
bool agent_best(Agent *agent, Move *move);
void agent_report(Agent *agent, AgentReport *report);
void agent_explain(Agent *agent, Text *text);
void agent_learned(Agent *agent, Text *text);
void agent_end(Agent *agent, AgentEnd how);

/* Thinks and answers. Budgets that the agent does not spend (random ones, only
   one legal move) are not waited for. */
bool agent_choose(Agent *agent, const Budget *budget, Move *move);
/* True if the agent gains by thinking. */
bool agent_thinks(const Agent *agent);

#endif
