/* Many simulations at once, by one thread or several that share the tree: each
   thread sends a stream of leaves through its lanes. A round is: descend for as
   many leaves as have been backed up, expand them, let the lanes play until
   enough leaves are done, back those up. So lanes never wait for the longest
   playout.

   Threads descend, add nodes and back up at the same time (locks.h). One more
   thread, the courier, does so for an ally, if there is one. Where there is a
   graphics card, a thread's leaves go to it whenever it has room for them, and
   to the lanes else.

   The threads are helpers of the caller's trial. If one runs out of memory, all
   stop, and the thinking gives up that trial. Nothing is allocated while a node
   is locked; the scratch vectors get their full size beforehand. */
#include "search/workers.h"

#include "base/clock.h"
#include "base/thread.h"
#include "search/courier.h"
#include "search/descend.h"
#include "search/feeder.h"
#include "search/grow.h"
#include "search/grower.h"
#include "search/judge.h"
#include "search/leaves.h"
#include "search/locks.h"
#include "search/offload.h"
#include "search/settle.h"
#include "search/summary.h"
#include "search/tree_share.h"

enum {
  /* Rounds from one exchange of scores to the next: of all threads together,
     but not less than the second for each. */
  SCORE_EVERY = 16,
  SCORE_OFTEN = 4,
  THREADS_MOST = 256
};

/* Answers that take more than the root are not found anew in every round. */
static const double publish_seconds = 0.01;

struct Workers {
  Locks locks;
  Limit *limit;
  bool failed;      /* a thread ran out of memory; at the desk */
  double published; /* when the answer was last found */
  uint32_t count;   /* of the batches with lanes */
  Batch **batches;  /* and one more for an ally, or NULL */
  TreeStore *stores;
  const Cones *growing; /* programs of new nodes */
  const Cones *playing; /* and of playouts */
  Offload *offload;     /* NULL: the card has no leaves of this tree */
  bool plants;          /* the card shall have a tree of its own */
  Grower *grower;       /* NULL: it has none yet */
};

/* ---- a round ---- */

static double end_phase(Batch *batch, SearchPhase phase, double since) {
  double now = clock_now();
  batch->tally.phases[phase] += now - since;
  return now;
}

/* Returns how many descents to begin, with so many playouts each, so that the
   simulations of all threads do not exceed the budget. */
static uint32_t claim(Batch *batch, uint32_t leaves, uint32_t playouts) {
  Search *search = batch->search;
  uint64_t most = search->workers->limit->budget.simulations;
  uint32_t count = 0;
  locks_enter_desk(batch);
  uint64_t made = search->report.simulations + search->at_play;
  for (; batch->at_play + count < leaves && (!most || made < most); count++)
    made += playouts;
  search->at_play += (uint64_t)count * playouts;
  locks_leave_desk(batch);
  return count;
}

/* Returns memory that will be needed soon. */
static TreeRange descend(Batch *batch) {
  uint32_t leaves, playouts;
  locks_enter_tree(batch);
  if (batch->courier) {
    leaves = courier_leaves(batch->courier);
    playouts = courier_playouts(batch->courier);
  } else if (batch->feeder) {
    leaves = feeder_leaves(batch->feeder);
    playouts = feeder_playouts(batch->feeder);
  } else {
    leaves = descend_leaves(batch, batch->sharers);
    playouts = descend_playouts(batch, leaves);
  }
  descend_round(batch, claim(batch, leaves, playouts), playouts);
  leaves_collect_steps(batch);
  TreeRange ahead = tree_ahead(batch->search->tree);
  locks_leave_tree(batch);
  return ahead;
}

static void place(Batch *batch, TreeRange ahead) {
  locks_enter_tree(batch);
  tree_touched(batch->search->tree, ahead);
  leaves_place(batch);
  locks_leave_tree(batch);
}

static void play(Batch *batch) {
  if (batch->courier)
    courier_play(batch->courier);
  else if (batch->feeder)
    feeder_play(batch->feeder);
  else
    leaves_play(batch);
}

static void back_up(Batch *batch) {
  locks_enter_tree(batch);
  if (batch->courier)
    courier_back_up(batch->courier);
  else if (batch->feeder)
    feeder_back_up(batch->feeder);
  else
    leaves_back_up(batch);
  locks_leave_tree(batch);
}

