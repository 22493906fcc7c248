/* clang-format off */
/* The loops of sliced.h for one vector type. sliced.c includes this for each
   variant, after defining

     V, WIDTH              the vector type and how many words it has
     NAME(x)               the variant's name for x
     TARGET                attributes of every function
     ANY(x)                whether some bit is set
     MAJORITY(a, b, c)     bit by bit
     PARITY(a, b, c)       bit by bit
     CHOOSE(mask, a, b)    bit by bit: a where the mask is set, otherwise b
     GREATER(a, b, c)      bit by bit: a > b, or c where they are equal
     BROADCAST(w)          a vector of that word
     ROTATE(x, by)         rotates each word by a constant
     TURN(x, by)           rotates each word by a variable

   A lane vector is split into columns of WIDTH words; columns are independent,
   except that a move is live if it is legal in any of them. */
/* clang-format on */

#define INLINE static inline __attribute__((always_inline)) TARGET
#define ENTRY static TARGET

INLINE V *NAME(at)(uint64_t *memory, uint32_t words, uint32_t vector) {
  return (V *)(void *)(memory + (size_t)vector * words);
}

INLINE const V *NAME(in)(const uint64_t *memory, uint32_t words,
                         uint32_t vector) {
  return (const V *)(const void *)(memory + (size_t)vector * words);
}

/* ---- live moves ---- */

INLINE void NAME(mask_columns)(uint64_t *memory, uint32_t words,
                               uint32_t columns, const SlicedMove *moves,
                               uint32_t count, const uint64_t *lanes,
                               uint64_t *some, SlicedLive *live) {
  const V *mask = NAME(in)(lanes, words, 0);
  V *all = NAME(at)(some, words, 0), sum = all[0];
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    const V *from = NAME(in)(memory, words, moves[i].legal);
    V *to = NAME(at)(memory, words, moves[i].move);
    V here = to[0] = from[0] & mask[0];
    sum |= here;
    for (uint32_t c = 1; c < columns; c++) {
      V more = to[c] = from[c] & mask[c];
      all[c] |= more;
      here |= more;
    }
    live->vectors[found] = moves[i].move;
    found += ANY(here);
  }
  all[0] = sum;
  live->count = found;
  while (found % 8) live->vectors[found++] = live->filler;
}

/* The same for one column, with four loads before four stores: 1.5 ns a move
   instead of 2.1. */
INLINE void NAME(mask_one)(uint64_t *memory, const SlicedMove *moves,
                           uint32_t count, const uint64_t *lanes,
                           uint64_t *some, SlicedLive *live) {
  V mask = *NAME(in)(lanes, WIDTH, 0), sum = *NAME(at)(some, WIDTH, 0);
  uint32_t *vectors = live->vectors, found = 0, i = 0;
  for (; i + 4 <= count; i += 4) {
    V here[4];
    UNROLL for (uint32_t k = 0; k < 4; k++) here[k] =
        *NAME(in)(memory, WIDTH, moves[i + k].legal) & mask;
    UNROLL for (uint32_t k = 0; k < 4; k++) {
      *NAME(at)(memory, WIDTH, moves[i + k].move) = here[k];
      sum |= here[k];
      vectors[found] = moves[i + k].move;
      found += ANY(here[k]);
    }
  }
  for (; i < count; i++) {
    V here = *NAME(in)(memory, WIDTH, moves[i].legal) & mask;
    *NAME(at)(memory, WIDTH, moves[i].move) = here;
    sum |= here;
    vectors[found] = moves[i].move;
    found += ANY(here);
  }
  *NAME(at)(some, WIDTH, 0) = sum;
  live->count = found;
  while (found % 8) vectors[found++] = live->filler;
}

ENTRY void NAME(mask)(uint64_t *memory, uint32_t words, const SlicedMove *moves,
                      uint32_t count, const uint64_t *lanes, uint64_t *some,
                      SlicedLive *live) {
  if (words == WIDTH)
    NAME(mask_one)(memory, moves, count, lanes, some, live);
  else
    NAME(mask_columns)
  (memory, words, words / WIDTH, moves, count, lanes, some, live);
}

#include "wide/sliced_choose.h"
#include "wide/sliced_contest.h"

/* ---- successors ---- */

ENTRY void NAME(advance)(uint64_t *memory, uint32_t words,
                         const SlicedCopy *copies, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t c = 0; c < words / WIDTH; c++) NAME(at)
  (memory, words, copies[i].to)[c] = NAME(in)(memory, words, copies[i].from)[c];
}

ENTRY void NAME(advance_hold)(uint64_t *memory, uint32_t words,
                              const SlicedCopy *copies, uint32_t count,
                              const uint64_t *lanes) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V mask = NAME(in)(lanes, words, 0)[c];
    for (uint32_t i = 0; i < count; i++) {
      V *to = NAME(at)(memory, words, copies[i].to) + c;
      *to = CHOOSE(mask, *to, NAME(in)(memory, words, copies[i].from)[c]);
    }
  }
}

