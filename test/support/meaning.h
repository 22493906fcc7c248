/* What rules mean: the rules engine and the net as it is built, before any
   reduction, play the same games. */
#ifndef TAFL_TEST_SUPPORT_MEANING_H
#define TAFL_TEST_SUPPORT_MEANING_H

#include <stdint.h>

void meaning_expect_same(const char *text, uint64_t seed);

#endif
