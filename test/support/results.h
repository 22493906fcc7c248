/* Databases of results for tests, in a directory of their own, in memory where
   there is such a place: disks that are busy take seconds for each. */
#ifndef TAFL_TEST_SUPPORT_RESULTS_H
#define TAFL_TEST_SUPPORT_RESULTS_H

#include "store/results.h"

/* The path of a file in the test's directory, which the first call makes; valid
   until the next call. */
const char *results_path(const char *name);
/* Removes the directory with all that is in it. */
void results_remove(void);

/* Opens a database there to write; fails the test if that is not possible. */
Results *results_make(const char *name);
/* What a query says, as text; rows end with a newline, values are separated by
   "|". Fails the test if the query does. */
void results_ask(Results *results, const char *query, Text *answer);
void results_expect(Results *results, const char *query, const char *answer);

/* Adds a match of two players with a few moves; player 0 has won. The series is
   that of a key, in a small game. */
int64_t results_make_series(Results *results, const char *key);
bool results_make_match(Results *results, int64_t series, uint32_t number);

#endif
