/* The results of a tournament as JSON. */
#ifndef TAFL_LAB_TOUR_JSON_H
#define TAFL_LAB_TOUR_JSON_H

#include "lab/tour.h"

json_t *tour_json(const Tour *tour, const TourScore *score); /* new object */

#endif
