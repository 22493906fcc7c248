/* A set of packed states, numbered from 0 in the order in which they came. */
#ifndef TAFL_SOLVE_STORE_H
#define TAFL_SOLVE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Store Store;

static const uint32_t STORE_FULL = UINT32_MAX;

/* Keys of `words` words. Takes pages up to `memory` bytes, backed only as they
   are used. */
Store *store_new(uint32_t words, size_t memory);
void store_delete(Store *store);
void store_clear(Store *store);

/* Returns the number of the state; sets `fresh` if it was not in the set.
   STORE_FULL: it was not, and there is no room. */
uint32_t store_add(Store *store, const uint64_t *key, bool *fresh);
uint32_t store_find(const Store *store,
                    const uint64_t *key); /* or STORE_FULL */
/* The same for many keys, which hides the latency of memory: numbers[i] gets
   the number of key i, with the highest bit set if it is fresh. Returns how
   many keys were dealt with; fewer than `count` if there is no room. */
static const uint32_t STORE_FRESH = 0x80000000u;
uint32_t store_add_many(Store *store, const uint64_t *keys, uint32_t count,
                        uint32_t *numbers);

uint32_t store_count(const Store *store);
const uint64_t *store_key(const Store *store, uint32_t number);

#endif
