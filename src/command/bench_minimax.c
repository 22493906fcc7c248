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
  BenchEvaluation evaluation; /* alone */
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
    if (learned)
      printf("  the evaluation alone: %.1f million states per second from one "
             "to the next, %.1f million anew\n",
             sum->evaluation.updated / 1e6, sum->evaluation.anew / 1e6);
    return;
  }
  json_t *line = json_pack(
      "{s:o, s:s, s:b, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "game",
      open_json_text(game), "agent", agent_of(options), "learned", learned,
      "positions", (json_int_t)sum->positions, "states_per_processor_second",
      rate, "evaluated_per_processor_second",
      per((double)sum->evaluated, sum->processor), "depth", depth, "deepest",
      deepest, "branching", branching, "hits", hits, "evaluations_per_second",
      sum->evaluation.updated, "evaluations_anew_per_second",
      sum->evaluation.anew);
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
  if (evaluation) sum.evaluation = bench_evaluation(book, evaluation, seed);
  print(options, path, evaluation != NULL, &sum);
  minimax_delete(minimax);
  if (learner) learner_delete(learner);
  return EXIT_FINE;
}

int bench_minimax(const Options *options) {
  return bench_agent(options, agent_of(options), measure);
}
