/* Positions as files with the answer inside. A file is KIF text, comments after
   semicolons:

     (game games/connectFour.kif)    from the root of the project
     (role red)                      who is asked
     (moves (drop 4) (drop 3) …)     the way from the start: step by step the
                                     moves of those roles that have a choice,
                                     in order of roles; forced ones are left out
     (facts (control red) …)         or, instead, all that is true
     (right (drop 5))                the moves that are right; all others are
                                     wrong, that is worth less
     (goal 100)                      what right moves bring for certain
     (proof 12345)                   states that the solver visits to prove it
     (agent cadia2007 2000)          who must find a right move with how many
                                     simulations; any number of these */
#ifndef TAFL_TEST_SUPPORT_PROBLEM_H
#define TAFL_TEST_SUPPORT_PROBLEM_H

#include "engine/game.h"
#include "support/unit.h"

typedef struct ProblemAgent {
  const char *spec;
  uint64_t simulations;
} ProblemAgent;

typedef struct Problem {
  const char *game, *role;
  TermVector moves, facts, right;
  int goal;
  uint64_t proof;
  VECTOR(ProblemAgent) agents;
} Problem;

void problem_free(Problem *position);

/* The file's terms and words go to `terms` and live as long. */
void problem_read(Problem *position, const char *path, Terms *terms);

uint32_t problem_role(const Game *game, const char *name);

/* The game at the position; it fails if a move is not legal or left over. */
void problem_enter(const Problem *position, Game *game);

#endif
