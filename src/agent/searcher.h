/* A search as an agent. */
#ifndef TAFL_AGENT_SEARCHER_H
#define TAFL_AGENT_SEARCHER_H

#include "agent/agent.h"
#include "search/search.h"

Agent *searcher_new(Book *book, uint32_t role, const Settings *settings,
                    uint64_t seed);

#endif
