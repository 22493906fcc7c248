/* tafl bench GAME… --minimax: how fast alpha-beta goes through states, how deep
   it gets and by what factor each depth takes longer, with an evaluation that
   was learned for as long before. It thinks about several positions of random
   games, a share of --seconds about each. Rates are per second of processor
   time, so that other work on the machine hardly changes them. */
#include <stdio.h>

#include "base/clock.h"
#include "base/random.h"
#include "command/bench.h"
#include "engine/moves.h"
#include "learn/learner.h"
#include "minimax/minimax.h"

enum { POSITIONS = 4, APART = 8 /* steps from one to the next */ };

typedef struct Sum {
  double processor, depth, deepest, branching;
  uint64_t states, evaluated, hits;
  uint32_t positions, branched;
} Sum;

static double per(double amount, double unit) {
  return unit > 0 ? amount / unit : 0;
}

static const char *agent_of(const Options *options) {
  return *options->players ? options->players : "minimax";
}

/* Goes on at random; a game that ends begins again. */
static void play_on(Minimax *minimax, uint32_t steps, Random *random) {
  Game *game = minimax_game(minimax);
  for (uint32_t i = 0; i < steps; i++) {
    Move joint[RULE_ROLES];
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, random);
    minimax_advance(minimax, joint);
    if (game_terminal(game)) minimax_reset(minimax);
  }
}

static void think(Minimax *minimax, double seconds, Sum *sum) {
  double start = clock_thread();
  minimax_think(minimax, &(Budget){.seconds = seconds, .threads = 1});
  sum->processor += clock_thread() - start;
  const MinimaxReport *report = minimax_report(minimax);
  sum->positions++;
  sum->states += report->states;
  sum->evaluated += report->evaluated;
  sum->hits += report->hits;
  sum->depth += report->depth;
  sum->deepest += report->depth_most;
  if (report->branching <= 0) return;
  sum->branching += report->branching;
  sum->branched++;
}

static void print(const Options *options, const char *game, bool learned,
                  const Sum *sum) {
  double rate = per((double)sum->states, sum->processor);
  double hits = per((double)sum->hits, (double)sum->states);
  double depth = per(sum->depth, sum->positions);
  double deepest = per(sum->deepest, sum->positions);
  double branching = per(sum->branching, sum->branched);
  if (!options->json) {
    printf("%s: %s, %u positions, %s evaluation\n"
           "  %.0f states per processor second, %.0f evaluated; depth %.1f, "
           "deepest %.1f, branching factor %.2f; %.1f %% found in the table\n",
           game, agent_of(options), sum->positions, learned ? "learned" : "no",
           rate, per((double)sum->evaluated, sum->processor), depth, deepest,
           branching, 100 * hits);
    return;
  }
  json_t *line = json_pack(
      "{s:o, s:s, s:b, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "game",
      open_json_text(game), "agent", agent_of(options), "learned", learned,
      "positions", (json_int_t)sum->positions, "states_per_processor_second",
      rate, "evaluated_per_processor_second",
      per((double)sum->evaluated, sum->processor), "depth", depth, "deepest",
      deepest, "branching", branching, "hits", hits);
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static int measure(const Options *options, const char *path, Book *book,
                   const Settings *settings) {
  if (!minimax_plays(book)) {
    log_error("%s: no game for alpha-beta: roles do not take turns, or there "
              "is no net",
              path);
    return EXIT_LIMIT;
  }
  Sum sum = {0};
  Random random;
  uint64_t seed = (uint64_t)options->seed;
  Learner *learner = learner_new(book, settings, seed);
  if (learner) learner_learn(learner, &(Budget){.seconds = options->seconds});
  const Evaluation *evaluation = learner ? learner_evaluation(learner) : NULL;
  Minimax *minimax = minimax_new(book, 0, settings, seed);
  minimax_set_evaluation(minimax, evaluation);
  random_seed(&random, seed);
  for (uint32_t i = 0; i < POSITIONS; i++) {
    play_on(minimax, i ? APART : 0, &random);
    think(minimax, options->seconds / POSITIONS, &sum);
  }
  print(options, path, evaluation != NULL, &sum);
  minimax_delete(minimax);
  if (learner) learner_delete(learner);
  return EXIT_FINE;
}

static int bench_one(const Options *options, const char *path,
                     const Settings *settings) {
  Description description;
  Book book;
  int code = EXIT_LIMIT;
  open_begin(options, 0);
  if (!open_description(options, path, &description)) return EXIT_INPUT;
  if (open_book(options, &description, &book)) {
    code = measure(options, path, &book, settings);
    book_free(&book);
  }
  description_free(&description);
  return code;
}

int bench_minimax(const Options *options) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, agent_of(options), &error)) {
    log_error("--players: %s", error.bytes);
    text_free(&error);
    return EXIT_USAGE;
  }
  int worst = EXIT_FINE;
  for (int i = 0; i < options->argument_count; i++) {
    int code = bench_one(options, options->arguments[i], &settings);
    fflush(stdout);
    if (code > worst) worst = code;
  }
  return worst;
}
