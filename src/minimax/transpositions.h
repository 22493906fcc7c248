/* The transposition table: what is known of states that were searched before.

   A bucket is a line of the processor's cache with four entries, an entry two
   words: the key xor the data, and the data. Threads read and write words one
   at a time without locks; an entry of which one word is another's does not fit
   its key and is not found (Hyatt and Mann 2002). States that differ only in a
   step counter are different states. */
#ifndef TAFL_MINIMAX_TRANSPOSITIONS_H
#define TAFL_MINIMAX_TRANSPOSITIONS_H

#include <stdatomic.h>

#include "base/memory.h"
#include "engine/game.h"
#include "minimax/scale.h"

typedef enum { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT } Bound;

enum { TABLE_DEPTH = 255, TABLE_MOVES = 1 << 27 };

typedef struct Transposition {
  Score score;
  uint32_t depth; /* TABLE_DEPTH: proved, whatever the depth */
  Bound bound;
  Move move; /* the best; TABLE_MOVES - 1: none */
} Transposition;

typedef struct Transpositions {
  _Atomic uint64_t *words;
  uint64_t buckets, most; /* powers of two */
  uint64_t salt;          /* of keys */
  uint32_t age;           /* of the present thinking, modulo 64 */
  atomic_uint_fast64_t filled;
} Transpositions;

void transpositions_init(Transpositions *table, size_t bytes);
void transpositions_free(Transpositions *table);
/* It may have so much from now on; what it has already it keeps. */
void transpositions_limit(Transpositions *table, size_t bytes);
/* Forgets everything, in constant time. */
void transpositions_forget(Transpositions *table);
/* A thinking begins: what is older gives way. */
void transpositions_begin(Transpositions *table);
/* Makes room for so many entries in all, and if it has become narrow. No other
   thread may use it meanwhile. */
void transpositions_grow(Transpositions *table, uint64_t wanted);
bool transpositions_find(const Transpositions *table, uint64_t key,
                         Transposition *entry);
void transpositions_store(Transpositions *table, uint64_t key,
                          const Transposition *entry);

#endif
