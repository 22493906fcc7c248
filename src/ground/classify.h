/* What is known about predicates and facts before anything is evaluated. */
#ifndef TAFL_GROUND_CLASSIFY_H
#define TAFL_GROUND_CLASSIFY_H

#include "ground/ground_data.h"

/* Returns by predicate whether legal, next, goal, terminal or init needs it;
   the caller frees the list. */
bool *classify_needed(const Ground *ground);
/* Sets Ground.constant_functor. */
void classify_constants(Ground *ground);
/* Makes a relation for each needed predicate. Returns false if one has too many
   columns. */
bool classify_relations(Ground *ground, const bool *needed);

#endif
