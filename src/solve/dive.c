/* Warnsdorff's rule for the knight's tour (1823): go to the place from which
   the fewest moves lead on, as it will be hard to come to later. In general, of
   the states that are not terminal the one with the fewest legal moves; ties,
   and now and then the choice, are random. A dive goes on until the game is
   over whatever is played, at most for LONGEST steps; then a new one begins.
   Every end is looked at, those beside the line too.

   Moves are made on the scalar engine, since the legal moves of each successor
   have to be counted; a successor is a state of the slice. A tour of 81 places
   that the best-first searches left at 73 takes a quarter of a second. */
#include "solve/dive.h"

#include "base/random.h"

enum {
  LONGEST = 2000, /* steps */
  STRAY = 32      /* every so many choices are random, about */
};

typedef struct Dive {
  Method method;
  Random random;
  Game *game;
  MoveVector line, legal;
  uint32_t dives, deepest;
} Dive;

static Method *new (const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (!puzzle->net || puzzle->terminal) return NULL;
  Dive *dive = memory_new(sizeof *dive);
  dive->method = (Method){.kind = &dive_method, .puzzle = puzzle};
  dive->game = puzzle_game(puzzle);
  random_seed(&dive->random, task->seed);
  return &dive->method;
}

/* The line, with one more move, leads to an end. */
static void offer(Dive *dive, Move move) {
  Puzzle *puzzle = dive->method.puzzle;
  int score = game_goal(dive->game, 0);
  uint32_t length = dive->line.count + 1;
  int known = atomic_load(&puzzle->score);
  if (score < known ||
      (score == known && length >= atomic_load(&puzzle->length)))
    return;
  vector_push(&dive->line, move);
  puzzle_offer(puzzle, dive_method.name, score, dive->line.data, length);
  dive->line.count--;
}

/* Looks at the successors; returns the number of those that are not terminal,
   and the move to the best one. */
static uint32_t look(Dive *dive, Move *best) {
  Game *game = dive->game;
  const Move *moves;
  uint32_t count = game_legal(game, 0, &moves), open = 0, ties = 0;
  uint32_t least = UINT32_MAX;
  bool stray = random_below(&dive->random, STRAY) == 0;
  vector_clear(&dive->legal);
  for (uint32_t i = 0; i < count; i++) vector_push(&dive->legal, moves[i]);
  for (uint32_t i = 0; i < count; i++) {
    Move move = dive->legal.data[i];
    game_make(game, &move);
    if (game_terminal(game)) {
      offer(dive, move);
    } else {
      const Move *onward;
      uint32_t ways = stray ? 0 : game_legal(game, 0, &onward);
      open++;
      if (ways < least) least = ways, ties = 0;
      if (ways == least && random_below(&dive->random, ++ties) == 0)
        *best = move;
    }
    game_retract(game);
  }
  method_count(&dive->method, count + 1, count);
  return open;
}

static void surface(Dive *dive) {
  for (uint32_t i = 0; i < dive->line.count; i++) game_retract(dive->game);
  if (dive->line.count > dive->deepest) dive->deepest = dive->line.count;
  vector_clear(&dive->line);
  dive->dives++;
}

static MethodStatus run(Method *base, const Slice *slice) {
  Dive *dive = (Dive *)base;
  uint64_t begun = base->expanded;
  while (!game_failed(dive->game)) {
    Move move;
    if (puzzle_shortest(base->puzzle)) return METHOD_DONE;
    if (dive->line.count < LONGEST && look(dive, &move)) {
      game_make(dive->game, &move);
      vector_push(&dive->line, move);
    } else {
      surface(dive);
    }
    if (method_slice_over(slice, base->expanded - begun)) return METHOD_WORKING;
  }
  return METHOD_DONE;
}

static void explain(Method *base, Text *text) {
  const Dive *dive = (const Dive *)base;
  text_format(text, "%u dives, the deepest of %u steps", dive->dives,
              dive->deepest);
}

static void delete (Method *base) {
  Dive *dive = (Dive *)base;
  game_delete(dive->game);
  vector_free(&dive->line);
  vector_free(&dive->legal);
  memory_delete(dive);
}

const MethodKind dive_method = {
    .name = "dive",
    .origin = "Warnsdorff 1823",
    .help = "goes where the fewest moves lead on, again and again",
    .pace = 2000,
    .usual = true,
    .new = new,
    .run = run,
    .explain = explain,
    .delete = delete,
};
