/* One source, kernel_body.h, for plain vectors of two words, AVX2 and AVX-512.
   There is one dispatch for each run; the loop inside has its table as a
   constant. AVX-512 has an instruction for any function of three inputs; the
   others use a formula for each table, which the compiler works out. A lane
   vector narrower than the machine's uses the next smaller machine vector. */
#include "program/kernels.h"

#include <assert.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

/* The tables that occur with the order of inputs that cover.h prescribes. */
/* clang-format off */
#define LOOKUP_TABLES(X) \
  X(0x00) X(0x01) X(0x02) X(0x03) X(0x06) X(0x07) X(0x08) X(0x09) X(0x0b) \
  X(0x0c) X(0x0e) X(0x0f) X(0x16) X(0x17) X(0x18) X(0x19) X(0x1a) X(0x1b) \
  X(0x1e) X(0x1f) X(0x28) X(0x29) X(0x2a) X(0x2b) X(0x2c) X(0x2d) X(0x2e) \
  X(0x2f) X(0x3c) X(0x3d) X(0x3e) X(0x3f) X(0x68) X(0x69) X(0x6a) X(0x6b) \
  X(0x6e) X(0x6f) X(0x7e) X(0x7f) X(0x80) X(0x81) X(0x82) X(0x83) X(0x86) \
  X(0x87) X(0x89) X(0x8a) X(0x8b) X(0x8e) X(0x8f) X(0x96) X(0x97) X(0x98) \
  X(0x9a) X(0x9b) X(0x9e) X(0x9f) X(0xa8) X(0xa9) X(0xab) X(0xac) X(0xad) \
  X(0xae) X(0xbc) X(0xbd) X(0xbe) X(0xbf) X(0xc0) X(0xc3) X(0xcf) X(0xe8) \
  X(0xe9) X(0xea) X(0xeb) X(0xef) X(0xf0) X(0xfc) X(0xfe) X(0xff)
/* clang-format on */

typedef uint64_t Part1 __attribute__((may_alias));
typedef uint64_t Part2 __attribute__((vector_size(16), may_alias));
typedef uint64_t Part4 __attribute__((vector_size(32), may_alias));
typedef uint64_t Part8 __attribute__((vector_size(64), may_alias));

#define INLINE static inline __attribute__((always_inline))

typedef struct Operands {
  size_t result, a, b, c;
} Operands;

/* One load and shifts instead of four loads: 1.50 against 1.75 ns a gate. */
INLINE Operands read_small(const uint16_t *at) {
  uint64_t all;
  memcpy(&all, at, sizeof all);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return (Operands){all & 0xffff, all >> 16 & 0xffff, all >> 32 & 0xffff,
                    all >> 48};
#else
  return (Operands){all >> 48, all >> 32 & 0xffff, all >> 16 & 0xffff,
                    all & 0xffff};
#endif
}

INLINE Operands read_large(const uint32_t *at) {
  return (Operands){at[0], at[1], at[2], at[3]};
}

/* Functions of two inputs, then of three by their halves; all uses have
   constant tables. */
#define DEFINE_LOOKUP(part, pair, lookup, target) \
  target INLINE part pair(unsigned table, part b, part c) { \
    switch (table) { \
    case 0: return b ^ b; \
    case 1: return ~(b | c); \
    case 2: return ~b & c; \
    case 3: return ~b; \
    case 4: return b & ~c; \
    case 5: return ~c; \
    case 6: return b ^ c; \
    case 7: return ~(b & c); \
    case 8: return b & c; \
    case 9: return ~(b ^ c); \
    case 10: return c; \
    case 11: return ~b | c; \
    case 12: return b; \
    case 13: return b | ~c; \
    case 14: return b | c; \
    default: return ~(b ^ b); \
    } \
  } \
  target INLINE part lookup(unsigned table, part a, part b, part c) { \
    unsigned high = table >> 4, low = table & 15; \
    if (high == low) return pair(low, b, c); \
    if (low == 0) return a & pair(high, b, c); \
    if (high == 0) return ~a & pair(low, b, c); \
    if (low == 15) return ~a | pair(high, b, c); \
    if (high == 15) return a | pair(low, b, c); \
    if (high == (low ^ 15)) return a ^ pair(low, b, c); \
    return pair(low, b, c) ^ (a & pair(low ^ high, b, c)); \
  }

