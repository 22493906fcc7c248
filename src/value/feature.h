/* What a linear evaluation can look at in a state. */
#ifndef TAFL_VALUE_FEATURE_H
#define TAFL_VALUE_FEATURE_H

#include <stdint.h>

typedef enum {
  FEATURE_KIND,     /* the number of facts of a kind, such as white pawns */
  FEATURE_NUMBER,   /* a number that a fact names, such as points: 0 to 1 */
  FEATURE_PAIR,     /* pieces on neighbouring places */
  FEATURE_LINE,     /* lines with so many of their facts */
  FEATURE_MOBILITY, /* legal moves of the role that chooses */
  FEATURE_FLUENT,
  FEATURE_CLASSES
} FeatureClass;

typedef struct LinearFeature {
  FeatureClass class;
  uint32_t first;  /* a kind; of a number, any of its fluents; a pair; a kind of
                      lines; a role; a fluent */
  uint32_t second; /* of a number, the argument; of a line, how many facts are
                      true */
} LinearFeature;

#endif
