/* A game for a verb: read, checked, with an engine. */
#include <stdio.h>

#include "command/command.h"

bool open_description(const Options *options, const char *path,
                      Description *description) {
  Text text = {0};
  bool fine = description_read(description, path,
                               (size_t)options->file_size << 20, &text);
  if (!fine) {
    log_error("%s: %s", path, text_string(&text));
  } else if (!description_valid(description)) {
    report_write(&description->report, true, &text);
    fputs(text_string(&text), stderr);
    description_free(description);
    fine = false;
  }
  text_free(&text);
  return fine;
}

GameLimits open_limits(const Options *options) {
  return (GameLimits){.memory = (size_t)options->memory << 20,
                      .seconds = options->state_seconds};
}

Game *open_engine(const Options *options, Description *description) {
  GameLimits limits = open_limits(options);
  return rules_engine_new(description, &limits);
}

int close_engine(const Options *options, Game *game) {
  int code = EXIT_FINE;
  if (game_failed(game)) {
    log_error("%s: %s", game->description->source.name,
              text_string(&game->error));
    code = EXIT_LIMIT;
  }
  if (options->statistics) statistics_print(&game->statistics);
  game_delete(game);
  return code;
}

json_t *open_json_text(const char *text) {
  json_t *string = json_string(text);
  if (string) return string;
  Text plain = {0};
  for (; *text; text++)
    text_add_byte(&plain, (unsigned char)*text < 128 ? *text : '?');
  string = json_string(text_string(&plain));
  text_free(&plain);
  return string;
}
