/* A matrix whose cells are coloured by their value and carry it in figures:
   responses to two options, cross tables. */
#ifndef TAFL_DRAW_HEAT_H
#define TAFL_DRAW_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct HeatCell {
  double value; /* not finite: the cell is empty */
  double half;  /* half the width of its interval; NAN or 0: none is shown */
  bool marked;  /* framed: the best, say */
} HeatCell;

typedef struct Heat {
  const char *title;
  const char *description; /* a sentence, or NULL; the figures are added */
  const char *row_name, *column_name; /* what rows and columns are, or NULL */
  const char *value_name;             /* at the bar of colours, or NULL */
  const char *const *rows, *const *columns; /* labels */
  uint32_t row_count, column_count;
  const HeatCell *cells; /* row after row */
  double low, high;      /* of the colours; equal: found from the data */
  bool diverging;        /* two colours that part at `middle` */
  double middle;
  int decimals;
} Heat;

/* Appends the chart as an SVG document. */
void heat_write(const Heat *heat, Text *svg);

#endif
