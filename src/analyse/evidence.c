#include "analyse/evidence.h"

const char *evidence_name(Evidence evidence) {
  static const char *const names[] = {"no", "sampled", "proved"};
  return names[evidence];
}
