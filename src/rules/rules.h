/* The rules engine: a game played straight from its rules. */
#ifndef TAFL_RULES_RULES_H
#define TAFL_RULES_RULES_H

#include "engine/game.h"

typedef struct RulesLimits {
  size_t memory;   /* bytes for tables of derived facts */
  double seconds;  /* for deriving the answers of one state; 0: no limit */
  double deadline; /* of everything, by clock_now; 0: none */
} RulesLimits;

Game *rules_engine_new(Description *description, const RulesLimits *limits);

#endif
