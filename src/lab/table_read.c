/* Reading goes from the outside in: the file, the table's own keys, each row
   and each column by itself, so that errors have their place; then the cells
   (table_cells.c). */
#include <math.h>
#include <string.h>

#include "lab/table_parts.h"

/* What a key stands in: the table, a row or a column. */
typedef struct Part {
  json_t *object;           /* borrowed */
  const char *list;         /* "rows" or "columns"; NULL: the table */
  uint32_t number;          /* in the list */
  const char *const *known; /* keys besides those of a series; ends with NULL */
} Part;

typedef struct Reader {
  Table *table;
  const char *path;
  Text *error;
  Part top;
} Reader;

static const double most_rate = 1e12;

static const char *const top_keys[] = {
    "title",        "source",  "measure", "notes", "rows",
    "columns",      "figures", "means",   "with",  "rate",
    "mean_figures", "chart",   "x_title", "pool",  "interval",
    "explain",      NULL};
static const char *const row_keys[] = {"name", "with", "rate", "found", NULL};
static const char *const column_keys[] = {"name", "with", "rate", "x", NULL};

/* Begins an error, "tables/x.json: rows[3].play: "; the rest is to be added. */
static Text *at(const Reader *reader, const Part *part, const char *key) {
  text_format(reader->error, "%s: ", reader->path);
  if (part->list)
    text_format(reader->error, "%s[%u]%s", part->list, part->number,
                *key ? "." : ": ");
  if (*key) text_format(reader->error, "%s: ", key);
  return reader->error;
}

static bool refuse(const Reader *reader, const Part *part, const char *key,
                   const char *why) {
  text_add(at(reader, part, key), why);
  return false;
}

/* ---- values ---- */

static bool read_text(const Reader *reader, const Part *part, const char *key,
                      Text *text) {
  const json_t *value = json_object_get(part->object, key);
  if (!json_is_string(value) || !json_string_length(value))
    return refuse(reader, part, key, "expected a text that is not empty");
  text_add(text, json_string_value(value));
  return true;
}

/* A list of texts that may be missing, but is not empty. */
static bool read_texts(const Reader *reader, const char *key,
                       TextVector *list) {
  const json_t *value = json_object_get(reader->top.object, key);
  bool fine = !value || (json_is_array(value) && json_array_size(value));
  for (size_t i = 0; fine && i < json_array_size(value); i++) {
    const json_t *item = json_array_get(value, i);
    Text text = {0};
    fine = json_is_string(item) && json_string_length(item);
    if (!fine) break;
    text_add(&text, json_string_value(item));
    vector_push(list, text);
  }
  return fine || refuse(reader, &reader->top, key,
                        "expected a list of texts that are "
                        "not empty");
}

static bool read_measure(const Reader *reader) {
  const char *name =
      json_string_value(json_object_get(reader->top.object, "measure"));
  for (TableMeasure measure = MEASURE_WIN; name && measure <= MEASURE_FOUND;
       measure++) {
    if (strcmp(name, table_measure_name(measure)) != 0) continue;
    reader->table->measure = measure;
    return true;
  }
  return refuse(reader, &reader->top, "measure",
                "expected \"win\", \"goal\", \"speed\" or \"found\"");
}

static bool read_chart(const Reader *reader) {
  const json_t *chart = json_object_get(reader->top.object, "chart");
  const char *name = json_string_value(chart);
  if (chart && (!name || (strcmp(name, "forest") && strcmp(name, "plot") &&
                          strcmp(name, "heat"))))
    return refuse(reader, &reader->top, "chart",
                  "expected \"forest\", \"plot\" or \"heat\"");
  if (name) text_add(&reader->table->chart, name);
  return !json_object_get(reader->top.object, "x_title") ||
         read_text(reader, &reader->top, "x_title", &reader->table->x_title);
}

static bool read_means(const Reader *reader) {
  const json_t *means = json_object_get(reader->top.object, "means");
  if (means && !json_is_boolean(means))
    return refuse(reader, &reader->top, "means", "expected true or false");
  reader->table->means = json_is_true(means);
  if (json_object_get(reader->top.object, "mean_figures") &&
      !reader->table->means)
    return refuse(reader, &reader->top, "mean_figures",
                  "there are no means without \"means\": true");
  return true;
}

/* ---- keys that the table, its rows and its columns have in common ---- */

static bool is_known(const Part *part, const char *key) {
  for (const char *const *known = part->known; *known; known++)
    if (strcmp(*known, key) == 0) return true;
  return series_has_key(key);
}

