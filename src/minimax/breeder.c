/* Breeders are taken from a fixed table, since the thread of one may be at work
   when its search is long gone.

   A breeder is free; or taken, and has perhaps asked the pool for the card; or
   its thread has got that (`holds`), which is the thread's from then on; or it
   was left (`quit`), and its thread gives back what it has. */
#include "minimax/breeder.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/thread.h"
#include "minimax/breeder_parts.h"

enum {
  BREEDERS = 32,
  /* That use the card at the same time, at most. With eight of them nothing was
     gained (docs/gpu.md, "Strength"). */
  SHARING = 4,
  QUEUE = 1 << 16, /* requests that wait, at most */
  MANY = 8,        /* threads of a search */
  /* Gates of a game that a card is worth its while for with many threads: for
     what checkers (4,895 gates) takes 1.2 to 1.6 s with 16 of them, 14 with the
     card take 2.2. */
  GATES = 10000
};

static const double leaving = 0.5; /* seconds that a batch may take */

static Breeder breeders[BREEDERS];
static atomic_bool taken[BREEDERS]; /* changes under no lock */
static pthread_mutex_t locks[BREEDERS];
static pthread_mutex_t nest_locks[BREEDERS]; /* of whoever adds */
static pthread_cond_t signals[BREEDERS];
static pthread_once_t locks_made = PTHREAD_ONCE_INIT;
static atomic_int active; /* that think */
static atomic_int owner;  /* process that has breeders; 0: none yet */

static void make_locks(void) {
  for (uint32_t i = 0; i < BREEDERS; i++) {
    pthread_mutex_init(&locks[i], NULL);
    pthread_mutex_init(&nest_locks[i], NULL);
    pthread_cond_init(&signals[i], NULL);
  }
}

void breeder_lock(const Breeder *breeder) {
  pthread_mutex_lock(&locks[breeder - breeders]);
}

void breeder_unlock(const Breeder *breeder) {
  pthread_mutex_unlock(&locks[breeder - breeders]);
}

void breeder_lock_nest(const Breeder *breeder) {
  pthread_mutex_lock(&nest_locks[breeder - breeders]);
}

void breeder_unlock_nest(const Breeder *breeder) {
  pthread_mutex_unlock(&nest_locks[breeder - breeders]);
}

void breeder_signal(const Breeder *breeder) {
  pthread_cond_broadcast(&signals[breeder - breeders]);
}

void breeder_wait(const Breeder *breeder) {
  ptrdiff_t at = breeder - breeders;
  pthread_cond_wait(&signals[at], &locks[at]);
}

void breeder_wait_for(const Breeder *breeder, double seconds) {
  ptrdiff_t at = breeder - breeders;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  long more = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += more / 1000000000;
  until.tv_nsec = more % 1000000000;
  pthread_cond_timedwait(&signals[at], &locks[at], &until);
}

void breeder_give_back(const Breeder *breeder) {
  atomic_store(&taken[breeder - breeders], false);
}

/* ---- for the search ---- */

/* The first time asks for the card. */
static void ask_for_card(Breeder *breeder) {
  GpuOptions wishes = {.seed = 1,
                       .step_limit = 1,
                       .batches = 1,
                       .starts = 1,
                       .gamma = 1,
                       .kernels = GPU_TEAM};
  breeder->place = pool_ask(breeder->cones, &wishes);
  breeder->failed = !breeder->place; /* others have it */
  if (breeder->failed) return;
  breeder->started = thread_detach(THREAD_STACK, breeder_hand_work, breeder);
  breeder->failed = !breeder->started;
}

static void weigh(Breeder *breeder, const Evaluation *evaluation) {
  if (!breeder->nest || !evaluation) return;
  for (uint32_t role = 0; role < breeder->roles; role++)
    if (!evaluation_weights(evaluation, role,
                            breeder->weights + (size_t)role * breeder->fluents))
      return;
  breeder->weighed = true;
}

bool breeder_suits(const Budget *budget) {
  return budget->seconds > 0 && !budget->simulations && !budget->states;
}

