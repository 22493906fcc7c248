/* The terms on which a table is played: players, budgets, numbers of games.
   What all cells have in common is said once; what differs from column to
   column or from row to row is said there. */
#ifndef TAFL_LAB_REVIEW_TERMS_H
#define TAFL_LAB_REVIEW_TERMS_H

#include "lab/comparison.h"

/* ---- of a cell ---- */

typedef void TermsDescribe(const Table *table, const TableCell *cell,
                           Text *text);

/* Appends the budget: "10,600", or "7,200,000 + 1,800,000" if there is another
   one before the first move. */
void review_terms_budget(const Table *table, const TableCell *cell, Text *text);
/* Appends the agents: "`cadia2008` against `cadia2007`". */
void review_terms_players(const Table *table, const TableCell *cell,
                          Text *text);

/* ---- of several cells ---- */

typedef enum {
  TERMS_SAME,    /* in all cells */
  TERMS_COLUMNS, /* in all cells of a column */
  TERMS_ROWS,    /* in all cells of a row */
  TERMS_CELLS
} TermsSpread;

/* Where a description is the same. Cells that are not there do not count. */
TermsSpread review_terms_spread(const Table *table, TermsDescribe *describe);
bool review_terms_same(const Table *table, TermsDescribe *describe,
                       const TableCell *a, const TableCell *b);
/* Returns the first cell of a row or column that is there, else the first. */
const TableCell *review_terms_of_row(const Table *table, uint32_t row);
const TableCell *review_terms_of_column(const Table *table, uint32_t column);

/* ---- of the table ---- */

const char *review_terms_unit(const Table *table); /* of budgets: "states" */
/* Returns the paper's number of games in a cell. */
uint32_t review_terms_paper_games(const Comparison *comparison);
/* Appends ours: "100", "60 to 100", "none". */
void review_terms_games(const Comparison *comparison, Text *text);
/* Appends the command that plays the games that are in the store. */
void review_terms_command(const Comparison *comparison, Text *text);

/* Each appends a paragraph, or a list. */
void review_terms_write_games(const Comparison *comparison, Text *page);
void review_terms_write_players(const Table *table, Text *page);
void review_terms_write_budget(const Table *table, Text *page);

#endif
