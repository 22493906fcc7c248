/* Shorthand to feed the front end in tests. */
#ifndef TAFL_TEST_SUPPORT_FRONT_H
#define TAFL_TEST_SUPPORT_FRONT_H

#include "gdl/description.h"
#include "support/unit.h"

/* Reads the text as a description named "game". */
void front_read(Description *description, const char *text);

/* Reads a text that must be one term. */
Term front_term(Terms *terms, const char *text);

/* Counts the diagnostics with that id. */
uint32_t front_count(const Report *report, const char *id);

#endif
