/* Engines side by side: the same random games in each, compared at every step,
   with steps back now and then. An engine is an entry of a table; the others
   are measured by the first. */
#ifndef TAFL_TEST_SUPPORT_COMPARE_H
#define TAFL_TEST_SUPPORT_COMPARE_H

#include "base/random.h"
#include "engine/game.h"
#include "support/unit.h"

enum { COMPARE_ENGINES = 16 };

typedef struct CompareEngine {
  const char *name;
  /* Returns NULL, with the reason in `error`, if the engine cannot play the
     game. `context` is passed on to `close`. */
  Game *(*open)(Description *description, void **context, Text *error);
  void (*close)(Game *game, void *context);
} CompareEngine;

/* Questions about a state, with terms as answers. */
typedef enum { COMPARE_FACTS, COMPARE_LEGAL, COMPARE_GOALS } CompareQuestion;

/* Replaces `answers` by the sorted answers of one engine. */
void compare_ask(Game *game, CompareQuestion question, uint32_t role,
                 TermVector *answers);

/* Makes the joint move given by its terms; returns false, and makes none, if a
   move is not legal. */
bool compare_make(Game *game, const Term *joint);

/* Plays `games` random games of a valid description in all engines. Returns
   false and says in `difference` what differs if they do not agree. */
bool compare_engines(Description *description, const CompareEngine *engines,
                     uint32_t count, uint64_t seed, uint32_t games,
                     uint32_t step_limit, Text *difference);

#endif
