/* Chess pieces have their Unicode characters. Two sides without kinds of pieces
   are circles, x and o are themselves, numbers stand as they are. Everything
   else is a letter of its name that no other kind has; the first side's are in
   upper case and the second's in lower case. With three sides or more the
   side's own letter comes first, unless colours tell. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "game/canvas.h"
#include "game/glyph_parts.h"
#include "game/words.h"

/* ---- letters ---- */

static bool is_taken(const Glyphs *glyphs, char letter) {
  for (uint32_t i = 0; i < glyphs->kinds.count; i++)
    if (glyphs->kinds.data[i].letter == letter) return true;
  return false;
}

/* Returns the kind that has the letter, or "". */
static const char *owner_of(const Glyphs *glyphs, char letter) {
  for (uint32_t i = 0; i < glyphs->kinds.count; i++)
    if (glyphs->kinds.data[i].letter == letter)
      return glyphs->kinds.data[i].name;
  return "";
}

/* Returns the first letter of the name or, if another kind has it, one that is
   not in that kind's name, or any that is free; 0 if none is. */
static char free_letter(const Glyphs *glyphs, const char *name) {
  const char *rival = owner_of(glyphs, (char)toupper((unsigned char)*name));
  for (const char *at = name; *at; at++) {
    char letter = (char)toupper((unsigned char)*at);
    if (isalpha((unsigned char)letter) && !is_taken(glyphs, letter) &&
        !strchr(rival, *at))
      return letter;
  }
  for (const char *at = name; *at; at++) {
    char letter = (char)toupper((unsigned char)*at);
    if (isalpha((unsigned char)letter) && !is_taken(glyphs, letter))
      return letter;
  }
  for (char letter = 'A'; letter <= 'Z'; letter++)
    if (!is_taken(glyphs, letter)) return letter;
  return 0;
}

/* Returns the character in `kqrbnp` order from the white or the black king. */
static const char *chess_letter(const char *kind) {
  static const char *const names[] = {"king",   "queen",  "rook",
                                      "bishop", "knight", "pawn"};
  static const char letters[] = "KQRBNP";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(kind, names[i]) == 0) return &letters[i];
  return NULL;
}

static const GlyphKind *find_kind(const Glyphs *glyphs, const char *name) {
  for (uint32_t i = 0; i < glyphs->kinds.count; i++)
    if (strcmp(glyphs->kinds.data[i].name, name) == 0)
      return &glyphs->kinds.data[i];
  return NULL;
}

static void add_kind(Glyphs *glyphs, const char *name, char letter) {
  if (!*name || find_kind(glyphs, name)) return;
  GlyphKind kind = {.letter = letter ? letter : free_letter(glyphs, name)};
  glyphs_copy(kind.name, name, strlen(name));
  vector_push(&glyphs->kinds, kind);
}

/* Names of one letter and chess pieces come first, so that they have their own
   letters. */
static void give_letters(Glyphs *glyphs) {
  vector_clear(&glyphs->kinds);
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const char *kind = glyphs->pieces.data[i].kind;
    if (isalpha((unsigned char)kind[0]) && !kind[1]) add_kind(glyphs, kind, 0);
  }
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const char *kind = glyphs->pieces.data[i].kind;
    const char *letter = chess_letter(kind);
    if (letter) add_kind(glyphs, kind, is_taken(glyphs, *letter) ? 0 : *letter);
  }
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (!piece->blank && !piece->kind[0]) add_kind(glyphs, piece->side, 0);
  }
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (!piece->blank && !glyphs_is_number(piece->kind))
      add_kind(glyphs, piece->kind, 0);
  }
  for (uint32_t i = 0; i < glyphs->sides.count; i++)
    if (glyphs->sides.count > 2)
      add_kind(glyphs, glyphs->sides.data[i].name, 0);
}

static char letter_of(const Glyphs *glyphs, const char *name) {
  const GlyphKind *kind = find_kind(glyphs, name);
  return kind ? kind->letter : 0;
}

char glyphs_letter(const Glyphs *glyphs, const Piece *piece) {
  return letter_of(glyphs, piece->kind[0] ? piece->kind : piece->side);
}

/* ---- glyphs ---- */

typedef struct Choice {
  const BoardsStyle *style;
  uint32_t bare;     /* pieces that are a side and nothing more */
  const char *round; /* the kind that is drawn as a circle; "": a mere side;
                        NULL: none */
  bool alone;        /* the only piece, on boards that say where it is */
  bool whole;        /* names stand in full, because they are short codes */
} Choice;

static bool is_round(const char *kind) {
  static const char *const names[] = {"disc",  "disk",    "man",   "checker",
                                      "stone", "draught", "piece", "token"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(kind, names[i]) == 0) return true;
  return false;
}

static const char *round_kind(const Glyphs *glyphs, uint32_t bare) {
  if (glyphs->sides.count != 2) return NULL;
  if (bare) return bare == 2 ? "" : NULL;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++)
    if (glyphs->pieces.data[i].side[0] && is_round(glyphs->pieces.data[i].kind))
      return glyphs->pieces.data[i].kind;
  return NULL;
}

