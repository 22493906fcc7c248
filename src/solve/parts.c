/* A crowd is a set of states of one part: all that can be reached in so many
   moves of that part while the values of its ending cuts went through the same
   history. A node is a tuple of crowds, one for each part, and the time. The
   end of the game is a function of ending cuts and time, so it is the same for
   all combinations of states in a node, and all of them can be reached
   together. The nodes whose game is not over are expanded in order of time;
   where it is over, the best combination of outcomes (values of all cuts) is a
   plan. As nothing is left out, the best score is proved once all nodes are
   expanded, and its first plan is shortest.

   A crowd is expanded once, by wide evaluation (solve/slate.h); nodes are few.
   A crowd with the states of an earlier one while the clock shows the same is
   that one, so that the search ends.

   Rows: the words of a state, its outcome, and its parent (row, class). */
#include "solve/parts.h"

#include "base/bits.h"
#include "base/hash.h"
#include "solve/division.h"
#include "solve/slate.h"

enum { MOST_NODES = 1 << 22, MOST_COMBINATIONS = 1 << 12 };

static const uint32_t none = UINT32_MAX;

typedef struct Outcome {
  uint64_t cuts;
  uint32_t row; /* the first of the crowd with these */
} Outcome;

typedef struct Crowd {
  uint32_t part, first, count; /* rows */
  uint32_t time;               /* clock_at of the moves made */
  uint64_t hash;               /* of the set of states */
  VECTOR(Outcome) outcomes;
  NumberVector after; /* crowds */
  bool grown;
} Crowd;

typedef struct Node {
  uint32_t crowds[DIVISION_MOST];
  uint32_t time, parent;
  uint32_t acted; /* the part that moved; none: all, or nobody */
} Node;

typedef struct Side {
  const DivisionPart *part;
  uint32_t words, row_words;
  Slate slate; /* all classes' next values and conditions, and cuts */
  VECTOR(uint64_t) rows;
  Map map;        /* of rows of the crowd that is being made */
  uint64_t *next; /* states of a batch after a class */
} Side;

/* A crowd that is being expanded. */
typedef struct Growth {
  uint32_t crowd; /* none: nothing is */
  uint32_t at;    /* rows that are done */
  uint32_t first; /* row of its successors */
} Growth;

