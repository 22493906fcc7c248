/* What the analysis calls a board is drawn as it says: one place argument is a
   row, two are a grid, three are a grid for each value of the third, provided
   that their values have an order. What the piece arguments say stands in the
   cell.

   Other facts may still be boards, as (at robot 3 2) is, and without a net
   there is no analysis; then the coordinates are guessed: the first two
   arguments whose values are all numbers or a row of letters, 2 to 30 of them,
   if most pairs of them occur. The values are those of the net's fluents or,
   without a net, of the facts that `base` allows and of the states drawn so
   far; they are ordered as terms are, numbers by value.

   The first coordinate runs to the right and the second upward, as files and
   ranks do. */
#include "game/boards.h"

#include <strings.h>

#include "rules/evaluate.h"

enum {
  MOST_VALUES = 30,
  CELL_WIDTH = 12,
  MOST_ARGUMENTS = PLACES_ARGUMENTS,
  NOWHERE = MOST_ARGUMENTS /* instead of an argument */
};

typedef struct Picture {
  Symbol functor;
  uint32_t arity;
  TermVector values[MOST_ARGUMENTS]; /* of each argument, in order */
  uint32_t x, y, layer; /* arguments that are coordinates, or NOWHERE */
  bool known;           /* by the analysis */
  bool refused;         /* guessed, and too few places occur */
  bool drawn;           /* in the current drawing */
} Picture;

struct Boards {
  const Terms *terms;
  VECTOR(Picture) list;
};

static Picture *find_picture(Boards *boards, Term fact) {
  Symbol functor = term_symbol(boards->terms, fact);
  uint32_t arity = term_arity(boards->terms, fact);
  if (arity < 2 || arity > MOST_ARGUMENTS) return NULL;
  for (uint32_t i = 0; i < boards->list.count; i++)
    if (boards->list.data[i].functor == functor &&
        boards->list.data[i].arity == arity)
      return &boards->list.data[i];
  vector_push(&boards->list, ((Picture){.functor = functor,
                                        .arity = arity,
                                        .x = NOWHERE,
                                        .y = NOWHERE,
                                        .layer = NOWHERE}));
  return &vector_last(&boards->list);
}

/* ---- what the analysis knows ---- */

static bool is_axis(const Board *board, uint32_t argument) {
  return board->order[argument] != PLACES_UNORDERED &&
         board->values[argument].count >= 2 &&
         board->values[argument].count <= MOST_VALUES;
}

static void take_board(const Board *board, Picture *picture) {
  uint32_t axes[3] = {NOWHERE, NOWHERE, NOWHERE}, count = 0;
  for (uint32_t a = 0; a < board->arity; a++) {
    if (!(board->place >> a & 1)) continue;
    if (count == 3 || !is_axis(board, a)) return;
    axes[count++] = a;
  }
  picture->x = axes[0];
  picture->y = axes[1];
  picture->layer = axes[2];
  picture->known = true;
  for (uint32_t a = 0; a < board->arity; a++)
    for (uint32_t i = 0; i < board->values[a].count; i++)
      vector_push(&picture->values[a], board->values[a].data[i]);
}

static void take_boards(Boards *boards, const Analysis *analysis) {
  const Places *places = &analysis->places;
  for (uint32_t i = 0; i < analysis->net->fluents.count; i++)
    find_picture(boards, analysis->net->fluents.data[i].term);
  for (uint32_t i = 0; i < boards->list.count; i++)
    for (uint32_t b = 0; b < places->boards.count; b++)
      if (places->boards.data[b].functor == boards->list.data[i].functor &&
          places->boards.data[b].arity == boards->list.data[i].arity)
        take_board(&places->boards.data[b], &boards->list.data[i]);
}

/* ---- what is guessed ---- */

/* Returns the letter that the term is, or 0. */
static int letter_of(const Terms *terms, Term term) {
  const char *text = symbol_text(&terms->symbols, term_symbol(terms, term));
  return term_arity(terms, term) == 0 && strlen(text) == 1 && text[0] >= 'A' &&
                 text[0] <= 'z'
             ? text[0]
             : 0;
}

/* True if the sorted values are numbers, or letters without a gap. */
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

static void learn_values(Boards *boards, Term fact) {
  Picture *picture = find_picture(boards, fact);
  if (!picture || picture->known) return;
  for (uint32_t i = 0; i < picture->arity; i++) {
    Term value = term_argument(boards->terms, fact, i);
    if (picture->values[i].count <= MOST_VALUES &&
        !term_vector_contains(&picture->values[i], value))
      vector_push(&picture->values[i], value);
  }
}

