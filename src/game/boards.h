/* States drawn as boards: facts such as (cell 3 2 white) become a grid. */
#ifndef TAFL_GAME_BOARDS_H
#define TAFL_GAME_BOARDS_H

#include "analyse/analysis.h"

typedef struct Boards Boards;

/* Finds the boards by the analysis; if that is NULL, they are guessed from the
   rules' `base` and from the facts that are drawn. */
Boards *boards_new(Description *description, const Analysis *analysis);
void boards_delete(Boards *boards);
/* Appends a drawing of the facts: a grid for each board, the rest as a list.
   Guessed boards grow when a fact is beyond the size known so far. */
void boards_draw(Boards *boards, const Term *facts, uint32_t count, Text *text);

#endif
