/* tafl bench GAME… --minimax: how fast alpha-beta goes through states, how deep
   it gets and by what factor each depth takes longer, with an evaluation that
   was learned for as long before. It thinks about several positions of a game
   that it plays with little thought, a share of --seconds about each. Rates are
   per second of processor time, so that other work on the machine hardly
   changes them.

   Where there is a graphics card, the agent also thinks about such positions
   with as many threads as it has, in turn without the card and with it. Rates
   are per second of the clock then. */
#include <stdio.h>

#include "base/clock.h"
#include "base/random.h"
#include "command/bench.h"
#include "engine/moves.h"
#include "engine/turn.h"
#include "gpu/pool.h"
#include "learn/learner.h"
#include "minimax/minimax.h"

enum { POSITIONS = 4, APART = 8 /* steps from one to the next */ };

/* States that are thought about for a step. In positions of random games pieces
   hang everywhere: in chess_200 three quarters of the nodes would be captures
   of captures, where they are two fifths in games that are played. */
enum { STEP_STATES = 5000 };

typedef struct Sum {
  double processor, depth, deepest, branching;
  uint64_t states, evaluated, hits;
  uint32_t positions, branched;
  BenchEvaluation evaluation; /* alone */
} Sum;

/* The same positions without the card and with it. */
enum { WITHOUT, WITH, SIDES };
typedef struct CardSum {
  double seconds[SIDES], depth[SIDES];
  uint64_t states[SIDES], hatched, listed;
  BreederReport before, after; /* all the thinking */
  uint32_t positions;
} CardSum;

/* Seconds that the card may take before it makes the first broods, and what is
   thought about at a time until then. */
static const double card_patience = 60, card_glance = 0.2;

static double per(double amount, double unit) {
  return unit > 0 ? amount / unit : 0;
}

static const char *agent_of(const Options *options) {
  return *options->players ? options->players : "minimax";
}

/* Plays the game, one step at random in each stretch; one that ends begins
   again. */
typedef struct Guide {
  Minimax *minds[RULE_ROLES]; /* by role: a mind chooses moves of its own */
  uint32_t count;
  Random random;
} Guide;

static Guide guide_new(Book *book, const Settings *settings,
                       const Evaluation *evaluation, uint64_t seed) {
  Settings own = *settings;
  own.gpu = 0;
  Guide guide = {.count = book->net.role_count};
  for (uint32_t role = 0; role < guide.count; role++) {
    guide.minds[role] = minimax_new(book, role, &own, seed);
    minimax_set_evaluation(guide.minds[role], evaluation);
  }
  random_seed(&guide.random, seed);
  return guide;
}

static void guide_free(Guide *guide) {
  for (uint32_t role = 0; role < guide->count; role++)
    minimax_delete(guide->minds[role]);
}

static void choose_step(Guide *guide, bool at_random, Move *joint) {
  Game *game = minimax_game(guide->minds[0]);
  Turn turn = turn_of(game);
  for (uint32_t role = 0; role < game->role_count; role++)
    joint[role] = moves_random(game, role, &guide->random);
  if (at_random || !turn.movers) return;
  Minimax *mind = guide->minds[turn.role];
  minimax_think(mind, &(Budget){.states = STEP_STATES, .threads = 1});
  joint[turn.role] = minimax_best(mind);
}

static void advance(Minimax *minimax, const Move *joint) {
  minimax_advance(minimax, joint);
  if (game_terminal(minimax_game(minimax))) minimax_reset(minimax);
}

