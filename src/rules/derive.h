/* Runs the plans of procedures until calls have their answers. Limits and the
   place that a failure jumps to are set by rules/evaluate.c. */
#ifndef TAFL_RULES_DERIVE_H
#define TAFL_RULES_DERIVE_H

#include <setjmp.h>

#include "base/marks.h"
#include "rules/calls.h"
#include "statistics.h"

enum { DERIVE_ENVIRONMENT = 1 << 20 }; /* terms: variables of running plans */

typedef struct EvaluatorLimits {
  size_t memory;   /* bytes for all that it and its owner hold */
  double seconds;  /* for one question; 0: no limit */
  double deadline; /* of all questions, by clock_now; 0: none */
} EvaluatorLimits;

typedef struct Evaluator {
  Plans plans;
  EvaluatorLimits limits;
  Statistics *statistics;
  Text *error;         /* set when a question fails */
  size_t terms_before; /* bytes of terms when it was made */
  size_t state_memory; /* bytes of the state's relations */
  size_t owner_memory; /* bytes that its owner holds */

  CallTable tables[3];   /* by Dependence */
  TermVector facts;      /* of the state */
  Marks holds;           /* the same */
  TermVector *collected; /* by evaluator_collect, */
  uint32_t most;         /* as many at most */
  Marks collected_set;

  Term *environment; /* variables of all running plans */
  uint32_t environment_used;
  uint32_t depth, low, round; /* of recursive calls, see derive.c */
  bool passing;   /* calls that do not recurse are not kept in tables: the first
                     answer is used before the second is sought */
  uint64_t added; /* answers, to see whether a round added any */
  VECTOR(uint32_t) waiting; /* provisional calls, in order of evaluation */

  jmp_buf failure;
  uint64_t ticks, last_tick; /* work done, and allowed */
  double deadline;
  const char *stack_end; /* recursion stops there */
} Evaluator;

/* Bytes that it holds, with its owner's. */
size_t derive_memory(const Evaluator *evaluator);
/* Makes the answers of a call as complete as they can be now. */
void derive_call(Evaluator *evaluator, CallTable *table, uint32_t call);
/* Runs all plans of the call's procedure; without a table, the terms of its
   column are collected. */
void derive_plans(Evaluator *evaluator, Procedure *procedure, CallTable *table,
                  uint32_t call);

/* ---- without a table: the terms of the first column that is not bound are
   collected; if all are bound, the functions return true if there is an answer.
   `keys` are the terms of the bound columns. ---- */

/* Never fails. */
bool derive_facts(Evaluator *evaluator, Procedure *procedure, const Term *keys);
/* The procedure's plans, compiled now if need be; and the answers of one. */
uint32_t derive_plan_count(Evaluator *evaluator, Procedure *procedure);
bool derive_plan(Evaluator *evaluator, Procedure *procedure, uint32_t plan,
                 const Term *keys);

#endif