/* Letters would say too little of many kinds with short names. */
bool glyphs_are_codes(const Glyphs *glyphs) {
  enum { MOST_KINDS = 12, LONGEST = 5 };
  uint32_t kinds = 0;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (piece->blank || glyphs_is_number(piece->name)) continue;
    if (strlen(piece->name) > LONGEST || piece->side[0]) return false;
    kinds++;
  }
  return kinds > MOST_KINDS;
}

static Choice make_choice(const Glyphs *glyphs, const BoardsStyle *style) {
  Choice choice = {.style = style};
  uint32_t pieces = 0;
  bool functors = true;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    choice.bare += piece->side[0] && !piece->kind[0] && !piece->thing;
    pieces += !piece->blank;
    functors &= piece->functor != 0;
  }
  choice.round = style->unicode ? round_kind(glyphs, choice.bare) : NULL;
  choice.alone = pieces == 1 && functors;
  choice.whole = glyphs_are_codes(glyphs);
  return choice;
}

/* Returns a sign for things that have a usual one, or NULL. */
static const char *usual_sign(const Piece *piece, bool unicode) {
  static const char *const signs[][3] = {
      {"arrow", "×", "*"}, {"fire", "*", "*"},   {"peg", "●", "o"},
      {"hole", "○", "o"},  {"pellet", "•", "o"}, {"lit", "●", "*"},
      {"light", "●", "*"}, {"dot", "•", "o"},    {"star", "*", "*"},
  };
  if (piece->side[0] || piece->number[0]) return NULL;
  if (words_wall(piece->name)) return unicode ? "█" : "#";
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strcmp(piece->name, signs[i][0]) == 0) return signs[i][unicode ? 1 : 2];
  return NULL;
}

static bool sign_is_taken(const Glyphs *glyphs, const Choice *choice,
                          uint32_t before, const char *sign) {
  if (choice->round && (strcmp(sign, "○") == 0 || strcmp(sign, "●") == 0))
    return true;
  for (uint32_t i = 0; i < before; i++)
    if (!glyphs->pieces.data[i].blank &&
        strcmp(glyphs->pieces.data[i].glyph, sign) == 0)
      return true;
  return false;
}

/* The case tells the sides apart if there are two. */
static char in_case(const Glyphs *glyphs, const Piece *piece, char letter) {
  bool second = glyphs->sides.count == 2 && piece->side[0] &&
                glyphs_side(glyphs, piece->side) == 1;
  bool neutral = glyphs->sides.count == 2 && !piece->side[0] && piece->name[1];
  return second || neutral ? (char)tolower((unsigned char)letter) : letter;
}

static void write_letters(const Glyphs *glyphs, const Choice *choice,
                          Piece *piece) {
  const char *name = piece->kind[0] ? piece->kind : piece->side;
  bool crowded = glyphs->sides.count > 2 && piece->side[0] && piece->kind[0] &&
                 !choice->style->colour;
  char side[2] = {
      crowded ? (char)tolower((unsigned char)letter_of(glyphs, piece->side))
              : '\0'};
  char letter = letter_of(glyphs, name);
  if (letter)
    snprintf(piece->glyph, sizeof piece->glyph, "%s%c%.3s", side,
             in_case(glyphs, piece, letter), piece->number);
  else
    snprintf(piece->glyph, sizeof piece->glyph, "%.2s", name);
}

static bool write_chess(const Glyphs *glyphs, const Choice *choice,
                        Piece *piece) {
  static const char *const white[] = {"♔", "♕", "♖", "♗", "♘", "♙"};
  static const char *const black[] = {"♚", "♛", "♜", "♝", "♞", "♟"};
  const char *letter = chess_letter(piece->kind);
  if (!letter || !choice->style->unicode || piece->number[0]) return false;
  bool crowded = glyphs->sides.count > 2;
  if (crowded && !choice->style->colour) return false;
  size_t at = strcspn("KQRBNP", (char[]){*letter, '\0'});
  bool second = crowded || glyphs_side(glyphs, piece->side) == 1;
  snprintf(piece->glyph, sizeof piece->glyph, "%s",
           second ? black[at] : white[at]);
  piece->plain = !crowded;
  return true;
}

/* A number with a letter after it stands as it is: 5 b. */
static bool write_numbered(Piece *piece) {
  size_t digits = strspn(piece->name, "0123456789");
  if (!digits || digits > 3 || strlen(piece->name) != digits + 2 ||
      piece->name[digits] != ' ')
    return false;
  snprintf(piece->glyph, sizeof piece->glyph, "%.*s%c", (int)digits,
           piece->name, piece->name[digits + 1]);
  return true;
}

