/* A lane gets a start and a number of playouts from it, half of its fair share
   of all that remain, so that lanes are seldom loaded and still finish
   together. Lanes are loaded in blocks of 64 (wide/lanes.h): a word with any
   lane to load costs as much as one with all of them, so callers wait until
   several lanes are idle.

   A lane with a start is ready until a step comes that is in phase with its
   state. */
#include "wide/starts.h"

#include "wide/lanes.h"

void starts_init(Starts *starts, const Cones *cones, const Phase *phase) {
  size_t lanes = (size_t)64 * cones->mode.words;
  *starts = (Starts){.cones = cones, .phase = phase};
  starts->home = cones_vectors_new(cones, cones->net->fluents.count);
  starts->ready = cones_vectors_new(cones, phase->period);
  starts->all_ready = cones_vectors_new(cones, 1);
  starts->strays = cones_vectors_new(cones, 1);
  starts->start = memory_new(lanes * sizeof *starts->start);
  starts->phases = memory_new(lanes * sizeof *starts->phases);
  starts->left = memory_new(lanes * sizeof *starts->left);
}

void starts_free(Starts *starts) {
  vector_free(&starts->queue);
  memory_delete(starts->home);
  memory_delete(starts->ready);
  memory_delete(starts->all_ready);
  memory_delete(starts->strays);
  memory_delete(starts->start);
  memory_delete(starts->phases);
  memory_delete(starts->left);
  vector_free(&starts->open);
  vector_free(&starts->done);
}

void starts_clear(Starts *starts) {
  size_t bytes = starts->cones->mode.words * sizeof(uint64_t);
  vector_clear(&starts->queue);
  vector_clear(&starts->open);
  vector_clear(&starts->done);
  starts->next = 0;
  starts->waiting = 0;
  memset(starts->ready, 0, starts->phase->period * bytes);
  memset(starts->all_ready, 0, bytes);
  memset(starts->strays, 0, bytes);
}

void starts_add(Starts *starts, uint32_t number, const uint64_t *row,
                uint32_t playouts) {
  while (starts->open.count <= number) vector_push(&starts->open, 0);
  starts->open.data[number] = playouts;
  vector_push(&starts->queue, ((StartsItem){row, number, playouts}));
  starts->waiting += playouts;
}

/* ---- lanes ---- */

static void make_ready(Starts *starts, uint32_t lane) {
  size_t words = starts->cones->mode.words;
  bits_add(starts->ready + starts->phases[lane] * words, lane);
  bits_add(starts->all_ready, lane);
}

static void note_stray(Starts *starts, uint32_t lane, const uint64_t *row) {
  const Legs *rounds = starts->cones->rounds;
  if (!rounds) return;
  uint32_t stage = starts->phases[lane] % rounds->course.stages;
  uint64_t *word = &starts->strays[lane / 64];
  *word &= ~bits_of(lane);
  if (!course_admits(&rounds->course, stage, row)) *word |= bits_of(lane);
}

/* Gives the next start and a share of its playouts to a lane; returns its
   row. */
static const uint64_t *give(Starts *starts, uint32_t lane) {
  StartsItem *item = &starts->queue.data[starts->next];
  uint64_t share =
      starts->waiting / ((uint64_t)128 * starts->cones->mode.words);
  if (share > item->playouts) share = item->playouts;
  if (!share) share = 1;
  starts->start[lane] = item->number;
  starts->phases[lane] = phase_of(starts->phase, item->row);
  note_stray(starts, lane, item->row);
  starts->left[lane] = (uint32_t)share - 1;
  starts->waiting -= share;
  item->playouts -= (uint32_t)share;
  starts->next += !item->playouts;
  make_ready(starts, lane);
  return item->row;
}

/* Removes items that are used up once they are half of the queue. */
static void shrink_queue(Starts *starts) {
  uint32_t rest = starts->queue.count - starts->next;
  if (starts->next < rest) return;
  if (rest)
    memmove(starts->queue.data, starts->queue.data + starts->next,
            rest * sizeof *starts->queue.data);
  starts->queue.count = rest;
  starts->next = 0;
}

void starts_give(Starts *starts, uint64_t *memory, const uint64_t *lanes) {
  uint32_t words = starts->cones->mode.words;
  const uint64_t *rows[64 * 16];
  _Alignas(64) uint64_t given[16] = {0};
  for (uint32_t word = 0; word < words; word++)
    for (uint64_t left = lanes[word]; left && starts->waiting;) {
      uint32_t lane = 64 * word + bits_take(&left);
      rows[lane] = give(starts, lane);
      bits_add(given, lane);
    }
  lanes_load(starts->cones, rows, starts->cones->net->fluents.count, given,
             memory, starts->home);
  shrink_queue(starts);
}

void starts_begin(Starts *starts, uint32_t phase, uint64_t *lanes) {
  uint32_t words = starts->cones->mode.words;
  uint64_t *ready = starts->ready + (size_t)phase * words;
  for (uint32_t i = 0; i < words; i++) {
    lanes[i] = ready[i];
    starts->all_ready[i] &= ~ready[i];
    ready[i] = 0;
  }
}

void starts_end(Starts *starts, uint32_t lane) {
  uint32_t number = starts->start[lane];
  if (!--starts->open.data[number]) vector_push(&starts->done, number);
  if (!starts->left[lane]) return;
  starts->left[lane]--;
  make_ready(starts, lane);
}
