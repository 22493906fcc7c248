/* An engine that evaluates a net gate by gate: slow, obvious, and enough to
   check that a net agrees with the rules. */
#ifndef TAFL_TEST_SUPPORT_NETGAME_H
#define TAFL_TEST_SUPPORT_NETGAME_H

#include "engine/game.h"
#include "net/net.h"

/* The net is borrowed. */
Game *netgame_new(Description *description, const Net *net);

#endif
