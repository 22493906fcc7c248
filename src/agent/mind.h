/* The agent of games of several roles that has an evaluation, a second mind, or
   both: settings mind and evaluation. */
#ifndef TAFL_AGENT_MIND_H
#define TAFL_AGENT_MIND_H

#include "agent/agent.h"
#include "game/book.h"
#include "search/settings.h"

/* Returns true if the settings ask for this agent rather than for a search
   alone. */
bool mind_wanted(const Settings *settings, uint32_t role_count);

/* The book is borrowed. */
Agent *mind_new(Book *book, uint32_t role, const Settings *settings,
                uint64_t seed);

#endif
