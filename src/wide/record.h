/* The moves of every lane's playout, kept as long as the playout goes on. */
#ifndef TAFL_WIDE_RECORD_H
#define TAFL_WIDE_RECORD_H

#include "wide/choose.h"

typedef struct RecordRole {
  NumberVector moves; /* vectors of the moves, in the order of places */
  uint64_t *places;   /* planes of each lane's place in that list */
  uint32_t planes, capacity;
  uint16_t *spread; /* the same, lane by lane; NULL until first asked for */
  bool is_spread;   /* that is up to date */
} RecordRole;

/* Steps oldest … now - 1 are kept; step s is in slot s % capacity. */
typedef struct Record {
  const Cones *cones;
  RecordRole *slots; /* role_count for each slot */
  uint32_t capacity; /* a power of two */
  uint64_t oldest, now;
  uint64_t *first; /* 32 planes: the first step of each lane's playout */
} Record;

void record_init(Record *record, const Cones *cones);
void record_free(Record *record);

/* Keep the choices of one step; `lanes` are at play. */
void record_step(Record *record, const Choose *choose, const uint64_t *memory,
                 const uint64_t *lanes);
/* The playouts of these lanes begin at the next step. */
void record_begin(Record *record, const uint64_t *lanes);

/* The first step of the lane's playout. */
uint64_t record_first(const Record *record, uint32_t lane);
/* The move (its number in the net) that a role made in a lane. */
uint32_t record_move(const Record *record, uint64_t step, uint32_t lane,
                     uint32_t role);
/* All moves of a lane in so many steps, each role's in turn. */
void record_copy(const Record *record, uint64_t step, uint32_t count,
                 uint32_t lane, uint32_t *moves);

#endif
