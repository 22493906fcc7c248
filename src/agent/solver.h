/* An agent for games of one role. It follows the best plan that the methods of
   solve/ found, and lets them look for a better one until none can be. */
#ifndef TAFL_AGENT_SOLVER_H
#define TAFL_AGENT_SOLVER_H

#include "agent/agent.h"
#include "search/settings.h"
#include "solve/portfolio.h"

/* Which methods work is the setting `puzzle`. */
Agent *solver_new(Book *book, const Settings *settings, uint64_t seed);

/* The methods of such an agent, for portfolio_new; NULL: all. */
const char *solver_methods(const Settings *settings);

#endif
