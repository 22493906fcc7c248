/* A small table of texts, printed in columns for people, as Markdown, or as CSV
   (RFC 4180). */
#ifndef TAFL_COMMAND_GRID_H
#define TAFL_COMMAND_GRID_H

#include "base/text.h"

typedef enum { GRID_TEXT, GRID_MARKDOWN, GRID_CSV } GridForm;

typedef struct Grid {
  uint32_t columns;
  uint64_t left;    /* columns, as bits, whose texts begin at the left; those
                       from the 64th on do not */
  TextVector cells; /* row by row; the first row is the heading */
} Grid;

void grid_init(Grid *grid, uint32_t columns, uint64_t left);
void grid_free(Grid *grid);
/* Adds an empty cell, which is valid until the next one is added. */
Text *grid_cell(Grid *grid);
void grid_add(Grid *grid, const char *text);
void grid_count(Grid *grid, uint64_t number);
/* Adds a number, or nothing if it is not finite. */
void grid_real(Grid *grid, int decimals, double value);
/* Adds headings, separated by bars. */
void grid_head(Grid *grid, const char *names);

/* Appends the table. */
void grid_write(const Grid *grid, GridForm form, Text *text);

#endif
