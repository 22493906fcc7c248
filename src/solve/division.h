/* A puzzle as parts that do not affect each other. A part is a set of fluents
   whose next values, after any move, read no fluents of other parts; legality
   is a conjunction of conditions that read one part each. What a move does in a
   part, and what it asks of it, is its class there. Either moves are all
   combinations of classes: the parts go in step with each other. Or each move
   leaves all parts but one as they are: the parts go one at a time, in any
   order. All of this is read off the circuit, so it is proved.

   The end of the game and the goals combine the parts' results: a cut is a
   condition on one part alone, and end and goals are functions of the cuts'
   values and of the time. Autonomous fluents (step counters) are of no part. */
#ifndef TAFL_SOLVE_DIVISION_H
#define TAFL_SOLVE_DIVISION_H

#include "solve/sheet.h"

enum { DIVISION_MOST = 8, DIVISION_CUTS = 64 };

typedef struct DivisionPart {
  NumberVector fluents;
  uint32_t class_count;
  NumberVector legal; /* by class: the condition, a signal of the sheet */
  NumberVector next;  /* by class, then by place in `fluents`: signals */
  NumberVector cuts;  /* signals, at most DIVISION_CUTS */
  uint64_t ending;    /* cuts that the end of the game reads, as bits */
  uint32_t null;      /* the class that changes and asks nothing, + 1; 0: none
                       */
} DivisionPart;

typedef struct Division {
  Sheet sheet;
  uint32_t count; /* of parts */
  bool together;  /* they go in step */
  DivisionPart parts[DIVISION_MOST];
  uint32_t *class_of;   /* by move, then part */
  NumberVector clock;   /* autonomous fluents, and their next values */
  NumberVector advance; /* signals of the sheet */
} Division;

/* Returns false, with nothing to free, if there are no two parts, or more than
   can be dealt with. `state`: fluents that never change have their values of
   it. */
bool division_init(Division *division, const Net *net, const uint64_t *state);
void division_free(Division *division);

#endif
