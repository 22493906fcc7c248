/* Fills every relation with all rows that its rules can ever give. */
#ifndef TAFL_GROUND_SATURATE_H
#define TAFL_GROUND_SATURATE_H

#include "ground/ground_data.h"

/* Returns false and sets Ground.error if a limit was reached. */
bool saturate_relations(Ground *ground);

#endif
