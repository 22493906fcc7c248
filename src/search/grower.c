/* Growers are taken from a fixed table, since the thread of one may be at work
   when its search is long gone; what the thread needs is allocated by the
   thread, so that it belongs to nobody's trial.

   A grower is free; or taken, and has perhaps asked the pool for what plays out
   and what makes nodes; or its thread has got both (`holds`), which are the
   thread's from then on; or it was left (`quit`), and its thread gives back
   what it has. */
#include "search/grower.h"

#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"
#include "gpu/grove.h"
#include "gpu/pool.h"

enum {
  GROWERS = 24,
  LEAVES = 1 << 15, /* of a wave */
  WEIGHED = 4,      /* playouts of a leaf, with scores */
  UNIFORM = 32      /* and without: those of a word */
};

static const double glance = 0.002; /* seconds between looks for the card */

struct Grower {
  Ally ally;
  bool taken, started, holds, quit; /* as all below at the lock, */
  bool thinking, failed;            /* but for what is the thread's */
  GroveOptions options;
  GpuOptions wishes;
  const Cones *cones[2]; /* until they were asked for */
  PoolPlace *places[2];
  const uint64_t *state; /* of the search, while it thinks */
  uint32_t words;
  uint64_t position, stood; /* numbers of the state: the search's, the tree's */
  VECTOR(GroveSum) sums;    /* of the root; the thread's to resize */
  GroveReport report;
  double *scores; /* of moves, the search's last; NULL: none are wanted, or
                     the thread has not got so far */
  uint32_t moves;
  bool scored; /* they are new */
  bool news;   /* sums that were not taken yet */
  bool woken;
  Text why;
  double begun, patience; /* when the card was last asked, 0: it is not; how
                             long it may take, in seconds */
  char said[80];
  /* of the thread: */
  Grove *grove;
  VECTOR(uint64_t) row;
  double *weights; /* the scores that the card has */
};

/* A wave takes milliseconds, a few hundred of them in the largest games. */
static const double leaving = 0.5;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Grower growers[GROWERS];
static atomic_int owner; /* process that has growers; 0: none yet */

static Grower *grower_of(Ally *ally) {
  return (Grower *)ally; /* its first member */
}

static void wait_for(double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  long more = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += more / 1000000000;
  until.tv_nsec = more % 1000000000;
  pthread_cond_timedwait(&changed, &lock, &until);
}

/* ---- the thread; it has the lock wherever nothing else is said ---- */

/* The card is asked between these two, without the lock. */
static void turn_to_card(Grower *grower) {
  grower->begun = clock_now();
  pthread_mutex_unlock(&lock);
}

static void return_from_card(Grower *grower) {
  pthread_mutex_lock(&lock);
  grower->begun = 0;
}

static void fail(Grower *grower, const char *why) {
  if (!grower->failed) text_add(&grower->why, why);
  grower->failed = true;
}

/* Takes both of what the pool makes. Returns false if they are not there. */
static bool take_places(Grower *grower) {
  for (uint32_t i = 0; i < 2; i++)
    if (!grower->failed && pool_refused(grower->places[i], &grower->why))
      grower->failed = true;
  grower->holds = !grower->failed && pool_gpu(grower->places[0]) &&
                  pool_gpu(grower->places[1]);
  return grower->holds;
}

static void plant(Grower *grower) {
  Gpu *playing = pool_gpu(grower->places[0]);
  Gpu *growing = pool_gpu(grower->places[1]);
  Text why = {0};
  turn_to_card(grower);
  Grove *grove = grove_new(playing, growing, &grower->options, &why);
  return_from_card(grower);
  grower->grove = grove;
  if (grower->wishes.scores) {
    grower->scores = memory_new(grower->moves * sizeof *grower->scores);
    grower->weights = memory_new(grower->moves * sizeof *grower->weights);
  }
  if (!grove) fail(grower, text_string(&why));
  text_free(&why);
}

/* Goes where the search stands. */
static void stand(Grower *grower) {
  grower->stood = grower->position;
  vector_clear(&grower->row);
  for (uint32_t i = 0; i < grower->words; i++)
    vector_push(&grower->row, grower->state[i]);
  turn_to_card(grower);
  bool stands = grove_stand(grower->grove, grower->row.data);
  const char *error = grove_error(grower->grove);
  return_from_card(grower);
  if (error) fail(grower, error);
  /* The tree cannot have this state: it waits for the next. */
  if (!stands && grower->stood == grower->position) grower->thinking = false;
}

static void publish(Grower *grower) {
  const GroveSum *sums;
  uint32_t count = grove_root(grower->grove, &sums);
  vector_clear(&grower->sums);
  for (uint32_t i = 0; i < count; i++) vector_push(&grower->sums, sums[i]);
  grower->report = grove_report(grower->grove);
  grower->news = true;
  pthread_cond_broadcast(&changed);
}

