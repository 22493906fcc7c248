/* One board: its axes, which places exist, and how its cells are drawn as a
   block of text with coordinates on the edges. */
#ifndef TAFL_GAME_PICTURE_H
#define TAFL_GAME_PICTURE_H

#include "game/axis.h"
#include "game/glyph.h"

enum { PICTURE_AXES = 4, PICTURE_PLACES = 10000 };

static const uint32_t no_place = UINT32_MAX;

/* The axes are x and y; then the layer, if there are three, or the x and y of a
   board whose places are boards themselves. A row has only x. */
typedef struct Picture {
  uint32_t dimension;
  uint32_t layer; /* of three axes: which one the layer is in facts, 0 to 2 */
  Axis axes[PICTURE_AXES];
  bool *exists;         /* by place; NULL: all do */
  NumberVector members; /* families drawn, the topmost first */
} Picture;

void picture_free(Picture *picture);
/* The number of places that the axes span, at most PICTURE_PLACES + 1. */
uint32_t picture_places(const Picture *picture);
/* Returns the number of the place, or no_place if a coordinate is not on its
   axis. */
uint32_t picture_place(const Picture *picture, const uint32_t *coordinates);

/* What is drawn: by place, a piece + 1, or 0 where nothing is. */
typedef struct PictureCells {
  uint32_t *now;
  bool *changed; /* since the last move; NULL: not marked */
} PictureCells;

/* Appends blocks for the picture: one, or one for each layer. Returns false if
   it is too wide. */
bool picture_draw(const Picture *picture, const PictureCells *cells,
                  const Glyphs *glyphs, const BoardsStyle *style,
                  const char *heading, TextVector *blocks);
/* Appends a block with a bar for each place of a row, if the pieces are numbers
   that are not too large. */
bool picture_draw_bars(const Picture *picture, const PictureCells *cells,
                       const Glyphs *glyphs, const BoardsStyle *style,
                       const char *heading, TextVector *blocks);

#endif
