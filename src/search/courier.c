/* A task is the leaves of one round. Its number is its place in the list of
   tasks; results of tasks that are not under way, which an ally that was lost
   may still send, are dropped. */
#include "search/courier.h"

#include "search/descend.h"
#include "search/leaves.h"
#include "search/merge.h"
#include "search/others.h"

static const double wait_seconds = 0.005;

enum { TASKS = 256 };

/* Playouts from each leaf: as many as in lanes, and more while the ally has
   little to do, since this one thread cannot descend for all of it. Rounds of
   hunger or plenty until their number doubles or halves. */
enum { PLAYOUTS_MOST = 64, HUNGER = 8, PLENTY = -32, FAR_LESS = 4 };

typedef struct Parcel {
  bool sent;
  NumberVector leaves;
} Parcel;

struct Courier {
  Batch *batch;
  Ally *ally;
  Parcel tasks[TASKS];
  uint32_t under_way; /* of the tasks */
  uint32_t playouts;  /* from each leaf */
  int hunger;
  VECTOR(uint64_t) states; /* of a task to be sent */
  AllyResult result;
  bool has_result; /* that is not backed up yet */
  RootSums sums;
  bool has_sums;
};

Courier *courier_new(Batch *batch, Ally *ally) {
  Courier *courier = memory_new(sizeof *courier);
  courier->batch = batch;
  courier->ally = ally;
  courier->playouts = batch->repeat;
  return courier;
}

void courier_delete(Courier *courier) {
  for (uint32_t i = 0; i < TASKS; i++) vector_free(&courier->tasks[i].leaves);
  vector_free(&courier->states);
  vector_free(&courier->sums.actions);
  ally_free_result(&courier->result);
  memory_delete(courier);
}

/* ---- thinking ---- */

void courier_begin(Courier *courier, double seconds) {
  const Search *search = courier->batch->search;
  AllyPosition position = {.state = search->root_state.data,
                           .words = search->root_state.count,
                           .depth = search->depth,
                           .horizon = seconds};
  courier->ally->operations->stand(courier->ally, &position);
  courier->has_result = courier->has_sums = false;
  for (uint32_t i = 0; i < TASKS; i++) courier->tasks[i].sent = false;
  courier->under_way = 0;
}

void courier_end(Courier *courier) {
  courier->ally->operations->rest(courier->ally);
}

void courier_wake(Courier *courier) {
  courier->ally->operations->wake(courier->ally);
}

static void feed(Courier *courier, uint32_t room) {
  const Batch *batch = courier->batch;
  if (batch->search->settings.repeat) return;
  if (room > FAR_LESS * batch->at_play)
    courier->hunger++;
  else if (room < batch->at_play / FAR_LESS)
    courier->hunger--;
  if (courier->hunger != HUNGER && courier->hunger != PLENTY) return;
  if (courier->hunger == HUNGER && courier->playouts < PLAYOUTS_MOST)
    courier->playouts *= 2;
  else if (courier->hunger == PLENTY && courier->playouts > batch->repeat)
    courier->playouts /= 2;
  courier->hunger = 0;
}

uint32_t courier_playouts(const Courier *courier) {
  return courier->playouts;
}

/* As for lanes (descend_leaves), but an ally may be many machines: it may have
   as many leaves as all threads here together. */
uint32_t courier_leaves(Courier *courier) {
  const Batch *batch = courier->batch;
  uint32_t room = courier->ally->operations->room(courier->ally);
  if (courier->under_way == TASKS) return batch->at_play;
  feed(courier, room);
  uint32_t most = descend_leaves(batch, 1), wanted = batch->at_play + room;
  return wanted < most ? wanted : most;
}

/* ---- to the ally ---- */

static Parcel *free_task(Courier *courier) {
  uint32_t i = 0;
  while (i < TASKS && courier->tasks[i].sent) i++;
  return i < TASKS ? &courier->tasks[i] : NULL;
}

