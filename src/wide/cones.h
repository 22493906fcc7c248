/* A net as three programs on one memory: what can be seen in a state (legal
   moves, whether it is terminal), its goals, and its successor. Nothing changes
   once the mode is set, so threads can share the cones, each with its own
   memory.

   These programs are for all states. Playouts that are in step with each other
   may use the programs of a leg of `rounds` or `steps` instead, which say less:
   nothing of goals, and of moves only whether those that may be legal are.
   Whoever wants all of legal, terminal and goals runs `look` and `goals`. */
#ifndef TAFL_WIDE_CONES_H
#define TAFL_WIDE_CONES_H

#include "wide/legs.h"

typedef struct Cones {
  const Net *net; /* borrowed */
  ProgramMode mode;
  const Sliced *sliced;
  Program *look, *next;
  Program *goals;  /* NULL: `look` computes them too */
  uint32_t *legal; /* vector of each move's legality, after `look` */
  uint32_t terminal;
  uint32_t *goal;   /* vector of each goal, after cones_run_goals */
  uint32_t vectors; /* size of the memory */
  uint32_t filler;  /* a vector that is always zero */
  /* Parallel assignment of next values, in an order that reads before it
     writes: first `saves`, into vectors past the programs', then `copies`. */
  SlicedCopy *saves, *copies;
  uint32_t save_count, copy_count;
  SlicedCopy *again; /* all fluents, onto themselves */
  Leg whole;         /* the same programs, vectors and copies, as a leg */
  Legs *rounds;      /* for lanes whose roles take turns together; or NULL */
  Legs *steps; /* for lanes that begin together in the initial state; or NULL */
  /* With rounds, if `look` computes the goals: a program that computes only
     them, and their vectors after it. */
  Program *judge, *spare; /* `spare`: the same before there are rounds */
  uint32_t *judged;
} Cones;

/* Returns NULL if the mode is not available on this machine. */
Cones *cones_new(const Net *net, const ProgramMode *mode);
/* Changes the mode; to be called before any memory is allocated. Returns false
   and changes nothing if the mode is not available. */
bool cones_set_mode(Cones *cones, const ProgramMode *mode);
/* Both are to be called before any memory is allocated. The first adds programs
   for rounds of `period` steps if they make a step cheaper; the second takes
   over a course of steps and adds programs for it, if they make a playout
   cheaper than rounds do where playouts have `mean` steps and the longest of
   all lanes has `longest`. */
void cones_add_rounds(Cones *cones, uint32_t period);
void cones_add_steps(Cones *cones, Course course, double mean,
                     uint32_t longest);
void cones_delete(Cones *cones);
/* What was added in a trial that was given up is gone: makes the cones what
   they were `before`, in a mode without machine code. */
void cones_restore(Cones *cones, const Cones *before);

uint32_t cones_gates(const Cones *cones); /* of the programs for all states */
/* Of a step of playouts from the initial state, on average over the stages. */
uint32_t cones_step_gates(const Cones *cones);

/* Legs by number: the whole net, those of rounds, those of steps. */
uint32_t cones_leg_count(const Cones *cones);
const Leg *cones_leg(const Cones *cones, uint32_t number);

/* Returns zeroed memory for fluents, moves and scratch; release it with
   memory_delete. */
uint64_t *cones_memory_new(const Cones *cones);

/* After `look`, choices may be written into the moves; the legal vectors are
   valid until another program runs. */
void cones_run_look(const Cones *cones, uint64_t *memory);
void cones_run_goals(const Cones *cones, uint64_t *memory);
void cones_run_next(const Cones *cones, uint64_t *memory);
/* Computes the goals after `look`, or after that of any leg; returns their
   vectors. */
const uint32_t *cones_judge(const Cones *cones, uint64_t *memory);

/* Returns `count` lane vectors, zeroed and aligned; release them with
   memory_delete. */
uint64_t *cones_vectors_new(const Cones *cones, size_t count);

static inline uint64_t *cones_vector(const Cones *cones, uint64_t *memory,
                                     uint32_t vector) {
  return memory + (size_t)vector * cones->mode.words;
}

#endif