static bool check_keys(const Reader *reader, const Part *part) {
  const char *key;
  json_t *value;
  json_object_foreach(part->object, key, value) {
    if (is_known(part, key)) continue;
    text_format(at(reader, part, ""), "unknown key '%s'", key);
    return false;
  }
  return true;
}

static bool check_with(const Reader *reader, const Part *part) {
  const json_t *with = json_object_get(part->object, "with");
  const char *name;
  json_t *value;
  bool fine = !with || json_is_object(with);
  json_object_foreach((json_t *)with, name, value) fine &=
      json_is_string(value);
  return fine || refuse(reader, part, "with", "expected an object of texts");
}

static bool check_rate(const Reader *reader, const Part *part) {
  const json_t *rate = json_object_get(part->object, "rate");
  double number = json_number_value(rate);
  if (!rate || (json_is_number(rate) && number > 0 && number <= most_rate))
    return true;
  text_format(at(reader, part, "rate"),
              "expected a number above 0, of at most %g", most_rate);
  return false;
}

static bool has_placeholders(const json_t *players) {
  for (size_t i = 0; i < json_array_size(players); i++) {
    const char *player = json_string_value(json_array_get(players, i));
    if (player && strchr(player, '{')) return true;
  }
  return false;
}

/* Agents with placeholders are read with the cells. */
static bool check_series(const Reader *reader, const Part *part) {
  Series series;
  Text why = {0};
  json_t *copy = json_copy(part->object);
  if (has_placeholders(json_object_get(copy, "players")))
    json_object_del(copy, "players");
  series_init(&series);
  bool fine = series_read(&series, copy, &why);
  if (!fine) {
    at(reader, part, "");
    if (part->list) reader->error->length -= strlen(": "); /* rows[3].play */
    text_format(reader->error, "%s%s", part->list ? "." : "",
                text_string(&why));
  }
  series_free(&series);
  json_decref(copy);
  text_free(&why);
  return fine;
}

static bool check_part(const Reader *reader, const Part *part) {
  return check_keys(reader, part) && check_with(reader, part) &&
         check_rate(reader, part) && check_series(reader, part);
}

/* ---- rows and columns ---- */

static Part get_part(const Reader *reader, const char *list, uint32_t number) {
  return (Part){.object = json_array_get(
                    json_object_get(reader->top.object, list), number),
                .list = list,
                .number = number,
                .known = strcmp(list, "rows") == 0 ? row_keys : column_keys};
}

static uint32_t list_size(const Reader *reader, const char *list) {
  return (uint32_t)json_array_size(json_object_get(reader->top.object, list));
}

static bool check_list(const Reader *reader, const char *list) {
  const json_t *value = json_object_get(reader->top.object, list);
  size_t count = json_array_size(value);
  bool fine = json_is_array(value) && count && count <= TABLE_CELLS;
  if (!fine)
    text_format(at(reader, &reader->top, list),
                "expected a list of 1 to %d objects", TABLE_CELLS);
  for (uint32_t i = 0; fine && i < count; i++) {
    Part part = get_part(reader, list, i);
    fine = (json_is_object(part.object) ||
            refuse(reader, &part, "", "expected an object")) &&
           check_part(reader, &part);
  }
  return fine;
}

static bool read_row(const Reader *reader, uint32_t number) {
  Part part = get_part(reader, "rows", number);
  Table *table = reader->table;
  Text name = {0}, found = {0};
  bool fine = read_text(reader, &part, "name", &name);
  vector_push(&table->rows, name);
  if (!fine) return false;
  if (table->measure != MEASURE_FOUND)
    return !json_object_get(part.object, "found") ||
           refuse(reader, &part, "found", "the measure is another one");
  fine = read_text(reader, &part, "found", &found);
  vector_push(&table->found, found);
  return fine;
}

static bool read_mean(const Reader *reader, uint32_t number, double *mean) {
  const json_t *list = json_object_get(reader->top.object, "mean_figures");
  const json_t *value = json_array_get(list, number);
  if (!list || json_is_null(value)) return true;
  if (!json_is_number(value) ||
      json_array_size(list) != list_size(reader, "columns"))
    return refuse(reader, &reader->top, "mean_figures",
                  "expected a number or null for each column");
  *mean = json_number_value(value);
  return true;
}

static bool read_column(const Reader *reader, uint32_t number) {
  Part part = get_part(reader, "columns", number);
  Table *table = reader->table;
  TableColumn column = {.x = NAN, .mean = NAN};
  const json_t *x = json_object_get(part.object, "x");
  bool plot = strcmp(text_string(&table->chart), "plot") == 0;
  bool fine = read_text(reader, &part, "name", &column.name) &&
              read_mean(reader, number, &column.mean);
  if (x) column.x = json_number_value(x);
  vector_push(&table->columns, column);
  if (!fine) return false;
  return (x ? json_is_number(x) : !plot) ||
         refuse(reader, &part, "x", "expected a number");
}

