/* A file is read straight into a comparison and a survey; the verdicts follow
   from its figures. Writing gives the same bytes for the same figures: a line
   for each cell, so that changes can be read. */
#include "lab/digest.h"

#include <math.h>

#include "io/json.h"

typedef struct Reader {
  Comparison *comparison;
  Survey *survey;
  const char *path;
  const json_t *root;
  Text *error;
} Reader;

static const double most_value = 1e15, most_goal = 100;

static const char *const top_keys[] = {"versions", "last",    "rows",
                                       "columns",  "figures", NULL};
static const char *const cell_keys[] = {
    "value", "interval", "deviation", "games", "errors", "cut", NULL};

void digest_path(const char *table, Text *path) {
  const char *slash = strrchr(table, '/'), *name = slash ? slash + 1 : table;
  text_add_bytes(path, table, (size_t)(name - table));
  text_format(path, "figures/%s", name);
}

/* ---- errors ---- */

/* Where a value is: a key of the file, or one of a cell. */
typedef struct Spot {
  const json_t *object;
  bool cell;
  uint32_t row, column;
} Spot;

/* Begins an error, "figures/x.json: figures[1][0].games: "; the rest is to be
   added. */
static Text *at(const Reader *reader, const Spot *spot, const char *key) {
  text_format(reader->error, "%s: ", reader->path);
  if (spot->cell)
    text_format(reader->error, "figures[%u][%u]%s", spot->row, spot->column,
                *key ? "." : ": ");
  if (*key) text_format(reader->error, "%s: ", key);
  return reader->error;
}

static bool refuse(const Reader *reader, const Spot *spot, const char *key,
                   const char *why) {
  text_add(at(reader, spot, key), why);
  return false;
}

static bool check_keys(const Reader *reader, const Spot *spot,
                       const char *const *known) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)spot->object, key, value) {
    uint32_t i = 0;
    while (known[i] && strcmp(known[i], key) != 0) i++;
    if (known[i]) continue;
    text_format(at(reader, spot, ""), "unknown key '%s'", key);
    return false;
  }
  return true;
}

/* ---- who played, and what ---- */

static bool read_versions(const Reader *reader, const Spot *top) {
  json_t *versions = json_object_get(top->object, "versions"), *games;
  size_t count = json_object_size(versions);
  const char *name;
  if (!count || count > DIGEST_VERSIONS) {
    text_format(at(reader, top, "versions"),
                "expected an object of 1 to %d numbers", DIGEST_VERSIONS);
    return false;
  }
  json_object_foreach(versions, name, games) {
    SurveyVersion version = {.games = (uint64_t)json_integer_value(games)};
    if (!*name || json_integer_value(games) < 1 ||
        json_integer_value(games) > DIGEST_GAMES) {
      text_format(at(reader, top, "versions"),
                  "expected names with numbers from 1 to %d", DIGEST_GAMES);
      return false;
    }
    text_add(&version.name, name);
    vector_push(&reader->survey->versions, version);
    reader->survey->games += version.games;
  }
  return true;
}

static bool is_date(const char *text) {
  static const char form[] = "dddd-dd-dd";
  if (strlen(text) != strlen(form)) return false;
  for (size_t i = 0; form[i]; i++)
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
      return false;
  return true;
}

static bool read_date(const Reader *reader, const Spot *top) {
  const char *last = json_string_value(json_object_get(top->object, "last"));
  if (!last || !is_date(last))
    return refuse(reader, top, "last",
                  "expected a date such as \"2026-11-16\"");
  text_add(&reader->survey->last, last);
  return true;
}

static const char *name_of(const Table *table, bool column, uint32_t number) {
  return text_string(column ? &table->columns.data[number].name
                            : &table->rows.data[number]);
}

static uint32_t count_names(const Table *table, bool column) {
  return column ? table->columns.count : table->rows.count;
}

static bool check_names(const Reader *reader, const Spot *top, bool column) {
  const char *key = column ? "columns" : "rows";
  const Table *table = reader->comparison->table;
  const json_t *list = json_object_get(top->object, key);
  bool fine = json_array_size(list) == count_names(table, column);
  for (uint32_t i = 0; fine && i < count_names(table, column); i++) {
    const char *name = json_string_value(json_array_get(list, i));
    fine = name && !strcmp(name, name_of(table, column, i));
  }
  return fine || refuse(reader, top, key, "expected the names of the table");
}

