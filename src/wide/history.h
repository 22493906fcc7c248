/* The moves of every lane's current playout. */
#ifndef TAFL_WIDE_HISTORY_H
#define TAFL_WIDE_HISTORY_H

#include "wide/choose.h"

typedef struct HistoryRole {
  NumberVector moves; /* vectors of the moves, in the order of places */
  uint64_t *places;   /* planes of each lane's place in that list */
  uint32_t planes, capacity;
  uint16_t *spread; /* the same lane by lane; NULL until first used */
  bool is_spread;   /* `spread` is up to date */
} HistoryRole;

/* Steps oldest … now - 1 are kept; step s is in slot s % capacity. */
typedef struct History {
  const Cones *cones;
  HistoryRole *slots; /* role_count for each slot */
  uint32_t capacity;  /* a power of two */
  uint64_t oldest, now;
  uint64_t *first; /* 32 planes: the first step of each lane's playout */
} History;

void history_init(History *record, const Cones *cones);
void history_free(History *record);

/* Records the choices of one step; `lanes` have a playout. */
void history_step(History *record, const Choose *choose, const uint64_t *memory,
                  const uint64_t *lanes);
/* Lets the playouts of these lanes begin at the next step. */
void history_begin(History *record, const uint64_t *lanes);

/* Returns the first step of the lane's playout. */
uint64_t history_first(const History *record, uint32_t lane);
/* Returns the move, as its number in the net, that a role made in a lane. */
uint32_t history_move(const History *record, uint64_t step, uint32_t lane,
                      uint32_t role);

#endif