void breeder_begin(Breeder *breeder, const Budget *budget,
                   const Evaluation *evaluation) {
  if (!breeder_suits(budget)) return;
  breeder_end(breeder); /* thinking that was given up may not have ended */
  if (atomic_fetch_add(&active, 1) >= SHARING) {
    atomic_fetch_sub(&active, 1);
    return;
  }
  breeder_lock(breeder);
  if (!breeder->place && !breeder->failed) ask_for_card(breeder);
  if (breeder->nest) {
    memset(breeder->recent, 0, BREEDER_RECENT * sizeof *breeder->recent);
    requests_clear(&breeder->requests);
    atomic_store(&breeder->scarce, false);
    weigh(breeder, evaluation);
    breeder->fresh = true;
  }
  breeder->thinking = true;
  breeder_signal(breeder);
  breeder_unlock(breeder);
}

void breeder_end(Breeder *breeder) {
  breeder_lock(breeder);
  if (breeder->thinking) atomic_fetch_sub(&active, 1);
  breeder->thinking = false;
  requests_clear(&breeder->requests);
  breeder_signal(breeder);
  breeder_unlock(breeder);
}

const Nest *breeder_nest(Breeder *breeder) {
  breeder_lock(breeder);
  const Nest *nest = breeder->thinking ? breeder->nest : NULL;
  breeder_unlock(breeder);
  return nest;
}

/* Returns true if that was asked lately. Threads that search the same nodes ask
   for the same. */
static bool is_repeated(Breeder *breeder, uint64_t hash) {
  if (!atomic_load_explicit(&breeder->furnished, memory_order_acquire))
    return false;
  _Atomic uint64_t *slot = &breeder->recent[hash % BREEDER_RECENT];
  if (atomic_load_explicit(slot, memory_order_relaxed) != hash) {
    atomic_store_explicit(slot, hash, memory_order_relaxed);
    return false;
  }
  atomic_fetch_add_explicit(&breeder->repeated, 1, memory_order_relaxed);
  return true;
}

static void push(Breeder *breeder, const uint64_t *state, uint32_t move,
                 bool first) {
  BreederReport *report = &breeder->report;
  Requests *requests = &breeder->requests;
  breeder_lock(breeder);
  if (!breeder->nest || !breeder->thinking || breeder->failed) {
    report->dropped++;
  } else {
    bool kept = requests_add(requests, state, move, first);
    report->asked += first || kept;
    report->dropped += !kept;
    if (first ? requests->urgent == 1 : requests->count == 1)
      breeder_signal(breeder);
  }
  breeder_unlock(breeder);
}

void breeder_ask(Breeder *breeder, uint64_t key, const uint64_t *state,
                 uint32_t move) {
  if (!is_repeated(breeder, hash_pair(key, move)))
    push(breeder, state, move, false);
}

void breeder_ask_first(Breeder *breeder, uint64_t key, const uint64_t *state) {
  if (!is_repeated(breeder, ~hash_pair(key, BREEDER_ALL)))
    push(breeder, state, BREEDER_ALL, true);
}

bool breeder_scarce(const Breeder *breeder) {
  return atomic_load_explicit(&breeder->scarce, memory_order_relaxed);
}

BreederReport breeder_report(Breeder *breeder) {
  breeder_lock(breeder);
  BreederReport report = breeder->report;
  report.repeated = atomic_load(&breeder->repeated);
  report.hands = breeder->started ? 1 + breeder->others : 0;
  breeder_unlock(breeder);
  return report;
}

bool breeder_alive(Breeder *breeder) {
  breeder_lock(breeder);
  bool alive = !breeder->failed;
  breeder_unlock(breeder);
  return alive;
}

/* Returns how many seconds ago a hand turned to the card that waits still. */
static double asked_since(const Breeder *breeder) {
  double now = clock_now(), most = 0;
  for (uint32_t i = 0; i < BREEDER_HANDS; i++) {
    double begun = breeder->hands[i].begun;
    if (begun > 0 && now - begun > most) most = now - begun;
  }
  return most;
}

/* A card that does not answer may do so later: it is not given up. */
const char *breeder_trouble(Breeder *breeder) {
  const char *trouble = NULL;
  breeder_lock(breeder);
  if (breeder->failed && breeder->why.length) {
    trouble = text_string(&breeder->why);
  } else if (asked_since(breeder) > breeder->patience) {
    snprintf(breeder->said, sizeof breeder->said,
             "the card has not answered for %g s", breeder->patience);
    trouble = breeder->said;
  }
  breeder_unlock(breeder);
  return trouble;
}