static void choose_coordinates(const Terms *terms, Picture *picture) {
  uint32_t found = 0, chosen[2] = {NOWHERE, NOWHERE};
  for (uint32_t i = 0; i < picture->arity; i++) {
    TermVector *values = &picture->values[i];
    if (values->count) term_sort(terms, values->data, values->count);
    if (found < 2 && are_coordinates(terms, values)) chosen[found++] = i;
  }
  bool fine = found == 2 && !picture->refused;
  picture->x = fine ? chosen[0] : NOWHERE;
  picture->y = fine ? chosen[1] : NOWHERE;
}

static void learn(Boards *boards, const Term *facts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) learn_values(boards, facts[i]);
  for (uint32_t i = 0; i < boards->list.count; i++)
    if (!boards->list.data[i].known)
      choose_coordinates(boards->terms, &boards->list.data[i]);
}

/* Returns the value's index, or the number of values if it is not there. */
static uint32_t index_of(const TermVector *values, Term term) {
  uint32_t i = 0;
  while (i < values->count && values->data[i] != term) i++;
  return i;
}

/* Refuses a picture unless half of the places that its coordinates span occur.
 */
static void check_coverage(Boards *boards, const TermVector *facts,
                           Picture *picture) {
  bool seen[MOST_VALUES][MOST_VALUES] = {{false}};
  uint32_t places = 0;
  const TermVector *columns = &picture->values[picture->x];
  const TermVector *rows = &picture->values[picture->y];
  for (uint32_t i = 0; i < facts->count; i++) {
    Term fact = facts->data[i];
    if (find_picture(boards, fact) != picture) continue;
    uint32_t x =
        index_of(columns, term_argument(boards->terms, fact, picture->x));
    uint32_t y = index_of(rows, term_argument(boards->terms, fact, picture->y));
    places += !seen[x][y];
    seen[x][y] = true;
  }
  picture->refused = places * 2 < columns->count * rows->count;
  if (picture->refused) picture->x = picture->y = NOWHERE;
}

/* All facts that may ever hold are given. */
static void guess(Boards *boards, const TermVector *facts) {
  learn(boards, facts->data, facts->count);
  for (uint32_t i = 0; i < boards->list.count; i++) {
    Picture *picture = &boards->list.data[i];
    if (!picture->known && picture->x != NOWHERE)
      check_coverage(boards, facts, picture);
  }
}

static void collect_base(Description *description, TermVector *facts) {
  uint32_t base = dependencies_find(&description->dependencies, SYMBOL_BASE, 1);
  if (!base || !description->dependencies.list.data[base].rules.count) return;
  Evaluator evaluator;
  EvaluatorLimits limits = {.memory = (size_t)1 << 28, .seconds = 2};
  Statistics statistics = {0};
  Text error = {0};
  evaluator_init(&evaluator, description, &limits, &statistics, &error);
  if (!evaluator_collect(&evaluator, plans_procedure(&evaluator.plans, base, 0),
                         facts))
    vector_clear(facts);
  evaluator_free(&evaluator);
  text_free(&error);
}

