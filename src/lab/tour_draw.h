/* The results of a tournament as charts. */
#ifndef TAFL_LAB_TOUR_DRAW_H
#define TAFL_LAB_TOUR_DRAW_H

#include "lab/tour.h"

/* The charts: "ratings", "games" (win rates at each game) and "pairs". Returns
   NULL behind the last one. */
const char *tour_draw_name(uint32_t chart);
/* Appends one of them. Returns false if there is none of that name. */
bool tour_draw_chart(const TourScore *score, const char *name, Text *svg);

/* Writes ratings.svg, games.svg and pairs.svg into a
   directory, which is made if it is not there. Returns false and sets `error`
   if that fails. */
bool tour_draw(const TourScore *score, const char *directory, Text *error);

#endif