/* ---- creation ---- */

/* A large state may not make the ring larger than an eighth of the memory. */
static uint32_t queue_of(uint32_t words, size_t memory) {
  size_t each = words * sizeof(uint64_t) + sizeof(uint32_t);
  size_t room = memory / 8 / each;
  return room > QUEUE ? QUEUE : room ? (uint32_t)room : 1;
}

static uint32_t excess(uint32_t processes, uint32_t processors) {
  return processes > processors ? processes - processors : 0;
}

/* Two hands where a processor is left for the second, or many threads search,
   which leave it one. Time to depth 7 (13 in checkers) with 4 threads of 16
   processors, without a card and with one, two and four hands: skirmish 4.03,
   2.89, 2.17 and 2.24 s, chess_200 1.96, 1.71, 1.29 and 1.33 s, checkers 4.24,
   4.16, 3.24 and 3.98 s. */
static uint32_t count_hands(uint32_t threads) {
  return threads >= MANY || !excess(threads + 1, thread_processors())
             ? BREEDER_HANDS
             : 1;
}

/* 16 threads of 16 processors, without a card, all with one hand, and 14 with
   two: skirmish 1.56, 1.38 and 1.10 s, chess_200 0.88, 0.96 and 0.84 s. */
uint32_t breeder_leaves(const Breeder *breeder, uint32_t threads) {
  uint32_t hands = breeder->hand_count;
  uint32_t less = excess(threads + hands, thread_processors());
  return threads < MANY ? threads : threads - (less < hands ? less : hands);
}

Breeder *breeder_new(Book *book, const Settings *settings,
                     const Features *features, bool ends, size_t memory) {
  const Cones *cones =
      book->cones && book->tuned && pool_exists() ? book->cones : NULL;
  Breeder *breeder = NULL;
  int none = 0;
  if (!cones || book->net.moves.count >= HATCH_NUMBERS ||
      book->net.fluents.count >= HATCH_NUMBERS ||
      (settings->threads >= MANY && cones_gates(cones) < GATES))
    return NULL;
  /* A child of that process has no card, and perhaps a lock for ever. */
  if (!atomic_compare_exchange_strong(&owner, &none, getpid()) &&
      none != getpid())
    return NULL;
  pthread_once(&locks_made, make_locks);
  for (uint32_t i = 0; !breeder && i < BREEDERS; i++)
    if (!atomic_exchange(&taken[i], true)) breeder = &breeders[i];
  if (!breeder) return NULL;
  breeder_lock(breeder);
  *breeder = (Breeder){
      .cones = cones,
      .keys = book->zobrist,
      .features = features,
      .blind = !ends,
      .fluents = book->net.fluents.count,
      .roles = book->net.role_count,
      .words = book->words,
      .room = memory / 8 * 7 /
              (BREEDER_CHILD_BYTES + BREEDER_NODE_BYTES / BREEDER_CHILDREN),
      .queue = queue_of(book->words, memory),
      .patience = settings->gpuwait,
      .hand_count = count_hands((uint32_t)settings->threads)};
  for (uint32_t i = 0; i < BREEDER_HANDS; i++)
    breeder->hands[i] = (Hand){.breeder = breeder, .number = i};
  breeder_unlock(breeder);
  return breeder;
}

/* What the thread does not hold is left here: the pool may still be reading the
   programs, and stops then. The thread has a moment to end: the driver may be
   gone before it if the process ends. */
void breeder_delete(Breeder *breeder) {
  PoolPlace *left = NULL;
  breeder_end(breeder);
  breeder_lock(breeder);
  breeder->quit = true;
  if (!breeder->holds) {
    left = breeder->place;
    breeder->place = NULL;
  }
  bool started = breeder->started;
  breeder_signal(breeder);
  breeder_unlock(breeder);
  if (left) pool_leave(left);
  double until = clock_now() + leaving;
  breeder_lock(breeder);
  while (started && breeder->quit && clock_now() < until)
    breeder_wait_for(breeder, until - clock_now());
  if (!started) *breeder = (Breeder){0};
  breeder_unlock(breeder);
  if (!started) breeder_give_back(breeder);
}
