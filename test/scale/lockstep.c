#include "scale/lockstep.h"

#include "search/courier.h"
#include "search/descend.h"
#include "search/grow.h"
#include "search/leaves.h"
#include "search/locks.h"
#include "search/settle.h"
#include "search/summary.h"
#include "search/tree_share.h"
#include "search/workers.h"

struct Lockstep {
  Search *search;
  Locks locks; /* of nobody */
  Batch *batch;
};

Lockstep *lockstep_new(Search *search, Ally *ally) {
  Lockstep *lockstep = memory_new(sizeof *lockstep);
  lockstep->search = search;
  locks_init(&lockstep->locks);
  BatchPlan plan = {.growing = workers_first(search)->expand.cones,
                    .locks = &lockstep->locks,
                    .first = true,
                    .leaves = BATCH_ALLY_LEAVES};
  Batch *batch = batch_new(search, &plan);
  mast_grow(&batch->gain, search->mast.moves.count);
  batch->courier = courier_new(batch, ally);
  lockstep->batch = batch;
  return lockstep;
}

void lockstep_delete(Lockstep *lockstep) {
  courier_delete(lockstep->batch->courier);
  batch_delete(lockstep->batch);
  locks_free(&lockstep->locks);
  memory_delete(lockstep);
}

/* ---- rounds ---- */

static void make_room(Search *search) {
  if (!search_is_full(search) && !tree_cramped(search->tree)) return;
  if (tree_cramped(search->tree) && tree_relieve(search->tree))
    search_set_full(search, false);
  grow_make_room(search);
}

/* Descents to begin, so that playouts under way do not exceed what is left. */
static uint32_t count_descents(const Batch *batch, uint32_t playouts,
                               uint64_t left) {
  uint32_t leaves = courier_leaves(batch->courier);
  uint64_t most = (left + playouts - 1) / playouts;
  uint32_t room = leaves > batch->at_play ? leaves - batch->at_play : 0;
  most = most > batch->at_play ? most - batch->at_play : 0;
  return room < most ? room : (uint32_t)most;
}

/* Returns the playouts that were backed up. */
static uint64_t run_round(Batch *batch, uint64_t left) {
  uint32_t playouts = courier_playouts(batch->courier);
  descend_round(batch, count_descents(batch, playouts, left), playouts);
  leaves_collect_steps(batch);
  leaves_expand(batch);
  leaves_place(batch);
  courier_play(batch->courier);
  courier_back_up(batch->courier);
  uint64_t made = batch->tally.simulations;
  batch->tally = (BatchTally){0};
  if (batch->search->settings.playout != PLAYOUT_UNIFORM) {
    leaves_set_scores(batch);
    courier_set_scores(batch->courier);
  }
  return made;
}

static bool is_settled(const Search *search) {
  return settle_near(search) && settle_done(search);
}

/* The courier tells what it learned of moves to the search's table, which it
   has itself, and to a second one for the other threads: there are none. */
uint64_t lockstep_think(Lockstep *lockstep, uint64_t playouts) {
  Search *search = lockstep->search;
  Batch *batch = lockstep->batch;
  uint64_t made = 0;
  batch->own->gain = &batch->gain;
  courier_begin(batch->courier, 0);
  while (made < playouts && !is_settled(search)) {
    make_room(search);
    made += run_round(batch, playouts - made);
  }
  leaves_drop(batch);
  courier_end(batch->courier);
  batch->own->gain = NULL;
  summary_publish(search);
  return made;
}
