/* Places are taken from a fixed table, and what is in them is allocated by the
   pool's thread: so nothing of it belongs to a memory scope of a caller, which
   may be released while the thread is at work.

   A place is free; or asked for; or the thread is sketching its Gpu, which
   reads the cones and is stopped when somebody leaves; or making it, which the
   driver may never finish, but which needs nothing of the caller's; or that is
   ready; or refused; or it was left and waits to be deleted. */
#include "gpu/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/thread.h"
#include "base/trial.h"

enum { PLACES = 64 };

static const long glance = 10000000; /* nanoseconds between looks at what was
                                        left */

typedef enum {
  FREE,
  ASKED,
  SKETCHING,
  MAKING,
  READY,
  REFUSED,
  LEFT
} PlaceState;

struct PoolPlace {
  PlaceState state;
  atomic_bool forsaken; /* left while it was being sketched or made */
  const Cones *cones;   /* of the caller, until it was sketched */
  GpuOptions options;
  Gpu *gpu;
  Text why;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static PoolPlace places[PLACES];
static atomic_int owner; /* process whose thread serves the places; 0: none */

/* Of the thread alone. */
static Card *card;
static Text cardless; /* why the card cannot be used; empty: there is none */

/* ---- the thread ---- */

/* A driver without a card is as good as none. */
static void open_card(void) {
  enum { NO_DEVICE = 100 };
  Driver driver;
  Text none = {0};
  if (driver_open(&driver, &none)) {
    if (driver.cuInit(0) != NO_DEVICE) card = card_open(&cardless);
    driver_close(&driver);
  }
  text_free(&none);
}

/* Without the lock, as gpu_make is below. */
typedef struct Sketch {
  const PoolPlace *place;
  Gpu *gpu;
  Text why;
} Sketch;

static void sketch(void *context) {
  Sketch *own = context;
  own->gpu =
      gpu_sketch(card, own->place->cones, &own->place->options, &own->why);
}

/* Fills the place's Gpu, or says why there is none. */
static void run_sketch(PoolPlace *place) {
  Sketch own = {.place = place};
  text_free(&place->why);
  place->gpu = NULL;
  if (!card) {
    text_add(&place->why, text_string(&cardless));
  } else if (trial_run_unless(&place->forsaken, sketch, &own)) {
    place->gpu = own.gpu;
    place->why = own.why;
  } else {
    text_add(&place->why, "there is not enough memory for a kernel");
  }
}

static void make(PoolPlace *place) {
  if (!atomic_load(&place->forsaken) && gpu_make(place->gpu, &place->why))
    return;
  gpu_delete(place->gpu);
  place->gpu = NULL;
}

/* The caller has the lock. */
static void serve(PoolPlace *place) {
  place->state = SKETCHING;
  pthread_mutex_unlock(&lock);
  run_sketch(place);
  pthread_mutex_lock(&lock);
  place->cones = NULL;
  place->state = MAKING;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  if (place->gpu) make(place);
  pthread_mutex_lock(&lock);
  place->state = place->gpu ? READY : REFUSED;
  if (atomic_load(&place->forsaken)) place->state = place->gpu ? LEFT : FREE;
  pthread_cond_broadcast(&changed);
}

static bool is_done(Gpu *gpu, uint32_t batches) {
  bool done = true;
  for (uint32_t i = 0; i < batches; i++) done &= gpu_done(gpu, i);
  return done;
}

/* The caller has the lock, but the driver is asked without it. */
static void clear(PoolPlace *place) {
  pthread_mutex_unlock(&lock);
  bool done = is_done(place->gpu, place->options.batches);
  if (done) gpu_delete(place->gpu);
  pthread_mutex_lock(&lock);
  if (done) place->state = FREE;
}

static PoolPlace *find(PlaceState state) {
  for (uint32_t i = 0; i < PLACES; i++)
    if (places[i].state == state) return &places[i];
  return NULL;
}

static void wait_a_while(bool left) {
  struct timespec until;
  if (!left) {
    pthread_cond_wait(&changed, &lock);
    return;
  }
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += glance;
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  pthread_cond_timedwait(&changed, &lock, &until);
}

static void *work(void *argument) {
  (void)argument;
  open_card();
  pthread_mutex_lock(&lock);
  for (;;) {
    PoolPlace *place = find(ASKED);
    if (place) {
      serve(place);
      continue;
    }
    for (uint32_t i = 0; i < PLACES; i++)
      if (places[i].state == LEFT) clear(&places[i]);
    if (!find(ASKED)) wait_a_while(find(LEFT));
  }
  return NULL;
}

/* ---- for searches ---- */

/* Returns whether there is a driver at all: most machines have none, and need
   no thread. */
static bool has_driver(void) {
  static enum { UNKNOWN, ABSENT, PRESENT } found;
  Driver driver;
  Text why = {0};
  if (found == UNKNOWN) {
    found = driver_open(&driver, &why) ? PRESENT : ABSENT;
    if (found == PRESENT) driver_close(&driver);
    text_free(&why);
  }
  return found == PRESENT;
}

/* The caller has the lock, as for the above. */
static bool start(void) {
  if (!owner && has_driver() && thread_detach(THREAD_STACK, work, NULL))
    owner = getpid();
  return owner;
}

bool pool_exists(void) {
  if (owner && owner != getpid()) return false;
  pthread_mutex_lock(&lock);
  bool exists = has_driver();
  pthread_mutex_unlock(&lock);
  return exists;
}

PoolPlace *pool_ask(const Cones *cones, const GpuOptions *options) {
  if (owner && owner != getpid()) return NULL;
  pthread_mutex_lock(&lock);
  PoolPlace *place = find(FREE);
  if (place && start()) {
    place->cones = cones;
    place->options = *options;
    atomic_store(&place->forsaken, false);
    place->state = ASKED;
    pthread_cond_broadcast(&changed);
  } else {
    place = NULL;
  }
  pthread_mutex_unlock(&lock);
  return place;
}

Gpu *pool_gpu(PoolPlace *place) {
  pthread_mutex_lock(&lock);
  Gpu *gpu = place->state == READY ? place->gpu : NULL;
  pthread_mutex_unlock(&lock);
  return gpu;
}

bool pool_refused(PoolPlace *place, Text *why) {
  pthread_mutex_lock(&lock);
  bool refused = place->state == REFUSED;
  if (refused) text_add(why, text_string(&place->why));
  pthread_mutex_unlock(&lock);
  return refused;
}

/* The thread deletes it: to release memory waits for everything that the card
   is doing, also for others. */
void pool_leave(PoolPlace *place) {
  pthread_mutex_lock(&lock);
  atomic_store(&place->forsaken, true);
  while (place->state == SKETCHING) pthread_cond_wait(&changed, &lock);
  if (place->state != MAKING)
    place->state = place->state == READY ? LEFT : FREE;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
