/* One role's search: simulations through a game tree, as CadiaPlayer did them
   or our way.

   A search stands at a state of the match. search_think makes simulations until
   the budget is spent; thinking again continues from there. search_advance says
   which joint move was made. Only one thread at a time may call these
   functions; other threads may call search_best and set the budget's flag.
   Searches share nothing but their book.

   If memory runs out, the caller's trial is given up (base/trial.h). A search
   that was thinking then is unusable: whoever wants to survive that makes the
   search in a scope of its own and lets go of the whole scope. */
#ifndef TAFL_SEARCH_SEARCH_H
#define TAFL_SEARCH_SEARCH_H

#include "game/book.h"
#include "game/budget.h"
#include "search/ally.h"
#include "search/report.h"
#include "search/settings.h"
#include "value/evaluation.h"

typedef struct Search Search;

/* The book is borrowed and must outlive the search. */
Search *search_new(Book *book, uint32_t role, const Settings *settings,
                   uint64_t seed);
void search_delete(Search *search);

/* Returns to the initial state and clears the tree. */
void search_reset(Search *search);
/* Goes to a state given by its facts; returns false if they are no state. */
bool search_enter(Search *search, const Term *facts, uint32_t count);
void search_advance(Search *search, const Move *joint);
/* Goes to a state of the book's net given by its bits, so many steps after the
   initial one. What the tree has of it stays. */
void search_enter_state(Search *search, const uint64_t *state, uint32_t words,
                        uint32_t depth);

/* Gives the search an evaluation of the book's net, borrowed until another one
   takes its place; NULL: none, as in the beginning. Not while it thinks. What
   the tree has learned stays. */
void search_set_evaluation(Search *search, const Evaluation *evaluation);

/* Gives the search an ally (search/ally.h), borrowed until another one takes
   its place; NULL: none. Not while it thinks. Returns false if the search is
   sequential, and has no use for one. */
bool search_set_ally(Search *search, Ally *ally);

void search_think(Search *search, const Budget *budget);
/* The best move so far; always legal. May be called from any thread. */
Move search_best(Search *search);

/* ---- for those who learn from a search ---- */

/* A node of the tree in which one role has a choice. */
typedef struct SearchNode {
  const uint64_t *state;
  uint32_t role; /* that chooses */
  uint32_t visits;
  bool exact;
  double value; /* return that the role can expect; with returns=own its goal */
} SearchNode;
typedef void SearchListener(void *context, const SearchNode *node);

/* Tells of all nodes with so many visits or an exact value. */
void search_tell(Search *search, uint32_t visits, SearchListener *listener,
                 void *context);
/* Returns the move at the root that any role seems to want: won for certain, or
   else visited most. */
Move search_favourite(Search *search, uint32_t role);

const SearchReport *search_report(Search *search);
/* The search's engine, which stands at its state. */
Game *search_game(Search *search);
/* The last thinking as lines of text: work, values, best moves, expected line.
   Call it before the next search_advance. */
void search_explain(Search *search, Text *text);
/* What a phase of it is called there. */
const char *search_phase_name(SearchPhase phase);
/* The features that FAST has learned, one line each with its value. */
void search_write_learned(Search *search, Text *text);

#endif
