/* The net of a description that is narrowed by its own `base` and `input`. */
#ifndef TAFL_GAME_NARROW_H
#define TAFL_GAME_NARROW_H

#include "game/handover.h"
#include "game/tasks.h"
#include "ground/ground.h"
#include "reduce/reduce.h"

/* Makes the reduced net of the rules without the facts and moves that `base`
   and `input` leave out. Returns false, with everything as it was, if the rules
   have neither or if it is not proved that this changes nothing. A net that
   needs no proof is offered to `offer`, which may be NULL, before it is
   reduced, and becomes `built` then. */
bool narrow_net(Description *description, const GroundLimits *limits,
                const ReduceOptions *options, Handover *offer, Tasks *tasks,
                Net *net, Net *built, ReduceReport *report);

#endif
