/* Everything of a puzzle is in a scope of its own, so that plans can be offered
   from inside the scope of a method. */
#include "solve/puzzle.h"

#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "scalar/scalar.h"

typedef VECTOR(uint64_t) StateWords;

typedef struct PuzzleInside {
  Scope scope;
  pthread_mutex_t lock; /* of what follows, and of the engine */
  Plan best;
  PlanNewsVector news;
  const char *prover;
  Game *game; /* stands at the state */
  uint64_t *state;
  const uint64_t *timed; /* set of fluents; NULL: none */
  uint64_t version;
  uint32_t advanced; /* steps since a state was entered */
} PuzzleInside;

/* What is needed here is small, and does not count for the method that offers a
   plan: it must not be given up while it has the lock. */
static void lock(Puzzle *puzzle) {
  pthread_mutex_lock(&puzzle->inside->lock);
  scope_enter(&puzzle->inside->scope);
  puzzle->inside->scope.most = INT64_MAX;
}

static void unlock(Puzzle *puzzle) {
  scope_leave(&puzzle->inside->scope);
  pthread_mutex_unlock(&puzzle->inside->lock);
}

/* ---- plans ---- */

static bool legal(Game *game, Move move) {
  const Move *moves;
  uint32_t count = game_legal(game, 0, &moves);
  for (uint32_t i = 0; i < count; i++)
    if (moves[i] == move) return true;
  return false;
}

static int replay(Game *game, const Move *moves, uint32_t count, uint32_t *at) {
  uint32_t made = 0;
  while (made < count && !game_terminal(game) && legal(game, moves[made]))
    game_make(game, &moves[made++]);
  int score = made == count && game_terminal(game) ? game_goal(game, 0) : -1;
  for (uint32_t i = 0; i < made; i++) game_retract(game);
  *at = made;
  return game_failed(game) ? -1 : score;
}

int puzzle_replay(Puzzle *puzzle, const Move *moves, uint32_t count,
                  uint32_t *at) {
  lock(puzzle);
  int score = replay(puzzle->inside->game, moves, count, at);
  unlock(puzzle);
  return score;
}

static void publish(Puzzle *puzzle) {
  const Plan *best = &puzzle->inside->best;
  atomic_store(&puzzle->length, best->moves.count);
  atomic_store(&puzzle->score, best->score);
}

static bool better(const Puzzle *puzzle, int score, uint32_t count) {
  int known = atomic_load_explicit(&puzzle->score, memory_order_relaxed);
  if (score != known) return score > known;
  return known >= 0 &&
         count < atomic_load_explicit(&puzzle->length, memory_order_relaxed);
}

static bool differ(const uint64_t *a, const uint64_t *b, uint32_t count,
                   const uint64_t *timed) {
  for (uint32_t i = 0; i < count; i++)
    if ((a[i] ^ b[i]) & ~(timed ? timed[i] : 0)) return true;
  return false;
}

/* Makes a move and returns true if it only let time pass. `before` is scratch.
 */
static bool make_waits(const PuzzleInside *inside, Move move,
                       StateWords *before) {
  const uint64_t *words;
  uint32_t count = game_state(inside->game, &words);
  vector_resize(before, count);
  memcpy(before->data, words, count * sizeof *words);
  game_make(inside->game, &move);
  return game_state(inside->game, &words) == count &&
         !differ(before->data, words, count, inside->timed);
}

/* Moves of the best plan that only let time pass are made first, if that gives
   the same score: following the plan then leaves time to find a better one. */
static void wait_first(PuzzleInside *inside) {
  MoveVector *moves = &inside->best.moves, ordered = {0};
  StateWords before = {0};
  NumberVector others = {0};
  uint32_t at;
  for (uint32_t i = 0; i < moves->count; i++)
    if (make_waits(inside, moves->data[i], &before))
      vector_push(&ordered, moves->data[i]);
    else
      vector_push(&others, moves->data[i]);
  for (uint32_t i = 0; i < moves->count; i++) game_retract(inside->game);
  for (uint32_t i = 0; i < others.count; i++)
    vector_push(&ordered, others.data[i]);
  if (ordered.count > others.count &&
      replay(inside->game, ordered.data, ordered.count, &at) ==
          inside->best.score)
    memcpy(moves->data, ordered.data, moves->count * sizeof(Move));
  vector_free(&ordered);
  vector_free(&others);
  vector_free(&before);
}

