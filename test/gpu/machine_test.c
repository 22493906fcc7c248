/* The machine against plain C: every instruction on random and on extreme
   inputs, memory of every kind and width, threads that part and meet again,
   barriers, exchanges and atomic updates; and each error that it promises to
   find. The expected values are written anew here, bit by bit where the machine
   is clever. */
#include "machine.h"

#include <math.h>

#include "base/random.h"
#include "support/unit.h"

enum { THREADS = 256 };

typedef struct Bench {
  Machine *machine;
  uint64_t in, out;
  uint64_t *input, *output; /* 3 and 1 for each thread */
  Text error;
} Bench;

static void open_bench(Bench *bench) {
  *bench = (Bench){.machine = machine_new(GLOBAL_START)};
  bench->in = machine_allocate(bench->machine, 3 * 8 * THREADS);
  bench->out = machine_allocate(bench->machine, 8 * THREADS);
  bench->input = machine_memory(bench->machine, bench->in, 24 * THREADS);
  bench->output = machine_memory(bench->machine, bench->out, 8 * THREADS);
}

static void close_bench(Bench *bench) {
  machine_delete(bench->machine);
  text_free(&bench->error);
}

/* A kernel `k` with the inputs in %X %Y %Z, their halves in %x %y %z, quarters
   in %hx %hy, and whether X and Y are odd in %px and %py; the result is %R. */
static void write_kernel(Text *text, const char *outside, const char *body,
                         char result) {
  text_add(text, ".version 7.8\n.target sm_90\n.address_size 64\n");
  text_add(text, outside);
  text_add(text, ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                 "\t.reg .b64 %X, %Y, %Z, %R, %D<9>;\n"
                 "\t.reg .b32 %x, %y, %z, %r, %d<9>;\n"
                 "\t.reg .b16 %hx, %hy, %h;\n"
                 "\t.reg .pred %px, %py, %p, %P<9>;\n"
                 "\tmov.u32 %d0, %tid.x;\n"
                 "\tmov.u32 %d1, %ctaid.x;\n\tmov.u32 %d2, %ntid.x;\n"
                 "\tmad.lo.u32 %d0, %d1, %d2, %d0;\n"
                 "\tld.param.u64 %D0, [in];\n\tld.param.u64 %D1, [out];\n"
                 "\tmad.wide.u32 %D0, %d0, 24, %D0;\n"
                 "\tmad.wide.u32 %D1, %d0, 8, %D1;\n"
                 "\tld.global.u64 %X, [%D0];\n\tld.global.u64 %Y, [%D0+8];\n"
                 "\tld.global.u64 %Z, [%D0+16];\n"
                 "\tcvt.u32.u64 %x, %X;\n\tcvt.u32.u64 %y, %Y;\n"
                 "\tcvt.u32.u64 %z, %Z;\n"
                 "\tcvt.u16.u32 %hx, %x;\n\tcvt.u16.u32 %hy, %y;\n"
                 "\tand.b32 %d1, %x, 1;\n\tsetp.ne.u32 %px, %d1, 0;\n"
                 "\tand.b32 %d1, %y, 1;\n\tsetp.ne.u32 %py, %d1, 0;\n");
  text_format(text, "\t%s;\n", body);
  if (result == 'n') text_add(text, "\tcvt.u64.u32 %R, %r;\n");
  if (result == 'h') text_add(text, "\tcvt.u64.u16 %R, %h;\n");
  if (result == 'p') text_add(text, "\tselp.b64 %R, 1, 0, %p;\n");
  text_add(text, "\tst.global.u64 [%D1], %R;\n\tret;\n}\n");
}

static int run_kernel(Bench *bench, const char *text, uint32_t blocks,
                      uint32_t threads, uint32_t shared) {
  uint64_t parameters[2] = {bench->in, bench->out};
  text_clear(&bench->error);
  Module *module = machine_load(bench->machine, text, &bench->error);
  if (!module) return -1;
  Launch launch = {.module = module,
                   .entry = module_find(module, "k"),
                   .blocks = blocks,
                   .threads = threads,
                   .shared = shared,
                   .parameters = (const uint8_t *)parameters,
                   .most_steps = 1000000};
  assert_non_null(launch.entry);
  int result = machine_launch(bench->machine, &launch, &bench->error);
  machine_unload(bench->machine, module);
  return result;
}

static uint64_t draw_input(Random *random) {
  static const uint32_t edges[] = {
      0,          1,          2,          31,         32,         33,
      0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
      0x7fc00000, 0x4f800000, 0x00000001, 0x42c80000};
  uint64_t word = random_next(random);
  switch (random_below(random, 6)) {
  case 0: return edges[random_below(random, LENGTH(edges))] | word << 32;
  case 1: return word & 63;
  case 2: return (uint32_t)word;
  case 3: { /* a float of usual size */
    float number = (float)(int32_t)word / 65536;
    uint32_t bits;
    memcpy(&bits, &number, 4);
    return bits;
  }
  default: return word;
  }
}

static void fill(Bench *bench, Random *random) {
  for (uint32_t i = 0; i < 3 * THREADS; i++)
    bench->input[i] = draw_input(random);
}

/* ---- instructions ---- */

static float to_float(uint32_t bits) {
  float number;
  memcpy(&number, &bits, 4);
  return number;
}

static uint32_t to_bits(float number) {
  uint32_t bits;
  memcpy(&bits, &number, 4);
  return isnan(number) ? 0x7fffffff : bits;
}

static uint32_t slow_permute(uint32_t x, uint32_t y, uint32_t z) {
  uint8_t bytes[8], result[4];
  memcpy(bytes, &x, 4);
  memcpy(bytes + 4, &y, 4);
  for (int i = 0; i < 4; i++) {
    uint32_t nibble = z >> (4 * i) & 15;
    result[i] = bytes[nibble % 8];
    if (nibble >= 8) result[i] = result[i] >= 128 ? 255 : 0;
  }
  memcpy(&x, result, 4);
  return x;
}

/* The definition in the PTX manual. */
static uint32_t slow_extract(uint32_t a, uint32_t b, uint32_t c,
                             bool is_signed) {
  uint32_t position = b & 255, length = c & 255, result = 0;
  uint32_t last = position + length - 1 < 31 ? position + length - 1 : 31;
  uint32_t sign = !is_signed || length == 0 ? 0 : a >> last & 1;
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t bit =
        i < length && position + i <= 31 ? a >> (position + i) & 1 : sign;
    result |= bit << i;
  }
  return result;
}

static uint32_t slow_insert(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  uint32_t position = c & 255, length = d & 255;
  for (uint32_t i = 0; i < length && position + i <= 31; i++) {
    b &= ~(UINT32_C(1) << (position + i));
    if (i < 32) b |= (a >> i & 1) << (position + i);
  }
  return b;
}

static uint32_t slow_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t index = (a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1);
    result |= (table >> index & 1) << i;
  }
  return result;
}

static uint32_t slow_reverse(uint32_t x) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < 32; i++) result |= (x >> i & 1) << (31 - i);
  return result;
}

static uint64_t slow_high(uint64_t x, uint64_t y) {
  uint64_t a = x >> 32, b = (uint32_t)x, c = y >> 32, d = (uint32_t)y;
  uint64_t middle = a * d + (b * d >> 32);
  return a * c + (middle >> 32) + ((b * c + (uint32_t)middle) >> 32);
}

static uint32_t slow_leading(uint64_t x, uint32_t bits) {
  uint32_t count = 0;
  while (count < bits && !(x >> (bits - 1 - count) & 1)) count++;
  return count;
}

static uint32_t slow_count(uint64_t x) {
  uint32_t count = 0;
  for (; x; x >>= 1) count += x & 1;
  return count;
}

/* The definition in the PTX manual. */
static uint32_t slow_nth(uint32_t mask, uint32_t base, uint32_t shift) {
  int32_t offset = (int32_t)shift, position = (int32_t)base, inc;
  int64_t count;
  if (base > 31) return UINT32_MAX;
  if (offset == 0) return mask >> base & 1 ? base : UINT32_MAX;
  count = llabs((int64_t)offset) - 1;
  inc = offset > 0 ? 1 : -1;
  while (position >= 0 && position < 32) {
    if (mask >> position & 1) {
      if (count == 0) return (uint32_t)position;
      count--;
    }
    position += inc;
  }
  return UINT32_MAX;
}

