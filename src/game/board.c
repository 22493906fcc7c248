/* Every functor with two or more arguments is a candidate board; the facts that
   `base` allows, and those of the states drawn so far, say which values each
   argument takes. The coordinates are the first two arguments whose values are
   all numbers or a row of letters, 2 to 30 of them, if most pairs of them
   occur; what the others say stands in the cell. Coordinates are ordered as
   terms are, numbers by value; the first runs to the right and the second
   upward, as files and ranks do. */
#include "game/board.h"

#include <strings.h>

#include "rules/evaluate.h"

enum { MOST_VALUES = 30, CELL_WIDTH = 12, MOST_ARGUMENTS = 8 };

typedef struct Board {
  Symbol functor;
  uint32_t arity;
  TermVector values[MOST_ARGUMENTS]; /* of each argument, up to a few */
  uint32_t x, y; /* arguments that are coordinates; equal if there are none */
  bool refused;  /* too few places occur */
  bool drawn;    /* in the drawing at hand */
} Board;

struct Boards {
  Description *description;
  const Terms *terms;
  VECTOR(Board) list;
};

/* ---- learning ---- */

/* The letter that a term is, 0 if it is none. */
static int letter_of(const Terms *terms, Term term) {
  const char *text = symbol_text(&terms->symbols, term_symbol(terms, term));
  return term_arity(terms, term) == 0 && strlen(text) == 1 && text[0] >= 'A' &&
                 text[0] <= 'z'
             ? text[0]
             : 0;
}

/* Numbers, or letters without a gap; the values are sorted. */
static bool are_coordinates(const Terms *terms, const TermVector *values) {
  if (values->count < 2 || values->count > MOST_VALUES) return false;
  bool numbers = term_number(terms, values->data[0]) >= 0;
  int first = letter_of(terms, values->data[0]);
  for (uint32_t i = 0; i < values->count; i++)
    if (numbers ? term_number(terms, values->data[i]) < 0
                : !first || letter_of(terms, values->data[i]) != first + (int)i)
      return false;
  return true;
}

static Board *find_board(Boards *boards, Term fact) {
  Symbol functor = term_symbol(boards->terms, fact);
  uint32_t arity = term_arity(boards->terms, fact);
  if (arity < 2 || arity > MOST_ARGUMENTS) return NULL;
  for (uint32_t i = 0; i < boards->list.count; i++)
    if (boards->list.data[i].functor == functor &&
        boards->list.data[i].arity == arity)
      return &boards->list.data[i];
  vector_push(&boards->list, ((Board){.functor = functor, .arity = arity}));
  return &vector_last(&boards->list);
}

static void learn_values(Boards *boards, Term fact) {
  Board *board = find_board(boards, fact);
  for (uint32_t i = 0; board && i < board->arity; i++) {
    Term value = term_argument(boards->terms, fact, i);
    if (board->values[i].count <= MOST_VALUES &&
        !term_vector_contains(&board->values[i], value))
      vector_push(&board->values[i], value);
  }
}

static void choose_coordinates(const Terms *terms, Board *board) {
  uint32_t found = 0, chosen[2] = {0, 0};
  for (uint32_t i = 0; i < board->arity; i++) {
    TermVector *values = &board->values[i];
    if (values->count) term_sort(terms, values->data, values->count);
    if (found < 2 && are_coordinates(terms, values)) chosen[found++] = i;
  }
  board->x = chosen[0];
  board->y = found == 2 && !board->refused ? chosen[1] : chosen[0];
}

static void learn(Boards *boards, const Term *facts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) learn_values(boards, facts[i]);
  for (uint32_t i = 0; i < boards->list.count; i++)
    choose_coordinates(boards->terms, &boards->list.data[i]);
}

/* Of the places that the coordinates span, do most occur? */
static void check_coverage(Boards *boards, const Term *facts, uint32_t count,
                           Board *board) {
  bool seen[MOST_VALUES][MOST_VALUES] = {{false}};
  uint32_t places = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (find_board(boards, facts[i]) != board) continue;
    uint32_t x = 0, y = 0;
    while (board->values[board->x].data[x] !=
           term_argument(boards->terms, facts[i], board->x))
      x++;
    while (board->values[board->y].data[y] !=
           term_argument(boards->terms, facts[i], board->y))
      y++;
    places += !seen[x][y];
    seen[x][y] = true;
  }
  board->refused = places * 2 < board->values[board->x].count *
                                    board->values[board->y].count;
  if (board->refused) board->y = board->x;
}

Boards *boards_new(Description *description) {
  Boards *boards = memory_new(sizeof *boards);
  boards->description = description;
  boards->terms = &description->rules.terms;
  uint32_t base = dependencies_find(&description->dependencies, SYMBOL_BASE, 1);
  if (base && description->dependencies.list.data[base].rules.count) {
    Evaluator evaluator;
    EvaluatorLimits limits = {.memory = (size_t)1 << 28, .seconds = 2};
    Statistics statistics = {0};
    Text error = {0};
    TermVector facts = {0};
    evaluator_init(&evaluator, description, &limits, &statistics, &error);
    if (evaluator_collect(&evaluator,
                          plans_procedure(&evaluator.plans, base, 0), &facts)) {
      learn(boards, facts.data, facts.count);
      for (uint32_t i = 0; i < boards->list.count; i++)
        if (boards->list.data[i].x != boards->list.data[i].y)
          check_coverage(boards, facts.data, facts.count,
                         &boards->list.data[i]);
    }
    evaluator_free(&evaluator);
    vector_free(&facts);
    text_free(&error);
  }
  return boards;
}

