/* The puzzle is unrolled step by step (solve/unroll.h), and the solver is asked
   for a line that ends with a goal value. Lengths are asked about in rungs of a
   ladder, each half as long again as all before it. Nobody knows which rung is
   the easiest, so all that are open take turns: one gets half of the work that
   the next shorter one got (Rintanen, Heljanko and Niemelä 2006). The highest
   goal value that is not refuted is aimed at, and in some turns the lowest that
   is higher than the best plan's.

   When all rungs of a value are refuted and every line is over by then (by a
   counter, or because the solver proves that no line goes on), no plan has that
   value. First moves that are images of others (solve/symmetry.h) are left out:
   the plans that are left have all scores and lengths that there are. Steps are
   not added beyond what memory allows: then nothing
   is proved. */
#include "solve/satisfy.h"

#include <inttypes.h>

#include "base/trial.h"
#include "solve/ceiling.h"
#include "solve/stages.h"
#include "solve/symmetry.h"
#include "solve/unroll.h"

enum {
  LITERALS = 100,     /* propagated that count as one state */
  QUANTUM = 300,      /* states of work before choosing again, at least */
  PIECE = 2000,       /* propagations between looks at the clock */
  GATES = 50,         /* added that count as one state */
  GROWTH = 4,         /* part of the work that adds steps beyond open rungs */
  BARREN = 10,        /* steps */
  CLOSING = 8,        /* part of the work that may go into proving an end */
  MODEST = 4,         /* every so many turns aim for any better plan */
  MOST_GATES = 60000, /* a step of which is added in some 50 ms */
  SHARE = 3 /* this part of the memory is for clauses as they are made */
};

typedef struct Rung {
  uint32_t first, last; /* lengths */
  uint32_t refuted;     /* values before this one have no plan; an index */
  uint64_t spent;       /* states */
} Rung;

typedef struct Satisfy {
  Method method;
  size_t memory;
  Symmetry symmetry;
  Unroll unroll;
  VECTOR(Rung) rungs;
  bool full; /* no step is added, for lack of memory or of hope */
  uint64_t turns;
  uint32_t possible; /* a line of so many steps goes on */
  uint64_t closing_work, growth_work;
  /* the query that is going on */
  bool asking, closing;
  uint32_t rung, value;
  uint64_t turn_end; /* work at which it ends */
  uint64_t work;     /* states so far, propagated or built */
  MoveVector plan;
  Ceiling ceiling;
  bool ceiling_known; /* the highest goal that a state could have, or not asked
                       */
  uint64_t ceiling_work;
  Interfere interfere;
  Stages *stages[2]; /* bold, and not; NULL: not made, or of no use any more */
  uint64_t stages_work[2];
  uint64_t prepared;   /* states of work for `interfere` */
  uint32_t unplayable; /* plans that were worth less than they promised */
} Satisfy;

static Method *new_method(const MethodTask *task) {
  Puzzle *puzzle = task->puzzle;
  const Net *net = puzzle->net;
  if (!net || net->role_count != 1 || net->loops.count || puzzle->terminal ||
      net->gates.count > MOST_GATES)
    return NULL;
  Satisfy *satisfy = memory_new(sizeof *satisfy);
  satisfy->method = (Method){.kind = &satisfy_method, .puzzle = puzzle};
  satisfy->memory = task->memory;
  const Analysis *analysis = puzzle->book->analysis;
  unroll_init(&satisfy->unroll, net, analysis, puzzle->start);
  symmetry_init(&satisfy->symmetry, puzzle);
  satisfy->unroll.later = satisfy->symmetry.later;
  satisfy->interfere.status = INTERFERE_USELESS;
  satisfy->ceiling_known = !satisfy->unroll.analysis;
  if (satisfy->unroll.analysis) {
    interfere_init(&satisfy->interfere, net, analysis, puzzle->start);
    ceiling_init(&satisfy->ceiling, net, analysis, puzzle->start);
  }
  return &satisfy->method;
}

