/* tafl tour: agents play each other at one or many games by a tournament
   system; from the command line, or from a file with the same in JSON. */
#include <stdio.h>
#include <string.h>

#include "command/command.h"
#include "command/experiment.h"
#include "command/tour_show.h"
#include "lab/tour_draw.h"
#include "lab/tour_json.h"

/* With a test: as many games as it may take at most. */
enum { GAMES = 100, GAMES_OF_TEST = 100000 };

static const char file_ending[] = ".json";

/* ---- the specification ---- */

static bool is_file(const char *argument) {
  size_t length = strlen(argument), own = sizeof file_ending - 1;
  return length > own && !strcmp(argument + length - own, file_ending);
}

static void add_text(TextVector *list, const char *string) {
  Text text = {0};
  text_add(&text, string);
  vector_push(list, text);
}

static bool read_agents(const Options *options, TourSpec *spec, Text *error) {
  AgentSpecs agents;
  if (!*options->players) {
    text_add(error, "a tournament needs agents: -a A,B,C");
    return false;
  }
  if (!spec_parse_list(&agents, options->players, error)) return false;
  for (uint32_t i = 0; i < agents.count; i++)
    add_text(&spec->agents, agents.data[i].text);
  spec_free_list(&agents);
  return true;
}

static bool read_line(const Options *options, TourSpec *spec, Text *error) {
  for (int i = 0; i < options->argument_count; i++)
    add_text(&spec->games, options->arguments[i]);
  pairing_find(options->system, &spec->system);
  spec->rounds = (uint32_t)options->rounds;
  spec->sprt = options->sprt;
  spec->elo0 = options->elo0;
  spec->elo1 = options->elo1;
  spec->common.games = options->games  ? (uint32_t)options->games
                       : options->sprt ? GAMES_OF_TEST
                                       : GAMES;
  return read_agents(options, spec, error) &&
         experiment_series(options, &spec->common, error);
}

/* What a file says is not said again on the command line. */
static bool check_options(const Options *options, Text *error) {
  bool wrong = options->argument_count > 1 || *options->players ||
               options->games || options->rounds || options->play > 0 ||
               options->sims || options->states || options->start > 0 ||
               options->opening || options->sprt || options->idle;
  if (wrong)
    text_format(error,
                "%s: agents, games, system and budget are in the file, not on "
                "the command line",
                options->arguments[0]);
  return !wrong;
}

/* Returns the exit code. */
static int read_spec(const Options *options, TourSpec *spec) {
  bool file = options->argument_count && is_file(options->arguments[0]);
  Text error = {0}, why = {0};
  int code = EXIT_FINE;
  if (file && !check_options(options, &error))
    code = EXIT_USAGE;
  else if (file && !tour_spec_read(spec, options->arguments[0], &error))
    code = EXIT_INPUT;
  else if (!file && !read_line(options, spec, &error))
    code = EXIT_USAGE;
  else if (!tour_spec_check(spec, &why))
    code = file ? EXIT_INPUT : EXIT_USAGE;
  if (why.length && file)
    text_format(&error, "%s: %s", options->arguments[0], why.bytes);
  else if (why.length)
    text_add(&error, why.bytes);
  if (code) log_error("%s", text_string(&error));
  text_free(&error);
  text_free(&why);
  return code;
}

/* ---- results ---- */

static void print_json(const Tour *tour, const TourScore *score) {
  json_t *object = tour_json(tour, score);
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
}

static void print_grids(const Tour *tour, const TourScore *score,
                        GridForm form) {
  Text text = {0};
  tour_show_write(tour, score, form, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
}

static void print_score(const Options *options, const Tour *tour,
                        const TourScore *score) {
  if (options->json || !strcmp(options->format, "json"))
    print_json(tour, score);
  else if (!strcmp(options->format, "csv"))
    print_grids(tour, score, GRID_CSV);
  else if (!strcmp(options->format, "markdown"))
    print_grids(tour, score, GRID_MARKDOWN);
  else
    print_grids(tour, score, GRID_TEXT);
}

/* Prints and draws what there is; returns the exit code. */
static int show(const Options *options, const Tour *tour) {
  TourScore score;
  Text error = {0};
  int code = EXIT_FINE;
  if (!tour_score_init(&score, &tour->plan, tour->results, tour->experiment,
                       &error))
    code = EXIT_INPUT;
  else
    print_score(options, tour, &score);
  if (code == EXIT_FINE && *options->svg &&
      !tour_draw(&score, options->svg, &error))
    code = EXIT_LIMIT;
  if (code) log_error("%s", text_string(&error));
  if (score.errors)
    log_error("%llu of %llu games ended with an error; %s",
              (unsigned long long)score.errors, (unsigned long long)score.games,
              text_string(&score.error));
  tour_score_free(&score);
  text_free(&error);
  return code;
}

/* ---- the verb ---- */

typedef struct Run {
  const Options *options;
  const TourSpec *spec;
  Results *results;
  int shown; /* exit code of showing it */
} Run;

static RunnerEnd play(void *context, const RunnerOptions *runner, Text *error) {
  Run *run = context;
  Tour tour;
  RunnerEnd end = RUNNER_FAILED;
  if (tour_init(&tour, run->spec, run->results, runner, error)) {
    end = tour_run(&tour, runner, error);
    log_progress_end();
    run->shown = show(run->options, &tour);
  }
  tour_free(&tour);
  return end;
}

/* One series with all agents tells how many workers there may be. */
static int run_tour(const Options *options, const TourSpec *spec,
                    Results *results) {
  Run run = {.options = options, .spec = spec, .results = results};
  Series series = {.players = spec->agents};
  SeriesVector list = {.data = &series, .count = 1};
  int code = experiment_run_by(options, &list, play, &run);
  return run.shown > code ? run.shown : code;
}

int command_tour(const Options *options) {
  TourSpec spec;
  tour_spec_init(&spec);
  int code = read_spec(options, &spec);
  Results *results = code ? NULL : experiment_open(options, true);
  if (!code) code = results ? run_tour(options, &spec, results) : EXIT_INPUT;
  results_close(results);
  tour_spec_free(&spec);
  return code;
}
