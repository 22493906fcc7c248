/* Order relations that the rules write down, and where the arguments of fluents
   run along them.

   A successor relation is a binary predicate given by facts that form chains:
   nothing has two followers or two predecessors, and nothing follows itself,
   however far. (Schiffel and Thielscher 2007 find them by their meaning, as
   here; relations that are derived by rules are not looked at.) An argument of
   a functor is ordered if one chain holds all values that it takes in fluents
   of the net. Where the rules have no such chain, arguments that are all
   numbers are ordered by value, which is ours. */
#ifndef TAFL_VALUE_ORDERS_H
#define TAFL_VALUE_ORDERS_H

#include "analyse/analysis.h"

typedef struct OrdersChain {
  Symbol name;       /* of the predicate; 0: numbers by value */
  TermVector values; /* in order */
} OrdersChain;

/* All fluents of one functor and arity. */
typedef struct OrdersKind {
  Symbol functor;
  uint32_t arity;
  NumberVector fluents;
  uint32_t ordered;             /* arguments, as bits; of the first 32 */
  uint32_t chain[32], span[32]; /* of an ordered argument: its chain, and the
                                   number of ranks between its extremes */
} OrdersKind;

typedef struct Orders {
  const Net *net; /* borrowed, like the terms */
  const Terms *terms;
  VECTOR(OrdersChain) chains;
  VECTOR(OrdersKind) kinds;
  uint32_t *kind_of;     /* by fluent */
  uint32_t *first;       /* by fluent: of its arguments in `ranks` */
  VECTOR(int32_t) ranks; /* from 0 for the first value that occurs; -1 */
  bool *counts; /* by fluent: of a step counter, which advances whatever
                   is played */
} Orders;

void orders_init(Orders *orders, const Analysis *analysis);
void orders_free(Orders *orders);

/* The rank of the fluent's argument, or -1 if that is not ordered. */
static inline int32_t orders_rank(const Orders *orders, uint32_t fluent,
                                  uint32_t argument) {
  return orders->ranks.data[orders->first[fluent] + argument];
}
static inline const OrdersKind *orders_kind(const Orders *orders,
                                            uint32_t fluent) {
  return &orders->kinds.data[orders->kind_of[fluent]];
}

/* Appends one line for each chain and for each step counter. */
void orders_write(const Orders *orders, Text *text);

#endif
