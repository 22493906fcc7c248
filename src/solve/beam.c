/* A beam goes through the layers of the search, states that are reached with
   the same number of moves. Of the children of a layer, the best become the
   next one, chosen at random among equals; states that were in an earlier layer
   of the beam do not come back. When a beam has ended, the next one is four
   times as wide or is led by another guide. Beams find much in puzzles of a
   fixed length with scores for parts, where depth-first greed has no chance to
   repair early mistakes. */
#include "solve/beam.h"

#include <inttypes.h>

#include "base/random.h"
#include "solve/nodes.h"

enum {
  FIRST_WIDTH = 1 << 8,
  MOST_WIDTH = 1 << 22,
  MOVES_MOST = 64 /* more are taken for the same */
};

/* Where guides are equal, states with many moves may be better, or those with
   few. */
typedef enum { MOVES_EQUAL, MOVES_MANY, MOVES_FEW } Moves;

typedef struct BeamLead {
  Guide guide;
  Measure measure;
  Moves moves;
} BeamLead;

static const BeamLead leads[] = {
    {GUIDE_GOAL, MEASURE_STEPS, MOVES_EQUAL},
    {GUIDE_SCORE, MEASURE_STEPS, MOVES_EQUAL},
    {GUIDE_GOAL, MEASURE_STEPS, MOVES_FEW},
    {GUIDE_GOAL, MEASURE_STEPS, MOVES_MANY},
    {GUIDE_SCORE, MEASURE_STEPS, MOVES_MANY},
    {GUIDE_GOAL, MEASURE_DEEP, MOVES_EQUAL},
    {GUIDE_GOAL, MEASURE_ONE, MOVES_EQUAL},
    {GUIDE_END, MEASURE_STEPS, MOVES_EQUAL},
};

enum { LEADS = sizeof leads / sizeof *leads };

typedef struct Beam {
  Method method;
  Nodes nodes;
  Random random;
  uint64_t seed;
  uint32_t runs; /* so far */
  uint32_t width;
  uint32_t blind;       /* leads that see no differences, as bits */
  uint32_t best, worst; /* guides of this run */
  uint32_t depth;
  bool cut;           /* states were dropped in this run */
  NumberVector layer; /* nodes */
  uint32_t at;        /* those before it have been expanded */
  /* Children of the layer: candidates for the next one, at most `most`. */
  uint32_t count, most;
  uint64_t *keys;
  uint32_t *from, *guides;
  uint32_t *order;    /* scratch: candidates, the best first */
  uint32_t *by_guide; /* scratch: how many, by guide */
} Beam;

/* ---- candidates ---- */

/* Sorts the candidates by guide; equals are in random order as far as the first
   `wanted` are concerned. */
static void sort_candidates(Beam *beam, uint32_t wanted) {
  uint32_t *starts = beam->by_guide;
  memset(starts, 0, (GUIDE_MOST + 2) * sizeof *starts);
  for (uint32_t i = 0; i < beam->count; i++) starts[beam->guides[i] + 1]++;
  for (uint32_t g = 0; g <= GUIDE_MOST; g++) starts[g + 1] += starts[g];
  for (uint32_t i = 0; i < beam->count; i++)
    beam->order[starts[beam->guides[i]]++] = i;
  /* starts[g] now is the end of g */
  for (uint32_t i = 0; i < beam->count && i < wanted; i++) {
    uint32_t end = starts[beam->guides[beam->order[i]]];
    uint32_t other = i + random_below(&beam->random, end - i);
    uint32_t swapped = beam->order[i];
    beam->order[i] = beam->order[other];
    beam->order[other] = swapped;
  }
}

static void add_candidate(Beam *beam, uint32_t child, uint32_t guide) {
  Nodes *nodes = &beam->nodes;
  uint32_t i = beam->count++;
  memcpy(beam->keys + (size_t)i * nodes->words, nodes_child(nodes, child),
         nodes->words * sizeof *beam->keys);
  beam->from[i] = nodes->from.data[child];
  beam->guides[i] = guide;
}

