/* The inner loops of wide playouts on lane vectors, with one variant for each
   vector size of the machine; all variants give the same bits.

   A lane vector is `words` 64-bit words, one bit for each lane, aligned to its
   size up to 64 bytes. `memory` is the memory of the programs
   (program/program.h): vector v is memory[v * words …]. A number in planes is
   bit-sliced: plane j, a lane vector, has bit j of every lane's number. */
#ifndef TAFL_WIDE_SLICED_H
#define TAFL_WIDE_SLICED_H

#include "program/program.h"

enum {
  SLICED_TERMS = 7,      /* of a goal's value, at most */
  SLICED_PLANES = 32,    /* of a count of moves, at most */
  SLICED_KEY_PLANES = 7, /* of noise in Gibbs choice */
  SLICED_RAISES = 2,     /* kinds of noise: raised by 0, 1 … */
  SLICED_NOISE_PLANES = 1 + SLICED_RAISES * SLICED_KEY_PLANES
};

/* The moves of one role that are legal in some lane: numbers of vectors, padded
   to a multiple of eight with a vector that is zero. */
typedef struct SlicedLive {
  uint32_t *vectors;
  uint32_t count;
  uint32_t filler;
} SlicedLive;

/* Vectors of a move. */
typedef struct SlicedMove {
  uint32_t move, legal;
} SlicedMove;

/* A Gibbs choice. An entry of noise is SLICED_NOISE_PLANES lane vectors: one to
   break ties, the samples, and the same samples raised by 1. The moves take the
   entries in a fixed order, in rounds; in each round lanes are rotated further
   against them, within their words. */
typedef struct SlicedContest {
  const uint64_t *noise;
  uint32_t mask;          /* entries - 1; entries are a power of two, >= 8 */
  uint32_t entry, stride; /* of the first move; to the next (odd) */
  uint32_t turn, step;    /* of the first round; to the next (odd) */
  const uint32_t *scores; /* by vector, in 256ths of the unit of noise */
  uint32_t dither; /* < 256, added to scores before they are rounded down */
} SlicedContest;

/* The vector of a fluent and that of its next value. */
typedef struct SlicedCopy {
  uint32_t to, from;
  bool initial; /* the fluent's value in the initial state */
} SlicedCopy;

/* What a playout adds for each of its moves: one if its lane is scored, and the
   weights of the masks that contain the lane. */
typedef struct SlicedTerms {
  const uint64_t *scored;
  uint32_t count;
  const uint64_t *masks[SLICED_TERMS];
  uint32_t weights[SLICED_TERMS];
  bool keep; /* keep the occurrences */
} SlicedTerms;

/* A goal's masks: first + j where bit j is set. */
typedef struct SlicedGoal {
  uint32_t first, bits;
} SlicedGoal;

