/* Problems: positions as files with the answer inside. A file is KIF text with
   comments after semicolons:

     (game games/connectFour.kif)    from the root of the project
     (role red)                      who is asked
     (moves (drop 4) (drop 3) …)     from the start, step by step: the moves of
                                     the roles that have a choice, in order of
                                     roles; forced moves are left out
     (facts (control red) …)         or, instead, all that is true
     (right (drop 5))                the right moves; all others are worth less
     (goal 100)                      what right moves guarantee
     (proof 12345)                   states that the solver visits to prove it
     (agent cadia2007 2000)          an agent that must find a right move with
                                     that many simulations; any number of these
 */
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

void problem_free(Problem *problem);

/* Reads the file; its terms and words live in `terms`. */
void problem_read(Problem *problem, const char *path, Terms *terms);

uint32_t problem_role(const Game *game, const char *name);

/* Brings the game to the position; fails the test if a move is not legal or
   left over. */
void problem_enter(const Problem *problem, Game *game);

#endif
