/* tafl train GAME: learns ahead of time, in short stints. What was learned is
   saved between them, so that little is lost however it ends. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "command/command.h"
#include "command/interrupt.h"
#include "learn/keeper.h"

static const double STINT = 1, SAVE = 5; /* seconds */
enum { STATES = 1000000 };               /* of a stint without a clock */

typedef struct Training {
  const Options *options;
  const Book *book;
  Learner *learner;
  Keeper *keeper;
  LearnerProgress first; /* when it began */
  double start, seconds; /* to learn; 0: no limit */
  double saved;          /* when it was saved last */
  bool lost;             /* it could not be saved */
} Training;

static uint64_t done_states(const Training *training) {
  return learner_progress(training->learner).states - training->first.states;
}

/* ---- progress ---- */

static double done_share(const Training *training, double spent) {
  double share = 0;
  if (training->seconds > 0) share = spent / training->seconds;
  if (training->options->states)
    share = fmax(share, (double)done_states(training) /
                            (double)training->options->states);
  return fmin(share, 1);
}

static void show_progress(const Training *training) {
  LearnerProgress progress = learner_progress(training->learner);
  double spent = clock_now() - training->start;
  double share = done_share(training, spent);
  Text text = {0};
  if (!log_progress_wanted()) return;
  text_format(&text, "%" PRIu64 " games, %.0f states/s, error %.4f",
              progress.games, (double)done_states(training) / fmax(spent, 1e-3),
              progress.error);
  if (share > 0)
    text_format(&text, "; %.0f %% done, %.0f s left", 100 * share,
                spent / share - spent);
  log_progress("%s", text_string(&text));
  text_free(&text);
}

/* ---- learning ---- */

static Budget next_stint(const Training *training) {
  Budget budget = {.stop = interrupt_flag()};
  if (training->options->states) {
    uint64_t most = (uint64_t)training->options->states;
    uint64_t done = done_states(training), left = most > done ? most - done : 0;
    budget.states = left < STATES ? left : STATES;
    return budget;
  }
  double left = training->start + training->seconds - clock_now();
  budget.seconds = training->seconds > 0 ? fmin(left, STINT) : STINT;
  return budget;
}

static void save(Training *training) {
  bool fine = keeper_save(training->keeper, training->learner);
  if (!fine && !training->lost)
    log_error("not saved: %s", keeper_trouble(training->keeper));
  training->lost = !fine;
  training->saved = clock_now();
}

static void learn(Training *training) {
  training->start = clock_now();
  training->saved = training->start - SAVE; /* the first stint soon is */
  for (;;) {
    LearnerProgress before = learner_progress(training->learner);
    Budget budget = next_stint(training);
    if (interrupt_came() || (budget.seconds < 1e-3 && !budget.states)) break;
    learner_learn(training->learner, &budget);
    show_progress(training);
    if (clock_now() - training->saved >= SAVE) save(training);
    if (learner_progress(training->learner).states == before.states &&
        budget.states)
      break; /* the game cannot be played any more */
  }
  log_progress_end();
  save(training);
}

/* ---- what was learned ---- */

static void print_text(const Training *training) {
  Text text = {0};
  keeper_write(training->keeper, &text);
  learner_write(training->learner, &text);
  fputs(text_string(&text), stdout);
  text_free(&text);
  if (training->lost) return;
  if (!learner_progress(training->learner).targets) {
    puts("too little was learned to be saved");
    return;
  }
  printf("%ssaved in %s\n",
         interrupt_came() ? "interrupted; all of it is " : "",
         training->book->limits.knowledge);
}

static json_t *json_features(Linear *linear) {
  json_t *list = json_array();
  for (uint32_t f = 0; f < linear->features.count; f++) {
    Text name = {0};
    json_t *weights = json_array();
    bool any = false;
    for (uint32_t row = 0; row < linear->rows; row++) {
      double weight = (double)linear_row(linear, row)[f];
      any |= weight != 0;
      json_array_append_new(weights, json_real(weight));
    }
    linear_name(linear, f, &name);
    if (any)
      json_array_append_new(list, json_pack("{s:o, s:o}", "name",
                                            open_json_text(text_string(&name)),
                                            "weights", weights));
    else
      json_decref(weights);
    text_free(&name);
  }
  return list;
}

static void print_json(const Training *training) {
  LearnerProgress progress = learner_progress(training->learner);
  Text origin = {0};
  keeper_write(training->keeper, &origin);
  if (origin.length) origin.bytes[origin.length - 1] = '\0';
  json_t *object = json_pack(
      "{s:o, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:o, s:o, s:b, s:b, s:o}",
      "game", open_json_text(training->book->description->source.name), "games",
      (json_int_t)progress.games, "states", (json_int_t)progress.states,
      "targets", (json_int_t)progress.targets, "error", progress.error,
      "explained", progress.explained, "seconds", clock_now() - training->start,
      "seed", (json_int_t)training->options->seed, "began_with",
      open_json_text(text_string(&origin)), "knowledge",
      open_json_text(training->book->limits.knowledge), "saved",
      (int)!training->lost, "interrupted", (int)interrupt_came(), "features",
      json_features(learner_linear(training->learner)));
  json_dumpf(object, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(object);
  text_free(&origin);
}

/* ---- the verb ---- */

static int train(const Options *options, Book *book, const Settings *settings) {
  Training training = {.options = options,
                       .book = book,
                       .seconds = options->states ? 0 : 60 * options->minutes};
  training.learner = learner_new(book, settings, (uint64_t)options->seed);
  if (!training.learner) {
    log_error("%s: there is nothing that could be learned about%s%s",
              book->description->source.name, book->has_net ? "" : ": ",
              text_string(&book->why[BOOK_NET]));
    return EXIT_LIMIT;
  }
  training.keeper = keeper_new(book, training.learner);
  if (*keeper_trouble(training.keeper))
    log_error("%s; learning anew", keeper_trouble(training.keeper));
  training.first = learner_progress(training.learner);
  tasks_enter(&book->tasks, TASK_PLAYING);
  interrupt_catch();
  learn(&training);
  interrupt_release();
  (options->json ? print_json : print_text)(&training);
  keeper_delete(training.keeper);
  learner_delete(training.learner);
  return training.lost ? EXIT_LIMIT : EXIT_FINE;
}

static bool read_agent(const Options *options, AgentSpec *spec) {
  Text error = {0};
  bool fine = spec_parse(spec, options->agent, &error);
  if (fine && !(spec_is_local(spec) && spec_thinks(spec))) {
    text_format(&error, "%s has no settings of learning", options->agent);
    spec_free(spec);
    fine = false;
  }
  if (!fine) log_error("--agent: %s; see tafl agents", text_string(&error));
  text_free(&error);
  return fine;
}

static int open(const Options *options, const AgentSpec *spec) {
  Description description;
  Book book;
  int code = EXIT_INPUT;
  open_begin(options, 0);
  if (open_description(options, options->arguments[0], &description)) {
    code = EXIT_LIMIT;
    log_progress("loading %s", options->arguments[0]);
    if (open_net(options, &description, &book)) {
      log_progress_end();
      code = train(options, &book, &spec->settings);
      book_free(&book);
    }
    description_free(&description);
  }
  return code;
}

int command_train(const Options *options) {
  Options own = *options;
  AgentSpec spec;
  if (!*own.knowledge) own.knowledge = "user";
  if (options->argument_count != 1) {
    log_error("train takes one game");
    return EXIT_USAGE;
  }
  if (!read_agent(&own, &spec)) return EXIT_USAGE;
  int code = open(&own, &spec);
  spec_free(&spec);
  return code;
}
