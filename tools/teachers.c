/* Lets alpha-beta play against itself with evaluations that were learned in two
   ways, each for so many seconds, with equal states a move: pairs of games from
   the same six random steps, evaluations learned anew for every ten pairs.
   Prints what the first way came to, with a 95 % interval, after every ten.

     build/tools/teachers GAME.kif AGENT SECONDS AGENT SECONDS STATES PAIRS SEED
     build/tools/teachers games/breakthrough.kif minimax:threads=1 3 \
       minimax:threads=1,teacher=playouts 3 20000 20 1 */
#include <math.h>

#include "learn/learner.h"
#include "support/minds.h"

enum { RANDOM = 6, PAIRS = 10, ARGUMENTS = 9 };

typedef struct Way {
  Settings settings;
  double seconds;
  Learner *learner;
} Way;

typedef struct Match {
  Book book;
  Way ways[2];
  uint64_t states;
} Match;

static void learn(Match *match, uint64_t seed) {
  for (uint32_t i = 0; i < 2; i++) {
    Way *way = &match->ways[i];
    learner_delete(way->learner);
    way->learner = learner_new(&match->book, &way->settings, seed + i);
    if (!way->learner) {
      fputs("there is nothing to learn about the game\n", stderr);
      exit(3);
    }
    learner_learn(way->learner, &(Budget){.seconds = way->seconds});
    if (!learner_evaluation(way->learner)) printf("no evaluation %u\n", i);
  }
}

/* Returns the points of the first way, which plays the role. */
static int play(Match *match, uint32_t role, uint64_t seed) {
  MindsGame game = {
      .book = &match->book, .random = RANDOM, .states = match->states};
  int goals[2];
  for (uint32_t i = 0; i < 2; i++) {
    const Way *way = &match->ways[i != role];
    game.settings[i] = &way->settings;
    game.evaluations[i] = learner_evaluation(way->learner);
  }
  minds_play(&game, seed, goals);
  int lead = goals[role] - goals[1 - role];
  return lead > 0 ? 100 : lead < 0 ? 0 : 50;
}

static void show(double sum, double squares, double games) {
  double mean = sum / games;
  double variance = fmax(squares / games - mean * mean, 0);
  printf("%3.0f games: %.1f +- %.1f %%\n", games, mean,
         1.96 * sqrt(variance / fmax(games - 1, 1)));
  fflush(stdout);
}

int main(int count, char **arguments) {
  if (count != ARGUMENTS) {
    fputs("teachers GAME.kif AGENT SECONDS AGENT SECONDS STATES PAIRS SEED\n",
          stderr);
    return 2;
  }
  static Match match;
  static Description description;
  Text error = {0};
  BookLimits limits = {.ground = {.memory = (size_t)2 << 30},
                       .rules = {.memory = (size_t)64 << 20}};
  bool fine = description_read(&description, arguments[1], 1 << 22, &error);
  for (int i = 0; fine && i < 2; i++) {
    Way *way = &match.ways[i];
    fine = settings_parse(&way->settings, arguments[2 + 2 * i], &error);
    way->seconds = atof(arguments[3 + 2 * i]);
  }
  if (!fine) {
    fprintf(stderr, "%s\n", text_string(&error));
    return 3;
  }
  book_init(&match.book, &description, &limits, true);
  if (!match.book.has_net || match.book.net.role_count != 2) {
    fputs("not a game of two roles with a net\n", stderr);
    return 3;
  }
  learner_prepare(&match.book, &match.ways[0].settings);
  match.states = strtoull(arguments[6], NULL, 10);
  uint32_t pairs = (uint32_t)atoi(arguments[7]);
  uint64_t seed = strtoull(arguments[8], NULL, 10) << 32;
  double sum = 0, squares = 0;
  for (uint32_t i = 0; i < pairs; i++) {
    if (i % PAIRS == 0) learn(&match, seed + 2 * i);
    for (uint32_t role = 0; role < 2; role++) {
      double points = play(&match, role, seed + i);
      sum += points;
      squares += points * points;
    }
    if ((i + 1) % PAIRS == 0 || i + 1 == pairs)
      show(sum, squares, 2.0 * (i + 1));
  }
  for (uint32_t i = 0; i < 2; i++) learner_delete(match.ways[i].learner);
  book_free(&match.book);
  description_free(&description);
  return 0;
}
