/* Whether a player is stronger than another, decided with as few games as
   possible: Wald's sequential probability ratio test (1945) on pairs of games
   in which the players swap roles, in the generalised form of Van den Bergh
   that chess engines are tested with. */
#ifndef TAFL_CONTEST_SPRT_H
#define TAFL_CONTEST_SPRT_H

#include <stdint.h>

enum { SPRT_OUTCOMES = 5 }; /* mean score of a pair: 0, 1/4, 1/2, 3/4, 1 */

typedef enum { SPRT_OPEN, SPRT_ELO0, SPRT_ELO1 } SprtDecision;

typedef struct Sprt {
  double elo0, elo1;  /* hypotheses: the first player's lead, elo0 < elo1 */
  double alpha, beta; /* probabilities of deciding wrongly for elo1, elo0 */
  uint64_t counts[SPRT_OUTCOMES];
} Sprt;

/* A pair in which the first player scored 0 to 4 half points. */
void sprt_add(Sprt *sprt, uint32_t half_points);
uint64_t sprt_pairs(const Sprt *sprt);

/* Logarithm of the likelihood ratio of elo1 to elo0. */
double sprt_ratio(const Sprt *sprt);
/* Outside of these bounds it is decided: ln(beta / (1 - alpha)) for elo0,
   ln((1 - beta) / alpha) for elo1. */
double sprt_lower(const Sprt *sprt);
double sprt_upper(const Sprt *sprt);
SprtDecision sprt_decide(const Sprt *sprt);

/* The score, 0 to 1, that a lead in Elo lets expect: 1 / (1 + 10^(-elo/400)).
 */
double sprt_expected(double elo);

#endif