static void delete_method(Method *method) {
  Satisfy *satisfy = (Satisfy *)method;
  for (uint32_t i = 0; i < 2; i++) stages_delete(satisfy->stages[i]);
  interfere_free(&satisfy->interfere);
  ceiling_free(&satisfy->ceiling);
  unroll_free(&satisfy->unroll);
  symmetry_free(&satisfy->symmetry);
  vector_free(&satisfy->rungs);
  vector_free(&satisfy->plan);
  memory_delete(satisfy);
}

/* ---- what to ask ---- */

static int goal_value(const Satisfy *satisfy, uint32_t index) {
  const NumberVector *values = &satisfy->unroll.values;
  return index < values->count ? (int)values->data[index] : -1;
}

/* The highest value that is not above the bound. */
static uint32_t highest_value(const Satisfy *satisfy) {
  int bound = atomic_load(&satisfy->method.puzzle->bound);
  uint32_t index = 0;
  while (goal_value(satisfy, index) > bound) index++;
  return index;
}

/* The lowest value that is above the score; or the bound, if that is all. */
static uint32_t modest_value(const Satisfy *satisfy) {
  int score = atomic_load(&satisfy->method.puzzle->score);
  uint32_t index = highest_value(satisfy);
  while (goal_value(satisfy, index + 1) > score) index++;
  return index;
}

/* Once the best score is known, only shorter plans are of interest. */
static uint32_t longest_of_use(const Satisfy *satisfy) {
  const Puzzle *puzzle = satisfy->method.puzzle;
  return puzzle_solved(puzzle) ? atomic_load(&puzzle->length) - 1 : UINT32_MAX;
}

static bool is_open(const Satisfy *satisfy, const Rung *rung, uint32_t value) {
  return rung->refuted <= value && rung->first <= longest_of_use(satisfy);
}

/* Returns the open rung that has had the least work for its place, or the
   number of rungs if that is a new one. */
static uint32_t choose_rung(const Satisfy *satisfy, uint32_t value) {
  uint32_t best = satisfy->rungs.count;
  double least = 0, weight = 1;
  for (uint32_t i = 0; i < satisfy->rungs.count; i++) {
    const Rung *rung = &satisfy->rungs.data[i];
    if (!is_open(satisfy, rung, value)) continue;
    double cost = (double)rung->spent * weight;
    if (best == satisfy->rungs.count || cost < least) {
      best = i;
      least = cost;
    }
    weight *= 2;
  }
  bool complete = satisfy->full || satisfy->unroll.closed ||
                  unroll_length(&satisfy->unroll) > longest_of_use(satisfy);
  if (!complete && least >= QUANTUM * weight &&
      satisfy->growth_work <= satisfy->work / GROWTH)
    best = satisfy->rungs.count;
  return best;
}

/* ---- rungs ---- */

static bool has_room(const Satisfy *satisfy) {
  SatStatistics counts = sat_statistics(satisfy->unroll.formula.sat);
  return counts.bytes < satisfy->memory / SHARE;
}

/* True if nothing could end in the last third of the steps, but something could
   before: a counter has run out, and the line goes on for nothing. */
static bool is_barren(const Satisfy *satisfy) {
  const Unroll *unroll = &satisfy->unroll;
  uint32_t length = unroll_length(unroll), last = 0;
  for (uint32_t t = 0; t <= length; t++)
    for (uint32_t i = 0; i < unroll->values.count; i++)
      if (unroll_end(unroll, t, i) != FORMULA_FALSE) last = t;
  return last && length - last > BARREN + last / 2;
}

