#include "support/games.h"

LoadLimits games_limits(void) {
  return (LoadLimits){.ground = {.seconds = 10, .memory = (size_t)64 << 20},
                      .reduce_seconds = 2,
                      .rules = {.memory = (size_t)64 << 20}};
}

void games_read(Description *description, const char *text) {
  front_read(description, text);
  Text wrong = {0};
  report_write(&description->report, true, &wrong);
  if (wrong.length) fail_msg("%s", wrong.bytes);
  text_free(&wrong);
}

void games_specs(AgentSpecs *specs, const char *text) {
  Text error = {0};
  if (!spec_parse_list(specs, text, &error))
    fail_msg("%s: %s", text, error.bytes);
}
