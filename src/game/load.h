/* From a description to a game in play, or to the net that fast engines play
 * on. */
#ifndef TAFL_GAME_LOAD_H
#define TAFL_GAME_LOAD_H

#include "engine/game.h"
#include "ground/ground.h"
#include "reduce/reduce.h"
#include "rules/rules.h"

typedef struct LoadLimits {
  GroundLimits ground;
  double reduce_seconds;
  RulesLimits rules;
} LoadLimits;

/* Rules → ground atoms → net → reduced net. False, with the reason in `error`,
   if a limit is reached; the net is not to be freed then. `report` may be NULL.
 */
bool load_net(Description *description, const LoadLimits *limits, Net *net,
              ReduceReport *report, Text *error);

typedef enum { LOAD_RULES, LOAD_SCALAR, LOAD_FASTEST } LoadEngine;

/* A game on the engine asked for: LOAD_FASTEST is the scalar engine where the
   rules can be ground within the limits, else the rules engine. NULL, with the
   reason in `why`, if LOAD_SCALAR cannot be had; LOAD_FASTEST tells there why
   it is not scalar. */
Game *load_game(Description *description, const LoadLimits *limits,
                LoadEngine engine, Text *why);

#endif
