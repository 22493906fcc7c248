/* How an agent is written, everywhere the same: `random`, `legal`, `cadia2010`,
   `cadia2010:c=30,threads=2`; a player over HTTP by its address,
   `http://host:9147`; a person at the terminal, `human`. */
#ifndef TAFL_AGENT_SPEC_H
#define TAFL_AGENT_SPEC_H

#include "agent/agent.h"
#include "game/book.h"
#include "search/settings.h"

typedef enum {
  SPEC_RANDOM,
  SPEC_LEGAL,
  SPEC_SEARCH,
  SPEC_REMOTE, /* match/remote makes these */
  SPEC_HUMAN   /* made by the owner of the terminal */
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

/* Several, separated by commas. A comma that is followed by `key=` belongs to
   the agent before it: `cadia2010:c=30,threads=2,random` are two. */
bool spec_parse_list(AgentSpecs *specs, const char *text, Text *error);
void spec_free_list(AgentSpecs *specs);

/* True for agents that spec_agent makes: they live in this process and need
   nobody. */
bool spec_is_local(const AgentSpec *spec);
/* True if the agent gains by thinking. */
bool spec_thinks(const AgentSpec *spec);
/* Lowers the memory limit of the agent to `bytes`, if it has one. */
void spec_limit_memory(AgentSpec *spec, size_t bytes);

/* Makes a local agent in the initial state. The book is borrowed. */
Agent *spec_agent(const AgentSpec *spec, Book *book, uint32_t role,
                  uint64_t seed);

#endif
