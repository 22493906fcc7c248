/* How the states of a game are laid out, for whoever draws them: the families
   of facts, the boards they are on, the pieces, and whose turn it is.
   game/boards.h has the rules. */
#ifndef TAFL_GAME_LAYOUT_H
#define TAFL_GAME_LAYOUT_H

#include "game/atlas.h"

typedef struct Layout {
  const Analysis *analysis; /* borrowed; may be NULL */
  Families families;
  Atlas atlas;
  Glyphs glyphs; /* of the pieces, which are numbered as they are met */
  uint32_t turn; /* the family that says whose turn it is, or beyond the last */
} Layout;

/* Without an analysis, boards are guessed from the rules' `base` and from the
   facts that are learned. */
void layout_init(Layout *layout, Description *description,
                 const Analysis *analysis);
void layout_free(Layout *layout);
/* Notes new facts. Returns true if there were any: then everything has been
   found again, and has new numbers. */
bool layout_learn(Layout *layout, const Term *facts, uint32_t count);

/* Returns the piece that the fact puts on the picture. Its functor matters if
   nothing else says what it is. */
uint32_t layout_piece(Layout *layout, const Picture *picture,
                      const Family *family, Term fact);
/* Returns whether the picture is a row and two facts of the state are about the
   same place of it, which then is none. */
bool layout_crowded(const Layout *layout, const Picture *picture,
                    const Term *facts, uint32_t count);
/* Returns whether the contents of the picture are numbers. */
bool layout_numbers(const Layout *layout, const Picture *picture);

#endif
