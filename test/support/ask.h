/* Asks agents about positions: a game's rules, made ready once for all
   positions of the game, and what an agent answers after so many simulations.
 */
#ifndef TAFL_TEST_SUPPORT_ASK_H
#define TAFL_TEST_SUPPORT_ASK_H

#include "search/search.h"
#include "support/problem.h"

typedef struct Asking {
  char *path; /* of the game that is open; NULL: none */
  Description description;
  Book book;
  Game *game;
  Problem position;
  uint32_t role;
  TermVector facts; /* of the position */
} Asking;

void asking_close(Asking *asking);
void asking_open(Asking *asking, const char *path);

/* The game's state at hand is what will be asked about. */
void asking_take_facts(Asking *asking);

/* Read the file and stand at its position; problem_free afterwards. */
void asking_enter(Asking *asking, const char *path);

/* The move that the agent chooses there; SEED numbers its randomness. */
Term asking_answer(Asking *asking, const char *agent, uint64_t simulations,
                   uint64_t seed);

#endif
