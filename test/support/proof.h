/* What a role can force, by depth-first proof-number search (df-pn, Nagai
   2002): the same answers as support/solve.h for two roles that take turns,
   from far fewer states where some lines are short and others long. A state's
   numbers say how many more states must at least be proved, or disproved, to
   answer the question; of children's numbers that add up, the largest counts,
   and one for each other child (Ueda and others 2008), because states that are
   reached in several ways would be counted as often. Answers are kept by the
   state's key for as long as there is room.

   Games must end by themselves: a line that repeats a state would be searched
   for ever. */
#ifndef TAFL_TEST_SUPPORT_PROOF_H
#define TAFL_TEST_SUPPORT_PROOF_H

#include "engine/game.h"

enum { PROOF_TABLE = 1 << 21, PROOF_BUCKET = 4 };

typedef struct ProofEntry {
  uint64_t question;
  uint32_t proof, disproof;
  uint64_t work; /* states below */
} ProofEntry;

typedef struct ProofChild {
  Move move;
  uint64_t question;
  uint32_t proof, disproof;
} ProofChild;

typedef struct Proof {
  Game *game;
  uint64_t states, limit;
  bool beyond;       /* the limit was reached: answers mean nothing */
  bool simultaneous; /* several roles chose at once: the same */
  bool constant_sum; /* so far */
  uint32_t role;
  int goal;
  ProofEntry *table;
  VECTOR(ProofChild) children; /* of the states on the path */
} Proof;

void proof_init(Proof *proof, Game *game, uint64_t limit);
void proof_free(Proof *proof);

/* Begins to count states anew. */
void proof_begin(Proof *proof);
/* Returns whether the role reaches at least the goal from the current state,
   whatever the other does. */
bool proof_reaches(Proof *proof, uint32_t role, int goal);

#endif
