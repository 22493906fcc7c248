/* A functor is board-like if its facts have at least three arguments, the first
   two take from 2 to 30 values each, and no place is named by two facts whose
   contents would not fit in one cell. Coordinates are ordered as terms are,
   numbers by value. The first argument runs to the right and the second upward,
   as files and ranks do. Empty contents (b, blank, empty) are drawn as a dot.
 */
#include "engine/board.h"

#include <strings.h>

enum { MOST_VALUES = 30, CELL_WIDTH = 12 };

typedef struct Board {
  Symbol functor;
  uint32_t arity;
  TermVector facts;
  TermVector columns, rows; /* sorted coordinates */
  Text *cells;              /* row by row */
  size_t width;             /* of the widest cell */
} Board;

static void gather(const Terms *terms, const Term *facts, uint32_t count,
                   Board *board) {
  for (uint32_t i = 0; i < count; i++) {
    Term fact = facts[i];
    if (term_symbol(terms, fact) != board->functor ||
        term_arity(terms, fact) != board->arity)
      continue;
    vector_push(&board->facts, fact);
    Term x = term_argument(terms, fact, 0), y = term_argument(terms, fact, 1);
    if (!term_vector_contains(&board->columns, x) &&
        board->columns.count <= MOST_VALUES)
      vector_push(&board->columns, x);
    if (!term_vector_contains(&board->rows, y) &&
        board->rows.count <= MOST_VALUES)
      vector_push(&board->rows, y);
  }
  term_sort(terms, board->columns.data, board->columns.count);
  term_sort(terms, board->rows.data, board->rows.count);
}

static bool size_fits(const Board *board) {
  return board->columns.count >= 2 && board->columns.count <= MOST_VALUES &&
         board->rows.count >= 2 && board->rows.count <= MOST_VALUES;
}

static uint32_t place_of(const TermVector *list, Term term) {
  uint32_t i = 0;
  while (list->data[i] != term) i++;
  return i;
}

static bool is_blank(const char *text) {
  static const char *const names[] = {"b", "blank", "empty", "e", "none"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(text, names[i]) == 0) return true;
  return false;
}

/* Contents are the arguments after the coordinates. */
static void write_contents(const Terms *terms, Term fact, Text *cell) {
  Text text = {0};
  for (uint32_t i = 2; i < term_arity(terms, fact); i++) {
    if (i > 2) text_add_byte(&text, ' ');
    term_write(terms, term_argument(terms, fact, i), &text);
  }
  if (cell->length) text_add_byte(cell, ',');
  text_add(cell, is_blank(text_string(&text)) ? "." : text_string(&text));
  text_free(&text);
}

/* Fill the cells; false if one has too much in it. */
static bool fill(const Terms *terms, Board *board) {
  uint32_t columns = board->columns.count;
  board->cells = memory_new(columns * board->rows.count * sizeof(Text));
  for (uint32_t i = 0; i < board->facts.count; i++) {
    Term fact = board->facts.data[i];
    uint32_t x = place_of(&board->columns, term_argument(terms, fact, 0));
    uint32_t y = place_of(&board->rows, term_argument(terms, fact, 1));
    Text *cell = &board->cells[y * columns + x];
    write_contents(terms, fact, cell);
    if (cell->length > board->width) board->width = cell->length;
  }
  return board->width <= CELL_WIDTH;
}

static void write_padded(Text *text, const char *string, size_t width) {
  text_add(text, string);
  for (size_t i = strlen(string); i < width; i++) text_add_byte(text, ' ');
}

static void draw(const Terms *terms, const Board *board, Text *text) {
  Text label = {0};
  size_t margin = 0, width = board->width;
  for (uint32_t y = 0; y < board->rows.count; y++) {
    text_clear(&label);
    term_write(terms, board->rows.data[y], &label);
    if (label.length > margin) margin = label.length;
  }
  for (uint32_t x = 0; x < board->columns.count; x++) {
    text_clear(&label);
    term_write(terms, board->columns.data[x], &label);
    if (label.length > width) width = label.length;
  }
  text_format(text, "%s\n", symbol_text(&terms->symbols, board->functor));
  for (uint32_t y = board->rows.count; y-- > 0;) {
    text_clear(&label);
    term_write(terms, board->rows.data[y], &label);
    text_add(text, "  ");
    write_padded(text, label.bytes, margin);
    for (uint32_t x = 0; x < board->columns.count; x++) {
      text_add_byte(text, ' ');
      write_padded(text,
                   text_string(&board->cells[y * board->columns.count + x]),
                   width);
    }
    text_add_byte(text, '\n');
  }
  text_add(text, "  ");
  write_padded(text, "", margin);
  for (uint32_t x = 0; x < board->columns.count; x++) {
    text_clear(&label);
    term_write(terms, board->columns.data[x], &label);
    text_add_byte(text, ' ');
    write_padded(text, label.bytes, width);
  }
  text_add_byte(text, '\n');
  text_free(&label);
}

static void board_free(Board *board) {
  for (uint32_t i = 0;
       board->cells && i < board->columns.count * board->rows.count; i++)
    text_free(&board->cells[i]);
  memory_delete(board->cells);
  vector_free(&board->facts);
  vector_free(&board->columns);
  vector_free(&board->rows);
}

/* Draw the functor's facts as a board if they are one. */
static bool draw_functor(const Terms *terms, const Term *facts, uint32_t count,
                         Term example, Text *text) {
  Board board = {.functor = term_symbol(terms, example),
                 .arity = term_arity(terms, example)};
  bool drawn = false;
  if (board.arity >= 3) {
    gather(terms, facts, count, &board);
    drawn = size_fits(&board) && fill(terms, &board);
    if (drawn) draw(terms, &board, text);
  }
  board_free(&board);
  return drawn;
}

void board_draw(const Game *game, const Term *facts, uint32_t count,
                Text *text) {
  const Terms *terms = game_terms(game);
  TermVector sorted = {0};
  Text rest = {0};
  vector_resize(&sorted, count);
  if (count) memcpy(sorted.data, facts, count * sizeof *facts);
  term_sort(terms, sorted.data, count);
  Term previous = 0;
  bool drawn = false;
  for (uint32_t i = 0; i < count; i++) {
    Term fact = sorted.data[i];
    if (!previous || term_symbol(terms, fact) != term_symbol(terms, previous) ||
        term_arity(terms, fact) != term_arity(terms, previous))
      drawn = draw_functor(terms, facts, count, fact, text);
    previous = fact;
    if (drawn) continue;
    text_add_byte(&rest, ' ');
    term_write(terms, fact, &rest);
  }
  if (rest.length) text_format(text, " %s\n", rest.bytes);
  text_free(&rest);
  vector_free(&sorted);
}
