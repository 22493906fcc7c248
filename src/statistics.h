/* Every counter of the program is one line of this table. A game counts its own
   work; with --statistics, commands print the counters that are not zero. */
#ifndef TAFL_STATISTICS_H
#define TAFL_STATISTICS_H

#include <stdint.h>

#define STATISTICS(STATISTIC) \
  STATISTIC(states, "states entered") \
  STATISTIC(playouts, "random games played to the end") \
  STATISTIC(calls, "calls of a predicate's procedure") \
  STATISTIC(evaluations, "calls not found in a table") \
  STATISTIC(answers, "answers derived") \
  STATISTIC(rounds, "extra rounds of recursive components") \
  STATISTIC(procedures, "procedures compiled")

typedef struct Statistics {
#define STATISTIC(name, help) uint64_t name;
  STATISTICS(STATISTIC)
#undef STATISTIC
} Statistics;

void statistics_print(const Statistics *statistics); /* to stderr */

#endif
