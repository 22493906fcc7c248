/* Has the card make broods ahead of the search (minimax/nest.h). Threads of the
   search say which nodes they will need; a thread of the breeder sends these to
   the card and puts what comes back into the nest. Nobody waits for it, and if
   the card fails or never answers, the search goes on without.

   The card is used while thinking has a limit of time alone. */
#ifndef TAFL_MINIMAX_BREEDER_H
#define TAFL_MINIMAX_BREEDER_H

#include "game/book.h"
#include "game/budget.h"
#include "minimax/nest.h"
#include "search/settings.h"
#include "value/evaluation.h"

typedef struct Breeder Breeder;

/* Returns true if such thinking may use the card. */
bool breeder_suits(const Budget *budget);

/* `memory`: bytes for broods, at most. `features` say which moves attack; NULL:
   nobody knows. `ends`: whether it matters which children are ends. Both book
   and features are borrowed. Returns NULL if the game does not suit, is too
   small for the threads of the settings to gain by it or has no programs yet
   (book_cones), if this machine has no card, or there are too many in this
   process. */
Breeder *breeder_new(Book *book, const Settings *settings,
                     const Features *features, bool ends, size_t memory);
/* Waits for the card for half a second, at most. */
void breeder_delete(Breeder *breeder);

/* Returns how many of so many threads should search: where there are many, some
   processors are better left to the breeder. */
uint32_t breeder_leaves(const Breeder *breeder, uint32_t threads);

/* Thinking with this evaluation, or NULL, begins or has ended; while no thread
   of the search is at work. */
void breeder_begin(Breeder *breeder, const Budget *budget,
                   const Evaluation *evaluation);
void breeder_end(Breeder *breeder);
/* Returns what has been made so far, or NULL; from begin to end. */
const Nest *breeder_nest(Breeder *breeder);

/* Any thread, between begin and end: asks for the broods of the node's children
   (of the one that `move` leads to, or of all if it is BREEDER_ALL), and of the
   node itself. May be ignored. */
#define BREEDER_ALL HATCHERY_ALL
void breeder_ask(Breeder *breeder, uint64_t key, const uint64_t *state,
                 uint32_t move);
/* The same for all children, which are needed before whatever waits. */
void breeder_ask_first(Breeder *breeder, uint64_t key, const uint64_t *state);

/* Any thread: returns true if memory is scarce, so that only what is likely to
   be needed should be asked for. */
bool breeder_scarce(const Breeder *breeder);

/* What the hands wait for, or do, during a batch: until its first part is made,
   for the other parts, to fetch children, to put them into the nest. */
typedef enum {
  BREEDER_FIRST,
  BREEDER_REST,
  BREEDER_FETCH,
  BREEDER_ADD,
  BREEDER_STAGES
} BreederStage;

/* Requests, in all: asked, made to the last part, known already, and dropped.
   Nodes are those in the nest, children those of all batches, hands threads
   that make batches, and seconds are theirs by stage. */
typedef struct BreederReport {
  uint64_t asked, made, repeated, dropped, batches, nodes, children;
  double seconds[BREEDER_STAGES];
  uint32_t hands;
} BreederReport;
BreederReport breeder_report(Breeder *breeder);

/* Returns false if it makes nothing more: it has failed, or there is no card.
 */
bool breeder_alive(Breeder *breeder);
/* Returns a sentence on why the card is not used, or NULL, also if there is
   none. While no thread is at work. */
const char *breeder_trouble(Breeder *breeder);

#endif
