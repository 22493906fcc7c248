/* The 2008 attempt of CadiaPlayer (Finnsson and Bjornsson 2009, section IV-D):
   a time-bounded search like A*, guided by a relaxed planning graph. Three
   searches take turns, since nobody knows how much time there is:

     best     A* for the best goal that may still be possible. If it runs out
              of memory, it begins again with more weight on the heuristic.
     greedy   for the same goal by the heuristic alone; when its memory is full,
              again with some noise.
     partial  greedy, for the next better goal than that of the best plan, as
              long as that is not the best one.

   Each first takes states that differ in step counters only for one, which may
   miss ends that come at a certain step. A search that has expanded everything
   begins again with whole states; if there is no end then either, the goal is
   proved to be out of reach: estimates are infinite for dead ends only. */
#include "solve/astar.h"

#include "solve/frontier.h"

typedef enum { BEST, GREEDY, PARTIAL, SEARCHES } Kind;

typedef struct Search {
  Frontier frontier;
  bool begun, done;
  uint32_t rounds; /* begun for lack of memory */
} Search;

typedef struct Astar {
  Method method;
  Game *game;
  Packing packing;
  Search searches[SEARCHES];
} Astar;

static Method *astar_new(const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (puzzle->terminal || !puzzle->net) return NULL;
  Astar *astar = memory_new(sizeof *astar);
  astar->method = (Method){.kind = &astar_method, .puzzle = puzzle};
  astar->game = puzzle_game(puzzle);
  packing_init(&astar->packing, puzzle->book, puzzle->start);
  for (uint32_t i = 0; i < SEARCHES; i++)
    frontier_init(&astar->searches[i].frontier, &astar->method, astar->game,
                  &astar->packing, task->memory / SEARCHES, task->seed + i);
  return &astar->method;
}

static void astar_delete(Method *method) {
  Astar *astar = (Astar *)method;
  for (uint32_t i = 0; i < SEARCHES; i++)
    frontier_free(&astar->searches[i].frontier);
  packing_free(&astar->packing);
  game_delete(astar->game);
  memory_delete(astar);
}

/* ---- goals ---- */

/* The highest goal of the rules below this one; 0 if there is none. */
static int goal_below(const Puzzle *puzzle, int goal) {
  int below = 0;
  for (uint32_t i = 0; i < puzzle->net->goals.count; i++) {
    int value = puzzle->net->goals.data[i].value;
    if (value < goal && value > below) below = value;
  }
  return below;
}

/* The lowest goal of the rules that is better than the best plan; 101 if there
   is none. */
static int goal_above(const Puzzle *puzzle) {
  int score = atomic_load(&puzzle->score), above = 101;
  for (uint32_t i = 0; i < puzzle->net->goals.count; i++) {
    int value = puzzle->net->goals.data[i].value;
    if (value > score && value < above) above = value;
  }
  return above;
}

/* ---- searches ---- */

/* A*, weighted A*, then greedy; more and more noise for the others. */
static void set_weights(Frontier *frontier, Kind kind, uint32_t rounds) {
  static const uint32_t weights[] = {1, 2, 5};
  bool by_depth = kind == BEST && rounds < sizeof weights / sizeof *weights;
  frontier->weight_depth = by_depth;
  frontier->weight_plan = by_depth ? weights[rounds] : 1;
  frontier->noise = by_depth || !rounds ? 0 : 1 + rounds;
}

static void begin(Astar *astar, Kind kind) {
  Puzzle *puzzle = astar->method.puzzle;
  Search *search = &astar->searches[kind];
  int bound = atomic_load(&puzzle->bound);
  int target = kind == PARTIAL ? goal_above(puzzle) : bound;
  search->begun = true;
  search->done = target <= atomic_load(&puzzle->score) ||
                 (kind == PARTIAL && target >= bound);
  set_weights(&search->frontier, kind, search->rounds);
  if (!search->done) frontier_begin(&search->frontier, target);
}

/* All states that it knows of were expanded. */
static void exhaust(Astar *astar, Search *search) {
  Puzzle *puzzle = astar->method.puzzle;
  search->begun = false;
  if (search->frontier.timeless) {
    search->frontier.timeless = false;
    return;
  }
  puzzle_prove_bound(puzzle, astar_method.name,
                     goal_below(puzzle, search->frontier.target));
  search->done = search->frontier.target == 0;
}

/* The goals have changed: somebody has a better plan, or proved a bound. */
static bool is_stale(const Puzzle *puzzle, const Search *search, Kind kind) {
  int target = search->frontier.target;
  if (kind == PARTIAL) return target <= atomic_load(&puzzle->score);
  return target > atomic_load(&puzzle->bound);
}

static void step(Astar *astar, Kind kind) {
  Search *search = &astar->searches[kind];
  if (!search->begun || is_stale(astar->method.puzzle, search, kind))
    begin(astar, kind);
  if (search->done) return;
  switch (frontier_step(&search->frontier)) {
  case FRONTIER_WORKING: break;
  case FRONTIER_FOUND:
    search->done = kind != PARTIAL;
    search->begun = false;
    break;
  case FRONTIER_FULL:
    search->rounds++;
    search->begun = false;
    break;
  case FRONTIER_EMPTY: exhaust(astar, search); break;
  }
}

static bool all_done(const Astar *astar) {
  for (uint32_t i = 0; i < SEARCHES; i++)
    if (!astar->searches[i].done) return false;
  return true;
}

/* States that were expanded or estimated: estimates take most of the time. */
static uint64_t work_done(const Astar *astar) {
  uint64_t work = 0;
  for (uint32_t i = 0; i < SEARCHES; i++)
    work += astar->searches[i].frontier.work;
  return work;
}

static MethodStatus astar_run(Method *method, const Slice *slice) {
  Astar *astar = (Astar *)method;
  uint64_t before = work_done(astar);
  do {
    for (Kind kind = BEST; kind < SEARCHES; kind++)
      if (!astar->searches[kind].done) step(astar, kind);
    if (game_failed(astar->game) || all_done(astar)) return METHOD_DONE;
  } while (!method_slice_over(slice, work_done(astar) - before));
  return METHOD_WORKING;
}

static bool astar_best(Method *method, Move *move) {
  Astar *astar = (Astar *)method;
  return frontier_move(&astar->searches[GREEDY].frontier, move);
}

static void astar_explain(Method *method, Text *text) {
  static const char *const names[] = {"best", "greedy", "partial"};
  const Astar *astar = (const Astar *)method;
  for (uint32_t i = 0; i < SEARCHES; i++) {
    const Frontier *frontier = &astar->searches[i].frontier;
    const FrontierNode *nearest = &frontier->nodes[frontier->nearest];
    text_format(text, "%s%s: goal %d, %u states, nearest %u", i ? "; " : "",
                names[i], frontier->target, store_count(frontier->store),
                nearest->h);
  }
}

const MethodKind astar_method = {
    .name = "astar",
    .origin = "Finnsson and Bjornsson 2009",
    .help = "best-first search by relaxed plans",
    .pace = 1000,
    .new = astar_new,
    .run = astar_run,
    .best = astar_best,
    .explain = astar_explain,
    .delete = astar_delete,
};