static bool take(Puzzle *puzzle, const char *by, const Move *moves,
                 uint32_t count) {
  PuzzleInside *inside = puzzle->inside;
  uint32_t at;
  int score = replay(inside->game, moves, count, &at);
  if (score < 0 || !better(puzzle, score, count)) return false;
  vector_resize(&inside->best.moves, count);
  if (count) memcpy(inside->best.moves.data, moves, count * sizeof *moves);
  inside->best.score = score;
  if (score < atomic_load(&puzzle->bound)) wait_first(inside);
  inside->best.by = by;
  inside->best.seconds = clock_now() - puzzle->began;
  vector_push(&inside->news,
              ((PlanNews){score, count, by, inside->best.seconds}));
  publish(puzzle);
  return true;
}

bool puzzle_offer(Puzzle *puzzle, const char *by, int score, const Move *moves,
                  uint32_t count) {
  if (!better(puzzle, score, count)) return false;
  lock(puzzle);
  bool taken = take(puzzle, by, moves, count);
  unlock(puzzle);
  return taken;
}

/* The caller may be a method that runs out of memory: nothing of its own is
   allocated while the lock is held. */
void puzzle_best(Puzzle *puzzle, Plan *plan) {
  const Plan *best = &puzzle->inside->best;
  *plan = (Plan){0};
  for (bool copied = false; !copied;) {
    vector_grow(&plan->moves, atomic_load(&puzzle->length) + 1);
    pthread_mutex_lock(&puzzle->inside->lock);
    copied = best->moves.count <= plan->moves.capacity;
    if (copied) {
      MoveVector moves = plan->moves;
      *plan = *best;
      plan->moves = moves;
      plan->moves.count = best->moves.count;
      for (uint32_t i = 0; i < best->moves.count; i++)
        moves.data[i] = best->moves.data[i];
    }
    pthread_mutex_unlock(&puzzle->inside->lock);
  }
}

void puzzle_news(Puzzle *puzzle, PlanNewsVector *news) {
  const PlanNewsVector *own = &puzzle->inside->news;
  for (bool more = true; more;) {
    vector_grow(news, news->count + 16);
    pthread_mutex_lock(&puzzle->inside->lock);
    while (news->count < own->count && news->count < news->capacity) {
      news->data[news->count] = own->data[news->count];
      news->count++;
    }
    more = news->count < own->count;
    pthread_mutex_unlock(&puzzle->inside->lock);
  }
}

/* ---- bounds ---- */

void puzzle_prove_bound(Puzzle *puzzle, const char *by, int bound) {
  lock(puzzle);
  if (bound < atomic_load(&puzzle->bound)) {
    /* what was proved of plans with a higher score says nothing of these */
    atomic_store(&puzzle->least, 0);
    atomic_store(&puzzle->bound, bound);
    puzzle->inside->prover = by;
  }
  unlock(puzzle);
}

void puzzle_prove_least(Puzzle *puzzle, int score, uint32_t least) {
  lock(puzzle);
  uint32_t made = puzzle->inside->advanced;
  least = least > made ? least - made : 0;
  if (score == atomic_load(&puzzle->bound) &&
      least > atomic_load(&puzzle->least))
    atomic_store(&puzzle->least, least);
  unlock(puzzle);
}

const char *puzzle_prover(Puzzle *puzzle) {
  lock(puzzle);
  const char *prover = puzzle->inside->prover;
  unlock(puzzle);
  return prover;
}

/* ---- the state ---- */

/* The highest goal in the rules. */
static int highest(const Puzzle *puzzle) {
  return puzzle->book->best_goal ? puzzle->book->best_goal[0] : 100;
}

static void clear_plan(Puzzle *puzzle) {
  Plan *best = &puzzle->inside->best;
  vector_clear(&best->moves);
  vector_clear(&puzzle->inside->news);
  best->score = -1;
  best->by = "";
  publish(puzzle);
}

bool puzzle_moves(const Puzzle *puzzle, const uint64_t *words, uint32_t count) {
  const PuzzleInside *inside = puzzle->inside;
  return count != puzzle->words ||
         differ(words, inside->state, count, inside->timed);
}

