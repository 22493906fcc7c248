/* Short ways to feed the front end in tests. */
#ifndef TAFL_TEST_SUPPORT_FRONT_H
#define TAFL_TEST_SUPPORT_FRONT_H

#include "gdl/description.h"
#include "support/unit.h"

/* The text as a description named "game". */
void front_read(Description *description, const char *text);

/* A term of the text, which must be one form. */
Term front_term(Terms *terms, const char *text);

/* Diagnostics of the id. */
uint32_t front_count(const Report *report, const char *id);

#endif
