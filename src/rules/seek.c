/* Each rule is tried by itself with a limit of work, and again with a larger
   one if that was not enough, so that a rule that takes for ever holds up no
   other. Every second round uses answers of the predicates that a rule calls
   one by one, as they are found: a join over very many of them then has its
   first answer at once, where tables would have to hold all of them.

   A little work is always done, whatever the time: on a busy machine, simple
   questions must not remain open.

   A question that is given up leaves calls unfinished, so that all tables are
   forgotten; the error of the game is as before. */
#include "rules/seek.h"

#include "base/clock.h"

enum {
  LEAST = 1 << 16,       /* ticks of work that are done in any case */
  FIRST_TICKS = 1 << 14, /* for a rule in the first round */
  MORE = 4,              /* times as many in the next */
  ROUNDS = 16
};

typedef struct Search {
  Evaluator *evaluator;
  Seek *seek;
  bool failed; /* the game had failed before */
  uint32_t plan_count;
  bool *done; /* by plan: all its answers were found */
  uint64_t begun;
} Search;

/* ---- trying ---- */

static void leave(Evaluator *evaluator) {
  evaluator->last_tick = UINT64_MAX;
  evaluator->most = UINT32_MAX;
  evaluator->passing = false;
}

static void give_up(Evaluator *evaluator, bool failed) {
  leave(evaluator);
  evaluator_forget(evaluator);
  if (!failed) text_clear(evaluator->error);
}

/* Compiling counts towards the limit of memory alone. */
static bool compile(Search *search) {
  evaluator_begin(search->evaluator, 0);
  if (setjmp(search->evaluator->failure)) {
    give_up(search->evaluator, search->failed);
    return false;
  }
  search->plan_count =
      derive_plan_count(search->evaluator, search->seek->procedure);
  return true;
}

static bool has_time_limit(const Search *search) {
  return search->evaluator->ticks - search->begun >= LEAST;
}

/* Returns true if these are all answers of the plan. */
static bool try_plan(Search *search, uint32_t plan, uint64_t ticks,
                     bool passing) {
  Evaluator *evaluator = search->evaluator;
  Seek *seek = search->seek;
  evaluator_begin(evaluator, has_time_limit(search) ? seek->until : 0);
  evaluator->last_tick = evaluator->ticks + ticks;
  evaluator->most = seek->most;
  evaluator->passing = passing;
  if (setjmp(evaluator->failure)) {
    give_up(evaluator, search->failed);
    return false;
  }
  bool stopped = derive_plan(evaluator, seek->procedure, plan, seek->keys);
  seek->exists |= stopped && !seek->found;
  leave(evaluator);
  return !stopped;
}

/* ---- rule by rule ---- */

static bool is_over(const Search *search) {
  const Seek *seek = search->seek;
  return seek->exists || (seek->found && seek->found->count >= seek->most) ||
         (has_time_limit(search) && clock_now() > seek->until);
}

/* Tries the plans that are not done. Returns true if another round may help:
   one used up its work, rather than time or memory, and no answer is known. */
static bool try_plans(Search *search, uint64_t ticks, bool passing) {
  const Seek *seek = search->seek;
  Evaluator *evaluator = search->evaluator;
  bool worked = false;
  for (uint32_t i = 0; i < search->plan_count; i++) {
    uint64_t before = evaluator->ticks;
    if (search->done[i]) continue;
    search->done[i] = try_plan(search, i, ticks, passing);
    worked |= evaluator->ticks - before > ticks;
    if (is_over(search)) return false;
  }
  return worked && (!seek->found || !seek->found->count ||
                    evaluator->ticks - search->begun < seek->enough);
}

static bool is_done(const Search *search) {
  for (uint32_t i = 0; i < search->plan_count; i++)
    if (!search->done[i]) return false;
  return true;
}

/* Rules that read the state count as done if they are not wanted. */
static void mark_unwanted(Search *search) {
  const Seek *seek = search->seek;
  for (uint32_t i = 0; seek->stateless && i < search->plan_count; i++)
    search->done[i] = seek->procedure->plans[i].depends != ON_NOTHING;
}

bool seek_answers(Evaluator *evaluator, Seek *seek) {
  Search search = {.evaluator = evaluator,
                   .seek = seek,
                   .failed = evaluator->error->length,
                   .begun = evaluator->ticks};
  if (search.failed) evaluator_forget(evaluator);
  marks_clear(&evaluator->collected_set);
  evaluator->collected = seek->found;
  seek->exists = derive_facts(evaluator, seek->procedure, seek->keys);
  if (seek->exists) return true;
  if (!compile(&search)) return false;
  search.done = memory_new(search.plan_count * sizeof *search.done);
  mark_unwanted(&search);
  uint64_t ticks = FIRST_TICKS;
  uint32_t round = 0;
  while (try_plans(&search, ticks, round % 2) && ++round < ROUNDS)
    ticks *= MORE;
  bool all = seek->exists || is_done(&search);
  memory_delete(search.done);
  return all;
}

/* Collects all terms; returns false if time or work do not suffice. */
static bool try_terms(Evaluator *evaluator, Procedure *procedure, double until,
                      uint64_t ticks, TermVector *terms) {
  evaluator_begin(evaluator, until);
  evaluator->last_tick = evaluator->ticks + ticks;
  marks_clear(&evaluator->collected_set);
  vector_clear(terms);
  evaluator->collected = terms;
  if (setjmp(evaluator->failure)) {
    give_up(evaluator, false);
    return false;
  }
  derive_plans(evaluator, procedure, NULL, 0);
  leave(evaluator);
  return true;
}

bool seek_terms(Evaluator *evaluator, Procedure *procedure, double until,
                TermVector *terms) {
  if (evaluator->error->length) return false;
  return try_terms(evaluator, procedure, 0, LEAST, terms) ||
         try_terms(evaluator, procedure, until, UINT64_MAX / 2, terms);
}
