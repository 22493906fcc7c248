/* Zobrist keys (Zobrist 1970): a random number for each fluent. A state's key
   is the sum of the keys of its true fluents. It equals game_state_hash, so it
   is the same in every engine, and is updated fluent by fluent. */
#ifndef TAFL_SCALAR_ZOBRIST_H
#define TAFL_SCALAR_ZOBRIST_H

#include "net/net.h"

/* Returns the keys by fluent; the caller deletes them. */
uint64_t *zobrist_keys(const Net *net, const Terms *terms);
/* Computes the key of a state, given as bits, from scratch. */
uint64_t zobrist_state_key(const uint64_t *keys, const uint64_t *state,
                           uint32_t fluent_count);

#endif
