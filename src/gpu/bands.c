/* Gates have levels in their part: a gate is above its inputs. A band takes
   levels as long as the gates that hang together in it, one reading the other,
   are few enough for a warp: they cannot be divided. Their groups, in the order
   of the program, are dealt out in equal shares, since neighbours read the same
   values. */
#include "gpu/bands.h"

#include <stdlib.h>

#include "base/trial.h"
#include "program/truth.h"

enum {
  GROUP_LEAST = 16, /* gates of a group for which no barrier is worth while */
  GROUP_SHARE = 5   /* a group may have as many quarters of a warp's share */
};

typedef struct Cutting {
  const BandSteps *steps;
  uint32_t inputs;
  uint32_t *step;    /* by value: the step that computes it */
  uint32_t *level;   /* by step, from 1 */
  uint32_t *sorted;  /* steps by level */
  uint32_t *parent;  /* by step: union-find */
  uint32_t *size;    /* by step that is a root */
  uint32_t from, to; /* steps of the part */
  uint32_t levels;
} Cutting;

static bool reads(const BandStep *step, uint32_t i) {
  return truth_depends(step->table, i);
}

/* Returns the step of the part that computes the value, or BANDS_NONE. */
static uint32_t find_step(const Cutting *cutting, uint32_t value) {
  if (value < cutting->inputs) return BANDS_NONE;
  uint32_t step = cutting->step[value];
  return step >= cutting->from ? step : BANDS_NONE;
}

static void find_levels(Cutting *cutting) {
  cutting->levels = 0;
  for (uint32_t i = cutting->from; i < cutting->to; i++) {
    const BandStep *step = &cutting->steps->data[i];
    uint32_t level = 0;
    for (uint32_t k = 0; k < 3; k++) {
      if (!reads(step, k)) continue;
      uint32_t below = find_step(cutting, step->inputs[k]);
      if (below != BANDS_NONE && cutting->level[below] > level)
        level = cutting->level[below];
    }
    cutting->step[step->result] = i;
    cutting->level[i] = level + 1;
    if (level + 1 > cutting->levels) cutting->levels = level + 1;
  }
  for (uint32_t i = cutting->from; i < cutting->to; i++)
    if (cutting->steps->data[i].last) cutting->level[i] = cutting->levels;
}

/* Steps of the part by level, stable; returns where each level begins. */
static uint32_t *sort_steps(Cutting *cutting) {
  size_t size = (cutting->levels + 2) * sizeof(uint32_t);
  uint32_t *first = memory_new(size), *at = memory_new(size);
  for (uint32_t i = cutting->from; i < cutting->to; i++)
    first[cutting->level[i] + 1]++;
  for (uint32_t i = 1; i < cutting->levels + 2; i++) first[i] += first[i - 1];
  memcpy(at, first, size);
  for (uint32_t i = cutting->from; i < cutting->to; i++)
    cutting->sorted[at[cutting->level[i]]++] = i;
  memory_delete(at);
  return first;
}

static uint32_t find_root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Joins the step with those of the band that it reads, whose level is `from` or
   more; returns the size of the group. */
static uint32_t join(Cutting *cutting, uint32_t i, uint32_t from) {
  const BandStep *step = &cutting->steps->data[i];
  uint32_t root = i;
  cutting->parent[i] = i;
  cutting->size[i] = 1;
  for (uint32_t k = 0; k < 3; k++) {
    if (!reads(step, k)) continue;
    uint32_t other = find_step(cutting, step->inputs[k]);
    if (other == BANDS_NONE || cutting->level[other] < from) continue;
    other = find_root(cutting->parent, other);
    if (other == root) continue;
    /* The earlier step is the root: groups are sorted by it. */
    uint32_t first = other < root ? other : root;
    uint32_t second = other < root ? root : other;
    cutting->parent[second] = first;
    cutting->size[first] += cutting->size[second];
    root = first;
  }
  return cutting->size[root];
}

/* Returns the level after the last of the band that begins with `from`, and
   leaves the groups of that band. */
