/* One role's search: simulations through a game tree, CadiaPlayer's way or
   ours.

   A search stands at a state of the match. search_think makes simulations until
   the budget is spent; thinking again goes on where it was. search_advance
   tells which joint move was really made. One thread at a time may call these;
   only search_best and a budget's flag are for others. */
#ifndef TAFL_SEARCH_SEARCH_H
#define TAFL_SEARCH_SEARCH_H

#include "game/book.h"
#include "game/budget.h"
#include "search/settings.h"
#include "search/tree.h"

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
  double maximum; /* greatest return seen */
  bool proven;    /* the value is exact */
} SearchMove;

/* What the last thinking did. */
typedef struct SearchReport {
  uint64_t simulations, states, descents, cut_off;
  uint64_t lane_moves,
      lane_room; /* of lanes: moves made, and had none waited */
  double seconds, phases[PHASE_COUNT];
  double depth; /* mean of the descents */
  uint32_t depth_most;
  uint32_t nodes; /* in the tree */
  size_t bytes;
  bool proven;              /* the root's value is exact */
  double *values;           /* by role: mean return at the root */
  VECTOR(SearchMove) moves; /* own, best first */
  VECTOR(Move) variation;   /* principal variation, role_count for each step */
} SearchReport;

/* The book is borrowed and must outlive the search. */
Search *search_new(Book *book, uint32_t role, const Settings *settings,
                   uint64_t seed);
void search_delete(Search *search);

void search_reset(Search *search); /* to the initial state, all forgotten */
/* To a state given as its facts; false if it cannot be one. */
bool search_enter(Search *search, const Term *facts, uint32_t count);
void search_advance(Search *search, const Move *joint);

void search_think(Search *search, const Budget *budget);
/* From any thread: the best move so far, legal at any time. */
Move search_best(Search *search);

const SearchReport *search_report(Search *search);
/* The engine that stands at the search's state. */
Game *search_game(Search *search);
/* The last thinking as lines of text: work, values, best moves, what is
   expected; before the next search_advance. */
void search_explain(Search *search, Text *text);
/* Learned values as text lines: pieces or cells of FAST, moves of MAST. */
void search_write_learned(Search *search, Text *text);

#endif
