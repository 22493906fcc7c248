/* A puzzle as units that each move changes by a table. A unit is one or more
   one-hot groups, or a single fluent; a state is a value for each unit, as a
   row of bytes. An act is a move together with what must be known so that the
   next value of each unit depends on nothing but its own value: the place of
   the hole in a sliding puzzle, nothing in a permutation puzzle. Acts are split
   further until each maps the values of each unit one to one, so that they can
   be undone.

   Everything is derived from the net by evaluation in three values, and errs to
   one side: a state of the puzzle has all its successors here, with the same
   values, and perhaps some more. So any set of units, with all acts, is an
   abstraction in which nothing is farther away than in the puzzle, and a goal
   that cannot be reached here cannot be reached. Where the net leaves no doubt
   about which moves are legal (most puzzles), a plan here is a plan there, as
   long as it meets no end on the way.

   Fluents that change by themselves are no part of states; they say after how
   many moves the goal counts. */
#ifndef TAFL_SOLVE_FACTOR_H
#define TAFL_SOLVE_FACTOR_H

#include "solve/look.h"
#include "solve/packing.h"
#include "solve/puzzle.h"

enum {
  FACTOR_NONE = 255,   /* no value: the act cannot be made */
  FACTOR_BROKEN = 254, /* values are less than this */
  FACTOR_UNITS = 128,
  FACTOR_PARTS = 4,
  FACTOR_ACTS = 1024,
  FACTOR_LONGEST = 1024 /* moves that plans are looked at for */
};

/* At most one of its fluents is true. */
typedef struct FactorPart {
  uint32_t first, count; /* in Factor.members */
  bool exactly;          /* one is always true */
} FactorPart;

typedef struct FactorUnit {
  uint32_t parts, part[FACTOR_PARTS];
  uint32_t count;  /* values that it may ever have, less than FACTOR_BROKEN */
  uint32_t offset; /* of its values among those of all units */
  uint32_t start;  /* value */
  uint32_t goals;  /* values that it may have in the end */
  uint32_t raw;    /* combinations of values of its parts */
  uint8_t *number; /* by combination: the value, or FACTOR_NONE */
  uint32_t first, bits; /* in a key, never across words */
} FactorUnit;

typedef struct FactorAct {
  Move move;
  uint32_t count, checks;
  uint8_t *changes; /* units whose values it may change */
  uint8_t *checked; /* units of which some value forbids it */
} FactorAct;

typedef struct Factor {
  const Net *net; /* borrowed */
  Packing packing;
  bool proved;          /* only proved groups are used */
  NumberVector members; /* fluents of parts */
  VECTOR(FactorPart) parts;
  VECTOR(FactorUnit) units;
  uint32_t values; /* of all units together */
  VECTOR(FactorAct) acts;
  /* By act, then offset of the unit + value: the value after and before it. */
  uint8_t *next, *back;
  bool waits;   /* some move changes nothing */
  Move waiting; /* if so: that one */
  /* The end. */
  int target;         /* the score: the highest that may be possible */
  int lower;          /* the next lower one of the rules, or 0 */
  bool *goal;         /* by offset + value: it may be part of an end with it */
  double goal_states; /* number of them, at most */
  bool lengths[FACTOR_LONGEST + 1]; /* after how many moves it may count */
  uint32_t longest;                 /* of these; 0: none */
  bool ends;                        /* nothing can be longer than that */
  uint32_t words;                   /* of a key */
} Factor;

/* Returns false, with nothing to free, if the puzzle is not of this kind. */
bool factor_init(Factor *factor, Puzzle *puzzle);
void factor_free(Factor *factor);

void factor_start(const Factor *factor, uint8_t *row);
bool factor_is_goal(const Factor *factor, const uint8_t *row);
/* Rows as words, for sets of states. */
void factor_key(const Factor *factor, const uint8_t *row, uint64_t *key);
void factor_row(const Factor *factor, const uint64_t *key, uint8_t *row);

static inline const uint8_t *factor_next(const Factor *factor, uint32_t act) {
  return factor->next + (size_t)act * factor->values;
}
static inline const uint8_t *factor_back(const Factor *factor, uint32_t act) {
  return factor->back + (size_t)act * factor->values;
}

/* Changes the row by the act, forward or (with tables of factor_back) backward.
   Returns false, and changes nothing, if that is not possible. */
bool factor_apply(const Factor *factor, uint32_t act, const uint8_t *table,
                  uint8_t *row);

/* Offers a plan of these acts, after as many moves that wait as it takes for
   the end to count. Returns true if there is a plan with the target then. */
bool factor_offer(const Factor *factor, Puzzle *puzzle, const char *by,
                  const uint32_t *acts, uint32_t count);
/* All plans with the target have at least this many moves: says what follows
   from that about scores and lengths. */
void factor_prove(const Factor *factor, Puzzle *puzzle, const char *by,
                  uint32_t least);

/* ---- between the files of this module ---- */

/* Chooses parts and units; raw values only. Returns false if there are too
   many. */
bool factor_units(Factor *factor, const Book *book);
/* Sets acts with tables of raw values. */
bool factor_acts(Factor *factor);
/* Marks the pairs of values that two units may have at once, by rows of the
   first one's. */
void factor_pairs(const Factor *factor, const uint8_t *table, uint32_t acts,
                  const FactorUnit *a, const FactorUnit *b, bool *pairs);
/* The combination that a state has, or FACTOR_NONE. */
uint32_t factor_raw(const Factor *factor, const FactorUnit *unit,
                    const uint64_t *state);
/* Makes everything unknown but fluents that are fixed; sets a unit to a
   combination of values in some lanes. */
void factor_look(const Factor *factor, Look *look);
void factor_look_at(const Factor *factor, Look *look, uint32_t unit,
                    uint32_t raw, uint64_t lanes);
/* Fluents that signals depend on, as a set; those that may change only. */
void factor_support(const Factor *factor, const Signal *signals, uint32_t count,
                    uint64_t *fluents);

#endif
