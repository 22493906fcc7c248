/* A node is a tuple of crowds (solve/crowds.h), one for each part, and the
   time. The end of the game is a function of ending cuts and time, so it is the
   same for all combinations of states in a node, and all of them can be reached
   together. The nodes whose game is not over are expanded in order of time;
   where it is over, the best combination of outcomes (values of all cuts) is a
   plan. As nothing is left out, the best score is proved once all nodes are
   expanded, and its first plan is shortest. Nodes are few. */
#include "solve/parts.h"

#include "base/bits.h"
#include "base/hash.h"
#include "solve/crowds.h"

enum { MOST_NODES = 1 << 22, MOST_COMBINATIONS = 1 << 12 };

typedef struct Node {
  uint32_t crowds[DIVISION_MOST];
  uint32_t time, parent;
  uint32_t acted; /* the part that moved; no_crowd: all, or nobody */
} Node;

typedef struct PartsMethod {
  Method method;
  Division division;
  Crowds crowds;
  VECTOR(Node) nodes;
  Map node_map;
  uint32_t head; /* node to be expanded next */
  Game *game;
  uint32_t state_words;
  uint64_t *state;
  uint32_t *move_of; /* by combination of classes (together): move + 1 */
  uint32_t *move_in[DIVISION_MOST]; /* by class (one at a time): move + 1 */
  uint32_t idle;                    /* a move that changes nothing, + 1 */
  int best;                         /* score of the best plan found here */
  uint32_t best_time;
  bool complete; /* nothing was left out so far */
} PartsMethod;

static const Crowd *crowd_at(const PartsMethod *method, uint32_t number) {
  return &method->crowds.list.data[number];
}

/* ---- joint states ---- */

/* Enters the combination of one row of each part. */
static void enter(PartsMethod *method, const uint32_t *rows, uint32_t time) {
  memcpy(method->state, crowds_time(&method->crowds, time),
         method->state_words * sizeof(uint64_t));
  for (uint32_t p = 0; p < method->division.count; p++) {
    const NumberVector *fluents = &method->division.parts[p].fluents;
    const uint64_t *words = crowds_row(&method->crowds, p, rows[p]);
    for (uint32_t i = 0; i < fluents->count; i++)
      if (bits_has(words, i)) bits_add(method->state, fluents->data[i]);
  }
  game_enter(method->game, method->state, method->state_words);
}

/* The move that does these classes; 0: there is no_crowd, else + 1. */
static uint32_t joint_move(const PartsMethod *method, const uint32_t *classes) {
  uint32_t index = 0;
  for (uint32_t p = 0; p < method->division.count; p++)
    index = index * method->division.parts[p].class_count + classes[p];
  return method->move_of[index];
}

/* Offers the plan that leads to these rows after `node`, whose last step is by
   the part `acted`, or by all. */
static void offer(PartsMethod *method, uint32_t node, uint32_t acted,
                  uint32_t *rows, int score) {
  const Division *division = &method->division;
  uint32_t length = method->nodes.data[node].time + 1, step = length;
  Move *moves = memory_new(length * sizeof *moves);
  while (step-- > 0) {
    const Node *from = &method->nodes.data[node];
    uint32_t classes[DIVISION_MOST], move = method->idle;
    for (uint32_t p = 0; p < division->count; p++)
      if (division->together || p == acted)
        rows[p] = crowds_parent(&method->crowds, from->crowds[p], rows[p],
                                &classes[p]);
    if (division->together)
      move = joint_move(method, classes);
    else if (acted != no_crowd)
      move = method->move_in[acted][classes[acted]];
    moves[step] = move - 1;
    acted = from->acted;
    node = from->parent;
  }
  puzzle_offer(method->method.puzzle, parts_method.name, score, moves, length);
  memory_delete(moves);
}

