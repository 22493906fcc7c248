/* Enhanced IDA* (Finnsson 2007, sections 2.1.1, 3.1.3 and 3.4.1; Reinefeld and
   Marsland 1994) with h = 0, so that f is the depth: depth-first search to a
   limit that rises by one with each iteration. It goes on until it has a plan
   with the highest goal of the rules; every better plan that it meets before
   that is offered.

   The table has for a state the greatest number of steps that the search went
   on, or is going on, from there. A state that is met again with no more steps
   left is not searched again: all its plans of that length were met, behind a
   way that was no longer. By induction over the distance from the start, an
   iteration visits every state within its limit at that state's distance, so an
   iteration that met no state at the limit has seen the whole space, and the
   first plan with a score is a shortest one. States that the table forgets are
   searched again, which changes none of this.

   On a net the table has whole states, so both facts are proofs. On the rules
   it has 128 bits of hashes instead: there nothing is proved. */
#include "solve/deepen.h"

#include <string.h>

#include "base/hash.h"
#include "solve/memo.h"

enum { CHECK = 64 }; /* states between looks at the slice */

/* A state on the way: its moves in Deepen.moves. */
typedef struct Frame {
  uint32_t first, next, end;
} Frame;

typedef struct Deepen {
  Method method;
  Game *game;
  Memo table;
  uint32_t limit;         /* of this iteration */
  bool hit;               /* it met a state at the limit */
  bool begun;             /* the start was visited */
  bool exact;             /* the table has whole states */
  int best;               /* score seen */
  uint32_t shortest[101]; /* by score: length of the shortest plan; 0: none */
  VECTOR(Frame) frames;
  MoveVector moves, path;
  uint64_t hashes[2]; /* scratch */
} Deepen;

static Method *deepen_new(const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (puzzle->terminal) return NULL;
  Deepen *deepen = memory_new(sizeof *deepen);
  deepen->method = (Method){.kind = &deepen_method, .puzzle = puzzle};
  deepen->game = puzzle_game(puzzle);
  deepen->exact = puzzle->net != NULL;
  deepen->limit = 1;
  deepen->best = -1;
  memo_init(&deepen->table, deepen->exact ? puzzle->words : 2,
            task->memory / 2);
  return &deepen->method;
}

static void deepen_delete(Method *method) {
  Deepen *deepen = (Deepen *)method;
  game_delete(deepen->game);
  memo_free(&deepen->table);
  vector_free(&deepen->frames);
  vector_free(&deepen->moves);
  vector_free(&deepen->path);
  memory_delete(deepen);
}

/* ---- states ---- */

/* The row that stands for the state in the table. */
static const uint64_t *state_row(Deepen *deepen) {
  const uint64_t *words;
  uint32_t count = game_state(deepen->game, &words);
  if (deepen->exact) return words;
  deepen->hashes[0] = game_key(deepen->game);
  deepen->hashes[1] = count;
  for (uint32_t i = 0; i < count; i++)
    deepen->hashes[1] = hash_pair(deepen->hashes[1], words[i]);
  return deepen->hashes;
}

/* Returns true if the state was searched as deep as that before; else notes
   that it is now. */
static bool searched(Deepen *deepen, uint32_t steps) {
  uint32_t *before = memo_at(&deepen->table, state_row(deepen));
  if (*before >= steps) return true;
  *before = steps;
  return false;
}

static void end_plan(Deepen *deepen) {
  int score = game_goal(deepen->game, 0);
  if (score < 0) return;
  if (!deepen->shortest[score]) deepen->shortest[score] = deepen->path.count;
  if (score > deepen->best) deepen->best = score;
  puzzle_offer(deepen->method.puzzle, deepen_method.name, score,
               deepen->path.data, deepen->path.count);
}

/* Looks at the current state; returns true if its moves are to be made, which
   are then in a new frame. */
