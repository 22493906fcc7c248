/* Every allowed mode gets its own playouts on the same programs, and all take
   turns: each makes the same number of steps in a round, so that other load on
   the machine and the progress of the games affect all alike. A mode's score is
   its rate relative to the best of the round. Modes that are far behind after
   some rounds are dropped.

   Fewer than 256 lanes were never best, nor were more than 512 for nets of more
   than 5,000 gates; these are tried only on request. */
#include "wide/tune.h"

#include "base/clock.h"
#include "base/trial.h"
#include "wide/phase.h"
#include "wide/wide.h"

enum {
  LARGE_NET = 5000,
  CODE_GATES = 2000000, /* beyond which machine code is not tried */
  MODE_LIMIT = 5 * 3,   /* widths times code and tapes */
  STEP_LIMIT = 1000,    /* of a playout */
  FEW_ROUNDS = 3,
  STEPS_WORK = 40000000, /* edges visited for a course of steps */
  SHORTEST_COURSE = 16
};

static const double behind = 0.6;    /* of the best score; less is dropped */
static const double promising = 0.7; /* of the estimated cost */

const TuneOptions tune_default = {
    .any_isa = true, .code = true, .seconds = 0.02};

typedef struct Entrant {
  Cones view; /* the same programs in another mode */
  Wide *wide; /* NULL: dropped */
  double rate, score;
} Entrant;

typedef struct Tune {
  Entrant entrants[MODE_LIMIT];
  uint32_t count;
} Tune;

/* ---- entrants ---- */

static void enter(Tune *tune, Cones *cones, Isa isa, bool code,
                  uint32_t words) {
  ProgramMode mode = {isa, code, words};
  if (cones_set_mode(cones, &mode)) tune->entrants[tune->count++].view = *cones;
}

/* Enters machine code, and tapes of the two widest instruction sets: on Zen 4
   the tape takes 1.35 ns a gate with AVX2 and 1.5 with AVX-512. */
static void enter_width(Tune *tune, Cones *cones, const TuneOptions *options,
                        uint32_t words) {
  uint32_t tapes = 0;
  for (int isa = ISA_COUNT; isa-- > 0 && tapes < 2;) {
    if (options->any_isa ? !isa_available((Isa)isa) : isa != (int)options->isa)
      continue;
    enter(tune, cones, (Isa)isa, false, words);
    tapes++;
    if (options->code && isa == ISA_AVX512 && cones_gates(cones) <= CODE_GATES)
      enter(tune, cones, (Isa)isa, true, words);
  }
}

static void enter_all(Tune *tune, Cones *cones, const TuneOptions *options) {
  bool large = cones_gates(cones) > LARGE_NET;
  for (uint32_t words = 16; words; words /= 2)
    if (options->words ? words == options->words
                       : words == 8 || (words >= 4 && !large))
      enter_width(tune, cones, options, words);
}

/* ---- rounds ---- */

/* Measures everybody's rate; returns the seconds that it took. */
static double run_round(Tune *tune, uint32_t steps) {
  trial_check();
  double first = clock_thread(), start = first;
  for (uint32_t i = 0; i < tune->count; i++) {
    Entrant *entrant = &tune->entrants[i];
    if (!entrant->wide) continue;
    uint64_t states = wide_totals(entrant->wide)->states;
    wide_run(entrant->wide, steps);
    double now = clock_thread();
    states = wide_totals(entrant->wide)->states - states;
    entrant->rate = (double)states / (now - start + 1e-9);
    start = now;
  }
  return start - first;
}

static void add_scores(Tune *tune) {
  double best = 0;
  for (uint32_t i = 0; i < tune->count; i++)
    if (tune->entrants[i].rate > best) best = tune->entrants[i].rate;
  for (uint32_t i = 0; best > 0 && i < tune->count; i++)
    tune->entrants[i].score += tune->entrants[i].rate / best;
}

static uint32_t find_best(const Tune *tune) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < tune->count; i++)
    if (tune->entrants[i].score > tune->entrants[best].score) best = i;
  return best;
}

static void leave(Entrant *entrant) {
  if (entrant->wide) wide_delete(entrant->wide);
  entrant->wide = NULL;
  entrant->rate = 0;
}

