/* As in the terminal, the first coordinate of a place goes to the right and the
   second one up, unless the rules say by the names of their variables that the
   first is a row and the second a column: then rows are counted from above.

   Rows of different lengths may each be numbered from their first place: those
   of a star or of a hexagon, whose middles are above each other. They become a
   hexagonal board with columns of half a place. */
#include "about/scene_parts.h"

#include <ctype.h>

static bool is_flat(const SceneBoard *board) {
  return (board->shape == SCENE_GRID || board->shape == SCENE_HEX) &&
         board->places == board->columns * board->rows;
}

/* ---- rows and columns by name ---- */

/* Returns 1 for the name of a row, 2 for that of a column, else 0. */
static int direction_of(const char *variable) {
  static const char *const names[][2] = {
      {"r", "c"}, {"row", "col"}, {"row", "column"}};
  char name[16];
  size_t length = 0;
  for (const char *at = variable + 1; *at && length + 1 < sizeof name; at++)
    if (isalpha((unsigned char)*at))
      name[length++] = (char)tolower((unsigned char)*at);
  name[length] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (int k = 0; k < 2; k++)
      if (strcmp(name, names[i][k]) == 0) return k + 1;
  return 0;
}

static int direction_at(const Terms *terms, Term fact, uint32_t argument) {
  Term term = term_argument(terms, fact, argument);
  return term_is_variable(terms, term)
             ? direction_of(
                   symbol_text(&terms->symbols, term_symbol(terms, term)))
             : 0;
}

/* Counts an atom such as (true (cell ?row ?col ?piece)) for or against. */
static int vote(const Terms *terms, const Family *family, Term atom) {
  if (term_arity(terms, atom) != 1) return 0;
  Term fact = term_argument(terms, atom, 0);
  if (!family_has(family, terms, fact)) return 0;
  int x = direction_at(terms, fact, family->argument[0]);
  int y = direction_at(terms, fact, family->argument[1]);
  return x == 1 && y == 2 ? 1 : x == 2 && y == 1 ? -1 : 0;
}

static bool begins_with_row(const Scene *scene, const SceneBoard *board) {
  const Rules *rules = &scene->book->description->rules;
  const Family *family = &scene->layout.families.list.data[board->family];
  int votes = 0;
  for (uint32_t i = 0; i < rules->list.count; i++)
    votes += vote(&rules->terms, family, rules->list.data[i].head);
  for (uint32_t i = 0; i < rules->literals.count; i++)
    votes += vote(&rules->terms, family, rules->literals.data[i].atom);
  return votes > 0;
}

void scene_turn_board(Scene *scene, SceneBoard *board) {
  const Family *family = &scene->layout.families.list.data[board->family];
  if (!is_flat(board) || board->shown || family->split ||
      !begins_with_row(scene, board))
    return;
  board->up = false;
  board->width = board->rows;
  board->height = board->columns;
  board->x_axis = 1;
  board->y_axis = 0;
  board->shown = memory_new((board->places + 1) * sizeof *board->shown);
  for (uint32_t p = 0; p < board->places; p++)
    board->shown[p] = p % board->columns * board->rows + p / board->columns;
}

/* ---- centred rows ---- */

/* The length of the line `i` of places along the other axis, or 0 if its places
   do not begin with the first. */
static uint32_t line_length(const SceneBoard *board, const bool *exists,
                            bool along, uint32_t i) {
  uint32_t size = along ? board->columns : board->rows, length = 0;
  for (uint32_t k = 0; k < size; k++) {
    uint32_t p = along ? i * board->columns + k : k * board->columns + i;
    if (exists[p] && length != k) return 0;
    length += exists[p];
  }
  return length;
}

/* Returns whether the lines next to each other have lengths that differ by an
   odd number, as those of hexagons do. */
static bool are_centred(const SceneBoard *board, const bool *exists,
                        bool along) {
  uint32_t lines = along ? board->rows : board->columns, before = 0;
  for (uint32_t i = 0; i < lines; i++) {
    uint32_t length = line_length(board, exists, along, i);
    if (!length || (i && (length + before) % 2 == 0)) return false;
    before = length;
  }
  return lines > 2;
}

bool scene_centre_rows(Scene *scene, SceneBoard *board) {
  if (!is_flat(board) || board->shown) return false;
  const bool *exists = scene_picture(scene, board)->exists;
  if (!exists) return false;
  bool along = are_centred(board, exists, true);
  if (!along && !are_centred(board, exists, false)) return false;
  uint32_t lines = along ? board->rows : board->columns;
  uint32_t longest = along ? board->columns : board->rows;
  board->shape = SCENE_HEX;
  board->slant = 0;
  board->width = 2 * longest - 1;
  board->height = lines;
  board->x_axis = FAMILY_AXES;
  board->y_axis = along;
  board->shown = memory_new((board->places + 1) * sizeof *board->shown);
  for (uint32_t p = 0; p < board->places; p++) {
    uint32_t x = p % board->columns, y = p / board->columns;
    uint32_t line = along ? y : x, at = along ? x : y;
    uint32_t length = line_length(board, exists, along, line);
    if (exists[p])
      board->shown[p] = line * board->width + longest - length + 2 * at;
  }
  return true;
}
