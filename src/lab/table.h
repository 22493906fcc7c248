/* A table of a paper as data: tables/ID.json. A cell is a series and the
   paper's figure. The series of the cell in row r and column c is read from the
   table's own keys, then the row's, then the column's; later ones win. In the
   agents, {name} stands for the string `name` of the column's or the row's
   "with", so that an agent may differ from row to row:

     {
       "title":    what it shows,        "source":  paper, number of the table
       "measure":  "win", "goal", "speed" or "found"
       "notes":    list of paragraphs: how budgets were derived, what differs
       keys of a series for all cells (games: the paper's number)
       "rows":     [{"name": "Othello", "game": "othello", "play": 1350,
                     "with": {"org": "mc-org:share=0.758"}}, …]
       "columns":  [{"name": "UCT – MC", "players": ["cadia2007", "{org}"]}, …]
       "figures":  [[[76.8, 5.12], …], …]   by row and column: the figure and
                   half its interval, a number without one, or null
       "means":    ["2008", …] or true: columns are averaged at the end, with
                   the paper's averages in "mean_figures": [65.58, …]
       "chart":    "forest", "plot" or none; a plot's "x" is a number in every
                   column, with "x_title"
     }

   The measures, all of the first player: `win` is its win rate in percent with
   draws as half wins, `goal` its mean goal, `speed` states for each second of
   thinking, `found` the share of best scores that each strategy of a search
   found. */
#ifndef TAFL_LAB_TABLE_H
#define TAFL_LAB_TABLE_H

#include "lab/series.h"

typedef enum {
  MEASURE_WIN,
  MEASURE_GOAL,
  MEASURE_SPEED,
  MEASURE_FOUND
} TableMeasure;

typedef struct TableCell {
  bool there; /* false: the paper has no figure here */
  double figure;
  double interval; /* half of it; NAN: not given */
  Series series;
} TableCell;

typedef struct TableColumn {
  Text name;
  double x;    /* NAN: none */
  double mean; /* the paper's; NAN: none */
} TableColumn;

typedef struct Table {
  Text id; /* name of the file without .json */
  Text title, source, chart, x_title;
  TableMeasure measure;
  TextVector notes;
  TextVector rows; /* names */
  VECTOR(TableColumn) columns;
  TableCell *cells; /* row by row */
  bool means;
} Table;

/* Returns false and sets `error`, which begins with the path, if the file is
   not a table; nothing to free then. */
bool table_read(Table *table, const char *path, Text *error);
void table_free(Table *table);
TableCell *table_cell(const Table *table, uint32_t row, uint32_t column);

#endif