static void write_glyph(const Glyphs *glyphs, const Choice *choice,
                        uint32_t at) {
  Piece *piece = &glyphs->pieces.data[at];
  bool unicode = choice->style->unicode;
  const char *sign = choice->alone && !piece->number[0]
                         ? (unicode ? "●" : "O")
                         : usual_sign(piece, unicode);
  if (piece->blank) {
    snprintf(piece->glyph, sizeof piece->glyph, "%s", unicode ? "·" : ".");
    piece->plain = true;
  } else if (glyphs_is_number(piece->name) ||
             (choice->whole && !piece->functor)) {
    snprintf(piece->glyph, sizeof piece->glyph, "%.5s", piece->name);
    piece->plain = true;
  } else if (write_numbered(piece)) {
    piece->plain = true;
  } else if (glyphs_is_mark(piece)) {
    snprintf(piece->glyph, sizeof piece->glyph, "%c",
             toupper((unsigned char)piece->name[0]));
    piece->plain = true;
  } else if (write_chess(glyphs, choice, piece)) {
    return;
  } else if (choice->round && piece->side[0] && !piece->thing &&
             !piece->number[0] && strcmp(piece->kind, choice->round) == 0) {
    snprintf(piece->glyph, sizeof piece->glyph, "%s",
             glyphs_side(glyphs, piece->side) ? "●" : "○");
  } else if (sign && !sign_is_taken(glyphs, choice, at, sign)) {
    snprintf(piece->glyph, sizeof piece->glyph, "%s", sign);
  } else {
    write_letters(glyphs, choice, piece);
    piece->plain = strcasecmp(piece->name, piece->glyph) == 0;
  }
}

void glyphs_understand(Glyphs *glyphs) {
  glyphs_read_names(glyphs);
  give_letters(glyphs);
}

void glyphs_choose(Glyphs *glyphs, const BoardsStyle *style) {
  glyphs_understand(glyphs);
  Choice choice = make_choice(glyphs, style);
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    Piece *piece = &glyphs->pieces.data[i];
    piece->plain = false;
    write_glyph(glyphs, &choice, i);
    piece->width = canvas_columns(piece->glyph, strlen(piece->glyph));
    piece->colour = !style->colour   ? NULL
                    : piece->blank   ? "2"
                    : piece->side[0] ? glyphs_colour(glyphs, piece->side)
                                     : NULL;
  }
}

/* ---- legend ---- */

static void add_entry(TextVector *entries, const char *glyph,
                      const char *colour, const char *meaning) {
  Text entry = {0};
  if (colour) text_format(&entry, "\33[%sm", colour);
  text_add(&entry, glyph);
  if (colour) text_add(&entry, "\33[0m");
  if (*glyph && *meaning) text_add_byte(&entry, ' ');
  text_add(&entry, meaning);
  for (uint32_t i = 0; i < entries->count; i++)
    if (strcmp(text_string(&entries->data[i]), text_string(&entry)) == 0) {
      text_free(&entry);
      return;
    }
  vector_push(entries, entry);
}

/* Letters of kinds are explained once for both sides, chess pieces not at all.
   Returns whether the case of letters must be explained. */
static bool explain_letter(const Glyphs *glyphs, const Piece *piece,
                           TextVector *entries) {
  char letter[2] = {letter_of(glyphs, piece->kind), '\0'};
  bool chess = chess_letter(piece->kind) != NULL;
  if (!chess) add_entry(entries, letter, NULL, piece->kind);
  if (glyphs->sides.count == 2) return true;
  if (piece->colour) {
    add_entry(entries, piece->side, piece->colour, "");
    return false;
  }
  letter[0] = (char)tolower((unsigned char)letter_of(glyphs, piece->side));
  add_entry(entries, letter, NULL, piece->side);
  return false;
}

static void explain_piece(const Glyphs *glyphs, const Piece *piece, bool *cases,
                          TextVector *entries) {
  bool by_letter = isalpha((unsigned char)piece->glyph[0]);
  if (piece->plain) return;
  if (piece->side[0] && piece->kind[0] && by_letter)
    *cases |= explain_letter(glyphs, piece, entries);
  else if (piece->side[0] && chess_letter(piece->kind))
    add_entry(entries, piece->side, piece->colour, "");
  else if (!piece->side[0] && chess_letter(piece->kind) && !by_letter)
    return;
  else
    add_entry(entries, piece->glyph, piece->colour,
              piece->kind[0] ? piece->name : piece->side);
}

static void explain_case(const Glyphs *glyphs, TextVector *entries) {
  static const char *const cases[] = {"upper case", "lower case"};
  for (uint32_t i = 0; i < 2; i++) {
    const GlyphSide *side = &glyphs->sides.data[i];
    add_entry(entries, cases[i], NULL, side->name);
  }
}

void glyphs_explain(const Glyphs *glyphs, const bool *used,
                    const BoardsStyle *style, Text *text) {
  enum { LINES = 2 };
  TextVector entries = {0};
  bool cases = false;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++)
    if (used[i])
      explain_piece(glyphs, &glyphs->pieces.data[i], &cases, &entries);
  if (cases) explain_case(glyphs, &entries);
  for (uint32_t i = 0; i + 1 < entries.count; i++)
    text_add_byte(&entries.data[i], ',');
  if (entries.count) canvas_list("", &entries, style, LINES, text);
  text_vector_free(&entries);
}
