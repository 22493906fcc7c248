/* What pieces are called: the side and the kind that their names say. Names are
   read once the whole vocabulary is known, since a name means what it does only
   beside the others: b is black beside w, but blank beside x and o. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "game/glyph_parts.h"
#include "game/words.h"

void glyphs_init(Glyphs *glyphs, const Rules *rules) {
  *glyphs = (Glyphs){.rules = rules};
}

void glyphs_free(Glyphs *glyphs) {
  vector_free(&glyphs->pieces);
  vector_free(&glyphs->sides);
  vector_free(&glyphs->kinds);
}

uint32_t glyphs_piece(Glyphs *glyphs, Symbol functor, const Term *contents,
                      uint32_t count) {
  if (count > GLYPH_CONTENTS) count = GLYPH_CONTENTS;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (piece->functor == functor && piece->count == count &&
        memcmp(piece->contents, contents, count * sizeof *contents) == 0)
      return i;
  }
  if (glyphs->pieces.count == GLYPH_MOST) return GLYPH_MOST - 1;
  Piece piece = {.functor = functor, .count = count};
  memcpy(piece.contents, contents, count * sizeof *contents);
  vector_push(&glyphs->pieces, piece);
  return glyphs->pieces.count - 1;
}

/* ---- names ---- */

void glyphs_copy(char *target, const char *source, size_t length) {
  if (length >= GLYPH_NAME) length = GLYPH_NAME - 1;
  memmove(target, source, length);
  target[length] = '\0';
}

static void copy_words(char *target, const Text *words) {
  glyphs_copy(target, text_string(words), words->length);
}

bool glyphs_is_number(const char *name) {
  return *name && strspn(name, "0123456789") == strlen(name);
}

static void write_term(const Terms *terms, Term term, Text *text) {
  Text raw = {0};
  if (term_size(terms, term) > GLYPH_NAME)
    text_add(&raw, symbol_text(&terms->symbols, term_symbol(terms, term)));
  else
    term_write(terms, term, &raw);
  words_write(text_string(&raw), text);
  text_free(&raw);
}

/* Words that say that nothing is there are left out of a longer name. */
static void name_piece(const Glyphs *glyphs, Piece *piece) {
  const Terms *terms = &glyphs->rules->terms;
  Text words = {0};
  if (piece->functor)
    words_write(symbol_text(&terms->symbols, piece->functor), &words);
  for (uint32_t i = 0; i < piece->count; i++) {
    Text own = {0};
    write_term(terms, piece->contents[i], &own);
    bool said =
        !words_blank(text_string(&own)) || strcmp(text_string(&own), "b") == 0;
    if (said || (i + 1 == piece->count && !words.length)) {
      if (words.length) text_add_byte(&words, ' ');
      text_add(&words, text_string(&own));
    }
    text_free(&own);
  }
  copy_words(piece->name, &words);
  text_free(&words);
}

static bool has_name(const Glyphs *glyphs, const char *name) {
  for (uint32_t i = 0; i < glyphs->pieces.count; i++)
    if (strcmp(glyphs->pieces.data[i].name, name) == 0) return true;
  return false;
}

/* In a board of numbers, the only other word is the gap. */
static bool is_gap(const Glyphs *glyphs, uint32_t at) {
  uint32_t numbers = 0, others = 0;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (piece->functor || i == at) continue;
    bool number = glyphs_is_number(piece->name);
    numbers += number;
    others += !number;
  }
  return numbers >= 3 && !others && !glyphs->pieces.data[at].functor;
}

static bool is_blank(const Glyphs *glyphs, uint32_t at) {
  const char *name = glyphs->pieces.data[at].name;
  if (glyphs_is_number(name)) return false;
  if (strcmp(name, "b") == 0)
    return !has_name(glyphs, "w") || has_name(glyphs, "r") ||
           has_name(glyphs, "x");
  bool lack = strncmp(name, "no", 2) == 0 && has_name(glyphs, name + 2);
  return lack || words_blank(name) || is_gap(glyphs, at);
}

/* ---- sides ---- */

/* Writes the role's name in words, without "player" after it. */
static void role_words(const Glyphs *glyphs, uint32_t role, char *name) {
  const Terms *terms = &glyphs->rules->terms;
  Text words = {0};
  write_term(terms, glyphs->rules->roles.data[role], &words);
  copy_words(name, &words);
  text_free(&words);
  size_t length = strlen(name), suffix = strlen("player");
  if (length > suffix && strcmp(name + length - suffix, "player") == 0) {
    length -= suffix;
    if (length > 1 && name[length - 1] == ' ') length--;
    name[length] = '\0';
  }
}

/* Returns whether the word is a side: a role, or a colour. */
static bool is_side(const Glyphs *glyphs, const char *word) {
  char role[GLYPH_NAME];
  for (uint32_t r = 0; r < glyphs->rules->roles.count; r++) {
    role_words(glyphs, r, role);
    if (strcmp(role, word) == 0) return true;
  }
  return words_colour(word) != NULL;
}

