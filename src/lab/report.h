/* The report on the tables of the papers: what the store has of each, as a page
   for people (Markdown with SVG charts) or for programs (JSON). The same store
   and tables give the same bytes. */
#ifndef TAFL_LAB_REPORT_H
#define TAFL_LAB_REPORT_H

#include "lab/comparison.h"

typedef struct Report {
  const Table *tables;
  Comparison *comparisons; /* by table */
  uint32_t count;
  Survey survey;    /* of all tables */
  TextVector notes; /* those that several tables have, each once */
} Report;

/* The tables are borrowed until report_free. Returns false on failure of the
   store; free it either way. */
bool report_read(Report *report, Results *results, const Table *tables,
                 uint32_t count);
void report_free(Report *report);

/* Appends the page. Its charts are looked for beside it, by the names that
   report_chart_list gives. */
void report_write(const Report *report, Text *page);
/* Returns everything as a new JSON object. */
json_t *report_json(const Report *report);

/* Returns the number from 1 of a note that several tables have, 0 if it is not
   one. */
uint32_t report_note(const Report *report, const char *note);

#endif
