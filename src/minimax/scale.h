/* Scores: what a state is worth to the role that thinks, as a whole number.

   A point of its return (search/aim.h, stretched to 0 to 100) is SCORE_POINT.
   The return of the best possible end is `high`, of the worst `low`;
   evaluations lie strictly between them. A win is worth more the sooner it
   comes, and a loss the later:

     win after p steps   high + SCORE_DISTANCE - p
     loss after p steps  low - SCORE_DISTANCE + p

   so a score of `high` or more, or of `low` or less, is always proved. Ends
   between them are worth their return, however far away they are. */
#ifndef TAFL_MINIMAX_SCALE_H
#define TAFL_MINIMAX_SCALE_H

#include <math.h>

#include "search/aim.h"

typedef int32_t Score;

enum { SCORE_POINT = 1000, SCORE_DISTANCE = 1000, SCORE_INFINITE = 1 << 24 };

typedef struct Scale {
  Aim aim;
  uint32_t role, role_count;
  uint32_t against;      /* the other one of two roles; else `role` */
  double own, other, by; /* score = own · goal + other · theirs + by */
  Score low, high;
  bool constant; /* goals of two roles add up to `sum` */
  double sum;
} Scale;

void scale_init(Scale *scale, Book *book, uint32_t role,
                const Settings *settings);
void scale_free(Scale *scale);

/* The goal of role 0 if goals add up to a constant, else of the role that
   thinks. */
double scale_goal(const Scale *scale, Score score);
/* The goal of the role that thinks. */
double scale_own_goal(const Scale *scale, Score score);

/* The score of goals that may be fractions, without distance. */
static inline Score scale_goals(const Scale *scale, const float *goals) {
  return (Score)lrint(scale->own * (double)goals[scale->role] +
                      scale->other * (double)goals[scale->against] + scale->by);
}

/* The score of an end with these goals. */
static inline Score scale_end(const Scale *scale, const float *goals,
                              uint32_t ply) {
  Score score = scale_goals(scale, goals);
  Score bonus = ply < SCORE_DISTANCE ? SCORE_DISTANCE - (Score)ply : 0;
  if (score >= scale->high) return score + bonus;
  return score <= scale->low ? score - bonus : score;
}

static inline Score scale_values(const Scale *scale, const float *values) {
  Score score = scale_goals(scale, values);
  if (score >= scale->high) return scale->high - 1;
  return score <= scale->low ? scale->low + 1 : score;
}

static inline bool scale_decided(const Scale *scale, Score score) {
  return score >= scale->high || score <= scale->low;
}

/* Scores of the table count steps from their own node. */
static inline Score scale_to_table(const Scale *scale, Score score,
                                   uint32_t ply) {
  if (score >= scale->high) return score + (Score)ply;
  return score <= scale->low ? score - (Score)ply : score;
}
static inline Score scale_from_table(const Scale *scale, Score score,
                                     uint32_t ply) {
  if (score >= scale->high) {
    score -= (Score)ply;
    return score < scale->high ? scale->high : score;
  }
  if (score <= scale->low) {
    score += (Score)ply;
    return score > scale->low ? scale->low : score;
  }
  return score;
}

#endif
