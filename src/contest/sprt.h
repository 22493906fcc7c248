/* Decides with as few games as possible whether one player is stronger than
   another: Wald's sequential probability ratio test (1945) on pairs of games in
   which the players swap roles, in the generalised form by Van den Bergh that
   is used to test chess engines. */
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

/* Adds a pair in which the first player scored 0 to 4 half points. */
void sprt_add(Sprt *sprt, uint32_t half_points);
uint64_t sprt_pairs(const Sprt *sprt);

/* Returns the logarithm of the likelihood ratio of elo1 to elo0. */
double sprt_ratio(const Sprt *sprt);
/* The test is decided outside these bounds: ln(beta / (1 - alpha)) for elo0,
   ln((1 - beta) / alpha) for elo1. */
double sprt_lower(const Sprt *sprt);
double sprt_upper(const Sprt *sprt);
SprtDecision sprt_decide(const Sprt *sprt);

/* Returns the expected score, 0 to 1, of a lead in Elo:
   1 / (1 + 10^(-elo/400)). */
double sprt_expected(double elo);

#endif
