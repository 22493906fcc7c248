#include "gpu/phases.h"

void phases_init(Phases *phases, const Net *net, const Course *course) {
  uint32_t words = (uint32_t)bits_words(net->fluents.count);
  *phases = (Phases){.stages = course ? course->stages : 1, .row_words = words};
  size_t size = 2 * (size_t)words * phases->stages * sizeof *phases->rows;
  phases->rows = memory_new(size + 1);
  if (course)
    memcpy(phases->rows, course->rows.data, size);
  else
    memset(phases->rows, 255, size);
}

void phases_free(Phases *phases) {
  memory_delete(phases->rows);
}

/* As course_admits. Most stages of many are wrong in some word before the last.
 */
static bool admits(const uint64_t *rows, uint32_t words, const uint64_t *row) {
  for (uint32_t i = 0; i < words; i++)
    if ((row[i] & ~rows[i]) | (~row[i] & ~rows[words + i])) return false;
  return true;
}

bool phases_find(const Phases *phases, const uint64_t *rows, uint32_t count,
                 uint32_t *stages) {
  size_t words = phases->row_words;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t stage = 0;
    while (stage < phases->stages &&
           !admits(phases->rows + 2 * stage * words, phases->row_words,
                   rows + i * words))
      stage++;
    if (stage == phases->stages) return false;
    stages[i] = stage;
  }
  return true;
}