Boards *boards_new(Description *description, const Analysis *analysis) {
  Boards *boards = memory_new(sizeof *boards);
  TermVector facts = {0};
  boards->terms = &description->rules.terms;
  if (analysis) {
    take_boards(boards, analysis);
    for (uint32_t i = 0; i < analysis->net->fluents.count; i++)
      vector_push(&facts, analysis->net->fluents.data[i].term);
  } else {
    collect_base(description, &facts);
  }
  guess(boards, &facts);
  vector_free(&facts);
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

static bool is_blank(const char *text) {
  static const char *const names[] = {"b", "blank", "empty", "e", "none"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp(text, names[i]) == 0) return true;
  return false;
}

/* What the other arguments say, or a mark if there are none. */
static void write_contents(const Terms *terms, const Picture *picture,
                           Term fact, Text *cell) {
  Text text = {0};
  for (uint32_t i = 0; i < picture->arity; i++) {
    if (i == picture->x || i == picture->y || i == picture->layer) continue;
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

/* Fills the grid with the facts of one layer (all of them if there are no
   layers). Returns false if a fact has no place on the picture. */
static bool fill(const Terms *terms, const Picture *picture, Term layer,
                 const Term *facts, uint32_t count, Grid *grid) {
  grid->columns = picture->values[picture->x].count;
  grid->rows = picture->y == NOWHERE ? 1 : picture->values[picture->y].count;
  grid->cells = memory_new(grid->columns * grid->rows * sizeof(Text));
  for (uint32_t i = 0; i < count; i++) {
    if (term_symbol(terms, facts[i]) != picture->functor ||
        term_arity(terms, facts[i]) != picture->arity ||
        (layer && term_argument(terms, facts[i], picture->layer) != layer))
      continue;
    uint32_t y = 0, x = index_of(&picture->values[picture->x],
                                 term_argument(terms, facts[i], picture->x));
    if (picture->y != NOWHERE)
      y = index_of(&picture->values[picture->y],
                   term_argument(terms, facts[i], picture->y));
    if (x == grid->columns || y == grid->rows) return false;
    Text *cell = &grid->cells[y * grid->columns + x];
    write_contents(terms, picture, facts[i], cell);
    if (cell->length > grid->width) grid->width = cell->length;
  }
  return true;
}

static void write_name(const Terms *terms, Term name, size_t width,
                       Text *text) {
  write_padded(text, symbol_text(&terms->symbols, term_symbol(terms, name)),
               width);
}

/* The functor; of a layer with its value: cell ? ? 3. */
static void write_heading(const Terms *terms, const Picture *picture,
                          Term layer, Text *text) {
  text_add(text, symbol_text(&terms->symbols, picture->functor));
  for (uint32_t a = 0; layer && a <= picture->layer; a++) {
    text_add_byte(text, ' ');
    if (a == picture->layer)
      term_write(terms, layer, text);
    else
      text_add_byte(text, '?');
  }
  text_add_byte(text, '\n');
}

static void draw_grid(const Terms *terms, const Picture *picture,
                      const Grid *grid, Text *text) {
  static const TermVector no_rows = {0};
  const TermVector *columns = &picture->values[picture->x];
  const TermVector *rows =
      picture->y == NOWHERE ? &no_rows : &picture->values[picture->y];
  size_t margin = widest(terms, rows), width = widest(terms, columns);
  if (grid->width > width) width = grid->width;
  for (uint32_t y = grid->rows; y-- > 0;) {
    text_add(text, rows->count ? "  " : " ");
    if (rows->count) write_name(terms, rows->data[y], margin, text);
    for (uint32_t x = 0; x < grid->columns; x++) {
      const Text *cell = &grid->cells[y * grid->columns + x];
      text_add_byte(text, ' ');
      write_padded(text, cell->length ? cell->bytes : ".", width);
    }
    text_add_byte(text, '\n');
  }
  text_add(text, rows->count ? "  " : " ");
  write_padded(text, "", margin);
  for (uint32_t x = 0; x < grid->columns; x++) {
    text_add_byte(text, ' ');
    write_name(terms, columns->data[x], width, text);
  }
  text_add_byte(text, '\n');
}

/* Returns false if a fact has no place or a cell is too full. */
static bool draw_layer(const Terms *terms, const Picture *picture, Term layer,
                       const Term *facts, uint32_t count, Text *text) {
  Grid grid = {0};
  bool fits = fill(terms, picture, layer, facts, count, &grid) &&
              grid.width <= CELL_WIDTH;
  if (fits) {
    write_heading(terms, picture, layer, text);
    draw_grid(terms, picture, &grid, text);
  }
  for (uint32_t i = 0; i < grid.columns * grid.rows; i++)
    text_free(&grid.cells[i]);
  memory_delete(grid.cells);
  return fits;
}

/* Draws all of the picture or, if a layer does not fit, nothing. */
static bool draw_picture(const Terms *terms, const Picture *picture,
                         const Term *facts, uint32_t count, Text *text) {
  if (picture->x == NOWHERE) return false;
  if (picture->layer == NOWHERE)
    return draw_layer(terms, picture, 0, facts, count, text);
  const TermVector *layers = &picture->values[picture->layer];
  size_t before = text->length;
  for (uint32_t i = 0; i < layers->count; i++)
    if (!draw_layer(terms, picture, layers->data[i], facts, count, text)) {
      text->length = before;
      if (text->bytes) text->bytes[before] = '\0';
      return false;
    }
  return true;
}

/* Lists the facts that were not drawn, sorted. */
static void write_rest(Boards *boards, const Term *facts, uint32_t count,
                       Text *text) {
  TermVector rest = {0};
  for (uint32_t i = 0; i < count; i++) {
    const Picture *picture = find_picture(boards, facts[i]);
    if (!picture || !picture->drawn) vector_push(&rest, facts[i]);
  }
  if (rest.count) term_sort(boards->terms, rest.data, rest.count);
  for (uint32_t i = 0; i < rest.count; i++) {
    text_add(text, i ? " " : "  ");
    term_write(boards->terms, rest.data[i], text);
  }
  if (rest.count) text_add_byte(text, '\n');
  vector_free(&rest);
}

void boards_draw(Boards *boards, const BoardsStyle *style, const Term *facts,
                 uint32_t count, const Term *before, uint32_t before_count,
                 Text *text) {
  (void)style, (void)before, (void)before_count;
  learn(boards, facts, count);
  for (uint32_t i = 0; i < boards->list.count; i++) {
    Picture *picture = &boards->list.data[i];
    picture->drawn = draw_picture(boards->terms, picture, facts, count, text);
  }
  write_rest(boards, facts, count, text);
}
