#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

void promise(bool kept, const char *what) {
  if (kept) return;
  fprintf(stderr, "broken promise: %s\n", what);
  abort();
}
