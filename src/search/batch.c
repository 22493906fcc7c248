/* Allocation of a stream of simulations: how many leaves it has, and the lanes
   that play them out. */
#include "search/batch.h"

#include "base/bits.h"
#include "search/judge.h"
#include "search/scratch.h"

enum {
  /* Playouts from each leaf, by strength at 0.03 to 0.04 s of processor time a
     move. Against two playouts with three quarters of the time in othello and
     four fifths elsewhere (about the descents that batches made before they
     were streams): othello, four won 76 % of 37 games, six 74 % of 37, sixteen
     47 % of 15; skirmish, six 63 % of 20; breakthrough, six 46 % of 13. Against
     two at equal time: othello, eight 44 % of 27; skirmish, four 55 % of 31;
     Connect Four, six 53 % of 32. */
  PLAYOUTS = 4,
  /* Leaves under way for each that the lanes hold, since a leaf's first playout
     may be over long before its last. With 1.5 of them 80 % of the lanes are at
     work in skirmish, with 2 it is 88 %; othello 92 %, checkers 95 % either
     way. */
  SPARE = 2
};

size_t batch_bytes(const Search *search, uint32_t leaves) {
  const Net *net = &search->book->net;
  size_t state = search->book->words * sizeof(uint64_t);
  size_t legal = bits_words(net->moves.count) * sizeof(uint64_t);
  return leaves * (3 * state + legal + sizeof(Leaf) +
                   search->role_count * 4 * sizeof(double));
}

static void make_room(Batch *batch) {
  const Search *search = batch->search;
  const Net *net = &search->book->net;
  uint32_t words = search->book->words, leaves = batch->leaves;
  vector_resize(&batch->states, leaves * words);
  vector_resize(&batch->successors, leaves * words);
  vector_resize(&batch->starts, leaves * words);
  vector_resize(&batch->keys, leaves);
  vector_resize(&batch->firsts, leaves);
  vector_resize(&batch->counts, leaves * search->role_count);
  vector_resize(&batch->legal, leaves * (uint32_t)bits_words(net->moves.count));
  vector_resize(&batch->sums, leaves * search->role_count);
  vector_resize(&batch->judged, leaves * search->role_count);
  if (search->own.highest != search->own.values)
    vector_resize(&batch->highest, leaves * search->role_count);
  batch->terminal = memory_new(leaves * sizeof *batch->terminal);
  batch->goals = memory_new(leaves * search->role_count * sizeof(int));
  batch->scores = memory_new(net->moves.count * sizeof *batch->scores);
  batch->list = memory_new(leaves * sizeof *batch->list);
  for (uint32_t i = leaves; i-- > 0;) vector_push(&batch->free, i);
  vector_grow(&batch->asked, leaves);
  vector_grow(&batch->waiting, leaves);
  batch->discount = memory_new(((size_t)search->settings.steps + 1) *
                               sizeof *batch->discount);
  batch->returns = memory_new(search->role_count * sizeof *batch->returns);
  batch->discount[0] = 1;
  for (int64_t i = 1; i <= search->settings.steps; i++)
    batch->discount[i] = batch->discount[i - 1] * search->settings.gamma;
}

static void make_survey(Batch *batch, const Cones *cones) {
  const Search *search = batch->search;
  const Net *net = cones->net;
  Survey *survey = &batch->survey;
  uint32_t lanes = batch->lanes, words = search->book->words;
  uint32_t roles = search->role_count;
  expand_init(&survey->expand, cones);
  survey->nodes = memory_new(lanes * sizeof *survey->nodes);
  survey->actions = memory_new(lanes * sizeof *survey->actions);
  survey->states = memory_new((size_t)lanes * words * sizeof(uint64_t));
  survey->successors = memory_new((size_t)lanes * words * sizeof(uint64_t));
  survey->legal = memory_new((size_t)lanes * bits_words(net->moves.count) *
                             sizeof(uint64_t));
  survey->joints = memory_new((size_t)lanes * roles * sizeof(uint32_t));
  survey->terminal = memory_new(lanes * sizeof *survey->terminal);
  survey->goals = memory_new((size_t)lanes * roles * sizeof(int));
}

static void free_survey(Survey *survey) {
  if (!survey->nodes) return;
  expand_free(&survey->expand);
  memory_delete(survey->nodes);
  memory_delete(survey->actions);
  memory_delete(survey->states);
  memory_delete(survey->successors);
  memory_delete(survey->legal);
  memory_delete(survey->joints);
  memory_delete(survey->terminal);
  memory_delete(survey->goals);
}

