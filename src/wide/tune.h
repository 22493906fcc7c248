/* Finds by a short measurement which instruction set, machine code or tape, and
   how many lanes play a game fastest on this machine. */
#ifndef TAFL_WIDE_TUNE_H
#define TAFL_WIDE_TUNE_H

#include "wide/cones.h"

/* What the caller fixes is not varied. The lane width decides which random
   numbers a playout gets: fix it where results must not depend on timing.
   Instruction sets and machine code affect only speed. */
typedef struct TuneOptions {
  uint32_t words; /* of a lane vector; 0: any */
  bool any_isa;   /* try all that the machine has */
  Isa isa;        /* unless any_isa */
  bool code;      /* machine code may be used */
  double seconds; /* of measurement; a few rounds are made in any case */
} TuneOptions;

/* Tries everything, for 20 ms. */
extern const TuneOptions tune_default;

/* Sets the cones' mode to the fastest that the options allow; to be called
   before any memory is allocated. Returns false if none is available. Machine
   code is made once for each width tried. */
bool tune_cones(Cones *cones, const TuneOptions *options);

#endif
