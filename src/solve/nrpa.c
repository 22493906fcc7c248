/* Nested rollout policy adaptation (Rosin 2011). A policy gives each code of a
   move a weight; a playout chooses moves with chances in proportion to exp of
   the weights. A search of level n runs ITERATIONS searches of level n - 1 with
   its policy, level 0 being a playout, and after each shifts the policy towards
   the best sequence so far: at each step of the sequence, the weight of the
   move that was made gains ALPHA, and all legal ones lose ALPHA times their
   chance. A search ends early when its best sequence came again REPEATS times,
   since then little that is new will come (limited repetitions).

   Two searches take turns: for one a code is a move at a certain step of the
   game, for the other a move at any time. The first suits puzzles in which the
   order of moves matters (in 4 s, two seeds: rubiksCube 60 and 60 against 30
   and 40; asteroidsSerial 75 and 100 against 50 and 50), the second those in
   which pieces are put down. Codes of move and state were tried one playout at
   a time and reached 35 in rubiksCube where move and step reached 45.

   Searches are repeated. Each number of levels gets as much work as the others;
   one level more is tried after RUNS searches. In 10 s, three seeds, this gave
   63, 70 and 63 in stateSpaceLarge and 55 three times in rubiksCube; one level
   more with each search gave 56, 63, 63 and 60, 55, 55.

   In lanes, level 0 is the best of as many playouts as there are lanes
   (stabilised NRPA), and the first searches have level 2 instead of 3. Lanes
   begin together, so each step of all of them has its own row of weights. In
   4 s single playouts reached 45 and 45 in rubiksCube, lanes 60 and 60.
   Limited repetitions took the mean time to solve asteroidsSerial to 0.03 s;
   without them one of two seeds stayed at 75.

   Levels are an array of policies, so that the work can be left after every
   playout. */
#include "solve/nrpa.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "solve/rollout.h"

enum {
  ITERATIONS = 100,
  REPEATS = 4,
  RUNS = 10,
  LEVELS_LATER = 2, /* more than those of the first search */
  LEVELS = 3 + LEVELS_LATER,
};
static const double ALPHA = 1, HEAVIEST = 500; /* exp of it is finite */

typedef struct Code {
  Move move;
  uint32_t step;
} Code;

/* A sequence, and the codes of all legal moves on its way: at step i they are
   codes[first[i] … first[i + 1]), and chosen[i] is the one that was made. */
typedef struct Line {
  Sequence sequence;
  NumberVector first, codes, chosen;
} Line;

typedef struct Level {
  VECTOR(double) weights, powers; /* by code: the weight, and exp of it */
  Line best;
  uint32_t iterations, repeats;
} Level;

/* One of the two searches that take turns. */
typedef struct Search {
  bool by_step; /* a code is a move and a step, not a move alone */
  bool begun;
  uint32_t code_count;           /* that were met */
  VECTOR(Code) codes;            /* without a net */
  Map map;                       /* of them, by number + 1 */
  uint32_t levels;               /* of this search */
  Level level[LEVELS + 1];       /* from 1 */
  uint64_t spent;                /* states */
  uint64_t spent_on[LEVELS + 1]; /* the same by level of the searches */
  uint32_t runs[LEVELS + 1];     /* searches that have ended */
} Search;

typedef struct Nrpa {
  Method method;
  Rollout rollout;
  uint32_t row; /* moves of the net, or 0 */
  int lowest;   /* score that was seen */
  Line line;    /* the last playout */
  Search searches[2];
  VECTOR(double) shift; /* scratch: of weights, by code */
  NumberVector shifted; /* codes */
} Nrpa;

/* ---- lines ---- */

static void line_free(Line *line) {
  sequence_free(&line->sequence);
  vector_free(&line->first);
  vector_free(&line->codes);
  vector_free(&line->chosen);
}

static void line_clear(Line *line) {
  line->sequence.score = -1;
  vector_clear(&line->sequence.moves);
  vector_clear(&line->first);
  vector_clear(&line->codes);
  vector_clear(&line->chosen);
}

static void copy_numbers(NumberVector *to, const NumberVector *from) {
  vector_resize(to, from->count);
  if (from->count)
    memcpy(to->data, from->data, from->count * sizeof *from->data);
}

