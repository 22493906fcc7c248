/* Runs the plans of procedures until calls have their answers. For
   engine/evaluate.c, which sets where a failure goes (Evaluator.failure). */
#ifndef TAFL_RULES_DERIVE_H
#define TAFL_RULES_DERIVE_H

#include "rules/evaluate.h"

enum { DERIVE_ENVIRONMENT = 1 << 20 }; /* terms: variables of plans at work */

/* Make the answers of a call as complete as they can be here. */
void derive_call(Evaluator *evaluator, Table *table, uint32_t call);
/* Run all plans of the call's procedure; table NULL collects facts. */
void derive_plans(Evaluator *evaluator, Procedure *procedure, Table *table,
                  uint32_t call);

#endif
