/* The variants of the inner loops: one body (sliced_body.h), compiled for words
   of 64 bits, for vectors of two and four words (AVX2) and of eight (AVX-512,
   where any function of three inputs is one instruction). A lane vector wider
   than the machine's is cut into columns. */
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

/* A number of four bits, a word for each. */
#define BIT(n, j) (-(uint64_t)((n) >> (j)&1))
#define NIBBLE(n) \
  { BIT(n, 0), BIT(n, 1), BIT(n, 2), BIT(n, 3) }
static const uint64_t nibbles[16][4] = {
    NIBBLE(0u),  NIBBLE(1u),  NIBBLE(2u),  NIBBLE(3u), NIBBLE(4u),  NIBBLE(5u),
    NIBBLE(6u),  NIBBLE(7u),  NIBBLE(8u),  NIBBLE(9u), NIBBLE(10u), NIBBLE(11u),
    NIBBLE(12u), NIBBLE(13u), NIBBLE(14u), NIBBLE(15u)};
_Static_assert(SLICED_KEY_PLANES <= 8, "two numbers of four bits");

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

/* Counting bits in vectors is an instruction set of its own: 0.8 ns instead of
   2.2 for a move, a term and 512 lanes. */
__attribute__((target("avx512f,avx512vpopcntdq"))) static void
counting_tally(uint64_t *occurred, uint32_t words, uint32_t count,
               uint32_t parity, const uint64_t *over, const uint64_t *masks,
               uint32_t terms, uint64_t *sums) {
  occurred += parity * words;
  for (uint32_t m = 0; m < count; m++, occurred += 2 * words) {
    for (uint32_t t = 0; t < terms; t++, sums += words)
      for (uint32_t i = 0; i < words; i += 8) {
        __m512i both =
            _mm512_and_si512(_mm512_load_si512(occurred + i),
                             _mm512_load_si512(masks + t * words + i));
        _mm512_store_si512(sums + i,
                           _mm512_add_epi64(_mm512_load_si512(sums + i),
                                            _mm512_popcnt_epi64(both)));
      }
    for (uint32_t i = 0; i < words; i++) occurred[i] &= ~over[i];
  }
}

#define COUNTING_TALLY counting_tally
/* The instruction overwrites its first operand: first goes what is used up. */
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
    return __builtin_cpu_supports("avx512vpopcntdq") ? &eight_counting
                                                     : &eight_sliced;
  if (isa != ISA_PLAIN && words >= 4) return &four_sliced;
  if (isa != ISA_PLAIN && words == 2) return &two_sliced;
#endif
  (void)isa, (void)words;
  return &plain_sliced;
}
