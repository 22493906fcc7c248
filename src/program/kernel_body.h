/* clang-format off */
/* One kernel: all runs of a segment over lane vectors of one width; returns
   whether an update changed anything. kernels.c includes this for each
   instruction set and width, with

     KERNEL(size)            the function's name, for small and large operands
     TARGET                  its attributes
     PART                    the type of a machine vector
     PARTS                   how many of them are a lane vector
     LOOKUP(table, a, b, c)  a three-input function of parts

   and it includes itself for operands of 16 and 32 bits, with

     NAME                    the function's name
     OPERAND                 the type of a slot number
     READ(pointer)           the operands of a step, at a pointer to OPERAND */
/* clang-format on */
#ifndef OPERAND

#define NAME KERNEL(small)
#define OPERAND uint16_t
#define READ read_small
#include "program/kernel_body.h"
#define NAME KERNEL(large)
#define OPERAND uint32_t
#define READ read_large
#include "program/kernel_body.h"
#undef KERNEL
#undef PARTS

#else

TARGET static bool NAME(const KernelRun *runs, uint32_t run_count,
                        const void *operands, uint64_t *memory) {
  const OPERAND *at = operands;
  PART *vectors = (PART *)memory;
  PART changed = {0};
  for (uint32_t run = 0; run < run_count; run++) {
    const OPERAND *end = at + (size_t)runs[run].count * 4;
    switch (runs[run].kind) {
#define CASE(table) \
  case table: \
    for (; at < end; at += 4) { \
      Operands step = READ(at); \
      PART *result = vectors + step.result * PARTS; \
      const PART *a = vectors + step.a * PARTS; \
      const PART *b = vectors + step.b * PARTS; \
      const PART *c = vectors + step.c * PARTS; \
      for (int i = 0; i < PARTS; i++) \
        result[i] = LOOKUP(table, a[i], b[i], c[i]); \
    } \
    break;
      LOOKUP_TABLES(CASE)
#undef CASE
    case KIND_UPDATE:
      for (; at < end; at += 4) {
        Operands step = READ(at);
        PART *result = vectors + step.result * PARTS;
        const PART *a = vectors + step.a * PARTS;
        for (int i = 0; i < PARTS; i++) {
          changed |= result[i] ^ a[i];
          result[i] = a[i];
        }
      }
      break;
    default: assert(false); return false; /* no such table is made */
    }
  }
  uint64_t words[sizeof changed / 8], any = 0;
  memcpy(words, &changed, sizeof words);
  for (size_t i = 0; i < sizeof changed / 8; i++) any |= words[i];
  return any != 0;
}

#undef NAME
#undef OPERAND
#undef READ
#endif