static uint32_t find_end(Cutting *cutting, const uint32_t *first, uint32_t from,
                         uint32_t warps) {
  uint32_t end = from;
  for (uint32_t to = from; to <= cutting->levels; to++) {
    uint32_t largest = 0;
    for (uint32_t i = first[to]; i < first[to + 1]; i++) {
      uint32_t size = join(cutting, cutting->sorted[i], from);
      if (size > largest) largest = size;
    }
    uint32_t all = first[to + 1] - first[from];
    uint32_t most = all * GROUP_SHARE / 4 / warps;
    if (most < GROUP_LEAST) most = GROUP_LEAST;
    if (to > from && largest > most) break;
    end = to + 1;
  }
  for (uint32_t to = from; to < end; to++)
    for (uint32_t i = first[to]; i < first[to + 1]; i++)
      join(cutting, cutting->sorted[i], from);
  return end;
}

typedef struct Member {
  uint32_t root, step;
} Member;

static int compare_members(const void *a, const void *b) {
  const Member *x = a, *y = b;
  if (x->root != y->root) return x->root < y->root ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

/* Deals out the groups of the band, whose steps are sorted[from…to). */
static void deal(Bands *bands, Cutting *cutting, uint32_t from, uint32_t to,
                 uint32_t *done) {
  uint32_t count = to - from, at = 0;
  Member *members = memory_new((count + 1) * sizeof *members);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t step = cutting->sorted[from + i];
    members[i] = (Member){find_root(cutting->parent, step), step};
  }
  qsort(members, count, sizeof *members, compare_members);
  for (uint32_t warp = 0; warp < bands->warps; warp++) {
    uint32_t share =
        (count - at + bands->warps - warp - 1) / (bands->warps - warp);
    uint32_t end = at + share;
    bands->first[bands->count * bands->warps + warp] = *done;
    while (at < count &&
           (at < end || (at && members[at].root == members[at - 1].root))) {
      uint32_t step = members[at++].step;
      uint32_t value = cutting->steps->data[step].result;
      bands->list[(*done)++] = step;
      bands->band[value] = bands->count;
      bands->warp[value] = warp;
    }
  }
  memory_delete(members);
}

/* Cuts the steps from…to. */
static void cut_part(Bands *bands, Cutting *cutting, uint32_t *done) {
  find_levels(cutting);
  uint32_t *first = sort_steps(cutting);
  for (uint32_t level = 1; level <= cutting->levels; bands->count++) {
    trial_check();
    uint32_t end = find_end(cutting, first, level, bands->warps);
    deal(bands, cutting, first[level], first[end], done);
    level = end;
  }
  memory_delete(first);
}

void bands_init(Bands *bands, const BandSteps *steps, uint32_t inputs,
                uint32_t values, uint32_t warps, uint32_t parts) {
  size_t count = steps->count + 1, size = sizeof(uint32_t);
  Cutting cutting = {.steps = steps,
                     .inputs = inputs,
                     .step = memory_new((values + 1) * size),
                     .level = memory_new(count * size),
                     .sorted = memory_new(count * size),
                     .parent = memory_new(count * size),
                     .size = memory_new(count * size)};
  *bands = (Bands){.warps = warps,
                   .parts = parts,
                   .part = memory_new((parts + 1) * size),
                   .list = memory_new(count * size),
                   .first = memory_new((count * warps + 1) * size),
                   .band = memory_new((values + 1) * size),
                   .warp = memory_new((values + 1) * size)};
  uint32_t done = 0, plain = steps->count;
  while (plain && steps->data[plain - 1].last) plain--;
  for (uint32_t i = 0; i < values; i++) bands->band[i] = BANDS_NONE;
  for (uint32_t part = 0; part < parts; part++) {
    cutting.from = cutting.to;
    cutting.to = part + 1 < parts
                     ? (uint32_t)((uint64_t)plain * (part + 1) / parts)
                     : steps->count;
    cut_part(bands, &cutting, &done);
    bands->part[part + 1] = bands->count;
  }
  bands->first[bands->count * warps] = done;
  memory_delete(cutting.step);
  memory_delete(cutting.level);
  memory_delete(cutting.sorted);
  memory_delete(cutting.parent);
  memory_delete(cutting.size);
}

void bands_free(Bands *bands) {
  memory_delete(bands->part);
  memory_delete(bands->list);
  memory_delete(bands->first);
  memory_delete(bands->band);
  memory_delete(bands->warp);
}
