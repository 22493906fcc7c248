/* tafl trace GAME: one random game in the format of engine/trace.h. */
#include "engine/trace.h"

#include <stdio.h>

#include "command/command.h"

int command_trace(const Options *options) {
  if (options->argument_count != 1) {
    log_error("trace takes one game");
    return EXIT_USAGE;
  }
  Description description;
  if (!open_description(options, options->arguments[0], &description))
    return EXIT_INPUT;
  Game *game = open_engine(options, &description);
  Random random;
  random_seed(&random, (uint64_t)options->seed);
  Text text = {0};
  trace_write(game, &random, (uint32_t)options->steps, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
  int code = close_engine(options, game);
  description_free(&description);
  return code;
}
