/* An ally whose hands are in this process, without ranks or messages on wires:
   leaves are dealt in pieces as a foreman deals them (cluster/deal.h), each
   piece is played out by what a thread of a rank has (search/outwork.h), and
   the results are written and read as for the way. A task is played when its
   result is asked for, and every leaf is taken to need the same time, so that
   everything depends on the seed alone. */
#ifndef TAFL_TEST_SCALE_HANDFUL_H
#define TAFL_TEST_SCALE_HANDFUL_H

#include "game/book.h"
#include "search/ally.h"
#include "search/settings.h"

typedef struct Handful Handful;

typedef struct HandfulPlan {
  uint32_t hands;  /* each with a MAST table of its own */
  uint32_t leaves; /* of a piece */
  bool merged;     /* they follow the scores of the search instead */
  uint64_t seed;
} HandfulPlan;

/* The book is borrowed. Returns NULL if the game has no programs for
   playouts. */
Handful *handful_new(Book *book, const Settings *settings,
                     const HandfulPlan *plan);
void handful_delete(Handful *handful);
Ally *handful_ally(Handful *handful);

#endif
