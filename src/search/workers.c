/* Many simulations at once, by one thread or several that share the tree: each
   thread sends a stream of leaves through its lanes. A round is: descend for as
   many leaves as have been backed up, expand them, let the lanes play until
   enough leaves are done, back those up. So lanes never wait for the longest
   playout. The tree and the tables belong to whoever holds the lock; wide steps
   and playouts, most of the work where nets are large, run without it.

   The threads are helpers of the caller's trial. If one runs out of memory, all
   stop, and the thinking gives up that trial. The search's scratch vectors get
   their full size beforehand. */
#include "search/workers.h"

#include "base/clock.h"
#include "base/thread.h"
#include "search/descend.h"
#include "search/grow.h"
#include "search/judge.h"
#include "search/leaves.h"
#include "search/settle.h"
#include "search/summary.h"

enum {
  SCORE_EVERY = 16, /* rounds from one exchange of scores to the next */
  THREADS_MOST = 256
};

struct Workers {
  pthread_mutex_t lock;
  Limit *limit;
  bool failed; /* a thread ran out of memory */
  uint32_t count;
  Batch **batches;
};

static bool is_first(const Batch *batch) {
  return batch == batch->search->workers->batches[0];
}

static void lock(Batch *batch) {
  double asked = clock_now();
  pthread_mutex_lock(&batch->search->workers->lock);
  batch->locked = true;
  batch->since = clock_now();
  if (is_first(batch)) batch->search->report.waited += batch->since - asked;
}

static void unlock(Batch *batch) {
  if (is_first(batch))
    batch->search->report.locked += clock_now() - batch->since;
  batch->locked = false;
  pthread_mutex_unlock(&batch->search->workers->lock);
}

/* ---- a round ---- */

static double end_phase(double *phases, SearchPhase phase, double since) {
  double now = clock_now();
  phases[phase] += now - since;
  return now;
}

static void add_phases(Search *search, const double *phases) {
  for (int phase = 0; phase < PHASE_COUNT; phase++)
    search->report.phases[phase] += phases[phase] / search->workers->count;
}

/* Reports the lanes' work since the last time. */
static void count_states(Batch *batch) {
  SearchReport *report = &batch->search->report;
  const WideTotals *totals = wide_totals(batch->wide);
  report->states += totals->states - batch->states_before;
  report->lane_moves += totals->states - batch->states_before;
  report->lane_room += totals->room - batch->room_before;
  batch->states_before = totals->states;
  batch->room_before = totals->room;
}

/* Select, expand, play out, back up. Begins and ends with the lock held. */
static void run_round(Batch *batch) {
  Search *search = batch->search;
  double phases[PHASE_COUNT] = {0}, now = clock_now();
  descend_round(batch, search->workers->limit->budget.simulations);
  now = end_phase(phases, PHASE_DESCEND, now);
  leaves_collect_steps(batch);
  TreeRange ahead = tree_ahead(search->tree);
  unlock(batch);
  tree_touch(ahead);
  leaves_expand(batch);
  lock(batch);
  tree_touched(search->tree, ahead);
  leaves_place(batch);
  now = end_phase(phases, PHASE_EXPAND, now);
  unlock(batch);
  leaves_play(batch);
  now = end_phase(phases, PHASE_PLAYOUT, now);
  lock(batch);
  leaves_back_up(batch);
  count_states(batch);
  if (search->settings.playout != PLAYOUT_UNIFORM &&
      batch->rounds++ % SCORE_EVERY == 0)
    leaves_exchange_scores(batch);
  end_phase(phases, PHASE_BACKUP, now);
  add_phases(search, phases);
}

/* ---- threads ---- */

/* Returns true if the simulations that other threads have under way are
   enough. */
static bool is_idle(const Batch *batch) {
  return !batch->fresh.count && !batch->at_play;
}

static void run(void *context) {
  Batch *batch = context;
  Search *search = batch->search;
  const Workers *workers = search->workers;
  lock(batch);
  while (!workers->failed && !limit_reached(workers->limit, &search->report) &&
         !settle_done(search)) {
    grow_make_room(search);
    run_round(batch);
    summary_publish(search);
    if (is_first(batch)) limit_watch(workers->limit, &search->report);
    if (is_idle(batch)) break;
  }
  leaves_drop(batch);
  unlock(batch);
}

