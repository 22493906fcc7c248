/* Looks a few steps ahead from many states at once, in lanes (wide/expand.h),
   always in the same way: all moves of a state; all answers to those that look
   best; where captures matter, those that look best of them, and what captures
   follow. It is far from what alpha-beta sees in a second, but one state takes
   a tenth of the time that alpha-beta needs to see as much, since lanes are
   full and nothing is asked of the engine.

   Roles take turns. Each maximises its own return, so with three roles or more
   this is max^n. One thread at a time. */
#ifndef TAFL_MINIMAX_FORESIGHT_H
#define TAFL_MINIMAX_FORESIGHT_H

#include "minimax/minimax.h"
#include "wide/cones.h"

typedef struct Foresight Foresight;

/* What was seen of a state. */
typedef struct Outlook {
  bool over;      /* the state is an end: only its goals are set */
  bool sound;     /* else: each role has a move, and at most one a choice */
  uint32_t mover; /* whose moves these are, */
  bool forced;    /* who has no choice */
  uint32_t first, count;    /* moves, see foresight_state */
  uint32_t best;            /* one of them */
  float values[RULE_ROLES]; /* the goal that each role can expect */
  int goals[RULE_ROLES];    /* of an end; -1: none */
} Outlook;

/* Returns true when there is no more time. */
typedef bool ForesightLate(void *context);

/* To be called once, before there are any; there can be none if it returns
   false. */
bool foresight_prepare(const Minimax *mind, const Cones *cones);
/* What was found out about the game is that of the mind, which is borrowed as
   the cones are: they are those of its book. */
Foresight *foresight_new(const Minimax *mind, const Cones *cones);
void foresight_delete(Foresight *foresight);

/* Borrowed; may change between two looks. */
void foresight_take_evaluation(Foresight *foresight,
                               const Evaluation *evaluation);

/* Looks ahead from `count` states, rows of bits. Returns false if it was late:
   outlooks are not set then. */
bool foresight_look(Foresight *foresight, const uint64_t *rows, uint32_t count,
                    Outlook *outlooks, ForesightLate *late, void *context);
/* Of the last look: the state that a move leads to, until the next one. */
const uint64_t *foresight_state(const Foresight *foresight, uint32_t move);
/* States that were made so far. */
uint64_t foresight_states(const Foresight *foresight);

#endif
