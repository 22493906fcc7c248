/* A game on a net by plain evaluation: slow, obvious, and enough to tell
   whether a net says what the rules say. */
#ifndef TAFL_TEST_SUPPORT_NETGAME_H
#define TAFL_TEST_SUPPORT_NETGAME_H

#include "engine/game.h"
#include "net/net.h"

Game *netgame_new(Description *description, const Net *net);

#endif
