/* What an agent thinks, as JSON for those who watch a match of the player: the
   THOUGHT of docs/api.md as far as it is known without boards. */
#ifndef TAFL_PLAYER_OUTLOOK_H
#define TAFL_PLAYER_OUTLOOK_H

#include "agent/agent.h"

/* Appends seconds, simulations, states, nodes, depth, deepened, value, values,
   proven and the best moves, each with its text; a few kilobytes at most, or
   nothing if there is nothing to say. */
void outlook_write(Agent *agent, Text *json);

#endif
