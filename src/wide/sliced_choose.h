/* The part of sliced_body.h for uniform choice; included there. */

/* ---- uniform choice: count, draw a rank, select it ---- */

/* Sums of the pairs, fours and all of eight bits, in planes. */
typedef struct NAME(Tree) {
  V leaf[8], pair[4][2], four[2][3], eight[4];
} NAME(Tree);

INLINE void NAME(add_pair)(V a, V b, V *sum) {
  sum[0] = a ^ b;
  sum[1] = a & b;
}

INLINE void NAME(add_four)(const V *a, const V *b, V *sum) {
  V carry = a[0] & b[0];
  sum[0] = a[0] ^ b[0];
  sum[1] = PARITY(a[1], b[1], carry);
  sum[2] = MAJORITY(a[1], b[1], carry);
}

INLINE void NAME(add_eight)(const V *a, const V *b, V *sum) {
  V carry = a[0] & b[0];
  sum[0] = a[0] ^ b[0];
  sum[1] = PARITY(a[1], b[1], carry);
  carry = MAJORITY(a[1], b[1], carry);
  sum[2] = PARITY(a[2], b[2], carry);
  sum[3] = MAJORITY(a[2], b[2], carry);
}

INLINE void NAME(sum_four)(const V *leaf, V (*pair)[2], V *four) {
  NAME(add_pair)(leaf[0], leaf[1], pair[0]);
  NAME(add_pair)(leaf[2], leaf[3], pair[1]);
  NAME(add_four)(pair[0], pair[1], four);
}

INLINE void NAME(sum_eight)(NAME(Tree) * t) {
  NAME(sum_four)(t->leaf, t->pair, t->four[0]);
  NAME(sum_four)(t->leaf + 4, t->pair + 2, t->four[1]);
  NAME(add_eight)(t->four[0], t->four[1], t->eight);
}

INLINE void NAME(load_four)(const uint64_t *memory, uint32_t words,
                            uint32_t column, const uint32_t *list, V *leaf) {
  leaf[0] = NAME(in)(memory, words, list[0])[column];
  leaf[1] = NAME(in)(memory, words, list[1])[column];
  leaf[2] = NAME(in)(memory, words, list[2])[column];
  leaf[3] = NAME(in)(memory, words, list[3])[column];
}

INLINE void NAME(load_eight)(const uint64_t *memory, uint32_t words,
                             uint32_t column, const uint32_t *list,
                             NAME(Tree) * t) {
  NAME(load_four)(memory, words, column, list, t->leaf);
  NAME(load_four)(memory, words, column, list + 4, t->leaf + 4);
  NAME(sum_eight)(t);
}

/* The same for four leaves alone. */
INLINE void NAME(load_half)(const uint64_t *memory, uint32_t words,
                            uint32_t column, const uint32_t *list,
                            NAME(Tree) * t) {
  NAME(load_four)(memory, words, column, list, t->leaf);
  NAME(sum_four)(t->leaf, t->pair, t->four[0]);
  t->eight[0] = t->four[0][0];
  t->eight[1] = t->four[0][1];
  t->eight[2] = t->four[0][2];
  t->eight[3] = BROADCAST(0);
}

enum { NAME(OFTEN) = 3 };
#define OFTEN NAME(OFTEN)

/* A number: its four low planes are in registers, its `high` planes in
   memory. */
typedef struct NAME(Number) {
  V low[4], *above;
  uint32_t high;
} NAME(Number);

/* n += sum. */
INLINE void NAME(add)(NAME(Number) * n, const V *sum) {
  V carry = n->low[0] & sum[0], old = n->low[1];
  n->low[0] ^= sum[0];
  n->low[1] = PARITY(old, sum[1], carry);
  carry = MAJORITY(old, sum[1], carry);
  old = n->low[2];
  n->low[2] = PARITY(old, sum[2], carry);
  carry = MAJORITY(old, sum[2], carry);
  old = n->low[3];
  n->low[3] = PARITY(old, sum[3], carry);
  carry = MAJORITY(old, sum[3], carry);
  for (uint32_t j = 0; j < n->high; j++) {
    if (j == OFTEN && !ANY(carry)) return;
    old = n->above[j];
    n->above[j] = old ^ carry;
    carry &= old;
  }
}

