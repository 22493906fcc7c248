/* The Score strategy (Świechowski, Mańdziuk and Ong 2016, section IV-C): games
   whose goals depend on points that are counted in the state. A score is a
   fact that goal rules read, directly or by other predicates, with a role and a
   number, or in a game of one role with a number alone: (score white 10),
   (captures 3). Counters of steps look the same; as all moves advance them
   alike, they do no harm. */
#ifndef TAFL_SEARCH_SCORE_H
#define TAFL_SEARCH_SCORE_H

#include <stdbool.h>

#include "gdl/rule.h"
#include "search/facts.h"

typedef struct ScoreFact {
  bool known;    /* it has been looked at */
  uint32_t role; /* UINT32_MAX: it is no score */
  double points;
} ScoreFact;

typedef struct Score {
  const Rules *rules;
  Facts *facts;     /* borrowed */
  TermVector atoms; /* facts that goal rules read, perhaps with variables */
  VECTOR(ScoreFact) list; /* by fact */
  NumberVector numbers;   /* scratch */
} Score;

/* Returns false, with nothing to free, if goals depend on no scores. */
bool score_init(Score *score, const Rules *rules, Facts *facts);
void score_free(Score *score);
/* The points of a role in a state. */
double score_value(Score *score, const uint64_t *words, uint32_t count,
                   uint32_t role);

#endif