ENTRY void NAME(advance_initial)(uint64_t *memory, uint32_t words,
                                 const SlicedCopy *copies, uint32_t count,
                                 const uint64_t *lanes) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V mask = NAME(in)(lanes, words, 0)[c];
    for (uint32_t i = 0; i < count; i++) {
      V initial = BROADCAST(-(uint64_t)copies[i].initial);
      NAME(at)
      (memory, words, copies[i].to)[c] =
          CHOOSE(mask, initial, NAME(in)(memory, words, copies[i].from)[c]);
    }
  }
}

ENTRY void NAME(advance_home)(uint64_t *memory, uint32_t words,
                              const SlicedCopy *copies, uint32_t count,
                              const uint64_t *lanes, const uint64_t *home) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V mask = NAME(in)(lanes, words, 0)[c];
    for (uint32_t i = 0; i < count; i++) NAME(at)
    (memory, words, copies[i].to)[c] =
        CHOOSE(mask, NAME(in)(home, words, copies[i].to)[c],
               NAME(in)(memory, words, copies[i].from)[c]);
  }
}

/* ---- records and statistics ---- */

ENTRY void NAME(encode)(const uint64_t *memory, uint32_t words,
                        const SlicedLive *live, uint32_t planes,
                        uint64_t *places) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V low[3] = {BROADCAST(0), BROADCAST(0), BROADCAST(0)}, high[SLICED_PLANES];
    for (uint32_t j = 3; j < planes; j++) high[j] = BROADCAST(0);
    for (uint32_t i = 0; i < live->count; i += 8) {
      V x[8];
      UNROLL for (int k = 0; k < 8; k++) x[k] =
          NAME(in)(memory, words, live->vectors[i + (uint32_t)k])[c];
      V odd = x[1] | x[3], upper = x[6] | x[7], last = x[4] | x[5] | upper;
      low[0] |= odd | x[5] | x[7];
      low[1] |= x[2] | x[3] | upper;
      low[2] |= last;
      V any = x[0] | x[2] | odd | last;
      for (uint32_t j = 3; j < planes; j++)
        if (i >> j & 1) high[j] |= any;
    }
    for (uint32_t j = 0; j < planes; j++)
      NAME(at)(places, words, j)[c] = j < 3 ? low[j] : high[j];
  }
}

/* Takes eight lanes of eight planes at a time. */
ENTRY void NAME(spread)(const uint64_t *planes, uint32_t words, uint32_t count,
                        uint16_t *numbers) {
  memset(numbers, 0, (size_t)64 * words * sizeof *numbers);
  for (uint32_t first = 0; first < count; first += 8)
    for (uint32_t i = 0; i < 8 * words; i++) {
      uint64_t square = 0;
      for (uint32_t j = 0; j < 8 && first + j < count; j++)
        square |= (planes[(first + j) * words + i / 8] >> i % 8 * 8 & 255)
                  << 8 * j;
      square = turn_square(square);
      for (uint32_t k = 0; k < 8; k++)
        numbers[8 * i + k] |= (uint16_t)((square >> 8 * k & 255) << first);
    }
}

ENTRY void NAME(note)(const uint64_t *memory, uint32_t words,
                      const SlicedLive *live, uint32_t first,
                      uint64_t *occurred) {
  for (uint32_t c = 0; c < words / WIDTH; c++)
    for (uint32_t i = 0; i < live->count; i++) {
      uint32_t vector = live->vectors[i];
      NAME(at)
      (occurred, words, vector - first)[c] |=
          NAME(in)(memory, words, vector)[c];
    }
}

ENTRY void NAME(set_aside)(const uint64_t *chosen, uint32_t words,
                           uint32_t count, const uint64_t *moved,
                           const uint64_t *lanes, uint64_t *occurred,
                           uint64_t *aside) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V mask = NAME(in)(lanes, words, 0)[c], some = NAME(in)(moved, words, 0)[c];
    for (uint32_t m = 0; m < count; m++) {
      V *at = NAME(at)(occurred, words, m) + c, before = *at;
      NAME(at)(aside, words, m)[c] |= before & mask;
      *at = (before & ~mask) | (NAME(in)(chosen, words, m)[c] & some);
    }
  }
}

ENTRY void NAME(mark)(const uint64_t *goals, uint32_t words,
                      const NumberVector *present, const SlicedGoal *list,
                      uint64_t *masks) {
  for (uint32_t c = 0; c < words / WIDTH; c++)
    for (uint32_t i = 0; i < present->count; i++) {
      SlicedGoal goal = list[present->data[i]];
      V here = NAME(in)(goals, words, present->data[i])[c];
      V *to = NAME(at)(masks, words, goal.first) + c;
      for (; goal.bits; goal.bits &= goal.bits - 1)
        to[(uint32_t)__builtin_ctz(goal.bits) * (words / WIDTH)] |= here;
    }
}

ENTRY void NAME(tally)(uint64_t *occurred, uint32_t words, uint32_t count,
                       const SlicedTerms *terms, uint64_t *sums) {
  for (uint32_t m = 0; m < count; m++, occurred += words, sums += words)
    for (uint32_t i = 0; i < words; i++) {
      uint64_t taken = occurred[i], goals = 0;
      if (!taken) continue;
      if (!terms->keep) occurred[i] = 0;
      for (uint32_t t = 0; t < terms->count; t++)
        goals += (uint64_t)__builtin_popcountll(taken & terms->masks[t][i]) *
                 terms->weights[t];
      sums[i] += (uint64_t)__builtin_popcountll(taken & terms->scored[i]) +
                 (goals << 32);
    }
}

