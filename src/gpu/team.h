/* The kernel that every game can be played with: a block of warps plays some
   words of games together, with the state in shared memory and the gates read
   from a roster (gpu/roster.h). Its text has no gates, only their kinds, so it
   is compiled at once.

   Each lane of a word has a thread of its own, in each of the warps that look
   after the word: it knows the lane's age and outcome, counts its legal moves
   and picks one.

   A launch plays jobs. A job is 32 playouts, or fewer, in the lanes of one
   word, from one start or from several; a word that is done takes the next job.
   Or the playouts flow: each word keeps its start, lanes begin anew when their
   playout is over, for a number of steps. */
#ifndef TAFL_GPU_TEAM_H
#define TAFL_GPU_TEAM_H

#include "gpu/roster.h"
#include "gpu/sums.h"

/* Parameters of the entry `play`, in this order. */
#define TEAM_PARAMETERS(POINTER, NUMBER, FRACTION) \
  POINTER(kinds)    /* of the roster */ \
  POINTER(operands) /* of the roster */ \
  POINTER(streams)  /* of the roster */ \
  POINTER(copies)   /* of the roster */ \
  POINTER(goals)    /* TeamGoal of each goal */ \
  POINTER(blocks)   /* of the roster */ \
  POINTER(starts)   /* rows of bits */ \
  POINTER(results)  /* SUMS_FIELDS + SUMS_ROLE_FIELDS · roles by start */ \
  POINTER(counter)  /* jobs taken so far */ \
  POINTER(weights)  /* of the moves, by number in the roster; 0: uniform */ \
  POINTER(credit)   /* TEAM_CREDIT sums by number of the move */ \
  POINTER(occurred) /* a word for each move, by word of games */ \
  NUMBER(slots) \
  NUMBER(first_move) \
  NUMBER(fluents) \
  NUMBER(row_words) /* of 32 bits, of a start */ \
  NUMBER(copy_count) \
  NUMBER(goal_count) \
  NUMBER(roles) \
  NUMBER(moves) /* of the roster */ \
  NUMBER(terminal) \
  NUMBER(limit) /* steps after which a playout is cut off */ \
  NUMBER(jobs) \
  NUMBER(count)      /* of starts */ \
  NUMBER(spread)     /* 2^spread lanes of a word have the same start */ \
  NUMBER(rounds)     /* jobs of a start */ \
  NUMBER(lanes)      /* of a job: a mask */ \
  NUMBER(last_lanes) /* of a start's last job */ \
  NUMBER(flow)       /* steps; 0: jobs */ \
  NUMBER(credited)   /* words that sum up credit, from the first on */ \
  NUMBER(blind)      /* share of steps with uniform choice, in 2^-32 */ \
  NUMBER(seed) \
  FRACTION(gamma) /* log2 of the discount of a step */

typedef struct TeamLaunch {
#define POINTER(name) unsigned long long name; /* a CUdeviceptr */
#define NUMBER(name) uint32_t name;
#define FRACTION(name) float name;
  TEAM_PARAMETERS(POINTER, NUMBER, FRACTION)
#undef POINTER
#undef NUMBER
#undef FRACTION
} TeamLaunch;

typedef struct TeamGoal {
  uint32_t role, value, place;
} TeamGoal;

/* Entries of the roster that may be read past its end. */
enum { TEAM_AHEAD = 4 };
enum { TEAM_PLAYOUTS, TEAM_CREDIT_GOALS, TEAM_RIVAL_GOALS, TEAM_CREDIT };

/* Writes the module. */
void team_write(const Roster *roster, Text *text);
/* Returns the bytes of shared memory that a block needs. */
uint32_t team_shared(const RosterShape *shape, uint32_t slots, uint32_t roles);

#endif
