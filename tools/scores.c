/* Plays matches between two searches whose leaves are all played out by hands,
   as ranks do with the scheme leaf (docs/cluster.md): the hands of one follow
   the scores of the search (--scores merged), those of the other their own
   (--scores own). All else is equal, and everything is counted, so that the
   result depends on the seed alone. Prints one line:
   GAME HANDS PLAYOUTS GAMES wins draws losses, of merged scores.

     build/tools/scores GAME AGENT HANDS PLAYOUTS GAMES [SEED]
     build/tools/scores games/connectFour.kif \
       tafl:mind=search,evaluation=none,lanes=128,repeat=4 4 16384 200 */
#include <stdio.h>
#include <stdlib.h>

#include "scale/handful.h"
#include "scale/lockstep.h"
#include "support/ask.h"

enum { ROLES = 2, HANDS_MOST = 1024, STEPS_MOST = 1000, PIECE = 32 };

typedef struct Scores {
  Asking asking;
  Settings settings;
  uint32_t hands;
  uint64_t playouts;
} Scores;

typedef struct Side {
  Search *search;
  Handful *handful;
  Lockstep *lockstep;
} Side;

static bool open_side(Scores *scores, Side *side, uint32_t role, bool merged,
                      uint64_t seed) {
  Book *book = &scores->asking.book;
  const HandfulPlan plan = {
      .hands = scores->hands, .leaves = PIECE, .merged = merged, .seed = ~seed};
  *side = (Side){.handful = handful_new(book, &scores->settings, &plan)};
  if (!side->handful) return false;
  side->search = search_new(book, role, &scores->settings, seed);
  side->lockstep = lockstep_new(side->search, handful_ally(side->handful));
  return true;
}

static void close_side(Side *side) {
  if (!side->handful) return;
  lockstep_delete(side->lockstep);
  search_delete(side->search);
  handful_delete(side->handful);
}

static Move choose(Scores *scores, Side *side, uint32_t role) {
  const Move *moves;
  if (game_legal(scores->asking.game, role, &moves) == 1) return moves[0];
  lockstep_think(side->lockstep, scores->playouts);
  return search_best(side->search);
}

static void play_steps(Scores *scores, Side *sides) {
  Game *game = scores->asking.game;
  game_reset(game);
  for (uint32_t step = 0; step < STEPS_MOST && !game_terminal(game); step++) {
    Move joint[ROLES];
    for (uint32_t i = 0; i < ROLES; i++)
      joint[i] = choose(scores, &sides[i], i);
    for (uint32_t i = 0; i < ROLES; i++) search_advance(sides[i].search, joint);
    game_make(game, joint);
  }
}

/* Plays a game in which merged scores have this role, and sets their lead in
   goals; returns false if there are no playouts. */
static bool play(Scores *scores, uint32_t role, uint64_t seed, int *lead) {
  Side sides[ROLES] = {0};
  bool fine = true;
  for (uint32_t i = 0; i < ROLES && fine; i++)
    fine = open_side(scores, &sides[i], i, i == role, seed * ROLES + i);
  if (fine) {
    play_steps(scores, sides);
    *lead = game_goal(scores->asking.game, role) -
            game_goal(scores->asking.game, 1 - role);
  }
  for (uint32_t i = 0; i < ROLES; i++) close_side(&sides[i]);
  return fine;
}

static bool prepare(Scores *scores, char **arguments) {
  Text error = {0};
  bool fine = settings_parse(&scores->settings, arguments[2], &error);
  if (!fine) fprintf(stderr, "scores: %s\n", text_string(&error));
  text_free(&error);
  if (!fine) return false;
  asking_open(&scores->asking, arguments[1]);
  scores->hands = (uint32_t)strtoul(arguments[3], NULL, 10);
  scores->playouts = strtoull(arguments[4], NULL, 10);
  if (scores->hands && scores->hands <= HANDS_MOST && scores->playouts &&
      scores->settings.lanes != 1 && scores->asking.game->role_count == ROLES)
    return true;
  fputs("scores: 1 to 1024 hands, playouts, an agent with lanes, and a game of "
        "two roles\n",
        stderr);
  return false;
}

int main(int count, char **arguments) {
  static Scores scores;
  if (count < 6) {
    fputs("scores GAME AGENT HANDS PLAYOUTS GAMES [SEED]\n", stderr);
    return 2;
  }
  if (!prepare(&scores, arguments)) return 3;
  uint64_t games = strtoull(arguments[5], NULL, 10), results[3] = {0};
  uint64_t seed = count > 6 ? strtoull(arguments[6], NULL, 10) : 1;
  bool fine = true;
  for (uint64_t i = 0; i < games && fine; i++) {
    int lead = 0;
    fine = play(&scores, (uint32_t)(i % ROLES), seed * 100000 + i, &lead);
    results[lead > 0 ? 0 : lead < 0 ? 2 : 1]++;
  }
  if (fine)
    printf("%s %u %llu %llu %llu %llu %llu\n", arguments[1], scores.hands,
           (unsigned long long)scores.playouts, (unsigned long long)games,
           (unsigned long long)results[0], (unsigned long long)results[1],
           (unsigned long long)results[2]);
  else
    fputs("scores: the game has no programs for playouts\n", stderr);
  asking_close(&scores.asking);
  return fine ? 0 : 3;
}
