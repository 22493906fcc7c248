/* The charts of a table: the paper's figures and ours. */
#ifndef TAFL_LAB_REVIEW_CHART_H
#define TAFL_LAB_REVIEW_CHART_H

#include "lab/comparison.h"

typedef struct ReviewChart {
  Text name;  /* of its file, from the page's directory: "charts/2010-1.svg" */
  Text title; /* what it shows, for those who do not see it */
  Text svg;
} ReviewChart;

typedef VECTOR(ReviewChart) ReviewCharts;

/* Appends the charts that the table asks for: none if nothing was played, two
   for lines, where the paper's and ours have the same axes. */
void review_chart_list(const Comparison *comparison, ReviewCharts *charts);
void review_chart_free(ReviewCharts *charts);

#endif