static double clamp(double x, double low, double high) {
  return isnan(x) ? 0 : x < low ? low : x > high ? high : x;
}

static uint64_t slow_whole(float x) {
  double most = 18446744073709551616.0;
  if (!((double)x > 0)) return 0;
  return (double)x >= most ? UINT64_MAX : (uint64_t)(double)x;
}

static float chop(uint32_t x) { /* what 24 bits can have */
  while (slow_leading(x, 32) + 24 < 32 &&
         x & ((UINT32_C(1) << (8 - slow_leading(x, 32))) - 1))
    x &= x - 1;
  return (float)x;
}

static float low_of(float a, float b) {
  if (isnan(a)) return b;
  if (isnan(b)) return a;
  if (a == b) return to_bits(a) >> 31 ? a : b;
  return a < b ? a : b;
}

static float high_of(float a, float b) {
  if (isnan(a)) return b;
  if (isnan(b)) return a;
  if (a == b) return to_bits(a) >> 31 ? b : a;
  return a > b ? a : b;
}

#define S32(x) ((int32_t)(uint32_t)(x))
#define S64(x) ((int64_t)(x))
#define F(x) to_float((uint32_t)(x))
#define W(x) ((uint32_t)(x))

/* Kind of the result, text, and what it is of X, Y and Z, of which only the
   lower half may be used where the text has %x, %y, %z. */