/* Adds the steps of a new rung, as far as the slice allows. */
static void add_rung(Satisfy *satisfy) {
  uint32_t length = unroll_length(&satisfy->unroll);
  uint32_t first = 0;
  if (satisfy->rungs.count) first = vector_last(&satisfy->rungs).last + 1;
  uint32_t last = first + first / 2;
  if (length < last && !satisfy->unroll.closed && !satisfy->full) {
    unroll_grow(&satisfy->unroll);
    uint64_t states = 1 + satisfy->unroll.net->gates.count / GATES;
    satisfy->work += states;
    satisfy->growth_work += states;
    satisfy->full = !has_room(satisfy) || is_barren(satisfy);
    return;
  }
  if (last > length) last = length;
  if (first > last) return;
  vector_push(&satisfy->rungs, ((Rung){.first = first, .last = last}));
}

/* The line ends within the rung, with at least the value. */
static SatLiteral question(Satisfy *satisfy, Rung *rung, uint32_t value) {
  SatLiterals list = {0};
  uint32_t longest = longest_of_use(satisfy);
  if (rung->last > longest) rung->last = longest;
  for (uint32_t t = rung->first; t <= rung->last; t++)
    vector_push(&list, unroll_end(&satisfy->unroll, t, value));
  SatLiteral any = formula_or(&satisfy->unroll.formula, list.data, list.count);
  vector_free(&list);
  return formula_known(&satisfy->unroll.formula, any);
}

/* ---- what was found ---- */

/* No plan has the value. */
static void prove_next(Satisfy *satisfy, uint32_t value) {
  int bound = goal_value(satisfy, value + 1);
  puzzle_prove_bound(satisfy->method.puzzle, satisfy_method.name,
                     bound < 0 ? 0 : bound);
}

/* Plans of the value are longer than all rungs that are refuted. */
static void conclude(Satisfy *satisfy) {
  Puzzle *puzzle = satisfy->method.puzzle;
  uint32_t value = highest_value(satisfy), longer = 0;
  bool all = true;
  for (uint32_t i = 0; i < satisfy->rungs.count && all; i++) {
    const Rung *rung = &satisfy->rungs.data[i];
    /* a rung that was cut off leaves a gap before the next one */
    all = rung->refuted > value && rung->first == longer;
    if (all) longer = rung->last + 1;
  }
  if (all && satisfy->unroll.closed &&
      longer > unroll_length(&satisfy->unroll)) {
    prove_next(satisfy, value);
    return;
  }
  if (longer) puzzle_prove_least(puzzle, goal_value(satisfy, value), longer);
}

static void refute(Satisfy *satisfy) {
  Rung *rung = &satisfy->rungs.data[satisfy->rung];
  if (rung->refuted <= satisfy->value) rung->refuted = satisfy->value + 1;
  conclude(satisfy);
}

/* The plan may be worth less if several goals hold at once: it is not asked for
   again, and then nothing is proved. */
static void offer(Satisfy *satisfy) {
  Puzzle *puzzle = satisfy->method.puzzle;
  int value = goal_value(satisfy, satisfy->value);
  vector_clear(&satisfy->plan);
  unroll_read(&satisfy->unroll, &satisfy->plan);
  uint32_t at;
  if (!puzzle_offer(puzzle, satisfy_method.name, value, satisfy->plan.data,
                    satisfy->plan.count) &&
      puzzle_replay(puzzle, satisfy->plan.data, satisfy->plan.count, &at) <
          value)
    satisfy->unplayable++;
}

/* ---- work ---- */

/* Asks whether a line can go on after the last step; if not, no plan is longer.
   Lines that get stuck without an end are no plans. */
static void begin_closing(Satisfy *satisfy) {
  SatLiteral goes_on = vector_last(&satisfy->unroll.steps).over ^ 1;
  sat_begin(satisfy->unroll.formula.sat, &goes_on, 1, NULL, 0);
  satisfy->asking = satisfy->closing = true;
  satisfy->turn_end = satisfy->work + QUANTUM;
}

static void close_steps(Satisfy *satisfy) {
  SatLiteral over = vector_last(&satisfy->unroll.steps).over;
  formula_require(&satisfy->unroll.formula, &over, 1);
  sat_settle(satisfy->unroll.formula.sat);
  satisfy->unroll.closed = true;
  conclude(satisfy);
}

