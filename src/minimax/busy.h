/* Which moves threads are searching at the moment, so that others put these off
   and search the rest first (Kerrigan's simplified form of ABDADA, Weill 1996).
   By the time they come back, the table knows the result.

   It is a hint: marks may be lost, and a mark that is left behind only puts a
   move off until the others were searched. */
#ifndef TAFL_MINIMAX_BUSY_H
#define TAFL_MINIMAX_BUSY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { BUSY_LINES = 1 << 12, BUSY_WAYS = 8 };

/* A line of the cache. */
typedef struct BusyLine {
  _Atomic uint64_t marks[BUSY_WAYS]; /* 0: none */
} BusyLine;

typedef struct Busy {
  BusyLine *lines; /* NULL: there is one thread */
} Busy;

void busy_init(Busy *busy, uint32_t threads);
void busy_free(Busy *busy);
/* While no thread is at work. */
void busy_clear(Busy *busy);

/* The mark of a move of a node, to a depth. */
uint64_t busy_mark(uint64_t key, uint32_t move, uint32_t depth);

/* Returns true if somebody searches it. */
bool busy_has(const Busy *busy, uint64_t mark);
void busy_add(Busy *busy, uint64_t mark);
void busy_remove(Busy *busy, uint64_t mark);

#endif