/* Reports the moves made in lanes since the last time. At the desk. */
static void count_lanes(Batch *batch) {
  SearchReport *report = &batch->search->report;
  const WideTotals *totals = wide_totals(batch->wide);
  uint64_t moves = totals->states - batch->states_before;
  report->states += moves;
  report->lane_moves += moves;
  report->lane_room += totals->room - batch->room_before;
  batch->states_before = totals->states;
  batch->room_before = totals->room;
}

/* Reports what was done since the last time. At the desk. */
static void hand_in(Batch *batch) {
  Search *search = batch->search;
  SearchReport *report = &search->report;
  BatchTally *tally = &batch->tally;
  report->simulations += tally->simulations;
  report->states += tally->states;
  report->descents += tally->descents;
  report->cut_off += tally->cut_off;
  report->waited += tally->waited;
  if (tally->depth_most > report->depth_most)
    report->depth_most = tally->depth_most;
  for (int phase = 0; phase < PHASE_COUNT; phase++)
    report->phases[phase] += tally->phases[phase] / batch->sharers;
  search->depth_sum += tally->depths;
  search->at_play -= tally->over;
  if (batch->courier) report->allied += tally->simulations;
  if (batch->feeder) report->offloaded += tally->simulations;
  *tally = (BatchTally){0};
  if (batch->wide) count_lanes(batch);
}

/* Threads tell each other what they learned about moves. At the desk. */
static void exchange_scores(Batch *batch) {
  Search *search = batch->search;
  if (!batch->own->gain) return;
  mast_join(&search->mast, batch->own->gain);
  mast_copy(batch->own->mast, &search->mast);
}

static void finish_round(Batch *batch) {
  uint32_t every = batch->sharers < SCORE_EVERY / SCORE_OFTEN
                       ? SCORE_EVERY / batch->sharers
                       : SCORE_OFTEN;
  bool scores = batch->search->settings.playout != PLAYOUT_UNIFORM &&
                batch->rounds++ % every == 0;
  locks_enter_desk(batch);
  hand_in(batch);
  if (scores) {
    if (batch->wide) leaves_take_credit(batch);
    exchange_scores(batch);
  }
  locks_leave_desk(batch);
  if (!scores) return;
  leaves_set_scores(batch);
  if (batch->courier) courier_set_scores(batch->courier);
  if (batch->feeder) feeder_set_scores(batch->feeder);
}

static void run_round(Batch *batch) {
  double now = clock_now();
  TreeRange ahead = descend(batch);
  now = end_phase(batch, PHASE_DESCEND, now);
  tree_touch(ahead);
  leaves_expand(batch);
  place(batch, ahead);
  now = end_phase(batch, PHASE_EXPAND, now);
  play(batch);
  now = end_phase(batch, PHASE_PLAYOUT, now);
  back_up(batch);
  end_phase(batch, PHASE_BACKUP, now);
  finish_round(batch);
}

/* ---- between rounds ---- */

static void make_room(Batch *batch) {
  Search *search = batch->search;
  if (!search_is_full(search) && !tree_cramped(search->tree)) return;
  locks_clear_tree(batch);
  if (tree_cramped(search->tree) && tree_relieve(search->tree))
    search_set_full(search, false);
  grow_make_room(search);
  locks_leave_tree(batch);
}

/* Returns true if whatever finds the answer looks beyond the root. */
static bool looks_far(const Search *search) {
  return search->settings.final == FINAL_EFFECTIVE || search->settings.even > 0;
}

static void publish(Batch *batch) {
  Search *search = batch->search;
  Workers *workers = search->workers;
  if (!workers->locks.shared) {
    summary_publish(search);
  } else if (!looks_far(search)) {
    locks_enter_tree(batch);
    Node *root = tree_lock(search->tree, search->root);
    summary_publish(search);
    tree_unlock(search->tree, root);
    locks_leave_tree(batch);
  } else if (clock_now() > workers->published + publish_seconds) {
    locks_clear_tree(batch);
    summary_publish(search);
    locks_leave_tree(batch);
    workers->published = clock_now();
  }
}

