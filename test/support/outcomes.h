/* How a game of several selfish roles can end: for each state the set of
   outcomes (a goal for each role) of rational play, however ties are broken
   (subgame-perfect equilibria in pure moves; Luckhardt and Irani's max^n with
   all ways to break ties). An ending v of a move m of role p belongs to the
   state if v gives p at least what each other move gives p in its worst ending.
   Every state is visited once; its set is kept by its key. Only one role may
   have a choice at a time. */
#ifndef TAFL_TEST_SUPPORT_OUTCOMES_H
#define TAFL_TEST_SUPPORT_OUTCOMES_H

#include "base/hash.h"
#include "engine/game.h"

enum { OUTCOME_ROLES = 8 };

/* Goals of all roles, a byte each. */
typedef uint64_t Outcome;
typedef VECTOR(Outcome) OutcomeSet;

typedef struct OutcomeEntry {
  uint64_t key;
  uint32_t first, count; /* of its set, in Outcomes.list; count 0: empty */
} OutcomeEntry;

typedef struct Outcomes {
  Game *game;
  uint64_t states, limit;
  bool beyond;       /* the limit was reached */
  bool simultaneous; /* several roles had a choice: sets mean nothing */
  OutcomeSet list;
  OutcomeEntry *table; /* open addressing */
  uint32_t places, used;
} Outcomes;

void outcomes_init(Outcomes *outcomes, Game *game, uint64_t limit);
void outcomes_free(Outcomes *outcomes);
int outcome_set_least(const OutcomeSet *set, uint32_t role);
int outcome_set_most(const OutcomeSet *set, uint32_t role);

/* Returns the only role with a choice (0 if none has), and a joint move with
   the moves of the others. */
uint32_t outcomes_mover(Outcomes *outcomes, Move *joint);

/* Collects the endings after one of the mover's moves. */
void outcomes_of_move(Outcomes *outcomes, Move *joint, uint32_t mover,
                      Move move, OutcomeSet *set);

#endif