static void drop_slow(Tune *tune) {
  double best = tune->entrants[find_best(tune)].score;
  for (uint32_t i = 0; i < tune->count; i++)
    if (tune->entrants[i].score < behind * best) leave(&tune->entrants[i]);
}

/* Rounds get longer until one takes a tenth of the time; only then they count.
 */
static void compete(Tune *tune, double seconds) {
  double start = clock_now();
  uint32_t steps = 2;
  for (uint32_t rounds = 0;
       rounds < FEW_ROUNDS || clock_now() - start < seconds;) {
    if (run_round(tune, steps) < seconds / 10 && !rounds) {
      steps *= 2;
      continue;
    }
    add_scores(tune);
    if (++rounds >= FEW_ROUNDS) drop_slow(tune);
  }
}

/* ---- */

/* ---- legs ---- */

typedef struct Lengths {
  uint64_t playouts, steps;
  uint32_t longest;
} Lengths;

static void add_length(void *context, const WidePlayout *playout) {
  Lengths *lengths = context;
  lengths->playouts++;
  lengths->steps += playout->steps;
  if (playout->steps > lengths->longest) lengths->longest = playout->steps;
}

/* Plays one game in each lane from the initial state. */
static Lengths sample_lengths(const Cones *cones) {
  const Net *net = cones->net;
  Lengths lengths = {0};
  uint64_t *row = memory_new(bits_words(net->fluents.count) * sizeof *row);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (net->fluents.data[i].initial) bits_add(row, i);
  Wide *wide = wide_new(cones, &(WideOptions){.seed = 1,
                                              .step_limit = STEP_LIMIT,
                                              .listener = add_length,
                                              .context = &lengths});
  wide_set_starts(wide, row, 1, 64 * cones->mode.words);
  wide_play(wide, 1);
  wide_delete(wide);
  memory_delete(row);
  return lengths;
}

/* Would a course of steps make the playouts much cheaper than rounds do? */
static bool promises(const Cones *cones, const Course *course, double mean,
                     uint32_t longest) {
  const Legs *rounds = cones->rounds;
  uint32_t period = rounds->count;
  double steps = legs_estimate(course, period, LEGS_MOST, longest);
  double round = legs_estimate(&rounds->course, period, period, period);
  return steps < promising * round / period * mean;
}

/* Where a game counts its steps and much of a state is only of use at certain
   steps, adds programs for lanes that begin together. */
static void add_steps(Cones *cones) {
  Course course;
  if (!cones->rounds || cones->steps ||
      !course_find_steps(cones->net, cones->rounds->count, STEPS_WORK, &course))
    return;
  if (course.stages >= SHORTEST_COURSE &&
      promises(cones, &course, course.stages, course.stages)) {
    Lengths lengths = sample_lengths(cones);
    double mean = (double)lengths.steps / (double)lengths.playouts;
    if (promises(cones, &course, mean, lengths.longest)) {
      cones_add_steps(cones, course, mean, lengths.longest);
      return;
    }
  }
  course_free(&course);
}

/* Where roles take turns, adds programs for the legs of a round. */
static void add_legs(Cones *cones) {
  uint64_t *memory = cones_memory_new(cones);
  Phase phase;
  phase_init(&phase, cones, memory);
  memory_delete(memory);
  cones_add_rounds(cones, phase.period);
  phase_free(&phase);
  add_steps(cones);
}

/* ---- */

bool tune_cones(Cones *cones, const TuneOptions *options) {
  static const WideOptions playouts = {.seed = 1, .step_limit = STEP_LIMIT};
  Tune tune = {.count = 0};
  add_legs(cones);
  enter_all(&tune, cones, options);
  if (!tune.count) return false;
  for (uint32_t i = 0; tune.count > 1 && i < tune.count; i++)
    tune.entrants[i].wide = wide_new(&tune.entrants[i].view, &playouts);
  if (tune.count > 1) compete(&tune, options->seconds);
  for (uint32_t i = 0; i < tune.count; i++) leave(&tune.entrants[i]);
  return cones_set_mode(cones, &tune.entrants[find_best(&tune)].view.mode);
}
