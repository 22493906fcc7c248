#include "value/clune_play.h"

#include "base/clock.h"
#include "base/trial.h"

enum { STATES = 50000 };

void clune_play_init(ClunePlay *play, Book *book, const Candidates *candidates,
                     const Budget *budget, uint64_t seed) {
  size_t roles = book->net.role_count;
  *play = (ClunePlay){
      .candidates = candidates, .budget = budget, .began = clock_now()};
  play->game = book_game(book);
  random_seed(&play->random, seed);
  play->last.values = memory_new(
      (CLUNE_LONGEST * (size_t)candidates->list.count + 1) * sizeof(float));
  play->last.legal = memory_new(CLUNE_LONGEST * roles * sizeof(uint32_t));
  play->last.goals = memory_new(roles * sizeof *play->last.goals);
  play->joint = memory_new(roles * sizeof *play->joint);
}

void clune_play_free(ClunePlay *play) {
  game_delete(play->game);
  memory_delete(play->last.values);
  memory_delete(play->last.legal);
  memory_delete(play->last.goals);
  memory_delete(play->joint);
}

bool clune_play_spent(const ClunePlay *play, double share) {
  const Budget *budget = play->budget;
  if (budget->stop && atomic_load(budget->stop)) return true;
  if (budget->seconds > 0 &&
      clock_now() - play->began > budget->seconds * share)
    return true;
  if (budget->simulations &&
      (double)play->games >= (double)budget->simulations * share)
    return true;
  double states = budget->states           ? (double)budget->states
                  : budget_limited(budget) ? 1e18
                                           : STATES;
  return (double)play->states >= states * share;
}

/* Notes the state and chooses a move for each role. Returns false if a role has
   none. */
static bool look(ClunePlay *play) {
  Game *game = play->game;
  CluneGame *last = &play->last;
  const uint64_t *words;
  game_state(game, &words);
  candidates_values(play->candidates, words, true,
                    last->values +
                        (size_t)last->steps * play->candidates->list.count);
  for (uint32_t r = 0; r < game->role_count; r++) {
    const Move *moves;
    uint32_t count = game_legal(game, r, &moves);
    if (!count) return false;
    last->legal[last->steps * game->role_count + r] = count;
    play->joint[r] = moves[random_below(&play->random, count)];
  }
  last->steps++;
  return true;
}

bool clune_play_game(ClunePlay *play) {
  Game *game = play->game;
  CluneGame *last = &play->last;
  last->steps = 0;
  last->ended = false;
  play->games++;
  game_reset(game);
  while (!game_terminal(game)) {
    trial_check();
    if (last->steps == CLUNE_LONGEST || !look(play)) return false;
    game_make(game, play->joint);
    play->states++;
    if (game_failed(game) ||
        (play->states % 16 == 0 && clune_play_spent(play, 1)))
      return false;
  }
  last->ended = true;
  for (uint32_t r = 0; r < game->role_count; r++) {
    last->goals[r] = game_goal(game, r);
    if (last->goals[r] < 0) last->ended = false;
  }
  return last->ended && last->steps;
}
