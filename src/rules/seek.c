/* Each rule is tried by itself with a limit of work, and again with a larger
   one if that was not enough, so that a rule that takes for ever holds up no
   other. Every second round uses answers of the predicates that a rule calls
   one by one, as they are found: a join over very many of them then has its
   first answer at once, where tables would have to hold all of them.

   A question that is given up leaves calls unfinished, so that all tables are
   forgotten; the error of the game is as before. */
#include "rules/seek.h"

#include "base/clock.h"

enum {
  FIRST_TICKS = 1 << 16, /* for a rule in the first round */
  MORE = 4,              /* times as many in the next */
  ROUNDS = 16,
  ENOUGH = 1 << 20 /* work after which some answers will do */
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

static void give_up(Evaluator *evaluator, bool failed) {
  evaluator->last_tick = UINT64_MAX;
  evaluator->passing = false;
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

static bool try_plan(Search *search, uint32_t plan, uint64_t ticks) {
  Evaluator *evaluator = search->evaluator;
  Seek *seek = search->seek;
  evaluator_begin(evaluator, seek->until);
  evaluator->last_tick = evaluator->ticks + ticks;
  if (setjmp(evaluator->failure)) {
    give_up(evaluator, search->failed);
    return false;
  }
  if (derive_plan(evaluator, seek->procedure, plan, seek->keys))
    seek->exists = true;
  evaluator->last_tick = UINT64_MAX;
  evaluator->passing = false;
  return true;
}

/* ---- rule by rule ---- */

static bool is_enough(const Search *search) {
  const Seek *seek = search->seek;
  if (seek->exists || clock_now() > seek->until) return true;
  return seek->found && seek->found->count &&
         search->evaluator->ticks - search->begun > ENOUGH;
}

/* Tries the plans that are not done. Returns true if another round may help:
   one used up its work, rather than time or memory. */
static bool try_plans(Search *search, uint64_t ticks, bool passing) {
  Evaluator *evaluator = search->evaluator;
  bool worked = false;
  for (uint32_t i = 0; i < search->plan_count; i++) {
    uint64_t before = evaluator->ticks;
    if (search->done[i]) continue;
    evaluator->passing = passing;
    search->done[i] = try_plan(search, i, ticks);
    worked |= evaluator->ticks - before > ticks;
    if (is_enough(search)) return false;
  }
  return worked;
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

bool seek_terms(Evaluator *evaluator, Procedure *procedure, double until,
                TermVector *terms) {
  if (evaluator->error->length) return false;
  evaluator_begin(evaluator, until);
  marks_clear(&evaluator->collected_set);
  vector_clear(terms);
  evaluator->collected = terms;
  if (setjmp(evaluator->failure)) {
    give_up(evaluator, false);
    return false;
  }
  derive_plans(evaluator, procedure, NULL, 0);
  return true;
}
