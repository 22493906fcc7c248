/* The highest goal as a conjunction of wants: each is a literal, or a
   disjunction of literals (a square has some number). A move serves a want if
   one of its literals is true after it, whatever the state. Depth-first search
   with backtracking serves, in each state, the want that has the fewest legal
   moves that serve it, and goes back where one has none: forward checking with
   the most constrained variable first (Haralick and Elliott 1980). That is
   right where moves only become illegal, as in puzzles that are filled in;
   elsewhere it misses plans, and proves nothing anyway. Ties and the order of
   moves are random, and the search begins anew after so many states, ever more.

   Moves are made on the scalar engine. */
#include "solve/fill.h"

#include "base/bits.h"
#include "base/random.h"

enum {
  FEWEST_WANTS = 4,
  FIRST_LIMIT = 200, /* states until it begins anew; then half more */
  MOST_DEPTH = 2000,
  MOST_PAIRS = 1 << 22 /* moves and wants they serve */
};

typedef struct Range {
  uint32_t first, count;
} Range;

/* A state of the line: the moves that are left to be tried in it. */
typedef struct Frame {
  uint32_t first; /* in Fill.moves, up to the next frame's */
} Frame;

typedef struct Fill {
  Method method;
  Random random;
  Game *game;
  VECTOR(Signal) literals;
  VECTOR(Range) wants; /* of literals */
  NumberVector served; /* wants, by move */
  uint32_t *serves;    /* by move: its first in `served`; one more */
  uint32_t *ways;      /* by want: legal moves that serve it */
  MoveVector line, moves, legal;
  VECTOR(Frame) frames;
  uint64_t states, limit; /* since it began anew */
  uint32_t tries;
} Fill;

/* ---- wants ---- */

static bool is_fluent(const Net *net, Signal signal) {
  return net->gates.data[signal_gate(signal)].kind == GATE_FLUENT;
}

/* Adds a disjunction of literals; returns false if it is something else. */
static bool add_want(Fill *fill, const Net *net, Signal signal) {
  Range want = {fill->literals.count, 1};
  if (is_fluent(net, signal)) {
    vector_push(&fill->literals, signal);
    vector_push(&fill->wants, want);
    return true;
  }
  if (!net_is_and(net, signal) || !signal_negated(signal)) return false;
  Gate gate = signal_gate(signal);
  want.count = net->gates.data[gate].count;
  for (uint32_t i = 0; i < want.count; i++)
    if (!is_fluent(net, net_inputs(net, gate)[i])) return false;
  for (uint32_t i = 0; i < want.count; i++)
    vector_push(&fill->literals, signal_not(net_inputs(net, gate)[i]));
  vector_push(&fill->wants, want);
  return true;
}

/* Takes the conjunction apart. */
static void find_wants(Fill *fill, const Net *net, Signal goal) {
  NumberVector stack = {0};
  vector_push(&stack, goal);
  while (stack.count) {
    Signal signal = stack.data[--stack.count];
    if (add_want(fill, net, signal) || !net_is_and(net, signal) ||
        signal_negated(signal))
      continue;
    for (uint32_t i = 0; i < net->gates.data[signal_gate(signal)].count; i++)
      vector_push(&stack, net_inputs(net, signal_gate(signal))[i]);
  }
  vector_free(&stack);
}

/* ---- what moves do ---- */

typedef struct Cone {
  NumberVector gates; /* that the signal reads, in order */
  NumberVector moves;
  bool *wanted;
  int8_t *values; /* by gate: 0, 1, or -1: it depends on the state */
} Cone;

static void find_cone(Cone *cone, const Net *net, Signal signal) {
  Gate top = signal_gate(signal), lowest = top;
  vector_clear(&cone->gates);
  vector_clear(&cone->moves);
  cone->wanted[top] = true;
  for (Gate gate = top + 1; gate-- > lowest;) {
    const NetGate *g = &net->gates.data[gate];
    if (!cone->wanted[gate]) continue;
    cone->wanted[gate] = false;
    vector_push(&cone->gates, gate);
    if (g->kind == GATE_MOVE) vector_push(&cone->moves, g->first);
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++) {
      Gate input = signal_gate(net_inputs(net, gate)[i]);
      cone->wanted[input] = true;
      if (input < lowest) lowest = input;
    }
  }
}

static int value_of(const Cone *cone, Signal signal) {
  int value = cone->values[signal_gate(signal)];
  return value < 0 ? value : value ^ (int)signal_negated(signal);
}

