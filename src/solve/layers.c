/* The states are in the list of a sieve, layer after layer; a batch is a part
   of a layer, and what it adds to the list is recorded by the list's length
   before it.

   A state of which the last move is known skips moves that commute with it
   (solve/commute.h). That is sound because each state is kept as the first path
   in the order of length, then moves, leads to it: batches are expanded in the
   order of the list, and successors come in the order of states and moves.

   First moves that are images of others (solve/symmetry.h) are skipped in the
   first state. Both go together: of the shortest plans with a score, and their
   images, which are such plans, too, take the first in the order of moves. Its
   first move is the least of its orbit, or the plan would have an image that
   comes before it; and no other move of it is skipped, or exchanging the two
   would give a plan that does. Nor does another path come first to a state on
   it: with the rest of the plan that would be one, too. */
#include "solve/layers.h"

#include "solve/sieve.h"

typedef struct Batch {
  uint32_t first, child; /* states; length of the list before */
} Batch;

typedef struct LayersInside {
  Packing *packing;
  Fan *fan;
  Sieve *sieve;
  const Commute *commute;
  const uint64_t *later;
  Phases *phases;
  uint64_t *merged; /* keys of a round, if there are phases */
  bool across, full;
  uint32_t at, end;    /* of the layer, in the list */
  NumberVector firsts; /* of each layer */
  VECTOR(Batch) batches;
  ScopePages *last_pages;
  uint16_t *last;      /* by state: the move that led to it */
  uint32_t last_count; /* states that have one */
  uint32_t best;
  const uint64_t **skip; /* by lane */
  uint16_t *fresh;
} LayersInside;

/* ---- making ---- */

static void add_start(LayersInside *inside) {
  const Packing *packing = inside->packing;
  uint64_t *key = memory_new(packing->words * sizeof *key);
  uint16_t fresh;
  packing_pack(packing, packing->start, key);
  sieve_add(inside->sieve, key, 1, &fresh);
  memory_delete(key);
  vector_push(&inside->firsts, 0);
  inside->end = sieve_count(inside->sieve);
}

/* Moves have to fit into 16 bits; none is kept of the first state. */
static size_t open_last(LayersInside *inside, size_t memory) {
  if (!inside->commute || inside->packing->net->moves.count > UINT16_MAX)
    return 0;
  size_t bytes = memory / 8;
  inside->last_pages = bytes ? memory_pages_new(bytes) : NULL;
  if (!inside->last_pages) return 0;
  inside->last = inside->last_pages->address;
  size_t count = bytes / sizeof *inside->last;
  inside->last_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
  return bytes;
}

Layers *layers_new(Packing *packing, Fan *fan, const LayersOptions *options) {
  LayersInside *inside = memory_new(sizeof *inside);
  Layers *layers = memory_new(sizeof *layers);
  *inside = (LayersInside){.packing = packing,
                           .fan = fan,
                           .commute = options->commute,
                           .later = options->later,
                           .phases = options->phases,
                           .across = options->across};
  *layers = (Layers){.best = -1, .inside = inside};
  size_t taken = open_last(inside, options->memory);
  inside->sieve = sieve_new(packing, options->memory - taken);
  inside->skip = memory_new(fan->most * sizeof *inside->skip);
  inside->fresh = memory_new(fan->most * sizeof *inside->fresh);
  if (inside->phases)
    inside->merged = memory_new((size_t)fan->most * packing->words * 8);
  if (inside->sieve) add_start(inside);
  if (inside->end) return layers;
  layers_delete(layers);
  return NULL;
}

void layers_delete(Layers *layers) {
  LayersInside *inside = layers->inside;
  if (inside->sieve) sieve_delete(inside->sieve);
  if (inside->last_pages) memory_pages_delete(inside->last_pages);
  vector_free(&inside->firsts);
  vector_free(&inside->batches);
  memory_delete(inside->skip);
  memory_delete(inside->fresh);
  memory_delete(inside->merged);
  memory_delete(inside);
  memory_delete(layers);
}

/* ---- a batch ---- */

static void look_at_ends(Layers *layers, const FanBatch *batch) {
  LayersInside *inside = layers->inside;
  for (uint32_t i = 0; i < batch->count; i++) {
    if (inside->fan->goals[i] <= layers->best) continue;
    layers->best = inside->fan->goals[i];
    layers->best_depth = layers->depth;
    inside->best = inside->at + i;
  }
}

static void set_skips(LayersInside *inside, FanBatch *batch) {
  if (inside->later && batch->depth == 0) {
    inside->skip[0] = inside->later;
    batch->skip = inside->skip;
  }
  if (!inside->last || !inside->at) return; /* the first state has no move */
  for (uint32_t i = 0; i < batch->count; i++) {
    uint32_t number = inside->at + i;
    inside->skip[i] = number < inside->last_count
                          ? commute_after(inside->commute, inside->last[number])
                          : commute_none(inside->commute);
  }
  batch->skip = inside->skip;
}

/* The keys of a round; of equivalent states, always the same one. */
static const uint64_t *round_keys(LayersInside *inside, uint32_t count) {
  if (!inside->phases) return inside->fan->keys;
  memcpy(inside->merged, inside->fan->keys,
         (size_t)count * inside->packing->words * sizeof *inside->merged);
  phases_merge(inside->phases, inside->merged, count);
  return inside->merged;
}