/* ---- cells ---- */

/* Reads a number from 0 on; NAN if it is missing. */
static bool read_real(const Reader *reader, const Spot *spot, const char *key,
                      double most, double *number) {
  const json_t *value = json_object_get(spot->object, key);
  *number = value ? json_number_value(value) : (double)NAN;
  if (!value || (json_is_number(value) && *number >= 0 && *number <= most))
    return true;
  text_format(at(reader, spot, key), "expected a number from 0 to %g", most);
  return false;
}

/* Reads a whole number; 0 if it is missing. */
static bool read_count(const Reader *reader, const Spot *spot, const char *key,
                       uint32_t *number) {
  const json_t *value = json_object_get(spot->object, key);
  json_int_t count = json_integer_value(value);
  *number = 0;
  if (value && (!json_is_integer(value) || count < 1 || count > DIGEST_GAMES)) {
    text_format(at(reader, spot, key), "expected a whole number from 1 to %d",
                DIGEST_GAMES);
    return false;
  }
  *number = (uint32_t)count;
  return true;
}

static bool check_cell(const Reader *reader, const Spot *spot,
                       const ComparisonCell *cell) {
  const Table *table = reader->comparison->table;
  if (!table_cell(table, spot->row, spot->column)->there)
    return refuse(reader, spot, "", "the paper has no figure here");
  if (isnan(cell->ours.value))
    return refuse(reader, spot, "value", "expected a number");
  if (!cell->figure.games)
    return refuse(reader, spot, "games", "expected a number");
  return cell->figure.cut <= cell->figure.games ||
         refuse(reader, spot, "cut", "more than there are games");
}

static bool read_cell(const Reader *reader, const Spot *spot) {
  Comparison *comparison = reader->comparison;
  bool speed = comparison->table->measure == MEASURE_SPEED;
  uint32_t columns = comparison->table->columns.count;
  ComparisonCell *cell = &comparison->cells[spot->row * columns + spot->column];
  Figure *figure = &cell->figure;
  if (json_is_null(spot->object)) return true;
  if (!json_is_object(spot->object))
    return refuse(reader, spot, "", "expected an object or null");
  if (!check_keys(reader, spot, cell_keys) ||
      !read_real(reader, spot, "value", speed ? most_value : most_goal,
                 &cell->ours.value) ||
      !read_real(reader, spot, "interval", most_value, &cell->ours.half) ||
      !read_real(reader, spot, "deviation", most_value, &figure->spread) ||
      !read_count(reader, spot, "games", &figure->games) ||
      !read_count(reader, spot, "errors", &figure->errors) ||
      !read_count(reader, spot, "cut", &figure->cut) ||
      !check_cell(reader, spot, cell))
    return false;
  figure->value = cell->ours.value;
  figure->interval = figure_interval(figure->spread, figure->games);
  return true;
}

static bool check_sizes(const Reader *reader, const Spot *top) {
  const Table *table = reader->comparison->table;
  const json_t *figures = json_object_get(top->object, "figures");
  bool fine = json_array_size(figures) == table->rows.count;
  for (uint32_t row = 0; fine && row < table->rows.count; row++)
    fine =
        json_array_size(json_array_get(figures, row)) == table->columns.count;
  if (!fine)
    text_format(at(reader, top, "figures"),
                "expected a list of %u lists of %u figures", table->rows.count,
                table->columns.count);
  return fine;
}

static bool read_cells(const Reader *reader, const Spot *top) {
  const Table *table = reader->comparison->table;
  const json_t *figures = json_object_get(top->object, "figures");
  if (!check_sizes(reader, top)) return false;
  for (uint32_t row = 0; row < table->rows.count; row++)
    for (uint32_t column = 0; column < table->columns.count; column++) {
      Spot spot = {json_array_get(json_array_get(figures, row), column), true,
                   row, column};
      if (!read_cell(reader, &spot)) return false;
    }
  return true;
}

/* ---- the whole ---- */

