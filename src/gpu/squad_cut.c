/* A value that is loaded in other shares than its own needs a home for the
   bands from its own to the last that loads it. Those that are loaded often in
   few bands get near homes first, as long as there are slots in each of these
   bands; the others get far ones. */
#include "gpu/squad_cut.h"

#include <stdlib.h>

#include "base/trial.h"
#include "program/program_order.h"
#include "program/truth.h"

/* Successors that a warp keeps in registers at the last barrier. */
enum { HELD_MOST = 16 };

/* ---- what is to be computed ---- */

uint32_t squad_cut_copy(Coding *coding, uint32_t from, bool last) {
  uint32_t value = coding->values++;
  BandStep step = {TRUTH_A, value, {from, from, from}, last};
  vector_push(&coding->steps, step);
  return value;
}

void squad_cut_output(Coding *coding, uint32_t value, uint32_t slot) {
  if (value < coding->inputs) value = squad_cut_copy(coding, value, false);
  vector_push(&coding->outputs, ((Output){value, slot}));
}

void squad_cut_begin(Coding *coding, Team *team, Squad *squad,
                     const Program *program) {
  const Net *net = squad->cones->net;
  const Order *order = program_order(program);
  *coding = (Coding){.team = team,
                     .squad = squad,
                     .first = squad->near,
                     .fluents = net->fluents.count,
                     .inputs = net->fluents.count + net->moves.count,
                     .values = order->value_count};
  for (uint32_t i = 0; i < order->steps.count; i++) {
    const OrderStep *from = &order->steps.data[i];
    BandStep step = {.table = (uint8_t)from->kind, .result = from->result};
    memcpy(step.inputs, from->inputs, sizeof step.inputs);
    vector_push(&coding->steps, step);
  }
}

/* ---- homes ---- */

void squad_cut_need(Coding *coding, uint32_t value, uint32_t band) {
  uint32_t *until = &coding->until[value];
  if (*until == BANDS_NONE || *until < band) *until = band;
}

/* Counts the shares that load each value, and finds the last band. */
static void find_loads(Coding *coding) {
  const Bands *bands = &coding->bands;
  uint32_t *seen = memory_new((coding->values + 1) * sizeof *seen);
  for (uint32_t share = 0; share < bands->count * bands->warps; share++)
    for (uint32_t i = bands->first[share]; i < bands->first[share + 1]; i++) {
      const BandStep *step = &coding->steps.data[bands->list[i]];
      uint32_t band = share / bands->warps;
      for (uint32_t k = 0; k < 3; k++) {
        uint32_t value = step->inputs[k];
        if (!truth_depends(step->table, k) || value < coding->inputs ||
            bands->band[value] == band || seen[value] == share + 1)
          continue;
        seen[value] = share + 1;
        coding->loads[value]++;
        squad_cut_need(coding, value, band);
      }
    }
  memory_delete(seen);
}

/* A value that has to be in memory for some bands. */
typedef struct Stay {
  double worth; /* of a near home */
  uint32_t value, from, to;
} Stay;

typedef VECTOR(Stay) Stays;

static int compare_worth(const void *a, const void *b) {
  const Stay *x = a, *y = b;
  if (x->worth != y->worth) return x->worth > y->worth ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

static int compare_from(const void *a, const void *b) {
  const Stay *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->value < y->value ? -1 : x->value > y->value;
}

static void list_stays(const Coding *coding, Stays *stays) {
  for (uint32_t i = 0; i < coding->steps.count; i++) {
    uint32_t value = coding->steps.data[i].result;
    if (coding->until[value] == BANDS_NONE) continue;
    Stay stay = {.value = value,
                 .from = coding->bands.band[value],
                 .to = coding->until[value]};
    stay.worth = (1.0 + coding->loads[value]) / (stay.to - stay.from + 1);
    vector_push(stays, stay);
  }
}

/* Takes those out of `stays` that get near homes, the worthiest first. */
static void choose_near(const Coding *coding, Stays *stays, Stays *near) {
  uint32_t room = coding->squad->near_most - coding->first, left = 0;
  uint32_t *used = memory_new((coding->bands.count + 1) * sizeof *used);
  if (stays->count)
    qsort(stays->data, stays->count, sizeof *stays->data, compare_worth);
  for (uint32_t i = 0; i < stays->count; i++) {
    Stay stay = stays->data[i];
    bool fits = true;
    trial_check();
    for (uint32_t band = stay.from; band <= stay.to; band++)
      fits &= used[band] < room;
    if (!fits) {
      stays->data[left++] = stay;
      continue;
    }
    for (uint32_t band = stay.from; band <= stay.to; band++) used[band]++;
    vector_push(near, stay);
  }
  stays->count = left;
  memory_delete(used);
}

/* Gives slots from `first` on, each again after its value's last band. Returns
   the first that is not used. */
static uint32_t give_slots(Coding *coding, Stays *stays, uint32_t first,
                           uint32_t mark) {
  NumberVector unused = {0}, *ends;
  uint32_t next = first, band = 0;
  ends = memory_new((coding->bands.count + 2) * sizeof *ends);
  if (stays->count)
    qsort(stays->data, stays->count, sizeof *stays->data, compare_from);
  for (uint32_t i = 0; i < stays->count; i++) {
    const Stay *stay = &stays->data[i];
    for (; band < stay->from; band++)
      for (uint32_t k = 0; k < ends[band].count; k++)
        vector_push(&unused, ends[band].data[k]);
    uint32_t slot = unused.count ? unused.data[--unused.count] : next++;
    coding->home[stay->value] = slot | mark;
    vector_push(&ends[stay->to], slot);
  }
  for (uint32_t i = 0; i < coding->bands.count + 2; i++) vector_free(&ends[i]);
  memory_delete(ends);
  vector_free(&unused);
  return next;
}

static uint64_t count_accesses(const Coding *coding, const Stays *stays) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < stays->count; i++)
    count += 1 + coding->loads[stays->data[i].value];
  return count;
}

