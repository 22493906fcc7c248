/* Measures the costs of this machine and of games (scale/costs.h). What others
   do on the machine only ever adds time: each figure is the best of several
   short runs. */
#ifndef TAFL_TEST_SCALE_MEASURING_H
#define TAFL_TEST_SCALE_MEASURING_H

#include "cluster/ranks.h"
#include "scale/costs.h"
#include "search/search.h"

/* Locks and memory. */
void measuring_machine(MachineCosts *costs);
/* Messages over TCP, on this machine. */
void measuring_tcp(MachineCosts *costs);
/* Messages between rank 0 and rank 1, each of which calls this; the costs are
   those of rank 0. */
void measuring_messages(Ranks *ranks, MachineCosts *costs);
/* Returns false and sets `error` if there is no such game, or no net for it.
   Free the name. */
bool measuring_game(const char *path, uint64_t simulations, GameCosts *costs,
                    Text *error);
/* Sets best, line and lessons, for descents of the depth that is set: where
   those of a search that has thought meet. It thinks on meanwhile. */
void measuring_line(Search *search, GameCosts *costs);

#endif
