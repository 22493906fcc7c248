#include "scale/station.h"

double station_serve(Station *station, double now, double seconds) {
  double begin = station->free > now ? station->free : now;
  station->waits += begin - now;
  station->used += seconds;
  station->served++;
  station->free = begin + seconds;
  return station->free;
}

double station_lock(Station *station, double now, uint32_t owner, double held,
                    double transfer) {
  if (station->owner != owner) held += transfer;
  station->owner = owner;
  return station_serve(station, now, held);
}
