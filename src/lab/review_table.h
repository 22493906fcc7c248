/* The section of one table in the report: how it was played, its figures beside
   the paper's, and where they differ. */
#ifndef TAFL_LAB_REVIEW_TABLE_H
#define TAFL_LAB_REVIEW_TABLE_H

#include "lab/review.h"

void review_table_write(const Review *review, uint32_t table, Text *page);
/* Appends the heading of the section, "Table 2010-1", for links to it. */
void review_table_heading(const Table *table, Text *text);

#endif
