/* An ally (search/ally.h) that is a tree of its own on the graphics card
   (gpu/grove.h): it thinks about the same state, and tells what it found at the
   root. It takes no leaves of the search's tree.

   A thread of its own makes the tree grow, and has all that belongs to the
   card; it may wait for the driver for ever, which nobody else does. */
#ifndef TAFL_SEARCH_GROWER_H
#define TAFL_SEARCH_GROWER_H

#include "search/parts.h"
#include "wide/cones.h"

typedef struct Grower Grower;

/* Returns true if the game and the settings suit such a tree. */
bool grower_suits(const Search *search, const Cones *playing);
/* The programs of playouts and of new nodes are borrowed. Returns NULL if there
   are too many in this process. */
Grower *grower_new(const Search *search, const Cones *playing,
                   const Cones *growing);
/* Waits for the card for half a second, at most. */
void grower_delete(Grower *grower);

Ally *grower_ally(Grower *grower);
/* Returns true if there will be no tree any more. */
bool grower_failed(Grower *grower);
/* Returns a sentence on why the card is not used, or NULL. While no
   thread is at work. */
const char *grower_trouble(Grower *grower);

#endif
