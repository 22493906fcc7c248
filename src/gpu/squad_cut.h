/* A program of a squad while it is made into code: its bands, and where its
   values are between them. */
#ifndef TAFL_GPU_SQUAD_CUT_H
#define TAFL_GPU_SQUAD_CUT_H

#include "gpu/bands.h"
#include "gpu/squad_parts.h"

/* Clocks of a multiprocessor (H200), by which programs are cut: estimates. A
   load is that of a value by a warp: 128 bytes, of which the card's memory
   sends 21 a clock. Where the tally reads a move, each of the 32 warps wants
   another word of it: if that is far, sectors of 32 bytes, which are 8 loads,
   for all of which it waits. */
enum {
  SQUAD_BARRIER = 800, /* with what the warps wait for each other */
  SQUAD_NEAR_LOAD = 1,
  SQUAD_FAR_LOAD = 6,
  SQUAD_TALLY_LOADS = 16 /* for the tally of a move */
};

/* A value that has to be at a near slot at the end. */
typedef struct Output {
  uint32_t value, slot;
} Output;

typedef struct Coding {
  Team *team;
  Squad *squad;
  const SquadLeg *leg; /* NULL: the goals */
  uint32_t number;     /* of the leg */
  uint32_t fluents, inputs, values;
  BandSteps steps;
  Bands bands;
  VECTOR(Output) outputs;
  uint32_t *successor; /* by output of `next`: its value */
  uint32_t *home;      /* by value; SQUAD_NEVER: nowhere */
  uint32_t *until;     /* by value: the last band that loads it; BANDS_NONE */
  uint32_t *loads;     /* by value: shares that load it */
  uint32_t first;      /* near slot that values may have */
  uint32_t near, far;  /* the first slots that are not used */
  uint64_t cost;       /* of the barriers and the homes, in clocks */
  /* of the stream that is being written */
  Reg *word;       /* by value: the register that has it, */
  uint32_t *since; /* and when it got it */
  Reg *lines;      /* the same by line */
  uint32_t *lines_since;
  uint32_t time;
} Coding;

/* ---- what is to be computed ---- */

/* The gates of a program. */
void squad_cut_begin(Coding *coding, Team *team, Squad *squad,
                     const Program *program);
void squad_cut_end(Coding *coding);
/* Adds a copy of a value, in the last band if `last`; returns its value. */
uint32_t squad_cut_copy(Coding *coding, uint32_t from, bool last);
/* The value has to be at the near slot at the end. */
void squad_cut_output(Coding *coding, uint32_t value, uint32_t slot);

/* ---- when and where ---- */

/* Cuts the program, and finds out which values are loaded, and until when. */
void squad_cut_into(Coding *coding, uint32_t parts);
/* The value has to be in memory until the band is over. */
void squad_cut_need(Coding *coding, uint32_t value, uint32_t band);
/* Gives homes to values that need them. */
void squad_cut_homes(Coding *coding);
/* All of that, in the number of parts that costs least; `values` are needed at
   the end. */
void squad_cut_whole(Coding *coding, const NumberVector *values);
/* After that: makes room for what is known while streams are written. */
void squad_cut_streams(Coding *coding);

#endif
