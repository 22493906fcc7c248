/* A cell's series is read from one object that has the keys of the table, the
   row and the column, in which agents are complete; its budget is in units
   once the rate is applied. */
#include <math.h>
#include <string.h>

#include "lab/table_parts.h"

enum { PLACES = 3 }; /* table, row and column; later ones win */

typedef struct Reader {
  Table *table;
  json_t *root; /* borrowed, as are the others */
  const char *path;
  Text *error;
  uint32_t row, column;   /* of the cell at hand */
  json_t *places[PLACES]; /* its keys */
} Reader;

/* Begins an error of a cell; the rest is to be added. */
static Text *at_cell(const Reader *reader) {
  text_format(reader->error, "%s: rows[%u] with columns[%u]: ", reader->path,
              reader->row, reader->column);
  return reader->error;
}

/* Returns what a key is in this cell, or NULL. */
static json_t *look_up(const Reader *reader, const char *key) {
  for (int i = PLACES; i-- > 0;) {
    json_t *value = json_object_get(reader->places[i], key);
    if (value) return value;
  }
  return NULL;
}

/* Returns what {name} stands for, or NULL. */
static const char *placeholder(const Reader *reader, const char *name) {
  for (int i = PLACES; i-- > 0;) {
    const json_t *with = json_object_get(reader->places[i], "with");
    const json_t *value = json_object_get(with, name);
    if (value) return json_string_value(value);
  }
  return NULL;
}

/* Appends an agent with its placeholders replaced. */
static bool fill_in(const Reader *reader, const char *player, Text *text) {
  for (const char *rest = player;;) {
    size_t length = strcspn(rest, "{");
    text_add_bytes(text, rest, length);
    if (!rest[length]) return true;
    Text name = {0};
    const char *start = rest + length + 1, *end = strchr(start, '}');
    if (end) text_add_bytes(&name, start, (size_t)(end - start));
    const char *value = end ? placeholder(reader, text_string(&name)) : NULL;
    text_free(&name);
    if (!value) {
      text_format(at_cell(reader), "nothing is given for {%.*s in '%s'",
                  (int)(strcspn(start, "}") + (end != NULL)), start, player);
      return false;
    }
    text_add(text, value);
    rest = end + 1;
  }
}

static bool set_players(const Reader *reader, json_t *object) {
  const json_t *players = look_up(reader, "players");
  json_t *list = json_array();
  bool fine = players != NULL;
  if (!fine) text_add(at_cell(reader), "no players");
  for (size_t i = 0; fine && i < json_array_size(players); i++) {
    json_t *player = json_array_get(players, i);
    Text text = {0};
    if (json_is_string(player)) {
      fine = fill_in(reader, json_string_value(player), &text);
      json_array_append_new(list, json_string(text_string(&text)));
    } else {
      json_array_append(list, player); /* series_read says what is wrong */
    }
    text_free(&text);
  }
  json_object_set_new(object, "players", list);
  return fine;
}

static bool set_game(const Reader *reader, json_t *object) {
  const TextVector *pool = &reader->table->pool;
  if (pool->count == 0 && !look_up(reader, "game")) {
    text_add(at_cell(reader), "no game");
    return false;
  }
  if (pool->count && look_up(reader, "game")) {
    text_add(at_cell(reader), "a game, and a pool of games");
    return false;
  }
  if (pool->count)
    json_object_set_new(object, "game",
                        json_string(text_string(&pool->data[0])));
  return true;
}

/* From the paper's seconds to units. */
static bool apply_rate(const Reader *reader, Series *series) {
  const json_t *value = look_up(reader, "rate");
  if (!value) return true;
  double rate = json_number_value(value);
  if (series->unit == UNIT_SECONDS) {
    text_add(at_cell(reader), "a rate is for budgets in simulations or states");
    return false;
  }
  series->play = fmax(1, round(series->play * rate));
  series->start = round(series->start * rate);
  if (fmax(series->play, series->start) <= SERIES_MOST_BUDGET) return true;
  text_format(at_cell(reader), "a budget of more than %g", SERIES_MOST_BUDGET);
  return false;
}

static bool read_series(const Reader *reader, Series *series) {
  Text why = {0};
  json_t *object = json_object();
  for (int i = 0; i < PLACES; i++)
    json_object_update(object, reader->places[i]);
  bool fine = set_players(reader, object) && set_game(reader, object);
  if (fine && !series_read(series, object, &why)) {
    text_add(at_cell(reader), text_string(&why));
    fine = false;
  }
  text_free(&why);
  json_decref(object);
  return fine && apply_rate(reader, series);
}

/* Reads a figure, or a figure and its interval. */
static bool read_figure(const Reader *reader, const json_t *value,
                        TableCell *to) {
  const json_t *figure = value, *interval = NULL;
  to->there = !json_is_null(value);
  if (json_is_array(value) && json_array_size(value) == 2) {
    figure = json_array_get(value, 0);
    interval = json_array_get(value, 1);
  }
  to->figure = to->there ? json_number_value(figure) : NAN;
  to->interval = interval ? json_number_value(interval) : NAN;
  if (!to->there || (json_is_number(figure) &&
                     (!interval || (json_is_number(interval) &&
                                    json_number_value(interval) >= 0))))
    return true;
  text_format(reader->error,
              "%s: figures[%u][%u]: expected null, a number, or a number and "
              "half its interval",
              reader->path, reader->row, reader->column);
  return false;
}

static bool check_figures(const Reader *reader) {
  const json_t *figures = json_object_get(reader->root, "figures");
  uint32_t rows = reader->table->rows.count;
  uint32_t columns = reader->table->columns.count;
  bool fine = json_is_array(figures) && json_array_size(figures) == rows;
  for (uint32_t row = 0; fine && row < rows; row++) {
    const json_t *line = json_array_get(figures, row);
    fine = json_is_array(line) && json_array_size(line) == columns;
  }
  if (!fine)
    text_format(reader->error,
                "%s: figures: expected a list of %u lists of %u figures",
                reader->path, rows, columns);
  return fine;
}

static json_t *get(const Reader *reader, const char *list, uint32_t number) {
  return json_array_get(json_object_get(reader->root, list), number);
}

static bool read_cell(Reader *reader, uint32_t row, uint32_t column) {
  TableCell *cell = table_cell(reader->table, row, column);
  const json_t *figure = json_array_get(get(reader, "figures", row), column);
  reader->row = row;
  reader->column = column;
  reader->places[0] = reader->root;
  reader->places[1] = get(reader, "rows", row);
  reader->places[2] = get(reader, "columns", column);
  return read_figure(reader, figure, cell) &&
         (!cell->there || read_series(reader, &cell->series));
}

bool table_read_cells(Table *table, json_t *root, const char *path,
                      Text *error) {
  Reader reader = {.table = table, .root = root, .path = path, .error = error};
  uint32_t rows = table->rows.count, columns = table->columns.count;
  if (!check_figures(&reader)) return false;
  table->cells = memory_new((size_t)rows * columns * sizeof *table->cells);
  for (uint32_t i = 0; i < rows * columns; i++)
    series_init(&table->cells[i].series);
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t column = 0; column < columns; column++)
      if (!read_cell(&reader, row, column)) return false;
  return true;
}