/* Whoever watches may ask for a report, which follows lines in the tree. */
static void watch(Batch *batch) {
  Search *search = batch->search;
  Limit *limit = search->workers->limit;
  if (!limit_watched(limit)) return;
  locks_clear_tree(batch);
  locks_enter_desk(batch);
  limit_watch(limit, &search->report);
  locks_leave_desk(batch);
  locks_leave_tree(batch);
}

static bool has_time(Batch *batch) {
  Search *search = batch->search;
  const Workers *workers = search->workers;
  locks_enter_desk(batch);
  bool more =
      !workers->failed && !limit_reached(workers->limit, &search->report);
  locks_leave_desk(batch);
  return more;
}

static bool is_settled(Batch *batch) {
  const Search *search = batch->search;
  locks_enter_tree(batch);
  bool settled = settle_near(search);
  locks_leave_tree(batch);
  if (!settled) return false;
  locks_clear_tree(batch);
  locks_enter_desk(batch);
  settled = settle_done(search);
  locks_leave_desk(batch);
  locks_leave_tree(batch);
  return settled;
}

/* ---- leaves on the card ---- */

static void fit_judge(Batch *batch) {
  judge_fit(&batch->judge, batch->search->evaluation);
}

static void share_with_card(Batch *batch) {
  if (!batch->card) return;
  batch->card->sharers = batch->sharers;
  batch->card->store = batch->store;
}

/* Makes the thread's stream for the card once that is ready, unless memory is
   short. */
static void make_card(Batch *batch) {
  enum { SHARE = 4 }; /* of the memory that is left */
  Workers *workers = batch->search->workers;
  Offload *offload = workers->offload;
  BatchPlan plan = {.growing = workers->growing,
                    .locks = batch->locks,
                    .leaves = offload_most(offload),
                    .partner = batch};
  if (batch->number >= offload_feeders(offload) || !offload_gpu(offload))
    return;
  if (batch_bytes(batch->search, plan.leaves) > scope_left() / SHARE) return;
  Batch *card = batch_new(batch->search, &plan);
  card->feeder = feeder_new(card, offload, batch->number);
  fit_judge(card);
  batch->card = card;
  share_with_card(batch);
}

static void drop_card(Batch *batch) {
  locks_enter_tree(batch->card);
  feeder_drop(batch->card->feeder);
  locks_leave_tree(batch->card);
  locks_enter_desk(batch->card);
  hand_in(batch->card);
  locks_leave_desk(batch->card);
}

/* Returns the stream whose leaves are next: that of the lanes, or of the card
   if it has something done, or room. */
static Batch *choose_stream(Batch *batch) {
  Offload *offload = batch->search->workers->offload;
  if (!offload || batch->courier) return batch;
  if (!batch->card) make_card(batch);
  if (!batch->card) return batch;
  locks_enter_tree(batch->card);
  bool wanted = feeder_wants(batch->card->feeder);
  locks_leave_tree(batch->card);
  if (!offload_gpu(offload) && batch->card->at_play) drop_card(batch);
  return wanted ? batch->card : batch;
}

/* ---- threads ---- */

/* Returns true if the simulations that other threads have under way are
   enough. An ally may have none because it is not there yet. */
static bool is_idle(const Batch *batch) {
  return !batch->fresh.count && !batch->at_play && !batch->courier;
}

static void run(void *context) {
  Batch *batch = context;
  share_with_card(batch);
  while (has_time(batch) && !is_settled(batch)) {
    Batch *stream = choose_stream(batch);
    make_room(batch);
    run_round(stream);
    if (batch->first) {
      publish(batch);
      watch(batch);
    }
    if (stream == batch && is_idle(batch)) break;
  }
  if (batch->card) drop_card(batch);
  locks_enter_tree(batch);
  leaves_drop(batch);
  locks_leave_tree(batch);
  locks_enter_desk(batch);
  hand_in(batch);
  if (batch->own->gain) mast_join(&batch->search->mast, batch->own->gain);
  locks_leave_desk(batch);
}

static void *work(void *argument) {
  Batch *batch = argument;
  if (trial_help(&batch->helper, run, batch)) return NULL;
  if (batch->card) locks_leave_tree(batch->card);
  if (batch->card) locks_leave_desk(batch->card);
  locks_leave_tree(batch);
  if (!batch->at_desk) locks_enter_desk(batch);
  batch->search->workers->failed = true;
  locks_leave_desk(batch);
  return NULL;
}

