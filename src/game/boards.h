/* States drawn as boards: facts such as (cell 3 2 white) become a grid. */
#ifndef TAFL_GAME_BOARDS_H
#define TAFL_GAME_BOARDS_H

#include "analyse/analysis.h"

typedef struct Boards Boards;

typedef struct BoardsStyle {
  uint32_t width, height; /* of the screen in characters; 0: no limit */
  bool colour;            /* ANSI colours may be used */
  bool unicode;           /* the output is UTF-8 */
  bool all; /* also facts that are not worth showing, such as helper facts */
} BoardsStyle;

/* Finds the boards by the analysis; if that is NULL, they are guessed from the
   rules' `base` and from the facts that are drawn. */
Boards *boards_new(Description *description, const Analysis *analysis);
void boards_delete(Boards *boards);
/* Appends the state as text: boards, then other facts worth a line. What
   changed since `before` (facts of the state before the last move; NULL: none)
   is marked. */
void boards_draw(Boards *boards, const BoardsStyle *style, const Term *facts,
                 uint32_t count, const Term *before, uint32_t before_count,
                 Text *text);

#endif
