#include "gpu/ptx.h"

#include <stdarg.h>
#include <stdio.h>

#include "program/truth.h"

void ptx_begin(Ptx *ptx) {
  *ptx = (Ptx){.registers = 1};
  ptx_line(ptx, "mov.u32 %%r0, 0");
}

void ptx_free(Ptx *ptx) {
  text_free(&ptx->body);
}

void ptx_line(Ptx *ptx, const char *format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text_add_byte(&ptx->body, '\t');
  text_add(&ptx->body, line);
  text_add(&ptx->body, ";\n");
  ptx->instructions++;
}

void ptx_move(Ptx *ptx, Reg to, Reg from) {
  if (to != from) ptx_line(ptx, "mov.b32 %%r%u, %%r%u", to, from);
}

/* Returns the register, or a new one with its negation. */
static Reg negate(Ptx *ptx, Reg from, bool negated) {
  if (!negated) return from;
  Reg to = ptx_new(ptx);
  ptx_line(ptx, "not.b32 %%r%u, %%r%u", to, from);
  return to;
}

/* A function of two inputs, given by its values at ab = 00, 01, 10, 11 (bits 0
   to 3). Compilers of the year 2025 crash on some lop3 with equal inputs. */
static void write_pair(Ptx *ptx, Reg to, uint32_t table, Reg a, Reg b) {
  if (table == 6 || table == 9) {
    Reg left = negate(ptx, a, table == 9);
    ptx_line(ptx, "xor.b32 %%r%u, %%r%u, %%r%u", to, left, b);
    return;
  }
  /* One of the values differs from the other three. */
  bool or = (table & (table - 1)) != 0;
  uint32_t odd = or ? ~table & 15 : table, place = 0;
  while (odd >> place != 1) place++;
  /* AND is 1 at `place` alone, OR is 0 there alone. */
  Reg left = negate(ptx, a, (place >> 1 & 1) == or);
  Reg right = negate(ptx, b, (place & 1) == or);
  ptx_line(ptx, "%s.b32 %%r%u, %%r%u, %%r%u", or ? "or" : "and", to, left,
           right);
}

static void write_single(Ptx *ptx, Reg to, bool negated, Reg from) {
  ptx_line(ptx, "%s.b32 %%r%u, %%r%u", negated ? "not" : "mov", to, from);
}

/* Returns the table in which input i is also read where j was; their bits in an
   index of the table are given. */
static uint8_t unite(uint8_t table, uint32_t i, uint32_t j) {
  uint8_t united = 0;
  for (uint32_t at = 0; at < 8; at++) {
    uint32_t from = at & i ? at | j : at & ~j;
    united |= (uint8_t)((table >> from & 1) << at);
  }
  return united;
}

void ptx_gate_to(Ptx *ptx, Reg to, uint8_t table, Reg a, Reg b, Reg c) {
  bool reads[3];
  if (a == b) table = unite(table, 4, 2);
  if (a == c) table = unite(table, 4, 1);
  if (b == c) table = unite(table, 2, 1);
  for (uint32_t i = 0; i < 3; i++) reads[i] = truth_depends(table, i);
  if (table == 0 || table == 0xff) {
    ptx_line(ptx, "mov.b32 %%r%u, %d", to, table ? -1 : 0);
  } else if (reads[0] && reads[1] && reads[2]) {
    ptx_line(ptx, "lop3.b32 %%r%u, %%r%u, %%r%u, %%r%u, 0x%02x", to, a, b, c,
             table);
  } else if (reads[0] && reads[1]) {
    write_pair(ptx, to,
               (uint32_t)((table & 1) | (table >> 2 & 1) << 1 |
                          (table >> 4 & 1) << 2 | (table >> 6 & 1) << 3),
               a, b);
  } else if (reads[0] && reads[2]) {
    write_pair(ptx, to,
               (uint32_t)((table & 1) | (table >> 1 & 1) << 1 |
                          (table >> 4 & 1) << 2 | (table >> 5 & 1) << 3),
               a, c);
  } else if (reads[1] && reads[2]) {
    write_pair(ptx, to, table & 15, b, c);
  } else if (reads[0]) {
    write_single(ptx, to, table & 1, a);
  } else {
    write_single(ptx, to, table & 1, reads[1] ? b : c);
  }
}

Reg ptx_gate(Ptx *ptx, uint8_t table, Reg a, Reg b, Reg c) {
  Reg to = ptx_new(ptx);
  ptx_gate_to(ptx, to, table, a, b, c);
  return to;
}

Reg ptx_and(Ptx *ptx, Reg a, Reg b) {
  return ptx_gate(ptx, TRUTH_A & TRUTH_B, a, b, b);
}

Reg ptx_and_not(Ptx *ptx, Reg a, Reg b) {
  return ptx_gate(ptx, TRUTH_A & (0xff ^ TRUTH_B), a, b, b);
}

Reg ptx_or(Ptx *ptx, Reg a, Reg b) {
  return ptx_gate(ptx, TRUTH_A | TRUTH_B, a, b, b);
}

Reg ptx_xor(Ptx *ptx, Reg a, Reg b) {
  return ptx_gate(ptx, TRUTH_A ^ TRUTH_B, a, b, b);
}

Reg ptx_parity(Ptx *ptx, Reg a, Reg b, Reg c) {
  return ptx_gate(ptx, TRUTH_A ^ TRUTH_B ^ TRUTH_C, a, b, c);
}

Reg ptx_majority(Ptx *ptx, Reg a, Reg b, Reg c) {
  return ptx_gate(
      ptx, (TRUTH_A & TRUTH_B) | (TRUTH_B & TRUTH_C) | (TRUTH_A & TRUTH_C), a,
      b, c);
}

void ptx_count(Ptx *ptx, Reg sum, Reg lanes) {
  Reg ones = ptx_new(ptx);
  ptx_line(ptx, "popc.b32 %%r%u, %%r%u", ones, lanes);
  ptx_line(ptx, "add.u32 %%r%u, %%r%u, %%r%u", sum, sum, ones);
}
