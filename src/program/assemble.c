/* Encodings (Intel 64 and IA-32 Architectures Software Developer's Manual,
   volume 2): EVEX prefix, opcode, ModRM, displacement, immediate. A one-byte
   displacement counts in vectors of 64 bytes, so a base register reaches 256
   slots with it. Nine base registers, all caller-saved, reach the first 2,304
   slots; slots beyond take a four-byte displacement. */
#include "program/assemble.h"

enum { REACH = 256, SLOT_BYTES = 64, RSI = 6, RDI = 7 };

/* rdi first (slots 0 …), rax, rcx, rdx, rsi, r8, r9, r10, r11. */
static const uint8_t bases[] = {RDI, 0, 1, 2, RSI, 8, 9, 10, 11};
enum { BASE_COUNT = sizeof bases };

typedef enum { MAP_0F = 1, MAP_0F38, MAP_0F3A } Map;

static void add(Bytes *bytes, uint32_t byte) {
  vector_push(bytes, (uint8_t)byte);
}

static void add_four(Bytes *bytes, uint32_t number) {
  for (uint32_t i = 0; i < 4; i++) add(bytes, number >> (8 * i) & 0xff);
}

static void add_address(Bytes *bytes, uint32_t reg, uint32_t slot) {
  uint32_t base = slot / REACH;
  if (base < BASE_COUNT) {
    add(bytes, 0x40 | (reg & 7) << 3 | (bases[base] & 7));
    add(bytes, (slot % REACH - REACH / 2) & 0xff);
  } else {
    add(bytes, 0x80 | (reg & 7) << 3 | RDI);
    add_four(bytes, (slot - REACH / 2) * SLOT_BYTES);
  }
}

/* 66-prefixed, W1, 512 bits; x and b are the high bits of what the last byte
   names. The prefix holds the high bits of registers, inverted. */
static void add_prefix(Bytes *bytes, Map map, uint32_t opcode, uint32_t reg,
                       uint32_t second, uint32_t x, uint32_t b) {
  add(bytes, 0x62);
  add(bytes, (~reg >> 3 & 1) << 7 | (x ^ 1) << 6 | (b ^ 1) << 5 |
                 (~reg >> 4 & 1) << 4 | map);
  add(bytes, 0x80 | (~second & 15) << 3 | 0x04 | 0x01);
  add(bytes, 0x40 | (~second >> 4 & 1) << 3);
  add(bytes, opcode);
}

static void add_evex(Bytes *bytes, Map map, uint32_t opcode, uint32_t reg,
                     uint32_t second, Operand rm) {
  uint32_t x = rm.in_memory ? 0 : rm.number >> 4 & 1, b;
  if (rm.in_memory)
    b = rm.number / REACH < BASE_COUNT ? bases[rm.number / REACH] >> 3 : 0;
  else
    b = rm.number >> 3 & 1;
  add_prefix(bytes, map, opcode, reg, second, x, b);
  if (rm.in_memory)
    add_address(bytes, reg, rm.number);
  else
    add(bytes, 0xc0 | (reg & 7) << 3 | (rm.number & 7));
}

void assemble_begin(Bytes *bytes, uint32_t slot_count, uint32_t held) {
  if (held) { /* vmovdqa64 held, [rsi] */
    add_prefix(bytes, MAP_0F, 0x6f, held, 0, 0, 0);
    add(bytes, (held & 7) << 3 | RSI);
  }
  for (uint32_t i = 1; i < BASE_COUNT && i * REACH < slot_count; i++) {
    /* lea base, [rdi + offset] */
    add(bytes, 0x48 | (uint32_t)(bases[i] >> 3) << 2);
    add(bytes, 0x8d);
    add(bytes, 0x80 | (bases[i] & 7u) << 3 | RDI);
    add_four(bytes, (i * REACH + REACH / 2) * SLOT_BYTES);
  }
  /* add rdi, offset */
  add(bytes, 0x48);
  add(bytes, 0x81);
  add(bytes, 0xc0 | RDI);
  add_four(bytes, REACH / 2 * SLOT_BYTES);
}

void assemble_end(Bytes *bytes) {
  static const uint8_t end[] = {0xc5, 0xf8, 0x77, 0xc3}; /* vzeroupper, ret */
  for (uint32_t i = 0; i < sizeof end; i++) add(bytes, end[i]);
}

/* vmovdqa64 */
void assemble_load(Bytes *bytes, uint32_t to, Operand from) {
  add_evex(bytes, MAP_0F, 0x6f, to, 0, from);
}

void assemble_store(Bytes *bytes, uint32_t slot, uint32_t from) {
  add_evex(bytes, MAP_0F, 0x7f, from, 0, (Operand){true, slot});
}

/* vpternlogq */
void assemble_lookup(Bytes *bytes, uint8_t table, uint32_t a, uint32_t b,
                     Operand c) {
  add_evex(bytes, MAP_0F3A, 0x25, a, b, c);
  add(bytes, table);
}

/* vptestmq k1, test, test; kortestw k1, k1; jnz */
void assemble_repeat(Bytes *bytes, uint32_t test, uint32_t target) {
  static const uint8_t jump[] = {0xc5, 0xf8, 0x98, 0xc9, 0x0f, 0x85};
  add_evex(bytes, MAP_0F38, 0x27, 1, test, (Operand){false, test});
  for (uint32_t i = 0; i < sizeof jump; i++) add(bytes, jump[i]);
  add_four(bytes, target - (bytes->count + 4));
}
