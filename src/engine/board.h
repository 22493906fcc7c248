/* States drawn as boards: finds facts such as (cell 3 2 white) whose arguments
   are two coordinates and what stands there. */
#ifndef TAFL_ENGINE_BOARD_H
#define TAFL_ENGINE_BOARD_H

#include "engine/game.h"

/* Append a drawing of the facts: a grid for each board-like functor, the rest
   as a list. */
void board_draw(const Game *game, const Term *facts, uint32_t count,
                Text *text);

#endif
