/* Derives the answers of procedures from the rules, a state and moves. */
#ifndef TAFL_RULES_EVALUATE_H
#define TAFL_RULES_EVALUATE_H

#include <setjmp.h>

#include "base/marks.h"
#include "rules/table.h"
#include "statistics.h"

typedef struct EvaluatorLimits {
  size_t memory;  /* bytes for tables and terms */
  double seconds; /* for one question; 0: no limit */
} EvaluatorLimits;

typedef struct Evaluator {
  Plans plans;
  EvaluatorLimits limits;
  Statistics *statistics;
  Text *error;           /* set by a question that fails */
  uint32_t terms_before; /* room for terms that others had made */

  Table tables[3];       /* by Dependence */
  TermVector facts;      /* of the state */
  Marks holds;         /* the same */
  TermVector *collected; /* by evaluator_collect */
  Marks collected_set;

  Term *environment; /* variables of all plans at work */
  uint32_t environment_used;
  uint32_t depth, low, round; /* of recursive calls, see evaluate.c */
  uint64_t added;             /* answers, to see whether a round brought any */
  VECTOR(uint32_t) waiting;   /* provisional calls, in order of evaluation */

  jmp_buf failure;
  uint64_t ticks, last_tick; /* work done, and allowed */
  double deadline;
  const char *stack_end; /* recursion stops there */
} Evaluator;

void evaluator_init(Evaluator *evaluator, Description *description,
                    const EvaluatorLimits *limits, Statistics *statistics,
                    Text *error);
void evaluator_free(Evaluator *evaluator);

/* The state and the moves that `true` and `does` speak of. */
void evaluator_set_state(Evaluator *evaluator, const Term *facts,
                         uint32_t count);
void evaluator_set_moves(Evaluator *evaluator, const Term *roles,
                         const Term *moves, uint32_t count);

/* A question without bound columns: the number of its call in `table`. False,
   with the reason in `error`, if a limit was reached; so is every question
   after that. */
bool evaluator_ask(Evaluator *evaluator, Procedure *procedure, Table **table,
                   uint32_t *call);
/* All terms that a relation of one column (init, next) gives, each once. */
bool evaluator_collect(Evaluator *evaluator, Procedure *procedure,
                       TermVector *terms);

#endif
