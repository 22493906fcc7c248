/* An engine that plays by the wide step, with copies of one state in many
   lanes, so that programs of every instruction set can be compared with
   engines. */
#ifndef TAFL_TEST_AGREE_WIDEGAME_H
#define TAFL_TEST_AGREE_WIDEGAME_H

#include "engine/game.h"
#include "wide/expand.h"
#include "wide/lanes.h"

/* Returns NULL if this machine lacks the mode. The net is borrowed. */
Game *widegame_new(Description *description, const Net *net,
                   const ProgramMode *mode);

#endif
