/* Axes. A linear step is 1, 2 or 5 times a power of ten, and ticks are whole
   multiples of it, so that they carry no rounding errors. Logarithmic ticks are
   1, 2, 5 times powers of ten, or the powers alone, or every second, third …
   power, whatever is the densest that fits; an axis of less than a decade may
   have linear ticks. */
#include "draw/scale.h"

#include <math.h>
#include <stdio.h>

/* Beyond this, sums of two ends would overflow. */
static const double most_finite = 1e300;

void scale_range_add(ScaleRange *range, double value) {
  if (!isfinite(value)) return;
  value = fmax(-most_finite, fmin(most_finite, value));
  if (!range->any || value < range->low) range->low = value;
  if (!range->any || value > range->high) range->high = value;
  range->any = true;
}

/* ---- steps ---- */

typedef struct Step {
  int mantissa, exponent; /* mantissa * 10^exponent */
} Step;

/* value = i steps, as exact as it can be. */
static double times(double i, Step step) {
  double scaled = i * step.mantissa;
  return step.exponent < 0 ? scaled / pow(10, -step.exponent)
                           : scaled * pow(10, step.exponent);
}

static Step larger(Step step) {
  if (step.mantissa == 1) return (Step){2, step.exponent};
  if (step.mantissa == 2) return (Step){5, step.exponent};
  return (Step){1, step.exponent + 1};
}

/* Returns the smallest step that is not below `least`. */
static Step step_from(double least) {
  Step step = {1, (int)floor(log10(least)) - 1};
  while (times(1, step) < least * (1 - 1e-9)) step = larger(step);
  return step;
}

/* Returns the numbers of the first and last multiple of a step on a scale. */
static double first_multiple(const Scale *scale, Step step) {
  return ceil(scale->low / times(1, step) - 1e-6);
}
static double last_multiple(const Scale *scale, Step step) {
  return floor(scale->high / times(1, step) + 1e-6);
}

/* ---- scales ---- */

/* A range that holds more than one value. */
static ScaleRange widened(const ScaleRange *range) {
  if (!range->any) return (ScaleRange){0, 1, true};
  double size = fmax(fabs(range->low), fabs(range->high));
  if (range->high - range->low > 1e-9 * size) return *range;
  double more = size > 0 ? .1 * size : 1;
  return (ScaleRange){range->low - more, range->high + more, true};
}

Scale scale_of(const ScaleRange *range, bool logarithmic, uint32_t ticks) {
  if (logarithmic && range->any && range->low > 0) {
    bool single = range->high <= range->low * (1 + 1e-9);
    double factor = single ? 2 : 1;
    return (Scale){.logarithmic = true,
                   .low = range->low / factor,
                   .high = range->high * factor,
                   .to = 1};
  }
  ScaleRange wide = widened(range);
  if (ticks < 3) ticks = 3; /* on both sides of 0 no fewer would do */
  Step step = step_from((wide.high - wide.low) / ticks);
  for (;; step = larger(step)) {
    double first = floor(wide.low / times(1, step) + 1e-6);
    double last = ceil(wide.high / times(1, step) - 1e-6);
    if (last - first + 1 <= ticks)
      return (Scale){
          .low = times(first, step), .high = times(last, step), .to = 1};
  }
}

double scale_place(const Scale *scale, double value) {
  double at;
  if (!(value > scale->low)) /* NAN too */
    at = 0;
  else if (value >= scale->high)
    at = 1;
  else if (scale->logarithmic)
    at = (log(value) - log(scale->low)) / (log(scale->high) - log(scale->low));
  else
    at = (value - scale->low) / (scale->high - scale->low);
  return scale->from + at * (scale->to - scale->from);
}

bool scale_holds(const Scale *scale, double value) {
  double slack = 1e-9 * (scale->high - scale->low);
  return value >= scale->low - slack && value <= scale->high + slack;
}

/* ---- ticks ---- */

static bool ends_at_multiples(const Scale *scale, Step step) {
  double low = scale->low / times(1, step), high = scale->high / times(1, step);
  return fabs(low - round(low)) < 1e-6 && fabs(high - round(high)) < 1e-6;
}

/* The smallest step with at most `most` multiples on the scale; or a larger one
   that has multiples at both ends, and two at the least. */