/* All go on together. */
static void play_on(Guide *guide, Minimax *const *minds, uint32_t count) {
  for (uint32_t i = 0; i < APART; i++) {
    Move joint[RULE_ROLES];
    choose_step(guide, !i, joint);
    for (uint32_t g = 0; g < guide->count; g++) advance(guide->minds[g], joint);
    for (uint32_t m = 0; m < count; m++) advance(minds[m], joint);
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

/* ---- with the card ---- */

static bool may_use_card(Book *book, const Settings *settings) {
  return settings->gpu && settings->gpubroods && pool_exists() &&
         book_cones(book, 0);
}

/* Thinks until the card has made something. Returns false if it does not, if
   there is none, or if the game is solved before. */
static bool wait_for_card(Minimax *minimax, const char *path) {
  double until = clock_now() + card_patience;
  while (clock_now() < until) {
    minimax_think(minimax, &(Budget){.seconds = card_glance});
    const MinimaxReport *report = minimax_report(minimax);
    if (report->hatched) return true;
    if (report->card) log_error("%s: %s", path, report->card);
    if (report->card || report->proven || !minimax_hopes(minimax)) return false;
  }
  log_error("%s: the card has made nothing for %.0f s", path, card_patience);
  return false;
}

/* Thinks with nothing in the table. */
static void think_anew(Minimax *minimax, const Evaluation *evaluation,
                       double seconds, uint32_t side, CardSum *sum) {
  minimax_set_evaluation(minimax, evaluation);
  minimax_think(minimax, &(Budget){.seconds = seconds});
  const MinimaxReport *report = minimax_report(minimax);
  sum->seconds[side] += report->seconds;
  sum->states[side] += report->states;
  sum->depth[side] += report->depth;
  if (side == WITHOUT) return;
  sum->hatched += report->hatched;
  sum->listed += report->listed;
  sum->after = report->breeder;
}

static void measure_card(const Options *options, const char *path, Book *book,
                         const Settings *settings, const Evaluation *evaluation,
                         CardSum *sum) {
  Minimax *minds[SIDES];
  uint64_t seed = (uint64_t)options->seed;
  Guide guide = guide_new(book, settings, evaluation, seed);
  for (uint32_t side = 0; side < SIDES; side++) {
    Settings own = *settings;
    own.gpu = side == WITH;
    minds[side] = minimax_new(book, 0, &own, seed);
    minimax_set_evaluation(minds[side], evaluation);
  }
  bool there = wait_for_card(minds[WITH], path);
  sum->before = minimax_report(minds[WITH])->breeder;
  for (; there && sum->positions < POSITIONS; sum->positions++) {
    play_on(&guide, minds, SIDES);
    for (uint32_t side = 0; side < SIDES; side++)
      think_anew(minds[side], evaluation, options->seconds / POSITIONS, side,
                 sum);
  }
  for (uint32_t side = 0; side < SIDES; side++) minimax_delete(minds[side]);
  guide_free(&guide);
}

static uint64_t batches_of(const CardSum *sum) {
  return sum->after.batches - sum->before.batches;
}

/* Milliseconds of a batch that went into a stage. */
static double stage_of(const CardSum *sum, BreederStage stage) {
  double seconds = sum->after.seconds[stage] - sum->before.seconds[stage];
  return 1e3 * per(seconds, (double)batches_of(sum));
}

static double children_of(const CardSum *sum) {
  return per((double)(sum->after.children - sum->before.children),
             (double)batches_of(sum));
}

static void print_card(const Settings *settings, const CardSum *sum) {
  double rates[SIDES], depths[SIDES];
  double nodes = (double)(sum->hatched + sum->listed);
  for (uint32_t side = 0; side < SIDES; side++) {
    rates[side] = per((double)sum->states[side], sum->seconds[side]);
    depths[side] = per(sum->depth[side], sum->positions);
  }
  long long threads = settings->threads ? (long long)settings->threads : 1;
  printf("  %lld thread%s and the card: %.2f million states per second, depth "
         "%.1f, %.0f %% of %.0f thousand nodes per second made ahead; without "
         "it %.2f million, depth %.1f\n",
         threads, threads == 1 ? "" : "s", rates[WITH] / 1e6, depths[WITH],
         100 * per((double)sum->hatched, nodes),
         per(nodes, sum->seconds[WITH]) / 1e3, rates[WITHOUT] / 1e6,
         depths[WITHOUT]);
  printf("  %u hand%s, %.0f batches per second of %.0f children; of a batch "
         "%.2f ms until its first part is made, %.2f for the others, %.2f to "
         "fetch them, %.2f to put them into the nest\n",
         sum->after.hands, sum->after.hands == 1 ? "" : "s",
         per((double)batches_of(sum), sum->seconds[WITH]), children_of(sum),
         stage_of(sum, BREEDER_FIRST), stage_of(sum, BREEDER_REST),
         stage_of(sum, BREEDER_FETCH), stage_of(sum, BREEDER_ADD));
}

/* ---- printing ---- */

static json_t *card_json(const CardSum *sum) {
  return json_pack(
      "{s:f, s:f, s:f, s:f, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:f}",
      "states_per_second", per((double)sum->states[WITH], sum->seconds[WITH]),
      "states_per_second_without",
      per((double)sum->states[WITHOUT], sum->seconds[WITHOUT]), "depth",
      per(sum->depth[WITH], sum->positions), "depth_without",
      per(sum->depth[WITHOUT], sum->positions), "ahead",
      per((double)sum->hatched, (double)(sum->hatched + sum->listed)), "hands",
      (json_int_t)sum->after.hands, "batches_per_second",
      per((double)batches_of(sum), sum->seconds[WITH]), "children",
      children_of(sum), "first_ms", stage_of(sum, BREEDER_FIRST), "rest_ms",
      stage_of(sum, BREEDER_REST), "fetch_ms", stage_of(sum, BREEDER_FETCH),
      "add_ms", stage_of(sum, BREEDER_ADD));
}

static void print(const Options *options, const char *game, bool learned,
                  const Settings *settings, const Sum *sum,
                  const CardSum *card) {
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
    if (card->positions) print_card(settings, card);
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
  if (card->positions) json_object_set_new(line, "card", card_json(card));
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
  CardSum card = {0};
  Settings alone = *settings;
  uint64_t seed = (uint64_t)options->seed;
  alone.gpu = 0;
  Learner *learner = learner_new(book, settings, seed);
  if (learner) learner_learn(learner, &(Budget){.seconds = options->seconds});
  const Evaluation *evaluation = learner ? learner_evaluation(learner) : NULL;
  Minimax *minimax = minimax_new(book, 0, &alone, seed);
  minimax_set_evaluation(minimax, evaluation);
  Guide guide = guide_new(book, settings, evaluation, seed);
  for (uint32_t i = 0; i < POSITIONS; i++) {
    if (i) play_on(&guide, &minimax, 1);
    think(minimax, options->seconds / POSITIONS, &sum);
  }
  if (evaluation) sum.evaluation = bench_evaluation(book, evaluation, seed);
  minimax_delete(minimax);
  guide_free(&guide);
  if (may_use_card(book, settings))
    measure_card(options, path, book, settings, evaluation, &card);
  print(options, path, evaluation != NULL, settings, &sum, &card);
  if (learner) learner_delete(learner);
  return EXIT_FINE;
}

int bench_minimax(const Options *options) {
  return bench_agent(options, agent_of(options), measure);
}
