/* The report on the tables of the papers: what the store has of each, as a page
   for people (Markdown with SVG charts) or for programs (JSON). The same store
   and tables give the same bytes. */
#ifndef TAFL_LAB_REVIEW_H
#define TAFL_LAB_REVIEW_H

#include "lab/comparison.h"

typedef struct Review {
  const Table *tables;
  Comparison *comparisons; /* by table */
  Survey *surveys;         /* by table */
  bool *shipped; /* by table: its figures came with the program, see below */
  uint32_t count;
  Survey survey;    /* of what the store has of all tables */
  TextVector notes; /* those that several tables have, each once */
} Review;

/* The tables are borrowed until review_free. Returns false on failure of the
   store; free it either way. */
bool review_read(Review *review, Results *results, const Table *tables,
                 uint32_t count);
void review_free(Review *review);
/* If the store has no game of a table, shows the figures of this file instead
   (lab/digest.h), with who played them; without the file nothing changes.
   Returns false and sets `error` if the file is there and is wrong. */
bool review_fill(Review *review, uint32_t table, const char *path, Text *error);

/* Appends the page. Its charts are looked for beside it, by the names that
   review_chart_list gives. */
void review_write(const Review *review, Text *page);
/* Returns everything as a new JSON object. */
json_t *review_json(const Review *review);

/* Appends the versions that played, with their games if they are several:
   "versions 0.1 (20) and 0.2 (100)". */
void review_versions(const Survey *survey, Text *text);
/* Returns the number from 1 of a note that several tables have, 0 if it is not
   one. */
uint32_t review_note(const Review *review, const char *note);

/* ---- parts of it ---- */

/* Append the figures of a table and ours, as Markdown. */
void review_figures_write(const Comparison *comparison, Text *page);
/* How they are to be read, and how many of them agree. */
void review_figures_write_legend(const Comparison *comparison, Text *page);
void review_figures_write_outcome(const Comparison *comparison, Text *page);

#endif
