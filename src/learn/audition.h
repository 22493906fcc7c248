/* A first hearing for an evaluation that was made elsewhere: does it go with
   the results of random games, or against them? Games with the same pieces may
   have opposite goals. */
#ifndef TAFL_LEARN_AUDITION_H
#define TAFL_LEARN_AUDITION_H

#include "game/book.h"
#include "value/evaluation.h"

typedef struct Audition {
  uint32_t games;     /* that ended */
  double correlation; /* of values with goals, from -1 to 1; 0 if either never
                         differs */
} Audition;

/* Plays a bounded number of games and states; the seed alone decides. */
Audition audition_hear(Book *book, const Evaluation *evaluation, uint64_t seed);

/* Returns true if the evaluation contradicts the games beyond chance. */
bool audition_failed(const Audition *audition);

#endif
