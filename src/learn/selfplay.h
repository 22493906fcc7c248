/* Self-play of the first mind: what its trees say of states becomes targets for
   a fit. Values of nodes that many simulations have seen are worth more than
   the ends of random games: with prior=5, weights from 6 to 12 s of this won 50
   of 72 games of breakthrough against none, weights from 4 s of uniform random
   games 4 of 20, from 5 s of playouts that capture (1,075,480 games) 7 of 16.
 */
#ifndef TAFL_LEARN_SELFPLAY_H
#define TAFL_LEARN_SELFPLAY_H

#include "game/book.h"
#include "game/budget.h"
#include "learn/fit.h"
#include "search/settings.h"

typedef struct Selfplay Selfplay;

typedef struct SelfplayProgress {
  uint64_t games, states, targets;
  double explained; /* share of the variance of new targets, before they are
                       taught; the games' first trees are much alike */
} SelfplayProgress;

/* The book is borrowed; the settings are those of the first mind. */
Selfplay *selfplay_new(Book *book, const Settings *settings, uint64_t seed);
void selfplay_delete(Selfplay *selfplay);

/* Plays from the initial state, or from where an unfinished game stands, and
   teaches the fit, until the budget is spent. Its simulations are moves here.
   The fit's weights are frozen at the end. */
void selfplay_learn(Selfplay *selfplay, const Budget *budget, Fit *fit);

SelfplayProgress selfplay_progress(const Selfplay *selfplay);

#endif
