/* One role's search: simulations through a game tree, as CadiaPlayer did them
   or our way.

   A search stands at a state of the match. search_think makes simulations until
   the budget is spent; thinking again continues from there. search_advance says
   which joint move was made. Only one thread at a time may call these
   functions; other threads may call search_best and set the budget's flag.
   Searches share nothing but their book.

   If memory runs out, the caller's trial is given up (base/trial.h). A search
   that was thinking then may only be deleted, and only if the trial kept its
   memory (trial_guard). */
#ifndef TAFL_SEARCH_SEARCH_H
#define TAFL_SEARCH_SEARCH_H

#include "game/book.h"
#include "game/budget.h"
#include "search/settings.h"

typedef struct Search Search;

typedef enum {
  PHASE_DESCEND,
  PHASE_EXPAND,
  PHASE_PLAYOUT,
  PHASE_BACKUP,
  PHASE_COUNT
} SearchPhase;

typedef struct SearchMove {
  Move move;
  uint32_t visits;
  double value;   /* Q(s,a) */
  double maximum; /* highest return seen */
  bool proven;    /* the value is exact */
} SearchMove;

/* What the last thinking did. */
typedef struct SearchReport {
  uint64_t simulations, states, descents, cut_off;
  uint64_t lane_moves; /* moves made in lanes */
  uint64_t lane_room;  /* moves that would have been, had no lane waited */
  double seconds, phases[PHASE_COUNT];
  double depth; /* mean of the descents */
  uint32_t depth_most;
  uint32_t nodes; /* in the tree */
  size_t bytes;
  bool proven;              /* the root's value is exact */
  double *values;           /* by role: mean return at the root */
  VECTOR(SearchMove) moves; /* of the search's role, best first */
  VECTOR(Move) variation;   /* principal variation, role_count moves a step */
} SearchReport;

/* The book is borrowed and must outlive the search. */
Search *search_new(Book *book, uint32_t role, const Settings *settings,
                   uint64_t seed);
void search_delete(Search *search);

/* Returns to the initial state and clears the tree. */
void search_reset(Search *search);
/* Goes to a state given by its facts; returns false if they are no state. */
bool search_enter(Search *search, const Term *facts, uint32_t count);
void search_advance(Search *search, const Move *joint);

void search_think(Search *search, const Budget *budget);
/* The best move so far; always legal. May be called from any thread. */
Move search_best(Search *search);

const SearchReport *search_report(Search *search);
/* The search's engine, which stands at its state. */
Game *search_game(Search *search);
/* The last thinking as lines of text: work, values, best moves, expected line.
   Call it before the next search_advance. */
void search_explain(Search *search, Text *text);
/* The features that FAST has learned, one line each with its value. */
void search_write_learned(Search *search, Text *text);

#endif
