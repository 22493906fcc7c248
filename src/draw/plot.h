/* A chart of lines over numbers: points with error bars, several named lines,
   each labelled at its right end, and a horizontal line to compare with. */
#ifndef TAFL_DRAW_PLOT_H
#define TAFL_DRAW_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* A point whose y is not finite is left out. An end of the interval that is NAN
   is not drawn; one that is infinite, or outside the chart, ends in an
   arrow. */
typedef struct PlotPoint {
  double x, y, low, high;
} PlotPoint;

typedef struct PlotLine {
  const char *name;
  const PlotPoint *points; /* in any order */
  uint32_t count;
  bool strong; /* drawn thick, above the others: a mean of them, say */
  bool bare;   /* without error bars, where there are too many to read */
} PlotLine;

typedef struct Plot {
  const char *title;
  const char *description;     /* a sentence, or NULL; the figures are added */
  const char *x_name, *y_name; /* of the axes, or NULL */
  bool logarithmic;            /* the x axis, if all x are positive */
  double low, high;            /* of the y axis; equal: found from the data */
  bool compare;                /* draw a line at y = reference */
  double reference;
  const char *reference_name; /* or NULL */
  const PlotLine *lines;
  uint32_t line_count;
} Plot;

/* Appends the chart as an SVG document. */
void plot_write(const Plot *plot, Text *svg);

#endif