#define CASES(CASE) \
  CASE('n', "mov.b32 %r, %x", W(X)) \
  CASE('n', "mov.u32 %r, -7", UINT32_MAX - 6) \
  CASE('n', ".reg .b32 plain; mov.b32 plain, %x; mov.b32 %r, plain", W(X)) \
  CASE('n', "mov.f32 %r, 0f3f800000", 0x3f800000) \
  CASE('n', "mov.f32 %r, 1.5", 0x3fc00000) \
  CASE('w', "mov.b64 %R, %Y", Y) \
  CASE('w', "mov.u64 %R, -2", UINT64_MAX - 1) \
  CASE('w', "mov.b64 %R, {%x, %y}", (uint64_t)W(Y) << 32 | W(X)) \
  CASE('n', "mov.b64 {%d3, %r}, %X; xor.b32 %r, %r, %d3", X >> 32 ^ W(X)) \
  CASE('h', "mov.b16 %h, %hx", X & 0xffff) \
  CASE('n', "add.u32 %r, %x, %y", W(X) + W(Y)) \
  CASE('n', "add.s32 %r, %x, -3", W(X) - 3) \
  CASE('w', "add.u64 %R, %X, %Y", X + Y) \
  CASE('w', "add.s64 %R, %X, %Y", X + Y) \
  CASE('h', "add.u16 %h, %hx, %hy", (X + Y) & 0xffff) \
  CASE('h', "sub.u16 %h, %hx, %hy", (X - Y) & 0xffff) \
  CASE('n', "sub.u32 %r, %x, %y", W(X) - W(Y)) \
  CASE('n', "sub.s32 %r, 5, %y", 5 - W(Y)) \
  CASE('w', "sub.u64 %R, %X, %Y", X - Y) \
  CASE('n', "mul.lo.u32 %r, %x, %y", W(X) * W(Y)) \
  CASE('n', "mul.lo.s32 %r, %x, %y", W(X) * W(Y)) \
  CASE('w', "mul.lo.u64 %R, %X, %Y", X *Y) \
  CASE('n', "mul.hi.u32 %r, %x, %y", (uint64_t)W(X) * W(Y) >> 32) \
  CASE('n', "mul.hi.s32 %r, %x, %y", \
       W((uint64_t)((int64_t)S32(X) * S32(Y)) >> 32)) \
  CASE('w', "mul.hi.u64 %R, %X, %Y", slow_high(X, Y)) \
  CASE('w', "mul.hi.s64 %R, %X, %Y", \
       slow_high(X, Y) - (S64(X) < 0 ? Y : 0) - (S64(Y) < 0 ? X : 0)) \
  CASE('w', "mul.wide.u32 %R, %x, %y", (uint64_t)W(X) * W(Y)) \
  CASE('w', "mul.wide.s32 %R, %x, %y", (uint64_t)((int64_t)S32(X) * S32(Y))) \
  CASE('n', "mad.lo.u32 %r, %x, %y, %z", W(X) * W(Y) + W(Z)) \
  CASE('n', "mad.lo.s32 %r, %x, %y, %z", W(X) * W(Y) + W(Z)) \
  CASE('w', "mad.lo.u64 %R, %X, %Y, %Z", X *Y + Z) \
  CASE('n', "mad.hi.u32 %r, %x, %y, %z", \
       W(((uint64_t)W(X) * W(Y) >> 32) + W(Z))) \
  CASE('w', "mad.wide.u32 %R, %x, %y, %Z", (uint64_t)W(X) * W(Y) + Z) \
  CASE('w', "mad.wide.s32 %R, %x, %y, %Z", \
       (uint64_t)((int64_t)S32(X) * S32(Y)) + Z) \
  CASE('n', "min.u32 %r, %x, %y", W(X) < W(Y) ? W(X) : W(Y)) \
  CASE('n', "max.u32 %r, %x, %y", W(X) > W(Y) ? W(X) : W(Y)) \
  CASE('n', "min.s32 %r, %x, %y", S32(X) < S32(Y) ? W(X) : W(Y)) \
  CASE('n', "max.s32 %r, %x, %y", S32(X) > S32(Y) ? W(X) : W(Y)) \
  CASE('w', "min.u64 %R, %X, %Y", X < Y ? X : Y) \
  CASE('w', "max.u64 %R, %X, %Y", X > Y ? X : Y) \
  CASE('w', "min.s64 %R, %X, %Y", S64(X) < S64(Y) ? X : Y) \
  CASE('w', "max.s64 %R, %X, %Y", S64(X) > S64(Y) ? X : Y) \
  CASE('n', "or.b32 %d3, %y, 1; div.u32 %r, %x, %d3", W(X) / (W(Y) | 1)) \
  CASE('n', "or.b32 %d3, %y, 1; rem.u32 %r, %x, %d3", W(X) % (W(Y) | 1)) \
  CASE('n', "neg.s32 %r, %x", 0 - W(X)) \
  CASE('w', "neg.s64 %R, %X", 0 - X) \
  CASE('n', "abs.s32 %r, %x", W(X) >> 31 ? 0 - W(X) : W(X)) \
  CASE('n', "and.b32 %r, %x, %y", W(X) & W(Y)) \
  CASE('n', "or.b32 %r, %x, 0xf0", W(X) | 0xf0) \
  CASE('n', "xor.b32 %r, %x, %y", W(X) ^ W(Y)) \
  CASE('n', "not.b32 %r, %x", ~W(X)) \
  CASE('w', "and.b64 %R, %X, %Y", X &Y) \
  CASE('w', "or.b64 %R, %X, %Y", X | Y) \
  CASE('w', "xor.b64 %R, %X, %Y", X ^ Y) \
  CASE('w', "not.b64 %R, %X", ~X) \
  CASE('h', "and.b16 %h, %hx, %hy", X &Y & 0xffff) \
  CASE('h', "not.b16 %h, %hx", ~X & 0xffff) \
  CASE('p', "and.pred %p, %px, %py", X &Y & 1) \
  CASE('p', "or.pred %p, %px, %py", (X | Y) & 1) \
  CASE('p', "xor.pred %p, %px, %py", (X ^ Y) & 1) \
  CASE('p', "not.pred %p, %px", ~X & 1) \
  CASE('p', "mov.pred %p, %py", Y & 1) \
  CASE('n', "shl.b32 %r, %x, %y", W(Y) > 31 ? 0 : W(X) << W(Y)) \
  CASE('n', "shr.u32 %r, %x, %y", W(Y) > 31 ? 0 : W(X) >> W(Y)) \
  CASE('n', "shr.b32 %r, %x, 5", W(X) >> 5) \
  CASE('n', "shr.s32 %r, %x, %y", \
       W(Y) > 31 ? 0 - (W(X) >> 31) : W(S32(X) >> W(Y))) \
  CASE('w', "shl.b64 %R, %X, %y", W(Y) > 63 ? 0 : X << W(Y)) \
  CASE('w', "shr.u64 %R, %X, %y", W(Y) > 63 ? 0 : X >> W(Y)) \
  CASE('w', "shr.s64 %R, %X, %y", \
       W(Y) > 63 ? 0 - (X >> 63) : (uint64_t)(S64(X) >> W(Y))) \
  CASE('h', "shl.b16 %h, %hx, %y", W(Y) > 15 ? 0 : X << W(Y) & 0xffff) \
  CASE('h', "shr.u16 %h, %hx, %y", W(Y) > 15 ? 0 : (X & 0xffff) >> W(Y)) \
  CASE('n', "shf.l.wrap.b32 %r, %x, %y, %z", \
       Z & 31 ? W(Y) << (Z & 31) | W(X) >> (32 - (Z & 31)) : W(Y)) \
  CASE('n', "shf.r.wrap.b32 %r, %x, %y, %z", \
       Z & 31 ? W(X) >> (Z & 31) | W(Y) << (32 - (Z & 31)) : W(X)) \
  CASE('n', "shf.l.clamp.b32 %r, %x, %y, %z", \
       W(Z) > 31 ? W(X) \
       : W(Z)    ? W(Y) << W(Z) | W(X) >> (32 - W(Z)) \
                 : W(Y)) \
  CASE('n', "shf.r.clamp.b32 %r, %x, %y, %z", \
       W(Z) > 31 ? W(Y) \
       : W(Z)    ? W(X) >> W(Z) | W(Y) << (32 - W(Z)) \
                 : W(X)) \
  CASE('n', "lop3.b32 %r, %x, %y, %z, 0x96", W(X) ^ W(Y) ^ W(Z)) \
  CASE('n', "lop3.b32 %r, %x, %y, %z, 0xca", \
       slow_lop3(W(X), W(Y), W(Z), 0xca)) \
  CASE('n', "lop3.b32 %r, %x, %y, %z, 0x1d", \
       slow_lop3(W(X), W(Y), W(Z), 0x1d)) \
  CASE('n', "prmt.b32 %r, %x, %y, %z", slow_permute(W(X), W(Y), W(Z))) \
  CASE('n', "prmt.b32 %r, %x, 0, 0x4123", \
       W(X) >> 24 | (W(X) >> 8 & 0xff00) | (W(X) << 8 & 0xff0000)) \
  CASE('n', "bfe.u32 %r, %x, %y, %z", slow_extract(W(X), W(Y), W(Z), false)) \
  CASE('n', "bfe.s32 %r, %x, %y, %z", slow_extract(W(X), W(Y), W(Z), true)) \
  CASE('n', "bfi.b32 %r, %x, %y, %z, 9", slow_insert(W(X), W(Y), W(Z), 9)) \
  CASE('n', "bfi.b32 %r, %x, %y, 3, %z", slow_insert(W(X), W(Y), 3, W(Z))) \
  CASE('n', "popc.b32 %r, %x", slow_count(W(X))) \
  CASE('n', "popc.b64 %r, %X", slow_count(X)) \
  CASE('n', "clz.b32 %r, %x", slow_leading(W(X), 32)) \
  CASE('n', "clz.b64 %r, %X", slow_leading(X, 64)) \
  CASE('n', "brev.b32 %r, %x", slow_reverse(W(X))) \
  CASE('w', "brev.b64 %R, %X", \
       (uint64_t)slow_reverse(W(X)) << 32 | slow_reverse(W(X >> 32))) \
  CASE('n', "bfind.u32 %r, %x", 31 - slow_leading(W(X), 32)) \
  CASE('n', "bfind.u64 %r, %X", 63 - slow_leading(X, 64)) \
  CASE('n', "bfind.s32 %r, %x", \
       31 - slow_leading(W(X) >> 31 ? ~W(X) : W(X), 32)) \
  CASE('n', "bfind.shiftamt.u32 %r, %x", \
       W(X) ? slow_leading(W(X), 32) : UINT32_MAX) \
  CASE('n', "fns.b32 %r, %x, %y, %z", slow_nth(W(X), W(Y), W(Z))) \
  CASE('n', "and.b32 %d3, %y, 31; fns.b32 %r, %x, %d3, 3", \
       slow_nth(W(X), Y & 31, 3)) \
  CASE('n', "and.b32 %d3, %y, 31; fns.b32 %r, %x, %d3, -2", \
       slow_nth(W(X), Y & 31, UINT32_MAX - 1)) \
  CASE('n', "selp.b32 %r, %x, %y, %py", Y & 1 ? W(X) : W(Y)) \
  CASE('n', "selp.u32 %r, 3, 4, %px", X & 1 ? 3 : 4) \
  CASE('w', "selp.u64 %R, %X, %Y, %px", X & 1 ? X : Y) \
  CASE('n', "mov.u32 %r, 1; @%px mov.u32 %r, 2; @!%py add.u32 %r, %r, 4", \
       (X & 1 ? 2 : 1) + (Y & 1 ? 0 : 4)) \
  CASE('n', "add.f32 %r, %x, %y", to_bits(F(X) + F(Y))) \
  CASE('n', "sub.rn.f32 %r, %x, %y", to_bits(F(X) - F(Y))) \
  CASE('n', "mul.f32 %r, %x, %y", to_bits(F(X) * F(Y))) \
  CASE('n', "mul.f32 %r, %x, 0.5", to_bits(F(X) * 0.5f)) \
  CASE('n', "div.rn.f32 %r, %x, %y", to_bits(F(X) / F(Y))) \
  CASE('n', "fma.rn.f32 %r, %x, %y, %z", to_bits(fmaf(F(X), F(Y), F(Z)))) \
  CASE('n', "min.f32 %r, %x, %y", to_bits(low_of(F(X), F(Y)))) \
  CASE('n', "max.f32 %r, %x, %y", to_bits(high_of(F(X), F(Y)))) \
  CASE('n', "neg.f32 %r, %x", W(X) ^ 0x80000000) \
  CASE('n', "abs.f32 %r, %x", W(X) & 0x7fffffff) \
  CASE('n', "lg2.approx.f32 %r, %x", to_bits(log2f(F(X)))) \
  CASE('n', "ex2.approx.f32 %r, %x", to_bits(exp2f(F(X)))) \
  CASE('n', "rcp.approx.f32 %r, %x", to_bits(1.0f / F(X))) \
  CASE('n', "sqrt.rn.f32 %r, %x", to_bits(sqrtf(F(X)))) \
  CASE('w', "cvt.u64.u32 %R, %x", W(X)) \
  CASE('w', "cvt.s64.s32 %R, %x", (uint64_t)(int64_t)S32(X)) \
  CASE('n', "cvt.u32.u64 %r, %X", W(X)) \
  CASE('n', "cvt.u32.u16 %r, %hx", X & 0xffff) \
  CASE('n', "cvt.s32.s16 %r, %hx", W((int16_t)(X & 0xffff))) \
  CASE('h', "cvt.u16.u32 %h, %x", X & 0xffff) \
  CASE('n', "cvt.u32.u8 %r, %x", X & 0xff) \
  CASE('n', "cvt.rn.f32.u32 %r, %x", to_bits((float)W(X))) \
  CASE('n', "cvt.rn.f32.s32 %r, %x", to_bits((float)S32(X))) \
  CASE('n', "cvt.rn.f32.u64 %r, %X", to_bits((float)X)) \
  CASE('n', "cvt.rz.f32.u32 %r, %x", to_bits(chop(W(X)))) \
  CASE('n', "cvt.rzi.u32.f32 %r, %x", \
       W(clamp(trunc((double)F(X)), 0, UINT32_MAX))) \
  CASE('n', "cvt.rni.u32.f32 %r, %x", \
       W(clamp(rint((double)F(X)), 0, UINT32_MAX))) \
  CASE('n', "cvt.rmi.u32.f32 %r, %x", \
       W(clamp(floor((double)F(X)), 0, UINT32_MAX))) \
  CASE('n', "cvt.rpi.u32.f32 %r, %x", \
       W(clamp(ceil((double)F(X)), 0, UINT32_MAX))) \
  CASE('n', "cvt.rzi.s32.f32 %r, %x", \
       W((int32_t)clamp(trunc((double)F(X)), INT32_MIN, INT32_MAX))) \
  CASE('n', "cvt.rmi.s32.f32 %r, %x", \
       W((int32_t)clamp(floor((double)F(X)), INT32_MIN, INT32_MAX))) \
  CASE('n', "cvt.rni.s32.f32 %r, %x", \
       W((int32_t)clamp(rint((double)F(X)), INT32_MIN, INT32_MAX))) \
  CASE('n', "cvt.rpi.s32.f32 %r, %x", \
       W((int32_t)clamp(ceil((double)F(X)), INT32_MIN, INT32_MAX))) \
  CASE('h', "cvt.rzi.u16.f32 %h, %x", W(clamp(trunc((double)F(X)), 0, 65535))) \
  CASE('w', "cvt.rzi.u64.f32 %R, %x", slow_whole(truncf(F(X)))) \
  CASE('w', "cvt.rni.u64.f32 %R, %x", slow_whole(rintf(F(X)))) \
  CASE('n', "cvt.rni.f32.f32 %r, %x", to_bits(rintf(F(X)))) \
  CASE('p', "setp.eq.u32 %p, %x, %y", W(X) == W(Y)) \
  CASE('p', "setp.ne.b32 %p, %x, 1", W(X) != 1) \
  CASE('p', "setp.lt.u32 %p, %x, %y", W(X) < W(Y)) \
  CASE('p', "setp.le.u32 %p, %x, %y", W(X) <= W(Y)) \
  CASE('p', "setp.gt.u32 %p, %x, %y", W(X) > W(Y)) \
  CASE('p', "setp.hs.u32 %p, %x, %y", W(X) >= W(Y)) \
  CASE('p', "setp.lt.s32 %p, %x, %y", S32(X) < S32(Y)) \
  CASE('p', "setp.ge.s32 %p, %x, %y", S32(X) >= S32(Y)) \
  CASE('p', "setp.lt.u64 %p, %X, %Y", X < Y) \
  CASE('p', "setp.ge.u64 %p, %X, %Y", X >= Y) \
  CASE('p', "setp.gt.s64 %p, %X, %Y", S64(X) > S64(Y)) \
  CASE('p', "setp.lt.u16 %p, %hx, %hy", (X & 0xffff) < (Y & 0xffff)) \
  CASE('p', "setp.lt.f32 %p, %x, %y", F(X) < F(Y)) \
  CASE('p', "setp.ne.f32 %p, %x, %y", F(X) < F(Y) || F(X) > F(Y)) \
  CASE('p', "setp.geu.f32 %p, %x, %y", !(F(X) < F(Y))) \
  CASE('p', "setp.neu.f32 %p, %x, %y", F(X) != F(Y)) \
  CASE('p', "setp.lt.and.u32 %p, %x, %y, %px", (W(X) < W(Y)) & X & 1) \
  CASE('p', "setp.lt.or.u32 %p, %x, %y, !%px", (W(X) < W(Y)) | (~X & 1)) \
  CASE('p', "setp.lt.xor.u32 %p, %x, %y, %px", (W(X) < W(Y)) ^ (X & 1)) \
  CASE('p', "setp.lt.and.u32 %P0|%p, %x, %y, %px", (W(X) >= W(Y)) & X & 1) \
  CASE('n', \
       "prefetch.global.L2 [%D0]; membar.gl; fence.acq_rel.gpu; " \
       "mov.u32 %r, %x", \
       W(X)) \
  CASE('n', \
       "mov.u32 %r, %laneid; mad.lo.u32 %r, %warpid, 32, %r; " \
       "mad.lo.u32 %r, %ctaid.x, %ntid.x, %r; sub.u32 %r, %r, %d0", \
       0) \
  CASE('n', "mov.u32 %r, %nctaid.x; mul.lo.u32 %r, %r, %ntid.x", THREADS) \
  CASE('n', \
       "mov.u32 %d3, %clock; mov.u32 %r, %clock; " \
       "sub.u32 %r, %r, %d3", \
       1)

