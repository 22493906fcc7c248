#include "command/command.h"
int command_replay(const Options *options) {
  (void)options;
  return EXIT_USAGE;
}
