/* The places that arguments of a move name, if they are read in a certain way;
   about/scene_form.c finds out which way. */
#include "about/scene_parts.h"

#include <stdlib.h>

/* ---- arguments ---- */

static void add_leaves(const Terms *terms, Term term, SceneLeaves *leaves) {
  uint32_t arity = term_arity(terms, term);
  if (leaves->count > SCENE_LEAVES) return;
  if (!arity) {
    if (leaves->count < SCENE_LEAVES) leaves->list[leaves->count] = term;
    leaves->count++;
    return;
  }
  for (uint32_t i = 0; i < arity; i++)
    add_leaves(terms, term_argument(terms, term, i), leaves);
}

void scene_leaves(const Terms *terms, Term move, SceneLeaves *leaves) {
  uint32_t arity = term_arity(terms, move);
  *leaves = (SceneLeaves){.functor = arity ? term_symbol(terms, move) : 0};
  if (term_size(terms, move) > 4 * SCENE_LEAVES) {
    leaves->count = SCENE_LEAVES + 1;
    return;
  }
  if (!arity) add_leaves(terms, move, leaves);
  for (uint32_t i = 0; i < arity; i++)
    add_leaves(terms, term_argument(terms, move, i), leaves);
}

/* ---- places ---- */

/* Returns the axes in the order in which facts have them. */
static uint32_t order_axes(const Scene *scene, const SceneBoard *board,
                           uint32_t *axes) {
  const Family *family = &scene->layout.families.list.data[board->family];
  uint32_t count = scene_picture(scene, board)->dimension;
  for (uint32_t d = 0; d < count; d++) axes[d] = d;
  for (uint32_t i = 1; i < count; i++)
    for (uint32_t j = i;
         j > 0 && family->argument[axes[j - 1]] > family->argument[axes[j]];
         j--) {
      uint32_t other = axes[j];
      axes[j] = axes[j - 1];
      axes[j - 1] = other;
    }
  return count;
}

static bool is_split(const Scene *scene, const SceneBoard *board) {
  return scene->layout.families.list.data[board->family].split;
}

/* Returns the index of the value on the axis, or its length. */
static uint32_t index_on(const Scene *scene, const SceneBoard *board,
                         uint32_t d, Term value) {
  const Axis *axis = &scene_picture(scene, board)->axes[d];
  if (!is_split(scene, board)) return axis_index(axis, value);
  const Terms *terms = scene_terms(scene);
  const char *name = symbol_text(&terms->symbols, term_symbol(terms, value));
  size_t length = strlen(name);
  if (length < 2 || length > 3 || strspn(name + 1, "0123456789") != length - 1)
    return axis->values.count;
  return axis_index(axis,
                    d ? (uint32_t)atoi(name + 1) : (unsigned char)name[0]);
}

/* Finds the coordinates that the reading gives, UINT32_MAX where it gives none.
   Returns false if one is not on its axis. */
static bool find_coordinates(const Scene *scene, const SceneReading *reading,
                             const SceneLeaves *leaves, uint32_t *at) {
  const SceneBoard *board = &scene->boards.data[reading->board];
  uint32_t axes[FAMILY_AXES], used = 0;
  uint32_t count = order_axes(scene, board, axes);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t d = axes[i];
    at[d] = UINT32_MAX;
    if (!(reading->axes >> d & 1)) continue;
    uint32_t leaf = reading->at + (is_split(scene, board) ? 0 : used++);
    at[d] = index_on(scene, board, d, leaves->list[leaf]);
    if (at[d] == scene_picture(scene, board)->axes[d].values.count)
      return false;
  }
  return true;
}

/* Returns whether the place has the coordinates that are given. */
static bool lies_at(const Picture *picture, uint32_t place,
                    const uint32_t *at) {
  for (uint32_t d = 0; d < picture->dimension; d++) {
    uint32_t length = picture->axes[d].values.count;
    if (at[d] != UINT32_MAX && place % length != at[d]) return false;
    place /= length;
  }
  return true;
}

static uint32_t read_places(const Scene *scene, const SceneReading *reading,
                            const SceneLeaves *leaves, bool *places) {
  const SceneBoard *board = &scene->boards.data[reading->board];
  const Picture *picture = scene_picture(scene, board);
  uint32_t at[FAMILY_AXES], count = 0;
  if (!find_coordinates(scene, reading, leaves, at)) return 0;
  if (reading->reads == READ_PLACE) {
    uint32_t place = 0;
    for (uint32_t d = picture->dimension; d-- > 0;)
      place = place * picture->axes[d].values.count + at[d];
    if (picture->exists && !picture->exists[place]) return 0;
    places[place] = true;
    return 1;
  }
  for (uint32_t p = 0; p < board->places; p++)
    if (lies_at(picture, p, at) && (!picture->exists || picture->exists[p])) {
      places[p] = true;
      count++;
    }
  return count;
}

/* ---- things ---- */

static bool is_named(const Scene *scene, uint32_t piece, Term value) {
  const ScenePiece *own = &scene->pieces.data[piece];
  return own->count == 1 && own->source != PIECE_FACE &&
         own->contents[0] == value;
}