static void go_on_closing(Satisfy *satisfy, SatAnswer answer, uint64_t states) {
  satisfy->closing_work += states;
  if (answer == SAT_NO) close_steps(satisfy);
  if (answer == SAT_MAYBE) satisfy->possible = unroll_length(&satisfy->unroll);
  satisfy->asking = satisfy->closing =
      answer == SAT_UNKNOWN && satisfy->work < satisfy->turn_end;
}

static void begin_turn(Satisfy *satisfy) {
  satisfy->turns++;
  if (!satisfy->unroll.closed && satisfy->rungs.count &&
      satisfy->possible < unroll_length(&satisfy->unroll) &&
      satisfy->closing_work <= satisfy->work / CLOSING) {
    begin_closing(satisfy);
    return;
  }
  satisfy->value =
      satisfy->turns % MODEST ? highest_value(satisfy) : modest_value(satisfy);
  satisfy->rung = choose_rung(satisfy, satisfy->value);
  if (satisfy->rung == satisfy->rungs.count) {
    add_rung(satisfy);
    return;
  }
  Rung *rung = &satisfy->rungs.data[satisfy->rung];
  SatLiteral literal = question(satisfy, rung, satisfy->value);
  if (literal == FORMULA_FALSE) {
    refute(satisfy);
    return;
  }
  sat_begin(satisfy->unroll.formula.sat, &literal, 1, NULL, 0);
  satisfy->asking = true;
  satisfy->turn_end = satisfy->work + QUANTUM + rung->spent / 4;
}

static void go_on(Satisfy *satisfy) {
  Sat *sat = satisfy->unroll.formula.sat;
  uint64_t before = sat_statistics(sat).propagations;
  SatAnswer answer = sat_continue(sat, PIECE);
  uint64_t states = 1 + (sat_statistics(sat).propagations - before) / LITERALS;
  satisfy->work += states;
  if (satisfy->closing) {
    go_on_closing(satisfy, answer, states);
    return;
  }
  satisfy->rungs.data[satisfy->rung].spent += states;
  if (answer == SAT_NO) refute(satisfy);
  if (answer == SAT_MAYBE) offer(satisfy);
  satisfy->asking =
      answer == SAT_UNKNOWN && satisfy->work < satisfy->turn_end &&
      is_open(satisfy, &satisfy->rungs.data[satisfy->rung], satisfy->value);
}

/* Describes a move; stages are made when all have been. */
static void prepare(Satisfy *satisfy) {
  Puzzle *puzzle = satisfy->method.puzzle;
  uint64_t states = 1 + puzzle->net->gates.count / GATES / 4;
  satisfy->work += states;
  satisfy->prepared += states;
  if (interfere_work(&satisfy->interfere) != INTERFERE_READY) return;
  for (uint32_t i = 0; i < 2; i++)
    satisfy->stages[i] =
        stages_new(puzzle, &satisfy->interfere, i == 0, satisfy->memory / 4);
}

static void work_on_stages(Satisfy *satisfy, uint32_t which) {
  Puzzle *puzzle = satisfy->method.puzzle;
  uint64_t states = 1;
  int goal = goal_value(satisfy, highest_value(satisfy));
  StagesStatus status = stages_run(satisfy->stages[which], goal, LITERALS,
                                   &states, &satisfy->plan);
  satisfy->work += states;
  satisfy->stages_work[which] += states;
  if (status == STAGES_FOUND)
    puzzle_offer(puzzle, satisfy_method.name, goal, satisfy->plan.data,
                 satisfy->plan.count);
  if (status == STAGES_WORKING) return;
  stages_delete(satisfy->stages[which]);
  satisfy->stages[which] = NULL;
}

