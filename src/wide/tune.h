/* Which instructions, machine code or tape, and how many lanes play a game
   fastest on this machine, by a short measurement. */
#ifndef TAFL_WIDE_TUNE_H
#define TAFL_WIDE_TUNE_H

#include "wide/cones.h"

/* What the caller fixes is not tried otherwise. The lane width decides which
   random numbers a playout gets: fix it where results must not depend on time.
   Instructions and machine code change nothing but speed. */
typedef struct TuneOptions {
  uint32_t words; /* of a lane vector; 0: any */
  bool any_isa;   /* of those that the machine has */
  Isa isa;        /* unless any */
  bool code;      /* machine code may be used */
  double seconds; /* for the measurement; a few rounds are made in any case */
} TuneOptions;

/* Anything goes, in 20 ms. */
extern const TuneOptions tune_default;

/* Set the cones' mode, before anything has memory, to the fastest of those
   allowed; false if there is none. Programs are made once, machine code once
   for each width tried. */
bool tune_cones(Cones *cones, const TuneOptions *options);

#endif
