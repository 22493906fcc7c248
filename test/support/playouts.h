/* Shared by the tests of wide playouts: games, playouts that are kept, and sums
   that are recounted from them. */
#ifndef TAFL_TEST_SUPPORT_PLAYOUTS_H
#define TAFL_TEST_SUPPORT_PLAYOUTS_H

#include "game/book.h"
#include "support/random_net.h"
#include "support/replay.h"

enum { LIMIT = 12 };

extern const uint32_t widths[5]; /* words of a program */

Cones *make_cones(const Net *net, Isa isa, bool jit, uint32_t words);
Isa best_isa(void);
Wide *make_wide(const Cones *cones, Replay *replay, uint64_t seed,
                uint32_t limit);
void check_totals(const Replay *replay, const WideTotals *totals);

/* Recounts the credit, each move once in a playout. */
void check_credit(const Replay *replay, const CreditSum *credit);

void check_games(Replay *replay, const uint64_t *rows, uint32_t limit,
                 uint32_t most);

typedef struct Loaded {
  Description description;
  Net net;
} Loaded;

void load(Loaded *loaded, const char *path);
void unload(Loaded *loaded);

/* Makes a net of an endless game: two moves that change nothing. */
void make_endless(Net *net, Terms *terms);

#endif
