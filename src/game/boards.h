/* States drawn as text for a person: facts such as (cell 3 2 white) become a
   board, (control white) becomes "white to move".

   What is shown. A family is all facts of one functor and arity.
   - Families whose arguments name places, by the analysis or by the order of
     their values, are drawn: on one board where they have the same places,
     things that move above what lies on places.
   - Beside a board that says what is on its places, facts that only name a
     place are drawn if they hold always (walls) or are always exactly one (a
     thing), and else hidden: they repeat the board or help the rules, as the
     square behind a pawn that may be taken in passing does.
   - Things upon each other are drawn as towers, the cubies of a cube as its
     unfolded faces.
   - Other families become a phrase or a line. Beside a board, those that would
     need more than two lines are hidden.
   Hidden facts are listed if the style asks for all. */
#ifndef TAFL_GAME_BOARDS_H
#define TAFL_GAME_BOARDS_H

#include "analyse/analysis.h"
#include "game/style.h"

typedef struct Boards Boards;

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
