/* The variants of the inner loops: one body (sliced_body.h) compiled for 64-bit
   words, for vectors of two and four words (AVX2) and of eight (AVX-512, where
   any function of three inputs is one instruction). A lane vector wider than
   the machine's is split into columns. */
#include "wide/sliced.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

#define GENERIC_MAJORITY(a, b, c) (((a) & (b)) | (((a) | (b)) & (c)))
#define GENERIC_GREATER(a, b, c) (((a) & ~(b)) | (~((a) ^ (b)) & (c)))
#define GENERIC_CHOOSE(mask, a, b) ((b) ^ (((a) ^ (b)) & (mask)))

/* A number of four bits, with one word for each bit. */
#define BIT(n, j) (-(uint64_t)((n) >> (j)&1))
#define NIBBLE(n) \
  { BIT(n, 0), BIT(n, 1), BIT(n, 2), BIT(n, 3) }
static const uint64_t nibbles[16][4] = {
    NIBBLE(0u),  NIBBLE(1u),  NIBBLE(2u),  NIBBLE(3u), NIBBLE(4u),  NIBBLE(5u),
    NIBBLE(6u),  NIBBLE(7u),  NIBBLE(8u),  NIBBLE(9u), NIBBLE(10u), NIBBLE(11u),
    NIBBLE(12u), NIBBLE(13u), NIBBLE(14u), NIBBLE(15u)};
_Static_assert(SLICED_KEY_PLANES <= 8, "two numbers of four bits");

/* Transposes eight bytes as a square of bits (Warren, Hacker's Delight, 7-3).
 */
static inline uint64_t turn_square(uint64_t x) {
  static const uint64_t masks[] = {0x00aa00aa00aa00aa, 0x0000cccc0000cccc,
                                   0x00000000f0f0f0f0};
  for (uint32_t i = 0; i < 3; i++) {
    uint64_t swap = (x ^ x >> (7u << i)) & masks[i];
    x ^= swap ^ swap << (7u << i);
  }
  return x;
}

typedef uint64_t Vector1;

#define V Vector1
#define WIDTH 1
#define NAME(x) plain_##x
#define TARGET
#define ANY(x) ((x) != 0)
#define MAJORITY GENERIC_MAJORITY
#define PARITY(a, b, c) ((a) ^ (b) ^ (c))
#define GREATER GENERIC_GREATER
#define CHOOSE GENERIC_CHOOSE
#define BROADCAST(w) ((V)(w))
#define ROTATE(x, by) ((x) << (by) | (x) >> (64 - (by)))
#define TURN(x, by) ((x) << (by) | (x) >> (-(by)&63))
#include "wide/sliced_body.h"

#if defined(__x86_64__)
typedef uint64_t Vector2 __attribute__((vector_size(16), may_alias));
typedef uint64_t Vector4 __attribute__((vector_size(32), may_alias));
typedef uint64_t Vector8 __attribute__((vector_size(64), may_alias));

#define V Vector2
#define WIDTH 2
#define NAME(x) two_##x
#define TARGET __attribute__((target("avx2,popcnt,bmi,bmi2")))
#define ANY(x) (!_mm_testz_si128((__m128i)(x), (__m128i)(x)))
#define MAJORITY GENERIC_MAJORITY
#define PARITY(a, b, c) ((a) ^ (b) ^ (c))
#define GREATER GENERIC_GREATER
#define CHOOSE GENERIC_CHOOSE
#define BROADCAST(w) ((V)_mm_set1_epi64x((long long)(w)))
#define ROTATE(x, by) ((x) << (by) | (x) >> (64 - (by)))
#define TURN(x, by) ((x) << (by) | (x) >> (-(by)&63))
#include "wide/sliced_body.h"

#define V Vector4
#define WIDTH 4
#define NAME(x) four_##x
#define TARGET __attribute__((target("avx2,popcnt,bmi,bmi2")))
#define ANY(x) (!_mm256_testz_si256((__m256i)(x), (__m256i)(x)))
#define MAJORITY GENERIC_MAJORITY
#define PARITY(a, b, c) ((a) ^ (b) ^ (c))
#define GREATER GENERIC_GREATER
#define CHOOSE GENERIC_CHOOSE
#define BROADCAST(w) ((V)_mm256_set1_epi64x((long long)(w)))
#define ROTATE(x, by) ((x) << (by) | (x) >> (64 - (by)))
#define TURN(x, by) ((x) << (by) | (x) >> (-(by)&63))
#include "wide/sliced_body.h"

/* Counting bits in vectors is an instruction set extension of its own: 0.8 ns
   instead of 2.2 for a move, a term and 512 lanes. */
