/* Whether the sequential test has decided is asked of the store after games,
   but not more often than a few times a second: games that end in between are
   played in vain, but do not change where the test ends (lab/tour_score.h). */
#include "lab/tour.h"

#include <math.h>

#include "base/clock.h"
#include "io/json.h"

static const double INTERVAL = 0.3; /* seconds between looks at the test */

bool tour_init(Tour *tour, const TourSpec *spec, Results *results,
               const RunnerOptions *options, Text *error) {
  *tour = (Tour){.results = results};
  if (!tour_plan_init(&tour->plan, spec, options, error)) return false;
  json_t *object = tour_spec_write(spec);
  Text text = {0};
  json_add_text(object, JSON_COMPACT | JSON_SORT_KEYS, &text);
  const char *name = text_string(&spec->name);
  tour->experiment = results_experiment(
      results, "tour", *name ? name : pairing_name(spec->system),
      text_string(&text));
  if (!tour->experiment) text_add(error, results_error(results));
  text_free(&text);
  json_decref(object);
  return tour->experiment != 0;
}

void tour_free(Tour *tour) {
  tour_plan_free(&tour->plan);
}

/* ---- while a round is played ---- */

typedef struct Watch {
  Tour *tour;
  const RunnerOptions *options;
  double looked; /* at the test, last time */
} Watch;

static bool find(void *context, const char *game, Text *path) {
  const RunnerOptions *options = ((Watch *)context)->options;
  if (options->find) return options->find(options->context, game, path);
  text_add(path, game);
  return true;
}

static bool test_decided(Tour *tour) {
  TourScore score;
  Text error = {0};
  if (!tour->plan.spec->sprt) return false;
  bool fine = tour_score_init(&score, &tour->plan, tour->results,
                              tour->experiment, &error);
  tour->decided = fine && sprt_decide(&score.sprt) != SPRT_OPEN;
  tour_score_free(&score);
  text_free(&error);
  return tour->decided;
}

static bool progress(void *context, const RunnerProgress *now) {
  Watch *watch = context;
  const RunnerOptions *options = watch->options;
  bool more = !options->progress || options->progress(options->context, now);
  if (!watch->tour->plan.spec->sprt || now->seconds < watch->looked + INTERVAL)
    return more;
  watch->looked = now->seconds;
  return !test_decided(watch->tour) && more;
}

/* ---- rounds ---- */

/* Plans the next round from what was played; false: it is over. */
static bool plan_round(Tour *tour, Text *error) {
  const TourSpec *spec = tour->plan.spec;
  Pairing pairing = {.system = spec->system,
                     .players = spec->agents.count,
                     .rounds = spec->rounds,
                     .seed = spec->common.seed};
  TourScore score;
  Meetings next = {0};
  bool fine = tour_score_init(&score, &tour->plan, tour->results,
                              tour->experiment, error);
  bool more = fine && pairing_next(&pairing, &score.meetings, &next);
  if (more) {
    tour->round = next.data[0].round;
    tour_plan_add(&tour->plan, &next);
  }
  tour->over = fine && !more;
  tour_score_free(&score);
  vector_free(&next);
  return more;
}

static RunnerEnd play_round(Tour *tour, const RunnerOptions *options,
                            double seconds, Text *error) {
  Watch watch = {.tour = tour, .options = options, .looked = -INTERVAL};
  RunnerOptions own = *options;
  own.block = TOUR_SCORE_BLOCK;
  own.retry = options->retry && !tour->round; /* all that is there: once */
  own.fresh = options->fresh && !tour->round;
  own.seconds = seconds;
  own.find = find;
  own.progress = progress;
  own.context = &watch;
  RunnerEnd end = runner_run(tour->results, tour->experiment,
                             &tour->plan.series, &own, error);
  return end == RUNNER_STOPPED && test_decided(tour) ? RUNNER_DONE : end;
}

/* Returns whether everything was played but series in which every game ends
   with an error: the tournament goes on without them. */
static bool is_settled(Tour *tour) {
  TourScore score;
  Text error = {0};
  bool settled = tour_score_init(&score, &tour->plan, tour->results,
                                 tour->experiment, &error);
  for (uint32_t i = 0; settled && i < score.entries; i++)
    settled = tour_score_complete(&score, i) || tour_score_hopeless(&score, i);
  tour_score_free(&score);
  text_free(&error);
  return settled;
}

RunnerEnd tour_run(Tour *tour, const RunnerOptions *options, Text *error) {
  double start = clock_now();
  Text why = {0}; /* of the last series that was given up */
  while (!tour->decided && plan_round(tour, error)) {
    double left = options->seconds > 0
                      ? fmax(options->seconds - (clock_now() - start), 1e-3)
                      : 0;
    RunnerEnd end = play_round(tour, options, left, error);
    if (end == RUNNER_BROKEN && is_settled(tour)) {
      text_free(&why);
      why = *error;
      *error = (Text){0};
    } else if (end != RUNNER_DONE) {
      text_free(&why);
      return end;
    }
    if (test_decided(tour)) tour->over = true;
  }
  if (!error->length) text_add(error, text_string(&why));
  text_free(&why);
  return error->length ? RUNNER_BROKEN : RUNNER_DONE;
}

/* ---- without playing ---- */

bool tour_look(Tour *tour, const TourSpec *spec, Results *results,
               int64_t experiment, Text *error) {
  *tour = (Tour){.results = results, .experiment = experiment};
  if (!tour_plan_init_stored(&tour->plan, spec, results, experiment, error))
    return false;
  while (!tour->over && plan_round(tour, error)) {
    if (test_decided(tour)) tour->over = true;
    if (!is_settled(tour)) break;
  }
  return !error->length;
}
