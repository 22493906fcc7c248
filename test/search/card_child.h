/* Searches with a graphics card in tests: the card is one for each process, so
   every case has a process of its own. */
#ifndef TAFL_TEST_SEARCH_CARD_CHILD_H
#define TAFL_TEST_SEARCH_CARD_CHILD_H

#include <stdio.h>
#include <unistd.h>

/* Agents that use the card: it plays out leaves of the search's tree, */
#define CARD_AGENT \
  "tafl:mind=search,solver=0,prune=0,decisive=none,capture=0,gpuwait=60," \
  "gputree=0"
/* or has a tree of its own. */
#define CARD_TREE CARD_AGENT ",gputree=1,gpuleaves=64"

/* Assertions of a child. */
#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, \
              #condition); \
      _exit(1); \
    } \
  } while (0)

typedef void CardWork(const void *context);

/* Runs the work in a process that finds the card, which behaves as the words
   NAME=VALUE say; with leaks counted as failures in sanitized builds. Fails the
   test if the process does. */
void card_child(CardWork *work, const void *context, const char *words);

#endif