/* n -= sum; returns the lanes where n was less. */
INLINE V NAME(subtract)(NAME(Number) * n, const V *sum) {
  V borrow = ~n->low[0] & sum[0], old = n->low[1];
  n->low[0] ^= sum[0];
  n->low[1] = PARITY(old, sum[1], borrow);
  borrow = GREATER(sum[1], old, borrow);
  old = n->low[2];
  n->low[2] = PARITY(old, sum[2], borrow);
  borrow = GREATER(sum[2], old, borrow);
  old = n->low[3];
  n->low[3] = PARITY(old, sum[3], borrow);
  borrow = GREATER(sum[3], old, borrow);
  for (uint32_t j = 0; j < n->high; j++) {
    old = n->above[j];
    n->above[j] = old ^ borrow;
    borrow &= ~old;
  }
  return borrow;
}

/* Returns plane j of column c, or zero past the last plane. */
INLINE V NAME(plane)(const uint64_t *numbers, uint32_t words, uint32_t planes,
                     uint32_t j, uint32_t c) {
  return j < planes ? NAME(in)(numbers, words, j)[c] : BROADCAST(0);
}

/* Writes the counts of a column in `lanes`, with 0 instead of 1. */
INLINE void NAME(write_counts)(const NAME(Number) * n, uint32_t words,
                               uint32_t planes, V lanes, uint64_t *counts,
                               uint64_t *several, uint32_t c) {
  V more = n->low[1] | n->low[2] | n->low[3];
  for (uint32_t j = 0; j < n->high; j++) more |= n->above[j];
  more &= lanes;
  NAME(at)(several, words, 0)[c] = more;
  NAME(at)(counts, words, 0)[c] = n->low[0] & more;
  NAME(at)(counts, words, 1)[c] = n->low[1] & lanes;
  if (planes > 2) NAME(at)(counts, words, 2)[c] = n->low[2] & lanes;
  if (planes > 3) NAME(at)(counts, words, 3)[c] = n->low[3] & lanes;
  for (uint32_t j = 0; j < n->high; j++)
    NAME(at)(counts, words, j + 4)[c] = n->above[j] & lanes;
}

INLINE void NAME(count_column)(const uint64_t *memory, uint32_t words,
                               const SlicedLive *live, uint32_t planes, V lanes,
                               uint64_t *counts, uint64_t *several,
                               uint32_t c) {
  V zero = BROADCAST(0), above[SLICED_PLANES];
  NAME(Number) n = {{zero, zero, zero, zero}, above, 0};
  NAME(Tree) t;
  uint32_t i = 0;
  if (planes > 4) n.high = planes - 4;
  for (uint32_t j = 0; j < n.high; j++) above[j] = zero;
  for (; i + 4 < live->count; i += 8) {
    NAME(load_eight)(memory, words, c, live->vectors + i, &t);
    NAME(add)(&n, t.eight);
  }
  if (i < live->count) {
    NAME(load_half)(memory, words, c, live->vectors + i, &t);
    NAME(add)(&n, t.eight);
  }
  NAME(write_counts)(&n, words, planes, lanes, counts, several, c);
}

/* Loads a move; returns its legality. Where that is computed in the vector of
   the move itself nothing is stored. */
INLINE V NAME(call)(uint64_t *memory, SlicedMove move) {
  V legal = *NAME(in)(memory, WIDTH, move.legal);
  if (move.move != move.legal) *NAME(at)(memory, WIDTH, move.move) = legal;
  return legal;
}

/* One column: moves are counted as they are loaded. */
INLINE void NAME(muster_one)(uint64_t *memory, const SlicedMove *moves,
                             uint32_t count, V lanes, uint32_t planes,
                             uint64_t *some, SlicedLive *live, uint64_t *counts,
                             uint64_t *several) {
  V zero = BROADCAST(0), above[SLICED_PLANES];
  NAME(Number) n = {{zero, zero, zero, zero}, above, 0};
  NAME(Tree) t;
  uint32_t *vectors = live->vectors, found = 0, i = 0;
  if (planes > 4) n.high = planes - 4;
  for (uint32_t j = 0; j < n.high; j++) above[j] = zero;
  for (; i + 8 <= count; i += 8) {
    uint32_t before = found;
    UNROLL for (uint32_t k = 0; k < 8; k++) t.leaf[k] =
        NAME(call)(memory, moves[i + k]);
    UNROLL for (uint32_t k = 0; k < 8; k++) {
      vectors[found] = moves[i + k].move;
      found += ANY(t.leaf[k] & lanes);
    }
    if (found == before) continue;
    NAME(sum_eight)(&t);
    NAME(add)(&n, t.eight);
  }
  for (; i < count; i++) {
    V one[4] = {NAME(call)(memory, moves[i]), zero, zero, zero};
    vectors[found] = moves[i].move;
    found += ANY(one[0] & lanes);
    NAME(add)(&n, one);
  }
  NAME(write_counts)(&n, WIDTH, planes, lanes, counts, several, 0);
  *NAME(at)(some, WIDTH, 0) = (n.low[0] & lanes) | *NAME(at)(several, WIDTH, 0);
  live->count = found;
  for (i = 0; i < found && !ANY(*NAME(in)(several, WIDTH, 0)); i++)
    *NAME(at)(memory, WIDTH, vectors[i]) &= lanes;
  while (found % 8) vectors[found++] = live->filler;
}

