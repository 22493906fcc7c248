/* A player over HTTP that has all roles but a person's. */
#ifndef TAFL_COMMAND_OPPONENT_H
#define TAFL_COMMAND_OPPONENT_H

#include "match/remote.h"
#include "options.h"

/* START; the game is borrowed. */
Remotes *opponent_begin(const Options *options, Game *game, uint32_t person,
                        const char *url);
/* Its moves for the state, also after faults, which are told of; what can be
   said of them goes to `why`. `moves`: of the turn before; NULL: none. */
void opponent_ask(Remotes *remotes, const Text *moves, Random *random,
                  Move *joint, Text *why);
/* STOP if the game is over, else ABORT. */
void opponent_end(Remotes *remotes, const Text *moves);

#endif
