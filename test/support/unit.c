#include "support/unit.h"

bool unit_long(void) {
  const char *wish = getenv("LONG");
  return wish && *wish;
}
