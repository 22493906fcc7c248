/* Moves that are left out of the tree because symmetric ones stand for them
   (game/symmetries.h). */
#ifndef TAFL_SEARCH_TWINS_H
#define TAFL_SEARCH_TWINS_H

#include "search/parts.h"

/* Adds the moves of the search's role that the root leaves out to the end of
   the report, with the values of those that stand for them, and no visits. */
void twins_report(Search *search);
/* If the joint move has one that the root leaves out, maps the tree below the
   one that stands for it to what follows now. To be called before the move is
   made. */
void twins_follow(Search *search, const Move *joint);

#endif
