/* A sticker is on a face, at a place that touches one or two other faces. The
   first letter of a cubie's name is the side that its facelet names; where the
   others are follows, because a cubie can be turned but not mirrored. */
#include "game/cube.h"

static const char faces[] = "udfblr";

/* As game/cube.h numbers them. */
static const char order[] = "ulfrbd";

enum { FACES = CUBE_FACES, EDGES = 12, CORNERS = 8 };

/* What is seen: by face and by the set of other faces that the place touches
   (as bits), the face where the sticker belongs + 1. */
typedef struct Cube {
  uint8_t sticker[FACES][1 << FACES];
} Cube;

static int face_of(char letter) {
  const char *found = letter ? strchr(faces, letter) : NULL;
  return found ? (int)(found - faces) : -1;
}

static const char *name_of(const Terms *terms, Term term) {
  return term_arity(terms, term)
             ? ""
             : symbol_text(&terms->symbols, term_symbol(terms, term));
}

/* Returns the number of faces that the name consists of, one of a pair of
   opposite ones at most; else 0. */
static uint32_t faces_of(const char *name, int *list) {
  uint32_t count = 0, pairs = 0;
  for (; name[count]; count++) {
    int face = face_of(name[count]);
    if (count == 3 || face < 0 || pairs >> face / 2 & 1) return 0;
    pairs |= (uint32_t)1 << face / 2;
    list[count] = face;
  }
  return count;
}

bool cube_possible(const Families *families, const Family *family) {
  const Terms *terms = &families->rules->terms;
  uint32_t sizes[4] = {0};
  int list[3];
  if (family->arity != 2 || family->overflow) return false;
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t i = 0; i < family->values[a].count; i++) {
      uint32_t size = faces_of(name_of(terms, family->values[a].data[i]), list);
      if (size < 2) return false;
      sizes[size] += a == 0;
    }
  return sizes[2] == EDGES && sizes[3] == CORNERS;
}

/* Returns 1 if the three faces follow each other clockwise around their
   corner, as seen from outside; -1 if not. */
static int turn_of(int a, int b, int c) {
  static const int axes[FACES][3] = {{0, 1, 0},  {0, -1, 0}, {0, 0, 1},
                                     {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}};
  const int *x = axes[a], *y = axes[b], *z = axes[c];
  return x[0] * (y[1] * z[2] - y[2] * z[1]) -
         x[1] * (y[0] * z[2] - y[2] * z[0]) +
         x[2] * (y[0] * z[1] - y[1] * z[0]);
}

static void place(Cube *cube, const char *cubie, const char *where) {
  int own[3], at[3];
  uint32_t size = faces_of(cubie, own), set = 0;
  if (size != faces_of(where, at) || size < 2) return;
  if (size == 3 &&
      turn_of(own[0], own[1], own[2]) != turn_of(at[0], at[1], at[2])) {
    int other = at[1];
    at[1] = at[2];
    at[2] = other;
  }
  for (uint32_t i = 0; i < size; i++) set |= (uint32_t)1 << at[i];
  for (uint32_t i = 0; i < size; i++)
    cube->sticker[at[i]][set & ~((uint32_t)1 << at[i])] = (uint8_t)(own[i] + 1);
}

/* The faces around each face, as it lies in the drawing: above, below, left,
   right. */
static const char *const around[FACES] = {"bflr", "fblr", "udlr",
                                          "udrl", "udbf", "udfb"};

/* Returns the face where the sticker belongs + 1, or 0. */
static int sticker_at(const Cube *cube, int face, int row, int column) {
  uint32_t set = 0;
  if (row != 1) set |= (uint32_t)1 << face_of(around[face][row ? 1 : 0]);
  if (column != 1) set |= (uint32_t)1 << face_of(around[face][column ? 3 : 2]);
  return set ? cube->sticker[face][set] : face + 1;
}

static void add_sticker(const Cube *cube, int face, int row, int column,
                        const BoardsStyle *style, Text *text) {
  static const char *const colours[FACES] = {"1", "33", "32", "94", "35", "31"};
  int sticker = sticker_at(cube, face, row, column);
  char letter = sticker ? faces[sticker - 1] : '?';
  if (style->colour && sticker)
    text_format(text, "\33[%sm%c\33[0m", colours[sticker - 1], letter - 32);
  else
    text_add_byte(text, sticker ? (char)(letter - 32) : letter);
}

/* Appends rows of faces beside each other; a space stands for no face. */
static void add_faces(const Cube *cube, const char *row_of_faces,
                      const BoardsStyle *style, Text *text) {
  for (int row = 0; row < 3; row++) {
    for (const char *at = row_of_faces; *at; at++) {
      if (at > row_of_faces) text_add(text, "  ");
      for (int column = 0; column < 3; column++) {
        if (column) text_add_byte(text, ' ');
        if (*at == ' ')
          text_add_byte(text, ' ');
        else
          add_sticker(cube, face_of(*at), row, column, style, text);
      }
    }
    text_add_byte(text, '\n');
  }
}

static void assemble(const Families *families, const Family *family,
                     const Term *facts, uint32_t count, Cube *cube) {
  const Terms *terms = &families->rules->terms;
  for (uint32_t i = 0; i < count; i++)
    if (family_has(family, terms, facts[i]))
      place(cube, name_of(terms, term_argument(terms, facts[i], 0)),
            name_of(terms, term_argument(terms, facts[i], 1)));
}

void cube_see(const Families *families, const Family *family, const Term *facts,
              uint32_t count, uint8_t stickers[CUBE_STICKERS]) {
  Cube cube = {0};
  assemble(families, family, facts, count, &cube);
  for (int i = 0; i < CUBE_STICKERS; i++) {
    int own = sticker_at(&cube, face_of(order[i / 9]), i % 9 / 3, i % 3);
    const char *found = own ? strchr(order, faces[own - 1]) : NULL;
    stickers[i] = (uint8_t)(found ? found - order : CUBE_FACES);
  }
}

void cube_draw(const Families *families, const Family *family,
               const Term *facts, uint32_t count, const BoardsStyle *style,
               TextVector *blocks) {
  Cube cube = {0};
  Text block = {0};
  assemble(families, family, facts, count, &cube);
  add_faces(&cube, " u", style, &block);
  add_faces(&cube, "lfrb", style, &block);
  add_faces(&cube, " d", style, &block);
  vector_push(blocks, block);
}
