/* The clock of a discrete-event simulation: events in the order of their times;
   of events at the same time the one that was added first comes first, so that
   a simulation depends on its seed alone. */
#ifndef TAFL_TEST_SCALE_MOMENTS_H
#define TAFL_TEST_SCALE_MOMENTS_H

#include <stdbool.h>

#include "base/vector.h"

typedef struct Event {
  double time; /* seconds */
  uint64_t number;
  uint32_t kind, item; /* the simulation's */
} Event;

typedef struct Moments {
  VECTOR(Event) heap;
  uint64_t added;
} Moments;

void moments_add(Moments *moments, double time, uint32_t kind, uint32_t item);
/* Takes the earliest event; returns false if there is none. */
bool moments_take(Moments *moments, Event *event);
void moments_free(Moments *moments);

#endif