/* Returns the length of the side's name that the word begins with, or 0. */
static size_t side_prefix(const Glyphs *glyphs, const char *word) {
  char prefix[GLYPH_NAME];
  for (size_t length = strlen(word); length-- > 3;) {
    glyphs_copy(prefix, word, length);
    if (strlen(word) - length >= 3 && is_side(glyphs, prefix)) return length;
  }
  return 0;
}

static void split_name(const Glyphs *glyphs, Piece *piece) {
  char first[GLYPH_NAME];
  const char *space = strchr(piece->name, ' ');
  const char *last = strrchr(piece->name, ' ');
  glyphs_copy(piece->kind, piece->name, strlen(piece->name));
  if (is_side(glyphs, piece->name)) {
    glyphs_copy(piece->side, piece->name, strlen(piece->name));
    piece->kind[0] = '\0';
    return;
  }
  glyphs_copy(first, piece->name, space ? (size_t)(space - piece->name) : 0);
  if (space && is_side(glyphs, first)) {
    glyphs_copy(piece->side, first, strlen(first));
    glyphs_copy(piece->kind, space + 1, strlen(space + 1));
    return;
  }
  if (last && is_side(glyphs, last + 1)) {
    glyphs_copy(piece->side, last + 1, strlen(last + 1));
    glyphs_copy(piece->kind, piece->name, (size_t)(last - piece->name));
    return;
  }
  size_t prefix = space ? 0 : side_prefix(glyphs, piece->name);
  if (prefix) {
    glyphs_copy(piece->side, piece->name, prefix);
    glyphs_copy(piece->kind, piece->name + prefix,
                strlen(piece->name) - prefix);
  }
}

/* Digits at the end of a kind are the piece's number: gun1, bomb 3. */
static void split_number(Piece *piece) {
  size_t length = strlen(piece->kind), digits = 0;
  while (digits < length &&
         isdigit((unsigned char)piece->kind[length - digits - 1]))
    digits++;
  if (!digits || digits == length) return;
  glyphs_copy(piece->number, piece->kind + length - digits, digits);
  length -= digits;
  while (length && piece->kind[length - 1] == ' ') length--;
  piece->kind[length] = '\0';
}

/* ---- codes such as wk and bp ---- */

static const char *chess_kind(char letter) {
  switch (letter) {
  case 'k': return "king";
  case 'q': return "queen";
  case 'r': return "rook";
  case 'b': return "bishop";
  case 'n': return "knight";
  case 'p': return "pawn";
  default: return NULL;
  }
}

/* Returns the side that the letter stands for, or NULL: the role that begins
   with it, or white or black. Overwrites `name`. */
static const char *side_of_letter(const Glyphs *glyphs, char letter,
                                  char *name) {
  uint32_t found = 0;
  if (letter == 'w') return "white";
  if (letter == 'b') return "black";
  for (uint32_t r = 0; r < glyphs->rules->roles.count && !found; r++) {
    role_words(glyphs, r, name);
    found = name[0] == letter;
  }
  return found ? name : NULL;
}

/* Returns whether the piece may be a code: a side's letter, a letter for a
   chess piece and perhaps a third to tell it from its like. */
static bool is_code(const Glyphs *glyphs, const Piece *piece) {
  char side[GLYPH_NAME];
  size_t length = strlen(piece->name);
  return !piece->functor && length >= 2 && length <= 3 &&
         chess_kind(piece->name[1]) &&
         side_of_letter(glyphs, piece->name[0], side);
}

/* Returns whether all pieces with short names are codes, and these are most. */
static bool are_codes(const Glyphs *glyphs) {
  uint32_t codes = 0, others = 0;
  bool different = false;
  char first = 0;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (piece->blank || piece->functor) continue;
    if (!is_code(glyphs, piece)) {
      if (strlen(piece->name) <= 3) return false;
      others++;
      continue;
    }
    different |= first && first != piece->name[0];
    first = piece->name[0];
    codes++;
  }
  return codes >= 2 && codes > others && different;
}

static void read_code(const Glyphs *glyphs, Piece *piece) {
  char name[GLYPH_NAME];
  const char *side = side_of_letter(glyphs, piece->name[0], name);
  const char *kind = chess_kind(piece->name[1]);
  glyphs_copy(piece->side, side, strlen(side));
  glyphs_copy(piece->kind, kind, strlen(kind));
}

/* Returns whether there is a piece for the first letter of every role, and no
   two roles have the same. */
static bool are_initials(const Glyphs *glyphs) {
  char role[GLYPH_NAME];
  bool seen[UCHAR_MAX + 1] = {false};
  for (uint32_t r = 0; r < glyphs->rules->roles.count; r++) {
    role_words(glyphs, r, role);
    char initial[2] = {role[0], '\0'};
    if (seen[(unsigned char)role[0]] || !has_name(glyphs, initial))
      return false;
    seen[(unsigned char)role[0]] = true;
  }
  return glyphs->rules->roles.count > 1;
}

