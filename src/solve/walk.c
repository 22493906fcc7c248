/* States are kept as the words of their engine, each once, with the state and
   the move that led to it first. They are expanded in the order in which they
   were found, so the first plan of a score is shortest, and once all are
   expanded the best score is proved. Ends are looked at when they are found and
   not kept. */
#include "solve/walk.h"

#include "base/hash.h"

typedef struct Step {
  size_t first;   /* word of the state */
  uint32_t count; /* words */
  uint32_t parent, depth;
  Move move;
} Step;

typedef struct Walk {
  Method method;
  Game *game;
  uint64_t *words;
  size_t word_count, word_room;
  VECTOR(Step) steps;
  Map map; /* of steps */
  uint32_t head;
  MoveVector legal;
  int best;
  uint32_t best_length;
} Walk;

/* ---- states ---- */

static uint64_t hash_words(const uint64_t *words, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++) hash = hash_pair(hash, words[i]);
  return hash;
}

static void keep_words(Walk *walk, const uint64_t *words, uint32_t count) {
  if (walk->word_count + count > walk->word_room) {
    walk->word_room = (walk->word_count + count) * 2;
    walk->words =
        memory_resize(walk->words, walk->word_room * sizeof *walk->words);
  }
  memcpy(walk->words + walk->word_count, words, count * sizeof *words);
  walk->word_count += count;
}

/* Adds the engine's state, if it is new. */
static void add_state(Walk *walk, uint32_t parent, uint32_t depth, Move move) {
  const uint64_t *words;
  uint32_t count = game_state(walk->game, &words);
  MapCursor at;
  uint32_t entry = map_first(&walk->map, hash_words(words, count), &at);
  for (; entry; entry = map_next(&walk->map, &at)) {
    const Step *step = &walk->steps.data[entry - 1];
    if (step->count == count &&
        memcmp(walk->words + step->first, words, count * sizeof *words) == 0)
      return;
  }
  vector_push(&walk->steps,
              ((Step){walk->word_count, count, parent, depth, move}));
  keep_words(walk, words, count);
  map_insert(&walk->map, &at, walk->steps.count);
}

/* ---- plans ---- */

/* The engine is at an end, one move after a step. */
static void take_end(Walk *walk, uint32_t step, Move move) {
  Puzzle *puzzle = walk->method.puzzle;
  int score = game_goal(walk->game, 0);
  uint32_t length = walk->steps.data[step].depth + 1;
  if (score <= walk->best) return;
  walk->best = score;
  walk->best_length = length;
  Move *moves = memory_new(length * sizeof *moves);
  moves[length - 1] = move;
  for (uint32_t i = length - 1; i > 0; i--) {
    moves[i - 1] = walk->steps.data[step].move;
    step = walk->steps.data[step].parent;
  }
  puzzle_offer(puzzle, walk_method.name, score, moves, length);
  memory_delete(moves);
  if (score == atomic_load(&puzzle->bound))
    puzzle_prove_least(puzzle, score, length);
}

/* ---- the method ---- */

static Method *new (const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (puzzle->net || puzzle->terminal) return NULL;
  Walk *walk = memory_new(sizeof *walk);
  walk->method = (Method){.kind = &walk_method, .puzzle = puzzle};
  walk->best = -1;
  walk->game = puzzle_game(puzzle);
  add_state(walk, 0, 0, 0);
  return &walk->method;
}

static void expand(Walk *walk) {
  Game *game = walk->game;
  uint32_t number = walk->head, depth = walk->steps.data[number].depth;
  const Move *moves;
  game_enter(game, walk->words + walk->steps.data[number].first,
             walk->steps.data[number].count);
  uint32_t count = game_legal(game, 0, &moves);
  vector_clear(&walk->legal);
  for (uint32_t i = 0; i < count; i++) vector_push(&walk->legal, moves[i]);
  for (uint32_t i = 0; i < count && !game_failed(game); i++) {
    Move move = walk->legal.data[i];
    game_make(game, &move);
    if (game_terminal(game))
      take_end(walk, number, move);
    else
      add_state(walk, number, depth + 1, move);
    game_retract(game);
  }
  method_count(&walk->method, 1, count);
}

/* Every state has been expanded. */
static void conclude(Walk *walk) {
  Puzzle *puzzle = walk->method.puzzle;
  int best = walk->best < 0 ? 0 : walk->best;
  puzzle_prove_bound(puzzle, walk_method.name, best);
  if (walk->best >= 0) puzzle_prove_least(puzzle, best, walk->best_length);
}

static MethodStatus run(Method *base, const Slice *slice) {
  Walk *walk = (Walk *)base;
  uint64_t begun = base->expanded;
  for (; walk->head < walk->steps.count; walk->head++) {
    if (walk->best >= atomic_load(&base->puzzle->bound)) return METHOD_DONE;
    if (method_slice_over(slice, base->expanded - begun)) return METHOD_WORKING;
    expand(walk);
    if (game_failed(walk->game)) return METHOD_DONE;
  }
  conclude(walk);
  return METHOD_DONE;
}

static void explain(Method *base, Text *text) {
  const Walk *walk = (const Walk *)base;
  text_format(text, "%u states, %u of them expanded", walk->steps.count,
              walk->head);
}

static void delete (Method *base) {
  Walk *walk = (Walk *)base;
  game_delete(walk->game);
  memory_delete(walk->words);
  vector_free(&walk->steps);
  vector_free(&walk->legal);
  map_free(&walk->map);
  memory_delete(walk);
}

const MethodKind walk_method = {
    .name = "walk",
    .origin = "breadth-first search",
    .help = "looks at all states, one at a time, where there is no net",
    .pace = 100,
    .usual = true,
    .new = new,
    .run = run,
    .explain = explain,
    .delete = delete,
};
