/* A forest plot: a row for each of many things, with a dot and whiskers for its
   value and interval, and the same in figures. Several series can stand in each
   row, such as a paper's figure beside ours. */
#ifndef TAFL_DRAW_FOREST_H
#define TAFL_DRAW_FOREST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { FOREST_SERIES = 4 }; /* at most */

/* A value that is not finite is left out. An end of the interval that is NAN is
   not drawn; one that is infinite, or outside the chart, ends in an arrow. */
typedef struct ForestMark {
  double value, low, high;
} ForestMark;

typedef struct ForestRow {
  const char *label;
  bool heading;     /* begins a group: no marks, only the label */
  const char *note; /* behind the figures, such as a verdict; or NULL */
  ForestMark marks[FOREST_SERIES];
} ForestRow;

typedef struct Forest {
  const char *title;
  const char *description; /* a sentence, or NULL; the figures are added */
  const char *x_name;      /* of the axis, or NULL */
  const char *series[FOREST_SERIES]; /* names; may be NULL if it is one */
  uint32_t series_count;             /* 0 counts as 1 */
  double low, high; /* of the axis; equal: found from the data */
  bool compare;     /* draw a line at x = reference */
  double reference;
  int decimals; /* of the figures */
  const ForestRow *rows;
  uint32_t row_count;
} Forest;

/* Appends the chart as an SVG document. */
void forest_write(const Forest *forest, Text *svg);

#endif
