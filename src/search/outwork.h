/* The other side of an ally that plays out leaves (search/ally.h): playouts as
   the search with these settings would make them, with a MAST table of its
   own, or with scores that it is given. */
#ifndef TAFL_SEARCH_OUTWORK_H
#define TAFL_SEARCH_OUTWORK_H

#include "game/book.h"
#include "search/ally.h"
#include "search/settings.h"

typedef struct Outwork Outwork;

/* The book is borrowed and must outlive it. Returns NULL if the game has no
   programs for playouts. */
Outwork *outwork_new(Book *book, const Settings *settings, uint64_t seed);
void outwork_delete(Outwork *outwork);

/* Plays the task to its end. */
void outwork_play(Outwork *outwork, const AllyTask *task, AllyResult *result);
/* Moves are chosen by these scores from now on, no longer by its own. */
void outwork_score(Outwork *outwork, const double *scores);

#endif