/* Returns the side that a single letter stands for, or NULL: a role by its
   initial, or a colour beside w. Overwrites `name`. */
static const char *side_of_initial(const Glyphs *glyphs, char letter,
                                   char *name) {
  for (uint32_t r = 0; are_initials(glyphs) && r < glyphs->rules->roles.count;
       r++) {
    role_words(glyphs, r, name);
    if (name[0] == letter) return name;
  }
  if (!has_name(glyphs, "w") ||
      (!has_name(glyphs, "b") && !has_name(glyphs, "r")))
    return NULL;
  return letter == 'w'   ? "white"
         : letter == 'b' ? "black"
         : letter == 'r' ? "red"
                         : NULL;
}

static void read_letter(const Glyphs *glyphs, Piece *piece) {
  char name[GLYPH_NAME];
  if (!piece->name[0] || piece->name[1]) return;
  const char *side = side_of_initial(glyphs, piece->name[0], name);
  if (!side) return;
  glyphs_copy(piece->side, side, strlen(side));
  piece->kind[0] = '\0';
}

bool glyphs_is_mark(const Piece *piece) {
  return strcmp(piece->name, "x") == 0 || strcmp(piece->name, "o") == 0;
}

static void understand(Glyphs *glyphs) {
  for (uint32_t i = 0; i < glyphs->pieces.count; i++)
    name_piece(glyphs, &glyphs->pieces.data[i]);
  for (uint32_t i = 0; i < glyphs->pieces.count; i++)
    glyphs->pieces.data[i].blank = is_blank(glyphs, i);
  bool codes = are_codes(glyphs);
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    Piece *piece = &glyphs->pieces.data[i];
    piece->side[0] = piece->kind[0] = piece->number[0] = '\0';
    if (piece->blank) continue;
    if (codes && is_code(glyphs, piece)) {
      read_code(glyphs, piece);
      continue;
    }
    split_name(glyphs, piece);
    read_letter(glyphs, piece);
    if (glyphs_is_mark(piece)) {
      glyphs_copy(piece->side, piece->name, 1);
      piece->kind[0] = '\0';
    }
    split_number(piece);
  }
  glyphs->understood = glyphs->pieces.count;
}

/* ---- sides in order ---- */

static int rank_of_side(const Glyphs *glyphs, const char *side) {
  char role[GLYPH_NAME];
  int known = words_side(side);
  for (uint32_t r = 0; r < glyphs->rules->roles.count; r++) {
    role_words(glyphs, r, role);
    if (strcmp(role, side) == 0) return known * 1000 + (int)r;
  }
  return known * 1000 + 500 + (int)glyphs->sides.count;
}

static int by_rank(const void *left, const void *right) {
  const GlyphSide *a = left, *b = right;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  return strcmp(a->name, b->name);
}

uint32_t glyphs_side(const Glyphs *glyphs, const char *name) {
  uint32_t i = 0;
  while (i < glyphs->sides.count &&
         strcmp(glyphs->sides.data[i].name, name) != 0)
    i++;
  return i;
}

uint32_t glyphs_role_side(const Glyphs *glyphs, uint32_t role) {
  char name[GLYPH_NAME];
  role_words(glyphs, role, name);
  return glyphs_side(glyphs, name);
}

static void list_sides(Glyphs *glyphs) {
  vector_clear(&glyphs->sides);
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const Piece *piece = &glyphs->pieces.data[i];
    if (!piece->side[0] ||
        glyphs_side(glyphs, piece->side) < glyphs->sides.count)
      continue;
    GlyphSide side = {.rank = rank_of_side(glyphs, piece->side)};
    glyphs_copy(side.name, piece->side, strlen(piece->side));
    vector_push(&glyphs->sides, side);
  }
  if (glyphs->sides.count)
    qsort(glyphs->sides.data, glyphs->sides.count, sizeof(GlyphSide), by_rank);
}

const char *glyphs_colour(const Glyphs *glyphs, const char *name) {
  static const char *const palette[] = {"33", "36", "35", "32", "31", "34"};
  const uint32_t size = sizeof palette / sizeof *palette;
  char role[GLYPH_NAME], words[GLYPH_NAME];
  glyphs_copy(words, name, strlen(name));
  for (uint32_t r = 0; r < glyphs->rules->roles.count; r++) {
    const Terms *terms = &glyphs->rules->terms;
    const char *raw = symbol_text(
        &terms->symbols, term_symbol(terms, glyphs->rules->roles.data[r]));
    role_words(glyphs, r, role);
    if (strcmp(raw, name) == 0) glyphs_copy(words, role, strlen(role));
  }
  if (words_colour(words)) return words_colour(words);
  uint32_t side = glyphs_side(glyphs, words);
  return side < glyphs->sides.count ? palette[side % size] : NULL;
}

void glyphs_read_names(Glyphs *glyphs) {
  if (glyphs->understood != glyphs->pieces.count) understand(glyphs);
  list_sides(glyphs);
}