/* ---- plain ---- */

#define TARGET
DEFINE_LOOKUP(Part1, pair_1, lookup_1, TARGET)
DEFINE_LOOKUP(Part2, pair_2, lookup_2, TARGET)

#define PART Part1
#define LOOKUP lookup_1
#define PARTS 1
#define KERNEL(size) plain_1_##size
#include "program/kernel_body.h"
#undef PART
#undef LOOKUP

#define PART Part2
#define LOOKUP lookup_2
#define PARTS 1
#define KERNEL(size) plain_2_##size
#include "program/kernel_body.h"
#define PARTS 2
#define KERNEL(size) plain_4_##size
#include "program/kernel_body.h"
#define PARTS 4
#define KERNEL(size) plain_8_##size
#include "program/kernel_body.h"
#define PARTS 8
#define KERNEL(size) plain_16_##size
#include "program/kernel_body.h"
#undef PART
#undef LOOKUP
#undef TARGET

#ifdef __x86_64__

/* ---- AVX2 ---- */

#define TARGET __attribute__((target("avx2")))
DEFINE_LOOKUP(Part4, pair_4, lookup_4, TARGET)

#define PART Part4
#define LOOKUP lookup_4
#define PARTS 1
#define KERNEL(size) avx2_4_##size
#include "program/kernel_body.h"
#define PARTS 2
#define KERNEL(size) avx2_8_##size
#include "program/kernel_body.h"
#define PARTS 4
#define KERNEL(size) avx2_16_##size
#include "program/kernel_body.h"
#undef PART
#undef LOOKUP
#undef TARGET

/* ---- AVX-512: one instruction; inputs that do not matter are not read ---- */

#define DEPENDS_ON_B(table) (((table) >> 2 ^ (table)) & 0x33)
#define DEPENDS_ON_C(table) (((table) >> 1 ^ (table)) & 0x55)
#define TERNARY(table, a, b, c) \
  (Part8) _mm512_ternarylogic_epi64( \
      (__m512i)(a), (__m512i)(DEPENDS_ON_B(table) ? (b) : (a)), \
      (__m512i)(DEPENDS_ON_C(table) ? (c) : (a)), table)

#define TARGET __attribute__((target("avx512f")))
#define PART Part8
#define LOOKUP TERNARY
#define PARTS 1
#define KERNEL(size) avx512_8_##size
#include "program/kernel_body.h"
#define PARTS 2
#define KERNEL(size) avx512_16_##size
#include "program/kernel_body.h"
#undef PART
#undef LOOKUP
#undef TARGET

#else
#define avx2_4_small plain_4_small
#define avx2_4_large plain_4_large
#define avx2_8_small plain_8_small
#define avx2_8_large plain_8_large
#define avx2_16_small plain_16_small
#define avx2_16_large plain_16_large
#define avx512_8_small plain_8_small
#define avx512_8_large plain_8_large
#define avx512_16_small plain_16_small
#define avx512_16_large plain_16_large
#endif

#define BOTH(kernel) \
  { kernel##_small, kernel##_large }

Kernel *kernels_find(Isa isa, uint32_t words, bool large) {
  static Kernel *const kernels[ISA_COUNT][5][2] = {
      {BOTH(plain_1), BOTH(plain_2), BOTH(plain_4), BOTH(plain_8),
       BOTH(plain_16)},
      {BOTH(plain_1), BOTH(plain_2), BOTH(avx2_4), BOTH(avx2_8), BOTH(avx2_16)},
      {BOTH(plain_1), BOTH(plain_2), BOTH(avx2_4), BOTH(avx512_8),
       BOTH(avx512_16)}};
  uint32_t width = 0;
  while (words > 1) words /= 2, width++;
  return kernels[isa][width][large];
}