/* Puts the candidate into the place of the first child, and makes a node of it.
   Returns false if there is no room. */
static bool keep_candidate(Beam *beam, uint32_t candidate) {
  Nodes *nodes = &beam->nodes;
  uint32_t node;
  memcpy(nodes->keys.data, beam->keys + (size_t)candidate * nodes->words,
         nodes->words * sizeof *beam->keys);
  nodes->from.data[0] = beam->from[candidate];
  nodes->child_depths.data[0] = (uint16_t)(beam->depth + 1);
  if (nodes_add(nodes, 0, &node)) vector_push(&beam->layer, node);
  return node != STORE_FULL;
}

/* Makes the best candidates the layer. */
static bool next_layer(Beam *beam) {
  bool room = true;
  sort_candidates(beam, beam->count);
  vector_clear(&beam->layer);
  for (uint32_t i = 0;
       room && i < beam->count && beam->layer.count < beam->width; i++)
    room = keep_candidate(beam, beam->order[i]);
  if (!room || beam->layer.count == beam->width) beam->cut = true;
  beam->count = beam->at = 0;
  beam->depth++;
  return room && beam->layer.count;
}

/* Drops the worse half of the candidates to make room. */
static void thin_out(Beam *beam) {
  uint32_t kept = 0, half = beam->most / 2, words = beam->nodes.words;
  sort_candidates(beam, half);
  for (uint32_t i = half; i < beam->count; i++)
    beam->guides[beam->order[i]] = UINT32_MAX;
  for (uint32_t i = 0; i < beam->count; i++) {
    if (beam->guides[i] == UINT32_MAX) continue;
    memmove(beam->keys + (size_t)kept * words, beam->keys + (size_t)i * words,
            words * sizeof *beam->keys);
    beam->from[kept] = beam->from[i];
    beam->guides[kept++] = beam->guides[i];
  }
  beam->count = kept;
  beam->cut = true;
}

/* The guide first, as far as there is room, then the moves. A state without
   moves is a dead end. */
static uint32_t with_moves(const Rating *rating, uint32_t moves,
                           const BeamLead *lead) {
  const uint32_t most = MOVES_MOST - 1, room = GUIDE_MOST / MOVES_MOST;
  uint32_t guide = lead->guide == GUIDE_SCORE
                       ? (uint32_t)(100 - rating->score)
                       : distance_guide(rating, lead->guide);
  if (guide >= room) guide = room - 1;
  if (!moves) return guide * MOVES_MOST + most;
  if (moves > most) moves = most;
  return guide * MOVES_MOST + (lead->moves == MOVES_FEW ? moves : most - moves);
}

static void add_children(Beam *beam, const BeamLead *lead) {
  Nodes *nodes = &beam->nodes;
  for (uint32_t i = 0; i < nodes->child_count; i++) {
    const Rating *rating = &nodes->ratings.data[i];
    uint32_t value = lead->moves
                         ? with_moves(rating, nodes->mobility.data[i], lead)
                         : distance_guide(rating, lead->guide);
    if (value < beam->best) beam->best = value;
    if (value > beam->worst) beam->worst = value;
    if (beam->count == beam->most) thin_out(beam);
    add_candidate(beam, i, value);
  }
}

/* ---- runs ---- */

static uint32_t lead_of(const Beam *beam) {
  return (beam->runs - 1) % LEADS;
}

static void begin(Beam *beam) {
  do beam->runs++;
  while (beam->blind >> lead_of(beam) & 1);
  uint32_t round = (beam->runs - 1) / LEADS;
  uint64_t width = (uint64_t)FIRST_WIDTH << 2 * (round < 16 ? round : 16);
  uint32_t most = beam->most / 4 < MOST_WIDTH ? beam->most / 4 : MOST_WIDTH;
  beam->width = width < most ? (uint32_t)width : most;
  random_seed(&beam->random, beam->seed + beam->runs);
  distance_aim(beam->nodes.distance, beam->method.puzzle->bound);
  distance_measure(beam->nodes.distance, leads[lead_of(beam)].measure);
  nodes_clear(&beam->nodes);
  vector_clear(&beam->layer);
  vector_push(&beam->layer, 0);
  beam->at = beam->count = beam->depth = 0;
  beam->best = GUIDE_MOST;
  beam->worst = 0;
  beam->cut = false;
}