static Batch *ally_batch(const Workers *workers) {
  return workers->batches[workers->count];
}

/* A batch of one of several threads has a copy of the MAST table. */
static void share_batch(Batch *batch, TreeStore *store, uint32_t sharers) {
  const Search *search = batch->search;
  batch->sharers = sharers;
  batch->store = store;
  mast_copy(&batch->mast, &search->mast);
  mast_grow(&batch->gain, search->mast.moves.count);
  batch->own->mast = &batch->mast;
  batch->own->gain = &batch->gain;
}

/* The threads of this thinking share the tree. */
static void begin_sharing(Search *search, Batch *const *batches,
                          uint32_t count) {
  Workers *workers = search->workers;
  uint32_t spare = 0;
  workers->locks.shared = count > 1;
  batches[0]->sharers = 1;
  if (workers->offload && offload_expected(workers->offload))
    spare += count * offload_most(workers->offload);
  if (count == 1) return;
  for (uint32_t i = 0; i < count; i++) {
    share_batch(batches[i], &workers->stores[i], count);
    spare += 2 * batches[i]->leaves;
  }
  tree_share(search->tree, workers->stores, count, spare);
}

static void end_sharing(Search *search, Batch *const *batches, uint32_t count) {
  if (count == 1) return;
  tree_unshare(search->tree);
  for (uint32_t i = 0; i < count; i++) {
    batches[i]->store = NULL;
    batches[i]->own->gain = NULL;
  }
  search->own.mast = &search->mast;
  search->workers->locks.shared = false;
}

/* A card's own tree takes part only where time is the limit: what is limited in
   simulations or states has the same result on every machine. */
static bool is_timed(const Budget *budget) {
  return !budget->simulations && !budget->states;
}

static bool is_asked(const Workers *workers, const Budget *budget) {
  return !workers->grower ||
         (is_timed(budget) && !grower_failed(workers->grower));
}

/* Lists the batches that think, the first one first; returns their number. */
static uint32_t list_batches(const Search *search, const Limit *limit,
                             Batch **batches) {
  const Workers *workers = search->workers;
  uint32_t most = limit->budget.threads;
  if (!most || most > workers->count) most = workers->count;
  for (uint32_t i = 0; i < most; i++) batches[i] = workers->batches[i];
  if (ally_batch(workers) && is_asked(workers, &limit->budget))
    batches[most++] = ally_batch(workers);
  return most;
}

static void run_threads(Batch *const *batches, uint32_t count) {
  pthread_t threads[THREADS_MOST + 1];
  Courier *courier = batches[count - 1]->courier;
  uint32_t started = 1;
  for (uint32_t i = 0; i < count; i++)
    trial_helper_init(&batches[i]->helper, count);
  while (started < count &&
         thread_start(&threads[started], THREAD_STACK, work, batches[started]))
    started++;
  work(batches[0]);
  if (courier) courier_wake(courier);
  while (started > 1) pthread_join(threads[--started], NULL);
  for (uint32_t i = 0; i < count; i++) trial_join(&batches[i]->helper);
}

/* If the search is to be given up, so is its part of the card. */
static void end_offload(Search *search) {
  Workers *workers = search->workers;
  search->report.card = offload_trouble(workers->offload);
  offload_end(workers->offload);
  if (!workers->failed) return;
  offload_delete(workers->offload);
  workers->offload = NULL;
}

static void delete_grower(Workers *workers) {
  if (workers->grower) grower_delete(workers->grower);
  workers->grower = NULL;
}

static void set_evaluation(Batch *batch) {
  const Search *search = batch->search;
  const Settings *settings = &search->settings;
  int64_t limit = settings->steps;
  if (search->evaluation && settings->cutoff && settings->cutoff < limit)
    limit = settings->cutoff;
  fit_judge(batch);
  if (batch->card) fit_judge(batch->card);
  if (batch->wide) wide_set_limit(batch->wide, (uint32_t)limit);
}

static void add_ally(Search *search, Workers *workers, Ally *ally,
                     uint32_t leaves) {
  BatchPlan plan = {
      .growing = workers->growing, .locks = &workers->locks, .leaves = leaves};
  Batch *batch = batch_new(search, &plan);
  batch->courier = courier_new(batch, ally);
  set_evaluation(batch);
  workers->batches[workers->count] = batch;
}