static bool read_lists(const Reader *reader) {
  uint32_t rows = list_size(reader, "rows");
  uint32_t columns = list_size(reader, "columns");
  if ((uint64_t)rows * columns > TABLE_CELLS) {
    text_format(at(reader, &reader->top, "rows"),
                "more than %d cells in the table", TABLE_CELLS);
    return false;
  }
  for (uint32_t i = 0; i < rows; i++)
    if (!read_row(reader, i)) return false;
  for (uint32_t i = 0; i < columns; i++)
    if (!read_column(reader, i)) return false;
  return true;
}

/* ---- explanations ---- */

/* Returns true if there is such a cell, row or column. */
static bool is_place(const Table *table, const char *of) {
  for (uint32_t i = 0; i < table->columns.count; i++) {
    const char *column = text_string(&table->columns.data[i].name);
    if (!strcmp(of, "*") || !strcmp(of, column)) return true;
    for (uint32_t j = 0; j < table->rows.count; j++) {
      const char *row = text_string(&table->rows.data[j]);
      size_t length = strlen(row);
      if (strncmp(of, row, length)) continue;
      if (!of[length]) return true;
      if (!strncmp(of + length, " / ", 3) && !strcmp(of + length + 3, column))
        return true;
    }
  }
  return false;
}

static bool read_explanations(const Reader *reader) {
  json_t *all = json_object_get(reader->top.object, "explain"), *value;
  const char *of;
  if (all && !json_is_object(all))
    return refuse(reader, &reader->top, "explain",
                  "expected an object of texts");
  json_object_foreach(all, of, value) {
    TableExplanation explanation = {0};
    if (!json_is_string(value) || !json_string_length(value))
      return refuse(reader, &reader->top, "explain",
                    "expected an object of texts that are not empty");
    if (!is_place(reader->table, of)) {
      text_format(at(reader, &reader->top, "explain"),
                  "there is no row, column or cell '%s'", of);
      return false;
    }
    text_add(&explanation.of, of);
    text_add(&explanation.text, json_string_value(value));
    vector_push(&reader->table->explanations, explanation);
  }
  return true;
}

static bool read_interval(const Reader *reader) {
  const json_t *interval = json_object_get(reader->top.object, "interval");
  reader->table->interval = interval ? json_number_value(interval) : NAN;
  return !interval ||
         (json_is_number(interval) && json_number_value(interval) >= 0) ||
         refuse(reader, &reader->top, "interval",
                "expected a number that is not negative");
}

/* ---- the whole ---- */

/* The file's name without directories and without .json. */
static void set_id(Table *table, const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = strlen(name);
  if (length > 5 && strcmp(name + length - 5, ".json") == 0) length -= 5;
  text_add_bytes(&table->id, name, length);
}

static bool read_table(const Reader *reader) {
  Table *table = reader->table;
  const Part *top = &reader->top;
  return check_part(reader, top) &&
         read_text(reader, top, "title", &table->title) &&
         read_text(reader, top, "source", &table->source) &&
         read_measure(reader) && read_texts(reader, "notes", &table->notes) &&
         read_texts(reader, "pool", &table->pool) && read_chart(reader) &&
         read_means(reader) && check_list(reader, "rows") &&
         check_list(reader, "columns") && read_lists(reader) &&
         read_interval(reader) && read_explanations(reader) &&
         table_read_cells(table, top->object, reader->path, reader->error);
}

bool table_parse(Table *table, const char *path, const char *text,
                 size_t length, Text *error) {
  json_error_t wrong;
  json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
  Reader reader = {.table = table,
                   .path = path,
                   .error = error,
                   .top = {.object = root, .known = top_keys}};
  *table = (Table){0};
  if (!root) {
    text_format(error, "%s:%d:%d: %s", path, wrong.line, wrong.column,
                wrong.text);
    return false;
  }
  set_id(table, path);
  bool fine = (json_is_object(root) ||
               refuse(&reader, &reader.top, "", "expected an object")) &&
              read_table(&reader);
  if (!fine) table_free(table);
  json_decref(root);
  return fine;
}

bool table_read(Table *table, const char *path, Text *error) {
  Text text = {0}, why = {0};
  bool fine = text_read_file(&text, path, TABLE_BYTES, &why);
  if (fine)
    fine = table_parse(table, path, text_string(&text), text.length, error);
  else
    text_format(error, "%s: %s", path, text_string(&why));
  text_free(&text);
  text_free(&why);
  return fine;
}
