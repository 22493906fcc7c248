/* What stands in a cell: the pieces of a game, the character that is drawn for
   each, and the legend that explains them. */
#ifndef TAFL_GAME_GLYPH_H
#define TAFL_GAME_GLYPH_H

#include "game/style.h"
#include "gdl/description.h"

enum {
  GLYPH_CONTENTS = 8,
  GLYPH_BYTES = 32,
  GLYPH_NAME = 48,
  GLYPH_MOST = 1000 /* pieces; all further ones are taken for the last */
};

/* A piece is known by the terms that facts have for it and, where these do not
   say what it is, by their functor. Its name is a side's and a kind's, such as
   "white" and "king"; either may be empty. */
typedef struct Piece {
  Symbol functor; /* 0: the terms say all */
  Term contents[GLYPH_CONTENTS];
  uint32_t count;
  char name[GLYPH_NAME]; /* in lower-case words */
  char side[GLYPH_NAME], kind[GLYPH_NAME], number[GLYPH_NAME];
  bool thing; /* there is one of it, somewhere */
  bool blank;
  /* in the current style: */
  char glyph[GLYPH_BYTES];
  uint32_t width;     /* in columns */
  const char *colour; /* parameters of an escape sequence, or NULL */
  bool plain;         /* needs no legend */
} Piece;

typedef struct GlyphSide {
  char name[GLYPH_NAME];
  int rank;
} GlyphSide;

typedef struct GlyphKind {
  char name[GLYPH_NAME];
  char letter; /* in upper case; 0: none is free */
} GlyphKind;

typedef struct Glyphs {
  const Rules *rules;
  VECTOR(Piece) pieces;
  VECTOR(GlyphSide) sides; /* in order; the first has upper-case letters */
  VECTOR(GlyphKind) kinds;
  uint32_t understood; /* pieces whose names have been read */
} Glyphs;

void glyphs_init(Glyphs *glyphs, const Rules *rules);
void glyphs_free(Glyphs *glyphs);
/* Returns the number of the piece, adding it if it is new. */
uint32_t glyphs_piece(Glyphs *glyphs, Symbol functor, const Term *contents,
                      uint32_t count);
/* Reads the names of all pieces: their sides, kinds and numbers. */
void glyphs_understand(Glyphs *glyphs);
/* Returns the index of a side, or of a role's side, or the number of sides. */
uint32_t glyphs_side(const Glyphs *glyphs, const char *name);
uint32_t glyphs_role_side(const Glyphs *glyphs, uint32_t role);
/* Returns whether pieces are known best by their whole names, which are short
   codes. */
bool glyphs_are_codes(const Glyphs *glyphs);
/* Returns the letter of the piece's kind or side, in upper case; 0: none. */
char glyphs_letter(const Glyphs *glyphs, const Piece *piece);
/* Chooses the characters of all pieces. */
void glyphs_choose(Glyphs *glyphs, const BoardsStyle *style);
/* Appends lines that explain the glyphs of the pieces used. */
void glyphs_explain(const Glyphs *glyphs, const bool *used,
                    const BoardsStyle *style, Text *text);
/* Returns the colour of a role, or of a side with that name, or NULL. */
const char *glyphs_colour(const Glyphs *glyphs, const char *name);

#endif
