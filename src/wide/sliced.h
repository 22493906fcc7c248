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
  SLICED_TERMS = 7,      /* of a goal's value, at most */
  SLICED_PLANES = 32,    /* of a count of moves, at most */
  SLICED_KEY_PLANES = 7, /* of noise in Gibbs choice */
  SLICED_RAISES = 2,     /* kinds of noise, raised by 0, 1 … */
  SLICED_NOISE_PLANES = 1 + SLICED_RAISES * SLICED_KEY_PLANES
};

/* The moves of one role that are legal in some lane: numbers of vectors, filled
   up to a multiple of eight with a vector that is zero. */
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
   break ties with, the samples, and the same samples raised by 1. The moves
   take the entries in some order, again and again; in each round lanes are
   turned further against them, each within its word. */
typedef struct SlicedContest {
  const uint64_t *noise;
  uint32_t mask;          /* number of entries - 1; a power of two, from 8 on */
  uint32_t entry, stride; /* of the first move; to the next, odd */
  uint32_t turn, step;    /* of the first round; to the next, odd */
  const uint32_t *scores; /* by vector: 256ths of what noise is counted in */
  uint32_t dither; /* < 256, is added to scores before they are rounded down */
} SlicedContest;

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
  /* Moves: vector = legal vector & lanes; list those that are not zero, add
     all to `some`. */
  void (*mask)(uint64_t *memory, uint32_t words, const SlicedMove *moves,
               uint32_t count, const uint64_t *lanes, uint64_t *some,
               SlicedLive *live);
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
  /* In each lane leave the live move with the greatest sum of noise and score;
     live moves are in ascending order of scores. */
  void (*contest)(uint64_t *memory, uint32_t words, const SlicedLive *live,
                  const SlicedContest *contest);
  /* In every plane exchange bits j and j + shift of each word where `masks`, a
     lane vector, has bit j. */
  void (*exchange)(uint64_t *planes, uint32_t words, uint32_t count,
                   uint32_t shift, const uint64_t *masks);
  /* to = from + 1, numbers of SLICED_KEY_PLANES planes. */
  void (*raise)(const uint64_t *from, uint32_t words, uint64_t *to);
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
  /* so many vectors: lanes of the set come from `from` */
  void (*merge)(uint32_t words, uint32_t count, const uint64_t *lanes,
                const uint64_t *from, uint64_t *to);
  uint64_t (*ones)(const uint64_t *vector, uint32_t words);
  uint64_t (*ones_of_both)(const uint64_t *a, const uint64_t *b,
                           uint32_t words);
} Sliced;

const Sliced *sliced_find(Isa isa, uint32_t words);

#endif
