#include "command/version.h"

#include "library/tafl.h"

#if __has_include("revision.h") /* made by the Makefile */
#include "revision.h"
#else
#define TAFL_REVISION ""
#endif

const char *version_text(void) {
  return *TAFL_REVISION ? TAFL_VERSION " (" TAFL_REVISION ")" : TAFL_VERSION;
}
