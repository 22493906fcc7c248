/* What a cell was played with, and what cells of a table have in common. */
#include "lab/review_terms.h"

#include "lab/markdown.h"

/* ---- what cells have in common ---- */

bool review_terms_same(const Table *table, TermsDescribe *describe,
                       const TableCell *a, const TableCell *b) {
  Text one = {0}, other = {0};
  if (!a->there || !b->there) return true;
  describe(table, a, &one);
  describe(table, b, &other);
  bool equal = !strcmp(text_string(&one), text_string(&other));
  text_free(&one);
  text_free(&other);
  return equal;
}

/* Returns the first cell of a row or column that is there, else the first. */
const TableCell *review_terms_of_column(const Table *table, uint32_t column) {
  for (uint32_t row = 0; row < table->rows.count; row++)
    if (table_cell(table, row, column)->there)
      return table_cell(table, row, column);
  return table_cell(table, 0, column);
}

const TableCell *review_terms_of_row(const Table *table, uint32_t row) {
  for (uint32_t column = 0; column < table->columns.count; column++)
    if (table_cell(table, row, column)->there)
      return table_cell(table, row, column);
  return table_cell(table, row, 0);
}

TermsSpread review_terms_spread(const Table *table, TermsDescribe *describe) {
  bool by_column = true, by_row = true;
  for (uint32_t row = 0; row < table->rows.count; row++)
    for (uint32_t column = 0; column < table->columns.count; column++) {
      const TableCell *cell = table_cell(table, row, column);
      by_column &= review_terms_same(table, describe, cell,
                                     review_terms_of_column(table, column));
      by_row &= review_terms_same(table, describe, cell,
                                  review_terms_of_row(table, row));
    }
  return by_column && by_row ? TERMS_SAME
         : by_column         ? TERMS_COLUMNS
         : by_row            ? TERMS_ROWS
                             : TERMS_CELLS;
}

/* ---- conditions ---- */

static void add_units(Text *text, const Series *series, double amount) {
  if (series->unit == UNIT_SECONDS)
    text_format(text, "%g", amount);
  else
    markdown_count(text, amount);
}

void review_terms_budget(const Table *table, const TableCell *cell,
                         Text *text) {
  const Series *series = &cell->series;
  (void)table;
  if (series->start != series->play) {
    add_units(text, series, series->start);
    text_add(text, " + ");
  }
  add_units(text, series, series->play);
}

void review_terms_players(const Table *table, const TableCell *cell,
                          Text *text) {
  const TextVector *players = &cell->series.players;
  (void)table;
  for (uint32_t i = 0; i < players->count; i++)
    text_format(text, "%s`%s`", i ? " against " : "",
                text_string(&players->data[i]));
}

const char *review_terms_unit(const Table *table) {
  static const char *const names[] = {[UNIT_SECONDS] = "seconds",
                                      [UNIT_SIMULATIONS] = "simulations",
                                      [UNIT_STATES] = "states"};
  return names[review_terms_of_row(table, 0)->series.unit];
}

/* Appends the players of a column, each with the rows that it is for. */
static void add_players_by_rows(const Table *table, uint32_t column,
                                Text *text) {
  bool first = true;
  for (uint32_t row = 0; row < table->rows.count; row++) {
    const TableCell *cell = table_cell(table, row, column);
    bool seen = false;
    for (uint32_t before = 0; before < row; before++)
      seen |= table_cell(table, before, column)->there &&
              review_terms_same(table, review_terms_players, cell,
                                table_cell(table, before, column));
    if (seen || !cell->there) continue;
    text_add(text, first ? "" : "; ");
    first = false;
    review_terms_players(table, cell, text);
    text_format(text, " in %s", text_string(&table->rows.data[row]));
    for (uint32_t other = row + 1; other < table->rows.count; other++)
      if (table_cell(table, other, column)->there &&
          review_terms_same(table, review_terms_players, cell,
                            table_cell(table, other, column)))
        text_format(text, ", %s", text_string(&table->rows.data[other]));
  }
}

static void add_player_line(const char *name, Text *line, Text *page) {
  Text text = {0};
  text_format(&text, "%s: %s", name, text_string(line));
  markdown_paragraph(page, "- ", text_string(&text));
  text_free(&text);
  text_clear(line);
}

/* One line for all columns that have the same players. */
static void write_players_by_columns(const Table *table, Text *page) {
  for (uint32_t column = 0; column < table->columns.count; column++) {
    const TableCell *cell = review_terms_of_column(table, column);
    Text names = {0}, line = {0};
    bool seen = false;
    for (uint32_t other = 0; other < table->columns.count; other++) {
      if (!review_terms_same(table, review_terms_players, cell,
                             review_terms_of_column(table, other)))
        continue;
      seen |= other < column;
      text_format(&names, "%s%s", names.length ? ", " : "",
                  text_string(&table->columns.data[other].name));
    }
    review_terms_players(table, cell, &line);
    if (!seen) add_player_line(text_string(&names), &line, page);
    text_free(&names);
    text_free(&line);
  }
}

