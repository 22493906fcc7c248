/* Zobrist keys (Zobrist 1970): a random number for each fluent. A state's key
   is the sum of those of its true fluents, the number game_state_hash gives, so
   that it is the same in every engine and can be kept up to date fluent by
   fluent. */
#ifndef TAFL_SCALAR_ZOBRIST_H
#define TAFL_SCALAR_ZOBRIST_H

#include "net/net.h"

/* By fluent; the caller deletes them. */
uint64_t *zobrist_keys(const Net *net, const Terms *terms);
/* Of a state as bits, from nothing. */
uint64_t zobrist_state_key(const uint64_t *keys, const uint64_t *state,
                           uint32_t fluent_count);

#endif