/* The signal's value if the move is made, -1: it depends on the state. */
static int value_after(Cone *cone, const Net *net, Signal signal,
                       uint32_t move) {
  for (uint32_t n = cone->gates.count; n-- > 0;) {
    Gate gate = cone->gates.data[n];
    const NetGate *g = &net->gates.data[gate];
    int value = 1;
    if (g->kind == GATE_CONSTANT) value = 0;
    if (g->kind == GATE_FLUENT || g->kind == GATE_LOOP) value = -1;
    if (g->kind == GATE_MOVE) value = g->first == move;
    for (uint32_t i = 0; g->kind == GATE_AND && value && i < g->count; i++) {
      int input = value_of(cone, net_inputs(net, gate)[i]);
      if (input <= 0) value = input;
    }
    cone->values[gate] = (int8_t)value;
  }
  return value_of(cone, signal);
}

/* Finds the moves that serve each want; returns false if they are too many. */
static bool find_services(Fill *fill, const Net *net) {
  Cone cone = {.wanted = memory_new(net->gates.count * sizeof(bool)),
               .values = memory_new(net->gates.count)};
  VECTOR(Range) pairs = {0}; /* move, want */
  for (uint32_t w = 0; w < fill->wants.count; w++)
    for (uint32_t i = 0; i < fill->wants.data[w].count; i++) {
      Signal literal = fill->literals.data[fill->wants.data[w].first + i];
      uint32_t fluent = net->gates.data[signal_gate(literal)].first;
      Signal next = net->fluents.data[fluent].next ^ signal_negated(literal);
      find_cone(&cone, net, next);
      for (uint32_t n = 0; n < cone.moves.count && pairs.count < MOST_PAIRS;
           n++)
        if (value_after(&cone, net, next, cone.moves.data[n]) == 1)
          vector_push(&pairs, ((Range){cone.moves.data[n], w}));
    }
  fill->serves = memory_new((net->moves.count + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < pairs.count; i++)
    fill->serves[pairs.data[i].first + 1]++;
  for (uint32_t m = 0; m < net->moves.count; m++)
    fill->serves[m + 1] += fill->serves[m];
  vector_resize(&fill->served, pairs.count);
  uint32_t *at = memory_new((net->moves.count + 1) * sizeof *at);
  memcpy(at, fill->serves, net->moves.count * sizeof *at);
  for (uint32_t i = 0; i < pairs.count; i++)
    fill->served.data[at[pairs.data[i].first]++] = pairs.data[i].count;
  bool few = pairs.count && pairs.count < MOST_PAIRS;
  memory_delete(at);
  memory_delete(cone.wanted);
  memory_delete(cone.values);
  vector_free(&cone.gates);
  vector_free(&cone.moves);
  vector_free(&pairs);
  return few;
}

/* ---- the search ---- */

static bool is_true(const Fill *fill, uint32_t want, const uint64_t *state) {
  const Net *net = fill->method.puzzle->net;
  const Range *range = &fill->wants.data[want];
  for (uint32_t i = 0; i < range->count; i++) {
    Signal literal = fill->literals.data[range->first + i];
    if (bits_has(state, net->gates.data[signal_gate(literal)].first) !=
        signal_negated(literal))
      return true;
  }
  return false;
}

static void count_ways(Fill *fill) {
  const Move *moves;
  uint32_t count = game_legal(fill->game, 0, &moves);
  memset(fill->ways, 0, fill->wants.count * sizeof *fill->ways);
  vector_clear(&fill->legal);
  for (uint32_t i = 0; i < count; i++) {
    vector_push(&fill->legal, moves[i]);
    for (uint32_t n = fill->serves[moves[i]]; n < fill->serves[moves[i] + 1];
         n++)
      fill->ways[fill->served.data[n]]++;
  }
}

/* Returns the open want that the fewest legal moves serve; the number of wants
   if none is open. */
static uint32_t choose_want(Fill *fill) {
  const uint64_t *state;
  uint32_t best = fill->wants.count, ties = 0;
  game_state(fill->game, &state);
  for (uint32_t w = 0; w < fill->wants.count; w++) {
    if (best < fill->wants.count && fill->ways[w] > fill->ways[best]) continue;
    if (is_true(fill, w, state)) continue;
    if (best < fill->wants.count && fill->ways[w] < fill->ways[best]) ties = 0;
    if (random_below(&fill->random, ++ties) == 0) best = w;
  }
  return best;
}

static bool does_serve(const Fill *fill, Move move, uint32_t want) {
  for (uint32_t n = fill->serves[move]; n < fill->serves[move + 1]; n++)
    if (fill->served.data[n] == want) return true;
  return false;
}

/* Opens the game's state: what is to be tried in it. If all wants are served,
   any move may end the game. */
static void open_frame(Fill *fill) {
  Frame frame = {fill->moves.count};
  count_ways(fill);
  uint32_t want = choose_want(fill);
  for (uint32_t i = 0; i < fill->legal.count; i++) {
    Move move = fill->legal.data[i];
    if (want < fill->wants.count && !does_serve(fill, move, want)) continue;
    vector_push(&fill->moves, move);
    uint32_t last = fill->moves.count - 1;
    uint32_t other =
        frame.first + random_below(&fill->random, last - frame.first + 1);
    fill->moves.data[last] = fill->moves.data[other];
    fill->moves.data[other] = move;
  }
  vector_push(&fill->frames, frame);
  fill->states++;
  method_count(&fill->method, 1, fill->moves.count - frame.first);
}

static void begin(Fill *fill) {
  while (fill->line.count) {
    game_retract(fill->game);
    fill->line.count--;
  }
  vector_clear(&fill->frames);
  vector_clear(&fill->moves);
  fill->states = 0;
  fill->limit += fill->limit / 2;
  fill->tries++;
  open_frame(fill);
}

/* The line has ended. */
static void take_end(Fill *fill) {
  Puzzle *puzzle = fill->method.puzzle;
  int score = game_goal(fill->game, 0);
  int known = atomic_load(&puzzle->score);
  if (score > known ||
      (score == known && fill->line.count < atomic_load(&puzzle->length)))
    puzzle_offer(puzzle, fill_method.name, score, fill->line.data,
                 fill->line.count);
}

static void step_back(Fill *fill) {
  game_retract(fill->game);
  fill->line.count--;
}

/* Makes the next move of the line; returns false if there is none left. */
static bool go_on(Fill *fill) {
  uint32_t first = vector_last(&fill->frames).first;
  if (fill->moves.count == first) {
    if (!fill->line.count) return false;
    step_back(fill);
    fill->frames.count--;
    return true;
  }
  Move move = fill->moves.data[--fill->moves.count];
  game_make(fill->game, &move);
  vector_push(&fill->line, move);
  if (game_terminal(fill->game)) {
    take_end(fill);
    step_back(fill);
  } else if (fill->line.count == MOST_DEPTH) {
    step_back(fill);
  } else {
    open_frame(fill);
  }
  return true;
}

/* ---- the method ---- */

static void delete (Method *base) {
  Fill *fill = (Fill *)base;
  if (fill->game) game_delete(fill->game);
  vector_free(&fill->literals);
  vector_free(&fill->wants);
  vector_free(&fill->served);
  memory_delete(fill->serves);
  memory_delete(fill->ways);
  vector_free(&fill->line);
  vector_free(&fill->moves);
  vector_free(&fill->legal);
  vector_free(&fill->frames);
  memory_delete(fill);
}

static Method *new (const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (!puzzle->net || puzzle->terminal || puzzle->net->role_count != 1)
    return NULL;
  Fill *fill = memory_new(sizeof *fill);
  const Net *net = puzzle->net;
  fill->method = (Method){.kind = &fill_method, .puzzle = puzzle};
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].value == puzzle->book->best_goal[0])
      find_wants(fill, net, net->goals.data[i].signal);
  if (fill->wants.count < FEWEST_WANTS || !find_services(fill, net)) {
    delete (&fill->method);
    return NULL;
  }
  fill->ways = memory_new(fill->wants.count * sizeof *fill->ways);
  fill->game = puzzle_game(puzzle);
  fill->limit = FIRST_LIMIT;
  random_seed(&fill->random, task->seed);
  begin(fill);
  return &fill->method;
}

static MethodStatus run(Method *base, const Slice *slice) {
  Fill *fill = (Fill *)base;
  uint64_t begun = base->expanded;
  while (!game_failed(fill->game)) {
    if (puzzle_solved(base->puzzle)) return METHOD_DONE;
    if (method_slice_over(slice, base->expanded - begun)) return METHOD_WORKING;
    if (!go_on(fill)) return METHOD_DONE;
    if (fill->states > fill->limit) begin(fill);
  }
  return METHOD_DONE;
}

static void explain(Method *base, Text *text) {
  const Fill *fill = (const Fill *)base;
  text_format(text, "%u wants, begun %u times", fill->wants.count, fill->tries);
}

const MethodKind fill_method = {
    .name = "fill",
    .origin = "Haralick and Elliott 1980",
    .help = "serves what the fewest moves serve first, and goes back",
    .pace = 1000,
    .usual = true,
    .new = new,
    .run = run,
    .explain = explain,
    .delete = delete,
};