/* The card is looked for by the first thinking that may use it. */
static void begin_grower(Search *search, const Budget *budget) {
  Workers *workers = search->workers;
  if (!workers->plants || !is_timed(budget)) return;
  workers->plants = false;
  if (!pool_exists()) return;
  workers->grower = grower_new(search, workers->playing, workers->growing);
  if (workers->grower)
    add_ally(search, workers, grower_ally(workers->grower), 1);
}

static void end_grower(Search *search) {
  Workers *workers = search->workers;
  search->report.card = grower_trouble(workers->grower);
  if (workers->failed) delete_grower(workers);
}

void workers_think(Search *search, Limit *limit) {
  Workers *workers = search->workers;
  Batch *batches[THREADS_MOST + 1];
  begin_grower(search, &limit->budget);
  uint32_t count = list_batches(search, limit, batches);
  uint64_t waits = search->tree->statistics.waits;
  Courier *courier = batches[count - 1]->courier;
  workers->limit = limit;
  if (courier) courier_begin(courier, limit->budget.seconds);
  if (workers->offload) offload_begin(workers->offload, &limit->budget);
  begin_sharing(search, batches, count);
  run_threads(batches, count);
  end_sharing(search, batches, count);
  if (courier) courier_end(courier);
  if (workers->offload) end_offload(search);
  if (workers->grower) end_grower(search);
  search->report.waits += search->tree->statistics.waits - waits;
  if (workers->failed) trial_fail("out of memory in a thread of the search");
}

/* ---- creation ---- */

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

/* The card plays out leaves of this tree. */
static void begin_feeding(Search *search, Workers *workers) {
  workers->offload =
      offload_new(search, workers->playing, workers->batches[0]->leaves);
}

Workers *workers_new(Search *search) {
  const Settings *settings = &search->settings;
  uint32_t words = (uint32_t)settings->lanes / 64;
  if (!book_cones(search->book, words)) return NULL;
  Workers *workers = memory_new(sizeof *workers);
  BatchPlan plan = {.growing = choose_growing(search, words),
                    .playing = choose_playing(search, words),
                    .listener = leaves_hear,
                    .locks = &workers->locks};
  locks_init(&workers->locks);
  workers->count = (uint32_t)settings->threads;
  workers->batches =
      memory_new((workers->count + 1) * sizeof *workers->batches);
  workers->stores = memory_new((workers->count + 1) * sizeof *workers->stores);
  for (uint32_t i = 0; i < workers->count; i++) {
    plan.first = i == 0;
    workers->batches[i] = batch_new(search, &plan);
    workers->batches[i]->number = i;
  }
  workers->growing = plan.growing;
  workers->playing = plan.playing;
  workers->plants = settings->gpu && grower_suits(search, plan.playing);
  if (settings->gpu && !workers->plants) begin_feeding(search, workers);
  return workers;
}

void workers_set_evaluation(Search *search) {
  const Workers *workers = search->workers;
  for (uint32_t i = 0; i <= workers->count; i++)
    if (workers->batches[i]) set_evaluation(workers->batches[i]);
}

static void delete_batch(Batch *batch) {
  if (!batch) return;
  if (batch->courier) courier_delete(batch->courier);
  if (batch->card) {
    feeder_delete(batch->card->feeder);
    batch_delete(batch->card);
  }
  batch_delete(batch);
}

void workers_set_ally(Search *search, Ally *ally) {
  Workers *workers = search->workers;
  Batch **batch = &workers->batches[workers->count];
  delete_batch(*batch);
  *batch = NULL;
  /* There is one ally: beside another one the card has leaves instead. */
  if (workers->plants || workers->grower) begin_feeding(search, workers);
  workers->plants = false;
  delete_grower(workers);
  if (ally) add_ally(search, workers, ally, BATCH_ALLY_LEAVES);
}

Batch *workers_first(const Search *search) {
  return search->workers->batches[0];
}

void workers_delete(Workers *workers) {
  if (workers->offload) offload_delete(workers->offload);
  delete_grower(workers);
  for (uint32_t i = 0; i <= workers->count; i++)
    delete_batch(workers->batches[i]);
  memory_delete(workers->batches);
  memory_delete(workers->stores);
  locks_free(&workers->locks);
  memory_delete(workers);
}