static void line_copy(Line *to, const Line *from) {
  sequence_copy(&to->sequence, &from->sequence);
  copy_numbers(&to->first, &from->first);
  copy_numbers(&to->codes, &from->codes);
  copy_numbers(&to->chosen, &from->chosen);
}

static bool same_moves(const Line *a, const Line *b) {
  const MoveVector *left = &a->sequence.moves, *right = &b->sequence.moves;
  return left->count == right->count &&
         (!left->count || memcmp(left->data, right->data,
                                 left->count * sizeof *left->data) == 0);
}

/* ---- codes ---- */

/* On a net codes are rows of moves, one row for each step. */
static uint32_t code_of(Search *search, uint32_t row, Move move,
                        uint32_t step) {
  if (row) return step * row + move;
  uint64_t hash = hash_pair(move, step);
  MapCursor at;
  for (uint32_t e = map_first(&search->map, hash, &at); e;
       e = map_next(&search->map, &at)) {
    const Code *code = &search->codes.data[e - 1];
    if (code->move == move && code->step == step) return e - 1;
  }
  vector_push(&search->codes, ((Code){move, step}));
  map_insert(&search->map, &at, search->codes.count);
  return search->codes.count - 1;
}

/* Codes that a level has not seen have weight 0. */
static void make_room(Level *level, uint32_t codes) {
  while (level->weights.count < codes) {
    vector_push(&level->weights, 0);
    vector_push(&level->powers, 1);
  }
}

/* ---- playouts ---- */

/* Appends the codes of the legal moves to the line. Returns their number. */
static uint32_t list_codes(Nrpa *nrpa, Search *search, const Move **legal) {
  uint32_t count = game_legal(nrpa->rollout.game, 0, legal), row = nrpa->row;
  uint32_t step = search->by_step ? nrpa->rollout.way.moves.count : 0;
  vector_push(&nrpa->line.first, nrpa->line.codes.count);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&nrpa->line.codes, code_of(search, row, (*legal)[i], step));
  uint32_t met = row ? (step + 1) * row : search->codes.count;
  if (search->code_count < met) search->code_count = met;
  return count;
}

static void follow(Nrpa *nrpa, uint32_t count, uint32_t which, Move move) {
  vector_push(&nrpa->line.chosen,
              nrpa->line.codes.data[nrpa->line.codes.count - count + which]);
  rollout_make(&nrpa->rollout, move);
}

/* Chooses by the policy among the last `count` codes of the line. */
static uint32_t choose(Nrpa *nrpa, Level *level, uint32_t count) {
  const Line *line = &nrpa->line;
  const uint32_t *codes = line->codes.data + line->codes.count - count;
  const double *powers = level->powers.data;
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += powers[codes[i]];
  double at =
      (double)(random_next(&nrpa->rollout.random) >> 11) * 0x1p-53 * sum;
  for (uint32_t i = 0; i + 1 < count; i++)
    if ((at -= powers[codes[i]]) < 0) return i;
  return count - 1;
}

/* Plays one game by the policy of level 1; it becomes the line. */
static void play(Nrpa *nrpa, Search *search) {
  Rollout *rollout = &nrpa->rollout;
  line_clear(&nrpa->line);
  rollout->result.score = -1;
  while (!game_terminal(rollout->game) &&
         rollout->way.moves.count < ROLLOUT_STEPS) {
    const Move *legal;
    uint32_t count = list_codes(nrpa, search, &legal);
    if (!count) break;
    make_room(&search->level[1], search->code_count);
    uint32_t which = choose(nrpa, &search->level[1], count);
    follow(nrpa, count, which, legal[which]);
  }
  if (game_terminal(rollout->game)) rollout_end(rollout);
  sequence_copy(&nrpa->line.sequence, &rollout->way);
  nrpa->line.sequence.score = rollout->result.score;
  method_count(&nrpa->method, rollout->way.moves.count + 1,
               rollout->way.moves.count + 1);
  nrpa->method.simulations++;
}

