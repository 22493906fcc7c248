/* Trees of gates that join many terms with OR, or with AND: the terms may be
   joined in any order, since only the root is read elsewhere. */
#ifndef TAFL_GPU_JOINS_H
#define TAFL_GPU_JOINS_H

#include "program/order.h"

/* A value, or a function of one or two values. */
typedef struct JoinTerm {
  uint32_t join;
  uint8_t table; /* of the first two variables; TRUTH_A: the value itself */
  uint32_t count;
  Value inputs[2]; /* without a second one, the first twice */
} JoinTerm;

typedef struct Join {
  Value root;
  bool any;              /* OR; else AND */
  uint32_t first, count; /* terms */
} Join;

/* Trees of fewer terms are left as they are. Local words of a step's look in
   chess_200 and skirmish with trees of 4 or more: 6,450 and 1,970, of 8 or
   more: 5,330 and 2,010, of 20 or more: 5,430 and 2,540. */
enum { JOINS_LEAST = 8 };

#define JOINS_NONE UINT32_MAX

typedef struct Joins {
  VECTOR(Join) list;
  VECTOR(JoinTerm) terms; /* those of a join are together */
  uint32_t *of; /* by value: the join whose root it is, or JOINS_NONE */
  bool *inner;  /* by value: it is part of a join, and not its root */
} Joins;

/* `order` has no loops. step[value]: the step of each gate, of those that are
   needed; readers[value]: how many such gates read it, and one more if it is
   wanted. */
void joins_find(const Order *order, uint32_t inputs, const uint32_t *step,
                const uint32_t *readers, Joins *joins);
void joins_free(Joins *joins);

#endif
