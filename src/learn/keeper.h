/* Keeps what a learner learns from one match to the next, in the directory that
   the book's limits name. Trouble with files is told, never fatal: the game is
   then learned anew. Functions may be given NULL for the keeper. */
#ifndef TAFL_LEARN_KEEPER_H
#define TAFL_LEARN_KEEPER_H

#include "learn/learner.h"

typedef struct Keeper Keeper;

/* Gives the learner what the directory has of this game, or else of the most
   similar one. Returns NULL if there is no directory. */
Keeper *keeper_new(Book *book, Learner *learner);
void keeper_delete(Keeper *keeper);

/* Saves what was learned, if that is more than at the last time. Returns false
   if it could not be saved. */
bool keeper_save(Keeper *keeper, Learner *learner);

/* Returns what the keeper has to tell of its last reading or saving, or "". */
const char *keeper_trouble(const Keeper *keeper);
/* Appends a line of text: what the learner began with, and trouble. */
void keeper_write(const Keeper *keeper, Text *text);

#endif
