#include "search/offload.h"

#include "search/batch.h"
#include "search/judge.h"

enum {
  LEAVES_MOST = 1024, /* of a batch */
  LEAVES_WORTH = 64,  /* fewer are not worth a thread's trouble */
  FILLS = 2           /* jobs under way, for each that is played at once */
};

struct Offload {
  Search *search;
  const Cones *playing;
  uint32_t feeders, leaves; /* threads; of a batch, at most */
  PoolPlace *place;         /* NULL: not asked for yet, or given back */
  bool wanted;              /* in this thinking */
  bool refused;
  _Atomic(Gpu *) gpu;
  atomic_bool failed;
  atomic_int_fast64_t jobs;
  pthread_mutex_t lock; /* of `why` */
  Text why;
  const char *obstacle; /* what the card cannot do for this search; NULL */
};

/* Leaves under way of all threads must be countable (Action.pending). */
static void share_leaves(Offload *offload, uint32_t lanes) {
  const Settings *settings = &offload->search->settings;
  uint32_t threads = (uint32_t)settings->threads;
  uint32_t taken = threads * lanes;
  uint32_t left = taken < BATCH_PENDING_MOST ? BATCH_PENDING_MOST - taken : 0;
  offload->leaves =
      settings->gpuleaves ? (uint32_t)settings->gpuleaves : LEAVES_MOST;
  offload->feeders = threads;
  if (left / OFFLOAD_SLOTS / threads < LEAVES_WORTH)
    offload->feeders = left / OFFLOAD_SLOTS / LEAVES_WORTH;
  if (!offload->feeders) return;
  uint32_t most = left / OFFLOAD_SLOTS / offload->feeders;
  if (offload->leaves > most) offload->leaves = most;
}

Offload *offload_new(Search *search, const Cones *playing, uint32_t leaves) {
  Offload *offload = memory_new(sizeof *offload);
  offload->search = search;
  offload->playing = playing;
  pthread_mutex_init(&offload->lock, NULL);
  share_leaves(offload, leaves);
  return offload;
}

static void leave(Offload *offload) {
  if (offload->place) pool_leave(offload->place);
  offload->place = NULL;
  atomic_store(&offload->gpu, NULL);
}

void offload_delete(Offload *offload) {
  leave(offload);
  pthread_mutex_destroy(&offload->lock);
  text_free(&offload->why);
  memory_delete(offload);
}

/* ---- thinking ---- */

/* Returns what these settings and this evaluation need that the card does not
   tell, or NULL. */
static const char *find_obstacle(const Offload *offload) {
  const Search *search = offload->search;
  const Settings *settings = &search->settings;
  if (settings->rave) return "RAVE needs the moves of each playout";
  if (search->own.highest != search->own.values)
    return "the highest return of a leaf's playouts is needed";
  if (search->evaluation && settings->cutoff)
    return "the evaluation has to see where playouts are cut off";
  if (judge_alone(search)) return "leaves have no playouts";
  if (!(settings->gamma > 0)) return "gamma is 0";
  if (!offload->feeders) return "there are too many threads";
  return NULL;
}

bool offload_weighs(const Offload *offload) {
  const Settings *settings = &offload->search->settings;
  return settings->playout != PLAYOUT_UNIFORM &&
         settings->gpuplayout == GPUPLAYOUT_SAME;
}

static void ask(Offload *offload) {
  const Search *search = offload->search;
  const Settings *settings = &search->settings;
  GpuOptions options = {.seed = search->chance,
                        .step_limit = (uint32_t)settings->steps,
                        .batches = OFFLOAD_SLOTS * offload->feeders,
                        .starts = offload->leaves,
                        .credit = offload_weighs(offload),
                        .blind = settings->epsilon,
                        .gamma = settings->gamma,
                        .scores = offload_weighs(offload)};
  offload->place = pool_ask(offload->playing, &options);
  offload->refused = !offload->place;
}

void offload_begin(Offload *offload, const Budget *budget) {
  offload->obstacle = find_obstacle(offload);
  offload->wanted = !budget->simulations && !budget->states &&
                    !offload->obstacle && !atomic_load(&offload->failed) &&
                    !offload->refused;
  if (offload->wanted && !offload->place) ask(offload);
}

/* A card that has failed is given back at once. */
void offload_end(Offload *offload) {
  offload->wanted = false;
  if (atomic_load(&offload->failed) || offload->refused) leave(offload);
}

bool offload_expected(const Offload *offload) {
  return offload->wanted && offload->place;
}

uint32_t offload_most(const Offload *offload) {
  return OFFLOAD_SLOTS * offload->leaves;
}

uint32_t offload_feeders(const Offload *offload) {
  return offload->feeders;
}

Gpu *offload_gpu(Offload *offload) {
  if (!offload_expected(offload) || atomic_load(&offload->failed)) return NULL;
  Gpu *gpu = atomic_load(&offload->gpu);
  if (gpu) return gpu;
  gpu = pool_gpu(offload->place);
  if (gpu) atomic_store(&offload->gpu, gpu);
  return gpu;
}

void offload_fail(Offload *offload, const char *why) {
  pthread_mutex_lock(&offload->lock);
  if (!atomic_load(&offload->failed)) text_add(&offload->why, why);
  atomic_store(&offload->failed, true);
  pthread_mutex_unlock(&offload->lock);
}

void offload_count(Offload *offload, int64_t jobs) {
  atomic_fetch_add(&offload->jobs, jobs);
}

bool offload_full(Offload *offload) {
  Gpu *gpu = atomic_load(&offload->gpu);
  return !gpu || atomic_load(&offload->jobs) >= FILLS * (int64_t)gpu_width(gpu);
}

/* Returns of playouts are linear in the goals (aim.h), and so are their sums:
   those of discounted goals and of discounts. Playouts that did not end count
   as if each role had aim.cut. */
double offload_returns(const Aim *aim, const GpuSums *sums,
                       const GpuRoleSums *roles, uint32_t role) {
  static const double point = 1.0 / 65536; /* unit of the card's fractions */
  bool two = aim->role_count == 2;
  double own = (double)roles[role].returns;
  double other = two ? (double)roles[1 - role].returns : 0;
  double cut = aim_return(aim, aim->cut, two ? aim->cut : 0);
  return point * (aim->own * own + aim->other * other +
                  aim->constant * (double)sums->discounts +
                  cut * (double)sums->other_discounts);
}

const char *offload_trouble(Offload *offload) {
  if (offload->obstacle) return offload->obstacle;
  if (offload->place && !offload->refused)
    offload->refused = pool_refused(offload->place, &offload->why);
  return offload->why.length ? text_string(&offload->why) : NULL;
}
