/* Turns are sampled: all lanes play some steps from the initial state, and the
   period of the sequence of roles that have a choice is a round (white, black:
   two steps; white places, rotates, black places, rotates: four). Marks are
   fluents that had the same value in all lanes at each step, and again in every
   round (white in control; white in control, and placing). */
#include "wide/phase.h"

#include "wide/choose.h"
#include "wide/lanes.h"

enum { SAMPLE_STEPS = 3 * PHASE_LIMIT };

typedef enum { NOWHERE, EVERYWHERE, SOMEWHERE } Extent;

typedef struct Sample {
  const Cones *cones;
  uint32_t steps;
  uint64_t choosers[SAMPLE_STEPS]; /* a bit for each role, modulo 64 */
  uint8_t *extents;                /* of each fluent in each step */
} Sample;

static void enter_initial(const Cones *cones, uint64_t *memory) {
  const Net *net = cones->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    memset(cones_vector(cones, memory, i),
           net->fluents.data[i].initial ? 255 : 0,
           cones->mode.words * sizeof(uint64_t));
}

static Extent extent(const Cones *cones, const uint64_t *vector) {
  uint64_t some = 0, all = ~UINT64_C(0);
  for (uint32_t i = 0; i < cones->mode.words; i++) {
    some |= vector[i];
    all &= vector[i];
  }
  return !some ? NOWHERE : ~all ? SOMEWHERE : EVERYWHERE;
}

/* Returns whether the role has two legal moves in some lane. */
static bool chooses(const Cones *cones, uint64_t *memory, uint32_t role) {
  const uint32_t *first = cones->net->role_first.data + role;
  _Alignas(64) uint64_t one[16] = {0};
  uint64_t two = 0;
  for (uint32_t i = first[0]; i < first[1]; i++) {
    const uint64_t *legal = cones_vector(cones, memory, cones->legal[i]);
    for (uint32_t word = 0; word < cones->mode.words; word++) {
      two |= one[word] & legal[word];
      one[word] |= legal[word];
    }
  }
  return two;
}

/* Adds a step to the sample; returns false if some lane is terminal. */
static bool look(Sample *sample, uint64_t *memory) {
  const Cones *cones = sample->cones;
  uint32_t fluents = cones->net->fluents.count, step = sample->steps;
  cones_run_look(cones, memory);
  if (extent(cones, cones_vector(cones, memory, cones->terminal)) != NOWHERE)
    return false;
  for (uint32_t i = 0; i < fluents; i++)
    sample->extents[step * fluents + i] =
        (uint8_t)extent(cones, cones_vector(cones, memory, i));
  for (uint32_t role = 0; role < cones->net->role_count; role++)
    sample->choosers[step] |= (uint64_t)chooses(cones, memory, role)
                              << role % 64;
  sample->steps++;
  return true;
}

static bool make_moves(const Cones *cones, Choose *choose, uint64_t *memory) {
  _Alignas(64) uint64_t all[16], stuck[16];
  memset(all, 255, sizeof all);
  choose_run(choose, &cones->whole, memory, all, stuck);
  if (extent(cones, stuck) != NOWHERE) return false;
  cones_run_next(cones, memory);
  cones->sliced->advance(memory, cones->mode.words, cones->saves,
                         cones->save_count);
  cones->sliced->advance(memory, cones->mode.words, cones->copies,
                         cones->copy_count);
  return true;
}

/* Returns the shortest period seen at least twice, except for the last step of
   the second round, or 1. */
static uint32_t find_period(const Sample *sample) {
  for (uint32_t period = 1; period <= PHASE_LIMIT; period++) {
    uint32_t i = period;
    while (i < sample->steps &&
           sample->choosers[i] == sample->choosers[i - period])
      i++;
    if (i >= sample->steps) return 2 * period - 1 <= i ? period : 1;
  }
  return 1;
}

/* Returns whether the fluent depends on the phase alone. */
static bool periodic(const Sample *sample, uint32_t fluent, uint32_t period) {
  uint32_t fluents = sample->cones->net->fluents.count;
  const uint8_t *extents = sample->extents + fluent;
  for (uint32_t step = 0; step < sample->steps; step++)
    if (extents[step * fluents] == SOMEWHERE ||
        extents[step * fluents] != extents[step % period * fluents])
      return false;
  return true;
}

static uint32_t count_codes(const uint32_t *codes, uint32_t period) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < period; i++) {
    uint32_t j = 0;
    while (codes[j] != codes[i]) j++;
    count += j == i;
  }
  return count;
}

/* Adds the fluent to the marks if it distinguishes more phases. */
static void try_mark(Phase *phase, const Sample *sample, uint32_t fluent) {
  uint32_t fluents = sample->cones->net->fluents.count;
  uint32_t codes[PHASE_LIMIT];
  for (uint32_t p = 0; p < phase->period; p++) {
    bool holds = sample->extents[p * fluents + fluent] == EVERYWHERE;
    codes[p] = phase->codes[p] | (uint32_t)holds << phase->marks.count;
  }
  if (count_codes(codes, phase->period) <=
      count_codes(phase->codes, phase->period))
    return;
  memcpy(phase->codes, codes, sizeof codes);
  vector_push(&phase->marks, fluent);
}

void phase_init(Phase *phase, const Cones *cones, uint64_t *memory) {
  Sample sample = {.cones = cones};
  Choose choose;
  *phase = (Phase){0};
  sample.extents = memory_new((size_t)SAMPLE_STEPS * cones->net->fluents.count);
  choose_init(&choose, cones, 1);
  enter_initial(cones, memory);
  while (sample.steps < SAMPLE_STEPS && look(&sample, memory) &&
         make_moves(cones, &choose, memory))
    continue;
  phase->period = find_period(&sample);
  for (uint32_t i = 0; phase->period > 1 && i < cones->net->fluents.count; i++)
    if (periodic(&sample, i, phase->period)) try_mark(phase, &sample, i);
  choose_free(&choose);
  memory_delete(sample.extents);
}

void phase_free(Phase *phase) {
  vector_free(&phase->marks);
}

uint32_t phase_of(const Phase *phase, const uint64_t *row) {
  uint32_t code = 0, p = 0;
  for (uint32_t i = 0; i < phase->marks.count; i++)
    code |= (uint32_t)bits_has(row, phase->marks.data[i]) << i;
  while (p < phase->period && phase->codes[p] != code) p++;
  return p < phase->period ? p : 0;
}
