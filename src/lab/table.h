/* A table of a paper as data: tables/ID.json. A cell is a series and the
   paper's figure. The series of the cell in row r and column c is read from the
   table's own keys, then the row's, then the column's; later ones win. In the
   agents, {name} stands for the string `name` of "with", which the table, the
   row and the column may have, so that an agent may differ from row to row:

     {
       "title":    what it shows,        "source":  paper, number of the table
       "measure":  "win", "goal", "speed" or "found"
       "notes":    list of paragraphs: how budgets were derived, what differs
       keys of a series for all cells (games: the paper's number)
       "rows":     [{"name": "Othello", "game": "othello", "rate": 135,
                     "with": {"org": "mc-org:share=0.758"}}, …]
       "columns":  [{"name": "UCT – MC", "players": ["cadia2007", "{org}"]}, …]
       "figures":  [[[76.8, 5.12], …], …]   by row and column: the figure and
                   half its interval, a number without one, or null: the paper
                   has no figure there, and nothing is played
       "means":    true: columns are averaged at the end, with the paper's
                   averages in "mean_figures": [65.58, …], null: none
       "interval": no interval of the paper's figures is wider than ± this,
                   where it gives no single ones
       "chart":    "forest", "plot", "heat" or none; a plot's "x" is a number in
                   every column, with "x_title"
       "explain":  {"Othello / UCT – MC": why we differ there, …}; also of a
                   whole row, of a whole column, or "*": of all cells
     }

   Where there is a "rate", of the table, a row or a column, `play` and `start`
   are the paper's seconds, and the rate is how many units its player did in a
   second: the budget is their product, rounded, and at least one unit a move.

   A table with "pool", a list of games, has no `game`: each cell is played in
   all of them, and its figure is that of all together.

   The measures, all of the first player: `win` is its win rate in percent with
   draws as half wins, `goal` its mean goal, `speed` states for each second of
   thinking, `found` the share of games in percent in which the strategy that
   the row names in "found" found the highest score; "none" is for games in
   which nothing was found.

   Unknown keys are errors: a word mistyped must not be taken for none. */
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

typedef struct TableExplanation {
  Text of; /* "ROW / COLUMN", a row, a column, or "*" */
  Text text;
} TableExplanation;

typedef struct Table {
  Text id; /* name of the file without .json */
  Text title, source, chart, x_title;
  TableMeasure measure;
  TextVector notes;
  TextVector rows;  /* names */
  TextVector found; /* by row, with MEASURE_FOUND: the strategy */
  TextVector pool;  /* games of every cell; empty: each has its own */
  VECTOR(TableColumn) columns;
  TableCell *cells; /* row by row */
  bool means;
  double interval; /* of figures without one: at most this; NAN: not known */
  VECTOR(TableExplanation) explanations;
} Table;

enum { TABLE_BYTES = 4 << 20, TABLE_CELLS = 4096 }; /* at most */

/* Returns false and sets `error`, which begins with the path and has the place,
   if the file is not a table; nothing to free then. */
bool table_read(Table *table, const char *path, Text *error);
/* The same of a text; the path is for the table's id and for errors. */
bool table_parse(Table *table, const char *path, const char *text,
                 size_t length, Text *error);
void table_free(Table *table);

TableCell *table_cell(const Table *table, uint32_t row, uint32_t column);
/* Appends copies of the series that a cell's figure is taken from: its own, or
   one for each game of the pool. Appends nothing for a cell that is not
   there. */
void table_cell_series(const Table *table, const TableCell *cell,
                       SeriesVector *list);
/* Appends every series of the table once; if several cells share one, with the
   most games that any of them wants. */
void table_series(const Table *table, SeriesVector *list);
/* Returns why our figure differs from the paper's in a cell, by the narrowest
   explanation that there is: of the cell, its row, its column or all cells;
   NULL if there is none. */
const char *table_explanation(const Table *table, uint32_t row,
                              uint32_t column);
/* Compares tables for qsort: the oldest papers first, then by id. */
int table_compare(const void *a, const void *b);
/* Returns the name of a measure, as in the file. */
const char *table_measure_name(TableMeasure measure);

#endif
