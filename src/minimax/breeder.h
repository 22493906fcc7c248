/* Has the card make broods ahead of the search (minimax/nest.h). Threads of the
   search say which nodes they will need; a thread of the breeder sends these to
   the card and puts what comes back into the nest. Nobody waits for it, and if
   the card fails or never answers, the search goes on without.

   The card is used while thinking has a limit of time alone. */
#ifndef TAFL_MINIMAX_BREEDER_H
#define TAFL_MINIMAX_BREEDER_H

#include "game/book.h"
#include "game/budget.h"
#include "minimax/nest.h"
#include "search/settings.h"

typedef struct Breeder Breeder;

/* Returns NULL if the game or the settings do not suit, or this machine has no
   card. */
Breeder *breeder_new(Book *book, const Settings *settings);
/* Waits for the card for half a second, at most. */
void breeder_delete(Breeder *breeder);

/* Thinking begins or has ended; while no thread of the search is at work. */
void breeder_begin(Breeder *breeder, const Budget *budget);
void breeder_end(Breeder *breeder);
/* Returns what has been made so far, or NULL; from begin to end. */
const Nest *breeder_nest(const Breeder *breeder);

/* Any thread, between begin and end: asks for the broods of the node's children
   (of the one that `move` leads to, or of all if it is BREEDER_ALL), and of the
   node itself. May be ignored. */
#define BREEDER_ALL UINT32_MAX
void breeder_ask(Breeder *breeder, const uint64_t *state, uint32_t move);

/* Returns a sentence on why the card is not used, or NULL. */
const char *breeder_trouble(Breeder *breeder);

#endif
