/* The second mind: alpha-beta search on the scalar engine with an evaluation.

   It is used like a search (search/search.h): it stands at a state of the
   match, minimax_think deepens until the budget is spent, thinking again
   continues, minimax_advance says which joint move was made. Only one thread at
   a time may call these functions; other threads may call minimax_best and set
   the budget's flag. */
#ifndef TAFL_MINIMAX_MINIMAX_H
#define TAFL_MINIMAX_MINIMAX_H

#include "game/book.h"
#include "game/budget.h"
#include "minimax/breeder.h"
#include "search/settings.h"
#include "value/evaluation.h"

typedef struct Minimax Minimax;

/* Returns true if it can play the game: roles take turns and there is a net.
   Other games are left to the first mind. */
bool minimax_plays(Book *book);

/* The book is borrowed and must outlive it. Without an evaluation every state
   that is not an end is worth the middle of the goals. */
Minimax *minimax_new(Book *book, uint32_t role, const Settings *settings,
                     uint64_t seed);
void minimax_delete(Minimax *minimax);

/* The evaluation is borrowed and must not change while it thinks; what was
   found with another one is forgotten. Call it again after the weights of the
   same one have changed. */
void minimax_set_evaluation(Minimax *minimax, const Evaluation *evaluation);

/* A node that was searched to the end. */
typedef struct MinimaxNode {
  const uint64_t *state;
  uint32_t depth; /* of the search below it; TABLE_DEPTH: proved */
  int bound;   /* 0: exact; -1: the value is a lower bound; 1: an upper one */
  float value; /* of the goal of role 0, if goals of two roles add up to a
                  constant; else of the role that thinks */
} MinimaxNode;

/* Tells of every interior node that was searched to the end, which is what
   TreeStrap learns from. Only one thread thinks while somebody listens. */
typedef void MinimaxListener(void *context, const MinimaxNode *node);
void minimax_listen(Minimax *minimax, MinimaxListener *listener, void *context);

/* Deepens no further than this; 0: no limit. */
void minimax_limit_depth(Minimax *minimax, uint32_t depth);

void minimax_reset(Minimax *minimax);
bool minimax_enter(Minimax *minimax, const Term *facts, uint32_t count);
void minimax_advance(Minimax *minimax, const Move *joint);

/* A simulation is a state that is evaluated. */
void minimax_think(Minimax *minimax, const Budget *budget);
/* Returns false if it has met a state, below the one where it stands, in which
   two roles have a choice, or if its engine has failed: somebody else must
   answer here. */
bool minimax_sound(const Minimax *minimax);
/* Returns true if a card makes moves ahead, or may do so later. */
bool minimax_hopes(const Minimax *minimax);
/* The best move so far; always legal. May be called from any thread. */
Move minimax_best(Minimax *minimax);

/* Returns true if there are pieces, and they are captured. */
bool minimax_captures(const Minimax *minimax);
/* Of the last thinking: the goal that the role expects, 0 to 100, and states
   that were made. */
double minimax_value(const Minimax *minimax);
uint64_t minimax_states(const Minimax *minimax);

typedef struct MinimaxMove {
  Move move;
  double value; /* 0 to 100; -1: not searched */
  bool proven;
  uint32_t line, line_steps; /* in `lines`, as in search/report.h */
} MinimaxMove;

typedef struct MinimaxReport {
  uint64_t states;    /* made */
  uint64_t evaluated; /* states, */
  uint64_t hits;      /* and found in the table */
  /* Of all threads: nodes whose moves the card had made ahead, and those whose
     moves the engine listed. */
  uint64_t hatched, listed;
  BreederReport breeder; /* since the first thinking that used the card */
  const char *card;      /* why it makes none, as in search/report.h */
  double seconds;
  double value;               /* expected goal of the role, 0 to 100 */
  uint32_t depth, depth_most; /* completed, and reached by quiet search */
  double branching;           /* effective factor from one depth to the next */
  bool proven;
  uint32_t distance;
  VECTOR(MinimaxMove) moves; /* best first */
  VECTOR(Move) lines;        /* by step and role */
} MinimaxReport;

const MinimaxReport *minimax_report(Minimax *minimax);
Game *minimax_game(Minimax *minimax);
void minimax_explain(Minimax *minimax, Text *text);

#endif
