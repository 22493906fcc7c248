/* tafl lab sweep GAME...: varies one or two settings of an agent, lets it play
   the same opponent with each combination of values, and shows how its strength
   responds. What was played is in the store; the same command goes on where it
   ended. */
#include <stdio.h>

#include "base/file.h"
#include "command/command.h"
#include "command/experiment.h"
#include "command/find.h"
#include "command/lab.h"
#include "command/lab_sweep_show.h"
#include "io/json.h"

enum { GAMES = 100 }; /* by default */

/* Adds the games of the command line, after looking at their rules. Returns
   false, after printing why, if one is not there or not valid. */
static bool read_games(const Options *options, Sweep *sweep) {
  bool fine = true;
  for (int i = 1; i < options->argument_count && fine; i++) {
    const char *given = options->arguments[i];
    Text path = {0};
    Description description;
    if (!find_game(options, given, &path)) {
      text_clear(&path);
      text_add(&path, given);
    }
    fine = open_description(options, text_string(&path), &description);
    if (fine) {
      sweep_add_game(sweep, given, description.rules.roles.count);
      description_free(&description);
    }
    text_free(&path);
  }
  return fine;
}

/* ---- results ---- */

static bool show(const Options *options, Results *results, int64_t experiment,
                 const Sweep *sweep) {
  SweepResult result;
  Text text = {0}, svg = {0}, error = {0};
  if (!sweep_collect(&result, sweep, results, experiment)) {
    log_error("%s", results_error(results));
    return false;
  }
  lab_sweep_write(sweep, &result, options->format, &text);
  fputs(text_string(&text), stdout);
  lab_sweep_draw(sweep, &result, &svg);
  bool fine = !*options->svg ||
              file_replace(options->svg, text_string(&svg), svg.length, &error);
  if (!fine) log_error("%s", text_string(&error));
  sweep_result_free(&result);
  text_free(&text);
  text_free(&svg);
  text_free(&error);
  return fine;
}

/* ---- the run ---- */

static int64_t make_experiment(Results *results, const Sweep *sweep) {
  json_t *object = sweep_specification(sweep);
  Text text = {0};
  json_add_text(object, JSON_COMPACT | JSON_SORT_KEYS, &text);
  int64_t id = results_experiment(results, "sweep", sweep->agent.text,
                                  text_string(&text));
  if (!id) log_error("%s", results_error(results));
  text_free(&text);
  json_decref(object);
  return id;
}

static int run(const Options *options, const Sweep *sweep) {
  SeriesVector list = {0};
  Results *results = experiment_open(options, true);
  int64_t id = results ? make_experiment(results, sweep) : 0;
  int code = EXIT_INPUT;
  sweep_plan(sweep, &list);
  if (id && !options->show)
    code = experiment_run(options, results, id, &list);
  else if (id)
    code = EXIT_FINE;
  if (id && code != EXIT_INPUT && !show(options, results, id, sweep))
    code = EXIT_INPUT;
  series_vector_free(&list);
  if (results) results_close(results);
  return code;
}

int lab_sweep(const Options *options) {
  Sweep sweep;
  Text error = {0};
  if (options->argument_count < 2) {
    log_error("lab sweep needs games: tafl lab sweep GAME... --vary "
              "SETTING=VALUE,VALUE");
    return EXIT_USAGE;
  }
  if (!sweep_init(&sweep, options->agent, options->against, options->vary,
                  &error)) {
    log_error("lab sweep: %s", text_string(&error));
    text_free(&error);
    return EXIT_USAGE;
  }
  sweep.common.games = options->games ? (uint32_t)options->games : GAMES;
  int code = EXIT_INPUT;
  if (!experiment_series(options, &sweep.common, &error)) {
    log_error("%s", text_string(&error));
    code = EXIT_USAGE;
  } else if (read_games(options, &sweep)) {
    code = run(options, &sweep);
  }
  text_free(&error);
  sweep_free(&sweep);
  return code;
}