static uint32_t read_thing(const Scene *scene, const SceneReading *reading,
                           const SceneLeaves *leaves, SceneCell **cells,
                           bool *places) {
  const SceneBoard *board = &scene->boards.data[reading->board];
  bool many = reading->reads == READ_GROUP;
  uint32_t count = 0, found = 0;
  for (uint32_t p = 0; p < board->places; p++) {
    const SceneCell *cell = &cells[reading->board][p];
    for (uint32_t i = 0; i < cell->count; i++)
      if (is_named(scene, cell->pieces[i], leaves->list[reading->at])) {
        found = p;
        count++;
        places[p] |= many;
      }
  }
  if (count == 1) places[found] = true;
  return many || count == 1 ? count : 0;
}

static int find_in_tower(const Towers *towers, Term value) {
  for (int i = 0; i < towers->count; i++)
    if (towers->things[i].term == value) return i;
  return -1;
}

/* Sets all places of a column. */
static uint32_t take_column(const SceneBoard *board, uint32_t x, bool *places) {
  for (uint32_t y = 0; y < board->rows; y++)
    places[y * board->columns + x] = true;
  return board->rows;
}

/* A thing on top stands for its whole pile, a base for its columns: those that
   are empty, if it has several. */
static uint32_t read_pile(const Scene *scene, const SceneReading *reading,
                          const SceneLeaves *leaves, SceneCell **cells,
                          bool *places) {
  const SceneBoard *board = &scene->boards.data[reading->board];
  const Towers *towers = &board->things;
  const SceneCell *own = cells[reading->board];
  int thing = find_in_tower(towers, leaves->list[reading->at]);
  uint32_t count = 0;
  if (thing < 0) return 0;
  if (towers->things[thing].base) {
    uint32_t first = board->first[thing];
    uint32_t width = board->wide[thing] ? board->rows : 1;
    for (uint32_t x = first; x < first + width; x++)
      if (width == 1 || !own[x].count) count += take_column(board, x, places);
    return count;
  }
  bool top = towers->things[thing].above < 0;
  for (uint32_t p = 0; p < board->places && !count; p++)
    if (own[p].count &&
        is_named(scene, own[p].pieces[0], leaves->list[reading->at])) {
      places[p] = true;
      count = top ? take_column(board, p % board->columns, places) : 1;
    }
  return count;
}

/* Returns the number of the face, or CUBE_FACES. */
static uint32_t face_of(const Scene *scene, Term value) {
  static const char *const names[CUBE_FACES][2] = {
      {"u", "up"},    {"l", "left"}, {"f", "front"},
      {"r", "right"}, {"b", "back"}, {"d", "down"}};
  const Terms *terms = scene_terms(scene);
  const char *name = symbol_text(&terms->symbols, term_symbol(terms, value));
  uint32_t face = 0;
  while (face < CUBE_FACES && strcmp(names[face][0], name) != 0 &&
         strcmp(names[face][1], name) != 0)
    face++;
  return face;
}

static uint32_t read_face(const Scene *scene, const SceneReading *reading,
                          const SceneLeaves *leaves, bool *places) {
  uint32_t face = face_of(scene, leaves->list[reading->at]);
  if (face == CUBE_FACES) return 0;
  for (uint32_t i = 0; i < 9; i++) places[face * 9 + i] = true;
  return 9;
}

/* ---- regions ---- */

static SceneRegion *find_region(const SceneForm *form, uint32_t leaf,
                                Term value) {
  const SceneRegions *regions = &form->regions[leaf];
  for (uint32_t i = 0; i < regions->count; i++)
    if (regions->data[i].value == value) return &regions->data[i];
  return NULL;
}

/* A region is what lies between its outermost places. */
static uint32_t read_region(const Scene *scene, const SceneForm *form,
                            const SceneReading *reading,
                            const SceneLeaves *leaves, bool *places) {
  const SceneBoard *board = &scene->boards.data[reading->board];
  const Picture *picture = scene_picture(scene, board);
  const SceneRegion *region =
      find_region(form, reading->at, leaves->list[reading->at]);
  uint32_t least[FAMILY_AXES], most[FAMILY_AXES] = {0}, count = 0;
  if (!region) return 0;
  memset(least, 255, sizeof least);
  for (uint32_t p = 0; p < board->places; p++)
    for (uint32_t d = 0, rest = p; region->places[p] && d < picture->dimension;
         d++) {
      uint32_t length = picture->axes[d].values.count, at = rest % length;
      if (at < least[d]) least[d] = at;
      if (at > most[d]) most[d] = at;
      rest /= length;
    }
  for (uint32_t p = 0; p < board->places; p++) {
    bool inside = !picture->exists || picture->exists[p];
    for (uint32_t d = 0, rest = p; d < picture->dimension; d++) {
      uint32_t length = picture->axes[d].values.count, at = rest % length;
      inside &= at >= least[d] && at <= most[d];
      rest /= length;
    }
    places[p] |= inside;
    count += inside;
  }
  return count;
}

uint32_t scene_read(const Scene *scene, const SceneForm *form,
                    const SceneReading *reading, const SceneLeaves *leaves,
                    SceneCell **cells, bool *places) {
  switch (reading->reads) {
  case READ_THING:
  case READ_GROUP: return read_thing(scene, reading, leaves, cells, places);
  case READ_PILE: return read_pile(scene, reading, leaves, cells, places);
  case READ_FACE: return read_face(scene, reading, leaves, places);
  case READ_REGION: return read_region(scene, form, reading, leaves, places);
  default: return read_places(scene, reading, leaves, places);
  }
}
