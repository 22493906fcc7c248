/* What every fuzz target includes. A target is one function that takes any
   bytes; it fails by crashing, hanging, leaking or a broken promise. */
#ifndef TAFL_TEST_FUZZ_FUZZ_H
#define TAFL_TEST_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "gdl/description.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void promise(bool kept, const char *what) {
  if (kept) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}

#endif
