/* The part of sliced_body.h for Gibbs choice; included there. */

/* ---- Gibbs choice: the greatest sum of noise and score ---- */

/* The best sum so far. It is kept relative to `level`, the score of the last
   move less what its noise is raised by, and lowered as scores ascend. It is 0
   in lanes without a move yet; noise is at least 1. */
typedef struct NAME(Race) {
  V best[SLICED_KEY_PLANES];
  uint32_t level;
  uint32_t entry; /* of the noise, for the next move */
  uint64_t turn;  /* rotation of lanes against the noise */
} NAME(Race);

/* best -= by, clamped at 0. */
INLINE void NAME(lower)(V *best, uint32_t by) {
  V borrow = BROADCAST(0);
  if (by >= 1u << SLICED_KEY_PLANES) by = (1u << SLICED_KEY_PLANES) - 1;
  const uint64_t *low = nibbles[by & 15], *high = nibbles[by >> 4];
  UNROLL for (uint32_t j = 0; j < SLICED_KEY_PLANES; j++) {
    V bit = BROADCAST(j < 4 ? low[j] : high[j - 4]), old = best[j];
    best[j] = PARITY(old, bit, borrow);
    borrow = GREATER(bit, old, borrow);
  }
  UNROLL for (uint32_t j = 0; j < SLICED_KEY_PLANES; j++) best[j] &= ~borrow;
}

/* Makes the move the best in lanes where it is legal and its noise is greater
   than the best, or equal with `tie` set. Returns those lanes. */
INLINE V NAME(overtake)(V *best, const V *noise, size_t stride, V tie,
                        V legal) {
  V key[SLICED_KEY_PLANES], better = tie;
  UNROLL for (uint32_t j = 0; j < SLICED_KEY_PLANES; j++) {
    key[j] = noise[j * stride];
    better = GREATER(key[j], best[j], better);
  }
  better &= legal;
  UNROLL for (uint32_t j = 0; j < SLICED_KEY_PLANES; j++) best[j] =
      CHOOSE(better, key[j], best[j]);
  return better;
}

INLINE V NAME(enter)(NAME(Race) * race, const SlicedContest *contest,
                     uint32_t words, uint32_t c, uint32_t vector, V legal) {
  uint32_t level = (contest->scores[vector] + contest->dither) >> 8;
  uint32_t raise = level % SLICED_RAISES;
  uint32_t entry = race->entry & contest->mask;
  const V *noise =
      NAME(in)(contest->noise, words, entry * SLICED_NOISE_PLANES) + c;
  size_t stride = words / WIDTH;
  level -= raise;
  if (level != race->level) NAME(lower)(race->best, level - race->level);
  race->level = level;
  race->entry = entry + contest->stride;
  return NAME(overtake)(race->best,
                        noise + (1 + raise * SLICED_KEY_PLANES) * stride,
                        stride, noise[0], TURN(legal, race->turn));
}

INLINE void NAME(turn_lanes)(NAME(Race) * race, uint64_t by) {
  race->turn = (race->turn + by) & 63;
  UNROLL for (uint32_t j = 0; j < SLICED_KEY_PLANES; j++) race->best[j] =
      TURN(race->best[j], by);
}

/* Every move gets the lanes where it is the best so far, rotated. Loading four
   moves before storing four took 5.8 ns a move, one by one 8.3 (100 moves; the
   reason was not found). Returns the rotation of the last round. */
INLINE uint64_t NAME(enter_all)(uint64_t *memory, uint32_t words, uint32_t c,
                                const SlicedLive *live,
                                const SlicedContest *contest) {
  NAME(Race) race = {.entry = contest->entry, .turn = contest->turn};
  const uint32_t *vectors = live->vectors;
  uint32_t count = live->count, i = 0;
  UNROLL for (int j = 0; j < SLICED_KEY_PLANES; j++) race.best[j] =
      BROADCAST(0);
  for (; i + 4 <= count; i += 4) {
    V move[4];
    if (i && !(i & contest->mask)) NAME(turn_lanes)(&race, contest->step);
    UNROLL for (uint32_t k = 0; k < 4; k++) move[k] =
        NAME(at)(memory, words, vectors[i + k])[c];
    UNROLL for (uint32_t k = 0; k < 4; k++) move[k] =
        NAME(enter)(&race, contest, words, c, vectors[i + k], move[k]);
    UNROLL for (uint32_t k = 0; k < 4; k++)
        NAME(at)(memory, words, vectors[i + k])[c] = move[k];
  }
  if (i == count) return race.turn;
  if (i && !(i & contest->mask)) NAME(turn_lanes)(&race, contest->step);
  for (; i < count; i++) {
    V *move = NAME(at)(memory, words, vectors[i]) + c;
    *move = NAME(enter)(&race, contest, words, c, vectors[i], *move);
  }
  return race.turn;
}

/* Rotates lanes back; the last of the moves that have a lane keeps it. */
INLINE void NAME(keep_last)(uint64_t *memory, uint32_t words, uint32_t c,
                            const SlicedLive *live, uint64_t turn,
                            const SlicedContest *contest) {
  V taken = BROADCAST(0);
  const uint32_t *vectors = live->vectors;
  uint32_t i = (live->count + 7) / 8 * 8;
  while (i > 0) {
    V move[8];
    i -= 8;
    UNROLL for (uint32_t k = 8; k-- > 0;) move[k] =
        NAME(at)(memory, words, vectors[i + k])[c];
    UNROLL for (uint32_t k = 8; k-- > 0;) {
      V here = TURN(move[k], -turn & 63);
      move[k] = here & ~taken;
      taken |= here;
    }
    UNROLL for (uint32_t k = 8; k-- > 0;)
        NAME(at)(memory, words, vectors[i + k])[c] = move[k];
    if (!(i & contest->mask)) turn -= contest->step;
  }
}

INLINE void NAME(contest_column)(uint64_t *memory, uint32_t words, uint32_t c,
                                 const SlicedLive *live,
                                 const SlicedContest *contest) {
  uint64_t turn = NAME(enter_all)(memory, words, c, live, contest);
  NAME(keep_last)(memory, words, c, live, turn, contest);
}

ENTRY void NAME(contest)(uint64_t *memory, uint32_t words,
                         const SlicedLive *live, const SlicedContest *given) {
  const SlicedContest contest = *given; /* no store can change it */
  if (words == WIDTH)
    NAME(contest_column)(memory, WIDTH, 0, live, &contest);
  else
    for (uint32_t c = 0; c < words / WIDTH; c++)
      NAME(contest_column)(memory, words, c, live, &contest);
}

/* ---- noise ---- */

ENTRY void NAME(exchange)(uint64_t *planes, uint32_t words, uint32_t count,
                          uint32_t shift, const uint64_t *masks) {
  for (uint32_t j = 0; j < count; j++)
    for (uint32_t c = 0; c < words / WIDTH; c++) {
      V *plane = NAME(at)(planes, words, j) + c;
      V differ = (*plane ^ *plane >> shift) & NAME(in)(masks, words, 0)[c];
      *plane ^= differ ^ differ << shift;
    }
}

ENTRY void NAME(raise)(const uint64_t *from, uint32_t words, uint64_t *to) {
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V carry = BROADCAST(~UINT64_C(0));
    for (uint32_t j = 0; j < SLICED_KEY_PLANES; j++) {
      V old = NAME(in)(from, words, j)[c];
      NAME(at)(to, words, j)[c] = old ^ carry;
      carry &= old;
    }
  }
}
