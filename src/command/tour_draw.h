/* The results of a tournament as charts. */
#ifndef TAFL_COMMAND_TOUR_DRAW_H
#define TAFL_COMMAND_TOUR_DRAW_H

#include "lab/tour.h"

/* Writes ratings.svg, games.svg (win rates at each game) and pairs.svg into a
   directory, which is made if it is not there. Returns false and sets `error`
   if that fails. */
bool tour_draw(const TourScore *score, const char *directory, Text *error);

#endif
