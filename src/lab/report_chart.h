/* The charts of a table: the paper's figures and ours. */
#ifndef TAFL_LAB_REPORT_CHART_H
#define TAFL_LAB_REPORT_CHART_H

#include "lab/comparison.h"

typedef struct ReportChart {
  Text name;  /* of its file, from the page's directory: "charts/2010-1.svg" */
  Text title; /* what it shows, for those who do not see it */
  Text svg;
} ReportChart;

typedef VECTOR(ReportChart) ReportCharts;

/* Appends the charts that the table asks for: none if nothing was played, two
   for lines, where the paper's and ours have the same axes. */
void report_chart_list(const Comparison *comparison, ReportCharts *charts);
void report_chart_free(ReportCharts *charts);

#endif