typedef struct Case {
  char kind;
  const char *text;
} Case;

/* One function with all of them: C has no functions without a name. */
static uint64_t expect(uint32_t which, uint64_t X, uint64_t Y, uint64_t Z) {
  uint32_t number = 0;
  (void)Z;
#define CASE(kind, text, value) \
  if (which == number++) return (uint64_t)(value);
  CASES(CASE)
#undef CASE
  return 0;
}

static const Case cases[] = {
#define CASE(kind, text, value) {kind, text},
    CASES(CASE)
#undef CASE
};

static void test_instructions(void **state) {
  (void)state;
  Bench bench;
  Random random;
  open_bench(&bench);
  random_seed(&random, 1);
  for (uint32_t i = 0; i < LENGTH(cases); i++) {
    Text text = {0};
    write_kernel(&text, "", cases[i].text, cases[i].kind);
    for (uint32_t round = 0; round < 8; round++) {
      fill(&bench, &random);
      if (run_kernel(&bench, text.bytes, 2, THREADS / 2, 0))
        fail_msg("%s: %s", cases[i].text, text_string(&bench.error));
      for (uint32_t t = 0; t < THREADS; t++) {
        const uint64_t *in = bench.input + 3 * t;
        uint64_t wanted = expect(i, in[0], in[1], in[2]);
        if (bench.output[t] != wanted)
          fail_msg("%s of %llx %llx %llx: %llx, not %llx", cases[i].text,
                   (unsigned long long)in[0], (unsigned long long)in[1],
                   (unsigned long long)in[2],
                   (unsigned long long)bench.output[t],
                   (unsigned long long)wanted);
      }
    }
    text_free(&text);
  }
  close_bench(&bench);
}

/* All truth tables. */
static void test_lop3(void **state) {
  (void)state;
  Bench bench;
  Random random;
  open_bench(&bench);
  random_seed(&random, 2);
  fill(&bench, &random);
  for (uint32_t table = 0; table < 256; table++) {
    Text text = {0}, body = {0};
    text_format(&body, "lop3.b32 %%r, %%x, %%y, %%z, %u", table);
    write_kernel(&text, "", body.bytes, 'n');
    assert_int_equal(run_kernel(&bench, text.bytes, 1, 64, 0), 0);
    for (uint32_t t = 0; t < 64; t++) {
      const uint64_t *in = bench.input + 3 * t;
      assert_int_equal(bench.output[t],
                       slow_lop3(W(in[0]), W(in[1]), W(in[2]), table));
    }
    text_free(&text);
    text_free(&body);
  }
  close_bench(&bench);
}

/* ---- programs ---- */

typedef uint64_t Whole(const uint64_t *in, uint32_t thread);

/* Runs a body on random inputs in one block; every thread's result is what the
   function says. */
static void check_program(const char *outside, const char *body, char result,
                          uint32_t threads, uint32_t shared, Whole *expected) {
  Bench bench;
  Random random;
  Text text = {0};
  open_bench(&bench);
  random_seed(&random, 3);
  fill(&bench, &random);
  write_kernel(&text, outside, body, result);
  if (run_kernel(&bench, text.bytes, 1, threads, shared))
    fail_msg("%s: %s", body, text_string(&bench.error));
  for (uint32_t t = 0; t < threads; t++)
    if (bench.output[t] != expected(bench.input, t))
      fail_msg("%s: thread %u has %llx, not %llx", body, t,
               (unsigned long long)bench.output[t],
               (unsigned long long)expected(bench.input, t));
  text_free(&text);
  close_bench(&bench);
}

static uint64_t sum_of_loop(const uint64_t *in, uint32_t t) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i <= in[3 * t] % 32; i++) sum += i * W(in[3 * t + 1]);
  return W(sum);
}

static uint64_t full_mask(const uint64_t *in, uint32_t t) {
  (void)in;
  (void)t;
  return UINT32_MAX;
}

static uint64_t chosen_way(const uint64_t *in, uint32_t t) {
  static const uint32_t ways[] = {7, 11, 13, 11};
  return ways[in[3 * t] & 3] + 100u * (uint32_t)(in[3 * t + 1] & 1);
}

