/* Nested Monte Carlo search (Cazenave 2009), as Ary plays games of one role
   (Mehat and Cazenave 2010). A search of level n goes from its state to the end
   of the game; at each step it tries every move with a search of level n - 1,
   or a random playout if n is 1, remembers the best sequence that any of them
   found, and makes the next move of that sequence.

   With lanes, level 1 tries its moves at once, with as many playouts for each
   as there are lanes; games without programs for lanes are played one at a
   time. In 4 s lanes reached 45 and 50 points of rubiksCube (two seeds), single
   playouts 40 and 35; asteroidsSerial was solved after 0.02 and 0.04 s against
   0.8 and 1.4, peg after 0.08 s against never in 5 s.

   How long a search takes grows with each level by about the number of moves
   that a game offers on its way. Searches are repeated; levels share the work
   equally, and the next level is begun when as much work has been done as one
   search of it is expected to take. So half of a clock or more goes to the
   highest levels that fit into it, whatever the clock is.

   Searches are frames of a stack, the outermost first, so that the work can be
   left and taken up anywhere. */
#include "solve/nested.h"

#include <string.h>

#include "solve/rollout.h"

enum { LEVELS = 8 };

typedef struct Frame {
  uint32_t level;
  uint32_t base; /* length of the way where it began */
  bool listed;   /* its moves here are in Nested.moves: */
  uint32_t first, next, end;
} Frame;

typedef struct Nested {
  Method method;
  Rollout rollout;
  uint32_t depth; /* frames */
  Frame frames[LEVELS];
  Sequence best[LEVELS];    /* of each frame */
  MoveVector moves;         /* of the frames */
  uint32_t levels;          /* that have begun */
  double spent[LEVELS + 1]; /* states, by level */
  double cost;     /* states of a search of the highest level, the last */
  double tries;    /* moves that a search tries on its way */
  uint64_t before; /* states when this search began */
  uint64_t tried;
  uint32_t searches[LEVELS + 1];
} Nested;

static Method *nested_new(const MethodTask *task) {
  if (task->puzzle->terminal) return NULL;
  Nested *nested = memory_new(sizeof *nested);
  nested->method = (Method){.kind = &nested_method, .puzzle = task->puzzle};
  rollout_init(&nested->rollout, &nested->method, task->seed, true);
  nested->levels = 1;
  return &nested->method;
}

static void nested_delete(Method *method) {
  Nested *nested = (Nested *)method;
  rollout_free(&nested->rollout);
  for (uint32_t i = 0; i < LEVELS; i++) sequence_free(&nested->best[i]);
  vector_free(&nested->moves);
  memory_delete(nested);
}

/* ---- frames ---- */

static void push(Nested *nested, uint32_t level) {
  Sequence *best = &nested->best[nested->depth];
  best->score = -1;
  vector_clear(&best->moves);
  nested->frames[nested->depth++] =
      (Frame){.level = level, .base = nested->rollout.way.moves.count};
}

/* The innermost frame learns of the result. */
static void learn(Nested *nested) {
  Sequence *best = &nested->best[nested->depth - 1];
  if (sequence_better(&nested->rollout.result, best))
    sequence_copy(best, &nested->rollout.result);
}

static void list_moves(Nested *nested, Frame *frame) {
  const Move *legal;
  uint32_t count = game_legal(nested->rollout.game, 0, &legal);
  frame->listed = true;
  frame->first = frame->next = nested->moves.count;
  frame->end = frame->first + count;
  vector_resize(&nested->moves, frame->end);
  if (count)
    memcpy(nested->moves.data + frame->first, legal, count * sizeof *legal);
  nested->tried += count;
}

/* Makes the next move of the best sequence; any, if there is none. */
static void advance(Nested *nested, Frame *frame) {
  const Sequence *best = &nested->best[nested->depth - 1];
  uint32_t length = nested->rollout.way.moves.count;
  uint32_t any =
      random_below(&nested->rollout.random, frame->end - frame->first);
  Move move = best->score >= 0 ? best->moves.data[length]
                               : nested->moves.data[frame->first + any];
  nested->moves.count = frame->first;
  frame->listed = false;
  rollout_make(&nested->rollout, move);
}

