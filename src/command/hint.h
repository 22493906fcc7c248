/* What a search thinks, for people: a suggestion, or why it moved. */
#ifndef TAFL_COMMAND_HINT_H
#define TAFL_COMMAND_HINT_H

#include "command/terminal.h"

/* Prints the best moves of the role in the current state, their values, and how
   the game is expected to go on. */
void hint_give(Terminal *terminal, uint32_t role);
/* Appends what an agent found when it last thought: its work, its best moves,
   how it expects the game to go on. */
void hint_explain(Agent *agent, Text *text);

#endif
