/* Games in which both sides look a few steps ahead (minimax/foresight.h) with
   one evaluation, and what they teach it: of each state, what was expected in
   those that followed, and in the end came about (TD(lambda), Sutton 1988; for
   the pieces of chess, Beal and Smith 1997). Who hangs a piece is punished for
   it there, which random playouts do not do. */
#ifndef TAFL_LEARN_SPARRING_H
#define TAFL_LEARN_SPARRING_H

#include "game/book.h"
#include "game/budget.h"
#include "search/settings.h"
#include "value/linear.h"

typedef struct Sparring Sparring;

/* Returns true if roles take turns in the game, and it has programs. */
bool sparring_suits(Book *book, const Settings *settings);
/* What the book makes for it when first asked. */
void sparring_prepare(Book *book, const Settings *settings);

/* The book is borrowed, and so is the linear evaluation, whose rows are those
   of the targets. Plays in as many threads as the settings say. */
Sparring *sparring_new(Book *book, const Settings *settings,
                       const Linear *linear, uint64_t seed);
void sparring_delete(Sparring *sparring);

/* Returns true if pieces are captured in the game. */
bool sparring_captures(const Sparring *sparring);

/* To be called before the first game, and whenever the evaluation has changed:
   all play with it. */
void sparring_take_evaluation(Sparring *sparring);

/* Hears of each state of a game in which somebody had a choice: shares of the
   range of goals by row, as they should be predicted there (below 0: unknown),
   and as the game came to. Games of one telling are numbered. Allocates
   nothing. */
typedef void SparringListener(void *context, uint32_t game,
                              const uint64_t *state, const float *expected,
                              const float *came);

/* Plays until so many games can be told as the budget has simulations, or until
   it is spent; many are played side by side, and go on in the next call.
   Meanwhile this thread tells the games of the call before. Returns how many
   can be told then, perhaps a few more than asked for. */
uint32_t sparring_play(Sparring *sparring, const Budget *budget,
                       SparringListener *listener, void *context);
/* Tells those that were not told yet. */
void sparring_tell(Sparring *sparring, SparringListener *listener,
                   void *context);
/* States that were made so far. */
uint64_t sparring_states(const Sparring *sparring);

#endif
