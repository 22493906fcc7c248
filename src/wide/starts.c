/* A lane is given a start and a number of playouts from it, a quarter of its
   fair share of all that remain; so lanes are seldom loaded and still end
   together. Loading is by blocks of 64 lanes (engine/lanes.h): for a word with
   any lane to load it costs the same as for all of them, so callers let idle
   lanes gather. */
#include "wide/starts.h"

#include "wide/lanes.h"

void starts_init(Starts *starts, const Cones *cones) {
  size_t lanes = (size_t)64 * cones->mode.words;
  *starts = (Starts){.cones = cones};
  starts->home = cones_vectors_new(cones, cones->net->fluents.count);
  starts->start = memory_new(lanes * sizeof *starts->start);
  starts->left = memory_new(lanes * sizeof *starts->left);
}

void starts_free(Starts *starts) {
  memory_delete(starts->home);
  memory_delete(starts->start);
  memory_delete(starts->left);
}

void starts_set(Starts *starts, const uint64_t *rows, uint32_t count,
                uint32_t repeat) {
  starts->rows = rows;
  starts->count = count;
  starts->repeat = repeat;
  starts->next = starts->given = 0;
  starts->waiting = (uint64_t)count * repeat;
}

/* The next start and its share of playouts to a lane. */
static const uint64_t *give(Starts *starts, uint32_t lane) {
  uint64_t share =
      starts->waiting / ((uint64_t)128 * starts->cones->mode.words);
  if (share > starts->repeat - starts->given)
    share = starts->repeat - starts->given;
  if (!share) share = 1;
  const uint64_t *row =
      starts->rows +
      (size_t)starts->next * lanes_row_words(starts->cones->net->fluents.count);
  starts->start[lane] = starts->next;
  starts->left[lane] = (uint32_t)share - 1;
  starts->waiting -= share;
  starts->given += (uint32_t)share;
  if (starts->given == starts->repeat) starts->next++, starts->given = 0;
  return row;
}

void starts_give(Starts *starts, uint64_t *memory, uint64_t *lanes) {
  uint32_t words = starts->cones->mode.words;
  const uint64_t *rows[64 * 16];
  for (uint32_t word = 0; word < words; word++) {
    uint64_t given = 0;
    for (uint64_t left = lanes[word]; left && starts->waiting;
         left &= left - 1) {
      uint32_t lane = 64 * word + (uint32_t)__builtin_ctzll(left);
      rows[lane] = give(starts, lane);
      given |= left & -left;
    }
    lanes[word] = given;
  }
  lanes_load(starts->cones, rows, starts->cones->net->fluents.count, lanes,
             memory, starts->home);
}

bool starts_again(Starts *starts, uint32_t lane) {
  if (!starts->left[lane]) return false;
  starts->left[lane]--;
  return true;
}
