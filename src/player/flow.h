/* The game flow of one match, in a process of its own (Finnsson 2007, 3.1.2):
   from the rules to moves that are legal and in time.

   It first creates an engine on the rules alone and publishes a legal move;
   then thinkers ground, analyse and think for as long as the link is open. */
#ifndef TAFL_PLAYER_FLOW_H
#define TAFL_PLAYER_FLOW_H

#include "player/start.h"

/* Runs until the link is closed or the match is over; returns the exit code.
   Its threads may still be running: the caller must exit at once. */
int flow_run(const Start *start, int link);

#endif
