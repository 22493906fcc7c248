/* Each game counts once for each role, with the mean value of its states and
   the goal at its end, so that the states of one game are not taken for
   independent. */
#include "learn/audition.h"

#include <math.h>

#include "base/random.h"
#include "engine/moves.h"

enum { GAMES = 200, STATES = 8000, LONGEST = 1000 };

typedef struct Sums {
  double count, value, goal, value_square, goal_square, product;
} Sums;

typedef struct Hearing {
  const Evaluation *evaluation;
  Game *game;
  Random random;
  uint32_t states;
  int32_t *sums;
  float *values;
  double *means; /* by role: values of the game at hand */
} Hearing;

static void add_values(Hearing *hearing, double *means) {
  const uint64_t *state;
  const Evaluation *evaluation = hearing->evaluation;
  game_state(hearing->game, &state);
  evaluation_begin(evaluation, state, hearing->sums);
  evaluation_values(evaluation, state, hearing->sums, NULL, hearing->values);
  for (uint32_t r = 0; r < evaluation->role_count; r++)
    means[r] += (double)hearing->values[r];
}

/* Returns false if the game does not end in time. */
static bool play(Hearing *hearing) {
  Game *game = hearing->game;
  Move joint[RULE_ROLES];
  uint32_t steps = 0, roles = hearing->evaluation->role_count;
  for (uint32_t r = 0; r < roles; r++) hearing->means[r] = 0;
  game_reset(game);
  for (; !game_terminal(game); steps++, hearing->states++) {
    const Move *moves;
    if (steps == LONGEST || hearing->states >= STATES) return false;
    add_values(hearing, hearing->means);
    for (uint32_t r = 0; r < roles; r++) {
      uint32_t count = game_legal(game, r, &moves);
      if (!count || game_failed(game)) return false;
      joint[r] = moves[random_below(&hearing->random, count)];
    }
    game_make(game, joint);
  }
  for (uint32_t r = 0; steps && r < roles; r++) hearing->means[r] /= steps;
  return steps && !game_failed(game);
}

static void add(Sums *sums, double value, double goal) {
  sums->count++;
  sums->value += value;
  sums->goal += goal;
  sums->value_square += value * value;
  sums->goal_square += goal * goal;
  sums->product += value * goal;
}

static double correlation(const Sums *sums) {
  double n = sums->count;
  if (n < 2) return 0;
  double covariance = sums->product - sums->value * sums->goal / n;
  double values = sums->value_square - sums->value * sums->value / n;
  double goals = sums->goal_square - sums->goal * sums->goal / n;
  return values > 1e-9 && goals > 1e-9 ? covariance / sqrt(values * goals) : 0;
}

Audition audition_hear(Book *book, const Evaluation *evaluation,
                       uint64_t seed) {
  uint32_t roles = evaluation->role_count;
  Audition audition = {0};
  Hearing hearing = {.evaluation = evaluation, .game = book_game(book)};
  Sums *sums = memory_new(roles * sizeof *sums);
  hearing.sums = memory_new((evaluation->sum_count + 1) * sizeof *hearing.sums);
  hearing.values = memory_new(roles * sizeof *hearing.values);
  hearing.means = memory_new(roles * sizeof *hearing.means);
  random_seed(&hearing.random, seed);
  for (uint32_t i = 0; i < GAMES && hearing.states < STATES; i++) {
    if (!play(&hearing)) continue;
    audition.games++;
    for (uint32_t r = 0; r < roles; r++) {
      int goal = game_goal(hearing.game, r);
      if (goal >= 0) add(&sums[r], hearing.means[r], goal);
    }
  }
  for (uint32_t r = 0; r < roles; r++)
    audition.correlation += correlation(&sums[r]) / roles;
  memory_delete(sums);
  memory_delete(hearing.sums);
  memory_delete(hearing.values);
  memory_delete(hearing.means);
  game_delete(hearing.game);
  return audition;
}

/* Two standard errors of a correlation of nothing. */
bool audition_failed(const Audition *audition) {
  return audition->games &&
         audition->correlation < -2 / sqrt((double)audition->games);
}
