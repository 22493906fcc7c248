/* Axes: values to pixels, linear or logarithmic, and ticks at round values
   (Heckbert 1990, "Nice numbers for graph labels"). */
#ifndef TAFL_DRAW_SCALE_H
#define TAFL_DRAW_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/vector.h"

typedef struct Scale {
  bool logarithmic; /* then low > 0 */
  double low, high; /* values; low < high */
  double from, to;  /* their pixels */
} Scale;

typedef struct ScaleTicks {
  VECTOR(double) at; /* ascending, within the scale */
  int decimals;      /* that tell linear ticks apart */
} ScaleTicks;

/* A range that grows: starts empty, takes finite values only. */
typedef struct ScaleRange {
  double low, high;
  bool any;
} ScaleRange;

void scale_range_add(ScaleRange *range, double value);

/* A scale that holds the range, widened to round values where it is linear. An
   empty range, or one of a single value, is widened too. A logarithmic scale
   needs a range above 0; without one it becomes linear. About `ticks` ticks fit
   on it. */
Scale scale_of(const ScaleRange *range, bool logarithmic, uint32_t ticks);
/* The pixel of a value; values off the scale are clamped to its ends. */
double scale_place(const Scale *scale, double value);
/* True if the value is on the scale, allowing for rounding. */
bool scale_holds(const Scale *scale, double value);

/* At most `most` round values. */
void scale_ticks(const Scale *scale, uint32_t most, ScaleTicks *ticks);
void scale_ticks_free(ScaleTicks *ticks);

/* Appends a number with a minus sign, and this many decimals. */
void scale_number(Text *out, double value, int decimals);
/* The same with as few decimals as tell `value` to 6 digits. */
void scale_short(Text *out, double value);
/* "57.1 ± 3.2", or "57.1 (53.2 to 59.9)" if the distances of the ends from the
   value differ by more than one in the last decimal; "57.1" if there is no
   interval (both ends NAN or at the value). */
void scale_interval(Text *out, double value, double low, double high,
                    int decimals);

#endif
