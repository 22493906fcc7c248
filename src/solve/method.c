#include "solve/method.h"

#include "base/clock.h"

bool method_slice_over(const Slice *slice, uint64_t states) {
  if (states >= slice->states) return true;
  if (slice->stop && atomic_load_explicit(slice->stop, memory_order_relaxed))
    return true;
  return slice->until > 0 && clock_now() >= slice->until;
}
