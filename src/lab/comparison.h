/* A table of a paper beside what was played of it: for each cell the paper's
   estimate, ours, and whether they agree (contest/estimate.h). */
#ifndef TAFL_LAB_COMPARISON_H
#define TAFL_LAB_COMPARISON_H

#include "contest/estimate.h"
#include "lab/figure.h"
#include "store/survey.h"

typedef struct ComparisonCell {
  Figure figure; /* no games: not played yet, or not there */
  Estimate theirs, ours;
  bool derived; /* the paper gives no interval; that of `theirs` is the widest
                   one it has, or that of a rate over its number of games */
  EstimateVerdict verdict; /* ESTIMATE_UNKNOWN: not to be compared */
} ComparisonCell;

typedef struct Comparison {
  const Table *table;
  ComparisonCell *cells; /* row by row, as in the table */
  ComparisonCell *means; /* by column, over the rows that were played */
  uint32_t count;        /* of cells in which the paper has a figure */
  uint32_t played;       /* of them: those with games of ours */
  uint32_t verdicts[ESTIMATE_DIFFER + 1]; /* of the cells played */
  double distance;      /* mean absolute difference of the cells played */
  double chance;        /* what it would be if only chance made them differ */
  uint32_t least, most; /* games of the cells played */
  uint64_t games; /* of all cells; one that two cells share counts twice */
  uint32_t errors, cut;
} Comparison;

/* Reads the games of a table with the seeds and budgets that it has itself, and
   adds their series to the survey. Returns false on failure of the store; free
   it either way. The table is borrowed. */
bool comparison_read(Comparison *comparison, Results *results,
                     const Table *table, Survey *survey);
void comparison_free(Comparison *comparison);
/* The same with figures from elsewhere: a comparison without any; then, once
   `figure` and `ours` of the cells that were played are set, all the rest. */
void comparison_init(Comparison *comparison, const Table *table);
void comparison_judge(Comparison *comparison);

const ComparisonCell *comparison_cell(const Comparison *comparison,
                                      uint32_t row, uint32_t column);
/* Returns true if all rows of the column were played in which the paper has a
   figure, so that its mean is comparable with the paper's. */
bool comparison_whole(const Comparison *comparison, uint32_t column);

/* Returns the paper's estimate of a cell as it is to be shown: an interval that
   is the same for all cells is said once. */
Estimate comparison_shown(const Comparison *comparison,
                          const ComparisonCell *cell);

#endif
