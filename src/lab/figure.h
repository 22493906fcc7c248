/* What was measured in a series: a mean over its games with its 95 % interval,
   the papers' way, 1.96 s / sqrt(n). */
#ifndef TAFL_LAB_FIGURE_H
#define TAFL_LAB_FIGURE_H

#include "lab/table.h"
#include "store/results.h"

typedef struct Figure {
  uint32_t games;  /* that count */
  uint32_t errors; /* games that ended with one, and do not count */
  uint32_t cut;    /* of the games: at the step limit */
  double value;    /* NAN without games */
  double interval; /* half of it; NAN with fewer than two games */
  double spread;   /* sample deviation of the games; NAN with fewer than two */
  Tally tally;     /* of the first player */
} Figure;

/* Reads all games of a series; 0: there are none. Returns false on failure of
   the store. */
bool figure_read(Figure *figure, Results *results, int64_t series,
                 TableMeasure measure);
/* The same of several series together. `found` is the strategy that
   MEASURE_FOUND counts. */
bool figure_read_all(Figure *figure, Results *results, const int64_t *series,
                     uint32_t count, TableMeasure measure, const char *found);

Figure figure_none(void); /* without games */
/* Returns half the interval of the mean of games with this deviation. */
double figure_interval(double spread, uint32_t games);

#endif
