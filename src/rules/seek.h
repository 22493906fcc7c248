/* Questions that are given up when their time is up, and that use what was
   found by then: one legal move may be plain though the whole set takes for
   ever. */
#ifndef TAFL_RULES_SEEK_H
#define TAFL_RULES_SEEK_H

#include "rules/evaluate.h"

typedef struct Seek {
  Procedure *procedure;
  const Term *keys;  /* the terms of its bound columns */
  double until;      /* by clock_now */
  bool stateless;    /* without rules that read the state */
  TermVector *found; /* the terms of the first column that is not bound, each
                        once; NULL if all are bound */
  uint32_t most;     /* of them, if they are terms */
  uint64_t enough;   /* work (ticks) after which some of them will do */
  bool exists;       /* there is an answer */
} Seek;

/* Looks for answers in the facts, then rule by rule. Returns true if these are
   all. Returns false if there may be more: then some were found, as many as are
   wanted or as little work gives, or the time is up. */
bool seek_answers(Evaluator *evaluator, Seek *seek);
/* Collects all terms of a relation of one column. Returns false if that is not
   possible in time. */
bool seek_terms(Evaluator *evaluator, Procedure *procedure, double until,
                TermVector *terms);

#endif