ENTRY void NAME(increment)(uint32_t words, uint32_t planes,
                           const uint64_t *lanes, uint32_t limit,
                           uint64_t *numbers, uint64_t *reached) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V carry = NAME(in)(lanes, words, 0)[c], equal = BROADCAST(~UINT64_C(0));
    for (uint32_t j = 0; j < planes; j++) {
      V *plane = NAME(at)(numbers, words, j) + c;
      V old = *plane, sum = old ^ carry;
      carry &= old;
      *plane = sum;
      equal &= sum ^ BROADCAST((uint64_t)(limit >> j & 1) - 1);
    }
    NAME(at)(reached, words, 0)[c] = equal;
  }
}

ENTRY void NAME(assign)(uint32_t words, uint32_t planes, const uint64_t *lanes,
                        uint32_t value, uint64_t *numbers) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V mask = NAME(in)(lanes, words, 0)[c];
    for (uint32_t j = 0; j < planes; j++) {
      V *plane = NAME(at)(numbers, words, j) + c;
      *plane = CHOOSE(mask, BROADCAST(-(uint64_t)(value >> j & 1)), *plane);
    }
  }
}

ENTRY void NAME(merge)(uint32_t words, uint32_t count, const uint64_t *lanes,
                       const uint64_t *from, uint64_t *to) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V mask = NAME(in)(lanes, words, 0)[c];
    for (uint32_t i = 0; i < count; i++) {
      V *vector = NAME(at)(to, words, i) + c;
      *vector = CHOOSE(mask, NAME(in)(from, words, i)[c], *vector);
    }
  }
}

/* Exchanges halves of ever smaller blocks (Warren, Hacker's Delight, 7-3),
   three times for eight vectors that are loaded once: `size`, `size` / 2 and
   `size` / 4, with the mask of the first. */
INLINE void NAME(transpose_eight)(V *first, size_t stride, uint32_t size,
                                  uint64_t mask) {
  V v[8];
  UNROLL for (uint32_t i = 0; i < 8; i++) v[i] = first[i * stride];
  UNROLL for (uint32_t half = 4; half; half /= 2) {
    UNROLL for (uint32_t i = 0; i < 8; i++) {
      if (i & half) continue;
      V swap = (v[i] >> size ^ v[i | half]) & BROADCAST(mask);
      v[i] ^= swap << size;
      v[i | half] ^= swap;
    }
    size /= 2;
    mask ^= mask << size;
  }
  UNROLL for (uint32_t i = 0; i < 8; i++) first[i * stride] = v[i];
}

ENTRY void NAME(transpose)(uint32_t words, uint64_t *vectors) {
  size_t stride = words / WIDTH;
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V *all = NAME(at)(vectors, words, 0) + c;
    for (uint32_t i = 0; i < 8; i++)
      NAME(transpose_eight)(all + i * stride, 8 * stride, 32, 0xffffffffu);
    for (uint32_t i = 0; i < 64; i += 8)
      NAME(transpose_eight)(all + i * stride, stride, 4, 0x0f0f0f0f0f0f0f0fu);
  }
}

ENTRY uint64_t NAME(ones)(const uint64_t *vector, uint32_t words) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < words; i++)
    sum += (uint64_t)__builtin_popcountll(vector[i]);
  return sum;
}

ENTRY uint64_t NAME(ones_of_both)(const uint64_t *a, const uint64_t *b,
                                  uint32_t words) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < words; i++)
    sum += (uint64_t)__builtin_popcountll(a[i] & b[i]);
  return sum;
}

/* The table of functions; some of them have another variant. */
#define TABLE(...) TABLE_OF(__VA_ARGS__)
#define TABLE_OF(tally_function, spread_function, ones_function, \
                 both_function) \
  { \
    NAME(mask), NAME(muster), NAME(draw), NAME(select), NAME(contest), \
        NAME(exchange), NAME(raise), NAME(advance), NAME(advance_hold), \
        NAME(advance_initial), NAME(advance_home), NAME(encode), \
        spread_function, NAME(note), NAME(set_aside), NAME(mark), \
        tally_function, NAME(increment), NAME(assign), NAME(transpose), \
        NAME(merge), ones_function, both_function \
  }
static const Sliced NAME(sliced) = TABLE(NAME(tally), NAME(spread), NAME(ones),
                                         NAME(ones_of_both));
#ifdef COUNTING
static const Sliced NAME(counting) = TABLE(COUNTING);
#endif

#undef TABLE
#undef TABLE_OF
#undef V
#undef WIDTH
#undef NAME
#undef TARGET
#undef ANY
#undef MAJORITY
#undef PARITY
#undef GREATER
#undef CHOOSE
#undef BROADCAST
#undef ROTATE
#undef TURN
#undef INLINE
#undef ENTRY