__attribute__((target("avx512f,avx512vpopcntdq"))) static void
counting_tally(uint64_t *occurred, uint32_t words, uint32_t count,
               const SlicedTerms *terms, uint64_t *sums) {
  for (uint32_t m = 0; m < count; m++, occurred += words, sums += words)
    for (uint32_t i = 0; i < words; i += 8) {
      __m512i taken = _mm512_load_si512(occurred + i);
      __m512i goals = _mm512_setzero_si512();
      if (!_mm512_test_epi64_mask(taken, taken)) continue;
      if (!terms->keep) _mm512_store_si512(occurred + i, goals);
      for (uint32_t t = 0; t < terms->count; t++) {
        __m512i both =
            _mm512_and_si512(taken, _mm512_load_si512(terms->masks[t] + i));
        goals = _mm512_add_epi64(
            goals, _mm512_mul_epu32(_mm512_popcnt_epi64(both),
                                    _mm512_set1_epi64(terms->weights[t])));
      }
      __m512i scored =
          _mm512_and_si512(taken, _mm512_load_si512(terms->scored + i));
      goals = _mm512_add_epi64(_mm512_slli_epi64(goals, 32),
                               _mm512_popcnt_epi64(scored));
      _mm512_store_si512(sums + i,
                         _mm512_add_epi64(_mm512_load_si512(sums + i), goals));
    }
}

/* Uses a word of a plane as a mask: 50 ns instead of 700 for 512 lanes of 4
   planes. */
__attribute__((target("avx512f,avx512bw"))) static void
counting_spread(const uint64_t *planes, uint32_t words, uint32_t count,
                uint16_t *numbers) {
  for (uint32_t i = 0; i < words; i++) {
    __m512i low = _mm512_setzero_si512(), high = low;
    for (uint32_t j = 0; j < count; j++) {
      uint64_t word = planes[j * words + i];
      __m512i bit = _mm512_set1_epi16((short)(1u << j));
      low = _mm512_mask_add_epi16(low, (__mmask32)word, low, bit);
      high = _mm512_mask_add_epi16(high, (__mmask32)(word >> 32), high, bit);
    }
    _mm512_storeu_si512(numbers + 64 * i, low);
    _mm512_storeu_si512(numbers + 64 * i + 32, high);
  }
}

/* 8 % of a step of ticTacToe went into counting word by word. */
__attribute__((target("avx512f,avx512vpopcntdq"))) static uint64_t
counting_ones_of_both(const uint64_t *a, const uint64_t *b, uint32_t words) {
  __m512i sum = _mm512_setzero_si512();
  for (uint32_t i = 0; i < words; i += 8)
    sum = _mm512_add_epi64(
        sum, _mm512_popcnt_epi64(_mm512_and_si512(_mm512_load_si512(a + i),
                                                  _mm512_load_si512(b + i))));
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

__attribute__((target("avx512f,avx512vpopcntdq"))) static uint64_t
counting_ones(const uint64_t *vector, uint32_t words) {
  return counting_ones_of_both(vector, vector, words);
}

#define COUNTING \
  counting_tally, counting_spread, counting_ones, counting_ones_of_both
/* The instruction overwrites its first operand, so that is one not needed
   again. */
#define TERNARY(a, b, c, table) \
  ((V)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), \
                                table))
#define V Vector8
#define WIDTH 8
#define NAME(x) eight_##x
#define TARGET __attribute__((target("avx512f,avx2,popcnt,bmi,bmi2")))
#define ANY(x) (_mm512_test_epi64_mask((__m512i)(x), (__m512i)(x)) != 0)
#define MAJORITY(a, b, c) TERNARY(c, a, b, 0xe8)
#define PARITY(a, b, c) TERNARY(a, b, c, 0x96)
#define GREATER(a, b, c) TERNARY(c, a, b, 0xd4)
#define CHOOSE(mask, a, b) TERNARY(b, mask, a, 0xb8)
#define BROADCAST(w) ((V)_mm512_set1_epi64((long long)(w)))
#define ROTATE(x, by) ((V)_mm512_rol_epi64((__m512i)(x), by))
#define TURN(x, by) \
  ((V)_mm512_rolv_epi64((__m512i)(x), _mm512_set1_epi64((long long)(by))))
#include "wide/sliced_body.h"
#endif

const Sliced *sliced_find(Isa isa, uint32_t words) {
#if defined(__x86_64__)
  if (isa == ISA_AVX512 && words >= 8)
    return __builtin_cpu_supports("avx512vpopcntdq") &&
                   __builtin_cpu_supports("avx512bw")
               ? &eight_counting
               : &eight_sliced;
  if (isa != ISA_PLAIN && words >= 4) return &four_sliced;
  if (isa != ISA_PLAIN && words == 2) return &two_sliced;
#endif
  (void)isa, (void)words;
  return &plain_sliced;
}