ENTRY void NAME(muster)(uint64_t *memory, uint32_t words,
                        const SlicedMove *moves, uint32_t count,
                        const uint64_t *lanes, uint32_t planes, uint64_t *some,
                        SlicedLive *live, uint64_t *counts, uint64_t *several) {
  if (words == WIDTH) {
    NAME(muster_one)
    (memory, moves, count, *NAME(in)(lanes, WIDTH, 0), planes, some, live,
     counts, several);
    return;
  }
  NAME(mask)(memory, words, moves, count, lanes, some, live);
  for (uint32_t c = 0; c < words / WIDTH; c++)
    if (live->count > 1) NAME(count_column)
  (memory, words, live, planes, NAME(in)(lanes, words, 0)[c], counts, several,
   c);
  else NAME(at)(several, words, 0)[c] = BROADCAST(0);
}

/* xoshiro256++ (Blackman and Vigna 2018) in every word. */
INLINE V NAME(random)(V *s) {
  V sum = s[0] + s[3], result = ROTATE(sum, 23) + s[0], shifted = s[1] << 17;
  V third = s[2] ^ s[0], fourth = s[3] ^ s[1];
  s[1] ^= third;
  s[0] ^= fourth;
  s[2] = third ^ shifted;
  s[3] = ROTATE(fourth, 45);
  return result;
}

/* The product of the counts and a random fraction, rounded down: shift and add,
   from the fraction's lowest bit. */
INLINE void NAME(multiply)(const V *counts, uint32_t planes, uint32_t bits,
                           V *state, V *product) {
  V n[SLICED_PLANES], p[SLICED_PLANES];
  UNROLL for (uint32_t j = 0; j < planes; j++) {
    n[j] = counts[j];
    p[j] = BROADCAST(0);
  }
  for (uint32_t bit = 0; bit < bits; bit++) {
    V random = NAME(random)(state), carry = BROADCAST(0);
    UNROLL for (uint32_t j = 0; j < planes; j++) {
      V addend = n[j] & random, sum = PARITY(p[j], addend, carry);
      carry = MAJORITY(p[j], addend, carry);
      if (j) p[j - 1] = sum;
    }
    p[planes - 1] = carry;
  }
  UNROLL for (uint32_t j = 0; j < planes; j++) product[j] = p[j];
}

ENTRY void NAME(draw)(uint32_t words, uint32_t planes, uint32_t used,
                      const uint64_t *counts, uint64_t *random,
                      uint64_t *ranks) {
  uint32_t bits = 12 + (planes <= 8    ? planes
                        : planes <= 12 ? 12
                                       : SLICED_PLANES);
  for (uint32_t c = 0; c < words / WIDTH; c++) {
    V n[SLICED_PLANES], rank[SLICED_PLANES], state[4];
    for (uint32_t j = 0; j < 4; j++) state[j] = NAME(in)(random, words, j)[c];
    for (uint32_t j = 0; j < SLICED_PLANES; j++)
      n[j] = j < used ? NAME(in)(counts, words, j)[c] : BROADCAST(0);
    /* Constant sizes stay in registers. */
    switch (used) {
    case 2: NAME(multiply)(n, 2, bits, state, rank); break;
    case 3: NAME(multiply)(n, 3, bits, state, rank); break;
    case 4: NAME(multiply)(n, 4, bits, state, rank); break;
    case 5: NAME(multiply)(n, 5, bits, state, rank); break;
    case 6: NAME(multiply)(n, 6, bits, state, rank); break;
    case 7: NAME(multiply)(n, 7, bits, state, rank); break;
    case 8: NAME(multiply)(n, 8, bits, state, rank); break;
    default:
      if (used <= 12)
        NAME(multiply)(n, 12, bits, state, rank);
      else
        NAME(multiply)(n, SLICED_PLANES, bits, state, rank);
    }
    for (uint32_t j = 0; j < used; j++) NAME(at)(ranks, words, j)[c] = rank[j];
    for (uint32_t j = 0; j < 4; j++) NAME(at)(random, words, j)[c] = state[j];
  }
}

/* Picks from a pair, in lanes `here`: the first if it is legal and the rank is
   0, otherwise the second. */