/* The game is over in these crowds: looks for the best outcome. */
static void finish(PartsMethod *method, uint32_t node, const Node *after) {
  uint32_t count = method->division.count, choice[DIVISION_MOST] = {0};
  uint32_t rows[DIVISION_MOST], best_rows[DIVISION_MOST];
  int best = -1;
  for (uint32_t tries = 0;; tries++) {
    for (uint32_t p = 0; p < count; p++)
      rows[p] =
          crowd_at(method, after->crowds[p])->outcomes.data[choice[p]].row;
    enter(method, rows, after->time);
    int score = game_goal(method->game, 0);
    if (score > best) {
      best = score;
      memcpy(best_rows, rows, sizeof best_rows);
    }
    uint32_t p = 0;
    while (p < count &&
           ++choice[p] == crowd_at(method, after->crowds[p])->outcomes.count)
      choice[p++] = 0;
    if (p == count) break;
    if (tries < MOST_COMBINATIONS) continue;
    method->complete = false;
    break;
  }
  if (best <= method->best) return;
  method->best = best;
  method->best_time = after->time;
  offer(method, node, after->acted, best_rows, best);
  if (method->complete)
    puzzle_prove_least(method->method.puzzle, best, after->time);
}

static uint64_t hash_node(PartsMethod *method, const Node *node) {
  uint64_t hash = crowds_clock(&method->crowds, node->time);
  for (uint32_t p = 0; p < method->division.count; p++)
    hash = hash_pair(hash, node->crowds[p]);
  return hash;
}

static void add_node(PartsMethod *method, uint32_t parent, const Node *node) {
  const Division *division = &method->division;
  MapCursor cursor;
  uint32_t entry =
      map_first(&method->node_map, hash_node(method, node), &cursor);
  for (; entry; entry = map_next(&method->node_map, &cursor)) {
    const Node *known = &method->nodes.data[entry - 1];
    if (memcmp(known->crowds, node->crowds,
               division->count * sizeof *node->crowds) == 0 &&
        crowds_clock(&method->crowds, known->time) ==
            crowds_clock(&method->crowds, node->time))
      return;
  }
  uint32_t rows[DIVISION_MOST];
  for (uint32_t p = 0; p < division->count; p++)
    rows[p] = crowd_at(method, node->crowds[p])->first;
  enter(method, rows, node->time);
  if (game_terminal(method->game)) {
    finish(method, parent, node);
    return;
  }
  if (method->nodes.count == MOST_NODES) {
    method->complete = false;
    return;
  }
  vector_push(&method->nodes, *node);
  map_insert(&method->node_map, &cursor, method->nodes.count);
}

static void step_together(PartsMethod *method, uint32_t number) {
  Node from = method->nodes.data[number];
  uint32_t count = method->division.count, choice[DIVISION_MOST] = {0};
  Node to = {.time = from.time + 1, .parent = number, .acted = no_crowd};
  for (uint32_t p = 0; p < count; p++)
    if (crowd_at(method, from.crowds[p])->after.count == 0) return;
  for (uint32_t p = 0; p < count;) {
    for (p = 0; p < count; p++)
      to.crowds[p] = crowd_at(method, from.crowds[p])->after.data[choice[p]];
    add_node(method, number, &to);
    p = 0;
    while (p < count &&
           ++choice[p] == crowd_at(method, from.crowds[p])->after.count)
      choice[p++] = 0;
  }
}

static void step_one(PartsMethod *method, uint32_t number, uint32_t part) {
  Node to = method->nodes.data[number];
  uint32_t crowd = to.crowds[part];
  to.time++;
  to.parent = number;
  to.acted = part;
  for (uint32_t i = 0; i < crowd_at(method, crowd)->after.count; i++) {
    to.crowds[part] = crowd_at(method, crowd)->after.data[i];
    add_node(method, number, &to);
  }
}

static void expand_node(PartsMethod *method, uint32_t number) {
  if (method->division.together) {
    step_together(method, number);
    return;
  }
  for (uint32_t p = 0; p < method->division.count; p++)
    step_one(method, number, p);
  if (!method->idle) return;
  Node to = method->nodes.data[number];
  to.time++;
  to.parent = number;
  to.acted = no_crowd;
  add_node(method, number, &to);
}

/* ---- the method ---- */

static void conclude(PartsMethod *method) {
  Puzzle *puzzle = method->method.puzzle;
  if (!method->complete || method->best < 0 || game_failed(method->game))
    return;
  puzzle_prove_bound(puzzle, parts_method.name, method->best);
  puzzle_prove_least(puzzle, method->best, method->best_time);
}

