/* What a state that is not an end is worth to each role: the goal it can
   expect, from 0 to 100. Whoever searches knows only this interface.

   A state is its words in the scalar engine (bit i is fluent i of the net). An
   evaluation may keep sums for a state, which are brought up to date from one
   state to the next instead of being made anew. They are whole numbers, so that
   both ways give exactly the same. An evaluation does not change while it is
   used; several threads may use it at once. */
#ifndef TAFL_VALUE_EVALUATION_H
#define TAFL_VALUE_EVALUATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct Evaluation Evaluation;

typedef struct EvaluationOperations {
  const char *name;
  void (*delete)(Evaluation *evaluation);
  /* Sets `sums` for the state. */
  void (*begin)(const Evaluation *evaluation, const uint64_t *state,
                int32_t *sums);
  /* Brings the sums of the state `from` to those of the state `to`. */
  void (*update)(const Evaluation *evaluation, const uint64_t *from,
                 const uint64_t *to, int32_t *sums);
  /* The same for the state in which these fluents are not as in `from`. If it
     returns true, nobody needs that state for its values either; else it has
     done nothing. NULL: always false. */
  bool (*change)(const Evaluation *evaluation, const uint64_t *from,
                 const uint16_t *fluents, uint32_t count, int32_t *sums);
  /* Sets the value of the state for each role. `legal` has the number of legal
     moves of each role; NULL: not known, which is less exact where `mobility`
     is set. */
  void (*values)(const Evaluation *evaluation, const uint64_t *state,
                 const int32_t *sums, const uint32_t *legal, float *values);
  /* Sets, for each fluent, about how much it is worth to the role, in any unit.
     NULL: it cannot tell. */
  void (*weights)(const Evaluation *evaluation, uint32_t role, float *weights);
  /* Appends lines of text: what it consists of, the most important first. */
  void (*write)(const Evaluation *evaluation, Text *text);
} EvaluationOperations;

/* The first member of every kind. */
struct Evaluation {
  const EvaluationOperations *operations;
  uint32_t role_count;
  uint32_t words;     /* of a state */
  uint32_t sum_count; /* kept for a state; may be 0 */
  bool mobility;      /* numbers of legal moves matter */
};

static inline void evaluation_delete(Evaluation *evaluation) {
  if (evaluation) evaluation->operations->delete (evaluation);
}
static inline void evaluation_begin(const Evaluation *evaluation,
                                    const uint64_t *state, int32_t *sums) {
  evaluation->operations->begin(evaluation, state, sums);
}
static inline void evaluation_update(const Evaluation *evaluation,
                                     const uint64_t *from, const uint64_t *to,
                                     int32_t *sums) {
  evaluation->operations->update(evaluation, from, to, sums);
}
static inline bool evaluation_change(const Evaluation *evaluation,
                                     const uint64_t *from,
                                     const uint16_t *fluents, uint32_t count,
                                     int32_t *sums) {
  return evaluation->operations->change &&
         evaluation->operations->change(evaluation, from, fluents, count, sums);
}
static inline void evaluation_values(const Evaluation *evaluation,
                                     const uint64_t *state, const int32_t *sums,
                                     const uint32_t *legal, float *values) {
  evaluation->operations->values(evaluation, state, sums, legal, values);
}
/* Returns false if the evaluation cannot tell. */
static inline bool evaluation_weights(const Evaluation *evaluation,
                                      uint32_t role, float *weights) {
  if (!evaluation->operations->weights) return false;
  evaluation->operations->weights(evaluation, role, weights);
  return true;
}

#endif
