/* What may hold at each stage of play. Play goes through stages, one a step:
   the initial state is at stage 0, after the last stage comes stage `back`.
   Roles that take turns make rounds of stages; a counter makes a stage of every
   step.

   Proved: if a state agrees with its stage (course_admits) and legal moves are
   made, its successor agrees with the next stage. The initial state agrees with
   stage 0. */
#ifndef TAFL_ANALYSE_COURSE_H
#define TAFL_ANALYSE_COURSE_H

#include "base/bits.h"
#include "net/net.h"

typedef struct Course {
  const Net *net; /* borrowed */
  uint32_t stages, back;
  VECTOR(uint64_t) rows; /* by stage: fluents that may be true, may be false */
} Course;

/* Stages of rounds of `period` steps: stage 0 comes after the last. The work is
   linear in the period times the edges of the net. */
void course_find_rounds(const Net *net, uint32_t period, Course *course);
/* A stage for each step, until the stages repeat with the period. Returns false
   if that takes more than `work` visits of edges; nothing is then to be freed.
 */
bool course_find_steps(const Net *net, uint32_t period, uint64_t work,
                       Course *course);
void course_free(Course *course);

/* The stage of all states after so many steps from the initial one. */
static inline uint32_t course_stage(const Course *course, uint32_t step) {
  uint32_t round = course->stages - course->back;
  return step < course->stages ? step
                               : course->back + (step - course->back) % round;
}
static inline size_t course_row_words(const Course *course) {
  return bits_words(course->net->fluents.count);
}
/* Two rows of a stage, one after the other. */
static inline const uint64_t *course_rows(const Course *course,
                                          uint32_t stage) {
  return course->rows.data + stage * 2 * course_row_words(course);
}

/* Does a state, a row of bits, agree with the stage? */
bool course_admits(const Course *course, uint32_t stage, const uint64_t *row);

/* Writes to may[signal] whether it may be true in states that two rows admit,
   while legal moves are made. */
void course_evaluate(const Net *net, const uint64_t *rows, bool *may);

#endif
