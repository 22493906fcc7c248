/* Sets of small numbers as arrays of 64-bit words: number i is bit i % 64 of
   word i / 64. */
#ifndef TAFL_BASE_BITS_H
#define TAFL_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t bits_words(size_t count) {
  return (count + 63) / 64;
}
static inline uint64_t bits_of(size_t i) {
  return (uint64_t)1 << (i & 63);
}
static inline bool bits_has(const uint64_t *words, size_t i) {
  return words[i >> 6] >> (i & 63) & 1;
}
static inline void bits_add(uint64_t *words, size_t i) {
  words[i >> 6] |= bits_of(i);
}
static inline void bits_flip(uint64_t *words, size_t i) {
  words[i >> 6] ^= bits_of(i);
}
/* Removes the lowest number from a word that is not 0, and returns it. */
static inline uint32_t bits_take(uint64_t *word) {
  uint32_t lowest = (uint32_t)__builtin_ctzll(*word);
  *word &= *word - 1;
  return lowest;
}

#endif
