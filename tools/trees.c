/* Plays matches between several trees and one, to see what root parallel search
   is worth: TREES searches think about the same state with SIMS simulations
   each, and the sums of their roots decide; one search has OTHER simulations.
   EXCHANGES times while they think, each tree is told the sums of the others
   (multiple runs); 0: only at the end (single run). Everything is counted, so
   that the result does not depend on the machine. Prints one line:
   GAME TREES SIMS EXCHANGES OTHER GAMES wins draws losses, of the trees.

     build/tools/trees GAME AGENT TREES SIMS EXCHANGES AGENT OTHER GAMES [SEED]
     build/tools/trees games/nim.kif cadia2007 4 50 0 cadia2007 200 10 */
#include <stdio.h>
#include <stdlib.h>

#include "search/roots.h"
#include "search/summary.h"
#include "support/ask.h"

enum { ROLES = 2, TREES_MOST = 1024, STEPS_MOST = 1000 };

typedef struct Trees {
  Asking asking;
  Settings settings[2]; /* of the trees, of the one search */
  uint32_t count, exchanges;
  uint64_t simulations, other;
  Search *list[TREES_MOST], *single;
  RootSums found[TREES_MOST];  /* by each tree, */
  RootSums before[TREES_MOST]; /* and what it has told */
} Trees;

static RootSum *find(RootSums *sums, uint32_t move) {
  for (uint32_t i = 0; i < sums->actions.count; i++)
    if (sums->actions.data[i].move == move) return &sums->actions.data[i];
  vector_push(&sums->actions, ((RootSum){.move = move, .exact = -1}));
  return &vector_last(&sums->actions);
}

/* Adds what a tree has found since the last exchange. */
static void add(RootSums *sums, const RootSums *now, RootSums *before) {
  for (uint32_t i = 0; i < now->actions.count; i++) {
    const RootSum *action = &now->actions.data[i];
    const RootSum *old = find(before, action->move);
    RootSum *sum = find(sums, action->move);
    sum->visits += action->visits - old->visits;
    sum->total += action->total - old->total;
    if (sum->exact < 0 && action->exact >= 0) {
      sum->exact = action->exact;
      sum->distance = action->distance;
    }
  }
}

/* Tells the first `told` trees what all others have found. */
static void exchange(Trees *trees, uint32_t told) {
  for (uint32_t i = 0; i < trees->count; i++)
    roots_take(trees->list[i], &trees->found[i]);
  for (uint32_t i = 0; i < told; i++) {
    RootSums sums = {0};
    for (uint32_t j = 0; j < trees->count; j++)
      if (j != i) add(&sums, &trees->found[j], &trees->before[j]);
    roots_join(trees->list[i], &sums);
    vector_free(&sums.actions);
  }
  for (uint32_t i = 0; i < trees->count; i++) {
    RootSums found = trees->found[i];
    trees->found[i] = trees->before[i];
    trees->before[i] = found;
  }
}

static Move think(Trees *trees) {
  uint32_t slices = trees->exchanges + 1;
  uint64_t slice = trees->simulations / slices;
  for (uint32_t i = 0; i < trees->count; i++)
    vector_clear(&trees->before[i].actions);
  for (uint32_t at = 1; at <= slices; at++) {
    for (uint32_t i = 0; i < trees->count; i++)
      search_think(trees->list[i], &(Budget){.simulations = slice ? slice : 1});
    exchange(trees, at < slices ? trees->count : 1);
  }
  summary_publish(trees->list[0]);
  return search_best(trees->list[0]);
}

static Move choose(Trees *trees, uint32_t role, bool several) {
  const Move *moves;
  if (game_legal(trees->asking.game, role, &moves) == 1) return moves[0];
  if (several) return think(trees);
  search_think(trees->single, &(Budget){.simulations = trees->other});
  return search_best(trees->single);
}

static void advance(Trees *trees, const Move *joint) {
  for (uint32_t i = 0; i < trees->count; i++)
    search_advance(trees->list[i], joint);
  search_advance(trees->single, joint);
  game_make(trees->asking.game, joint);
}

/* Plays a game in which the trees have this role; returns its lead in goals. */
static int play(Trees *trees, uint32_t role, uint64_t seed) {
  Game *game = trees->asking.game;
  Book *book = &trees->asking.book;
  for (uint32_t i = 0; i < trees->count; i++)
    trees->list[i] =
        search_new(book, role, &trees->settings[0], seed * TREES_MOST + i);
  trees->single = search_new(book, 1 - role, &trees->settings[1], ~seed);
  game_reset(game);
  for (uint32_t step = 0; step < STEPS_MOST && !game_terminal(game); step++) {
    Move joint[ROLES];
    for (uint32_t i = 0; i < ROLES; i++) joint[i] = choose(trees, i, i == role);
    advance(trees, joint);
  }
  for (uint32_t i = 0; i < trees->count; i++) search_delete(trees->list[i]);
  search_delete(trees->single);
  return game_goal(game, role) - game_goal(game, 1 - role);
}

static bool parse(Settings *settings, const char *agent) {
  Text error = {0};
  bool fine = settings_parse(settings, agent, &error);
  if (!fine) fprintf(stderr, "trees: %s\n", text_string(&error));
  text_free(&error);
  return fine;
}

static bool prepare(Trees *trees, char **arguments) {
  if (!parse(&trees->settings[0], arguments[2]) ||
      !parse(&trees->settings[1], arguments[6]))
    return false;
  asking_open(&trees->asking, arguments[1]);
  trees->count = (uint32_t)strtoul(arguments[3], NULL, 10);
  trees->simulations = strtoull(arguments[4], NULL, 10);
  trees->exchanges = (uint32_t)strtoul(arguments[5], NULL, 10);
  trees->other = strtoull(arguments[7], NULL, 10);
  if (trees->count && trees->count <= TREES_MOST && trees->simulations &&
      trees->other && trees->asking.game->role_count == ROLES)
    return true;
  fputs("trees: 1 to 1024 trees, simulations, and a game of two roles\n",
        stderr);
  return false;
}

int main(int count, char **arguments) {
  static Trees trees;
  if (count < 9) {
    fputs("trees GAME AGENT TREES SIMS EXCHANGES AGENT OTHER GAMES [SEED]\n",
          stderr);
    return 2;
  }
  if (!prepare(&trees, arguments)) return 3;
  uint64_t games = strtoull(arguments[8], NULL, 10), results[3] = {0};
  uint64_t seed = count > 9 ? strtoull(arguments[9], NULL, 10) : 1;
  for (uint64_t i = 0; i < games; i++) {
    int lead = play(&trees, (uint32_t)(i % ROLES), seed * 100000 + i);
    results[lead > 0 ? 0 : lead < 0 ? 2 : 1]++;
  }
  printf("%s %u %llu %u %llu %llu %llu %llu %llu\n", arguments[1], trees.count,
         (unsigned long long)trees.simulations, trees.exchanges,
         (unsigned long long)trees.other, (unsigned long long)games,
         (unsigned long long)results[0], (unsigned long long)results[1],
         (unsigned long long)results[2]);
  for (uint32_t i = 0; i < trees.count; i++) {
    vector_free(&trees.found[i].actions);
    vector_free(&trees.before[i].actions);
  }
  asking_close(&trees.asking);
  return 0;
}