static void work_on_ceiling(Satisfy *satisfy) {
  const Sat *sat = satisfy->ceiling.formula.sat;
  uint64_t before = sat_statistics(sat).propagations;
  uint32_t value = highest_value(satisfy);
  SatAnswer answer =
      ceiling_ask(&satisfy->ceiling, goal_value(satisfy, value), PIECE);
  uint64_t states = 1 + (sat_statistics(sat).propagations - before) / LITERALS;
  satisfy->work += states;
  satisfy->ceiling_work += states;
  if (answer == SAT_NO) prove_next(satisfy, value);
  satisfy->ceiling_known =
      answer == SAT_MAYBE ||
      (answer == SAT_NO && goal_value(satisfy, value + 1) < 0);
  if (!satisfy->ceiling_known) return;
  ceiling_free(&satisfy->ceiling);
  satisfy->ceiling = (Ceiling){0};
}

/* Of what is left when the ceiling has had its part, steps, bold plans and
   stages get a third each. */
static void work(Satisfy *satisfy) {
  if (!satisfy->ceiling_known && satisfy->ceiling_work <= satisfy->work / 8) {
    work_on_ceiling(satisfy);
    return;
  }
  for (uint32_t i = 0; i < 2; i++)
    if (satisfy->stages[i] && satisfy->stages_work[i] <= satisfy->work / 3) {
      work_on_stages(satisfy, i);
      return;
    }
  if (satisfy->interfere.status == INTERFERE_WORKING &&
      satisfy->prepared <= satisfy->work / 2)
    prepare(satisfy);
  else if (satisfy->asking)
    go_on(satisfy);
  else
    begin_turn(satisfy);
}

/* Nothing is left to be asked. */
static bool is_done(const Satisfy *satisfy) {
  const Puzzle *puzzle = satisfy->method.puzzle;
  if (puzzle_shortest(puzzle) || satisfy->unplayable > 3) return true;
  if (highest_value(satisfy) >= satisfy->unroll.values.count) return true;
  if (!satisfy->full && !satisfy->unroll.closed &&
      unroll_length(&satisfy->unroll) <= longest_of_use(satisfy))
    return false;
  uint32_t value = modest_value(satisfy);
  for (uint32_t i = 0; i < satisfy->rungs.count; i++)
    if (is_open(satisfy, &satisfy->rungs.data[i], value)) return false;
  return satisfy->rungs.count &&
         vector_last(&satisfy->rungs).last >= unroll_length(&satisfy->unroll);
}

static MethodStatus run(Method *method, const Slice *slice) {
  Satisfy *satisfy = (Satisfy *)method;
  uint64_t start = satisfy->work;
  MethodStatus status = METHOD_WORKING;
  if (is_done(satisfy)) status = METHOD_DONE;
  while (status == METHOD_WORKING &&
         !method_slice_over(slice, satisfy->work - start)) {
    work(satisfy);
    if (is_done(satisfy)) status = METHOD_DONE;
  }
  method_count(method, satisfy->work - start, satisfy->work - start);
  return status;
}

static void explain(Method *method, Text *text) {
  const Satisfy *satisfy = (Satisfy *)method;
  SatStatistics counts = sat_statistics(satisfy->unroll.formula.sat);
  text_format(text,
              "%u steps%s, %u variables, %" PRIu64 " clauses, %" PRIu64
              " learnt, %" PRIu64 " conflicts",
              unroll_length(&satisfy->unroll),
              satisfy->unroll.closed ? " (all)" : "",
              counts.variables - counts.fixed, counts.clauses, counts.learnt,
              counts.conflicts);
  if (satisfy->symmetry.skipped)
    text_format(text, ", %u first moves are images of others",
                satisfy->symmetry.skipped);
  for (uint32_t i = 0; i < 2; i++) {
    if (!satisfy->stages[i]) continue;
    text_add(text, "; ");
    stages_explain(satisfy->stages[i], text);
  }
}

const MethodKind satisfy_method = {
    .name = "sat",
    .origin = "Kautz and Selman 1992",
    .help = "the puzzle as a formula, solved by clause learning",
    .pace = 300,
    .steady = true,
    .usual = true,
    .new = new_method,
    .run = run,
    .explain = explain,
    .delete = delete_method,
};