void squad_cut_homes(Coding *coding) {
  Stays stays = {0}, near = {0};
  list_stays(coding, &stays);
  choose_near(coding, &stays, &near);
  coding->near = give_slots(coding, &near, coding->first, 0);
  coding->far = give_slots(coding, &stays, coding->squad->far, SQUAD_FAR);
  /* A far slot also takes the place of another one in the caches. */
  uint64_t far = coding->far - coding->squad->far;
  coding->cost = (uint64_t)coding->bands.count * SQUAD_BARRIER +
                 count_accesses(coding, &near) * SQUAD_NEAR_LOAD +
                 (count_accesses(coding, &stays) + far) * SQUAD_FAR_LOAD;
  vector_free(&stays);
  vector_free(&near);
}

/* Cuts the program; finds out what is loaded. */
void squad_cut_into(Coding *coding, uint32_t parts) {
  size_t size = (coding->values + 1) * sizeof(uint32_t);
  bands_init(&coding->bands, &coding->steps, coding->inputs, coding->values,
             SQUAD_WARPS, parts);
  coding->until = memory_new(size);
  coding->loads = memory_new(size);
  coding->home = memory_new(size);
  for (uint32_t i = 0; i < coding->values; i++) {
    coding->until[i] = BANDS_NONE;
    coding->home[i] =
        i < coding->fluents ? coding->squad->fluents[i] : SQUAD_NEVER;
  }
  find_loads(coding);
}

static void uncut(Coding *coding) {
  bands_free(&coding->bands);
  memory_delete(coding->until);
  memory_delete(coding->loads);
  memory_delete(coding->home);
}

/* Values that are needed at the end are kept in memory, but for some of the
   last band: they stay in registers. */
static void keep_last(Coding *coding, const NumberVector *values) {
  const Bands *bands = &coding->bands;
  uint32_t held[SQUAD_WARPS] = {0};
  for (uint32_t i = 0; i < values->count; i++) {
    uint32_t value = values->data[i];
    if (bands->band[value] + 1 == bands->count &&
        held[bands->warp[value]] < HELD_MOST)
      held[bands->warp[value]]++;
    else
      squad_cut_need(coding, value, bands->count - 1);
  }
}

/* More parts need less far memory, but have more bands. `values` are needed at
   the end. */
void squad_cut_whole(Coding *coding, const NumberVector *values) {
  enum { PARTS_MOST = 16 };
  uint32_t best = 1;
  uint64_t least = UINT64_MAX;
  bool far = true;
  for (uint32_t parts = 1; parts <= PARTS_MOST && far; parts *= 2) {
    squad_cut_into(coding, parts);
    keep_last(coding, values);
    squad_cut_homes(coding);
    far = coding->far > coding->squad->far;
    uncut(coding);
    if (coding->cost >= least) continue;
    least = coding->cost;
    best = parts;
  }
  squad_cut_into(coding, best);
  keep_last(coding, values);
  squad_cut_homes(coding);
}

void squad_cut_streams(Coding *coding) {
  Squad *squad = coding->squad;
  size_t count = coding->values + 1, lines = squad->line_count + 1;
  if (coding->near > squad->near_slots) squad->near_slots = coding->near;
  if (coding->far > squad->far_slots) squad->far_slots = coding->far;
  coding->word = memory_new(count * sizeof *coding->word);
  coding->since = memory_new(count * sizeof *coding->since);
  coding->lines = memory_new(lines * sizeof *coding->lines);
  coding->lines_since = memory_new(lines * sizeof *coding->lines_since);
}

void squad_cut_end(Coding *coding) {
  uncut(coding);
  vector_free(&coding->steps);
  vector_free(&coding->outputs);
  memory_delete(coding->successor);
  memory_delete(coding->word);
  memory_delete(coding->since);
  memory_delete(coding->lines);
  memory_delete(coding->lines_since);
}
