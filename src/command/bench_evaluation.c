/* How fast an evaluation is, along random games: from state to state the way a
   search meets them, but without the engine. */
#include "base/clock.h"
#include "base/random.h"
#include "command/bench.h"
#include "engine/moves.h"

enum { STATES = 1024 };
static const double seconds = 0.05; /* of processor time, for each way */

static uint64_t *play(Book *book, uint64_t seed) {
  Game *game = book_game(book);
  uint64_t *states = memory_new((size_t)STATES * book->words * sizeof *states);
  Random random;
  random_seed(&random, seed);
  for (size_t i = 0; i < STATES; i++) {
    Move joint[RULE_ROLES];
    const uint64_t *words;
    game_state(game, &words);
    memcpy(states + i * book->words, words, book->words * sizeof *words);
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    game_make(game, joint);
    if (game_terminal(game)) game_reset(game);
  }
  game_delete(game);
  return states;
}

static double measure(const Evaluation *evaluation, const uint64_t *states,
                      int32_t *sums, bool update) {
  uint32_t words = evaluation->words;
  float values[RULE_ROLES];
  uint64_t count = 0;
  double start = clock_thread(), spent = 0;
  evaluation_begin(evaluation, states, sums);
  for (; spent < seconds; spent = clock_thread() - start)
    for (uint32_t i = 0; i < STATES; i++, count++) {
      const uint64_t *to = states + (size_t)i * words;
      const uint64_t *from =
          states + (size_t)((i + STATES - 1) % STATES) * words;
      if (!update)
        evaluation_begin(evaluation, to, sums);
      else if (count)
        evaluation_update(evaluation, from, to, sums);
      evaluation_values(evaluation, to, sums, NULL, values);
    }
  return (double)count / spent;
}

BenchEvaluation bench_evaluation(Book *book, const Evaluation *evaluation,
                                 uint64_t seed) {
  uint64_t *states = play(book, seed);
  int32_t *sums = memory_new((evaluation->sum_count + 1) * sizeof *sums);
  BenchEvaluation rates = {measure(evaluation, states, sums, false),
                           measure(evaluation, states, sums, true)};
  memory_delete(states);
  memory_delete(sums);
  return rates;
}