void boards_delete(Boards *boards) {
  for (uint32_t i = 0; i < boards->list.count; i++)
    for (uint32_t j = 0; j < MOST_ARGUMENTS; j++)
      vector_free(&boards->list.data[i].values[j]);
  vector_free(&boards->list);
  memory_delete(boards);
}

/* ---- drawing ---- */

typedef struct Grid {
  uint32_t columns, rows;
  Text *cells; /* row by row, from below */
  size_t width;
} Grid;

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

/* What the arguments other than the coordinates say; a mark if there are none.
 */
static void write_contents(const Terms *terms, const Board *board, Term fact,
                           Text *cell) {
  Text text = {0};
  for (uint32_t i = 0; i < board->arity; i++) {
    if (i == board->x || i == board->y) continue;
    if (text.length) text_add_byte(&text, ' ');
    term_write(terms, term_argument(terms, fact, i), &text);
  }
  if (cell->length) text_add_byte(cell, ',');
  text_add(cell, !text.length                   ? "*"
                 : is_blank(text_string(&text)) ? "."
                                                : text.bytes);
  text_free(&text);
}

static void write_padded(Text *text, const char *string, size_t width) {
  text_add(text, string);
  for (size_t i = strlen(string); i < width; i++) text_add_byte(text, ' ');
}

static size_t widest(const Terms *terms, const TermVector *list) {
  size_t width = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    size_t own =
        strlen(symbol_text(&terms->symbols, term_symbol(terms, list->data[i])));
    if (own > width) width = own;
  }
  return width;
}

static void fill(const Terms *terms, const Board *board, const Term *facts,
                 uint32_t count, Grid *grid) {
  grid->columns = board->values[board->x].count;
  grid->rows = board->values[board->y].count;
  grid->cells = memory_new(grid->columns * grid->rows * sizeof(Text));
  for (uint32_t i = 0; i < count; i++) {
    if (term_symbol(terms, facts[i]) != board->functor ||
        term_arity(terms, facts[i]) != board->arity)
      continue;
    uint32_t x = place_of(&board->values[board->x],
                          term_argument(terms, facts[i], board->x));
    uint32_t y = place_of(&board->values[board->y],
                          term_argument(terms, facts[i], board->y));
    Text *cell = &grid->cells[y * grid->columns + x];
    write_contents(terms, board, facts[i], cell);
    if (cell->length > grid->width) grid->width = cell->length;
  }
}

static void draw(const Terms *terms, const Board *board, const Grid *grid,
                 Text *text) {
  const TermVector *columns = &board->values[board->x];
  const TermVector *rows = &board->values[board->y];
  size_t margin = widest(terms, rows), width = widest(terms, columns);
  if (grid->width > width) width = grid->width;
  text_format(text, "%s\n", symbol_text(&terms->symbols, board->functor));
  for (uint32_t y = grid->rows; y-- > 0;) {
    text_add(text, "  ");
    write_padded(
        text, symbol_text(&terms->symbols, term_symbol(terms, rows->data[y])),
        margin);
    for (uint32_t x = 0; x < grid->columns; x++) {
      const Text *cell = &grid->cells[y * grid->columns + x];
      text_add_byte(text, ' ');
      write_padded(text, cell->length ? cell->bytes : ".", width);
    }
    text_add_byte(text, '\n');
  }
  text_add(text, "  ");
  write_padded(text, "", margin);
  for (uint32_t x = 0; x < grid->columns; x++) {
    text_add_byte(text, ' ');
    write_padded(
        text,
        symbol_text(&terms->symbols, term_symbol(terms, columns->data[x])),
        width);
  }
  text_add_byte(text, '\n');
}

/* False if it is no board or its cells are too full. */
static bool draw_board(const Terms *terms, const Board *board,
                       const Term *facts, uint32_t count, Text *text) {
  if (board->x == board->y) return false;
  Grid grid = {0};
  fill(terms, board, facts, count, &grid);
  bool fits = grid.width <= CELL_WIDTH;
  if (fits) draw(terms, board, &grid, text);
  for (uint32_t i = 0; i < grid.columns * grid.rows; i++)
    text_free(&grid.cells[i]);
  memory_delete(grid.cells);
  return fits;
}

/* The facts that are on no board, sorted. */
static void write_rest(Boards *boards, const Term *facts, uint32_t count,
                       Text *text) {
  TermVector rest = {0};
  for (uint32_t i = 0; i < count; i++) {
    const Board *board = find_board(boards, facts[i]);
    if (!board || !board->drawn) vector_push(&rest, facts[i]);
  }
  if (rest.count) term_sort(boards->terms, rest.data, rest.count);
  for (uint32_t i = 0; i < rest.count; i++) {
    text_add(text, i ? " " : "  ");
    term_write(boards->terms, rest.data[i], text);
  }
  if (rest.count) text_add_byte(text, '\n');
  vector_free(&rest);
}

void boards_draw(Boards *boards, const Term *facts, uint32_t count,
                 Text *text) {
  learn(boards, facts, count);
  for (uint32_t i = 0; i < boards->list.count; i++) {
    Board *board = &boards->list.data[i];
    board->drawn = draw_board(boards->terms, board, facts, count, text);
  }
  write_rest(boards, facts, count, text);
}