static Step step_for(const Scale *scale, uint32_t most) {
  Step step = step_from((scale->high - scale->low) / most);
  while (last_multiple(scale, step) - first_multiple(scale, step) + 1 > most)
    step = larger(step);
  Step other = step;
  for (int i = 0; i < 3; i++, other = larger(other))
    if (ends_at_multiples(scale, other) &&
        last_multiple(scale, other) > first_multiple(scale, other))
      return other;
  return step;
}

static void linear_ticks(const Scale *scale, uint32_t most, ScaleTicks *ticks) {
  Step step = step_for(scale, most);
  double last = last_multiple(scale, step);
  for (double i = first_multiple(scale, step); i <= last; i++)
    vector_push(&ticks->at, times(i, step) + 0.); /* no -0 */
  ticks->decimals = step.exponent < 0 ? -step.exponent : 0;
}

/* Appends mantissas times every `stride`-th power of ten; false if they are
   more than `most`. */
static bool power_ticks(const Scale *scale, const char *mantissas, int stride,
                        uint32_t most, ScaleTicks *ticks) {
  vector_clear(&ticks->at);
  int first = (int)floor(log10(scale->low)) - 1;
  int last = (int)ceil(log10(scale->high)) + 1;
  for (int power = first; power <= last; power++) {
    if (power % stride) continue;
    for (const char *m = mantissas; *m; m++) {
      double value = times(1, (Step){*m - '0', power});
      if (value < scale->low * (1 - 1e-9) || value > scale->high * (1 + 1e-9))
        continue;
      if (ticks->at.count == most) return false;
      vector_push(&ticks->at, value);
    }
  }
  return true;
}

void scale_ticks(const Scale *scale, uint32_t most, ScaleTicks *ticks) {
  vector_clear(&ticks->at);
  ticks->decimals = 0;
  if (most < 2) most = 2;
  if (!scale->logarithmic) {
    linear_ticks(scale, most, ticks);
    return;
  }
  bool fits = power_ticks(scale, "125", 1, most, ticks);
  for (int stride = 1; !fits; stride++)
    fits = power_ticks(scale, "1", stride, most, ticks);
  if (ticks->at.count > 2 || scale->high >= 10 * scale->low) return;
  vector_clear(&ticks->at);
  linear_ticks(scale, most, ticks);
}

void scale_ticks_free(ScaleTicks *ticks) {
  vector_free(&ticks->at);
}

/* ---- numbers as text ---- */

static const char minus[] = "\xe2\x88\x92", infinity[] = "\xe2\x88\x9e",
                  plus_minus[] = " \xc2\xb1 ";

/* Appends what C's conversions wrote: a real minus sign, "1e6" for "1e+06", and
   no sign of a zero. */
static void add_plainly(Text *out, const char *digits) {
  bool zero = !strpbrk(digits, "123456789");
  for (const char *at = digits; *at; at++) {
    if (*at == '-' && !(at == digits && zero))
      text_add(out, minus);
    else if (*at != '+' && *at != '-')
      text_add_byte(out, *at);
    if (*at == 'e' && at[1] && at[2] == '0') {
      if (at[1] == '-') text_add(out, minus);
      at += 2;
    }
  }
}

static bool add_special(Text *out, double value) {
  if (isfinite(value)) return false;
  if (value < 0) text_add(out, minus);
  text_add(out, isnan(value) ? "\xe2\x80\x93" : infinity);
  return true;
}

void scale_number(Text *out, double value, int decimals) {
  if (add_special(out, value)) return;
  if (fabs(value) >= 1e15) {
    scale_short(out, value);
    return;
  }
  char digits[64];
  snprintf(digits, sizeof digits, "%.*f", decimals, value);
  add_plainly(out, digits);
}

void scale_short(Text *out, double value) {
  if (add_special(out, value)) return;
  char digits[64];
  snprintf(digits, sizeof digits, "%.6g", value);
  add_plainly(out, digits);
}

void scale_interval(Text *out, double value, double low, double high,
                    int decimals) {
  scale_number(out, value, decimals);
  if (isnan(low) && isnan(high)) return;
  if (low == value && high == value) return;
  double below = value - low, above = high - value;
  if (fabs(above - below) < 1.01 * pow(10, -decimals)) {
    text_add(out, plus_minus);
    scale_number(out, fmax(above, below), decimals);
    return;
  }
  text_add(out, " (");
  scale_number(out, low, decimals);
  text_add(out, " to ");
  scale_number(out, high, decimals);
  text_add(out, ")");
}
