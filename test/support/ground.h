/* Grounds a game from its text in one call and compares what was found. */
#ifndef TAFL_TEST_SUPPORT_GROUND_H
#define TAFL_TEST_SUPPORT_GROUND_H

#include "ground/ground.h"
#include "support/front.h"

typedef struct GroundGame {
  Description description;
  Ground ground;
  Text error;
} GroundGame;

bool ground_try(GroundGame *game, const char *text, const GroundLimits *limits);
void ground_open(GroundGame *game, const char *text);
void ground_close(GroundGame *game);

/* Compares all facts that can become true, sorted. */
void expect_fluents(GroundGame *game, const char *expected);

void expect_moves(GroundGame *game, uint32_t role, const char *expected);
GroundRelation *ground_named(GroundGame *game, const char *name,
                             uint32_t arity);
void expect_rows(GroundGame *game, const char *name, uint32_t arity,
                 uint32_t count);

#endif
