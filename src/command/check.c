/* tafl check GAME…: everything wrong with the rules, and what a few random
   games show. Exit code 3 if a text cannot be read as KIF at all, 1 if it can
   but is not a valid game. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "command/command.h"
#include "engine/playout.h"

/* The place of a relation's first rule. */
static uint32_t place_of(const Description *description, Symbol keyword) {
  const Dependencies *dependencies = &description->dependencies;
  uint32_t p = dependencies_find(dependencies, keyword,
                                 (uint32_t)rule_keyword_arity(keyword));
  const Predicate *predicate = &dependencies->list.data[p];
  if (!predicate->rules.count) return 0;
  uint32_t rule = predicate->rules.data[0];
  return description->rules.list.data[rule].form->offset;
}

static const char *role_name(Game *game, uint32_t role, Text *text) {
  text_clear(text);
  term_write(game_terms(game), game_role(game, role), text);
  return text_string(text);
}

static void check_goals(Game *game, Report *report, Text *name) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Term *values;
    uint32_t count = game_goals(game, role, &values);
    if (count != 1)
      report_error(report, place_of(game->description, SYMBOL_GOAL),
                   "goal-count",
                   "role %s has %s goal in a terminal state of a random game",
                   role_name(game, role, name), count ? "more than one" : "no");
    else if (game_goal(game, role) < 0)
      report_error(report, place_of(game->description, SYMBOL_GOAL),
                   "goal-value",
                   "role %s has a goal that is no whole number from 0 to 100",
                   role_name(game, role, name));
  }
}

/* ---- random games ---- */

/* What became of the random games, and why the last ones were not finished. */
typedef struct Trials {
  int64_t wanted, finished;
  bool endless; /* because of --steps */
  Text why;     /* empty: all were finished */
} Trials;

/* Plays a random game from the start, at most until the deadline. */
static PlayoutResult play_until(Game *game, Random *random, uint32_t limit,
                                double deadline, uint32_t *steps,
                                uint32_t *stuck) {
  PlayoutResult result;
  *steps = 0;
  game_reset(game);
  do {
    uint32_t more;
    result = playout_run(game, random, 1, &more, stuck);
    *steps += more;
  } while (result == PLAYOUT_CUT_OFF && *steps < limit &&
           clock_now() < deadline);
  return result;
}

/* Reports what a game has shown. */
static void judge(Game *game, PlayoutResult result, uint32_t steps,
                  uint32_t stuck) {
  Report *report = &game->description->report;
  Text name = {0};
  if (result == PLAYOUT_ENDED)
    check_goals(game, report, &name);
  else if (result == PLAYOUT_STUCK)
    report_error(report, place_of(game->description, SYMBOL_LEGAL),
                 "no-legal-move",
                 "role %s has no legal move after %u steps of a random game",
                 role_name(game, stuck, &name), steps);
  text_free(&name);
}

static void play_games(const Options *options, Game *game, Trials *trials) {
  Random random;
  random_seed(&random, (uint64_t)options->seed);
  double deadline = clock_now() + options->seconds;
  if (game->deadline > 0 && game->deadline < deadline)
    deadline = game->deadline;
  uint32_t limit = (uint32_t)options->steps;
  for (int64_t i = 0; i < trials->wanted; i++) {
    uint32_t steps, stuck;
    PlayoutResult result =
        play_until(game, &random, limit, deadline, &steps, &stuck);
    text_clear(&trials->why);
    if (game_failed(game))
      text_add(&trials->why, text_string(&game->error));
    else if (result != PLAYOUT_CUT_OFF)
      trials->finished++;
    else if (steps < limit)
      text_format(&trials->why, "they took longer than %g s (--seconds)",
                  options->seconds);
    judge(game, result, steps, stuck);
    if (trials->why.length) return;
  }
  trials->endless = trials->finished < trials->wanted;
  if (trials->endless)
    text_format(&trials->why, "they had not ended after %u steps (--steps)",
                limit);
}

static void report_unfinished(Game *game, const Trials *trials) {
  static const char format[] = "%lld of %lld random games did not finish: %s";
  Report *report = &game->description->report;
  long long rest = (long long)(trials->wanted - trials->finished);
  if (trials->endless)
    report_warning(report, place_of(game->description, SYMBOL_TERMINAL),
                   "endless", format, rest, (long long)trials->wanted,
                   text_string(&trials->why));
  else
    report_warning(report, 0, "limit", format, rest, (long long)trials->wanted,
                   text_string(&trials->why));
}

/* Plays a few random games and reports what they show. The net has no more time
   than the games. Returns false if there is no such engine. */
static bool check_by_playing(const Options *options, Description *description,
                             Trials *trials) {
  Options own = *options;
  if (own.ground_seconds > own.seconds) own.ground_seconds = own.seconds;
  Book book;
  if (!open_book(&own, description, &book)) return false;
  Game *game = book_game(&book);
  play_games(options, game, trials);
  if (trials->finished < trials->wanted) report_unfinished(game, trials);
  game_delete(game);
  book_free(&book);
  return true;
}

static void print_json(Description *description, const Trials *trials) {
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
                       const Trials *trials) {
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
  Trials trials = {0};
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
  text_free(&trials.why);
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
