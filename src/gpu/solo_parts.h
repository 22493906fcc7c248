/* The inside of the solo kernel's text: every function writes a part of it. */
#ifndef TAFL_GPU_SOLO_PARTS_H
#define TAFL_GPU_SOLO_PARTS_H

#include "gpu/draw.h"
#include "gpu/solo.h"

typedef struct SoloLeg {
  const Program *look; /* the moves that have slots, then terminal */
  const Program *next;
  Order made;              /* of the gates of `look`, if there is one */
  const Order *look_order; /* that, or the program's own */
  Pairing pairing;
  uint32_t *changed; /* fluents, by output of `next` */
  uint32_t changes;
} SoloLeg;

typedef struct Solo {
  Ptx ptx;
  Frame frame;
  const Cones *cones;
  const SoloPlan *plan;
  SoloLeg *leg;
  uint32_t move_slots; /* of all legs, which share them, */
  uint32_t line_slots; /* as they do these */
  Dice dice;
  Planes *legal; /* by choice of a leg that is made by a loop: how many moves
                    are legal */
  /* parameters and other numbers; `clock` is right after settling */
  Reg jobs, rounds, flow, limit, every, aged, first, clock, left, job, phase;
  /* words: lanes of the job; those that play, or wait for their leg; those that
     are over, cut off or stuck and not settled yet; all at the last step of a
     job */
  Reg mine, alive, waiting, over, cut, stuck, full, ages[SOLO_AGES];
  /* sums of this thread */
  Reg states, ended, cut_off, stuck_off, steps, *goals;
} Solo;

/* Runs a program's gates; of their values, those that are wanted can be read
   then. `heard` is as in gpu/hold.h. */
void solo_run(Solo *solo, const Order *order, const Value *wanted,
              uint32_t wanted_count, const uint32_t *heard, Reg *values,
              FrameListener *listener, void *context);
/* Returns the gates of a program in the order that they are run in: its own, or
   one that is made here and that the caller frees. */
const Order *solo_order(const Solo *solo, const Program *program,
                        const Value *wanted, uint32_t wanted_count,
                        Order *made);
/* Returns the word of a value: a fluent, a move, or one of values[]. */
Reg solo_read(Solo *solo, const Reg *values, Value value);

/* Returns the lanes in which the state is terminal. */
Reg solo_step_look(Solo *solo, const SoloLeg *leg);
/* Chooses in the lanes that are alive, and finds those that are stuck. */
void solo_step_choose(Solo *solo, const SoloLeg *leg);
/* Lanes that are alive get their successor. */
void solo_step_next(Solo *solo, const SoloLeg *leg);

/* A step of the games that are alive, by a leg; it begins with its label. */
void solo_write_leg(Solo *solo, uint32_t number);
/* Writes everything from the first step to the last, by legs of steps. */
void solo_steps(Solo *solo);

/* Returns the program that computes goals, perhaps among other things. */
const Program *solo_judge(const Cones *cones);
/* Every so many steps: adds up the lanes that are over; while playouts flow
   they begin anew. */
void solo_settle(Solo *solo);
/* The same without beginning anew. */
void solo_add_up(Solo *solo);
/* These lanes begin from their start, as soon as its leg comes. */
void solo_restart(Solo *solo, Reg lanes);
/* These lanes, or all of them, get the state of their start. */
void solo_load_start(Solo *solo, Reg lanes);
void solo_load_starts(Solo *solo);

#endif
