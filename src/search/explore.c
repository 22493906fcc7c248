/* A difference needs one number of two states A and B besides their sizes: of
   the facts that they share. |A \ B| is |A| less that number, |B \ A| is |B|
   less that number. On a net it is a sum over words; the rules engine's sorted
   facts are merged. */
#include "search/explore.h"

void explore_init(Explore *explore, bool bits) {
  *explore = (Explore){.bits = bits};
}

void explore_free(Explore *explore) {
  vector_free(&explore->states);
}

void explore_begin(Explore *explore) {
  explore->count = 0;
}

/* The bits of a word, without an instruction that not every machine has. */
static inline uint32_t bits_in(uint64_t word) {
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (uint32_t)(word * 0x0101010101010101u >> 56);
}

static uint32_t count_facts(const Explore *explore, const uint64_t *words,
                            uint32_t count) {
  uint32_t facts = 0;
  if (!explore->bits) return count;
  for (uint32_t w = 0; w < count; w++) facts += bits_in(words[w]);
  return facts;
}

/* Makes the slots larger; keeps what is in them. */
static void make_room(Explore *explore, uint32_t room) {
  uint32_t before = explore->room;
  vector_resize(&explore->states, room * EXPLORE_MOST);
  for (uint32_t slot = EXPLORE_MOST; slot-- > 0;)
    memmove(explore->states.data + (size_t)slot * room,
            explore->states.data + (size_t)slot * before,
            before * sizeof(uint64_t));
  explore->room = room;
}

void explore_add(Explore *explore, const uint64_t *words, uint32_t count) {
  uint32_t slot = explore->count++ % EXPLORE_MOST;
  if (count > explore->room) make_room(explore, count);
  if (count)
    memcpy(explore->states.data + (size_t)slot * explore->room, words,
           count * sizeof *words);
  explore->words[slot] = count;
  explore->facts[slot] = count_facts(explore, words, count);
}

/* The number of equal elements of two sorted lists. */
static uint32_t common_elements(const uint64_t *a, uint32_t a_count,
                                const uint64_t *b, uint32_t b_count) {
  uint32_t i = 0, j = 0, common = 0;
  while (i < a_count && j < b_count) {
    common += a[i] == b[j];
    uint64_t x = a[i], y = b[j];
    i += x <= y;
    j += y <= x;
  }
  return common;
}

static uint32_t common_bits(const uint64_t *a, const uint64_t *b,
                            uint32_t count) {
  uint32_t common = 0;
  for (uint32_t w = 0; w < count; w++) common += bits_in(a[w] & b[w]);
  return common;
}

uint32_t explore_difference(const Explore *explore, const uint64_t *words,
                            uint32_t count, uint32_t last, bool both) {
  uint32_t facts = count_facts(explore, words, count), least = UINT32_MAX;
  if (last > explore->count) last = explore->count;
  for (uint32_t back = 1; back <= last; back++) {
    uint32_t slot = (explore->count - back) % EXPLORE_MOST;
    const uint64_t *state = explore->states.data + (size_t)slot * explore->room;
    uint32_t common = explore->bits ? common_bits(words, state, count)
                                    : common_elements(words, count, state,
                                                      explore->words[slot]);
    uint32_t difference =
        facts - common + (both ? explore->facts[slot] - common : 0);
    if (difference < least) least = difference;
  }
  return least;
}
