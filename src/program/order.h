/* Lookup gates in the order in which they are evaluated.

   A step computes one value. Segments follow one another; the steps of a loop
   segment are repeated until no update changes a value. Before it the loop's
   values are set to false by plain steps of table 0. */
#ifndef TAFL_PROGRAM_ORDER_H
#define TAFL_PROGRAM_ORDER_H

#include "program/cover.h"

/* Of a step: a table, or the update of a loop's value by its definition. */
enum { KIND_UPDATE = 256, KIND_COUNT };

typedef struct Step {
  uint32_t kind;
  Value result, inputs[3]; /* an update has inputs[0] thrice */
} Step;

typedef struct Segment {
  uint32_t first, count; /* steps */
  bool loop;
} Segment;

typedef struct Order {
  uint32_t value_count;
  VECTOR(Step) steps;
  VECTOR(Segment) segments;
} Order;

/* A value of a recursive definition. */
typedef struct OrderLoop {
  Value value, definition;
  uint32_t block;
} OrderLoop;

/* Depth-first from the values of the loops, block by block, then from `wanted`:
   values are used soon after they are made. */
void order_cover(const Cover *cover, const OrderLoop *loops,
                 uint32_t loop_count, const Value *wanted,
                 uint32_t wanted_count, Order *order);
void order_free(Order *order);

/* A step of a constant table reads nothing, whatever its inputs say. */
static inline bool order_reads(const Step *step) {
  return step->kind != 0 && step->kind != 0xff;
}

#endif
