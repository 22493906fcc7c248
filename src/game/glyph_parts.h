/* What glyph_names.c, which reads the names of pieces, does for glyph.c. */
#ifndef TAFL_GAME_GLYPH_PARTS_H
#define TAFL_GAME_GLYPH_PARTS_H

#include "game/glyph.h"

/* Reads names that are new, and puts the sides in order. */
void glyphs_read_names(Glyphs *glyphs);

/* Copies a name as far as it has room: GLYPH_NAME bytes. */
void glyphs_copy(char *target, const char *source, size_t length);
bool glyphs_is_number(const char *name);
/* Returns whether the piece is an x or an o that belongs to no side. */
bool glyphs_is_mark(const Piece *piece);

#endif
