/* Keys come from the structure of the fluents' terms, not from a generator: a
   fluent has the same key in every net, program and run. */
#include "scalar/zobrist.h"

#include "base/hash.h"

uint64_t *zobrist_keys(const Net *net, const Terms *terms) {
  uint64_t *keys = memory_new(net->fluents.count * sizeof *keys);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    keys[i] = hash_mix(term_hash(terms, net->fluents.data[i].term));
  return keys;
}

uint64_t zobrist_state_key(const uint64_t *keys, const uint64_t *state,
                           uint32_t fluent_count) {
  uint64_t key = 0;
  for (uint32_t w = 0; w * 64 < fluent_count; w++)
    for (uint64_t bits = state[w]; bits; bits &= bits - 1)
      key += keys[w * 64 + (uint32_t)__builtin_ctzll(bits)];
  return key;
}
