/* A table of a paper beside what was measured. */
#ifndef TAFL_COMMAND_LAB_SHOW_H
#define TAFL_COMMAND_LAB_SHOW_H

#include "lab/comparison.h"
#include "options.h"

/* Prints what the store has of it as --format asks; the first table that is
   printed begins the output. Returns false, after printing why, on failure of
   the store. */
bool lab_show_table(const Options *options, Results *results,
                    const Table *table, bool first);

/* Appends the table as text of 80 columns. `changes` says what was played
   otherwise than the table wants it; "": nothing. */
void lab_show_text(const Comparison *comparison, const char *changes,
                   Text *text);

#endif
