/* States of random games, with the goals that these came to, from playouts of
   many games at once. */
#ifndef TAFL_LEARN_HARVEST_H
#define TAFL_LEARN_HARVEST_H

#include "game/book.h"
#include "search/settings.h"

typedef struct Harvest Harvest;

/* A state of game number `game` and the goals by role; -1: no goal. */
typedef void HarvestListener(void *context, uint64_t game,
                             const uint64_t *state, const int *goals);

/* Playouts are as the settings say: `lanes`, `capture`, `decisive`, `steps`.
   Returns NULL if the game has no programs for playouts. */
Harvest *harvest_new(Book *book, const Settings *settings, uint64_t seed,
                     HarvestListener *listener, void *context);
/* Lets the book make the programs that it needs, which are the book's. */
void harvest_prepare(Book *book, const Settings *settings);
void harvest_delete(Harvest *harvest);

/* Lets playouts begin in this state from now on; NULL: in the initial one. */
void harvest_from(Harvest *harvest, const uint64_t *state);
/* Plays a few steps, and takes states if that is due; they are handed out when
   their games end. */
void harvest_run(Harvest *harvest);

uint64_t harvest_states(const Harvest *harvest); /* made so far */
uint64_t harvest_games(const Harvest *harvest);  /* finished so far */

#endif
