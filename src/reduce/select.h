/* Sums of products of a move and a condition, and bins of those that can share
   a selection; see reduce_select.c. */
#ifndef TAFL_REDUCE_SELECT_H
#define TAFL_REDUCE_SELECT_H

#include "base/marks.h"
#include "reduce/groups.h"
#include "reduce/rebuild.h"

typedef struct Product {
  Signal input; /* the clause in its sum */
  Signal condition;
  uint32_t first, count; /* moves, in the pool */
} Product;

typedef struct Sum {
  Gate gate;
  uint32_t group, first, count; /* products */
  uint32_t bin;
} Sum;

/* The sums that share a selection. */
typedef struct Bin {
  uint32_t group;
  Signal *condition; /* by move: what it selects; SIGNAL_FALSE: nothing */
  uint32_t sums, products, conditions;
  double cost; /* of the ORs of moves that it needs */
  bool gains;
  Signal selection; /* in the new net, once it is made */
  bool made;
} Bin;

typedef struct BinEntry {
  uint32_t bin, next;
} BinEntry;

typedef struct Selector {
  Rebuild rebuild;
  Groups groups; /* of the old net's gates */
  bool *late;
  uint32_t *uses;
  VECTOR(Product) products;
  NumberVector pool; /* moves */
  VECTOR(Sum) sums;
  uint32_t *sum_of; /* by gate: sum + 1 */
  VECTOR(Bin) bins;
  uint32_t *head;           /* by condition: its first entry */
  VECTOR(BinEntry) entries; /* from 1 */
  NumberVector shared;      /* by bin: conditions in common with the sum */
  NumberVector touched;     /* bins with any */
  Marks seen;               /* moves of the sum */
  NumberVector stack, list;
  uint64_t budget; /* of moves looked at */
} Selector;

typedef struct Choice {
  Signal condition;
  uint32_t move;
} Choice;

typedef VECTOR(Choice) ChoiceVector;

/* Records the gate if it is a sum of two products or more. */
void select_read_sum(Selector *s, Gate gate);
/* Puts the sum into a bin that agrees with it, or a new one. */
void select_put_sum(Selector *s, Sum *sum);
/* Decides which bins make the net smaller. */
void select_judge_bins(Selector *s);
/* Lists the bin's moves by condition. */
void select_list_choices(const Selector *s, const Bin *bin,
                         ChoiceVector *choices);

#endif
