/* Opens a game of the library as a book, and searches on it, in one call each.
 */
#ifndef TAFL_TEST_SUPPORT_LIBRARY_H
#define TAFL_TEST_SUPPORT_LIBRARY_H

#include "search/parts.h"
#include "support/unit.h"

typedef struct TestGame {
  Description description;
  Book rules;
} TestGame;

void test_game_open(TestGame *book, const char *name, bool ground);
void test_game_close(TestGame *book);

/* Makes a search with a small tree; `agent` is a preset with changes. */
Search *test_game_search(TestGame *book, uint32_t role, const char *agent,
                         uint64_t seed);

#endif
