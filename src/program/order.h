/* Lookup gates in the order of evaluation.

   A step computes one value. Segments run one after another; the steps of a
   loop segment are repeated until no update changes a value. Plain steps of
   table 0 set the loop's values to false before it. */
#ifndef TAFL_PROGRAM_ORDER_H
#define TAFL_PROGRAM_ORDER_H

#include "program/cover.h"

/* The kind of a step is its table, or the update of a loop's value by its
   definition. */
enum { KIND_UPDATE = 256, KIND_COUNT };

typedef struct OrderStep {
  uint32_t kind;
  Value result, inputs[3]; /* an update has inputs[0] three times */
} OrderStep;

typedef struct OrderSegment {
  uint32_t first, count; /* steps */
  bool loop;
} OrderSegment;

typedef struct Order {
  uint32_t value_count;
  VECTOR(OrderStep) steps;
  VECTOR(OrderSegment) segments;
} Order;

/* A value of a recursive definition. */
typedef struct OrderLoop {
  Value value, definition;
  uint32_t block;
} OrderLoop;

/* Orders depth-first from the values of the loops, block by block, then from
   `wanted`, so that values are used soon after they are computed. */
void order_cover(const Cover *cover, const OrderLoop *loops,
                 uint32_t loop_count, const Value *wanted,
                 uint32_t wanted_count, Order *order);
void order_free(Order *order);

/* Returns whether there is a loop segment. */
static inline bool order_loops(const Order *order) {
  for (uint32_t i = 0; i < order->segments.count; i++)
    if (order->segments.data[i].loop) return true;
  return false;
}

/* Returns false for a step with a constant table, whose inputs are ignored. */
static inline bool order_reads(const OrderStep *step) {
  return step->kind != 0 && step->kind != 0xff;
}

#endif