/* Expands a batch of the layer. Returns false if the beam has ended. */
static bool step(Beam *beam) {
  Nodes *nodes = &beam->nodes;
  uint32_t left = beam->layer.count - beam->at;
  if (!left && !next_layer(beam)) return false;
  if (beam->depth + 1 >= UINT16_MAX) {
    beam->cut = true;
    return false;
  }
  left = beam->layer.count - beam->at;
  uint32_t count = left < nodes_batch(nodes) ? left : nodes_batch(nodes);
  nodes_expand(nodes, beam->layer.data + beam->at, count);
  beam->at += count;
  nodes_rate(nodes);
  nodes_harvest(nodes);
  if (leads[lead_of(beam)].moves) nodes_count(nodes);
  add_children(beam, &leads[lead_of(beam)]);
  return true;
}

static MethodStatus run(Method *method, const Slice *slice) {
  Beam *beam = (Beam *)method;
  nodes_start_slice(&beam->nodes);
  do {
    if (!beam->runs) begin(beam);
    if (step(beam)) continue;
    if (!beam->cut && nodes_finish(&beam->nodes)) return METHOD_DONE;
    uint32_t lead = lead_of(beam);
    if (lead && beam->best == beam->worst) beam->blind |= 1u << lead;
    begin(beam);
  } while (!nodes_slice_over(&beam->nodes, slice));
  return METHOD_WORKING;
}

static void explain(Method *method, Text *text) {
  const Beam *beam = (Beam *)method;
  text_format(text,
              "run %" PRIu32 ", width %" PRIu32 ", depth %" PRIu32
              ", guide %" PRIu32 " to %" PRIu32,
              beam->runs, beam->width, beam->depth, beam->best, beam->worst);
}

/* ---- making ---- */

static void delete (Method *method) {
  Beam *beam = (Beam *)method;
  nodes_free(&beam->nodes);
  memory_delete(beam->keys);
  memory_delete(beam->from);
  memory_delete(beam->guides);
  memory_delete(beam->order);
  memory_delete(beam->by_guide);
  vector_free(&beam->layer);
  memory_delete(beam);
}

/* A quarter of the memory is for candidates. */
static void make_candidates(Beam *beam, size_t memory) {
  size_t key = beam->nodes.words * sizeof *beam->keys;
  size_t most = memory / (key + 3 * sizeof *beam->from);
  if (most > 4 * (size_t)MOST_WIDTH) most = 4 * (size_t)MOST_WIDTH;
  if (most < FIRST_WIDTH) most = FIRST_WIDTH;
  beam->most = (uint32_t)most;
  beam->keys = memory_new(most * key);
  beam->from = memory_new(most * sizeof *beam->from);
  beam->guides = memory_new(most * sizeof *beam->guides);
  beam->order = memory_new(most * sizeof *beam->order);
  beam->by_guide = memory_new((GUIDE_MOST + 2) * sizeof *beam->by_guide);
}

static Method *new_method(const MethodTask *task) {
  Beam *beam = memory_new(sizeof *beam);
  beam->method = (Method){.kind = &beam_method, .puzzle = task->puzzle};
  beam->seed = task->seed;
  if (!nodes_init(&beam->nodes, &beam->method, task->memory / 8 * 5, 0)) {
    memory_delete(beam);
    return NULL;
  }
  make_candidates(beam, task->memory / 4);
  return &beam->method;
}

const MethodKind beam_method = {
    .name = "beam",
    .origin = "Bisiani 1987",
    .help = "layers of the best states, in wider and wider beams",
    .pace = 8192,
    .usual = true,
    .new = new_method,
    .run = run,
    .explain = explain,
    .delete = delete,
};