static uint64_t called(const uint64_t *in, uint32_t t) {
  (void)in;
  return 3 * (t % 5 == 0 ? 2 : 1) + 100;
}

static void test_threads_part(void **state) {
  (void)state;
  /* Each thread loops as often as it wants to. */
  check_program("",
                "and.b32 %d3, %x, 31; mov.u32 %d4, 0; mov.u32 %r, 0; again: "
                "mad.lo.u32 %r, %d4, %y, %r; add.u32 %d4, %d4, 1; "
                "setp.le.u32 %p, %d4, %d3; @%p bra again",
                'n', THREADS, 0, sum_of_loop);
  /* Those that took different ways are together again behind them. */
  check_program("",
                "@%px bra one; @%py bra.uni two; bra one; two: mov.u32 %r, 1; "
                "bra both; one: mov.u32 %r, 2; both: activemask.b32 %r",
                'n', 64, 0, full_mask);
  check_program("",
                "and.b32 %d3, %x, 3; list: .branchtargets a, b, c, b; "
                "brx.idx %d3, list; a: mov.u32 %r, 7; bra end; b: mov.u32 %r, "
                "11; bra end; c: mov.u32 %r, 13; end: @%py add.u32 %r, %r, 100",
                'n', THREADS, 0, chosen_way);
  check_program(".global .u32 cell[64];\n"
                ".func twice\n{\n.reg .b64 %a; .reg .b32 %v, %t;\n"
                "mov.u64 %a, cell; mov.u32 %t, %tid.x;\n"
                "mad.wide.u32 %a, %t, 4, %a; ld.global.u32 %v, [%a];\n"
                "mul.lo.u32 %v, %v, 3; st.global.u32 [%a], %v; ret;\n}\n",
                "mov.u64 %D3, cell; mad.wide.u32 %D3, %d0, 4, %D3; "
                "mov.u32 %d3, 1; rem.u32 %d4, %d0, 5; setp.eq.u32 %p, %d4, 0; "
                "@%p mov.u32 %d3, 2; st.global.u32 [%D3], %d3; "
                "call.uni twice; ld.global.u32 %r, [%D3]; add.u32 %r, %r, 100",
                'n', 64, 0, called);
}

static uint64_t neighbour(const uint64_t *in, uint32_t t) {
  return W(in[3 * ((t + 77) % THREADS)]);
}

static uint64_t odd_count(const uint64_t *in, uint32_t t) {
  uint32_t count = 0;
  (void)t;
  for (uint32_t i = 0; i < THREADS; i++) count += in[3 * i] & 1;
  return count;
}

static uint64_t one(const uint64_t *in, uint32_t t) {
  (void)in;
  (void)t;
  return 1;
}

static uint64_t zero(const uint64_t *in, uint32_t t) {
  (void)in;
  (void)t;
  return 0;
}

static uint64_t pair_sum(const uint64_t *in, uint32_t t) {
  return W(in[3 * t]) + (uint64_t)W(in[3 * (t ^ 32)]);
}

#define OWN_WORD \
  "mov.u32 %d3, words; mad.lo.u32 %d3, %d0, 4, %d3; " \
  "st.shared.b32 [%d3], %x; "

static void test_barriers(void **state) {
  (void)state;
  const char *outside = ".extern .shared .align 16 .b8 words[];\n";
  check_program(outside,
                OWN_WORD "bar.sync 0; add.u32 %d4, %d0, 77; "
                         "and.b32 %d4, %d4, 255; mov.u32 %d3, words; "
                         "mad.lo.u32 %d3, %d4, 4, %d3; ld.shared.b32 %r, [%d3]",
                'n', THREADS, 4 * THREADS, neighbour);
  check_program("", "bar.red.popc.u32 %r, 0, %px", 'n', THREADS, 0, odd_count);
  check_program("", "bar.red.or.pred %p, 0, %px", 'p', THREADS, 0, one);
  check_program("", "bar.red.and.pred %p, 0, %px", 'p', THREADS, 0, zero);
  /* Pairs of warps, each at a barrier of its own. */
  check_program(outside,
                OWN_WORD "shr.u32 %d4, %d0, 6; add.u32 %d4, %d4, 1; "
                         "barrier.sync %d4, 64; xor.b32 %d4, %d0, 32; "
                         "mov.u32 %d3, words; mad.lo.u32 %d3, %d4, 4, %d3; "
                         "ld.shared.b32 %d5, [%d3]; cvt.u64.u32 %D3, %d5; "
                         "cvt.u64.u32 %R, %x; add.u64 %R, %R, %D3",
                'w', THREADS, 4 * THREADS, pair_sum);
  /* Threads that have ended are not waited for. */
  check_program("",
                "setp.ge.u32 %p, %d0, 64; @%p exit; mov.u32 %r, 0; "
                "bar.sync 0",
                'n', 64, 0, zero);
}

static uint32_t lanes_of(const uint64_t *in, uint32_t t, uint32_t field,
                         uint32_t lane) {
  return W(in[3 * ((t & ~31u) + lane) + field]);
}

static uint64_t butterfly(const uint64_t *in, uint32_t t) {
  return lanes_of(in, t, 0, (t & 31) ^ 5);
}

static uint64_t indexed(const uint64_t *in, uint32_t t) {
  return lanes_of(in, t, 0, in[3 * t + 1] & 31);
}

static uint64_t from_below(const uint64_t *in, uint32_t t) {
  uint32_t lane = t & 31;
  return lanes_of(in, t, 0, lane < 3 ? lane : lane - 3) +
         (lane < 3 ? 0 : UINT64_C(1) << 40);
}

static uint64_t from_above(const uint64_t *in, uint32_t t) {
  uint32_t lane = t & 31; /* in segments of 8 */
  return lanes_of(in, t, 0, (lane & 7) + 2 > 7 ? lane : lane + 2);
}

static uint64_t ballot(const uint64_t *in, uint32_t t) {
  uint32_t votes = 0;
  for (uint32_t i = 0; i < 32; i++) votes |= (lanes_of(in, t, 0, i) & 1) << i;
  return votes;
}

static uint64_t warp_sum(const uint64_t *in, uint32_t t) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 32; i++) sum += lanes_of(in, t, 0, i);
  return sum;
}

static uint64_t warp_least(const uint64_t *in, uint32_t t) {
  int32_t least = INT32_MAX;
  for (uint32_t i = 0; i < 32; i++)
    if (S32(lanes_of(in, t, 0, i)) < least) least = S32(lanes_of(in, t, 0, i));
  return (uint32_t)least;
}

static uint64_t warp_or(const uint64_t *in, uint32_t t) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 32; i++)
    if (((lanes_of(in, t, 0, i) ^ lanes_of(in, t, 0, t & 31)) & 1) == 0)
      sum |= lanes_of(in, t, 1, i);
  return sum;
}

static uint64_t equal_lanes(const uint64_t *in, uint32_t t) {
  uint32_t same = 0;
  for (uint32_t i = 0; i < 32; i++)
    same |= (uint32_t)((lanes_of(in, t, 0, i) & 7) ==
                       (lanes_of(in, t, 0, t & 31) & 7))
            << i;
  return same;
}

static void test_exchanges(void **state) {
  (void)state;
  check_program("", "shfl.sync.bfly.b32 %r, %x, 5, 31, -1", 'n', THREADS, 0,
                butterfly);
  check_program("",
                "and.b32 %d3, %y, 31; "
                "shfl.sync.idx.b32 %r, %x, %d3, 31, 0xffffffff",
                'n', THREADS, 0, indexed);
  check_program("",
                "shfl.sync.up.b32 %r|%p, %x, 3, 0, -1; cvt.u64.u32 %R, %r; "
                "@%p add.u64 %R, %R, 0x10000000000",
                'w', THREADS, 0, from_below);
  check_program("", "shfl.sync.down.b32 %r, %x, 2, 0x181f, -1", 'n', THREADS, 0,
                from_above);
  check_program("", "vote.sync.ballot.b32 %r, %px, -1", 'n', THREADS, 0,
                ballot);
  check_program("", "vote.sync.any.pred %p, %px, -1", 'p', THREADS, 0, one);
  check_program("", "vote.sync.all.pred %p, %px, -1", 'p', THREADS, 0, zero);
  check_program("", "vote.sync.uni.pred %p, %px, -1", 'p', THREADS, 0, zero);
  check_program("", "redux.sync.add.u32 %r, %x, -1", 'n', THREADS, 0, warp_sum);
  check_program("", "redux.sync.min.s32 %r, %x, -1", 'n', THREADS, 0,
                warp_least);
  /* Two sets of threads in two branches, each with its own mask. */
  check_program("",
                "vote.sync.ballot.b32 %d3, %px, -1; "
                "@!%px not.b32 %d3, %d3; @%px bra odd; "
                "redux.sync.or.b32 %r, %y, %d3; bra end; "
                "odd: redux.sync.or.b32 %r, %y, %d3; end: "
                "bar.warp.sync -1",
                'n', THREADS, 0, warp_or);
  check_program("", "and.b32 %d3, %x, 7; match.any.sync.b32 %r, %d3, -1", 'n',
                THREADS, 0, equal_lanes);
}

