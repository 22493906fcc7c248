#include "program/truth.h"

bool truth_depends(uint8_t table, uint32_t variable) {
  static const uint8_t masks[] = {0x0f, 0x33, 0x55};
  return ((table >> (4 >> variable)) ^ table) & masks[variable];
}

uint8_t truth_move(uint8_t table, const uint32_t place[3]) {
  uint32_t moved = 0;
  for (uint32_t at = 0; at < 8; at++) {
    uint32_t from = 0;
    for (uint32_t i = 0; i < 3; i++)
      from |= (at >> (2 - place[i]) & 1) << (2 - i);
    moved |= (uint32_t)(table >> from & 1) << at;
  }
  return (uint8_t)moved;
}

uint8_t truth_fix(uint8_t table, uint32_t variable, bool value) {
  uint32_t bit = 4 >> variable, fixed = 0;
  for (uint32_t at = 0; at < 8; at++)
    fixed |= (uint32_t)(table >> (value ? at | bit : at & ~bit) & 1) << at;
  return (uint8_t)fixed;
}

uint8_t truth_negate(uint8_t table, uint32_t variable) {
  static const uint8_t masks[] = {TRUTH_A, TRUTH_B, TRUTH_C};
  uint32_t shift = 4u >> variable, mask = masks[variable];
  return (uint8_t)((table & mask) >> shift | (table & ~mask) << shift);
}
