/* A game by the wide step, one state in one lane among others that hold the
   same state: programs of every instruction set behind the interface of
   engines. */
#ifndef TAFL_TEST_AGREE_WIDEGAME_H
#define TAFL_TEST_AGREE_WIDEGAME_H

#include "engine/game.h"
#include "wide/expand.h"
#include "wide/lanes.h"

/* NULL if the mode cannot be had on this machine. The net is borrowed. */
Game *widegame_new(Description *description, const Net *net,
                   const ProgramMode *mode);

#endif