/* ---- memory ---- */

static uint64_t bytes_of_x(const uint64_t *in, uint32_t t) {
  uint64_t x = in[3 * t];
  return (x & 0xff) + (x >> 16 & 0xffff) +
         (uint64_t)(int64_t)(int8_t)(x >> 24) + (x >> 32);
}

static uint64_t whole_pair(const uint64_t *in, uint32_t t) {
  return in[3 * t] ^ in[3 * t + 1];
}

static uint64_t table_entry(const uint64_t *in, uint32_t t) {
  static const uint32_t table[] = {5, 7, UINT32_MAX, 0x1234};
  return table[in[3 * t] & 3];
}

static uint64_t own_x(const uint64_t *in, uint32_t t) {
  return W(in[3 * t]);
}

#define PIECES(space, base) \
  "st." space ".u64 [" base "], %X; ld." space ".u8 %d4, [" base "]; " \
  "ld." space ".u16 %d5, [" base "+2]; ld." space ".s8 %d6, [" base "+3]; " \
  "ld." space ".b32 %d7, [" base "+4]; cvt.s64.s32 %R, %d6; " \
  "add.u32 %d4, %d4, %d5; cvt.u64.u32 %D4, %d4; add.u64 %R, %R, %D4; " \
  "cvt.u64.u32 %D4, %d7; add.u64 %R, %R, %D4"

/* Threads of different warps write the same word, and mean to. */
#define TOGETHER \
  "st.volatile.shared.u32 [words], 7; ld.volatile.shared.u32 %r, [words]; " \
  "mov.u32 %d3, words; st.volatile.shared.u32 [%d3], 7; " \
  "atom.shared.add.u32 %d4, [words], 0; bar.sync 0; sub.u32 %r, %r, 7"

static void test_memory(void **state) {
  (void)state;
  const char *shared = ".extern .shared .align 16 .b8 words[];\n"
                       ".shared .align 16 .b8 other[8192];\n"
                       ".global .align 16 .b8 cells[8192];\n";
  const char *constant = ".const .u32 table[4] = {5, 7, -1, 0x1234};\n";
  check_program(shared,
                "mov.u32 %d3, words; mad.lo.u32 %d3, %d0, 16, %d3; " PIECES(
                    "shared", "%d3"),
                'w', THREADS, 16 * THREADS, bytes_of_x);
  check_program(shared,
                "mov.u64 %D3, other; mad.wide.u32 %D3, %d0, 16, %D3; " PIECES(
                    "volatile.shared", "%D3"),
                'w', THREADS, 0, bytes_of_x);
  check_program(shared,
                "mov.u64 %D3, cells; mad.wide.u32 %D3, %d0, 16, %D3; " PIECES(
                    "global", "%D3"),
                'w', THREADS, 0, bytes_of_x);
  check_program("", ".local .align 8 .b8 own[24]; " PIECES("local", "own"), 'w',
                THREADS, 0, bytes_of_x);
  check_program(
      shared,
      "mov.u64 %D3, cells; mad.wide.u32 %D3, %d0, 16, %D3; "
      "st.global.v2.u64 [%D3], {%X, %Y}; "
      "ld.global.nc.v4.u32 {%d3, %d4, %d5, %d6}, [%D3]; mov.b64 %D4, {%d3, "
      "%d4}; mov.b64 %D5, {%d5, %d6}; xor.b64 %R, %D4, %D5",
      'w', THREADS, 0, whole_pair);
  check_program(constant,
                "and.b32 %d3, %x, 3; mov.u64 %D3, table; "
                "mad.wide.u32 %D3, %d3, 4, %D3; ld.const.u32 %r, [%D3]",
                'n', THREADS, 0, table_entry);
  check_program(shared, TOGETHER, 'n', THREADS, 16, zero);
  /* Generic addresses of all three kinds. */
  check_program(shared,
                ".local .align 8 .b8 own[8]; mov.u64 %D3, words; "
                "cvta.shared.u64 %D3, %D3; mad.wide.u32 %D3, %d0, 4, %D3; "
                "st.u32 [%D3], %x; ld.u32 %d3, [%D3]; mov.u64 %D4, own; "
                "cvta.local.u64 %D4, %D4; st.u32 [%D4+4], %d3; "
                "ld.local.u32 %d4, [own+4]; mov.u64 %D5, cells; "
                "mad.wide.u32 %D5, %d0, 4, %D5; cvta.global.u64 %D5, %D5; "
                "st.u32 [%D5], %d4; ld.global.u32 %r, [%D5]",
                'n', THREADS, 4 * THREADS, own_x);
}

static uint64_t sum_of_all(const uint64_t *in, uint32_t t) {
  uint64_t sum = 0;
  (void)t;
  for (uint32_t i = 0; i < THREADS; i++) sum += in[3 * i];
  return sum;
}

static uint64_t or_of_all(const uint64_t *in, uint32_t t) {
  uint32_t sum = 0;
  (void)t;
  for (uint32_t i = 0; i < THREADS; i++) sum |= W(in[3 * i]);
  return sum;
}

static uint64_t wrapped(const uint64_t *in, uint32_t t) {
  (void)in;
  (void)t;
  return THREADS % 8; /* 0 … 7 */
}

static uint64_t greatest_of_all(const uint64_t *in, uint32_t t) {
  uint32_t most = 0;
  (void)t;
  for (uint32_t i = 0; i < THREADS; i++)
    if (W(in[3 * i]) > most) most = W(in[3 * i]);
  return most;
}

static uint64_t half_of_threads(const uint64_t *in, uint32_t t) {
  (void)in;
  (void)t;
  return 0x42ff0000; /* 0.5 * 255 + 0 as a float: 127.5 */
}

static uint64_t any_order(const uint64_t *in, uint32_t t) {
  (void)in;
  (void)t;
  return (uint64_t)THREADS * (THREADS - 1) / 2;
}

#define AFTER(load) "bar.sync 0; " load
#define FIRST(text) "setp.eq.u32 %p, %d0, 0; @%p " text "; bar.sync 0; "

static void test_atomics(void **state) {
  (void)state;
  const char *outside = ".global .align 8 .b8 cell[8] = {0, 0, 0, 0};\n"
                        ".shared .align 8 .b8 own[8];\n";
  check_program(outside,
                "mov.u64 %D3, cell; red.global.add.u64 [%D3], %X; " AFTER(
                    "ld.global.u64 %R, [%D3]"),
                'w', THREADS, 0, sum_of_all);
  check_program(outside,
                FIRST("st.shared.b32 [own], 0") "atom.shared.or.b32 %d3, "
                                                "[own], %x; " AFTER(
                                                    "ld.shared.b32 %r, [own]"),
                'n', THREADS, 0, or_of_all);
  check_program(
      outside,
      FIRST("st.shared.u32 [own], 0") "red.shared.inc.u32 [own], 7; " AFTER(
          "ld.shared.b32 %r, [own]"),
      'n', THREADS, 0, wrapped);
  check_program(outside,
                "mov.u64 %D3, cell; atom.global.max.u32 %d3, [%D3], %x; " AFTER(
                    "ld.global.u32 %r, [%D3]"),
                'n', THREADS, 0, greatest_of_all);
  check_program(
      outside,
      "mov.u64 %D3, cell; setp.ne.u32 %p, %d0, 0; "
      "@%p red.global.add.f32 [%D3], 0.5; " AFTER("ld.global.b32 %r, [%D3]"),
      'n', THREADS, 0, half_of_threads);
  /* What atom returns are the numbers 0 to THREADS - 1, each once. */
  check_program(
      outside,
      FIRST("st.shared.u64 [own], 0") "atom.shared.add.u32 %d3, [own], 1; "
                                      "red.shared.add.u32 [own+4], %d3; " AFTER(
                                          "ld.shared.b32 %r, [own+4]"),
      'n', THREADS, 0, any_order);
  /* A sum by compare and swap, until nobody else came between. */
  check_program(outside,
                "mov.u64 %D3, cell; again: ld.volatile.global.u64 %D4, [%D3]; "
                "add.u64 %D5, %D4, %X; atom.global.cas.b64 %D6, [%D3], %D4, "
                "%D5; setp.ne.u64 %p, %D6, %D4; @%p bra again; " AFTER(
                    "ld.global.u64 %R, [%D3]"),
                'w', THREADS, 0, sum_of_all);
}

