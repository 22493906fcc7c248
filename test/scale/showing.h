/* Tables (Markdown) and charts (SVG) of the model. */
#ifndef TAFL_TEST_SCALE_SHOWING_H
#define TAFL_TEST_SCALE_SHOWING_H

#include <stdio.h>

#include "scale/costs.h"
#include "scale/gains.h"

void showing_tables(const Costs *costs, const Matches *matches, FILE *out);
/* Returns false and sets `error` if a file cannot be written. */
bool showing_charts(const Costs *costs, const Matches *matches,
                    const char *folder, Text *error);

#endif
