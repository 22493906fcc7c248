#include "gpu/phases.h"

void phases_init(Phases *phases, const Cones *cones) {
  const Legs *rounds = cones->rounds;
  uint32_t words = (uint32_t)bits_words(cones->net->fluents.count);
  size_t size = 2 * words * sizeof *phases->rows;
  *phases = (Phases){.legs = rounds ? rounds->count : 1, .row_words = words};
  phases->rows = memory_new(phases->legs * size + 1);
  if (!rounds) memset(phases->rows, 255, size);
  for (uint32_t leg = 0; rounds && leg < phases->legs; leg++)
    memcpy(phases->rows + 2 * leg * words, course_rows(&rounds->course, leg),
           size);
}

void phases_free(Phases *phases) {
  memory_delete(phases->rows);
}

/* As course_admits. */
static bool admits(const uint64_t *rows, uint32_t words, const uint64_t *row) {
  uint64_t wrong = 0;
  for (uint32_t i = 0; i < words; i++)
    wrong |= (row[i] & ~rows[i]) | (~row[i] & ~rows[words + i]);
  return !wrong;
}

bool phases_find(const Phases *phases, const uint64_t *rows, uint32_t count,
                 uint32_t *legs) {
  uint32_t words = phases->row_words;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t leg = 0;
    while (leg < phases->legs &&
           !admits(phases->rows + 2 * leg * words, words, rows + i * words))
      leg++;
    if (leg == phases->legs) return false;
    legs[i] = leg;
  }
  return true;
}
