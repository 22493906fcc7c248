/* Many simulations at once, by one thread or several that share the tree: a
   stream of leaves through lanes. A round is: descend for as many leaves as
   have been backed up, expand them, let the lanes play until enough leaves are
   done, back those up. So lanes never wait for the longest playout. The tree
   and the tables belong to whoever holds the lock; wide steps and playouts,
   most of the work where nets are large, run without it. */
#include <pthread.h>

#include "base/clock.h"
#include "search/batch.h"

enum {
  SCORE_EVERY = 16, /* rounds from one exchange of scores to the next */
  /* From each leaf, by strength at 0.03 to 0.04 s of processor time a move.
     Against two playouts with three quarters of the time in othello and four
     fifths elsewhere (about the descents that batches made before they were
     streams): othello, four won 76 % of 37 games, six 74 % of 37, sixteen 47 %
     of 15; skirmish, six 63 % of 20; breakthrough, six 46 % of 13. Against two
     at equal time: othello, eight 44 % of 27; skirmish, four 55 % of 31;
     Connect Four, six 53 % of 32. */
  PLAYOUTS = 4
};

/* Leaves under way for each that the lanes hold: a leaf's first playout may be
   over long before its last. With 1.5 of them 80 % of the lanes are at work in
   skirmish, with 2 it is 88 %; othello 92 %, checkers 95 % either way. */
enum { SPARE = 2 };

struct Workers {
  pthread_mutex_t lock; /* knows its owner: see do_work */
  atomic_bool failed;   /* a thread ran out of memory */
  const Budget *budget;
  double deadline;
  uint32_t count;
  Batch **batches;
};

static double end_phase(double *phases, SearchPhase phase, double since) {
  double now = clock_now();
  phases[phase] += now - since;
  return now;
}

static void add_phases(Search *search, const double *phases) {
  for (int phase = 0; phase < PHASE_COUNT; phase++)
    search->report.phases[phase] += phases[phase] / search->workers->count;
}

/* What the lanes have done since the last time. */
static void count_states(Batch *batch) {
  SearchReport *report = &batch->search->report;
  const WideTotals *totals = wide_totals(batch->wide);
  report->states += totals->states - batch->states_before;
  report->lane_moves += totals->states - batch->states_before;
  report->lane_room += totals->room - batch->room_before;
  batch->states_before = totals->states;
  batch->room_before = totals->room;
}

/* Begins and ends with the lock held. */
static void run_round(Batch *batch) {
  Search *search = batch->search;
  pthread_mutex_t *lock = &search->workers->lock;
  double phases[PHASE_COUNT] = {0}, now = clock_now();
  leaves_descend(batch, search->workers->budget->simulations);
  now = end_phase(phases, PHASE_DESCEND, now);
  leaves_collect_steps(batch);
  pthread_mutex_unlock(lock);
  leaves_expand(batch);
  pthread_mutex_lock(lock);
  leaves_place(batch);
  now = end_phase(phases, PHASE_EXPAND, now);
  pthread_mutex_unlock(lock);
  leaves_play(batch);
  now = end_phase(phases, PHASE_PLAYOUT, now);
  pthread_mutex_lock(lock);
  leaves_back_up(batch);
  count_states(batch);
  if (search->settings.playout == PLAYOUT_MAST &&
      batch->rounds++ % SCORE_EVERY == 0)
    leaves_exchange_scores(batch);
  end_phase(phases, PHASE_BACKUP, now);
  add_phases(search, phases);
}

/* Of simulations that others have under way there are enough. */
static bool is_idle(const Batch *batch) {
  return !batch->fresh.count && !batch->at_play;
}

static void work(void *context) {
  Batch *batch = context;
  Search *search = batch->search;
  Workers *workers = search->workers;
  pthread_mutex_lock(&workers->lock);
  while (!search_spent(search, workers->budget, workers->deadline) &&
         !atomic_load(&workers->failed) &&
         !(tree_node(search->tree, search->root)->flags & NODE_PROVEN)) {
    search_make_room(search);
    run_round(batch);
    search_answer(search);
    if (is_idle(batch)) break;
  }
  leaves_drop(batch);
  pthread_mutex_unlock(&workers->lock);
}

/* Work that is given up may hold the lock. */
static void *do_work(void *argument) {
  Batch *batch = argument;
  Workers *workers = batch->search->workers;
  if (trial_help(&batch->helper, work, batch)) return NULL;
  atomic_store(&workers->failed, true);
  pthread_mutex_unlock(&workers->lock);
  return NULL;
}

