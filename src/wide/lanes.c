/* 64 bits of all lanes are moved at a time. A block is 64 lane vectors, a
   square of bits in each word: vector i has the rows of lanes i, 64 + i, …;
   transposed, it has bit i of all lanes. */
#include "wide/lanes.h"

enum { FEW = 4 }; /* bits */

typedef struct Block {
  _Alignas(64) uint64_t vectors[64 * 16];
} Block;

/* Loads a block lane by lane, which is faster than transposing for the few bits
   that the last block may have. */
static void load_few(const uint64_t *const *rows, uint32_t first,
                     uint32_t count, uint32_t words, const uint64_t *which,
                     Block *block) {
  for (uint32_t word = 0; word < words; word++)
    for (uint64_t left = which[word]; left;) {
      uint32_t lane = bits_take(&left);
      uint64_t row = rows[64 * word + lane][first / 64];
      for (uint32_t i = 0; i < count; i++)
        block->vectors[i * words + word] |= (row >> i & 1) << lane;
    }
}

static void load_all(const Cones *cones, const uint64_t *const *rows,
                     uint32_t first, const uint64_t *which, Block *block) {
  uint32_t words = cones->mode.words;
  for (uint32_t word = 0; word < words; word++)
    for (uint64_t left = which[word]; left;) {
      uint32_t lane = bits_take(&left);
      block->vectors[lane * words + word] = rows[64 * word + lane][first / 64];
    }
  cones->sliced->transpose(words, block->vectors);
}

void lanes_load(const Cones *cones, const uint64_t *const *rows, uint32_t bits,
                const uint64_t *which, uint64_t *memory, uint64_t *copy) {
  uint32_t words = cones->mode.words;
  Block block;
  for (uint32_t first = 0; first < bits; first += 64) {
    uint32_t count = bits - first < 64 ? bits - first : 64;
    memset(block.vectors, 0, (size_t)64 * words * sizeof *block.vectors);
    if (count <= FEW)
      load_few(rows, first, count, words, which, &block);
    else
      load_all(cones, rows, first, which, &block);
    size_t at = (size_t)first * words;
    cones->sliced->merge(words, count, which, block.vectors, memory + at);
    if (copy)
      cones->sliced->merge(words, count, which, block.vectors, copy + at);
  }
}

void lanes_store(const Cones *cones, const uint64_t *memory,
                 const uint32_t *numbers, uint32_t bits, const uint64_t *which,
                 uint64_t *const *rows) {
  uint32_t words = cones->mode.words;
  size_t bytes = words * sizeof(uint64_t);
  Block block;
  for (uint32_t first = 0; first < bits; first += 64) {
    for (uint32_t i = 0; i < 64; i++) {
      uint64_t *to = block.vectors + (size_t)i * words;
      uint32_t bit = first + i;
      if (bit < bits)
        memcpy(to, memory + (numbers ? numbers[bit] : bit) * (size_t)words,
               bytes);
      else
        memset(to, 0, bytes);
    }
    cones->sliced->transpose(words, block.vectors);
    for (uint32_t word = 0; word < words; word++)
      for (uint64_t left = which[word]; left;) {
        uint32_t lane = bits_take(&left);
        rows[64 * word + lane][first / 64] = block.vectors[lane * words + word];
      }
  }
}