/* Returns true if the goals of two roles always add up to 100 because they come
   in pairs with the same signal. */
static bool goals_complement(const Net *net) {
  if (net->role_count != 2) return false;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *a = &net->goals.data[i];
    bool paired = false;
    for (uint32_t j = 0; j < net->goals.count && !paired; j++) {
      const NetGoal *b = &net->goals.data[j];
      paired = b->role != a->role && b->value == 100 - a->value &&
               b->signal == a->signal;
    }
    if (!paired) return false;
  }
  return true;
}

static void set_sizes(Batch *batch, const Settings *settings) {
  batch->repeat = settings->repeat ? (uint32_t)settings->repeat : PLAYOUTS;
  batch->leaves = settings->leaves ? (uint32_t)settings->leaves
                                   : batch->lanes / batch->repeat * SPARE;
  if (!batch->leaves) batch->leaves = 1;
  if (batch->leaves > BATCH_PENDING_MOST / settings->threads)
    batch->leaves = (uint32_t)(BATCH_PENDING_MOST / settings->threads);
}

/* The first thread has the scratch of the search. */
static void make_scratch(Batch *batch, const Batch *partner) {
  if (partner) {
    batch->own = partner->own;
    return;
  }
  bool first = batch->first;
  Search *search = batch->search;
  batch->own = first ? &search->own : &batch->scratch;
  if (!first)
    scratch_init(&batch->scratch, search, random_next(&search->own.random),
                 &batch->mast);
  scratch_reserve(batch->own, search);
  mast_init(&batch->mast, search->settings.unseen, search->settings.tau);
  mast_init(&batch->gain, search->settings.unseen, search->settings.tau);
}

static void make_wide(Batch *batch, const BatchPlan *plan) {
  const Settings *settings = &batch->search->settings;
  WideOptions options = {.seed = random_next(&batch->search->own.random),
                         .step_limit = (uint32_t)settings->steps,
                         .states = settings->cutoff > 0,
                         .record = settings->rave,
                         .credit = settings->playout != PLAYOUT_UNIFORM,
                         .rivals = batch->rivals,
                         .blind = settings->epsilon,
                         .listener = plan->listener,
                         .context = batch};
  batch->wide = wide_new(plan->playing, &options);
}

Batch *batch_new(Search *search, const BatchPlan *plan) {
  const Cones *cones = plan->growing;
  Batch *batch = memory_new(sizeof *batch);
  batch->search = search;
  batch->locks = plan->locks;
  batch->first = plan->first;
  batch->sharers = 1;
  expand_init(&batch->expand, cones);
  batch->lanes = cones->mode.words * 64;
  set_sizes(batch, &search->settings);
  if (plan->leaves) batch->leaves = plan->leaves;
  batch->rivals = search->aim.other != 0 && !goals_complement(cones->net);
  if (plan->playing) make_wide(batch, plan);
  make_room(batch);
  make_scratch(batch, plan->partner);
  if (search->surveys)
    make_survey(batch, book_cones(search->book, cones->mode.words));
  return batch;
}

void batch_delete(Batch *batch) {
  expand_free(&batch->expand);
  free_survey(&batch->survey);
  judge_free(&batch->judge);
  if (batch->own == &batch->scratch) scratch_free(&batch->scratch);
  mast_free(&batch->mast);
  mast_free(&batch->gain);
  memory_delete(batch->returns);
  if (batch->wide) wide_delete(batch->wide);
  for (uint32_t i = 0; i < batch->leaves; i++) {
    path_free(&batch->list[i].path);
    vector_free(&batch->list[i].tail);
  }
  memory_delete(batch->list);
  vector_free(&batch->free);
  vector_free(&batch->fresh);
  vector_free(&batch->walks);
  vector_free(&batch->waiting);
  vector_free(&batch->asked);
  vector_free(&batch->stepping);
  vector_free(&batch->keys);
  vector_free(&batch->states);
  vector_free(&batch->successors);
  vector_free(&batch->legal);
  vector_free(&batch->joints);
  vector_free(&batch->moves);
  vector_free(&batch->firsts);
  vector_free(&batch->counts);
  vector_free(&batch->starts);
  vector_free(&batch->sums);
  vector_free(&batch->highest);
  vector_free(&batch->judged);
  memory_delete(batch->terminal);
  memory_delete(batch->goals);
  memory_delete(batch->scores);
  memory_delete(batch->discount);
  memory_delete(batch);
}
