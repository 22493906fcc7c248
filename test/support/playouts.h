/* What tests of wide playouts share: games, playouts that are kept whole, and
   sums counted again from them. */
#ifndef TAFL_TEST_SUPPORT_PLAYOUTS_H
#define TAFL_TEST_SUPPORT_PLAYOUTS_H

#include "game/book.h"
#include "support/random_net.h"
#include "support/replay.h"

enum { LIMIT = 12 };

static const uint32_t widths[] = {1, 2, 4, 8, 16};

Cones *make_cones(const Net *net, Isa isa, bool jit, uint32_t words);
Isa best_isa(void);
Wide *make_wide(const Cones *cones, Replay *replay, uint64_t seed,
                uint32_t limit);
void check_totals(const Replay *replay, const WideTotals *totals);

/* Each move once in a playout. */
void check_credit(const Replay *replay, const CreditSum *credit);

void check_games(Replay *replay, const uint64_t *rows, uint32_t limit,
                 uint32_t most);

typedef struct Loaded {
  Description description;
  Net net;
} Loaded;

void load(Loaded *loaded, const char *path);
void unload(Loaded *loaded);

/* One fluent that never changes anything, and two moves: a game without end. */
void make_endless(Net *net, Terms *terms);

#endif
