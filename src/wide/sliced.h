/* The inner loops of wide playouts on lane vectors, one variant for each vector
   size of the machine; all variants give the same bits.

   A lane vector is `words` 64-bit words, one bit a lane, aligned to its size up
   to 64 bytes. `memory` is the memory of the programs (engine/program.h):
   vector v is memory[v * words …]. A number in planes is bit-sliced: plane j, a
   lane vector, has bit j of every lane's number. */
#ifndef TAFL_WIDE_SLICED_H
#define TAFL_WIDE_SLICED_H

#include "program/program.h"

enum {
  SLICED_TERMS = 7,
  SLICED_PLANES = 32,                         /* of a count of moves, at most */
  SLICED_KEY_PLANES = 8,                      /* of a key in Gibbs choice */
  SLICED_NOISE_PLANES = SLICED_KEY_PLANES + 1 /* and one to break ties */
};

/* The moves of one role that are legal in some lane: numbers of vectors, filled
   up to a multiple of eight with a vector that is zero. */
typedef struct SlicedLive {
  uint32_t *vectors;
  uint32_t count;
  uint32_t filler;
} SlicedLive;

/* A move's key in Gibbs choice: noise, turned within its words, plus score plus
   carry. */
typedef struct SlicedEntrant {
  const uint64_t *noise; /* planes, and one more to break ties */
  uint8_t score;
  uint8_t turn; /* less than 64 */
  bool carry;
} SlicedEntrant;

/* Where a fluent's next value is. */
typedef struct SlicedCopy {
  uint32_t to, from;
  bool initial; /* the fluent's value in the initial state */
} SlicedCopy;

/* What a playout counts for its moves: one if its lane is scored, and the sum
   of the weights of the masks that have the lane. */
typedef struct SlicedTerms {
  const uint64_t *scored;
  uint32_t count;
  const uint64_t *masks[SLICED_TERMS];
  uint32_t weights[SLICED_TERMS];
} SlicedTerms;

/* A goal's masks: first + j where bit j is set. */
typedef struct SlicedGoal {
  uint32_t first, bits;
} SlicedGoal;

typedef struct Sliced {
  /* Moves first … first + count: vector = legal vector & lanes; list those
     that are not zero, add all to `some`. */
  void (*mask)(uint64_t *memory, uint32_t words, const uint32_t *legal,
               uint32_t first, uint32_t count, const uint64_t *lanes,
               uint64_t *some, SlicedLive *live);
  /* How many live moves each lane has, in `planes` planes, but 0 instead of 1;
     in `several` the lanes that have more than one. */
  void (*count)(const uint64_t *memory, uint32_t words, const SlicedLive *live,
                uint32_t planes, uint64_t *counts, uint64_t *several);
  /* Numbers below the counts, uniform but for one part in 2^12; 0 where the
     count is. `random` has four planes of generator states. */
  void (*draw)(uint32_t words, uint32_t planes, const uint64_t *counts,
               uint64_t *random, uint64_t *ranks);
  /* In each lane leave the live move with that rank, 0 where not `several`. */
  void (*select)(uint64_t *memory, uint32_t words, const SlicedLive *live,
                 uint32_t planes, const uint64_t *ranks,
                 const uint64_t *several);
  /* In each lane leave the live move with the greatest key. */
  void (*contest)(uint64_t *memory, uint32_t words, const SlicedLive *live,
                  const SlicedEntrant *entrants);
  /* In every plane exchange bits j and j + shift of each word where `masks`, a
     lane vector, has bit j. */
  void (*exchange)(uint64_t *planes, uint32_t words, uint32_t count,
                   uint32_t shift, const uint64_t *masks);
  /* Successors into the fluents. Lanes of `lanes` keep their state (hold),
     begin again in the initial state, or in the state in `home` (vector i is
     fluent i). */
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
  /* Each lane's place of its chosen move in the list, in planes. */
  void (*encode)(const uint64_t *memory, uint32_t words, const SlicedLive *live,
                 uint32_t planes, uint64_t *places);
  /* The numbers out of at most 16 planes, side by side. */
  void (*spread)(const uint64_t *planes, uint32_t words, uint32_t count,
                 uint16_t *numbers);
  /* The chosen moves into occurred[move - first]. */
  void (*note)(const uint64_t *memory, uint32_t words, const SlicedLive *live,
               uint32_t first, uint64_t *occurred);
  /* Each move's occurrences in `lanes` go from `occurred` to `aside`; then the
     chosen moves of lanes that moved are noted. */
  void (*set_aside)(const uint64_t *chosen, uint32_t words, uint32_t count,
                    const uint64_t *moved, const uint64_t *lanes,
                    uint64_t *occurred, uint64_t *aside);
  /* The lanes of each goal that is present into its masks. */
  void (*mark)(const uint64_t *goals, uint32_t words,
               const NumberVector *present, const SlicedGoal *list,
               uint64_t *masks);
  /* Add what each move's occurrences count to its sum, for each word of the
     vector the scored lanes in the lower 32 bits, the weights in the upper; and
     forget the occurrences. */
  void (*tally)(uint64_t *occurred, uint32_t words, uint32_t count,
                const SlicedTerms *terms, uint64_t *sums);
  /* numbers + 1 in `lanes`; those equal to `limit` into `reached`. */
  void (*increment)(uint32_t words, uint32_t planes, const uint64_t *lanes,
                    uint32_t limit, uint64_t *numbers, uint64_t *reached);
  /* numbers = value in `lanes`. */
  void (*assign)(uint32_t words, uint32_t planes, const uint64_t *lanes,
                 uint32_t value, uint64_t *numbers);
  /* 64 lane vectors as a square of bits in each word: bit i of vector j and bit
     j of vector i change places. */
  void (*transpose)(uint32_t words, uint64_t *vectors);
  uint64_t (*ones)(const uint64_t *vector, uint32_t words);
  uint64_t (*ones_of_both)(const uint64_t *a, const uint64_t *b,
                           uint32_t words);
} Sliced;

const Sliced *sliced_find(Isa isa, uint32_t words);

#endif
