/* A piece looks like what its kind is called: chessmen and men have shapes,
   x and o are drawn, mere sides are discs, numbers and short codes stand as
   they are, obstacles are walls. Everything else is a letter.

   Sides have colours by their names where these are colours, and else the first
   ones that are free. */
#include "about/scene_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "game/words.h"

/* ---- numbers ---- */

static uint32_t find_or_add(Scene *scene, const ScenePiece *wanted) {
  for (uint32_t i = 0; i < scene->pieces.count; i++) {
    ScenePiece *piece = &scene->pieces.data[i];
    if (piece->source == wanted->source && piece->functor == wanted->functor &&
        piece->count == wanted->count &&
        memcmp(piece->contents, wanted->contents, sizeof piece->contents) ==
            0) {
      piece->glyph = wanted->glyph;
      return i;
    }
  }
  vector_push(&scene->pieces, *wanted);
  scene->version++;
  return scene->pieces.count - 1;
}

uint32_t scene_piece_of_glyph(Scene *scene, uint32_t glyph, bool bar) {
  NumberVector *known = &scene->of_glyph[bar];
  while (known->count <= glyph) vector_push(known, 0);
  if (known->data[glyph]) return known->data[glyph] - 1;
  const Piece *own = &scene->layout.glyphs.pieces.data[glyph];
  ScenePiece piece = {.source = bar ? PIECE_BAR : PIECE_GLYPH,
                      .functor = own->functor,
                      .count = own->count,
                      .glyph = glyph};
  memcpy(piece.contents, own->contents, own->count * sizeof *own->contents);
  uint32_t number = find_or_add(scene, &piece);
  known->data[glyph] = number + 1;
  return number;
}

uint32_t scene_piece_of_thing(Scene *scene, Term thing) {
  return find_or_add(
      scene,
      &(ScenePiece){.source = PIECE_THING, .contents = {thing}, .count = 1});
}

uint32_t scene_piece_of_face(Scene *scene, uint32_t face) {
  return find_or_add(scene, &(ScenePiece){.source = PIECE_FACE, .count = face});
}

/* ---- colours of sides ---- */

typedef struct ColourName {
  const char *name;
  uint32_t colour;
} ColourName;

static const ColourName exact[] = {{"white", 0}, {"light", 0},  {"black", 1},
                                   {"dark", 1},  {"red", 2},    {"blue", 3},
                                   {"green", 4}, {"yellow", 5}, {NULL, 0}};
static const ColourName near[] = {{"o", 2},       {"orange", 2}, {"pink", 2},
                                  {"magenta", 2}, {"x", 3},      {"cyan", 3},
                                  {"purple", 3},  {"violet", 3}, {"teal", 4},
                                  {"brown", 5},   {"gold", 5},   {NULL, 0}};
static const ColourName any[] = {{NULL, 0}};

/* Returns the colour that the side's name asks for, or SCENE_SIDES. */
static uint32_t wanted_colour(const ColourName *list, const char *name) {
  for (; list->name; list++)
    if (strcmp(list->name, name) == 0) return list->colour;
  return SCENE_SIDES;
}

static uint32_t free_colour(const bool *taken) {
  uint32_t colour = 0;
  while (colour < SCENE_SIDES && taken[colour]) colour++;
  return colour % SCENE_SIDES;
}

void scene_colour_sides(Scene *scene) {
  static const ColourName *const lists[] = {exact, near, any};
  const Glyphs *glyphs = &scene->layout.glyphs;
  bool taken[SCENE_SIDES + 1] = {false};
  for (uint32_t i = 0; i < glyphs->sides.count; i++)
    scene->sides[i] = SCENE_SIDES;
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
    for (uint32_t i = 0; i < glyphs->sides.count; i++) {
      uint32_t colour = wanted_colour(lists[k], glyphs->sides.data[i].name);
      if (scene->sides[i] < SCENE_SIDES) continue;
      if (lists[k] == any) colour = free_colour(taken);
      if (lists[k] != any && (colour == SCENE_SIDES || taken[colour])) continue;
      scene->sides[i] = colour;
      taken[colour] = true;
    }
}

static json_t *side_json(const Scene *scene, uint32_t side) {
  return side < scene->layout.glyphs.sides.count
             ? json_integer(scene->sides[side])
             : json_null();
}

/* Finds the only side that is no role's, for a role without one. */
static uint32_t side_left(const Glyphs *glyphs) {
  uint32_t roles = 0, left = 0, found = glyphs->sides.count;
  for (uint32_t r = 0; r < glyphs->rules->roles.count; r++)
    roles += glyphs_role_side(glyphs, r) == glyphs->sides.count;
  for (uint32_t i = 0; i < glyphs->sides.count; i++) {
    bool taken = false;
    for (uint32_t r = 0; r < glyphs->rules->roles.count; r++)
      taken |= glyphs_role_side(glyphs, r) == i;
    if (taken) continue;
    found = i;
    left++;
  }
  return roles == 1 && left == 1 && glyphs->rules->roles.count > 1
             ? found
             : glyphs->sides.count;
}

