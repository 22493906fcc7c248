/* The results of a tournament as text, Markdown, CSV, JSON and charts. */
#ifndef TAFL_COMMAND_TOUR_SHOW_H
#define TAFL_COMMAND_TOUR_SHOW_H

#include "command/grid.h"
#include "lab/tour.h"

/* Appends the results; CSV is one table of all games, pairs and agents. */
void tour_show_write(const Tour *tour, const TourScore *score, GridForm form,
                     Text *text);

#endif