static void grow(Grower *grower) {
  bool scored = grower->scored;
  if (scored)
    memcpy(grower->weights, grower->scores,
           grower->moves * sizeof *grower->weights);
  grower->scored = false;
  turn_to_card(grower);
  if (scored) gpu_set_scores(pool_gpu(grower->places[0]), 0, grower->weights);
  bool grew = grove_grow(grower->grove);
  return_from_card(grower);
  if (!grew)
    fail(grower, grove_error(grower->grove));
  else if (grower->thinking && grower->stood == grower->position)
    publish(grower);
}

static void step(Grower *grower) {
  if (!grower->thinking || grower->failed)
    pthread_cond_wait(&changed, &lock);
  else if (!grower->holds && !take_places(grower))
    wait_for(glance);
  else if (!grower->grove)
    plant(grower);
  else if (grower->stood != grower->position)
    stand(grower);
  else
    grow(grower);
}

static void *work(void *argument) {
  Grower *grower = argument;
  pthread_mutex_lock(&lock);
  while (!grower->quit) step(grower);
  pthread_mutex_unlock(&lock);
  if (grower->grove) grove_delete(grower->grove);
  for (uint32_t i = 0; grower->holds && i < 2; i++)
    pool_leave(grower->places[i]);
  pthread_mutex_lock(&lock);
  vector_free(&grower->sums);
  vector_free(&grower->row);
  memory_delete(grower->scores);
  memory_delete(grower->weights);
  text_free(&grower->why);
  *grower = (Grower){0};
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* ---- the ally ---- */

/* The first time asks for the card. */
static void ask(Grower *grower) {
  GpuOptions wishes = grower->wishes;
  grower->places[0] = pool_ask(grower->cones[0], &wishes);
  wishes.kernels = GPU_TEAM;
  wishes.scores = false;
  wishes.starts = 1;
  if (grower->places[0])
    grower->places[1] = pool_ask(grower->cones[1], &wishes);
  if (!grower->places[1]) {
    grower->failed = true; /* this machine has no card, or others have it */
    return;
  }
  grower->started = thread_detach(THREAD_STACK, work, grower);
  grower->failed = !grower->started;
}

static void think(Ally *ally, const AllyPosition *position) {
  Grower *grower = grower_of(ally);
  pthread_mutex_lock(&lock);
  if (!grower->places[0] && !grower->failed) ask(grower);
  grower->state = position->state;
  grower->words = position->words;
  grower->position++;
  grower->thinking = true;
  grower->news = grower->woken = false;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void rest(Ally *ally) {
  pthread_mutex_lock(&lock);
  grower_of(ally)->thinking = false;
  pthread_mutex_unlock(&lock);
}

static uint32_t room(Ally *ally) {
  (void)ally;
  return 0;
}

static void play(Ally *ally, const AllyTask *task) {
  (void)ally;
  (void)task;
}

static bool take(Ally *ally, AllyResult *result) {
  (void)ally;
  (void)result;
  return false;
}

static void score(Ally *ally, const double *scores, uint32_t count) {
  Grower *grower = grower_of(ally);
  pthread_mutex_lock(&lock);
  if (grower->scores) {
    memcpy(grower->scores, scores, count * sizeof *scores);
    grower->scored = true;
  }
  pthread_mutex_unlock(&lock);
}

static bool roots(Ally *ally, RootSums *sums) {
  Grower *grower = grower_of(ally);
  pthread_mutex_lock(&lock);
  uint32_t count = grower->news ? grower->sums.count : 0;
  pthread_mutex_unlock(&lock);
  if (!count) return false;
  vector_reserve(&sums->actions, count); /* may give up a trial */
  pthread_mutex_lock(&lock);
  vector_clear(&sums->actions);
  for (uint32_t i = 0; i < grower->sums.count && i < count; i++) {
    const GroveSum *sum = &grower->sums.data[i];
    RootSum told = {.move = sum->move,
                    .visits = sum->visits,
                    .total = sum->total,
                    .exact = -1};
    vector_push(&sums->actions, told);
  }
  sums->simulations = grower->report.playouts;
  grower->news = false;
  pthread_mutex_unlock(&lock);
  return true;
}

static void wait(Ally *ally, double seconds) {
  Grower *grower = grower_of(ally);
  pthread_mutex_lock(&lock);
  if (!grower->news && !grower->woken) wait_for(seconds);
  grower->woken = false;
  pthread_mutex_unlock(&lock);
}

static void wake(Ally *ally) {
  pthread_mutex_lock(&lock);
  grower_of(ally)->woken = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static const AllyOperations operations = {.stand = think,
                                          .rest = rest,
                                          .room = room,
                                          .play = play,
                                          .take = take,
                                          .score = score,
                                          .roots = roots,
                                          .wait = wait,
                                          .wake = wake};

Ally *grower_ally(Grower *grower) {
  return &grower->ally;
}

/* ---- creation ---- */

/* Returns true if an evaluation has a part in leaves or first values, which it
   has not on the card. */
static bool is_guided(const Settings *settings) {
  return settings->judge > 0 || settings->cutoff || settings->prior > 0 ||
         settings->implicit > 0;
}

bool grower_suits(const Search *search, const Cones *playing) {
  const Settings *settings = &search->settings;
  return settings->gputree && settings->gamma > 0 && search->role_count > 1 &&
         playing->rounds && settings->tree != TREE_NONE &&
         settings->choice == CHOICE_BOUND && !settings->rave &&
         settings->final != FINAL_MAXIMUM && !is_guided(settings);
}

static bool weighs(const Settings *settings) {
  return settings->playout != PLAYOUT_UNIFORM &&
         settings->gpuplayout == GPUPLAYOUT_SAME;
}

/* A power of two. */
static uint32_t playouts_of(const Settings *settings) {
  uint32_t wanted = (uint32_t)settings->gpurepeat, playouts = 1;
  if (!weighs(settings)) return UNIFORM;
  if (!wanted) return WEIGHED;
  while (playouts < wanted && playouts < UNIFORM) playouts *= 2;
  return playouts;
}

Grower *grower_new(const Search *search, const Cones *playing,
                   const Cones *growing) {
  const Settings *settings = &search->settings;
  const Aim *aim = &search->aim;
  bool two = aim->role_count == 2;
  Grower *grower = NULL;
  int none = 0;
  /* A child of that process has no card, and perhaps a lock for ever. */
  if (!atomic_compare_exchange_strong(&owner, &none, getpid()) &&
      none != getpid())
    return NULL;
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; !grower && i < GROWERS; i++)
    if (!growers[i].taken) grower = &growers[i];
  if (grower)
    *grower = (Grower){
        .ally = {.operations = &operations},
        .taken = true,
        .options = {.leaves = settings->gpuleaves
                                  ? (uint32_t)settings->gpuleaves
                                  : LEAVES,
                    .playouts = playouts_of(settings),
                    .growth = (uint32_t)settings->gpugrowth,
                    .c = settings->c,
                    .loss = settings->loss,
                    .own = aim->own,
                    .other = two ? aim->other : 0,
                    .constant = aim->constant,
                    .cut = aim_return(aim, aim->cut, two ? aim->cut : 0)},
        .cones = {playing, growing},
        .patience = settings->gpuwait};
  if (grower)
    grower->wishes =
        (GpuOptions){.seed = search->chance,
                     .step_limit = (uint32_t)settings->steps,
                     .batches = 1,
                     .starts = grower->options.leaves,
                     .blind = settings->epsilon,
                     .gamma = settings->gamma,
                     .kernels = weighs(settings) ? GPU_SCORED : GPU_SOLO,
                     .scores = weighs(settings)};
  if (grower) grower->moves = search->book->net.moves.count;
  pthread_mutex_unlock(&lock);
  return grower;
}

/* What the thread does not hold is left here: the pool may still be reading the
   programs, and stops then. The thread has a moment to end: the driver may be
   gone before it if the process ends. */
void grower_delete(Grower *grower) {
  PoolPlace *left[2] = {NULL, NULL};
  pthread_mutex_lock(&lock);
  grower->quit = true;
  for (uint32_t i = 0; !grower->holds && i < 2; i++) {
    left[i] = grower->places[i];
    grower->places[i] = NULL;
  }
  bool started = grower->started;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (uint32_t i = 0; i < 2; i++)
    if (left[i]) pool_leave(left[i]);
  double until = clock_now() + leaving;
  pthread_mutex_lock(&lock);
  while (started && grower->quit && clock_now() < until)
    wait_for(until - clock_now());
  if (!started) *grower = (Grower){0};
  pthread_mutex_unlock(&lock);
}

bool grower_failed(Grower *grower) {
  pthread_mutex_lock(&lock);
  bool failed = grower->failed;
  pthread_mutex_unlock(&lock);
  return failed;
}

/* A card that does not answer may do so later: it is not given up. */
const char *grower_trouble(Grower *grower) {
  const char *trouble = NULL;
  pthread_mutex_lock(&lock);
  if (grower->failed && grower->why.length) {
    trouble = text_string(&grower->why);
  } else if (grower->begun > 0 &&
             clock_now() > grower->begun + grower->patience) {
    snprintf(grower->said, sizeof grower->said,
             "the card has not answered for %g s", grower->patience);
    trouble = grower->said;
  }
  pthread_mutex_unlock(&lock);
  return trouble;
}
