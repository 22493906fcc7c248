/* Asks agents about problems: prepares a game once for all its problems, and
   returns what an agent answers after a number of simulations. */
#ifndef TAFL_TEST_SUPPORT_ASK_H
#define TAFL_TEST_SUPPORT_ASK_H

#include "search/search.h"
#include "support/problem.h"

typedef struct Asking {
  char *path; /* of the open game, or NULL */
  Description description;
  Book book;
  Game *game;
  Problem position;
  uint32_t role;
  TermVector facts; /* of the position */
} Asking;

void asking_close(Asking *asking);
void asking_open(Asking *asking, const char *path);

/* Asks about the current state of the game from now on. */
void asking_take_facts(Asking *asking);

/* Reads the file and enters its position; the caller frees the problem. */
void asking_enter(Asking *asking, const char *path);

/* Returns the move that the agent chooses there. */
Term asking_answer(Asking *asking, const char *agent, uint64_t simulations,
                   uint64_t seed);

#endif
