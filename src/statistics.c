/* The table of counters, added up and printed line by line. */
#include "statistics.h"

#include <inttypes.h>
#include <stdio.h>

void statistics_add(Statistics *sum, const Statistics *more) {
#define STATISTIC(name, help) sum->name += more->name;
  STATISTICS(STATISTIC)
#undef STATISTIC
}

void statistics_print(const Statistics *statistics) {
#define STATISTIC(name, help) \
  if (statistics->name) \
    fprintf(stderr, "%-12s %15" PRIu64 "  %s\n", #name, statistics->name, help);
  STATISTICS(STATISTIC)
#undef STATISTIC
}