/* ---- errors of a launch ---- */

typedef struct Fault {
  const char *body;
  int result;
  const char *words;
} Fault;

static const Fault faults[] = {
    {"add.u32 %r, %x, %d8", MACHINE_FAILED, "reads %d8, which was never"},
    {"@%px mov.u32 %d8, 1; add.u32 %r, %x, %d8", MACHINE_FAILED, "reads %d8"},
    {"add.u64 %R, %X, %D8; mov.u32 %r, 0", MACHINE_FAILED, "reads %D8"},
    {"mov.u32 %r, 0; @%P8 mov.u32 %r, 1", MACHINE_FAILED, "reads %P8"},
    {"bfi.b32 %r, %x, %y, %z, %d8", MACHINE_FAILED, "reads %d8"},
    {"lop3.b32 %r, %x, %d8, %z, 1", MACHINE_FAILED, "reads %d8"},
    {"mov.u32 %r, 0; st.global.u32 [%D1], %d8", MACHINE_FAILED, "reads %d8"},
    {"mov.u32 %r, 0; ld.global.u64 %X, [%D0+1048576]", MACHINE_ILLEGAL_ADDRESS,
     "outside of the allocated memory"},
    {"mov.u32 %r, 0; mov.u64 %D3, 0; ld.global.u32 %d3, [%D3]",
     MACHINE_ILLEGAL_ADDRESS, "0x0 is outside"},
    {"mov.u32 %r, 0; st.global.u64 [%D1+4], %X", MACHINE_MISALIGNED,
     "not aligned to 8"},
    {"mov.u32 %r, 0; ld.global.v4.u32 {%d3, %d4, %d5, %d6}, [%D1+8]",
     MACHINE_MISALIGNED, "not aligned to 16"},
    {"mov.u32 %r, 0; mov.u32 %d3, words; st.shared.u32 [%d3+256], %x",
     MACHINE_ILLEGAL_ADDRESS, "outside of the shared memory"},
    {"mov.u32 %r, 0; ld.shared.u32 %d3, [4]", MACHINE_ILLEGAL_ADDRESS,
     "outside of the shared memory"},
    {".local .b32 own[2]; mov.u32 %r, 0; mov.u32 %d3, own; "
     "mad.lo.u32 %d3, %d0, 4, %d3; st.local.u32 [%d3], %x",
     MACHINE_ILLEGAL_ADDRESS, "thread 2: address"},
    {"mov.u32 %r, 0; ld.shared.u32 %d3, [words]", MACHINE_FAILED,
     "of shared memory, which was never written"},
    {"mov.u32 %r, 0; st.shared.u32 [words], %x", MACHINE_FAILED, "a race"},
    {"mov.u32 %r, 0; setp.lt.u32 %p, %d0, 32; @%p st.shared.u32 [words], 1; "
     "bar.sync 0; ld.shared.u32 %d3, [words]; @!%p st.shared.u32 [words], 2",
     MACHINE_FAILED, "a race: warp 1"},
    {"mov.u32 %r, 0; setp.lt.u32 %p, %d0, 32; @%p st.shared.u32 [words], 1; "
     "@!%p ld.shared.u32 %d3, [words]",
     MACHINE_FAILED, "a race: warp 0"},
    {"mov.u32 %r, 0; setp.eq.u32 %p, %d0, 0; @%p st.shared.u32 [words], 1; "
     "bar.sync 0; red.shared.add.u32 [words], 1; "
     "@%p st.shared.u32 [words], 1",
     MACHINE_FAILED, "a race: several warps"},
    {"mov.u32 %r, 0; setp.lt.u32 %p, %d0, 32; "
     "@%p st.volatile.shared.u32 [words], 1; @!%p st.shared.u32 [words], 1",
     MACHINE_FAILED, "a race: warp 0"},
    {"mov.u32 %r, 0; setp.lt.u32 %p, %d0, 3; @%p bra end; bar.sync 0; end: "
     "mov.u32 %r, 1",
     MACHINE_FAILED, "of the warp are not at the barrier"},
    {"mov.u32 %r, 0; setp.lt.u32 %p, %d0, 32; @%p bar.sync 1; @!%p bar.sync 2",
     MACHINE_FAILED, "a barrier that others never reach"},
    {"mov.u32 %r, 0; bar.sync 1, 96", MACHINE_FAILED, "never reach"},
    {"mov.u32 %r, 0; mov.u32 %d3, 16; bar.sync %d3",
     MACHINE_ILLEGAL_INSTRUCTION, "barrier 16"},
    {"@%px shfl.sync.idx.b32 %r, %x, 0, 31, -1", MACHINE_FAILED,
     "of the mask are elsewhere"},
    {"mov.u32 %r, 0; setp.lt.u32 %p, %d0, 3; @!%p bra end; "
     "shfl.sync.idx.b32 %r, %x, 3, 31, 7; end: mov.u32 %r, 1",
     MACHINE_FAILED, "asks thread 3"},
    {"mov.u32 %d3, 1; shfl.sync.idx.b32 %r, %x, 0, 31, %d3", MACHINE_FAILED,
     "lacks the thread itself"},
    {"mov.u32 %r, 0; @%px vote.sync.any.pred %p, %py, -1", MACHINE_FAILED,
     "are elsewhere"},
    {"mov.u32 %r, 0; list: .branchtargets a, b; and.b32 %d3, %x, 3; "
     "brx.idx %d3, list; a: b: mov.u32 %r, 1",
     MACHINE_ILLEGAL_INSTRUCTION, "target 3 of 2"},
    {"mov.u32 %r, 0; again: bra again", MACHINE_TIMEOUT, "too long"},
    {"mov.u32 %r, 0; list: .branchtargets a; mov.u32 %d3, 0; a: "
     "brx.idx %d3, list",
     MACHINE_TIMEOUT, "too long"},
    {"mov.u32 %r, 0; trap", MACHINE_ILLEGAL_INSTRUCTION, "a trap"}};

static void test_faults(void **state) {
  (void)state;
  Bench bench;
  Random random;
  open_bench(&bench);
  random_seed(&random, 4);
  for (uint32_t i = 0; i < LENGTH(faults); i++) {
    Text text = {0};
    for (uint32_t k = 0; k < 3 * THREADS; k++)
      bench.input[k] = random_next(&random);
    bench.input[0] |= 3; /* %px is true in some threads, false in others */
    bench.input[3] &= ~UINT64_C(1);
    bench.input[6] = 2;
    write_kernel(&text, ".extern .shared .align 16 .b8 words[];\n",
                 faults[i].body, 'n');
    int result = run_kernel(&bench, text.bytes, 1, 64, 256);
    if (result != faults[i].result ||
        !strstr(text_string(&bench.error), faults[i].words))
      fail_msg("%s: %d, %s", faults[i].body, result, text_string(&bench.error));
    text_free(&text);
  }
  close_bench(&bench);
}

