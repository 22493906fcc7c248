/* tafl lab: the tables of the papers, played again and printed beside their
   figures; what was played is in the store. */
#include "command/lab.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "command/command.h"
#include "command/experiment.h"
#include "command/find.h"
#include "command/interrupt.h"
#include "command/lab_report.h"
#include "command/lab_show.h"
#include "io/json.h"

/* ---- tables as the options want them ---- */

/* The budget that the options give in place of the table's; 0: none. */
static double given_budget(const Options *options, BudgetUnit *unit) {
  *unit = options->states ? UNIT_STATES
          : options->sims ? UNIT_SIMULATIONS
                          : UNIT_SECONDS;
  return options->states ? (double)options->states
         : options->sims ? (double)options->sims
                         : options->play;
}

/* The larger budget of the two becomes the one that is given, and the other one
   stays in proportion: a puzzle's player thinks before the first move, others
   as long at each move. */
static void change_budget(Series *series, BudgetUnit unit, double budget) {
  double most = fmax(series->play, series->start);
  double least = unit == UNIT_SECONDS ? 0.001 : 1;
  double scale = most > 0 ? budget / most : 1;
  series->unit = unit;
  series->play = fmax(series->play * scale, least);
  series->start *= scale;
  if (unit == UNIT_SECONDS) return;
  series->play = round(series->play);
  series->start = round(series->start);
}

static void change(const Options *options, Table *table) {
  BudgetUnit unit;
  double budget = given_budget(options, &unit);
  for (uint32_t i = 0; i < table->rows.count * table->columns.count; i++) {
    Series *series = &table->cells[i].series;
    if (options->seed != 1) series->seed = (uint64_t)options->seed;
    if (budget > 0) change_budget(series, unit, budget);
  }
}

static const char *const words[] = {[UNIT_SECONDS] = "seconds",
                                    [UNIT_SIMULATIONS] = "simulations",
                                    [UNIT_STATES] = "states"};

void lab_describe_changes(const Options *options, Text *text) {
  BudgetUnit unit;
  double budget = given_budget(options, &unit);
  if (budget > 0) text_format(text, "%.15g %s a move", budget, words[unit]);
  if (options->seed != 1)
    text_format(text, "%sseed %lld", budget > 0 ? ", " : "",
                (long long)options->seed);
}

void lab_changes(const Options *options, Text *text) {
  json_t *changes = json_object();
  BudgetUnit unit;
  double budget = given_budget(options, &unit);
  if (options->seed != 1)
    json_object_set_new(changes, "seed", json_integer(options->seed));
  if (budget > 0) json_object_set_new(changes, words[unit], json_real(budget));
  json_add_text(changes,
                JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15), text);
  json_decref(changes);
}

bool lab_read(const Options *options, const char *name, Table *table) {
  Text path = {0}, error = {0};
  bool fine = find_table(name, &path, &error) &&
              table_read(table, text_string(&path), &error);
  if (fine)
    change(options, table);
  else
    log_error("%s", text_string(&error));
  text_free(&path);
  text_free(&error);
  return fine;
}

/* ---- running ---- */

/* What was given to a run of several tables, and what is left of it. */
typedef struct Run {
  Options options;
  Results *results;
  double end; /* of --seconds; 0: none */
} Run;

/* Plays what is missing; returns the exit code. */
static int play(Run *run, const Table *table) {
  SeriesVector list = {0};
  Text changes = {0};
  Options *options = &run->options;
  table_series(table, &list);
  for (uint32_t i = 0; options->games && i < list.count; i++)
    list.data[i].games = (uint32_t)options->games;
  lab_changes(options, &changes);
  int64_t id = results_experiment(run->results, "lab", text_string(&table->id),
                                  text_string(&changes));
  int code = EXIT_INPUT;
  if (run->end > 0) options->seconds = fmax(run->end - clock_now(), 1e-9);
  if (id)
    code = experiment_run(options, run->results, id, &list);
  else
    log_error("%s", results_error(run->results));
  series_vector_free(&list);
  text_free(&changes);
  return code;
}

static int run_table(Run *run, const char *name, bool first) {
  Table table;
  int code = EXIT_FINE;
  if (!lab_read(&run->options, name, &table)) return EXIT_INPUT;
  if (run->end > 0 && run->end <= clock_now() && !first)
    code = EXIT_LIMIT; /* said of a table before this one */
  else if (!run->options.show)
    code = play(run, &table);
  if (code != EXIT_INPUT &&
      !lab_show_table(&run->options, run->results, &table, first))
    code = EXIT_INPUT;
  table_free(&table);
  return code;
}

static int run_names(const Options *options, const TextVector *names) {
  Run run = {.options = *options};
  int code = EXIT_FINE;
  run.results = experiment_open(options, !options->show);
  if (!run.results) return EXIT_INPUT;
  if (options->seconds > 0) run.end = clock_now() + options->seconds;
  for (uint32_t i = 0; i < names->count && !interrupt_came(); i++) {
    int own = run_table(&run, text_string(&names->data[i]), i == 0);
    if (own > code) code = own;
  }
  results_close(run.results);
  return code;
}

static int run_tables(const Options *options) {
  TextVector names = {0};
  if (options->argument_count == 1 && !strcmp(options->arguments[0], "all"))
    find_tables(&names);
  else
    for (int i = 0; i < options->argument_count; i++) {
      Text name = {0};
      text_add(&name, options->arguments[i]);
      vector_push(&names, name);
    }
  int code = run_names(options, &names);
  text_vector_free(&names);
  return code;
}

/* ---- the verb ---- */

static const struct {
  const char *name;
  int (*run)(const Options *options);
} parts[] = {{"list", lab_list},
             {"report", lab_report_run},
             {"sweep", lab_sweep},
             {"export", lab_export},
             {"import", lab_import}};

/* Returns an option that was given and is for sweeps only, or NULL. */
static const char *option_of_sweep(const Options *options) {
  Series usual;
  series_init(&usual);
  return *options->vary                  ? "vary"
         : *options->against             ? "against"
         : *options->svg                 ? "svg"
         : options->start > 0            ? "start"
         : options->opening              ? "opening"
         : options->idle                 ? "idle"
         : options->steps != usual.steps ? "steps"
                                         : NULL;
}

int command_lab(const Options *options) {
  int budgets =
      (options->play > 0) + (options->states > 0) + (options->sims > 0);
  if (!options->argument_count) {
    log_error("lab needs a table, or one of: all, list, report, sweep, "
              "export, import");
    return EXIT_USAGE;
  }
  if (budgets > 1) {
    log_error("--play, --sims and --states are budgets: only one of them");
    return EXIT_USAGE;
  }
  const char *strange = option_of_sweep(options);
  if (strange && strcmp(options->arguments[0], "sweep") != 0) {
    log_error("--%s is for lab sweep only", strange);
    return EXIT_USAGE;
  }
  Options chosen = *options;
  if (options->json) chosen.format = "json";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strcmp(options->arguments[0], parts[i].name) == 0)
      return parts[i].run(&chosen);
  return run_tables(&chosen);
}
