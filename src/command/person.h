/* People at the terminal as agents: each is shown the state and a numbered menu
   of moves, and types a choice. */
#ifndef TAFL_COMMAND_PERSON_H
#define TAFL_COMMAND_PERSON_H

#include "command/terminal.h"
#include "match/party.h"

/* The options of a match with people at the terminal: makes their agents and
   shows them what others did. */
void person_seat(Terminal *terminal, PartyOptions *options);

#endif
