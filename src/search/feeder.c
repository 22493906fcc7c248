/* Each slot is a batch of the Gpu. It is free; or the card works on it; or it
   is done. Where its leaves were dropped meanwhile, it becomes free as soon as
   it is done. */
#include "search/feeder.h"

#include "base/clock.h"
#include "search/descend.h"
#include "search/leaves.h"
#include "search/merge.h"

enum {
  LANES = 32,        /* playouts of a job */
  LEAVES_LEAST = 4,  /* of a batch; few have more playouts each */
  LEAVES_USUAL = 64, /* at least, where the tree has room for them */
  ROUNDS_MOST = 32   /* jobs of a leaf */
};

typedef struct Slot {
  bool busy, done, dropped;
  double begun;
  uint32_t jobs;
  uint64_t scored; /* version of the scores that it has */
  NumberVector leaves;
} Slot;

struct Feeder {
  Batch *batch;
  Offload *offload;
  Gpu *gpu;
  uint32_t first; /* batch of the Gpu: of the first slot */
  Slot slots[OFFLOAD_SLOTS];
  uint32_t fresh, playouts; /* leaves of the next round, and of each of them */
  uint64_t scored;          /* version of the batch's scores */
  VECTOR(uint64_t) states;  /* of leaves to send */
  CreditSum *credit;        /* scratch, by move */
};

Feeder *feeder_new(Batch *batch, Offload *offload, uint32_t number) {
  Feeder *feeder = memory_new(sizeof *feeder);
  feeder->batch = batch;
  feeder->offload = offload;
  feeder->gpu = offload_gpu(offload);
  feeder->first = number * OFFLOAD_SLOTS;
  feeder->credit =
      memory_new(batch->search->book->net.moves.count * sizeof *feeder->credit);
  return feeder;
}

void feeder_delete(Feeder *feeder) {
  for (uint32_t i = 0; i < OFFLOAD_SLOTS; i++)
    vector_free(&feeder->slots[i].leaves);
  vector_free(&feeder->states);
  memory_delete(feeder->credit);
  memory_delete(feeder);
}

/* ---- what the card has done ---- */

static void let_go(Feeder *feeder, Slot *slot) {
  slot->busy = slot->done = slot->dropped = false;
  offload_count(feeder->offload, -(int64_t)slot->jobs);
}

static void fail(Feeder *feeder) {
  const char *why = gpu_error(feeder->gpu);
  offload_fail(feeder->offload, why ? why : "the card fails");
}

static void look_at(Feeder *feeder, uint32_t i) {
  Slot *slot = &feeder->slots[i];
  double patience = feeder->batch->search->settings.gpuwait;
  Text why = {0};
  if (!slot->busy || slot->done) return;
  slot->done = gpu_done(feeder->gpu, feeder->first + i);
  if (slot->done && gpu_error(feeder->gpu)) {
    fail(feeder);
  } else if (slot->done && slot->dropped) {
    let_go(feeder, slot);
  } else if (!slot->done && clock_now() > slot->begun + patience) {
    text_format(&why, "the card has not answered for %g s", patience);
    offload_fail(feeder->offload, text_string(&why));
    text_free(&why);
  }
}

/* ---- how much to send ---- */

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Returns the leaves that are played at once if each feeder has a batch on the
   card, of 32 playouts each. */
static uint32_t share_of_card(const Feeder *feeder) {
  return gpu_width(feeder->gpu) / offload_feeders(feeder->offload);
}

/* The fewest playouts of a leaf: those that it has in lanes, as a power of two,
   so that several leaves share a job evenly. */
static uint32_t fewest_playouts(const Feeder *feeder) {
  uint32_t fewest = 1;
  while (fewest < feeder->batch->repeat && fewest < LANES) fewest *= 2;
  return fewest;
}

static uint32_t usual_leaves(const Feeder *feeder) {
  uint32_t most = offload_most(feeder->offload) / OFFLOAD_SLOTS;
  uint32_t share = share_of_card(feeder) * (LANES / fewest_playouts(feeder));
  if (feeder->batch->search->settings.gpuleaves) return most;
  return least(share > LEAVES_USUAL ? share : LEAVES_USUAL, most);
}

/* Returns the playouts of each leaf that fill the feeder's share of the card:
   a power of two, or whole jobs. */
static uint32_t usual_playouts(const Feeder *feeder) {
  uint32_t each = share_of_card(feeder) * LANES / feeder->fresh;
  uint32_t playouts = fewest_playouts(feeder);
  if (each >= LANES) return least(each / LANES, ROUNDS_MOST) * LANES;
  while (2 * playouts <= each) playouts *= 2;
  return playouts;
}

/* As many as the tree allows (descend_extra), in equal parts for the slots.
   Where those are few, each gets more playouts. */
static void plan(Feeder *feeder) {
  const Batch *batch = feeder->batch;
  const Settings *settings = &batch->search->settings;
  uint32_t usual = usual_leaves(feeder), most = descend_extra(batch);
  uint32_t fresh = least(usual, most / OFFLOAD_SLOTS);
  uint32_t room = most > batch->at_play ? most - batch->at_play : 0;
  fresh = least(least(fresh, room), batch->free.count);
  if (fresh < least(LEAVES_LEAST, usual)) return;
  feeder->fresh = fresh;
  feeder->playouts = settings->gpurepeat ? (uint32_t)settings->gpurepeat
                                         : usual_playouts(feeder);
}