/* Returns false if nothing of this round is to be played out. */
static bool send(Courier *courier) {
  Batch *batch = courier->batch;
  uint32_t words = batch->search->book->words;
  Parcel *task = free_task(courier);
  if (!task) return false;
  vector_clear(&task->leaves);
  vector_clear(&courier->states);
  for (uint32_t i = 0; i < batch->fresh.count; i++) {
    uint32_t number = batch->fresh.data[i];
    if (batch->list[number].kind != LEAF_PLAY) continue;
    vector_push(&task->leaves, number);
    for (uint32_t w = 0; w < words; w++)
      vector_push(&courier->states,
                  batch->starts.data[(size_t)number * words + w]);
  }
  if (!task->leaves.count) return false;
  AllyTask sent = {.number = (uint32_t)(task - courier->tasks),
                   .leaves = task->leaves.count,
                   .repeat = courier->playouts,
                   .words = words,
                   .states = courier->states.data};
  task->sent = true;
  courier->under_way++;
  courier->ally->operations->play(courier->ally, &sent);
  return true;
}

void courier_play(Courier *courier) {
  const AllyOperations *operations = courier->ally->operations;
  bool busy = send(courier);
  courier->has_result = operations->take(courier->ally, &courier->result);
  courier->has_sums = operations->roots(courier->ally, &courier->sums);
  if (!busy && !courier->has_result && !courier->has_sums)
    operations->wait(courier->ally, wait_seconds);
}

void courier_set_scores(Courier *courier) {
  Batch *batch = courier->batch;
  courier->ally->operations->score(courier->ally, batch->scores,
                                   batch->search->book->net.moves.count);
}

/* ---- from the ally ---- */

static void take_leaf(Courier *courier, uint32_t number, uint32_t i) {
  Batch *batch = courier->batch;
  const AllyResult *result = &courier->result;
  uint32_t roles = batch->search->role_count;
  Leaf *leaf = &batch->list[number];
  leaf->heard = result->playouts.data[i];
  leaf->steps = result->steps.data[i];
  if (!leaf->heard) {
    leaves_forget(batch, number);
    return;
  }
  for (uint32_t role = 0; role < roles; role++) {
    size_t to = (size_t)number * roles + role, from = (size_t)i * roles + role;
    batch->sums.data[to] = result->sums.data[from];
    if (batch->highest.count && result->highest.count)
      batch->highest.data[to] = result->highest.data[from];
  }
  if (result->ends.count)
    for (uint32_t k = i ? result->ends.data[i - 1] : 0;
         k < result->ends.data[i]; k++)
      vector_push(&leaf->tail, result->tails.data[k]);
  leaves_finish(batch, number);
}

static void take_credit(Courier *courier) {
  const Scratch *own = courier->batch->own;
  for (uint32_t i = 0; i < courier->result.credit.count; i++) {
    const AllyCredit *credit = &courier->result.credit.data[i];
    mast_add(own->mast, credit->move, credit->playouts, credit->total);
    mast_add(own->gain, credit->move, credit->playouts, credit->total);
  }
}

static void take_result(Courier *courier) {
  const AllyResult *result = &courier->result;
  Batch *batch = courier->batch;
  Parcel *task =
      result->number < TASKS ? &courier->tasks[result->number] : NULL;
  if (!task || !task->sent) return;
  bool whole = result->leaves == task->leaves.count;
  for (uint32_t i = 0; i < task->leaves.count; i++)
    if (whole)
      take_leaf(courier, task->leaves.data[i], i);
    else
      leaves_forget(batch, task->leaves.data[i]);
  task->sent = false;
  courier->under_way--;
  if (!whole) return;
  if (batch->search->settings.playout != PLAYOUT_UNIFORM) take_credit(courier);
  batch->tally.states += result->states;
  batch->tally.cut_off += result->cut_off;
}

void courier_back_up(Courier *courier) {
  Batch *batch = courier->batch;
  if (courier->has_result) take_result(courier);
  merge_teach(batch->search, batch->own);
  if (courier->has_sums)
    others_tell(batch->search, &courier->sums, courier->ally->joins);
  courier->has_result = courier->has_sums = false;
}