json_t *scene_roles_json(const Scene *scene) {
  const Glyphs *glyphs = &scene->layout.glyphs;
  uint32_t left = side_left(glyphs);
  json_t *list = json_array();
  for (uint32_t r = 0; r < glyphs->rules->roles.count; r++) {
    uint32_t side = glyphs_role_side(glyphs, r);
    bool known = side < glyphs->sides.count;
    json_array_append_new(list, side_json(scene, known ? side : left));
  }
  return list;
}

/* ---- shapes ---- */

static bool ends_with(const char *name, const char *word) {
  size_t own = strlen(name), length = strlen(word);
  return own >= length && strcmp(name + own - length, word) == 0 &&
         (own == length || name[own - length - 1] == ' ');
}

static const char *shape_of_kind(const char *kind) {
  static const char *const list[][2] = {
      {"pawn", "pawn"},     {"rook", "rook"},    {"castle", "rook"},
      {"knight", "knight"}, {"horse", "knight"}, {"bishop", "bishop"},
      {"queen", "queen"},   {"king", "king"},    {"man", "man"},
      {"checker", "man"},   {"draught", "man"},  {"piece", "disc"},
      {"disc", "disc"},     {"disk", "disc"},    {"stone", "disc"},
      {"token", "token"},   {"marker", "token"}, {"coin", "token"},
      {"peg", "disc"},      {"marble", "disc"},  {"ball", "disc"},
      {"lit", "lamp"},      {"light", "lamp"},   {"lamp", "lamp"},
      {"pellet", "dot"},    {"dot", "dot"},      {"food", "dot"},
      {"arrow", "wall"},    {"burnt", "wall"},   {"hole", "wall"},
      {"visited", "dot"},   {"box", "square"},   {"block", "square"},
      {"crate", "square"},  {"fire", "fire"},    {"x", "cross"},
      {"o", "ring"},        {"wall", "wall"},    {"bomb", "bomb"},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (ends_with(kind, list[i][0])) return list[i][1];
  return words_wall(kind) ? "wall" : NULL;
}

/* Returns whether some kind has one of these shapes. */
static bool has_shape(const Glyphs *glyphs, const char *first,
                      const char *second) {
  for (uint32_t i = 0; i < glyphs->kinds.count; i++) {
    const char *shape = shape_of_kind(glyphs->kinds.data[i].name);
    if (shape && (strcmp(shape, first) == 0 || strcmp(shape, second) == 0))
      return true;
  }
  return false;
}

/* Returns whether pawns and kings are those of checkers: there are no other
   chessmen. */
static bool are_draughts(const Glyphs *glyphs) {
  return has_shape(glyphs, "pawn", "pawn") &&
         has_shape(glyphs, "king", "king") &&
         !has_shape(glyphs, "rook", "knight") &&
         !has_shape(glyphs, "bishop", "queen");
}

/* Returns the shape of a king or pawn if it is not one of chess, else the
   shape. */
static const char *draught_shape(const Glyphs *glyphs, const char *shape) {
  if (strcmp(shape, "king") == 0 &&
      (has_shape(glyphs, "man", "disc") || are_draughts(glyphs)))
    return "crown";
  return strcmp(shape, "pawn") == 0 && are_draughts(glyphs) ? "man" : shape;
}

static bool is_number(const char *name) {
  return *name && strspn(name, "0123456789") == strlen(name);
}

/* Returns the length of a number that is followed by the letter of a shade, as
   in "5 b", or 0. */
static size_t shaded_number(const char *name) {
  size_t digits = strspn(name, "0123456789");
  bool shade =
      strcmp(name + digits, " b") == 0 || strcmp(name + digits, " w") == 0;
  return shade && digits <= 4 ? digits : 0;
}

static const char *shape_of_side(const Glyphs *glyphs, const Piece *piece) {
  if (strcmp(piece->side, "x") == 0) return "cross";
  if (strcmp(piece->side, "o") == 0) return "ring";
  return !piece->thing                  ? "disc"
         : glyphs_letter(glyphs, piece) ? "token"
                                        : "number";
}

static const char *shape_of(const Glyphs *glyphs, const Piece *piece) {
  if (piece->blank) return "none";
  if (is_number(piece->name) || (glyphs_are_codes(glyphs) && !piece->functor))
    return "number";
  if (strcmp(piece->name, "w") == 0 && !piece->side[0]) return "wall";
  if (shaded_number(piece->name)) return "number";
  if (!piece->kind[0]) return shape_of_side(glyphs, piece);
  const char *shape = shape_of_kind(piece->kind);
  if (shape && piece->number[0] && strcmp(shape, "bomb") != 0) shape = NULL;
  if (!shape && !glyphs_letter(glyphs, piece)) return "number";
  if (!shape) return piece->thing ? "token" : "letter";
  return draught_shape(glyphs, shape);
}

bool scene_pieces_round(const Scene *scene) {
  const Glyphs *glyphs = &scene->layout.glyphs;
  bool seen = false;
  for (uint32_t i = 0; i < glyphs->pieces.count; i++) {
    const char *shape = shape_of(glyphs, &glyphs->pieces.data[i]);
    if (strcmp(shape, "none") == 0) continue;
    if (strcmp(shape, "disc") != 0) return false;
    seen = true;
  }
  return seen;
}

/* ---- as JSON ---- */

static json_t *letter_json(const Glyphs *glyphs, const Piece *piece) {
  char letter[GLYPH_NAME + 2] = {glyphs_letter(glyphs, piece), '\0'};
  if (!letter[0]) return json_null();
  strcat(letter, piece->number);
  return json_plain(letter);
}

/* Names a code such as wk by what it stands for. */
static json_t *name_json(const Piece *piece) {
  Text name = {0};
  bool code = piece->side[0] && !strstr(piece->name, piece->side);
  if (code)
    text_format(&name, "%s%s%s", piece->side, piece->kind[0] ? " " : "",
                piece->kind);
  json_t *json = json_plain(code ? name.bytes : piece->name);
  text_free(&name);
  return json;
}

/* Returns the side of the piece, or of a shaded number. */
static json_t *own_side_json(const Scene *scene, const Piece *piece) {
  size_t digits = shaded_number(piece->name);
  if (digits) return json_integer(piece->name[digits + 1] == 'b');
  if (!piece->side[0]) return json_null();
  return side_json(scene, glyphs_side(&scene->layout.glyphs, piece->side));
}

static json_t *glyph_json(const Scene *scene, const ScenePiece *piece) {
  const Glyphs *glyphs = &scene->layout.glyphs;
  const Piece *own = &glyphs->pieces.data[piece->glyph];
  const char *shape =
      piece->source == PIECE_BAR ? "bar" : shape_of(glyphs, own);
  bool number = strcmp(shape, "number") == 0;
  bool counts = is_number(own->name) && strlen(own->name) < 9;
  size_t digits = shaded_number(own->name);
  Text text = {0};
  text_add_bytes(&text, own->name, digits ? digits : strlen(own->name));
  json_t *object = json_pack(
      "{s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "name", name_json(own), "side",
      own_side_json(scene, own), "kind",
      own->kind[0] ? json_plain(own->kind) : json_null(), "letter",
      letter_json(glyphs, own), "shape", shape, "text",
      number || counts             ? json_plain(text_string(&text))
      : strcmp(shape, "bomb") == 0 ? json_plain(own->number)
                                   : json_null(),
      "value",
      counts ? json_integer(strtol(own->name, NULL, 10)) : json_null());
  text_free(&text);
  return object;
}

/* Returns the number of a disc, or 0. */
static uint32_t disc_of(const Scene *scene, Term thing) {
  for (uint32_t b = 0; b < scene->boards.count; b++) {
    const Towers *towers = &scene->boards.data[b].things;
    for (int i = 0; i < towers->count; i++)
      if (towers->discs && towers->things[i].term == thing)
        return towers->things[i].disc;
  }
  return 0;
}

static json_t *thing_json(const Scene *scene, const ScenePiece *piece) {
  const Terms *terms = scene_terms(scene);
  const char *raw =
      symbol_text(&terms->symbols, term_symbol(terms, piece->contents[0]));
  uint32_t disc = disc_of(scene, piece->contents[0]);
  char letter[4] = "", number[16];
  Text name = {0};
  words_write(raw, &name);
  for (size_t i = 0; i < (strlen(raw) < sizeof letter ? strlen(raw) : 1); i++)
    letter[i] = (char)toupper((unsigned char)raw[i]);
  snprintf(number, sizeof number, "%u", disc);
  json_t *object =
      json_pack("{s:o, s:n, s:n, s:o, s:s, s:o, s:o}", "name",
                json_plain(text_string(&name)), "side", "kind", "letter",
                json_plain(letter), "shape", disc ? "bar" : "letter", "text",
                disc ? json_string(number) : json_plain(raw), "value",
                disc ? json_integer(disc) : json_null());
  text_free(&name);
  return object;
}

/* Stickers have the usual colours: white is opposite yellow, green is in
   front. */
static json_t *face_json(const ScenePiece *piece) {
  static const struct {
    const char *name, *letter;
    int side;
  } faces[CUBE_FACES] = {{"up", "U", 0},    {"left", "L", 1}, {"front", "F", 4},
                         {"right", "R", 2}, {"back", "B", 3}, {"down", "D", 5}};
  uint32_t face = piece->count;
  return json_pack("{s:s, s:i, s:s, s:s, s:s, s:n, s:n}", "name",
                   faces[face].name, "side", faces[face].side, "kind",
                   "sticker", "letter", faces[face].letter, "shape", "square",
                   "text", "value");
}

json_t *scene_pieces_json(Scene *scene) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < scene->pieces.count; i++) {
    const ScenePiece *piece = &scene->pieces.data[i];
    json_array_append_new(
        list, piece->source == PIECE_THING  ? thing_json(scene, piece)
              : piece->source == PIECE_FACE ? face_json(piece)
                                            : glyph_json(scene, piece));
  }
  return list;
}