/* The same without a look at races. */
static void test_races_ignored(void **state) {
  (void)state;
  Bench bench;
  Text text = {0};
  open_bench(&bench);
  memset(bench.input, 0, 24 * THREADS);
  write_kernel(&text, ".shared .b32 word[1];\n",
               "st.shared.u32 [word], %x; ld.shared.u32 %r, [word]", 'n');
  uint64_t parameters[2] = {bench.in, bench.out};
  Module *module = machine_load(bench.machine, text.bytes, &bench.error);
  assert_non_null(module);
  Launch launch = {.module = module,
                   .entry = module_find(module, "k"),
                   .blocks = 1,
                   .threads = 64,
                   .parameters = (const uint8_t *)parameters};
  assert_int_equal(machine_launch(bench.machine, &launch, &bench.error),
                   MACHINE_FAILED);
  launch.ignore_races = true;
  assert_int_equal(machine_launch(bench.machine, &launch, &bench.error), 0);
  machine_unload(bench.machine, module);
  text_free(&text);
  close_bench(&bench);
}

/* ---- errors of a text ---- */

typedef struct Mistake {
  const char *body, *words;
} Mistake;

static const Mistake mistakes[] = {
    {"frobnicate.u32 %r, %x", "line 30: unknown instruction frobnicate.u32"},
    {"add.u33 %r, %x, %y", "unknown instruction add.u33"},
    {"add.u32 %r, %x", "add.u32 has 2 operands"},
    {"add.u32 %r, %x, %nothing", "the register %nothing is not declared"},
    {"add.u32 %r, %x, %d9", "the register %d9 is not declared"},
    {"add.u32 %r, %x, %d01", "the register %d01 is not declared"},
    {"add.u32 %r, %x, %X", "an operand has the wrong type"},
    {"add.u32 %R, %x, %y", "the result has the wrong type"},
    {"add.u32 %r, %x, %px", "an operand has the wrong type"},
    {"add.u32 5, %x, %y", "a register expected as the result"},
    {"add.u32 %tid.x, %x, %y", "a register expected as the result"},
    {"add.u32 %r, %x, 1.5", "a float where none can be"},
    {"add.u32 %r, %x, 0x100000000", "the number is too large"},
    {"add.f32 %r, %x, 1", "an integer where none can be"},
    {".reg .u32 %u; .reg .f32 %f; add.f32 %f, %f, %u", "wrong type"},
    {".reg .u32 %u; .reg .f32 %f; add.u32 %u, %f, %u", "wrong type"},
    {".reg .b32 %x", "%x is declared twice"},
    {".reg .b8 %b", "no register has 8 bits"},
    {".reg .b32 again; again: ret", "the label again is also a register"},
    {"lop3.b32 %r, %x, %x, %y, 0x80", "lop3 with equal inputs"},
    {"lop3.b32 %r, %x, %y, %z, 256", "8 bits"},
    {"bra nowhere", "there is no label nowhere"},
    {"same: same: ret", "the label same is there twice"},
    {"brx.idx %x, list", "there is no list of targets list"},
    {"call.uni nobody", "no function nobody is defined before"},
    {"setp.lt.b32 %p, %x, %y", "unknown instruction setp.lt.b32"},
    {"setp.lt.u32 %r, %x, %y", "the result has the wrong type"},
    {"setp.lt.and.u32 %p, %x, %y", "setp.lt.and.u32 has 3 operands"},
    {"ld.global.u32 %r, %x", "an address in brackets expected"},
    {"ld.global.u32 %r, [%x]", "addresses of this memory have 64 bits"},
    {"ld.param.u32 %r, [other]", "there is no parameter other"},
    {"ld.param.u64 %R, [in+8]", "more than the parameter in has"},
    {"ld.shared.u32 %r, [other]", "other is not declared"},
    {"ld.global.v2.u32 %r, [%D0]", "2 registers in braces expected"},
    {"ld.global.v4.u64 {%X, %Y, %Z, %R}, [%D0]", "more than 16 bytes"},
    {"st.const.u32 [%D0], %x", "this memory cannot be written"},
    {"atom.global.add.b32 %r, [%D0], %x", "unknown instruction atom"},
    {"atom.global.or.u32 %r, [%D0], %x", "unknown instruction atom"},
    {"shfl.bfly.b32 %r, %x, 1, 31", "unknown instruction shfl.bfly.b32"},
    {"mov.u32 %r, %x %y", "';' expected before '%y"},
    {"@%x mov.u32 %r, 0", "a predicate expected"},
    {".shared .b8 large[50000]", "more than 49152 bytes of shared memory"},
    {".local .b8 large[600000]", "bytes of local memory"},
    {"mov.u32 %r, 0 /* no end", "a comment has no end"}};

static void test_mistakes(void **state) {
  (void)state;
  for (uint32_t i = 0; i < LENGTH(mistakes); i++) {
    Text text = {0}, error = {0};
    write_kernel(&text, "", mistakes[i].body, 'n');
    Module *module = module_new(text.bytes, GLOBAL_START, &error);
    if (module || !strstr(text_string(&error), mistakes[i].words) ||
        strncmp(text_string(&error), "line ", 5) != 0)
      fail_msg("%s: %s", mistakes[i].body, text_string(&error));
    text_free(&text);
    text_free(&error);
  }
}

static void test_wrong_heads(void **state) {
  (void)state;
#define HEAD ".version 7.8\n.target sm_90\n.address_size 64\n"
  static const Mistake heads[] = {
      {"", "'.version' expected before 'the end'"},
      {".version 9.9", "unknown version 9.9"},
      {".version 7.8\n.target sm_100", "does not run on sm_90"},
      {".version 7.8\n.target sm_90\n.address_size 32", "64 bits"},
      {HEAD "hello", "line 4: a declaration expected before 'hello'"},
      {HEAD ".reg .b32 %r<4>;", "a declaration expected"},
      {HEAD ".entry k { ret;", "a function has no end"},
      {HEAD ".entry k(.param .u99 a) {}", "unknown type .u99"},
      {HEAD ".entry k .maxntid 2048 {}", "1 to 1024 threads"},
      {HEAD ".entry k {} .entry k {}", "k is defined twice"},
      {HEAD ".entry k { .reg .b32 f; ret; } .entry f {}", "also a register"},
      {HEAD ".func f(.param .u32 a) {}", "no parameters here"},
      {HEAD ".const .u32 a[2] = {1, 2, 3};", "more values than"},
      {HEAD ".const .b8 a[70000];", "more than 65536 bytes of constants"},
      {HEAD ".shared .u32 a[2] = {1, 2};", "has no values"},
      {HEAD ".global .align 3 .u32 a;", "a power of two"},
      {HEAD ".extern .shared .b8 a;", "external arrays have no size"}};
  for (uint32_t i = 0; i < LENGTH(heads); i++) {
    Text error = {0};
    Module *module = module_new(heads[i].body, GLOBAL_START, &error);
    if (module || !strstr(text_string(&error), heads[i].words))
      fail_msg("%s: %s", heads[i].body, text_string(&error));
    text_free(&error);
  }
}

/* ---- memory of the machine ---- */

static void test_blocks(void **state) {
  (void)state;
  Machine *machine = machine_new(GLOBAL_START);
  uint64_t a = machine_allocate(machine, 100);
  uint64_t b = machine_allocate(machine, 1);
  assert_true(a % 256 == 0 && b % 256 == 0 && b >= a + 256);
  assert_int_equal(machine_used(machine), 101);
  assert_non_null(machine_memory(machine, a, 100));
  assert_non_null(machine_memory(machine, a + 99, 1));
  assert_null(machine_memory(machine, a + 99, 2));
  assert_null(machine_memory(machine, a - 1, 1));
  assert_null(machine_memory(machine, a + 100, 1));
  assert_false(machine_release(machine, a + 1));
  assert_true(machine_release(machine, a));
  assert_false(machine_release(machine, a));
  assert_null(machine_memory(machine, a, 1));
  assert_true(machine_allocate(machine, 8) > b);
  assert_int_equal(machine_used(machine), 9);
  machine_delete(machine);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_instructions),  cmocka_unit_test(test_lop3),
      cmocka_unit_test(test_threads_part),  cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_exchanges),     cmocka_unit_test(test_memory),
      cmocka_unit_test(test_atomics),       cmocka_unit_test(test_faults),
      cmocka_unit_test(test_races_ignored), cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_wrong_heads),   cmocka_unit_test(test_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
