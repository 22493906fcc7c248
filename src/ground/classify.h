/* What is known of predicates and facts before anything is evaluated. */
#ifndef TAFL_GROUND_CLASSIFY_H
#define TAFL_GROUND_CLASSIFY_H

#include "ground/ground_data.h"

/* By predicate: do legal, next, goal, terminal or init need it? The caller
   frees the list. */
bool *classify_needed(const Ground *ground);
/* Set Ground.constant_functor. */
void classify_constants(Ground *ground);
/* A relation for each needed predicate. False if one has too many columns. */
bool classify_relations(Ground *ground, const bool *needed);

#endif
