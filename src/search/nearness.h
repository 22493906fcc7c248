/* Approximate Goal Evaluation (Świechowski, Mańdziuk and Ong 2016, section
   IV-C): how far the conditions of a role's highest goal are fulfilled. */
#ifndef TAFL_SEARCH_NEARNESS_H
#define TAFL_SEARCH_NEARNESS_H

#include "net/net.h"

typedef struct Nearness Nearness;

/* Returns NULL if the rules have no goal of the role that may become true and
   is not always true. The net is borrowed. */
Nearness *nearness_new(const Net *net, uint32_t role);
void nearness_delete(Nearness *nearness);
/* The degree of truth in a state, from 0 to 1, and a tie-break that is too
   small to change the order of different degrees. */
double nearness_value(Nearness *nearness, const uint64_t *state);

#endif
