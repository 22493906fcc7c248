/* Simulation strategies (Świechowski, Mańdziuk and Ong 2016, sections IV-C and
   V). Each role has one for a whole simulation. With a probability of its own
   it chooses the move, else the move is random. */
#ifndef TAFL_SEARCH_STRATEGY_H
#define TAFL_SEARCH_STRATEGY_H

#include "base/random.h"
#include "game/book.h"
#include "search/mast.h"
#include "search/numbering.h"
#include "search/settings.h"

typedef enum {
  STRATEGY_RANDOM,
  STRATEGY_GOAL,     /* Approximate Goal Evaluation: nearness.h */
  STRATEGY_SYMBOLS,  /* Statistical Symbols Counting: correlate.h */
  STRATEGY_MOBILITY, /* own moves less those of the others */
  STRATEGY_EXPLORE,  /* away from the last states: explore.h */
  STRATEGY_HISTORY,  /* the move with the best average: mast.h */
  STRATEGY_SCORE     /* points that goals depend on: score.h */
} StrategyKind;

typedef struct Strategy {
  StrategyKind kind;
  double follow; /* P, the probability of following it */
  uint32_t last; /* EXPLORE: N, states to differ from */
  bool both;     /* EXPLORE: delta */
} Strategy;

typedef struct Strategies Strategies;

/* What a choice depends on besides. */
typedef struct StrategyView {
  Game *game;
  Random *random;
  Numbering *moves;
  const Mast *mast;
} StrategyView;

/* The strategies of the settings that the game allows; NULL if the settings
   want none. The book is borrowed. */
Strategies *strategy_new(Book *book, const Settings *settings,
                         uint32_t role_count);
void strategy_delete(Strategies *strategies);
uint32_t strategy_count(const Strategies *strategies);
const Strategy *strategy_get(const Strategies *strategies, uint32_t number);

const char *strategy_name(StrategyKind kind);

/* Thinking begins: what was learned before, on the start clock, is used from
   now on. */
void strategy_think(Strategies *strategies);
/* A simulation begins; each role gets a strategy. */
void strategy_begin(Strategies *strategies);
/* The number of a role's strategy in this simulation. */
uint32_t strategy_of(const Strategies *strategies, uint32_t role);
/* The simulation comes to a state, inside the tree or outside. */
void strategy_see(Strategies *strategies, const uint64_t *words,
                  uint32_t count);
/* Every role chooses a move in the game's state, which has been seen; returns
   false if one has none. Adds the number of successors that were looked at. */
bool strategy_choose(Strategies *strategies, const StrategyView *view,
                     Move *joint, uint64_t *looked);
/* The simulation ends with these returns, by role. */
void strategy_end(Strategies *strategies, const double *values);

/* The choice of a strategy: UCB1 with this C on sums and visits by strategy.
   Those without visits come first; ties go to the first. */
uint32_t strategy_bandit(const double *totals, const uint32_t *visits,
                         const bool *usable, uint32_t count, double c);

#endif
