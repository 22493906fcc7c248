/* The figures of a table and ours, as Markdown tables. */
#ifndef TAFL_LAB_REVIEW_FIGURES_H
#define TAFL_LAB_REVIEW_FIGURES_H

#include "lab/comparison.h"

void review_figures_write(const Comparison *comparison, Text *page);
/* How they are to be read, and how many of them agree. */
void review_figures_write_legend(const Comparison *comparison, Text *page);
void review_figures_write_outcome(const Comparison *comparison, Text *page);

#endif