void batch_run(Search *search, const Budget *budget, double deadline) {
  Workers *workers = search->workers;
  pthread_t threads[SEARCH_THREADS];
  uint32_t started = 1;
  workers->budget = budget;
  workers->deadline = deadline;
  for (uint32_t i = 0; i < workers->count; i++)
    trial_helper_init(&workers->batches[i]->helper, workers->count);
  while (started < workers->count &&
         !pthread_create(&threads[started], NULL, do_work,
                         workers->batches[started]))
    started++;
  do_work(workers->batches[0]);
  for (uint32_t i = 1; i < started; i++) pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < started; i++)
    trial_join(&workers->batches[i]->helper);
  if (atomic_load(&workers->failed)) trial_fail("out of memory");
}

/* ---- life ---- */

static void make_room(Batch *batch) {
  const Search *search = batch->search;
  const Net *net = &search->book->net;
  uint32_t words = search->book->words, leaves = batch->leaves;
  vector_resize(&batch->states, leaves * words);
  vector_resize(&batch->successors, leaves * words);
  vector_resize(&batch->starts, leaves * words);
  vector_resize(&batch->keys, leaves);
  vector_resize(&batch->legal, leaves * ((net->moves.count + 63) / 64));
  vector_resize(&batch->sums, leaves * search->role_count);
  batch->terminal = memory_new(leaves * sizeof *batch->terminal);
  batch->goals = memory_new(leaves * search->role_count * sizeof(int));
  batch->scores = memory_new(net->moves.count * sizeof *batch->scores);
  batch->list = memory_new(leaves * sizeof *batch->list);
  for (uint32_t i = leaves; i-- > 0;) vector_push(&batch->free, i);
  batch->discount = memory_new(((size_t)search->settings.steps + 1) *
                               sizeof *batch->discount);
  batch->discount[0] = 1;
  for (int64_t i = 1; i <= search->settings.steps; i++)
    batch->discount[i] = batch->discount[i - 1] * search->settings.gamma;
}

/* Two roles' goals are seen to make a hundred together if they come in pairs of
   one signal. */
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

static Batch *batch_new(Search *search, const Cones *cones,
                        const Cones *playing) {
  const Settings *settings = &search->settings;
  Batch *batch = memory_new(sizeof *batch);
  batch->search = search;
  expand_init(&batch->expand, cones);
  batch->lanes = cones->mode.words * 64;
  batch->repeat = settings->repeat ? (uint32_t)settings->repeat : PLAYOUTS;
  batch->leaves = settings->leaves ? (uint32_t)settings->leaves
                                   : batch->lanes / batch->repeat * SPARE;
  if (!batch->leaves) batch->leaves = 1;
  /* Action.pending must count all threads' descents. */
  if (batch->leaves > UINT16_MAX / settings->threads)
    batch->leaves = (uint32_t)(UINT16_MAX / settings->threads);
  batch->rivals = search->role_count == 2 && settings->returns != RETURNS_OWN &&
                  !goals_complement(cones->net);
  WideOptions options = {.seed = random_next(&search->random),
                         .step_limit = (uint32_t)settings->steps,
                         .record = settings->rave,
                         .credit = settings->playout == PLAYOUT_MAST,
                         .rivals = batch->rivals,
                         .listener = leaves_hear,
                         .context = batch};
  batch->wide = wide_new(playing, &options);
  make_room(batch);
  return batch;
}

static void batch_delete(Batch *batch) {
  expand_free(&batch->expand);
  wide_delete(batch->wide);
  for (uint32_t i = 0; i < batch->leaves; i++) {
    path_free(&batch->list[i].path);
    vector_free(&batch->list[i].hints);
    vector_free(&batch->list[i].tail);
  }
  memory_delete(batch->list);
  vector_free(&batch->free);
  vector_free(&batch->fresh);
  vector_free(&batch->walks);
  vector_free(&batch->stepping);
  vector_free(&batch->keys);
  vector_free(&batch->states);
  vector_free(&batch->successors);
  vector_free(&batch->legal);
  vector_free(&batch->joints);
  vector_free(&batch->starts);
  vector_free(&batch->sums);
  memory_delete(batch->terminal);
  memory_delete(batch->goals);
  memory_delete(batch->scores);
  memory_delete(batch->discount);
  memory_delete(batch);
}

Workers *workers_new(Search *search) {
  const Settings *settings = &search->settings;
  uint32_t words = (uint32_t)settings->lanes / 64;
  const Cones *cones = book_cones(search->book, words);
  if (!cones) return NULL;
  const Cones *playing =
      settings->capture ? book_capturing(search->book, words) : cones;
  Workers *workers = memory_new(sizeof *workers);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&workers->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  workers->count = (uint32_t)settings->threads;
  workers->batches = memory_new(workers->count * sizeof *workers->batches);
  for (uint32_t i = 0; i < workers->count; i++)
    workers->batches[i] = batch_new(search, cones, playing);
  return workers;
}

void workers_delete(Workers *workers) {
  for (uint32_t i = 0; i < workers->count; i++)
    batch_delete(workers->batches[i]);
  memory_delete(workers->batches);
  pthread_mutex_destroy(&workers->lock);
  memory_delete(workers);
}
