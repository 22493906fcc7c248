/* A lane is given a start and a number of playouts from it, a quarter of its
   fair share of all that remain; so lanes are seldom loaded and still end
   together. Loading is by blocks of 64 lanes (wide/lanes.h): for a word with
   any lane to load it costs the same as for all of them, so callers let idle
   lanes gather.

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
  starts->start = memory_new(lanes * sizeof *starts->start);
  starts->phases = memory_new(lanes * sizeof *starts->phases);
  starts->left = memory_new(lanes * sizeof *starts->left);
}

void starts_free(Starts *starts) {
  vector_free(&starts->queue);
  memory_delete(starts->home);
  memory_delete(starts->ready);
  memory_delete(starts->all_ready);
  memory_delete(starts->start);
  memory_delete(starts->phases);
  memory_delete(starts->left);
  vector_free(&starts->results);
  vector_free(&starts->goals);
  vector_free(&starts->done);
}

void starts_clear(Starts *starts) {
  size_t bytes = starts->cones->mode.words * sizeof(uint64_t);
  vector_clear(&starts->queue);
  vector_clear(&starts->results);
  vector_clear(&starts->goals);
  vector_clear(&starts->done);
  starts->next = 0;
  starts->waiting = 0;
  memset(starts->ready, 0, starts->phase->period * bytes);
  memset(starts->all_ready, 0, bytes);
}

static void clear_result(Starts *starts, uint32_t number, uint32_t playouts) {
  uint32_t roles = starts->cones->net->role_count;
  while (starts->results.count <= number) {
    vector_push(&starts->results, ((StartsResult){0}));
    for (uint32_t role = 0; role < roles; role++)
      vector_push(&starts->goals, 0);
  }
  starts->results.data[number] = (StartsResult){.left = playouts};
  for (uint32_t role = 0; role < roles; role++)
    starts->goals.data[(size_t)number * roles + role] = 0;
}

void starts_add(Starts *starts, uint32_t number, const uint64_t *row,
                uint32_t playouts) {
  clear_result(starts, number, playouts);
  vector_push(&starts->queue, ((StartsItem){row, number, playouts}));
  starts->waiting += playouts;
}

/* ---- lanes ---- */

static void make_ready(Starts *starts, uint32_t lane) {
  size_t words = starts->cones->mode.words;
  bits_add(starts->ready + starts->phases[lane] * words, lane);
  bits_add(starts->all_ready, lane);
}

/* The next start and its share of playouts to a lane. */
static const uint64_t *give(Starts *starts, uint32_t lane) {
  StartsItem *item = &starts->queue.data[starts->next];
  uint64_t share =
      starts->waiting / ((uint64_t)128 * starts->cones->mode.words);
  if (share > item->playouts) share = item->playouts;
  if (!share) share = 1;
  starts->start[lane] = item->number;
  starts->phases[lane] = phase_of(starts->phase, item->row);
  starts->left[lane] = (uint32_t)share - 1;
  starts->waiting -= share;
  item->playouts -= (uint32_t)share;
  starts->next += !item->playouts;
  make_ready(starts, lane);
  return item->row;
}

/* Items that were given out leave the queue when they are half of it. */
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

void starts_end(Starts *starts, uint32_t lane, WideOutcome outcome,
                const int *goals) {
  uint32_t number = starts->start[lane], roles = starts->cones->net->role_count;
  StartsResult *result = &starts->results.data[number];
  uint64_t *sums = starts->goals.data + (size_t)number * roles;
  result->ended += outcome == WIDE_ENDED;
  result->cut_off += outcome == WIDE_CUT_OFF;
  result->stuck += outcome == WIDE_STUCK;
  for (uint32_t role = 0; outcome == WIDE_ENDED && role < roles; role++)
    if (goals[role] > 0) sums[role] += (uint64_t)goals[role];
  if (!--result->left) vector_push(&starts->done, number);
  if (!starts->left[lane]) return;
  starts->left[lane]--;
  make_ready(starts, lane);
}
