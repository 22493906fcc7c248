/* The kernel for uniform playouts: every thread plays a word of 32 games
   alone, by straight code made of the net, with the state in registers or in
   memory of its own. Moves are chosen uniformly.

   Where roles take turns, a step has code for each leg of a round
   (wide/legs.h), one after the other, and all games are in step: a playout
   whose start belongs to another leg waits for it. Where a game counts its
   steps, there may be code for legs of steps, through which the games of a
   block go together. Else there is one leg, with the programs for all states.

   In a launch each thread plays one job, 32 playouts or fewer from one start.
   Or playouts flow: lanes begin anew from their word's start for a number of
   steps, and then play to the end. By legs of steps they begin anew when all
   playouts of the block are over. */
#ifndef TAFL_GPU_SOLO_H
#define TAFL_GPU_SOLO_H

#include "gpu/frame.h"
#include "wide/cones.h"

/* Parameters of the entry `play`, in this order. */
#define SOLO_PARAMETERS(POINTER, NUMBER, FRACTION) \
  POINTER(starts)   /* rows of bits; 0: the initial state */ \
  POINTER(phases)   /* stages of the starts, if there are several */ \
  POINTER(results)  /* GpuSums and GpuRoleSums by start */ \
  NUMBER(row_words) /* of 32 bits, of a start */ \
  NUMBER(jobs) \
  NUMBER(rounds)     /* jobs of a start */ \
  NUMBER(lanes)      /* of a job: a mask */ \
  NUMBER(last_lanes) /* of a start's last job */ \
  NUMBER(flow)       /* steps; 0: jobs */ \
  NUMBER(limit)      /* steps after which a playout is cut off */ \
  NUMBER(every)      /* steps after which games that ended are settled: 1 for \
                        jobs, else a multiple of the legs */ \
  NUMBER(aged)       /* flow: settlings after which a playout is cut off */ \
  NUMBER(first)      /* by steps: the first stage of a start */ \
  NUMBER(seed) \
  FRACTION(gamma) /* log2 of the discount of a step */

enum { SOLO_THREADS_MOST = 256 }; /* they have 255 registers each */

/* Ages are counted in planes; `aged` is below this. */
enum { SOLO_AGES = 12, SOLO_AGED_MOST = 1 << SOLO_AGES };

typedef struct SoloLaunch {
#define POINTER(name) unsigned long long name; /* a CUdeviceptr */
#define NUMBER(name) uint32_t name;
#define FRACTION(name) float name;
  SOLO_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
} SoloLaunch;

/* Which programs of the cones are played by. */
typedef enum { SOLO_WHOLE, SOLO_ROUNDS, SOLO_STEPS } SoloCourse;

typedef struct SoloPlan {
  FramePlan frame;
  SoloCourse course;
  uint32_t legs;   /* of that; of the whole net: 1 */
  uint32_t settle; /* steps from one settling to the next, while it flows */
  bool barrier;    /* keep the threads of a block together: they share code */
  uint32_t optimisation; /* of the compiler */
} SoloPlan;

/* Returns the course that the programs are for; NULL for those of all states.
 */
const Course *solo_course(const Cones *cones, SoloCourse course);

/* Returns how the net is played best by such programs, which the cones have;
   registers, if the state fits there. */
SoloPlan solo_plan(const Cones *cones, SoloCourse course);

/* What of a plan can be changed to measure it, a line each: the name, the
   field, the least and the most. */
#define SOLO_TUNABLES(NUMBER) \
  NUMBER(threads, frame.threads, 32, 1024) \
  NUMBER(window, frame.window, 0, 1000000) \
  NUMBER(ahead, frame.ahead, 0, 1000000) \
  NUMBER(held, frame.held, 8, 1000000) \
  NUMBER(near, frame.near, 0, 65536) \
  NUMBER(prefetch, frame.prefetch, 0, 1000000) \
  NUMBER(settle, settle, 1, 1024) \
  NUMBER(optimisation, optimisation, 0, 4)

/* Changes a plan as a text says, such as "held=190,ahead=160". Returns false
   and says why if it does not say that. */
bool solo_tune(SoloPlan *plan, const char *text, Text *why);

typedef struct SoloSize {
  uint32_t instructions;
  uint32_t shared; /* bytes of a block */
  uint32_t local;  /* bytes of a thread, without what the compiler spills, */
  uint32_t places; /* and words of it for values (gpu/hold.h) */
} SoloSize;

/* Writes the module. */
void solo_write(const Cones *cones, const SoloPlan *plan, Text *text,
                SoloSize *size);

/* Returns whether a block of that size suits so much shared memory. If not, the
   plan gets as many threads as fit, or words there, and has to be written
   again. */
bool solo_fit(SoloPlan *plan, const SoloSize *size, uint32_t shared);

/* All of that: the kernel that suits the net best, tuned by a text or NULL.
   Returns false and says why if there is none; the text is free then. */
bool solo_make(const Cones *cones, const char *tune, uint32_t shared,
               SoloPlan *plan, Text *text, SoloSize *size, Text *why);

#endif
