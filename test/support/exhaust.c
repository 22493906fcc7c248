/* States are numbered as they are met; a map finds them by their words. */
#include "support/exhaust.h"

#include "base/hash.h"
#include "support/front.h"

/* ---- puzzles ---- */

void exhaust_open(ExhaustPuzzle *opened, const char *text, bool ground) {
  BookLimits limits = {
      .ground = {.seconds = 20, .ticks = UINT64_MAX, .memory = (size_t)1 << 30},
      .reduce_seconds = 1,
      .rules = {.memory = (size_t)1 << 30}};
  Text error = {0};
  if (*text == '(')
    front_read(&opened->description, text);
  else
    assert_true(description_read(&opened->description, text, 1 << 20, &error));
  book_init(&opened->book, &opened->description, &limits, ground);
  assert_int_equal(opened->book.has_net, ground);
  opened->puzzle = puzzle_new(&opened->book, 1, (size_t)1 << 28);
  text_free(&error);
}

void exhaust_close(ExhaustPuzzle *opened) {
  puzzle_delete(opened->puzzle);
  book_free(&opened->book);
  description_free(&opened->description);
}

bool exhaust_run(Puzzle *puzzle, const MethodKind *kind, uint64_t seed,
                 uint64_t slice, uint64_t states) {
  MethodTask task = {.puzzle = puzzle, .seed = seed, .memory = (size_t)1 << 26};
  Method *method = kind->new (&task);
  if (!method) return true;
  MethodStatus status = METHOD_WORKING;
  Slice length = {.states = slice};
  while (status == METHOD_WORKING && method->expanded < states)
    status = kind->run(method, &length);
  kind->delete (method);
  return status == METHOD_DONE;
}

/* ---- states ---- */

static uint64_t hash_words(const uint64_t *words, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++) hash = hash_pair(hash, words[i]);
  return hash;
}

/* Returns the number of the game's state; `fresh` if it is new. */
static uint32_t number_state(Exhaust *exhaust, Map *map, Game *game,
                             bool *fresh) {
  const uint64_t *words;
  uint32_t count = game_state(game, &words);
  uint64_t hash = hash_words(words, count);
  MapCursor at;
  *fresh = false;
  for (uint32_t e = map_first(map, hash, &at); e; e = map_next(map, &at)) {
    uint32_t first = exhaust->first.data[e - 1];
    if (exhaust->first.data[e] - first == count &&
        memcmp(exhaust->words.data + first, words, count * sizeof *words) == 0)
      return e - 1;
  }
  *fresh = true;
  for (uint32_t i = 0; i < count; i++) vector_push(&exhaust->words, words[i]);
  vector_push(&exhaust->first, exhaust->words.count);
  map_insert(map, &at, ++exhaust->count);
  vector_push(&exhaust->goal, game_terminal(game) ? game_goal(game, 0) : -1);
  return exhaust->count - 1;
}

static void enter(const Exhaust *exhaust, Game *game, uint32_t state) {
  uint32_t first = exhaust->first.data[state];
  game_enter(game, exhaust->words.data + first,
             exhaust->first.data[state + 1] - first);
}

static void expand(Exhaust *exhaust, Map *map, Game *game, uint32_t state) {
  const Move *legal;
  MoveVector moves = {0};
  enter(exhaust, game, state);
  vector_push(&exhaust->link_first, exhaust->links.count);
  if (game_terminal(game)) return;
  uint32_t count = game_legal(game, 0, &legal);
  for (uint32_t i = 0; i < count; i++) vector_push(&moves, legal[i]);
  for (uint32_t i = 0; i < count; i++) {
    bool fresh;
    game_make(game, &moves.data[i]);
    uint32_t number = number_state(exhaust, map, game, &fresh);
    game_retract(game);
    vector_push(&exhaust->links, number);
    if (!fresh) continue;
    vector_push(&exhaust->depth, exhaust->depth.data[state] + 1);
    vector_push(&exhaust->parent, state);
    vector_push(&exhaust->move, moves.data[i]);
  }
  vector_free(&moves);
}

void exhaust_init(Exhaust *exhaust, Puzzle *puzzle, uint32_t limit) {
  *exhaust = (Exhaust){0};
  Map map = {0};
  Game *game = book_game(puzzle->book);
  bool fresh;
  game_enter(game, puzzle->start, puzzle->words);
  vector_push(&exhaust->first, 0);
  number_state(exhaust, &map, game, &fresh);
  vector_push(&exhaust->depth, 0);
  vector_push(&exhaust->parent, 0);
  vector_push(&exhaust->move, 0);
  for (uint32_t state = 0; state < exhaust->count; state++) {
    expand(exhaust, &map, game, state);
    assert_true(exhaust->count <= limit);
  }
  vector_push(&exhaust->link_first, exhaust->links.count);
  game_delete(game);
  map_free(&map);
}

void exhaust_free(Exhaust *exhaust) {
  vector_free(&exhaust->words);
  vector_free(&exhaust->first);
  vector_free(&exhaust->depth);
  vector_free(&exhaust->parent);
  vector_free(&exhaust->move);
  vector_free(&exhaust->goal);
  vector_free(&exhaust->link_first);
  vector_free(&exhaust->links);
}

/* ---- answers ---- */

int exhaust_best(const Exhaust *exhaust, uint32_t *length) {
  int best = -1;
  for (uint32_t state = 0; state < exhaust->count; state++)
    if (exhaust->goal.data[state] > best) {
      best = exhaust->goal.data[state];
      *length = exhaust->depth.data[state];
    }
  return best;
}

uint32_t *exhaust_distances(const Exhaust *exhaust, int score) {
  uint32_t *distances = memory_new((exhaust->count + 1) * sizeof *distances);
  for (uint32_t state = 0; state < exhaust->count; state++)
    distances[state] = exhaust->goal.data[state] >= score ? 0 : EXHAUST_NEVER;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t state = exhaust->count; state-- > 0;)
      for (uint32_t i = exhaust->link_first.data[state];
           i < exhaust->link_first.data[state + 1]; i++) {
        uint32_t next = distances[exhaust->links.data[i]];
        if (next == EXHAUST_NEVER || next + 1 >= distances[state]) continue;
        distances[state] = next + 1;
        changed = true;
      }
  }
  return distances;
}
