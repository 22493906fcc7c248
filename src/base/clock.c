#include "base/clock.h"

#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_now(void) {
  return seconds(CLOCK_MONOTONIC);
}

double clock_thread(void) {
  return seconds(CLOCK_THREAD_CPUTIME_ID);
}