static bool visit(Deepen *deepen) {
  uint32_t depth = deepen->path.count;
  if (game_terminal(deepen->game)) {
    end_plan(deepen);
    return false;
  }
  if (depth == deepen->limit) {
    deepen->hit = true;
    return false;
  }
  if (searched(deepen, deepen->limit - depth)) return false;
  const Move *legal;
  uint32_t count = game_legal(deepen->game, 0, &legal);
  Frame frame = {deepen->moves.count, deepen->moves.count,
                 deepen->moves.count + count};
  vector_resize(&deepen->moves, frame.end);
  if (count)
    memcpy(deepen->moves.data + frame.first, legal, count * sizeof *legal);
  vector_push(&deepen->frames, frame);
  method_count(&deepen->method, 1, count);
  return true;
}

static void go_back(Deepen *deepen) {
  if (!deepen->path.count) return;
  game_retract(deepen->game);
  deepen->path.count--;
}

/* ---- iterations ---- */

/* Returns true if there is nothing left to find. */
static bool end_iteration(Deepen *deepen) {
  Puzzle *puzzle = deepen->method.puzzle;
  int bound = atomic_load(&puzzle->bound);
  if (deepen->best >= bound) return true;
  if (!deepen->hit && deepen->exact)
    puzzle_prove_bound(puzzle, deepen_method.name,
                       deepen->best < 0 ? 0 : deepen->best);
  return !deepen->hit;
}

/* What the iterations so far say about the length of the best plans. */
static void prove_least(Deepen *deepen) {
  Puzzle *puzzle = deepen->method.puzzle;
  int bound = atomic_load(&puzzle->bound);
  if (!deepen->exact || bound < 0) return;
  uint32_t least = deepen->shortest[bound];
  if (!least && deepen->hit) least = deepen->limit + 1;
  puzzle_prove_least(puzzle, bound, least);
}

/* Makes one move, goes back one step, or begins an iteration. Returns true if
   there is nothing left to find. */
static bool step(Deepen *deepen) {
  if (!deepen->frames.count) {
    if (deepen->begun) {
      bool done = end_iteration(deepen);
      prove_least(deepen);
      if (done) return true;
      deepen->limit++;
    }
    deepen->begun = true;
    deepen->hit = false;
    visit(deepen);
    return false;
  }
  Frame *frame = &vector_last(&deepen->frames);
  if (frame->next == frame->end) {
    deepen->moves.count = frame->first;
    deepen->frames.count--;
    go_back(deepen);
    return false;
  }
  Move move = deepen->moves.data[frame->next++];
  game_make(deepen->game, &move);
  vector_push(&deepen->path, move);
  if (!visit(deepen)) go_back(deepen);
  return false;
}

/* A plan with the highest score is a shortest one: there was none in the
   iterations before. */
static bool finished(Deepen *deepen) {
  Puzzle *puzzle = deepen->method.puzzle;
  if (deepen->best < atomic_load(&puzzle->bound)) return false;
  prove_least(deepen);
  return true;
}

static MethodStatus deepen_run(Method *method, const Slice *slice) {
  Deepen *deepen = (Deepen *)method;
  uint64_t before = method->expanded;
  do {
    for (uint32_t i = 0; i < CHECK; i++) {
      bool done = step(deepen);
      if (game_failed(deepen->game) || done || finished(deepen))
        return METHOD_DONE;
    }
  } while (!method_slice_over(slice, method->expanded - before));
  return METHOD_WORKING;
}

static void deepen_explain(Method *method, Text *text) {
  const Deepen *deepen = (const Deepen *)method;
  text_format(text, "depth %u, table of %u states", deepen->limit,
              deepen->table.count);
}

const MethodKind deepen_method = {
    .name = "ida",
    .origin = "Finnsson 2007; Reinefeld and Marsland 1994",
    .help = "iterative deepening with a table of states",
    .pace = 5000,
    .new = deepen_new,
    .run = deepen_run,
    .explain = deepen_explain,
    .delete = deepen_delete,
};
