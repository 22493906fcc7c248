/* Who plays a role: a search with its settings, or one of the simple ones. An
   agent is written the same way everywhere: `random`, `legal`, `cadia2010`,
   `cadia2010:c=30,threads=2`; a player that is asked over HTTP by its address,
   `http://host:9147`. */
#ifndef TAFL_AGENT_AGENT_H
#define TAFL_AGENT_AGENT_H

#include "search/search.h"

typedef enum {
  AGENT_RANDOM,
  AGENT_LEGAL,
  AGENT_SEARCH,
  AGENT_REMOTE /* not of this process: no Agent can be made of it */
} AgentKind;

typedef struct AgentSpec {
  AgentKind kind;
  Settings settings;
  char *text; /* as it was written */
} AgentSpec;

typedef struct Agent Agent;

/* False, with the reason in `error`. */
bool agent_spec_parse(AgentSpec *spec, const char *text, Text *error);
void agent_spec_free(AgentSpec *spec);

typedef VECTOR(AgentSpec) AgentSpecs;

/* Several, separated by commas. A comma that is followed by `key=` belongs to
   the agent before it: `cadia2010:c=30,threads=2,random` are two. */
bool agent_specs_parse(AgentSpecs *specs, const char *text, Text *error);
void agent_specs_free(AgentSpecs *specs);

/* In the initial state. The book and the spec are borrowed. */
Agent *agent_new(const AgentSpec *spec, Book *book, uint32_t role,
                 uint64_t seed);
void agent_delete(Agent *agent);

/* Whether a budget has a limit of its own; agents think by none that has not.
 */
bool agent_limits(const Budget *budget);
/* Think and answer with a legal move. Budgets that the agent does not spend
   (random ones, only one legal move) are not waited for. */
Move agent_choose(Agent *agent, const Budget *budget);
/* Think without answering: the start clock, the others' time. */
void agent_think(Agent *agent, const Budget *budget);
void agent_advance(Agent *agent, const Move *joint);
/* NULL for agents that do not search. */
Search *agent_search(Agent *agent);
/* The engine that stands at the agent's state. */
Game *agent_game(Agent *agent);

/* All thinking since the beginning. */
typedef struct AgentWork {
  uint64_t simulations, states;
  double seconds;
} AgentWork;

const AgentWork *agent_work(const Agent *agent);

#endif
