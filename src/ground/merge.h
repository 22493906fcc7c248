/* Rules that differ in one literal only, made one. */
#ifndef TAFL_GROUND_MERGE_H
#define TAFL_GROUND_MERGE_H

#include "ground/ground_data.h"

/* Merges what it can of the rules; rules of new predicates are added to
   `parts`. */
void merge_rules(Ground *ground, RuleVector *rules, RuleVector *parts);

#endif