typedef struct PartsMethod {
  Method method;
  Division division;
  Side sides[DIVISION_MOST];
  Slate clock;
  VECTOR(uint64_t) times; /* state words by time: autonomous fluents only */
  uint32_t again, round;  /* the clock shows the same again after `round` steps
                             from step `again` on; 0: not known to */
  VECTOR(Crowd) crowds;
  VECTOR(Node) nodes;
  Map node_map;
  uint32_t head; /* node to be expanded next */
  Growth growth;
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

/* ---- rows ---- */

static uint64_t *row_at(const Side *side, uint32_t row) {
  return side->rows.data + (size_t)row * side->row_words;
}

static uint32_t row_count(const Side *side) {
  return side->rows.count / side->row_words;
}

static uint64_t hash_state(const Side *side, const uint64_t *words) {
  uint64_t hash = 0;
  for (uint32_t w = 0; w < side->words; w++) hash = hash_pair(hash, words[w]);
  return hash;
}

/* Returns the row of the state among those from `first`, or none. */
static uint32_t find_row(const Side *side, uint32_t first,
                         const uint64_t *words, MapCursor *cursor) {
  uint32_t entry = map_first(&side->map, hash_state(side, words), cursor);
  for (; entry; entry = map_next(&side->map, cursor))
    if (memcmp(row_at(side, first + entry - 1), words,
               side->words * sizeof *words) == 0)
      return first + entry - 1;
  return none;
}

static void add_row(Side *side, uint32_t first, const uint64_t *words,
                    uint32_t parent, uint32_t class) {
  MapCursor cursor;
  if (find_row(side, first, words, &cursor) != none) return;
  uint32_t row = row_count(side);
  for (uint32_t w = 0; w < side->words; w++) vector_push(&side->rows, words[w]);
  vector_push(&side->rows, 0);
  vector_push(&side->rows, (uint64_t)parent << 32 | class);
  map_insert(&side->map, &cursor, row - first + 1);
}

/* ---- evaluation ---- */

/* Appends the autonomous fluents' values after one more step. */
static void add_time(PartsMethod *method) {
  const Division *division = &method->division;
  uint32_t words = method->state_words;
  uint32_t last = method->times.count - words;
  for (uint32_t w = 0; w < words; w++) vector_push(&method->times, 0);
  const uint64_t *from = method->times.data + last;
  uint64_t *to = method->times.data + last + words;
  for (uint32_t i = 0; i < division->clock.count; i++) {
    uint32_t fluent = division->clock.data[i];
    uint64_t *input = slate_input(
        &method->clock, division->sheet.net.fluents.data[fluent].gate);
    if (input) input[0] = bits_has(from, fluent);
  }
  slate_run(&method->clock);
  for (uint32_t i = 0; i < division->clock.count; i++)
    if (slate_word(&method->clock, division->advance.data[i], 0) & 1)
      bits_add(to, division->clock.data[i]);
}

/* Returns the first number of steps after which the clock shows the same: it
   may stand still, or go round. */
static uint32_t clock_at(PartsMethod *method, uint32_t steps) {
  uint32_t words = method->state_words;
  while (!method->round && method->times.count / words <= steps) {
    add_time(method);
    uint32_t last = method->times.count / words - 1;
    const uint64_t *now = method->times.data + (size_t)last * words;
    for (uint32_t i = 0; i < last && !method->round; i++)
      if (memcmp(method->times.data + (size_t)i * words, now,
                 words * sizeof *now) == 0) {
        method->again = i;
        method->round = last - i;
      }
  }
  return method->round && steps > method->again
             ? method->again + (steps - method->again) % method->round
             : steps;
}

static const uint64_t *time_words(PartsMethod *method, uint32_t steps) {
  return method->times.data +
         (size_t)clock_at(method, steps) * method->state_words;
}

/* Writes up to SLATE_LANES rows into the slate and evaluates it. */
static void load(PartsMethod *method, Side *side, uint32_t first,
                 uint32_t count, uint32_t time) {
  const Division *division = &method->division;
  const NumberVector *fluents = &side->part->fluents;
  uint64_t block[64];
  for (uint32_t w = 0; w < side->words; w++)
    for (uint32_t group = 0; group < SLATE_WORDS; group++) {
      for (uint32_t i = 0; i < 64; i++) {
        uint32_t lane = group * 64 + i;
        block[i] = lane < count ? row_at(side, first + lane)[w] : 0;
      }
      slate_transpose(block);
      for (uint32_t i = 0; i < 64 && w * 64 + i < fluents->count; i++) {
        uint32_t fluent = fluents->data[w * 64 + i];
        uint64_t *input = slate_input(
            &side->slate, division->sheet.net.fluents.data[fluent].gate);
        if (input) input[group] = block[i];
      }
    }
  const uint64_t *now = time_words(method, time);
  for (uint32_t i = 0; i < division->clock.count; i++) {
    uint32_t fluent = division->clock.data[i];
    uint64_t *input = slate_input(
        &side->slate, division->sheet.net.fluents.data[fluent].gate);
    for (uint32_t w = 0; input && w < SLATE_WORDS; w++)
      input[w] = bits_has(now, fluent) ? UINT64_MAX : 0;
  }
  slate_run(&side->slate);
}

/* After load: fills side->next with the states after a class. */
static void follow(Side *side, uint32_t class) {
  uint32_t fluents = side->part->fluents.count;
  const Signal *next = side->part->next.data + (size_t) class * fluents;
  uint64_t block[64];
  for (uint32_t w = 0; w < side->words; w++)
    for (uint32_t group = 0; group < SLATE_WORDS; group++) {
      for (uint32_t i = 0; i < 64; i++)
        block[i] = w * 64 + i < fluents
                       ? slate_word(&side->slate, next[w * 64 + i], group)
                       : 0;
      slate_transpose(block);
      for (uint32_t i = 0; i < 64; i++)
        side->next[(size_t)(group * 64 + i) * side->words + w] = block[i];
    }
}

static bool lane_set(const Slate *slate, Signal signal, uint32_t lane) {
  return slate_word(slate, signal, lane >> 6) >> (lane & 63) & 1;
}

/* ---- crowds ---- */

/* Makes successors of a batch of rows. */
static void expand_batch(PartsMethod *method, Side *side, const Crowd *crowd,
                         uint32_t at, uint32_t count, uint32_t first) {
  const DivisionPart *part = side->part;
  uint32_t row = crowd->first + at;
  uint64_t generated = 0;
  load(method, side, row, count, crowd->time);
  for (uint32_t c = 0; c < part->class_count; c++) {
    if (part->legal.data[c] == SIGNAL_FALSE) continue;
    if (!method->division.together && c + 1 == part->null) continue;
    follow(side, c);
    for (uint32_t lane = 0; lane < count; lane++) {
      if (!lane_set(&side->slate, part->legal.data[c], lane)) continue;
      add_row(side, first, side->next + (size_t)lane * side->words, row + lane,
              c);
      generated++;
    }
  }
  method_count(&method->method, count, generated);
}

/* Evaluates the cuts of new rows. */
static void judge(PartsMethod *method, Side *side, uint32_t first,
                  uint32_t time) {
  const NumberVector *cuts = &side->part->cuts;
  for (uint32_t end = row_count(side); first < end; first += SLATE_LANES) {
    uint32_t count = end - first < SLATE_LANES ? end - first : SLATE_LANES;
    load(method, side, first, count, time);
    for (uint32_t lane = 0; lane < count; lane++)
      for (uint32_t i = 0; i < cuts->count; i++)
        if (lane_set(&side->slate, cuts->data[i], lane))
          row_at(side, first + lane)[side->words] |= (uint64_t)1 << i;
  }
}

static void add_outcome(Crowd *crowd, uint64_t cuts, uint32_t row) {
  for (uint32_t i = 0; i < crowd->outcomes.count; i++)
    if (crowd->outcomes.data[i].cuts == cuts) return;
  vector_push(&crowd->outcomes, ((Outcome){cuts, row}));
}

/* Returns whether the new rows are the states of a crowd. The map has them. */
static bool same_states(const Side *side, const Crowd *crowd, uint32_t first,
                        uint32_t count) {
  MapCursor cursor;
  if (crowd->count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t row =
        find_row(side, first, row_at(side, crowd->first + i), &cursor);
    if (row == none) return false;
  }
  return true;
}

static uint32_t find_crowd(const PartsMethod *method, const Crowd *crowd) {
  for (uint32_t i = 0; i < method->crowds.count; i++) {
    const Crowd *known = &method->crowds.data[i];
    if (known->part == crowd->part && known->hash == crowd->hash &&
        (known->time == crowd->time || !method->division.together) &&
        same_states(&method->sides[crowd->part], known, crowd->first,
                    crowd->count))
      return i;
  }
  return none;
}

static void fill_map(Side *side, uint32_t first, uint32_t end) {
  map_clear(&side->map);
  for (uint32_t row = first; row < end; row++)
    map_add(&side->map, hash_state(side, row_at(side, row)), row - first + 1);
}

/* Makes a crowd of the last rows, which have the same ending cuts; returns its
   number. */
static uint32_t add_crowd(PartsMethod *method, uint32_t part, uint32_t first,
                          uint32_t time) {
  Side *side = &method->sides[part];
  uint32_t end = row_count(side);
  Crowd crowd = {.part = part,
                 .first = first,
                 .count = end - first,
                 .time = clock_at(method, time)};
  for (uint32_t row = first; row < end; row++)
    crowd.hash += hash_state(side, row_at(side, row));
  fill_map(side, first, end);
  uint32_t known = find_crowd(method, &crowd);
  if (known != none) {
    side->rows.count = first * side->row_words;
    return known;
  }
  for (uint32_t row = first; row < end; row++)
    add_outcome(&crowd, row_at(side, row)[side->words], row);
  vector_push(&method->crowds, crowd);
  return method->crowds.count - 1;
}

/* Divides the rows from `first` into crowds by their ending cuts: these rows
   are taken out and come back crowd by crowd. */
static void split(PartsMethod *method, uint32_t number, uint32_t first) {
  uint32_t part = method->crowds.data[number].part;
  uint32_t time = method->crowds.data[number].time + 1;
  Side *side = &method->sides[part];
  uint32_t words = side->row_words, count = row_count(side) - first;
  uint64_t *rows = memory_new(((size_t)count * words + 1) * sizeof *rows);
  bool *taken = memory_new((count + 1) * sizeof *taken);
  judge(method, side, first, time);
  if (count)
    memcpy(rows, row_at(side, first), (size_t)count * words * sizeof *rows);
  side->rows.count = first * words;
  for (uint32_t i = 0; i < count; i++) {
    if (taken[i]) continue;
    uint32_t begin = row_count(side);
    uint64_t ending =
        rows[(size_t)i * words + side->words] & side->part->ending;
    for (uint32_t j = i; j < count; j++) {
      const uint64_t *row = rows + (size_t)j * words;
      if (taken[j] || (row[side->words] & side->part->ending) != ending)
        continue;
      taken[j] = true;
      for (uint32_t w = 0; w < words; w++) vector_push(&side->rows, row[w]);
    }
    uint32_t crowd = add_crowd(method, part, begin, time);
    vector_push(&method->crowds.data[number].after, crowd);
  }
  memory_delete(rows);
  memory_delete(taken);
}

/* Returns false if the slice is over before the crowd is expanded. */
static bool grow(PartsMethod *method, uint32_t number, const Slice *slice,
                 uint64_t begun) {
  Growth *growth = &method->growth;
  if (method->crowds.data[number].grown) return true;
  Crowd crowd = method->crowds.data[number];
  Side *side = &method->sides[crowd.part];
  if (growth->crowd != number) {
    *growth = (Growth){number, 0, row_count(side)};
    map_clear(&side->map);
  }
  while (growth->at < crowd.count) {
    uint32_t left = crowd.count - growth->at;
    uint32_t count = left < SLATE_LANES ? left : SLATE_LANES;
    if (method_slice_over(slice, method->method.expanded - begun)) return false;
    expand_batch(method, side, &crowd, growth->at, count, growth->first);
    growth->at += count;
  }
  split(method, number, growth->first);
  method->crowds.data[number].grown = true;
  growth->crowd = none;
  return true;
}

/* ---- joint states ---- */

/* Enters the combination of one row of each part. */
static void enter(PartsMethod *method, const uint32_t *rows, uint32_t time) {
  memcpy(method->state, time_words(method, time),
         method->state_words * sizeof(uint64_t));
  for (uint32_t p = 0; p < method->division.count; p++) {
    const Side *side = &method->sides[p];
    const uint64_t *words = row_at(side, rows[p]);
    for (uint32_t i = 0; i < side->part->fluents.count; i++)
      if (bits_has(words, i))
        bits_add(method->state, side->part->fluents.data[i]);
  }
  game_enter(method->game, method->state, method->state_words);
}

/* The move that does these classes; 0: there is none, else + 1. */
static uint32_t joint_move(const PartsMethod *method, const uint32_t *classes) {
  uint32_t index = 0;
  for (uint32_t p = 0; p < method->division.count; p++)
    index = index * method->division.parts[p].class_count + classes[p];
  return method->move_of[index];
}

/* Finds a row of a crowd that leads to the state of another row, and the class
   that does; the parent that is known may be in another crowd. */
static uint32_t find_parent(PartsMethod *method, uint32_t number, uint32_t row,
                            uint32_t *class) {
  const Crowd *crowd = &method->crowds.data[number];
  Side *side = &method->sides[crowd->part];
  uint64_t meta = row_at(side, row)[side->words + 1];
  uint32_t parent = (uint32_t)(meta >> 32);
  *class = (uint32_t)meta;
  if (parent >= crowd->first && parent < crowd->first + crowd->count)
    return parent;
  for (uint32_t at = 0; at < crowd->count; at += SLATE_LANES) {
    uint32_t left = crowd->count - at;
    uint32_t count = left < SLATE_LANES ? left : SLATE_LANES;
    load(method, side, crowd->first + at, count, crowd->time);
    for (uint32_t c = 0; c < side->part->class_count; c++) {
      if (!method->division.together && c + 1 == side->part->null) continue;
      follow(side, c);
      for (uint32_t lane = 0; lane < count; lane++) {
        if (!lane_set(&side->slate, side->part->legal.data[c], lane) ||
            memcmp(side->next + (size_t)lane * side->words, row_at(side, row),
                   side->words * sizeof(uint64_t)) != 0)
          continue;
        *class = c;
        return crowd->first + at + lane;
      }
    }
  }
  return none; /* never */
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
        rows[p] = find_parent(method, from->crowds[p], rows[p], &classes[p]);
    if (division->together)
      move = joint_move(method, classes);
    else if (acted != none)
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
          method->crowds.data[after->crowds[p]].outcomes.data[choice[p]].row;
    enter(method, rows, after->time);
    int score = game_goal(method->game, 0);
    if (score > best) {
      best = score;
      memcpy(best_rows, rows, sizeof best_rows);
    }
    uint32_t p = 0;
    while (p < count &&
           ++choice[p] == method->crowds.data[after->crowds[p]].outcomes.count)
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
  uint64_t hash = clock_at(method, node->time);
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
        clock_at(method, known->time) == clock_at(method, node->time))
      return;
  }
  uint32_t rows[DIVISION_MOST];
  for (uint32_t p = 0; p < division->count; p++)
    rows[p] = method->crowds.data[node->crowds[p]].first;
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
  Node to = {.time = from.time + 1, .parent = number, .acted = none};
  for (uint32_t p = 0; p < count; p++)
    if (method->crowds.data[from.crowds[p]].after.count == 0) return;
  for (uint32_t p = 0; p < count;) {
    for (p = 0; p < count; p++)
      to.crowds[p] = method->crowds.data[from.crowds[p]].after.data[choice[p]];
    add_node(method, number, &to);
    p = 0;
    while (p < count &&
           ++choice[p] == method->crowds.data[from.crowds[p]].after.count)
      choice[p++] = 0;
  }
}

