#include "search/limit.h"

#include <math.h>

#include "base/clock.h"

static const double watch_seconds = 0.1;

void limit_init(Limit *limit, const Budget *budget, double share) {
  limit->budget = (Budget){
      .seconds = budget->seconds * share,
      .simulations = (uint64_t)ceil((double)budget->simulations * share),
      .states = (uint64_t)ceil((double)budget->states * share),
      .threads = budget->threads,
      .stop = budget->stop,
      .watch = budget->watch,
      .context = budget->context};
  limit->start = clock_now();
  limit->deadline = limit->start + limit->budget.seconds;
  limit->watch = limit->start + watch_seconds;
}

bool limit_reached(const Limit *limit, const SearchReport *report) {
  const Budget *budget = &limit->budget;
  if (budget->stop && atomic_load_explicit(budget->stop, memory_order_relaxed))
    return true;
  if (budget->simulations && report->simulations >= budget->simulations)
    return true;
  if (budget->states && report->states >= budget->states) return true;
  return budget->seconds > 0 && clock_now() >= limit->deadline;
}

bool limit_watched(const Limit *limit) {
  return limit->budget.watch && clock_now() >= limit->watch;
}

void limit_watch(Limit *limit, SearchReport *report) {
  if (!limit_watched(limit)) return;
  report->seconds = clock_now() - limit->start;
  limit->budget.watch(limit->budget.context);
  limit->watch = clock_now() + watch_seconds;
}