/* Adds the successors of a round; returns false if there is no room. */
static bool add_round(LayersInside *inside, uint32_t count) {
  const Fan *fan = inside->fan;
  uint32_t old = sieve_count(inside->sieve);
  uint32_t fresh =
      sieve_add(inside->sieve, round_keys(inside, count), count, inside->fresh);
  for (uint32_t i = 0; inside->last && i < fresh; i++)
    if (old + i < inside->last_count)
      inside->last[old + i] = (uint16_t)fan->moves[inside->fresh[i]];
  return !sieve_full(inside->sieve);
}

static void expand(Layers *layers) {
  LayersInside *inside = layers->inside;
  uint32_t rest = inside->end - inside->at, most = inside->fan->most;
  FanBatch batch = {.count = rest < most ? rest : most,
                    .keys = sieve_key(inside->sieve, inside->at),
                    .depth = layers->depth};
  if (!inside->full) set_skips(inside, &batch);
  fan_load(inside->fan, &batch);
  if (inside->fan->any_terminal) look_at_ends(layers, &batch);
  if (!inside->full) {
    Batch record = {inside->at, sieve_count(inside->sieve)};
    vector_push(&inside->batches, record);
    for (uint32_t count; !inside->full && (count = fan_round(inside->fan));) {
      layers->generated += count;
      inside->full = !add_round(inside, count);
    }
  }
  layers->expanded += batch.count;
  inside->at += batch.count;
}

/* ---- layers ---- */

static bool same_time(Packing *packing, uint32_t depth) {
  size_t words = packing->state_words;
  if (!packing->timed_count) return true;
  const uint64_t *after = packing_time(packing, depth + 1);
  return !memcmp(after - words, after, words * sizeof *after);
}

/* Goes on to the next layer. */
static LayersStatus descend(Layers *layers) {
  LayersInside *inside = layers->inside;
  uint32_t count = sieve_count(inside->sieve);
  if (inside->end == count) return inside->full ? LAYERS_FULL : LAYERS_ENDED;
  vector_push(&inside->firsts, inside->end);
  inside->end = count;
  layers->depth++;
  return LAYERS_GOING;
}

bool layers_at_start(const Layers *layers) {
  return layers->inside->at == vector_last(&layers->inside->firsts);
}

LayersStatus layers_step(Layers *layers) {
  LayersInside *inside = layers->inside;
  if (layers_at_start(layers) && !inside->across &&
      !same_time(inside->packing, layers->depth))
    sieve_forget(inside->sieve);
  expand(layers);
  return inside->at < inside->end ? LAYERS_GOING : descend(layers);
}

/* ---- plans ---- */

/* The batch that a state came from: the last one that began before it. */
static uint32_t batch_of(const LayersInside *inside, uint32_t state) {
  uint32_t low = 0, high = inside->batches.count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (inside->batches.data[middle].child <= state)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Finds a state before this one, and the move between them. */
static uint32_t find_parent(LayersInside *inside, uint32_t state,
                            uint32_t depth, Move *move) {
  uint32_t words = inside->packing->words, count;
  uint32_t first = inside->batches.data[batch_of(inside, state)].first;
  uint32_t rest = inside->firsts.data[depth + 1] - first;
  const uint64_t *key = sieve_key(inside->sieve, state);
  FanBatch batch = {.count =
                        rest < inside->fan->most ? rest : inside->fan->most,
                    .keys = sieve_key(inside->sieve, first),
                    .depth = depth};
  fan_load(inside->fan, &batch);
  while ((count = fan_round(inside->fan))) {
    const uint64_t *keys = round_keys(inside, count);
    for (uint32_t i = 0; i < count; i++)
      if (!memcmp(keys + i * (size_t)words, key, words * sizeof *key)) {
        *move = inside->fan->moves[i];
        return first + inside->fan->lanes[i];
      }
  }
  *move = FAN_NONE; /* cannot be */
  return 0;
}

void layers_plan(Layers *layers, MoveVector *moves) {
  LayersInside *inside = layers->inside;
  uint32_t first = moves->count, state = inside->best;
  vector_resize(moves, first + layers->best_depth);
  for (uint32_t depth = layers->best_depth; depth--;)
    state = find_parent(inside, state, depth, &moves->data[first + depth]);
}

/* ---- sizes ---- */

uint64_t layers_states(const Layers *layers) {
  return sieve_count(layers->inside->sieve);
}

uint32_t layers_size(const Layers *layers, uint32_t depth) {
  const LayersInside *inside = layers->inside;
  if (depth >= inside->firsts.count) return 0;
  return (depth + 1 < inside->firsts.count ? inside->firsts.data[depth + 1]
                                           : inside->end) -
         inside->firsts.data[depth];
}

size_t layers_bytes(const Layers *layers) {
  const LayersInside *inside = layers->inside;
  size_t last = inside->last ? layers_states(layers) * sizeof *inside->last : 0;
  return sieve_bytes(inside->sieve) + last +
         inside->batches.count * sizeof *inside->batches.data;
}
