/* Results of playouts. */
#ifndef TAFL_WIDE_RESULTS_H
#define TAFL_WIDE_RESULTS_H

#include <stdint.h>

typedef enum { WIDE_ENDED, WIDE_CUT_OFF, WIDE_STUCK } WideOutcome;

/* Playouts in which a role made a certain move. */
typedef struct CreditSum {
  uint64_t playouts, goals; /* how many; sum of the role's goals */
  uint64_t rival_goals;     /* sum of the other role's, or 0 if not requested */
} CreditSum;

#endif
