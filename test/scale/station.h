/* Whatever is used by one at a time, in the order of arrival: a lock, a wire,
   a process that handles messages. Requests must come in the order of their
   times, as the events of a simulation do; then it is enough to know when the
   station will be free. */
#ifndef TAFL_TEST_SCALE_STATION_H
#define TAFL_TEST_SCALE_STATION_H

#include <stdint.h>

typedef struct Station {
  double free;  /* from when on nobody uses it */
  double used;  /* seconds in all */
  double waits; /* seconds from request to begin, summed */
  uint64_t served;
  uint32_t owner; /* who used it last */
} Station;

/* Asks at `now` for so many seconds; returns when they are over. */
double station_serve(Station *station, double now, double seconds);
/* The same for a lock: if its last owner was another one, its cache line has to
   come over first, which takes `transfer`. */
double station_lock(Station *station, double now, uint32_t owner, double held,
                    double transfer);

#endif
