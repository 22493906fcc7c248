/* The rules of the game as rules over relations. */
#ifndef TAFL_GROUND_TRANSLATE_H
#define TAFL_GROUND_TRANSLATE_H

#include "ground/ground_data.h"

/* Fills Ground.rules with the rules of needed predicates (by number). */
void translate_rules(Ground *ground, const bool *needed);

#endif
