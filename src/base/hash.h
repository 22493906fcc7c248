/* 64-bit mixing. These functions must never change: state hashes in golden
   files are built from them. */
#ifndef TAFL_BASE_HASH_H
#define TAFL_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The finaliser of splitmix64 (Steele, Lea and Flood 2014): a bijection. */
static inline uint64_t hash_mix(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b) {
  return hash_mix(a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u);
}

/* FNV-1a, then mixed. */
static inline uint64_t hash_bytes(const char *bytes, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  return hash_mix(hash);
}

#endif
