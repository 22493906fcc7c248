/* A linear evaluation: a value is the logistic function of a sum of weights of
   the features that a state has, stretched to the range of the role's goals.

     value(role) = least + (most − least) / (1 + exp(−sum(row of the role)))

   A row is a role; if two roles have goals of a constant sum there is one row,
   of the first role, and the other's value is what is left of the sum. Far from
   the middle the function has a longer tail, so that values differ strictly
   from the goals, and from each other.

   Features are those of value/feature.h, in this order: what is tied to
   fluents, pairs, lines, mobility, fluents. Learners change `weights`;
   linear_freeze turns them into the whole numbers that evaluate, with the
   weights of ties folded into those of their fluents. Their number and size is
   bounded whatever the rules say. */
#ifndef TAFL_VALUE_LINEAR_H
#define TAFL_VALUE_LINEAR_H

#include "game/book.h"
#include "value/evaluation.h"
#include "value/lines.h"
#include "value/neighbours.h"
#include "value/ties.h"

enum {
  LINEAR_UNIT = 4096,     /* whole numbers to one unit of a weight */
  LINEAR_FLUENTS = 65536, /* games with more have no evaluation */
  LINEAR_WORDS = 256,     /* of a state; larger ones have no pairs or lines */
  LINEAR_STEEP = 8,       /* units of the sum where the tail begins */
  LINEAR_STEPS = 256      /* of the table up to there */
};

/* Classes in use unless somebody wants others. Lines gain most: the log-loss of
   what 300,000 states of random games taught, on games of strong players, fell
   from 0.661 to 0.631 in connectFour, and alpha-beta with them won 16 of 20
   games there and 11 of 12 of connect5 against itself without them, at 0.3 and
   0.2 s a move. Pairs of neighbours take three times as long to learn and five
   to keep up to date (breakthrough: 0.5 to 1.5 us, 35 to 200 ns a state) and
   gain little: 0.650 to 0.649 in breakthrough, 0.666 to 0.664 in reversi,
   nothing in checkers-mustjump, less than nothing in skirmish (0.308 to 0.311)
   and connectFour (0.661 to 0.670). Mobility takes 2 to 17 us a state and
   gained at most 0.001 in amazons_8x8, reversi, breakthrough and skirmish.
   Weights that differ with the role that has the turn gained nothing. */
enum {
  LINEAR_ALL = (1 << FEATURE_CLASSES) - 1,
  LINEAR_USUAL = LINEAR_ALL & ~(1 << FEATURE_PAIR | 1 << FEATURE_MOBILITY)
};

typedef struct Linear {
  Evaluation evaluation;
  const Analysis *analysis; /* borrowed */
  uint32_t rows;
  int sum;           /* of the goals, if there is one row for two roles */
  int *least, *most; /* by role: goals in the rules */
  VECTOR(LinearFeature) features;
  uint32_t pairs_first, lines_first, mobility_first, fluents_first;
  Kinds kinds;
  Ties ties;
  Neighbours neighbours;
  Lines lines;
  uint32_t *of_fluent; /* feature + 1 of a fluent; 0: none */
  uint32_t classes;    /* FeatureClass, as bits: those in use */
  float *weights;      /* by row and feature: what learners change */
  int32_t *frozen;     /* by fluent and row */
  int32_t *frozen_pairs, *frozen_lines, *frozen_mobility; /* and row */
  bool has_pairs, has_lines;                              /* frozen, not 0 */
  float share[LINEAR_STEPS + 1]; /* below one half: the logistic function of
                                    minus the index */
} Linear;

/* Returns NULL if the game has no net, or making it was given up. All weights
   are 0, and the usual classes are in use. */
Linear *linear_new(Book *book);

/* Lists the features of a state that are not 0, once each, with their values
   (numbers of a kind, 1 of a fluent): what the gradient of a sum is made of.
   Classes that are not in use are left out. `legal` is as in
   evaluation_values. */
typedef struct LinearActive {
  uint32_t feature;
  float value;
} LinearActive;
typedef VECTOR(LinearActive) LinearActives;
void linear_active(const Linear *linear, const uint64_t *state,
                   const uint32_t *legal, LinearActives *actives);

static inline float *linear_row(Linear *linear, uint32_t row) {
  return linear->weights + (size_t)row * linear->features.count;
}

/* Appends the feature's name: unique within a game, and the same in every run
   and for the same facts of other games. */
void linear_name(const Linear *linear, uint32_t feature, Text *text);

/* Appends lines that people can read: what matters most. */
void linear_write(const Linear *linear, Text *text);

/* Makes the evaluation use the weights as they are now, of the classes in use.
   No other thread may use it meanwhile. */
void linear_freeze(Linear *linear);

/* The share of the goals' range that a sum stands for, above 0 and below 1;
   it never falls when the sum grows. */
float linear_share(const Linear *linear, int32_t sum);

#endif
