#include "support/minds.h"

#include "base/random.h"
#include "engine/moves.h"
#include "engine/turn.h"

Linear *minds_random_linear(TestGame *book, uint64_t seed) {
  Linear *linear = linear_new(&book->rules);
  Random random;
  random_seed(&random, seed);
  for (uint32_t row = 0; row < linear->rows; row++)
    for (uint32_t i = 0; i < linear->features.count; i++)
      linear_row(linear, row)[i] =
          (float)random_below(&random, 2001) / 2000 - 0.5f;
  linear_freeze(linear);
  return linear;
}

void minds_play_random(Minimax *minimax, uint32_t steps, uint64_t seed) {
  Game *game = minimax_game(minimax);
  Random random;
  random_seed(&random, seed);
  minimax_reset(minimax);
  for (uint32_t i = 0; i < steps; i++) {
    Move joint[RULE_ROLES];
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    minimax_advance(minimax, joint);
    if (game_terminal(game)) minimax_reset(minimax);
  }
}

void minds_play(const MindsGame *game, uint64_t seed, int goals[2]) {
  Minimax *minds[2];
  Random random;
  random_seed(&random, seed);
  for (uint32_t i = 0; i < 2; i++) {
    minds[i] = minimax_new(game->book, i, game->settings[i], seed);
    minimax_set_evaluation(minds[i], game->evaluations[i]);
  }
  Game *board = minimax_game(minds[0]);
  for (uint32_t step = 0; !game_terminal(board); step++) {
    Turn turn = turn_of(board);
    Move joint[2];
    for (uint32_t i = 0; i < 2; i++) joint[i] = moves_random(board, i, &random);
    if (step >= game->random && turn.movers) {
      minimax_think(minds[turn.role], &(Budget){.states = game->states});
      joint[turn.role] = minimax_best(minds[turn.role]);
    }
    for (uint32_t i = 0; i < 2; i++) minimax_advance(minds[i], joint);
  }
  for (uint32_t i = 0; i < 2; i++) goals[i] = game_goal(board, i);
  for (uint32_t i = 0; i < 2; i++) minimax_delete(minds[i]);
}
