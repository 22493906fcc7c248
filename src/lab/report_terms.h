/* The terms on which a table is played: players, budgets, numbers of games.
   What all cells have in common is said once; what differs from column to
   column or from row to row is said there. */
#ifndef TAFL_LAB_REPORT_TERMS_H
#define TAFL_LAB_REPORT_TERMS_H

#include "lab/comparison.h"

/* ---- of a cell ---- */

typedef void TermsDescribe(const Table *table, const TableCell *cell,
                           Text *text);

/* Appends the budget: "10,600", or "7,200,000 + 1,800,000" if there is another
   one before the first move. */
void report_terms_budget(const Table *table, const TableCell *cell, Text *text);
/* Appends the agents: "`cadia2008` against `cadia2007`". */
void report_terms_players(const Table *table, const TableCell *cell,
                          Text *text);

/* ---- of several cells ---- */

typedef enum {
  TERMS_SAME,    /* in all cells */
  TERMS_COLUMNS, /* in all cells of a column */
  TERMS_ROWS,    /* in all cells of a row */
  TERMS_CELLS
} TermsSpread;

/* Where a description is the same. Cells that are not there do not count. */
TermsSpread report_terms_spread(const Table *table, TermsDescribe *describe);
bool report_terms_same(const Table *table, TermsDescribe *describe,
                       const TableCell *a, const TableCell *b);
/* Returns the first cell of a row or column that is there, else the first. */
const TableCell *report_terms_of_row(const Table *table, uint32_t row);
const TableCell *report_terms_of_column(const Table *table, uint32_t column);

/* ---- of the table ---- */

const char *report_terms_unit(const Table *table); /* of budgets: "states" */
/* Returns the paper's number of games in a cell. */
uint32_t report_terms_paper_games(const Comparison *comparison);
/* Appends ours: "100", "60 to 100", "none". */
void report_terms_games(const Comparison *comparison, Text *text);
/* Appends the command that plays the games that are in the store. */
void report_terms_command(const Comparison *comparison, Text *text);

/* Each appends a paragraph, or a list. */
void report_terms_write_games(const Comparison *comparison, Text *page);
void report_terms_write_players(const Table *table, Text *page);
void report_terms_write_budget(const Table *table, Text *page);

#endif
