/* Names are read once the whole vocabulary is known, since a name means what it
   does only beside the others: b is black beside w, but blank beside x and o.

   Chess pieces have their Unicode characters. Two sides without kinds of pieces
   are circles, x and o are themselves, numbers stand as they are. Everything
   else is a letter of its name that no other kind has; the first side's are in
   upper case and the second's in lower case. With three sides or more the
   side's own letter comes first, unless colours tell. */
#include "game/glyph.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "game/canvas.h"
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

static void copy(char *target, const char *source, size_t length) {
  if (length >= GLYPH_NAME) length = GLYPH_NAME - 1;
  memmove(target, source, length);
  target[length] = '\0';
}

static void copy_words(char *target, const Text *words) {
  copy(target, text_string(words), words->length);
}

static bool is_number(const char *name) {
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
    bool number = is_number(piece->name);
    numbers += number;
    others += !number;
  }
  return numbers >= 3 && !others && !glyphs->pieces.data[at].functor;
}

static bool is_blank(const Glyphs *glyphs, uint32_t at) {
  const char *name = glyphs->pieces.data[at].name;
  if (is_number(name)) return false;
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
    copy(prefix, word, length);
    if (strlen(word) - length >= 3 && is_side(glyphs, prefix)) return length;
  }
  return 0;
}

static void split_name(const Glyphs *glyphs, Piece *piece) {
  char first[GLYPH_NAME];
  const char *space = strchr(piece->name, ' ');
  const char *last = strrchr(piece->name, ' ');
  copy(piece->kind, piece->name, strlen(piece->name));
  if (is_side(glyphs, piece->name)) {
    copy(piece->side, piece->name, strlen(piece->name));
    piece->kind[0] = '\0';
    return;
  }
  copy(first, piece->name, space ? (size_t)(space - piece->name) : 0);
  if (space && is_side(glyphs, first)) {
    copy(piece->side, first, strlen(first));
    copy(piece->kind, space + 1, strlen(space + 1));
    return;
  }
  if (last && is_side(glyphs, last + 1)) {
    copy(piece->side, last + 1, strlen(last + 1));
    copy(piece->kind, piece->name, (size_t)(last - piece->name));
    return;
  }
  size_t prefix = space ? 0 : side_prefix(glyphs, piece->name);
  if (prefix) {
    copy(piece->side, piece->name, prefix);
    copy(piece->kind, piece->name + prefix, strlen(piece->name) - prefix);
  }
}

/* Digits at the end of a kind are the piece's number: gun1, bomb 3. */
static void split_number(Piece *piece) {
  size_t length = strlen(piece->kind), digits = 0;
  while (digits < length &&
         isdigit((unsigned char)piece->kind[length - digits - 1]))
    digits++;
  if (!digits || digits == length) return;
  copy(piece->number, piece->kind + length - digits, digits);
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
  copy(piece->side, side, strlen(side));
  copy(piece->kind, kind, strlen(kind));
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
  copy(piece->side, side, strlen(side));
  piece->kind[0] = '\0';
}

static bool is_cross_or_nought(const Piece *piece) {
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
    if (is_cross_or_nought(piece)) {
      copy(piece->side, piece->name, 1);
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
    copy(side.name, piece->side, strlen(piece->side));
    vector_push(&glyphs->sides, side);
  }
  if (glyphs->sides.count)
    qsort(glyphs->sides.data, glyphs->sides.count, sizeof(GlyphSide), by_rank);
}

const char *glyphs_colour(const Glyphs *glyphs, const char *name) {
  static const char *const palette[] = {"33", "36", "35", "32", "31", "34"};
  const uint32_t size = sizeof palette / sizeof *palette;
  char role[GLYPH_NAME], words[GLYPH_NAME];
  copy(words, name, strlen(name));
  for (uint32_t r = 0; r < glyphs->rules->roles.count; r++) {
    const Terms *terms = &glyphs->rules->terms;
    const char *raw = symbol_text(
        &terms->symbols, term_symbol(terms, glyphs->rules->roles.data[r]));
    role_words(glyphs, r, role);
    if (strcmp(raw, name) == 0) copy(words, role, strlen(role));
  }
  if (words_colour(words)) return words_colour(words);
  uint32_t side = glyphs_side(glyphs, words);
  return side < glyphs->sides.count ? palette[side % size] : NULL;
}

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
  copy(kind.name, name, strlen(name));
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
    if (!piece->blank && !is_number(piece->kind))
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
    if (piece->blank || is_number(piece->name)) continue;
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
  } else if (is_number(piece->name) || (choice->whole && !piece->functor)) {
    snprintf(piece->glyph, sizeof piece->glyph, "%.5s", piece->name);
    piece->plain = true;
  } else if (write_numbered(piece)) {
    piece->plain = true;
  } else if (is_cross_or_nought(piece)) {
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
  if (glyphs->understood != glyphs->pieces.count) understand(glyphs);
  list_sides(glyphs);
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
