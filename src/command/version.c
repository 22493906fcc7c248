#include "command/version.h"

#include "library/tafl.h"
#include "revision.h" /* made by the Makefile */

const char *version_text(void) {
  return *TAFL_REVISION ? TAFL_VERSION " (" TAFL_REVISION ")" : TAFL_VERSION;
}
