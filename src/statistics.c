/* Prints the table of counters. */
#include "statistics.h"

#include <inttypes.h>
#include <stdio.h>

void statistics_print(const Statistics *statistics) {
#define STATISTIC(name, help) \
  if (statistics->name) \
    fprintf(stderr, "%-12s %15" PRIu64 "  %s\n", #name, statistics->name, help);
  STATISTICS(STATISTIC)
#undef STATISTIC
}