INLINE void NAME(pick_of_two)(uint64_t *memory, uint32_t words, uint32_t column,
                              const uint32_t *list, V first, V here, V rank) {
  NAME(at)(memory, words, list[0])[column] = here & first & ~rank;
  NAME(at)(memory, words, list[1])[column] = here & ~(first & ~rank);
}

INLINE void NAME(pick_of_four)(uint64_t *memory, uint32_t words,
                               uint32_t column, const uint32_t *list,
                               const NAME(Tree) * t, V here, const V *rank) {
  V left = GREATER(t->pair[0][1], rank[1], t->pair[0][0] & ~rank[0]);
  V low = rank[0] ^ (t->pair[0][0] & ~left);
  NAME(pick_of_two)
  (memory, words, column, list, t->leaf[0], here & left, low);
  NAME(pick_of_two)
  (memory, words, column, list + 2, t->leaf[2], here & ~left, low);
}

INLINE void NAME(pick_of_eight)(uint64_t *memory, uint32_t words,
                                uint32_t column, const uint32_t *list,
                                const NAME(Tree) * t, V here, const V *rank) {
  const V *four = t->four[0];
  V borrow = ~rank[0] & four[0];
  V left = GREATER(four[2], rank[2], GREATER(four[1], rank[1], borrow));
  V low = rank[0] ^ (four[0] & ~left);
  V high = rank[1] ^ ((four[1] ^ borrow) & ~left);
  V pair0 = CHOOSE(left, t->pair[0][0], t->pair[2][0]);
  V pair1 = CHOOSE(left, t->pair[0][1], t->pair[2][1]);
  V outer = GREATER(pair1, high, ~low & pair0);
  V last = low ^ (pair0 & ~outer);
  V first_half = here & left, second_half = here & ~left;
  NAME(pick_of_two)
  (memory, words, column, list, t->leaf[0], first_half & outer, last);
  NAME(pick_of_two)
  (memory, words, column, list + 2, t->leaf[2], first_half & ~outer, last);
  NAME(pick_of_two)
  (memory, words, column, list + 4, t->leaf[4], second_half & outer, last);
  NAME(pick_of_two)
  (memory, words, column, list + 6, t->leaf[6], second_half & ~outer, last);
}

INLINE void NAME(select_column)(uint64_t *memory, uint32_t words,
                                const SlicedLive *live, uint32_t planes,
                                const uint64_t *ranks, V several, V lanes,
                                uint32_t c) {
  V taken = ~lanes, above[SLICED_PLANES];
  NAME(Number)
  n = {{NAME(plane)(ranks, words, planes, 0, c) & several,
        NAME(plane)(ranks, words, planes, 1, c) & several,
        NAME(plane)(ranks, words, planes, 2, c) & several,
        NAME(plane)(ranks, words, planes, 3, c) & several},
       above,
       0};
  NAME(Tree) t;
  uint32_t i = 0;
  if (planes > 4) n.high = planes - 4;
  for (uint32_t j = 0; j < n.high; j++)
    above[j] = NAME(in)(ranks, words, j + 4)[c] & several;
  for (; i + 4 < live->count; i += 8) {
    V rank[3] = {n.low[0], n.low[1], n.low[2]};
    NAME(load_eight)(memory, words, c, live->vectors + i, &t);
    V here = NAME(subtract)(&n, t.eight) & ~taken;
    taken |= here;
    NAME(pick_of_eight)(memory, words, c, live->vectors + i, &t, here, rank);
  }
  if (i < live->count) {
    V rank[2] = {n.low[0], n.low[1]};
    NAME(load_half)(memory, words, c, live->vectors + i, &t);
    V here = NAME(subtract)(&n, t.eight) & ~taken;
    NAME(pick_of_four)(memory, words, c, live->vectors + i, &t, here, rank);
  }
}

ENTRY void NAME(select)(uint64_t *memory, uint32_t words,
                        const SlicedLive *live, uint32_t planes,
                        const uint64_t *ranks, const uint64_t *several,
                        const uint64_t *lanes) {
  if (words == WIDTH) { /* a constant: vectors are found by a shift */
    NAME(select_column)
    (memory, WIDTH, live, planes, ranks, *NAME(in)(several, WIDTH, 0),
     *NAME(in)(lanes, WIDTH, 0), 0);
    return;
  }
  for (uint32_t c = 0; c < words / WIDTH; c++) NAME(select_column)
  (memory, words, live, planes, ranks, NAME(in)(several, words, 0)[c],
   NAME(in)(lanes, words, 0)[c], c);
}
