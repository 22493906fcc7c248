/* States drawn as boards: finds fluents such as (cell 3 2 white), two of whose
   arguments are coordinates, and draws them as a grid. */
#ifndef TAFL_GAME_BOARD_H
#define TAFL_GAME_BOARD_H

#include "engine/game.h"

typedef struct Boards Boards;

/* Learn the boards' sizes from the rules' `base`, if they have it. */
Boards *boards_new(Description *description);
void boards_delete(Boards *boards);
/* Append a drawing of the facts: a grid for each board, the rest as a list.
   Facts beyond the sizes known so far widen them. */
void boards_draw(Boards *boards, const Term *facts, uint32_t count, Text *text);

#endif
