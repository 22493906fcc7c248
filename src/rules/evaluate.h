/* Questions to the rules, given a state and moves. */
#ifndef TAFL_RULES_EVALUATE_H
#define TAFL_RULES_EVALUATE_H

#include "rules/derive.h"

void evaluator_init(Evaluator *evaluator, Description *description,
                    const EvaluatorLimits *limits, Statistics *statistics,
                    Text *error);
void evaluator_free(Evaluator *evaluator);

/* The state and the moves that `true` and `does` are about. */
void evaluator_set_state(Evaluator *evaluator, const Term *facts,
                         uint32_t count);
void evaluator_set_moves(Evaluator *evaluator, const Term *roles,
                         const Term *moves, uint32_t count);

/* Resets the limits, of which `until` (by clock_now, 0: none) is the time; the
   question then sets the place that a failure jumps to. */
void evaluator_begin(Evaluator *evaluator, double until);
/* Forgets all answers and releases their memory: after a failure, calls are
   left unfinished. */
void evaluator_forget(Evaluator *evaluator);

/* Asks a question without bound columns; its answers are those of `call` in
   `table`. Returns false and sets `error` if a limit is reached; after that,
   every question fails. */
bool evaluator_ask(Evaluator *evaluator, Procedure *procedure,
                   CallTable **table, uint32_t *call);
/* Collects all terms of a relation of one column (init, next), each once. */
bool evaluator_collect(Evaluator *evaluator, Procedure *procedure,
                       TermVector *terms);

#endif