void review_terms_write_players(const Table *table, Text *page) {
  TermsSpread spread = review_terms_spread(table, review_terms_players);
  Text line = {0};
  if (spread == TERMS_SAME) {
    text_add(&line, "Players: ");
    review_terms_players(table, review_terms_of_row(table, 0), &line);
    text_add_byte(&line, '.');
    markdown_paragraph(page, "", text_string(&line));
  } else {
    text_add(page, "Players:\n\n");
  }
  for (uint32_t row = 0; spread == TERMS_ROWS && row < table->rows.count;
       row++) {
    review_terms_players(table, review_terms_of_row(table, row), &line);
    add_player_line(text_string(&table->rows.data[row]), &line, page);
  }
  for (uint32_t column = 0;
       spread == TERMS_CELLS && column < table->columns.count; column++) {
    add_players_by_rows(table, column, &line);
    add_player_line(text_string(&table->columns.data[column].name), &line,
                    page);
  }
  if (spread == TERMS_COLUMNS) write_players_by_columns(table, page);
  text_add_byte(page, '\n');
  text_free(&line);
}

void review_terms_write_budget(const Table *table, Text *page) {
  const TableCell *cell = review_terms_of_row(table, 0);
  Text line = {0};
  switch (review_terms_spread(table, review_terms_budget)) {
  case TERMS_SAME:
    text_add(&line, "Budget: ");
    review_terms_budget(table, cell, &line);
    text_format(&line, " %s.", review_terms_unit(table));
    break;
  case TERMS_COLUMNS:
    text_format(&line, "Budgets in %s are below the names of the columns.",
                review_terms_unit(table));
    break;
  case TERMS_ROWS:
    text_format(&line, "Budgets in %s are in the second column.",
                review_terms_unit(table));
    break;
  case TERMS_CELLS:
    text_format(&line,
                "Budgets in %s are in the second column, in the order of the "
                "columns that follow.",
                review_terms_unit(table));
    break;
  }
  text_add(&line, cell->series.idle
                      ? " Players think in every step, also where only one "
                        "move is legal."
                      : " Players do not think where only one move is legal.");
  markdown_paragraph(page, "", text_string(&line));
  text_add_byte(page, '\n');
  text_free(&line);
}

/* ---- how many games ---- */

uint32_t review_terms_paper_games(const Comparison *comparison) {
  const Table *table = comparison->table;
  uint32_t games = 0;
  for (uint32_t i = 0; i < table->rows.count * table->columns.count; i++)
    if (table->cells[i].there && table->cells[i].series.games > games)
      games = table->cells[i].series.games;
  return games * (table->pool.count ? table->pool.count : 1);
}

void review_terms_games(const Comparison *comparison, Text *text) {
  if (!comparison->played)
    text_add(text, "none");
  else if (comparison->least == comparison->most)
    markdown_count(text, comparison->most);
  else {
    markdown_count(text, comparison->least);
    text_add(text, " to ");
    markdown_count(text, comparison->most);
  }
}

void review_terms_command(const Comparison *comparison, Text *text) {
  const Table *table = comparison->table;
  uint32_t pool = table->pool.count ? table->pool.count : 1;
  text_format(text, "tafl lab %s", text_string(&table->id));
  if (comparison->most &&
      comparison->most != review_terms_paper_games(comparison))
    text_format(text, " --games %u", (comparison->most + pool - 1) / pool);
}

/* Of a table whose cells are over several games. */
static void add_pool(const Table *table, Text *line) {
  text_add(line, " Those of a cell are of ");
  for (uint32_t i = 0; i < table->pool.count; i++)
    text_format(line, "%s%s",
                i == 0                      ? ""
                : i + 1 < table->pool.count ? ", "
                                            : " and ",
                text_string(&table->pool.data[i]));
  text_add(line, " together.");
}

void review_terms_write_games(const Comparison *comparison, Text *page) {
  uint32_t paper = review_terms_paper_games(comparison);
  Text line = {0};
  if (!comparison->played) {
    text_add(&line, "Not played yet; the paper has ");
    markdown_count(&line, paper);
    text_add(&line, " games in each cell.");
  } else {
    review_terms_games(comparison, &line);
    text_add(&line, " games in each cell");
    if (comparison->table->measure == MEASURE_SPEED) {
      text_add_byte(&line, '.'); /* papers do not say how many they played */
    } else if (comparison->least >= paper) {
      text_format(&line, ", %s.",
                  comparison->most == paper ? "as in the paper"
                                            : "more than in the paper");
    } else {
      text_add(&line, "; the paper has ");
      markdown_count(&line, paper);
      text_add(&line, ". This is the number that fitted into the time for the "
                      "experiments; with a larger one the command goes on "
                      "from there.");
    }
    if (comparison->table->pool.count) add_pool(comparison->table, &line);
    if (comparison->played < comparison->count)
      text_format(&line, " %u of %u cells are not played yet.",
                  comparison->count - comparison->played, comparison->count);
    if (comparison->cut)
      text_format(&line, " %u games were cut off at the limit of %u steps.",
                  comparison->cut,
                  review_terms_of_row(comparison->table, 0)->series.steps);
    if (comparison->errors)
      text_format(&line, " %u games ended with an error and do not count.",
                  comparison->errors);
  }
  markdown_paragraph(page, "", text_string(&line));
  text_add_byte(page, '\n');
  text_free(&line);
}
