/* The states of the parts of a puzzle that consists of independent ones
   (solve/division.h), in crowds.

   A crowd is a set of states of one part: all that can be reached in so many
   moves of that part while the values of its ending cuts went through the same
   history. It is expanded once, by wide evaluation (solve/slate.h). A crowd
   with the states of an earlier one while the clock shows the same is that one,
   so that the search ends.

   Rows: the words of a state, its outcome, and its parent (row, class). */
#ifndef TAFL_SOLVE_CROWDS_H
#define TAFL_SOLVE_CROWDS_H

#include "solve/division.h"
#include "solve/method.h"
#include "solve/slate.h"

static const uint32_t no_crowd = UINT32_MAX; /* nor row */

typedef struct CrowdOutcome {
  uint64_t cuts;
  uint32_t row; /* the first of the crowd with these */
} CrowdOutcome;

typedef struct Crowd {
  uint32_t part, first, count; /* rows */
  uint32_t time;               /* crowds_clock of the moves made */
  uint64_t hash;               /* of the set of states */
  VECTOR(CrowdOutcome) outcomes;
  NumberVector after; /* crowds */
  bool grown;
} Crowd;

/* The states of one part. */
typedef struct CrowdSide {
  const DivisionPart *part;
  uint32_t words, row_words;
  Slate slate; /* all classes' next values and conditions, and cuts */
  VECTOR(uint64_t) rows;
  Map map;        /* of rows of the crowd that is being made */
  uint64_t *next; /* states of a batch after a class */
} CrowdSide;

/* A crowd that is being expanded. */
typedef struct CrowdGrowth {
  uint32_t crowd; /* no_crowd: nothing is */
  uint32_t at;    /* rows that are done */
  uint32_t first; /* row of its successors */
} CrowdGrowth;

typedef struct Crowds {
  Method *method; /* that expanded states are counted for */
  const Division *division;
  uint32_t state_words;
  CrowdSide sides[DIVISION_MOST];
  Slate clock;
  VECTOR(uint64_t) times; /* state words by time: autonomous fluents only */
  uint32_t again, round;  /* the clock shows the same again after `round` steps
                             from step `again` on; 0: not known to */
  VECTOR(Crowd) list;
  CrowdGrowth growth;
} Crowds;

/* The first crowds, one for each part, have the states of `start`, which has
   that many words. The method and the division are borrowed. */
void crowds_init(Crowds *crowds, Method *method, const Division *division,
                 const uint64_t *start, uint32_t state_words);
void crowds_free(Crowds *crowds);

/* Makes the crowds that come after one. Returns false if the slice, of which
   states were expanded since `begun`, is over before that. */
bool crowds_grow(Crowds *crowds, uint32_t number, const Slice *slice,
                 uint64_t begun);
/* Finds a row of a crowd that leads to the state of another row, and the class
   that does; the parent that is known may be in another crowd. */
uint32_t crowds_parent(Crowds *crowds, uint32_t number, uint32_t row,
                       uint32_t *class);

/* Returns the first number of steps after which the clock shows the same: it
   may stand still, or go round. */
uint32_t crowds_clock(Crowds *crowds, uint32_t steps);
/* The words of a state that has what the clock shows, and nothing else. */
const uint64_t *crowds_time(Crowds *crowds, uint32_t steps);

const uint64_t *crowds_row(const Crowds *crowds, uint32_t part, uint32_t row);
uint32_t crowds_rows(const Crowds *crowds, uint32_t part);

#endif
