/* Agents that do not think. */
#ifndef TAFL_AGENT_SIMPLE_H
#define TAFL_AGENT_SIMPLE_H

#include "agent/agent.h"
#include "game/book.h"

/* Plays random legal moves, or else always the first in order. */
Agent *simple_new(Book *book, uint32_t role, bool random, uint64_t seed);

#endif
