/* The inside of the solo kernel's text: every function writes a part of it. */
#ifndef TAFL_GPU_SOLO_PARTS_H
#define TAFL_GPU_SOLO_PARTS_H

#include "gpu/draw.h"
#include "gpu/solo.h"

typedef struct Solo {
  Ptx ptx;
  Frame frame;
  Pairing pairing;
  const Cones *cones;
  const SoloPlan *plan;
  Dice dice;
  /* parameters and other numbers */
  Reg jobs, rounds, flow, limit, every, aged, clock, job;
  /* words */
  Reg alive, terminal, over, cut, stuck, ages[SOLO_AGES];
  /* sums of this thread */
  Reg states, ended, cut_off, stuck_off, steps, *goals;
} Solo;

/* Returns the word of a value: a fluent, a move, or one of values[]. */
Reg solo_read(Solo *solo, const Reg *values, Value value);

void solo_step_look(Solo *solo);
/* Chooses in the lanes of `free`, and finds those that are stuck. */
void solo_step_choose(Solo *solo, Reg free);
/* Lanes of `keep` get their successor. */
void solo_step_next(Solo *solo, Reg keep);

/* Every so many steps: adds up the lanes that are over; while playouts flow
   they begin anew. */
void solo_settle(Solo *solo);
/* Lanes `done` get the state of their start. */
void solo_restart(Solo *solo, Reg done);

#endif
