/* The inside of a roster while it is made. */
#ifndef TAFL_GPU_ROSTER_PARTS_H
#define TAFL_GPU_ROSTER_PARTS_H

#include "gpu/roster.h"
#include "program/program_order.h"

#define ROSTER_NOWHERE UINT32_MAX

enum { ROSTER_BLOCK = 32 };

/* A gate to be dealt. */
typedef struct Deal {
  uint32_t level;
  uint32_t kind;
  uint32_t result, inputs[3]; /* values */
} Deal;

typedef struct Loop {
  uint32_t first, last; /* levels */
} Loop;

/* The kind of a table, and the order of its inputs; NULL: not known yet. */
typedef struct WorkKind {
  const uint8_t *order;
  uint32_t kind;
} WorkKind;

typedef struct Work {
  Roster *roster;
  const Order *order;
  uint32_t inputs; /* fluents and moves */
  VECTOR(Deal) deals;
  VECTOR(Loop) loops;
  VECTOR(uint32_t) level; /* by value */
  VECTOR(uint32_t) last;  /* by value: level of the last reader */
  VECTOR(uint32_t) slot;  /* by value, or ROSTER_NOWHERE */
  uint32_t levels;
  uint32_t scratch;    /* slots of scratch used */
  uint32_t base;       /* first slot of scratch */
  WorkKind kinds[256]; /* by table */
} Work;

/* Gives values slots and deals the gates, whose levels are known, to the
   streams of a program. */
void roster_deal(Work *work, RosterProgram program);

#endif
