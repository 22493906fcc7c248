/* The coordinates along one side of a board. */
#ifndef TAFL_GAME_AXIS_H
#define TAFL_GAME_AXIS_H

#include "gdl/term.h"

typedef enum { AXIS_TERMS, AXIS_LETTERS, AXIS_NUMBERS } AxisKind;

/* In order; a square such as b4 has a letter and a number. */
typedef struct Axis {
  AxisKind kind;
  NumberVector values;
} Axis;

void axis_free(Axis *axis);
/* Returns the index of the value, or the number of values. */
uint32_t axis_index(const Axis *axis, uint32_t value);
void axis_write(const Axis *axis, const Terms *terms, uint32_t index,
                Text *text);
/* Returns whether the values are among the other's. */
bool axis_within(const Axis *axis, const Axis *other);

#endif