/* Ends the innermost search: the outer one learns of its best sequence. */
static void pop(Nested *nested) {
  Frame *frame = &nested->frames[nested->depth - 1];
  if (frame->listed) nested->moves.count = frame->first;
  rollout_go_back(&nested->rollout, frame->base);
  sequence_copy(&nested->rollout.result, &nested->best[--nested->depth]);
  if (!nested->depth) return;
  learn(nested);
  rollout_go_back(&nested->rollout, frame->base - 1);
}

static void try_move(Nested *nested, Frame *frame) {
  Rollout *rollout = &nested->rollout;
  if (frame->level == 1 && rollout->wide) {
    rollout_play_moves(rollout, nested->moves.data + frame->next,
                       frame->end - frame->next);
    frame->next = frame->end;
    learn(nested);
    return;
  }
  rollout_make(rollout, nested->moves.data[frame->next++]);
  if (frame->level > 1) {
    push(nested, frame->level - 1);
    return;
  }
  rollout_play(rollout);
  learn(nested);
  rollout_go_back(rollout, rollout->way.moves.count - 1);
}

/* ---- searches ---- */

static void end_search(Nested *nested, uint32_t level) {
  double cost = (double)(nested->method.expanded - nested->before);
  nested->spent[level] += cost;
  nested->searches[level]++;
  if (level == nested->levels) nested->cost = cost;
  if (level == 1) nested->tries = (double)nested->tried;
}

/* Begins a search of the level that had least work so far. */
static void begin_search(Nested *nested) {
  double all = 0;
  uint32_t level = 1;
  for (uint32_t i = 1; i <= nested->levels; i++) all += nested->spent[i];
  if (nested->levels < LEVELS && nested->searches[nested->levels] &&
      all >= nested->cost * nested->tries / 2)
    nested->levels++;
  for (uint32_t i = 2; i <= nested->levels; i++)
    if (nested->spent[i] <= nested->spent[level]) level = i;
  nested->before = nested->method.expanded;
  nested->tried = 0;
  push(nested, level);
}

/* Tries one move, makes one, or ends a search. */
static void step(Nested *nested) {
  if (!nested->depth) begin_search(nested);
  Frame *frame = &nested->frames[nested->depth - 1];
  Rollout *rollout = &nested->rollout;
  bool over = game_terminal(rollout->game) ||
              rollout->way.moves.count >= frame->base + ROLLOUT_STEPS;
  if (!over && !frame->listed) list_moves(nested, frame);
  if (over || frame->first == frame->end) {
    if (game_terminal(rollout->game)) {
      rollout_end(rollout);
      learn(nested);
    }
    uint32_t level = frame->level;
    pop(nested);
    method_count(&nested->method, 1, 1); /* so that work always proceeds */
    if (!nested->depth) end_search(nested, level);
  } else if (frame->next < frame->end) {
    try_move(nested, frame);
  } else {
    advance(nested, frame);
  }
}

static MethodStatus nested_run(Method *method, const Slice *slice) {
  Nested *nested = (Nested *)method;
  uint64_t before = method->expanded;
  Slice whole = *slice;
  whole.states = rollout_budget(&nested->rollout, slice);
  do {
    step(nested);
    if (game_failed(nested->rollout.game)) return METHOD_DONE;
  } while (!method_slice_over(&whole, method->expanded - before));
  return METHOD_WORKING;
}

static void nested_explain(Method *method, Text *text) {
  const Nested *nested = (const Nested *)method;
  text_add(text, "searches of level 1, 2 …:");
  for (uint32_t i = 1; i <= nested->levels; i++)
    text_format(text, " %u", nested->searches[i]);
}

const MethodKind nested_method = {
    .name = "nested",
    .origin = "Cazenave 2009; Mehat and Cazenave 2010",
    .help = "nested Monte Carlo search",
    .pace = 4000,
    .new = nested_new,
    .run = nested_run,
    .explain = nested_explain,
    .delete = nested_delete,
};
