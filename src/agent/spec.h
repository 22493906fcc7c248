/* Agents as text, the same everywhere: `random`, `legal`, `cadia2010`,
   `cadia2010:c=30,threads=2`; the address of a player over HTTP,
   `http://host:9147`; `human` for a person at the terminal. */
#ifndef TAFL_AGENT_SPEC_H
#define TAFL_AGENT_SPEC_H

#include "agent/agent.h"
#include "game/book.h"
#include "search/settings.h"

typedef enum {
  SPEC_RANDOM,
  SPEC_LEGAL,
  SPEC_SEARCH,
  SPEC_REMOTE, /* made by match/remote */
  SPEC_HUMAN   /* made by command/person */
} SpecKind;

typedef struct AgentSpec {
  SpecKind kind;
  Settings settings;
  char *text; /* as it was written */
} AgentSpec;

/* Returns false and sets `error` if the text names no agent. */
bool spec_parse(AgentSpec *spec, const char *text, Text *error);
void spec_free(AgentSpec *spec);

typedef VECTOR(AgentSpec) AgentSpecs;

/* Parses a list separated by commas. A comma followed by `key=` belongs to the
   agent before it: `cadia2010:c=30,threads=2,random` are two agents. */
bool spec_parse_list(AgentSpecs *specs, const char *text, Text *error);
void spec_free_list(AgentSpecs *specs);

/* Returns true for agents that spec_agent can make: they run in this process
   and need no terminal. */
bool spec_is_local(const AgentSpec *spec);
/* Returns true if the agent has any use for a budget. */
bool spec_thinks(const AgentSpec *spec);
/* Clamps the memory setting to `bytes`. */
void spec_limit_memory(AgentSpec *spec, size_t bytes);

/* Sets the number of threads unless the text does. */
void spec_set_threads(AgentSpec *spec, uint32_t threads);

/* Makes a local agent in the initial state. The book is borrowed. */
Agent *spec_agent(const AgentSpec *spec, Book *book, uint32_t role,
                  uint64_t seed);

#endif
