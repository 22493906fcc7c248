/* Random contents of charts: labels short, long and of any bytes, values that
   are ordinary, huge, tiny or not finite. */
#ifndef TAFL_TEST_SUPPORT_CHARTS_H
#define TAFL_TEST_SUPPORT_CHARTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/random.h"

typedef struct Charts {
  Random random;
  Arena arena;
} Charts;

void charts_start(Charts *charts, uint64_t seed);
/* One in `of`. */
bool charts_chance(Charts *charts, uint32_t of);
double charts_value(Charts *charts);
const char *charts_label(Charts *charts); /* until charts_clear; may be NULL */
void charts_clear(Charts *charts);

#endif
