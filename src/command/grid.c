/* Widths are counted in characters, not bytes; those that occur here are as
   wide as a letter. */
#include "command/grid.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void grid_init(Grid *grid, uint32_t columns, uint64_t left) {
  *grid = (Grid){.columns = columns, .left = left};
}

void grid_free(Grid *grid) {
  text_vector_free(&grid->cells);
}

Text *grid_cell(Grid *grid) {
  vector_push(&grid->cells, (Text){0});
  return &vector_last(&grid->cells);
}

void grid_add(Grid *grid, const char *text) {
  text_add(grid_cell(grid), text);
}

void grid_count(Grid *grid, uint64_t number) {
  text_format(grid_cell(grid), "%" PRIu64, number);
}

void grid_real(Grid *grid, int decimals, double value) {
  Text *cell = grid_cell(grid);
  if (isfinite(value)) text_format(cell, "%.*f", decimals, value);
}

void grid_head(Grid *grid, const char *names) {
  for (size_t length; *names; names += length + (names[length] == '|')) {
    length = strcspn(names, "|");
    text_add_bytes(grid_cell(grid), names, length);
  }
}

/* ---- writing ---- */

static bool is_left(const Grid *grid, uint32_t column) {
  return column < 64 && grid->left >> column & 1;
}

static uint32_t width_of(const char *text) {
  uint32_t width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static uint32_t *find_widths(const Grid *grid) {
  uint32_t *widths = memory_new((grid->columns + 1) * sizeof *widths);
  for (uint32_t i = 0; i < grid->cells.count; i++) {
    uint32_t width = width_of(text_string(&grid->cells.data[i]));
    if (width > widths[i % grid->columns]) widths[i % grid->columns] = width;
  }
  return widths;
}

static void add_blanks(Text *text, uint32_t count) {
  while (count--) text_add_byte(text, ' ');
}

/* In Markdown a bar would end the cell. */
static void add_escaped(Text *text, const char *cell, bool markdown) {
  for (; *cell; cell++) {
    if (markdown && *cell == '|') text_add_byte(text, '\\');
    text_add_byte(text, *cell);
  }
}

static void write_cell(const Grid *grid, uint32_t i, uint32_t width,
                       bool markdown, Text *text) {
  const char *cell = text_string(&grid->cells.data[i]);
  uint32_t column = i % grid->columns, own = width_of(cell);
  bool last = column + 1 == grid->columns, left = is_left(grid, column);
  text_add(text, markdown ? "| " : "  ");
  if (!left) add_blanks(text, width - own);
  add_escaped(text, cell, markdown);
  if (left && (markdown || !last)) add_blanks(text, width - own);
  if (markdown) text_add(text, last ? " |" : " ");
  if (last) text_add_byte(text, '\n');
}

static void write_rule(const Grid *grid, Text *text) {
  for (uint32_t column = 0; column < grid->columns; column++)
    text_add(text, is_left(grid, column) ? "|---" : "|--:");
  text_add(text, "|\n");
}

static void write_quoted(const char *cell, Text *text) {
  bool plain = !strpbrk(cell, ",\"\r\n");
  if (plain) {
    text_add(text, cell);
    return;
  }
  text_add_byte(text, '"');
  for (; *cell; cell++) {
    if (*cell == '"') text_add_byte(text, '"');
    text_add_byte(text, *cell);
  }
  text_add_byte(text, '"');
}

static void write_csv(const Grid *grid, Text *text) {
  for (uint32_t i = 0; i < grid->cells.count; i++) {
    write_quoted(text_string(&grid->cells.data[i]), text);
    text_add_byte(text, (i + 1) % grid->columns ? ',' : '\n');
  }
}

void grid_write(const Grid *grid, GridForm form, Text *text) {
  bool markdown = form == GRID_MARKDOWN;
  if (form == GRID_CSV) {
    write_csv(grid, text);
    return;
  }
  uint32_t *widths = find_widths(grid);
  for (uint32_t i = 0; i < grid->cells.count; i++) {
    if (markdown && i == grid->columns) write_rule(grid, text);
    write_cell(grid, i, widths[i % grid->columns], markdown, text);
  }
  memory_delete(widths);
}
