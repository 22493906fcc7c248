/* What every fuzz target includes. A target is one function that accepts any
   bytes; it fails by crashing, hanging, leaking or breaking a promise. */
#ifndef TAFL_TEST_FUZZ_FUZZ_H
#define TAFL_TEST_FUZZ_FUZZ_H

#include "gdl/description.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Aborts with a message if the promise was broken. */
void promise(bool kept, const char *what);

#endif
