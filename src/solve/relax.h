/* The relaxed planning graph of a net: what could be if nothing that can be
   true, or false, ever stopped being so. It estimates how far a state is from
   an end with at least a given goal. A Relax belongs to one thread. */
#ifndef TAFL_SOLVE_RELAX_H
#define TAFL_SOLVE_RELAX_H

#include "engine/game.h"
#include "net/net.h"

typedef struct Relax Relax;

static const uint32_t RELAX_NEVER = UINT32_MAX;

/* For role 0 and ends with a goal of `target` or more. The net is borrowed. */
Relax *relax_new(const Net *net, int target);
void relax_delete(Relax *relax);

/* Each of these is 0 if the state is such an end and only then, and RELAX_NEVER
   only if no such end can be reached. A state is a row of bits, bit i is fluent
   i. */

/* The first layer of the graph in which the end is possible: never more than
   the steps that it takes (h_max). */
uint32_t relax_level(Relax *relax, const uint64_t *state);
/* The sum of the costs of all conditions (h_add). */
uint32_t relax_sum(Relax *relax, const uint64_t *state);
/* The number of steps of a relaxed plan (Hoffmann and Nebel 2001), whose
   conditions are achieved in the way that is best by h_add (Keyder and Geffner
   2008). */
uint32_t relax_plan(Relax *relax, const uint64_t *state);
/* The moves of that plan that are legal in the state. */
const MoveVector *relax_helpful(const Relax *relax);

#endif