static bool read_all(const Reader *reader) {
  Spot top = {.object = reader->root};
  if (!json_is_object(reader->root))
    return refuse(reader, &top, "", "expected an object");
  if (!check_keys(reader, &top, top_keys) || !read_versions(reader, &top) ||
      !read_date(reader, &top) || !check_names(reader, &top, false) ||
      !check_names(reader, &top, true) || !read_cells(reader, &top))
    return false;
  comparison_judge(reader->comparison);
  return reader->comparison->played ||
         refuse(reader, &top, "figures", "none of them was played");
}

bool digest_parse(Comparison *comparison, Survey *survey, const Table *table,
                  const char *path, const char *text, size_t length,
                  Text *error) {
  json_error_t wrong;
  json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong);
  Reader reader = {comparison, survey, path, root, error};
  if (!root) {
    text_format(error, "%s:%d:%d: %s", path, wrong.line, wrong.column,
                wrong.text);
    return false;
  }
  *survey = (Survey){0};
  comparison_init(comparison, table);
  bool fine = read_all(&reader);
  if (!fine) {
    comparison_free(comparison);
    survey_free(survey);
  }
  json_decref(root);
  return fine;
}

bool digest_read(Comparison *comparison, Survey *survey, const Table *table,
                 const char *path, Text *error) {
  Text text = {0}, why = {0};
  bool fine = text_read_file(&text, path, TABLE_BYTES, &why);
  if (fine)
    fine = digest_parse(comparison, survey, table, path, text_string(&text),
                        text.length, error);
  else
    text_format(error, "%s: %s", path, text_string(&why));
  text_free(&text);
  text_free(&why);
  return fine;
}

/* ---- writing ---- */

enum { DIGITS = 9 };

static void set_real(json_t *object, const char *key, double value) {
  if (isfinite(value)) json_object_set_new(object, key, json_real(value));
}

static void set_count(json_t *object, const char *key, uint32_t value) {
  if (value) json_object_set_new(object, key, json_integer(value));
}

static json_t *write_cell(const ComparisonCell *cell) {
  if (!cell->figure.games) return json_null();
  json_t *object = json_object();
  set_real(object, "value", cell->ours.value);
  set_real(object, "interval", cell->ours.half);
  set_real(object, "deviation", cell->figure.spread);
  set_count(object, "games", cell->figure.games);
  set_count(object, "errors", cell->figure.errors);
  set_count(object, "cut", cell->figure.cut);
  return object;
}

static json_t *write_names(const Table *table, bool column) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < count_names(table, column); i++)
    json_array_append_new(list, json_string(name_of(table, column, i)));
  return list;
}

static json_t *write_versions(const Survey *survey) {
  json_t *object = json_object();
  for (uint32_t i = 0; i < survey->versions.count; i++) {
    const SurveyVersion *version = &survey->versions.data[i];
    json_object_set_new(object, text_string(&version->name),
                        json_integer((json_int_t)version->games));
  }
  return object;
}

/* Appends a line, and takes the value. */
static void add_line(Text *text, const char *before, json_t *value,
                     const char *after) {
  text_add(text, before);
  json_add_text(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS), text);
  text_format(text, "%s\n", after);
  json_decref(value);
}

void digest_write(const Comparison *comparison, const Survey *survey,
                  Text *text) {
  const Table *table = comparison->table;
  const char *last = text_string(&survey->last);
  uint32_t rows = table->rows.count, columns = table->columns.count;
  text_add(text, "{\n");
  add_line(text, " \"versions\": ", write_versions(survey), ",");
  add_line(text, " \"last\": ", json_stringn(last, strcspn(last, "T")), ",");
  add_line(text, " \"rows\": ", write_names(table, false), ",");
  add_line(text, " \"columns\": ", write_names(table, true), ",");
  text_add(text, " \"figures\": [\n");
  for (uint32_t row = 0; row < rows; row++) {
    text_add(text, "  [\n");
    for (uint32_t column = 0; column < columns; column++)
      add_line(text, "   ",
               write_cell(comparison_cell(comparison, row, column)),
               column + 1 < columns ? "," : "");
    text_add(text, row + 1 < rows ? "  ],\n" : "  ]\n");
  }
  text_add(text, " ]\n}\n");
}
