/* The states of a breadth-first search: a list of keys in the order in which
   they were found, and a table of those that count as known. Unlike a store
   (solve/store.h), it only says whether a key is new, not which one it is, and
   takes the representation that is fastest for that. */
#ifndef TAFL_SOLVE_SIEVE_H
#define TAFL_SOLVE_SIEVE_H

#include "solve/packing.h"

typedef struct Sieve Sieve;

/* Uses at most about `memory` bytes, in pages that are backed as they are used.
   Returns NULL if that is too little, or there are no pages. */
Sieve *sieve_new(const Packing *packing, size_t memory);
void sieve_delete(Sieve *sieve);

/* Appends those keys to the list that are not known, and makes them known;
   `fresh` gets their places among `count`, in order. Returns how many they are;
   if there is no room for all, some are missing and the sieve is full. */
uint32_t sieve_add(Sieve *sieve, const uint64_t *keys, uint32_t count,
                   uint16_t *fresh);
bool sieve_full(const Sieve *sieve);
/* Forgets which keys are known; the list stays. */
void sieve_forget(Sieve *sieve);
/* Empties both. */
void sieve_clear(Sieve *sieve);

uint32_t sieve_count(const Sieve *sieve);
const uint64_t *sieve_key(const Sieve *sieve, uint32_t number);
size_t sieve_bytes(const Sieve *sieve); /* in use */

#endif