/* Looks at the state of the engine. */
static void look(Puzzle *puzzle) {
  PuzzleInside *inside = puzzle->inside;
  const uint64_t *words;
  uint32_t count = game_state(inside->game, &words);
  if (!inside->state || puzzle_moves(puzzle, words, count)) inside->version++;
  puzzle->words = count;
  inside->state =
      memory_resize(inside->state, (puzzle->words + 1) * sizeof *words);
  memcpy(inside->state, words, puzzle->words * sizeof *words);
  puzzle->start = inside->state;
  puzzle->terminal = game_terminal(inside->game);
  if (!puzzle->terminal) return;
  vector_clear(&inside->best.moves);
  inside->best.by = "";
  int score = game_goal(inside->game, 0);
  inside->best.score = score < 0 ? 0 : score;
  publish(puzzle);
  atomic_store(&puzzle->bound, inside->best.score);
}

/* Bounds of the score hold for successors, too. */
void puzzle_advance(Puzzle *puzzle, Move move) {
  lock(puzzle);
  PuzzleInside *inside = puzzle->inside;
  Plan *best = &inside->best;
  uint32_t least = atomic_load(&puzzle->least), at;
  atomic_store(&puzzle->least, least ? least - 1 : 0);
  inside->advanced++;
  game_make(inside->game, &move);
  if (best->moves.count && best->moves.data[0] == move) {
    memmove(best->moves.data, best->moves.data + 1,
            (best->moves.count - 1) * sizeof move);
    best->moves.count--;
    publish(puzzle);
  } else if (replay(inside->game, best->moves.data, best->moves.count, &at) !=
             best->score) {
    clear_plan(puzzle);
  }
  look(puzzle);
  unlock(puzzle);
}

void puzzle_enter(Puzzle *puzzle, const uint64_t *words, uint32_t count) {
  lock(puzzle);
  game_enter(puzzle->inside->game, words, count);
  atomic_store(&puzzle->bound, highest(puzzle));
  atomic_store(&puzzle->least, 0);
  puzzle->inside->prover = NULL;
  puzzle->inside->advanced = 0;
  puzzle->inside->version++;
  puzzle->began = clock_now();
  clear_plan(puzzle);
  look(puzzle);
  unlock(puzzle);
}

uint64_t puzzle_version(const Puzzle *puzzle) {
  return puzzle->inside->version;
}

void puzzle_set_timed(Puzzle *puzzle, const uint64_t *timed) {
  puzzle->inside->timed = timed;
}

bool puzzle_waits(Puzzle *puzzle, Move move) {
  lock(puzzle);
  PuzzleInside *inside = puzzle->inside;
  const Plan *best = &inside->best;
  uint32_t at;
  game_make(inside->game, &move);
  bool waits = best->score <= 0 ||
               replay(inside->game, best->moves.data, best->moves.count, &at) ==
                   best->score;
  game_retract(inside->game);
  unlock(puzzle);
  return waits;
}

/* Without the lock: a method may run out of memory here, which would leave it
   locked. The book's spare engine is gone, since the puzzle has one. */
Game *puzzle_game(Puzzle *puzzle) {
  Game *game = puzzle->net
                   ? scalar_engine_new(puzzle->book->description, puzzle->net)
                   : book_game(puzzle->book);
  game_enter(game, puzzle->start, puzzle->words);
  return game;
}

/* ---- making ---- */

Puzzle *puzzle_new(Book *book, uint64_t seed, size_t memory) {
  Puzzle *puzzle = memory_new(sizeof *puzzle);
  *puzzle = (Puzzle){.book = book,
                     .net = book->has_net ? &book->net : NULL,
                     .seed = seed,
                     .memory = memory,
                     .began = clock_now()};
  puzzle->inside = memory_new(sizeof *puzzle->inside);
  scope_init(&puzzle->inside->scope, SIZE_MAX / 4, true);
  pthread_mutex_init(&puzzle->inside->lock, NULL);
  lock(puzzle);
  puzzle->inside->game = book_game(book);
  atomic_store(&puzzle->bound, highest(puzzle));
  clear_plan(puzzle);
  look(puzzle);
  unlock(puzzle);
  return puzzle;
}

void puzzle_delete(Puzzle *puzzle) {
  if (!puzzle) return;
  lock(puzzle);
  game_delete(puzzle->inside->game);
  memory_delete(puzzle->inside->state);
  vector_free(&puzzle->inside->best.moves);
  vector_free(&puzzle->inside->news);
  unlock(puzzle);
  scope_release(&puzzle->inside->scope);
  pthread_mutex_destroy(&puzzle->inside->lock);
  memory_delete(puzzle->inside);
  memory_delete(puzzle);
}
