/* 64 random games of a net at once, one in each bit of a word. The analysis
   watches them before it tries to prove anything.

   Time is nominal, counted in work, so that the same net shows the same on
   every machine, however busy. */
#ifndef TAFL_ANALYSE_SAMPLE_H
#define TAFL_ANALYSE_SAMPLE_H

#include "base/random.h"
#include "net/net.h"

typedef struct Sample {
  const Net *net;
  Random random;
  uint64_t *values;  /* by gate, in the current states with the chosen moves */
  uint64_t terminal; /* lanes */
  uint64_t moving;   /* lanes in which every role makes a move, so that next
                        values are valid */
  bool *reads_moves; /* by gate */
  uint64_t *state;   /* by fluent */
  Gate *order;       /* of evaluation; NULL: by number (no recursion) */
  uint32_t *component; /* by gate; gates of one component are neighbours in the
                          order */
  uint32_t age[64], step_limit;
  bool begun;
  double seconds; /* nominal, of all steps and of looking at them */
} Sample;

/* Games are cut off after `step_limit` steps. */
void sample_init(Sample *sample, const Net *net, uint64_t seed,
                 uint32_t step_limit);
void sample_free(Sample *sample);
/* Advances to the next states (lanes whose game is over, to the initial state)
   and chooses moves uniformly. Every lane always holds a reachable state. */
void sample_step(Sample *sample);
/* Says that somebody looked at that many words of the states. */
void sample_looked(Sample *sample, uint64_t words);

static inline uint64_t sample_value(const Sample *sample, Signal signal) {
  uint64_t value = sample->values[signal_gate(signal)];
  return signal_negated(signal) ? ~value : value;
}

#endif