static Slot *free_slot(Feeder *feeder) {
  for (uint32_t i = 0; i < OFFLOAD_SLOTS; i++)
    if (!feeder->slots[i].busy) return &feeder->slots[i];
  return NULL;
}

bool feeder_wants(Feeder *feeder) {
  bool done = false;
  feeder->fresh = 0;
  for (uint32_t i = 0; i < OFFLOAD_SLOTS; i++) {
    if (!offload_gpu(feeder->offload)) return false;
    look_at(feeder, i);
    done |= feeder->slots[i].done;
  }
  if (!offload_gpu(feeder->offload)) return false;
  if (free_slot(feeder) && !offload_full(feeder->offload)) plan(feeder);
  return done || feeder->fresh;
}

uint32_t feeder_leaves(const Feeder *feeder) {
  return feeder->batch->at_play + feeder->fresh;
}

uint32_t feeder_playouts(const Feeder *feeder) {
  return feeder->playouts;
}

/* ---- to the card ---- */

static void collect(Feeder *feeder, Slot *slot) {
  const Batch *batch = feeder->batch;
  uint32_t words = batch->search->book->words;
  vector_clear(&slot->leaves);
  vector_clear(&feeder->states);
  for (uint32_t i = 0; i < batch->fresh.count; i++) {
    uint32_t number = batch->fresh.data[i];
    if (batch->list[number].kind != LEAF_PLAY) continue;
    vector_push(&slot->leaves, number);
    for (uint32_t w = 0; w < words; w++)
      vector_push(&feeder->states,
                  batch->starts.data[(size_t)number * words + w]);
  }
}

/* Leaves with few playouts share jobs (gpu_begin). */
static uint32_t jobs_of(uint32_t leaves, uint32_t playouts) {
  return playouts > LANES / 2 ? leaves * ((playouts + LANES - 1) / LANES)
                              : (leaves * playouts + LANES - 1) / LANES;
}

void feeder_play(Feeder *feeder) {
  Slot *slot = free_slot(feeder);
  if (!slot || !feeder->fresh) return;
  uint32_t number = feeder->first + (uint32_t)(slot - feeder->slots);
  collect(feeder, slot);
  if (!slot->leaves.count) return;
  if (offload_weighs(feeder->offload) && slot->scored != feeder->scored)
    gpu_set_scores(feeder->gpu, number, feeder->batch->scores);
  slot->scored = feeder->scored;
  slot->jobs = jobs_of(slot->leaves.count, feeder->playouts);
  slot->busy = true;
  slot->begun = clock_now();
  offload_count(feeder->offload, slot->jobs);
  if (!gpu_begin(feeder->gpu, number, feeder->states.data, slot->leaves.count,
                 feeder->playouts))
    fail(feeder);
}

void feeder_set_scores(Feeder *feeder) {
  feeder->scored++;
}

/* ---- from the card ---- */

static void take_leaf(Feeder *feeder, uint32_t number, uint32_t i,
                      uint32_t at) {
  Batch *batch = feeder->batch;
  Leaf *leaf = &batch->list[at];
  const GpuSums *sums = gpu_sums(feeder->gpu, number, i);
  const GpuRoleSums *by_role = gpu_role_sums(feeder->gpu, number, i, 0);
  uint32_t roles = batch->search->role_count;
  leaf->heard = (uint32_t)(sums->ended + sums->cut_off + sums->stuck);
  if (!leaf->heard) {
    leaves_forget(batch, at);
    return;
  }
  for (uint32_t role = 0; role < roles; role++)
    batch->sums.data[(size_t)at * roles + role] =
        offload_returns(&batch->search->aim, sums, by_role, role);
  batch->tally.states += sums->states;
  batch->tally.cut_off += sums->cut_off + sums->stuck;
  leaves_finish(batch, at);
}

static void take_slot(Feeder *feeder, Slot *slot) {
  Batch *batch = feeder->batch;
  uint32_t number = feeder->first + (uint32_t)(slot - feeder->slots);
  for (uint32_t i = 0; i < slot->leaves.count; i++)
    take_leaf(feeder, number, i, slot->leaves.data[i]);
  if (offload_weighs(feeder->offload)) {
    gpu_credit(feeder->gpu, number, feeder->credit);
    leaves_add_credit(batch, feeder->credit);
  }
  let_go(feeder, slot);
}

void feeder_back_up(Feeder *feeder) {
  if (!offload_gpu(feeder->offload)) return;
  for (uint32_t i = 0; i < OFFLOAD_SLOTS; i++)
    if (feeder->slots[i].done) take_slot(feeder, &feeder->slots[i]);
  merge_teach(feeder->batch->search, feeder->batch->own);
}

void feeder_drop(Feeder *feeder) {
  for (uint32_t i = 0; i < OFFLOAD_SLOTS; i++) {
    Slot *slot = &feeder->slots[i];
    slot->dropped = slot->busy;
    if (slot->done) let_go(feeder, slot);
  }
  leaves_drop(feeder->batch);
}