static MethodStatus run(Method *base, const Slice *slice) {
  PartsMethod *method = (PartsMethod *)base;
  uint64_t begun = base->expanded;
  int bound = atomic_load(&base->puzzle->bound);
  for (; method->head < method->nodes.count; method->head++) {
    if (method->best >= bound) return METHOD_DONE;
    if (method_slice_over(slice, base->expanded - begun)) return METHOD_WORKING;
    for (uint32_t p = 0; p < method->division.count; p++) {
      uint32_t crowd = method->nodes.data[method->head].crowds[p];
      if (!crowds_grow(&method->crowds, crowd, slice, begun))
        return METHOD_WORKING;
    }
    expand_node(method, method->head);
  }
  conclude(method);
  return METHOD_DONE;
}

static void find_moves(PartsMethod *method) {
  const Division *division = &method->division;
  uint32_t combinations = 1, moves = division->sheet.from->moves.count;
  for (uint32_t p = 0; p < division->count; p++) {
    uint32_t classes = division->parts[p].class_count;
    method->move_in[p] = memory_new(classes * sizeof(uint32_t));
    if (division->together) combinations *= classes;
  }
  method->move_of = memory_new(combinations * sizeof(uint32_t));
  for (uint32_t m = moves; m-- > 0;) {
    const uint32_t *classes = division->class_of + (size_t)m * DIVISION_MOST;
    uint32_t index = 0;
    bool idle = true;
    for (uint32_t p = 0; p < division->count; p++) {
      const DivisionPart *part = &division->parts[p];
      index = index * part->class_count + classes[p];
      if (classes[p] + 1 == part->null) continue;
      method->move_in[p][classes[p]] = m + 1;
      idle = false;
    }
    if (idle) method->idle = m + 1;
    if (division->together) method->move_of[index] = m + 1;
  }
}

static Method *new (const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (!puzzle->net || puzzle->terminal) return NULL;
  PartsMethod *method = memory_new(sizeof *method);
  Node first = {.acted = no_crowd};
  method->method.kind = &parts_method;
  method->method.puzzle = puzzle;
  if (!division_init(&method->division, puzzle->net, puzzle->start)) {
    memory_delete(method);
    return NULL;
  }
  method->best = -1;
  method->complete = true;
  method->game = book_game(puzzle->book);
  method->state_words = puzzle->words;
  method->state = memory_new((puzzle->words + 1) * sizeof(uint64_t));
  find_moves(method);
  crowds_init(&method->crowds, &method->method, &method->division,
              puzzle->start, puzzle->words);
  for (uint32_t p = 0; p < method->division.count; p++) first.crowds[p] = p;
  vector_push(&method->nodes, first);
  return &method->method;
}

static void explain(Method *base, Text *text) {
  const PartsMethod *method = (const PartsMethod *)base;
  text_format(text, "%u parts that go %s:", method->division.count,
              method->division.together ? "in step" : "one at a time");
  for (uint32_t p = 0; p < method->division.count; p++)
    text_format(text, " %u fluents, %u classes of moves, %u states;",
                method->division.parts[p].fluents.count,
                method->division.parts[p].class_count,
                crowds_rows(&method->crowds, p));
  text_format(text, " %u nodes\n", method->nodes.count);
}

static void delete (Method *base) {
  PartsMethod *method = (PartsMethod *)base;
  for (uint32_t p = 0; p < method->division.count; p++)
    memory_delete(method->move_in[p]);
  crowds_free(&method->crowds);
  vector_free(&method->nodes);
  map_free(&method->node_map);
  game_delete(method->game);
  memory_delete(method->state);
  memory_delete(method->move_of);
  division_free(&method->division);
  memory_delete(method);
}

const MethodKind parts_method = {
    .name = "parts",
    .origin = "Tafl",
    .help = "solves independent parts on their own and joins their plans",
    .pace = 50000,
    .usual = true,
    .new = new,
    .run = run,
    .explain = explain,
    .delete = delete,
};
