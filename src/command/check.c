/* tafl check GAME…: everything wrong with the rules, and what a few random
   games show. Exit code 3 if a text cannot be read as KIF at all, 1 if it can
   but is not a valid game. */
#include <stdio.h>
#include <string.h>

#include "about/inspect.h"
#include "command/command.h"

/* Plays a few random games and reports what they show. The net has no more time
   than the games. Returns false if there is no such engine. */
static bool check_by_playing(const Options *options, Description *description,
                             Inspection *trials) {
  Options own = *options;
  if (own.ground_seconds > own.seconds) own.ground_seconds = own.seconds;
  Book book;
  if (!open_book(&own, description, &book)) return false;
  Game *game = book_game(&book);
  *trials =
      inspect_play(game, &(InspectOptions){.games = options->playouts,
                                           .seconds = options->seconds,
                                           .steps = (uint32_t)options->steps,
                                           .seed = (uint64_t)options->seed,
                                           .names = true});
  game_delete(game);
  book_free(&book);
  return true;
}

static void print_json(Description *description, const Inspection *trials) {
  Report *report = &description->report;
  json_t *list = json_array();
  report_sort(report);
  for (uint32_t i = 0; i < report->list.count; i++) {
    const Diagnostic *d = &report->list.data[i];
    Place place = source_place(report->source, d->offset);
    json_array_append_new(
        list, json_pack("{s:i, s:i, s:s, s:s, s:o}", "line", (int)place.line,
                        "column", (int)place.column, "severity",
                        d->severity == ERROR ? "error" : "warning", "id", d->id,
                        "message", open_json_text(d->message)));
  }
  json_t *line = json_pack("{s:o, s:b, s:i, s:i, s:I, s:I, s:o}", "file",
                           open_json_text(report->source->name), "valid",
                           report->errors == 0, "errors", (int)report->errors,
                           "warnings", (int)report->warnings, "random_games",
                           (json_int_t)trials->wanted, "random_games_finished",
                           (json_int_t)trials->finished, "diagnostics", list);
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static void print_text(const Options *options, Description *description,
                       const Inspection *trials) {
  Report *report = &description->report;
  Text text = {0};
  report_write(report, options->quiet, &text);
  fputs(text_string(&text), stdout);
  printf("%s: %s", report->source->name, report->errors ? "" : "valid");
  if (report->errors)
    printf("%u error%s", report->errors, report->errors == 1 ? "" : "s");
  if (report->warnings && !options->quiet)
    printf(", %u warning%s", report->warnings,
           report->warnings == 1 ? "" : "s");
  if (options->quiet && !report->errors && trials->finished < trials->wanted)
    printf(", but %lld of %lld random games did not finish",
           (long long)(trials->wanted - trials->finished),
           (long long)trials->wanted);
  putchar('\n');
  text_free(&text);
}

static const double standard_seconds = 2; /* for the random games */

/* True if an error leaves nothing to be checked. */
static bool unreadable(const Report *report) {
  for (uint32_t i = 0; i < report->list.count; i++) {
    const char *id = report->list.data[i].id;
    if (strcmp(id, "syntax") == 0 || strcmp(id, "empty") == 0) return true;
  }
  return false;
}

static int check_file(const Options *options, const char *path) {
  Description description;
  Inspection trials = {0};
  bool tried = true;
  open_begin(options, 5 + 5 * options->seconds);
  if (!open_read(options, path, &description)) return EXIT_INPUT;
  if (description_valid(&description) && options->playouts) {
    trials.wanted = options->playouts;
    tried = check_by_playing(options, &description, &trials);
  }
  if (options->json)
    print_json(&description, &trials);
  else
    print_text(options, &description, &trials);
  fflush(stdout);
  int code = !tried                            ? EXIT_LIMIT
             : description_valid(&description) ? EXIT_FINE
             : unreadable(&description.report) ? EXIT_INPUT
                                               : EXIT_NO;
  description_free(&description);
  return code;
}

int command_check(const Options *given) {
  const Options own = open_seconds(given, standard_seconds), *options = &own;
  if (options->argument_count == 0) {
    log_error("check takes one or more games");
    return EXIT_USAGE;
  }
  int worst = EXIT_FINE;
  for (int i = 0; i < options->argument_count; i++) {
    int code = check_file(options, options->arguments[i]);
    if (code > worst) worst = code;
  }
  return worst;
}