static void *work(void *argument) {
  Batch *batch = argument;
  if (trial_help(&batch->helper, run, batch)) return NULL;
  if (!batch->locked) lock(batch);
  batch->search->workers->failed = true;
  unlock(batch);
  return NULL;
}

void workers_think(Search *search, Limit *limit) {
  Workers *workers = search->workers;
  pthread_t threads[THREADS_MOST];
  uint32_t started = 1, most = limit->budget.threads;
  if (!most || most > workers->count) most = workers->count;
  workers->limit = limit;
  for (uint32_t i = 0; i < workers->count; i++)
    trial_helper_init(&workers->batches[i]->helper, workers->count);
  while (started < most && thread_start(&threads[started], THREAD_STACK, work,
                                        workers->batches[started]))
    started++;
  work(workers->batches[0]);
  while (started > 1) pthread_join(threads[--started], NULL);
  for (uint32_t i = 0; i < workers->count; i++)
    trial_join(&workers->batches[i]->helper);
  if (workers->failed) trial_fail("out of memory in a thread of the search");
}

/* ---- creation ---- */

static void reserve_scratch(Search *search) {
  uint32_t moves = search->book->net.moves.count;
  vector_grow(&search->candidates, moves);
  vector_grow(&search->indices, moves);
  vector_grow(&search->weights, moves);
  if (search->settings.rave) vector_grow(&search->stamp, moves);
}

/* The programs of new nodes: a step for hundreds of them takes one run, so that
   even large nets cost little. */
static const Cones *choose_growing(Search *search, uint32_t words) {
  const Settings *settings = &search->settings;
  const Cones *plain = book_cones(search->book, words);
  if (!settings->prune || !settings->solver) return plain;
  const Cones *both = book_deciding(search->book, words, DECISIVE_BOTH);
  return both == plain ? book_deciding(search->book, words, DECISIVE_WIN)
                       : both;
}

/* The programs of playouts. At equal time, decisive moves that took 3.2 to 8.1
   times the gates won 61 to 92 % in five games, and 27 % in pentago, where it
   was 10.8 times. */
static const Cones *choose_playing(Search *search, uint32_t words) {
  enum { GROWTH = 9 };
  const Settings *settings = &search->settings;
  const Cones *plain = book_cones(search->book, words);
  Decisive kind = (Decisive)settings->decisive;
  if (cones_gates(book_deciding(search->book, words, kind)) >
      GROWTH * cones_gates(plain))
    kind = DECISIVE_NONE;
  return settings->capture ? book_deciding_captures(search->book, words, kind)
                           : book_deciding(search->book, words, kind);
}

Workers *workers_new(Search *search) {
  const Settings *settings = &search->settings;
  uint32_t words = (uint32_t)settings->lanes / 64;
  const Cones *cones = book_cones(search->book, words);
  if (!cones) return NULL;
  const Cones *growing = choose_growing(search, words);
  const Cones *playing = choose_playing(search, words);
  Workers *workers = memory_new(sizeof *workers);
  pthread_mutex_init(&workers->lock, NULL);
  workers->count = (uint32_t)settings->threads;
  workers->batches = memory_new(workers->count * sizeof *workers->batches);
  for (uint32_t i = 0; i < workers->count; i++)
    workers->batches[i] = batch_new(search, growing, playing, leaves_hear);
  reserve_scratch(search);
  return workers;
}

void workers_set_evaluation(Search *search) {
  const Settings *settings = &search->settings;
  const Workers *workers = search->workers;
  int64_t limit = settings->steps;
  if (search->evaluation && settings->cutoff && settings->cutoff < limit)
    limit = settings->cutoff;
  for (uint32_t i = 0; i < workers->count; i++) {
    judge_fit(&workers->batches[i]->judge, search->evaluation);
    wide_set_limit(workers->batches[i]->wide, (uint32_t)limit);
  }
}

void workers_delete(Workers *workers) {
  for (uint32_t i = 0; i < workers->count; i++)
    batch_delete(workers->batches[i]);
  memory_delete(workers->batches);
  pthread_mutex_destroy(&workers->lock);
  memory_delete(workers);
}
