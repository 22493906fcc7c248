/* Breadth-first search on packed keys, layer by layer: layer d has the states
   that can be reached in d moves. Whether a state is terminal is looked at when
   it is expanded, once for each state. There are no links to parents: a plan is
   found by expanding again those batches that its states came from. */
#ifndef TAFL_SOLVE_LAYERS_H
#define TAFL_SOLVE_LAYERS_H

#include "solve/commute.h"
#include "solve/fan.h"
#include "solve/phases.h"

typedef struct LayersOptions {
  bool across; /* a key is dropped if any earlier layer has it, though
                  autonomous fluents may differ; if not, only where they are the
                  same */
  const Commute *commute; /* borrowed; NULL: every move is made */
  const uint64_t *later;  /* borrowed; set of first moves that need not be made
                             since another one of their orbit is; or NULL */
  Phases *phases; /* borrowed; of equivalent states one is kept; or NULL */
  size_t memory;
} LayersOptions;

typedef enum {
  LAYERS_GOING,
  LAYERS_ENDED, /* there are no more states */
  LAYERS_FULL   /* nor memory; every state that was found has been looked at */
} LayersStatus;

typedef struct Layers {
  uint32_t depth;     /* of the states being expanded */
  uint64_t expanded;  /* states that were looked at */
  uint64_t generated; /* successors */
  /* The best goal of terminal states so far, and the first such state. */
  int best; /* -1: none */
  uint32_t best_depth;
  struct LayersInside *inside;
} Layers;

/* Begins in the packing's start. Returns NULL if there is too little memory.
   Packing and fan are borrowed. */
Layers *layers_new(Packing *packing, Fan *fan, const LayersOptions *options);
void layers_delete(Layers *layers);

/* Expands another batch, of one layer. */
LayersStatus layers_step(Layers *layers);
/* True if the next batch is the first of its layer: all layers before `depth`
   have been looked at. */
bool layers_at_start(const Layers *layers);
/* Moves to the best terminal state; `moves` is appended to. */
void layers_plan(Layers *layers, MoveVector *moves);

uint64_t layers_states(const Layers *layers); /* distinct ones found */
/* States of a layer that has been found. */
uint32_t layers_size(const Layers *layers, uint32_t depth);
size_t layers_bytes(const Layers *layers); /* in use */

#endif
