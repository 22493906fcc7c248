/* The scalar engine: a game on a net, one state at a time, driven by events. */
#ifndef TAFL_ENGINE_SCALAR_H
#define TAFL_ENGINE_SCALAR_H

#include "engine/game.h"
#include "net/net.h"

/* The net is borrowed. A move is its number in Net.moves; legal moves come in
   that order. */
Game *scalar_engine_new(Description *description, const Net *net);

/* The questions below are for games of this engine only. A state is an array of
   words, bit i is fluent i of the net; bits beyond are zero. */
uint32_t scalar_state_words(const Game *game);
const uint64_t *scalar_state(const Game *game);
/* Enter a state from anywhere; it becomes the bottom of the way back. */
void scalar_set_state(Game *game, const uint64_t *state);
/* What game_state_hash says, at no cost. */
uint64_t scalar_state_key(const Game *game);
/* Legal moves as bits, in the order of the role's moves. */
const uint64_t *scalar_legal_bits(Game *game, uint32_t role, uint32_t *words);

#endif