typedef struct Sliced {
  /* For each move: vector = legal vector & lanes. Lists the moves that are not
     zero in `live` and adds all to `some`. */
  void (*mask)(uint64_t *memory, uint32_t words, const SlicedMove *moves,
               uint32_t count, const uint64_t *lanes, uint64_t *some,
               SlicedLive *live);
  /* The same for uniform choice, and counts each lane's legal moves in `planes`
     planes, with 0 instead of 1; `several` gets the lanes that have more than
     one. There are at least two planes, and enough for all moves. If a lane has
     several moves, vectors may have anything in other lanes. */
  void (*muster)(uint64_t *memory, uint32_t words, const SlicedMove *moves,
                 uint32_t count, const uint64_t *lanes, uint32_t planes,
                 uint64_t *some, SlicedLive *live, uint64_t *counts,
                 uint64_t *several);
  /* Draws numbers below the counts, uniform to one part in 2^12; 0 where the
     count is 0. `random` has four planes of generator states. Only the first
     `used` planes have bits and are written, which changes no number. */
  void (*draw)(uint32_t words, uint32_t planes, uint32_t used,
               const uint64_t *counts, uint64_t *random, uint64_t *ranks);
  /* Leaves in each of `lanes` the live move with that rank (0 where not
     `several`), none in others. */
  void (*select)(uint64_t *memory, uint32_t words, const SlicedLive *live,
                 uint32_t planes, const uint64_t *ranks,
                 const uint64_t *several, const uint64_t *lanes);
  /* Leaves in each lane the live move with the greatest sum of noise and score;
     live moves are in ascending order of scores. */
  void (*contest)(uint64_t *memory, uint32_t words, const SlicedLive *live,
                  const SlicedContest *contest);
  /* Exchanges, in every plane, bits j and j + shift of each word where `masks`,
     a lane vector, has bit j. */
  void (*exchange)(uint64_t *planes, uint32_t words, uint32_t count,
                   uint32_t shift, const uint64_t *masks);
  /* to = from + 1, numbers of SLICED_KEY_PLANES planes. */
  void (*raise)(const uint64_t *from, uint32_t words, uint64_t *to);
  /* Copies successors into the fluents. `lanes` keep their state (hold), begin
     again in the initial state, or in the state in `home` (vector i is fluent
     i). */
  void (*advance)(uint64_t *memory, uint32_t words, const SlicedCopy *copies,
                  uint32_t count);
  void (*advance_hold)(uint64_t *memory, uint32_t words,
                       const SlicedCopy *copies, uint32_t count,
                       const uint64_t *lanes);
  void (*advance_initial)(uint64_t *memory, uint32_t words,
                          const SlicedCopy *copies, uint32_t count,
                          const uint64_t *lanes);
  void (*advance_home)(uint64_t *memory, uint32_t words,
                       const SlicedCopy *copies, uint32_t count,
                       const uint64_t *lanes, const uint64_t *home);
  /* Writes the place of each lane's chosen move in the list, in planes. */
  void (*encode)(const uint64_t *memory, uint32_t words, const SlicedLive *live,
                 uint32_t planes, uint64_t *places);
  /* Writes the numbers of at most 16 planes lane by lane. */
  void (*spread)(const uint64_t *planes, uint32_t words, uint32_t count,
                 uint16_t *numbers);
  /* Adds the chosen moves to occurred[move - first]. */
  void (*note)(const uint64_t *memory, uint32_t words, const SlicedLive *live,
               uint32_t first, uint64_t *occurred);
  /* Moves each move's occurrences in `lanes` from `occurred` to `aside`, then
     notes the chosen moves of lanes that moved. */
  void (*set_aside)(const uint64_t *chosen, uint32_t words, uint32_t count,
                    const uint64_t *moved, const uint64_t *lanes,
                    uint64_t *occurred, uint64_t *aside);
  /* Adds the lanes of each goal that is present to its masks. */
  void (*mark)(const uint64_t *goals, uint32_t words,
               const NumberVector *present, const SlicedGoal *list,
               uint64_t *masks);
  /* Adds what each move's occurrences count to its sum (for each word of the
     vector, the scored lanes in the lower 32 bits, the weights in the upper)
     and clears the occurrences unless they are kept. */
  void (*tally)(uint64_t *occurred, uint32_t words, uint32_t count,
                const SlicedTerms *terms, uint64_t *sums);
  /* Adds 1 to the numbers in `lanes`; `reached` gets the lanes at `limit`. */
  void (*increment)(uint32_t words, uint32_t planes, const uint64_t *lanes,
                    uint32_t limit, uint64_t *numbers, uint64_t *reached);
  /* Sets the numbers in `lanes` to a value. */
  void (*assign)(uint32_t words, uint32_t planes, const uint64_t *lanes,
                 uint32_t value, uint64_t *numbers);
  /* Transposes 64 lane vectors as a square of bits in each word: exchanges bit
     i of vector j and bit j of vector i. */
  void (*transpose)(uint32_t words, uint64_t *vectors);
  /* Copies `lanes` of `count` vectors. */
  void (*merge)(uint32_t words, uint32_t count, const uint64_t *lanes,
                const uint64_t *from, uint64_t *to);
  uint64_t (*ones)(const uint64_t *vector, uint32_t words);
  uint64_t (*ones_of_both)(const uint64_t *a, const uint64_t *b,
                           uint32_t words);
} Sliced;

const Sliced *sliced_find(Isa isa, uint32_t words);

#endif
