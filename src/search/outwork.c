/* Leaves go through the lanes of a search that has no use for its tree. */
#include "search/outwork.h"

#include "search/leaves.h"
#include "search/parts.h"
#include "search/search.h"
#include "search/workers.h"

enum { SCORE_EVERY = 4 }; /* tasks from one use of new scores to the next */

struct Outwork {
  Search *search;
  Batch *batch;
  bool given; /* scores are */
  uint64_t tasks;
  NumberVector places; /* by number of a leaf in the batch: its place in the
                          task */
};

Outwork *outwork_new(Book *book, const Settings *wanted, uint64_t seed) {
  Settings settings = *wanted;
  settings.threads = settings.memory = 1;
  settings.gpu = 0;
  Search *search = search_new(book, 0, &settings, seed);
  if (!search->workers) {
    search_delete(search);
    return NULL;
  }
  Outwork *outwork = memory_new(sizeof *outwork);
  outwork->search = search;
  outwork->batch = workers_first(search);
  vector_resize(&outwork->places, outwork->batch->leaves);
  return outwork;
}

void outwork_delete(Outwork *outwork) {
  search_delete(outwork->search);
  vector_free(&outwork->places);
  memory_delete(outwork);
}

/* ---- a task ---- */

static void begin_result(const Outwork *outwork, const AllyTask *task,
                         AllyResult *result) {
  const Batch *batch = outwork->batch;
  uint32_t roles = outwork->search->role_count;
  result->number = task->number;
  result->leaves = task->leaves;
  result->states = result->cut_off = 0;
  vector_resize(&result->playouts, task->leaves);
  vector_resize(&result->steps, task->leaves);
  vector_resize(&result->sums, task->leaves * roles);
  vector_resize(&result->highest,
                batch->highest.count ? task->leaves * roles : 0);
  vector_clear(&result->tails);
  vector_clear(&result->ends);
  vector_clear(&result->credit);
}

/* Adds leaves while the batch has room; returns how many have been added. */
static uint32_t add_leaves(Outwork *outwork, const AllyTask *task,
                           uint32_t next) {
  Batch *batch = outwork->batch;
  for (; next < task->leaves && batch->free.count; next++) {
    uint32_t number = batch->free.data[--batch->free.count];
    Leaf *leaf = &batch->list[number];
    leaf->kind = LEAF_PLAY;
    leaf->playouts = task->repeat;
    outwork->places.data[number] = next;
    leaves_begin(batch, number, task->states + (size_t)next * task->words);
    wide_add_start(batch->wide, number,
                   batch->starts.data + (size_t)number * task->words,
                   task->repeat);
  }
  return next;
}

static void take_leaf(Outwork *outwork, uint32_t number, AllyResult *result,
                      NumberVector *tails) {
  Batch *batch = outwork->batch;
  uint32_t roles = outwork->search->role_count;
  uint32_t place = outwork->places.data[number];
  const Leaf *leaf = &batch->list[number];
  result->playouts.data[place] = leaf->heard;
  result->steps.data[place] = leaf->steps;
  for (uint32_t role = 0; role < roles; role++) {
    size_t from = (size_t)number * roles + role;
    size_t to = (size_t)place * roles + role;
    result->sums.data[to] = batch->sums.data[from];
    if (result->highest.count)
      result->highest.data[to] = batch->highest.data[from];
  }
  for (uint32_t i = 0; tails && i < leaf->tail.count; i++)
    vector_push(&tails[place], leaf->tail.data[i]);
  leaves_end(batch, number);
}

static void take_credit(Outwork *outwork, AllyResult *result) {
  Batch *batch = outwork->batch;
  const CreditSum *credit = wide_credit(batch->wide);
  for (uint32_t i = 0; i < outwork->search->book->net.moves.count; i++) {
    if (!credit[i].playouts) continue;
    AllyCredit sum = {.move = i,
                      .playouts = (double)credit[i].playouts,
                      .total = leaves_credit_return(batch, &credit[i])};
    vector_push(&result->credit, sum);
  }
  leaves_take_credit(batch);
  if (!outwork->given && outwork->tasks % SCORE_EVERY == 0)
    leaves_set_scores(batch);
}

static void join_tails(NumberVector *tails, AllyResult *result) {
  for (uint32_t i = 0; i < result->leaves; i++) {
    for (uint32_t k = 0; k < tails[i].count; k++)
      vector_push(&result->tails, tails[i].data[k]);
    vector_push(&result->ends, result->tails.count);
    vector_free(&tails[i]);
  }
  memory_delete(tails);
}

void outwork_play(Outwork *outwork, const AllyTask *task, AllyResult *result) {
  Batch *batch = outwork->batch;
  const Settings *settings = &outwork->search->settings;
  NumberVector *tails =
      settings->rave ? memory_new(task->leaves * sizeof *tails) : NULL;
  uint64_t before = wide_totals(batch->wide)->states;
  begin_result(outwork, task, result);
  batch->tally = (BatchTally){0};
  for (uint32_t next = 0, done = 0; done < task->leaves;) {
    next = add_leaves(outwork, task, next);
    uint32_t count = wide_play(batch->wide, (batch->at_play + 2) / 3);
    for (uint32_t i = 0; i < count; i++)
      take_leaf(outwork, wide_done(batch->wide, i), result, tails);
    done += count;
  }
  result->states = wide_totals(batch->wide)->states - before;
  result->cut_off = batch->tally.cut_off;
  if (settings->playout != PLAYOUT_UNIFORM) take_credit(outwork, result);
  if (tails) join_tails(tails, result);
  outwork->tasks++;
}

void outwork_score(Outwork *outwork, const double *scores) {
  wide_set_scores(outwork->batch->wide, scores);
  outwork->given = true;
}
