/* What games say about a value, such as a win rate, as value and 95 % interval;
   and whether two such estimates agree.

   Sources of intervals: Student (1908) for means; Agresti and Coull (1998) for
   rates; Wilson (1927) for samples without any spread. */
#ifndef TAFL_CONTEST_ESTIMATE_H
#define TAFL_CONTEST_ESTIMATE_H

#include "contest/tally.h"

/* An interval that is not symmetric has half the width of the symmetric one
   that contains it. */
typedef struct Estimate {
  double value; /* NAN: no games */
  double half;  /* half the width of the 95 % interval; NAN: not known */
} Estimate;

typedef enum {
  ESTIMATE_UNKNOWN, /* a value, or both intervals, are not known */
  ESTIMATE_AGREE, /* difference <= sqrt(a^2 + b^2), a and b the halves: the 95 %
                     interval of the difference contains 0 */
  ESTIMATE_NEAR,  /* the intervals overlap */
  ESTIMATE_DIFFER
} EstimateVerdict;

/* The win rate in percent. The interval is that of the games and four virtual
   ones, two won and two lost ("plus four"). It holds for few games and rates
   near 0 and 100, and is narrower with draws: 20 wins of 20 are 100 ± 19.4, 20
   draws 50 ± 8.2. */
Estimate estimate_rate(const Tally *tally);

/* The mean goal, by Student's t: t(n - 1) s / sqrt(n). Goals that are all equal
   have s = 0 and yet say nothing exact: as many as z^2 / (n + z^2) of all
   games may have another goal (Wilson's bound for 0 of n), in the worst case
   the most distant one of 0 to 100. 20 times 100 are 100 ± 16.1. With one game
   the interval is not known. */
Estimate estimate_goal(const Tally *tally);

/* A win rate in percent of which only the number of games is known, as if there
   were no draws: rather too wide than too narrow. */
Estimate estimate_bare(double rate, uint64_t games);

/* The mean of independent estimates, and the difference of two. An interval
   that is not known makes that of the result unknown. */
Estimate estimate_mean(const Estimate *list, uint32_t count);
Estimate estimate_difference(Estimate a, Estimate b);

/* Compares two independent estimates. One whose interval is not known counts as
   exact, so that only the other's decides. If a paper only says how wide its
   intervals are at most, that is `half`: they differ for certain, then, if they
   differ, but may be said to agree too easily. */
EstimateVerdict estimate_compare(Estimate theirs, Estimate ours);
const char *estimate_verdict_name(EstimateVerdict verdict);

/* The 97.5 % point of Student's t with a number of degrees of freedom > 0:
   12.706 for 1, 2.086 for 20, 1.960 for very many. */
double estimate_student(uint64_t degrees);

#endif