/* Plays many by the same policy; the best one becomes the line. */
static void play_lanes(Nrpa *nrpa, Search *search) {
  Rollout *rollout = &nrpa->rollout;
  Level *level = &search->level[1];
  make_room(level, search->code_count);
  RolloutScores scores = {level->weights.data, level->weights.count / nrpa->row,
                          !search->by_step};
  rollout_play_scores(rollout, &scores);
  line_clear(&nrpa->line);
  sequence_copy(&nrpa->line.sequence, &rollout->result);
  if (rollout->result.score < 0) return;
  const MoveVector *moves = &rollout->result.moves;
  for (uint32_t i = 0; i < moves->count; i++) {
    const Move *legal;
    uint32_t count = list_codes(nrpa, search, &legal), which = 0;
    while (which + 1 < count && legal[which] != moves->data[i]) which++;
    follow(nrpa, count, which, moves->data[i]);
  }
}

/* ---- levels ---- */

static void shift(Nrpa *nrpa, uint32_t code, double by) {
  if (nrpa->shift.data[code] == 0) vector_push(&nrpa->shifted, code);
  nrpa->shift.data[code] += by;
}

/* Shifts the policy towards the level's best line. The chances are those before
   the adaptation. */
static void adapt(Nrpa *nrpa, const Search *search, Level *level) {
  const Line *line = &level->best;
  make_room(level, search->code_count);
  while (nrpa->shift.count < level->weights.count) vector_push(&nrpa->shift, 0);
  vector_clear(&nrpa->shifted);
  for (uint32_t i = 0; i < line->chosen.count; i++) {
    double sum = 0;
    for (uint32_t j = line->first.data[i]; j < line->first.data[i + 1]; j++)
      sum += level->powers.data[line->codes.data[j]];
    for (uint32_t j = line->first.data[i]; j < line->first.data[i + 1]; j++)
      shift(nrpa, line->codes.data[j],
            -ALPHA * level->powers.data[line->codes.data[j]] / sum);
    shift(nrpa, line->chosen.data[i], ALPHA);
  }
  for (uint32_t i = 0; i < nrpa->shifted.count; i++) {
    uint32_t code = nrpa->shifted.data[i];
    double weight = level->weights.data[code] + nrpa->shift.data[code];
    level->weights.data[code] = fmax(-HEAVIEST, fmin(weight, HEAVIEST));
    level->powers.data[code] = exp(level->weights.data[code]);
    nrpa->shift.data[code] = 0;
  }
}

/* A search of the level below found this line. Where all lines have the same
   score there is nothing to learn. */
static void learn(Nrpa *nrpa, const Search *search, Level *level,
                  const Line *line) {
  int score = line->sequence.score;
  level->iterations++;
  if (score >= 0 && score < nrpa->lowest) nrpa->lowest = score;
  if (score >= 0 && same_moves(line, &level->best)) {
    level->repeats++;
  } else if (score >= 0 && score >= level->best.sequence.score) {
    line_copy(&level->best, line);
    level->repeats = 0;
  }
  if (level->best.sequence.score > nrpa->lowest) adapt(nrpa, search, level);
}

static bool ended(const Level *level) {
  return level->iterations >= ITERATIONS || level->repeats >= REPEATS;
}

static void clear_level(Level *level) {
  level->iterations = level->repeats = 0;
  line_clear(&level->best);
  vector_clear(&level->weights);
  vector_clear(&level->powers);
}

/* Begins the levels below this one with its policy. */
static void begin_below(Search *search, uint32_t above) {
  const Level *from = &search->level[above];
  uint32_t count = from->weights.count;
  for (uint32_t n = 1; n < above; n++) {
    Level *level = &search->level[n];
    clear_level(level);
    vector_resize(&level->weights, count);
    vector_resize(&level->powers, count);
    if (!count) continue;
    memcpy(level->weights.data, from->weights.data, count * sizeof(double));
    memcpy(level->powers.data, from->powers.data, count * sizeof(double));
  }
}

/* The number of levels that had least work so far. One more than before is
   tried after RUNS searches. */
static uint32_t choose_levels(const Nrpa *nrpa, const Search *search) {
  uint32_t first = nrpa->rollout.wide ? 2 : 3, levels = first;
  for (uint32_t n = first + 1;
       n <= first + LEVELS_LATER && search->runs[n - 1] >= RUNS; n++)
    if (search->spent_on[n] <= search->spent_on[levels]) levels = n;
  return levels;
}

