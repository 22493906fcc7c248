/* What verbs share: a game read, checked and loaded, budgets, the end. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/find.h"
#include "io/json.h"

bool open_read(const Options *options, const char *path,
               Description *description) {
  Text error = {0}, missing = {0};
  log_set_subject(path);
  bool fine = description_read(description, path,
                               (size_t)options->file_size << 20, &error);
  if (!fine && find_explain(options, path, &missing))
    log_error("%s", missing.bytes);
  else if (!fine)
    log_error("%s: %s", path, text_string(&error));
  text_free(&missing);
  text_free(&error);
  return fine;
}

bool open_description(const Options *options, const char *path,
                      Description *description) {
  if (!open_read(options, path, description)) return false;
  if (description_valid(description)) return true;
  Text text = {0};
  report_write(&description->report, true, &text);
  fputs(text_string(&text), stderr);
  text_free(&text);
  description_free(description);
  return false;
}

BookLimits open_limits(const Options *options) {
  return (BookLimits){.ground = {.seconds = options->ground_seconds,
                                 .memory = (size_t)options->memory << 20},
                      .reduce_seconds = options->reduce_seconds,
                      .rules = {.memory = (size_t)options->memory << 20,
                                .seconds = options->state_seconds}};
}

static bool make_book(const Options *options, Description *description,
                      bool ground, bool need_net, Book *book) {
  BookLimits limits = open_limits(options);
  book_init(book, description, &limits, ground);
  if (book->has_net || !need_net) return true;
  log_error("%s: %s", description->source.name,
            text_string(&book->why[BOOK_NET]));
  book_free(book);
  return false;
}

bool open_book(const Options *options, Description *description, Book *book) {
  if (strcmp(options->engine, "wide") == 0) {
    log_error("the wide engine is for bench only");
    return false;
  }
  return make_book(options, description, strcmp(options->engine, "rules") != 0,
                   strcmp(options->engine, "scalar") == 0, book);
}

bool open_net(const Options *options, Description *description, Book *book) {
  return make_book(options, description, true, true, book);
}

Budget open_budget(const Options *options) {
  Budget budget = {.seconds = options->play,
                   .simulations = (uint64_t)options->sims,
                   .states = (uint64_t)options->states};
  if (!budget_limited(&budget)) budget.seconds = 1;
  return budget;
}

Budget open_start_budget(const Options *options) {
  uint64_t count = (uint64_t)options->start;
  if (options->sims) return (Budget){.simulations = count};
  if (options->states) return (Budget){.states = count};
  return (Budget){.seconds = options->start};
}

int open_finish(const Options *options, Game *game) {
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
  return json_plain(text);
}