static void step_one(PartsMethod *method, uint32_t number, uint32_t part) {
  Node to = method->nodes.data[number];
  uint32_t crowd = to.crowds[part];
  to.time++;
  to.parent = number;
  to.acted = part;
  for (uint32_t i = 0; i < method->crowds.data[crowd].after.count; i++) {
    to.crowds[part] = method->crowds.data[crowd].after.data[i];
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
  to.acted = none;
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
      if (!grow(method, crowd, slice, begun)) return METHOD_WORKING;
    }
    expand_node(method, method->head);
  }
  conclude(method);
  return METHOD_DONE;
}

static void make_side(PartsMethod *method, uint32_t p) {
  Side *side = &method->sides[p];
  const DivisionPart *part = &method->division.parts[p];
  NumberVector wanted = {0};
  side->part = part;
  side->words = (uint32_t)bits_words(part->fluents.count);
  side->row_words = side->words + 2;
  side->next = memory_new((size_t)SLATE_LANES * side->words * sizeof(uint64_t));
  for (uint32_t i = 0; i < part->legal.count; i++)
    vector_push(&wanted, part->legal.data[i]);
  for (uint32_t i = 0; i < part->next.count; i++)
    vector_push(&wanted, part->next.data[i]);
  for (uint32_t i = 0; i < part->cuts.count; i++)
    vector_push(&wanted, part->cuts.data[i]);
  slate_init(&side->slate, &method->division.sheet.net, wanted.data,
             wanted.count);
  vector_free(&wanted);
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

static void make_start(PartsMethod *method) {
  const Division *division = &method->division;
  const uint64_t *start = method->method.puzzle->start;
  Node node = {.acted = none};
  slate_init(&method->clock, &division->sheet.net, division->advance.data,
             division->advance.count);
  for (uint32_t w = 0; w < method->state_words; w++)
    vector_push(&method->times, 0);
  for (uint32_t i = 0; i < division->clock.count; i++)
    if (bits_has(start, division->clock.data[i]))
      bits_add(method->times.data, division->clock.data[i]);
  for (uint32_t p = 0; p < division->count; p++) {
    make_side(method, p);
    Side *side = &method->sides[p];
    uint64_t *words = memory_new(side->words * sizeof *words);
    for (uint32_t i = 0; i < side->part->fluents.count; i++)
      if (bits_has(start, side->part->fluents.data[i])) bits_add(words, i);
    add_row(side, 0, words, none, 0);
    judge(method, side, 0, 0);
    node.crowds[p] = add_crowd(method, p, 0, 0);
    memory_delete(words);
  }
  vector_push(&method->nodes, node);
}

static Method *new (const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  if (!puzzle->net || puzzle->terminal) return NULL;
  PartsMethod *method = memory_new(sizeof *method);
  method->method.kind = &parts_method;
  method->method.puzzle = puzzle;
  if (!division_init(&method->division, puzzle->net, puzzle->start)) {
    memory_delete(method);
    return NULL;
  }
  method->best = -1;
  method->complete = true;
  method->growth.crowd = none;
  method->game = book_game(puzzle->book);
  method->state_words = puzzle->words;
  method->state = memory_new((puzzle->words + 1) * sizeof(uint64_t));
  find_moves(method);
  make_start(method);
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
                row_count(&method->sides[p]));
  text_format(text, " %u nodes\n", method->nodes.count);
}

static void delete (Method *base) {
  PartsMethod *method = (PartsMethod *)base;
  for (uint32_t p = 0; p < method->division.count; p++) {
    Side *side = &method->sides[p];
    slate_free(&side->slate);
    vector_free(&side->rows);
    map_free(&side->map);
    memory_delete(side->next);
    memory_delete(method->move_in[p]);
  }
  slate_free(&method->clock);
  vector_free(&method->times);
  for (uint32_t i = 0; i < method->crowds.count; i++) {
    vector_free(&method->crowds.data[i].outcomes);
    vector_free(&method->crowds.data[i].after);
  }
  vector_free(&method->crowds);
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