static void begin_search(Nrpa *nrpa, Search *search) {
  search->levels = choose_levels(nrpa, search);
  search->code_count = nrpa->row; /* at least one row */
  vector_clear(&search->codes);
  map_clear(&search->map);
  clear_level(&search->level[search->levels]);
  begin_below(search, search->levels);
  search->begun = true;
}

/* Plays once, and lets all levels learn whose turn it is. */
static void step(Nrpa *nrpa) {
  Search *search = nrpa->searches;
  if (search[1].spent < search[0].spent) search++;
  uint64_t before = nrpa->method.expanded;
  if (!search->begun) begin_search(nrpa, search);
  if (nrpa->rollout.wide && nrpa->row)
    play_lanes(nrpa, search);
  else
    play(nrpa, search);
  vector_push(&nrpa->line.first, nrpa->line.codes.count);
  rollout_go_back(&nrpa->rollout, 0);
  learn(nrpa, search, &search->level[1], &nrpa->line);
  uint32_t n = 1;
  for (; n < search->levels && ended(&search->level[n]); n++)
    learn(nrpa, search, &search->level[n + 1], &search->level[n].best);
  if (n > 1) begin_below(search, n);
  search->begun = !ended(&search->level[search->levels]);
  search->runs[search->levels] += !search->begun;
  search->spent += nrpa->method.expanded - before;
  search->spent_on[search->levels] += nrpa->method.expanded - before;
}

/* ---- the method ---- */

static Method *nrpa_new(const MethodTask *task) {
  if (task->puzzle->terminal) return NULL;
  Nrpa *nrpa = memory_new(sizeof *nrpa);
  nrpa->method = (Method){.kind = &nrpa_method, .puzzle = task->puzzle};
  rollout_init(&nrpa->rollout, &nrpa->method, task->seed, true);
  nrpa->lowest = 100;
  nrpa->row = task->puzzle->net ? task->puzzle->net->moves.count : 0;
  nrpa->searches[0].by_step = true;
  return &nrpa->method;
}

static void free_search(Search *search) {
  for (uint32_t i = 0; i <= LEVELS; i++) {
    line_free(&search->level[i].best);
    vector_free(&search->level[i].weights);
    vector_free(&search->level[i].powers);
  }
  vector_free(&search->codes);
  map_free(&search->map);
}

static void nrpa_delete(Method *method) {
  Nrpa *nrpa = (Nrpa *)method;
  rollout_free(&nrpa->rollout);
  line_free(&nrpa->line);
  free_search(&nrpa->searches[0]);
  free_search(&nrpa->searches[1]);
  vector_free(&nrpa->shift);
  vector_free(&nrpa->shifted);
  memory_delete(nrpa);
}

static MethodStatus nrpa_run(Method *method, const Slice *slice) {
  Nrpa *nrpa = (Nrpa *)method;
  uint64_t before = method->expanded;
  Slice whole = *slice;
  whole.states = rollout_budget(&nrpa->rollout, slice);
  do {
    step(nrpa);
    if (game_failed(nrpa->rollout.game)) return METHOD_DONE;
  } while (!method_slice_over(&whole, method->expanded - before));
  return METHOD_WORKING;
}

static void nrpa_explain(Method *method, Text *text) {
  const Nrpa *nrpa = (const Nrpa *)method;
  text_add(text, "searches of level 2, 3 … by steps:");
  for (uint32_t i = 2; i <= LEVELS; i++)
    text_format(text, " %u", nrpa->searches[0].runs[i]);
  text_add(text, "; by moves alone:");
  for (uint32_t i = 2; i <= LEVELS; i++)
    text_format(text, " %u", nrpa->searches[1].runs[i]);
}

const MethodKind nrpa_method = {
    .name = "nrpa",
    .origin = "Rosin 2011",
    .help = "nested rollout policy adaptation",
    .pace = 4000,
    .new = nrpa_new,
    .run = nrpa_run,
    .explain = nrpa_explain,
    .delete = nrpa_delete,
};
