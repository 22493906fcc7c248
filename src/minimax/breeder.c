/* Breeders are taken from a fixed table, since the thread of one may be at work
   when its search is long gone; what the thread needs is allocated by the
   thread, so that it belongs to nobody's trial.

   A breeder is free; or taken, and has perhaps asked the pool for the card; or
   its thread has got that (`holds`), which is the thread's from then on; or it
   was left (`quit`), and its thread gives back what it has.

   Requests wait in a ring, from whose head they are taken. When it is full,
   others are dropped: those that were asked first are needed first. But what is
   needed at once is put before the head, and drives out the last.

   The thread has hands, of which it is the first: the others are threads that
   make batches beside its own, each on a stream of the card, since a batch is a
   chain of small launches, and copies between them. What is urgent is made in
   batches of its own, and some hands make nothing else. They add to the nest in
   turn; whoever turns it waits until no other is at a batch. */
#include "minimax/breeder.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/thread.h"
#include "gpu/pool.h"
#include "minimax/attacks.h"

enum {
  BREEDERS = 32,
  /* That use the card at the same time, at most. With eight of them nothing was
     gained (docs/gpu.md, "Strength"). */
  SHARING = 4,
  QUEUE = 1 << 16,    /* requests that wait, at most */
  REQUESTS = 1 << 10, /* of a batch */
  FIRST = 64,         /* of the first one */
  HANDS = 2,          /* at most, */
  PATIENT = 1,        /* of which so many make what is not urgent */
  BATCHES = 4, /* that a half of the nest has room for, if there are several */
  RECENT = 1 << 18, /* requests that are known again */
  MANY = 8,         /* threads of a search */
  /* Gates of a game that a card is worth its while for with many threads: for
     what checkers (4,895 gates) takes 1.2 to 1.6 s with 16 of them, 14 with the
     card take 2.2. */
  GATES = 10000
};

/* Children for each node of the nest that is found by its key, at least; bytes
   for such a node and for a child, at most. */
enum { CHILDREN = 8, NODE_BYTES = 64, CHILD_BYTES = sizeof(HatchChild) + 8 };

/* How far broods are made ahead where attacks are known, and elsewhere. With
   four, six and eight picked skirmish had 1.5, 1.7 and 1.8 times the states of
   four threads without a card, chess_200 1.5, 1.5 and 1.4 times those of 16,
   and elsewhere with three, six and nine checkers 1.9, 2.0 and 2.3 times, all
   of that with lazy threads, which asked for the same. With a chain of 3 and 1,
   time to depth 7: skirmish 2.24 and 2.01 s, chess_200 1.33 and 1.28 s (four
   threads, six picked). With a chain of 1 and four picked 14 threads were
   faster than with 3 and six (1.10 and 1.70 s, 0.84 and 0.92 s). */
static const HatcheryOptions attacking = {
    .requests = REQUESTS, .picked = 4, .chain = 1, .followed = 2};
static const HatcheryOptions whole = {.requests = REQUESTS, .picked = 8};

static const double glance = 0.002; /* seconds between looks for the card */
static const double leaving = 0.5;  /* seconds that a batch may take */

typedef struct Hand {
  Breeder *breeder;
  uint32_t number;
  double begun; /* when the card was last asked, 0: it is not */
  /* of its thread: */
  Hatchery *hatchery;
  uint64_t *rows; /* of a batch */
  uint32_t *moves;
} Hand;

struct Breeder {
  bool started, holds, quit; /* as all below at the lock, but for what is */
  bool thinking, failed;     /* a thread's */
  bool fresh;                /* nothing was made since thinking began */
  bool blind;                /* ends are nobody's concern */
  const Cones *cones;        /* until they were asked for */
  PoolPlace *place;
  const uint64_t *keys;     /* of the book, until the thread has copied them, */
  const Features *features; /* and these, or NULL */
  uint32_t fluents, roles, words;
  size_t room;    /* children */
  Nest *nest;     /* what follows is there if the nest is */
  uint32_t queue; /* requests that may wait, */
  uint64_t *rows; /* in a ring, */
  uint32_t *moves;
  uint64_t head, count;     /* its first request; how many there are, */
  uint64_t urgent;          /* of which so many at the head */
  _Atomic uint64_t *recent; /* what was asked lately, by its hash; at no lock
                               while thinking, */
  atomic_uint_fast64_t repeated; /* and how often it was again; */
  atomic_bool furnished;         /* that is there */
  atomic_bool scarce; /* broods were forgotten since thinking began */
  float *weights;     /* by role and fluent */
  bool weighed;       /* they are new */
  BreederReport report;
  Text why;
  double patience; /* seconds that the card may take */
  char said[80];
  Hand hands[HANDS];
  uint32_t hand_count; /* that there may be */
  uint32_t others;     /* hands that have a thread of their own */
  uint32_t hatching;   /* hands that are at a batch */
  bool turning;        /* one waits until it can turn the nest, or does */
  uint32_t batch;      /* requests that a batch may have */
  uint32_t needed;     /* room for its children, about */
  /* of the first hand: */
  uint64_t *own_keys;
  uint16_t *attacks; /* for the hatchery; NULL: not known */
  uint32_t nodes;    /* of a half of the nest, at most */
  float *own_weights;
};

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

static void lock(const Breeder *breeder) {
  pthread_mutex_lock(&locks[breeder - breeders]);
}

static void unlock(const Breeder *breeder) {
  pthread_mutex_unlock(&locks[breeder - breeders]);
}

static void lock_nest(const Breeder *breeder) {
  pthread_mutex_lock(&nest_locks[breeder - breeders]);
}

static void unlock_nest(const Breeder *breeder) {
  pthread_mutex_unlock(&nest_locks[breeder - breeders]);
}

static void signal_all(const Breeder *breeder) {
  pthread_cond_broadcast(&signals[breeder - breeders]);
}

static void wait_for_signal(const Breeder *breeder) {
  ptrdiff_t at = breeder - breeders;
  pthread_cond_wait(&signals[at], &locks[at]);
}

static void wait_for(const Breeder *breeder, double seconds) {
  ptrdiff_t at = breeder - breeders;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  long more = until.tv_nsec + (long)(seconds * 1e9);
  until.tv_sec += more / 1000000000;
  until.tv_nsec = more % 1000000000;
  pthread_cond_timedwait(&signals[at], &locks[at], &until);
}

/* ---- hands; they have the lock wherever nothing else is said ---- */

/* The card is asked, or the nest emptied, between these two, without the lock.
 */
static void turn_to_card(Hand *hand) {
  hand->begun = clock_now();
  unlock(hand->breeder);
}

static void return_from_card(Hand *hand) {
  lock(hand->breeder);
  hand->begun = 0;
}

static void fail(Breeder *breeder, const char *why) {
  if (!breeder->failed) text_add(&breeder->why, why);
  breeder->failed = true;
}

static bool take_place(Breeder *breeder) {
  if (pool_refused(breeder->place, &breeder->why)) breeder->failed = true;
  breeder->holds = !breeder->failed && pool_gpu(breeder->place);
  return breeder->holds;
}

/* Each half of the nest has room for a batch. Returns false if the system has
   no such range of addresses. */
static bool make_nest(Breeder *breeder) {
  size_t children = breeder->room / 2;
  uint32_t most = hatchery_most(breeder->hands[0].hatchery);
  if (children < most) children = most;
  if (children > UINT32_MAX / 2) children = UINT32_MAX / 2;
  breeder->nodes = (uint32_t)(children / CHILDREN);
  breeder->nest = nest_new(breeder->nodes, (uint32_t)children);
  return breeder->nest;
}

static void equip(Hand *hand) {
  size_t words = hand->breeder->words;
  hand->rows = memory_new(REQUESTS * words * sizeof *hand->rows);
  hand->moves = memory_new(REQUESTS * sizeof *hand->moves);
}

static void furnish(Breeder *breeder) {
  size_t weights = (size_t)breeder->roles * breeder->fluents;
  equip(&breeder->hands[0]);
  breeder->rows = memory_new((size_t)breeder->queue * breeder->words *
                             sizeof *breeder->rows);
  breeder->moves = memory_new(breeder->queue * sizeof *breeder->moves);
  breeder->recent = memory_new(RECENT * sizeof *breeder->recent);
  breeder->weights = memory_new(weights * sizeof *breeder->weights);
  breeder->own_weights = memory_new(weights * sizeof *breeder->own_weights);
  breeder->batch = FIRST;
  breeder->needed = hatchery_most(breeder->hands[0].hatchery);
  atomic_store_explicit(&breeder->furnished, true, memory_order_release);
}

/* A batch must fit into the memory. */
static uint32_t room_of_level(const Breeder *breeder) {
  enum { LEVELS = 16, FEW = 64, MOST = 1 << 16 };
  size_t room = breeder->room / LEVELS;
  return room >= MOST ? 0 : room < FEW ? FEW : (uint32_t)room;
}

static void *help(void *argument);

/* Several hands have a batch each, so memory must not be short. */
static void start_hands(Breeder *breeder) {
  size_t most = (size_t)BATCHES * hatchery_most(breeder->hands[0].hatchery);
  if (nest_room(breeder->nest) < most) return;
  for (uint32_t i = 1; i < breeder->hand_count; i++)
    if (thread_detach(THREAD_STACK, help, &breeder->hands[i]))
      breeder->others++;
}

static void open_hatchery(Breeder *breeder) {
  Hand *hand = &breeder->hands[0];
  Gpu *gpu = pool_gpu(breeder->place);
  HatcheryOptions options = breeder->attacks ? attacking : whole;
  options.attacks = breeder->attacks;
  options.blind = breeder->blind;
  options.room = room_of_level(breeder);
  Text why = {0};
  turn_to_card(hand);
  Hatchery *hatchery = hatchery_new(gpu, breeder->own_keys, &options, &why);
  return_from_card(hand);
  hand->hatchery = hatchery;
  if (!hatchery) {
    fail(breeder, text_string(&why));
  } else if (!make_nest(breeder)) {
    fail(breeder, "there is no memory for what the card makes");
  } else {
    furnish(breeder);
    start_hands(breeder);
  }
  text_free(&why);
}

/* Goes on in the other half of the nest, whose broods are forgotten. `inside`
   is 1 for a hand that is at a batch. Returns false if another one is about to
   do that. */
static bool turn(Hand *hand, uint32_t nodes, uint32_t inside) {
  Breeder *breeder = hand->breeder;
  uint32_t most = breeder->nodes;
  if (breeder->turning) return false;
  breeder->turning = true;
  while (breeder->hatching > inside) wait_for_signal(breeder);
  turn_to_card(hand);
  nest_turn(breeder->nest, nodes < most / 4 ? 4 * nodes : most);
  return_from_card(hand);
  breeder->turning = false;
  signal_all(breeder);
  return true;
}

/* What was made for the last thinking is kept, what was before is not: it was
   made again if it was needed. So memory that was used once is used again,
   where fresh pages would take the thread half of its time. */
static void renew(Hand *hand) {
  Breeder *breeder = hand->breeder;
  uint32_t recent = nest_recent(breeder->nest);
  if (recent && !turn(hand, recent, 0)) return;
  breeder->fresh = false;
  signal_all(breeder);
}

/* Makes room for a batch of so many children; the nodes of one may go to the
   last quarter. Returns false if the nest was turned, so that things may have
   changed meanwhile, or will be. */
static bool make_room(Hand *hand, uint32_t children, uint32_t inside) {
  Breeder *breeder = hand->breeder;
  lock_nest(breeder);
  uint32_t nodes = nest_nodes(breeder->nest);
  uint32_t recent = nest_recent(breeder->nest);
  bool full = nest_room(breeder->nest) < children;
  unlock_nest(breeder);
  if (!full && recent <= nodes / 4 * 3) return true;
  if (full || nodes == breeder->nodes)
    atomic_store_explicit(&breeder->scarce, true, memory_order_relaxed);
  turn(hand, recent, inside);
  return false;
}

/* What is urgent has a batch of its own. */
static uint32_t take_requests(Hand *hand) {
  Breeder *breeder = hand->breeder;
  uint32_t count = 0, words = breeder->words;
  uint64_t most = breeder->urgent ? breeder->urgent : breeder->count;
  if (most > breeder->batch) most = breeder->batch;
  for (; count < most; count++) {
    uint64_t at = breeder->head;
    breeder->head = (at + 1) % breeder->queue;
    memcpy(hand->rows + (size_t)count * words, breeder->rows + at * words,
           words * sizeof *breeder->rows);
    hand->moves[count] = breeder->moves[at];
  }
  breeder->count -= count;
  if (breeder->urgent) breeder->urgent -= count;
  return count;
}

static void learn_size(Breeder *breeder, uint32_t count, bool full,
                       uint32_t children) {
  uint32_t most = hatchery_most(breeder->hands[0].hatchery);
  uint32_t needed = children < most / 2 ? 2 * children : most;
  uint32_t before = breeder->needed - breeder->needed / 8;
  breeder->needed = needed > before ? needed : before;
  if (full && breeder->batch > 1)
    breeder->batch /= 2;
  else if (count == breeder->batch && breeder->batch < REQUESTS &&
           children < most / 4)
    breeder->batch *= 2;
}

/* Returns false if there is no room, or the card fails. `end` is as in
   nest_add. */
static bool take(Hand *hand, const Hatched *part, const HatchChild **end) {
  Breeder *breeder = hand->breeder;
  lock_nest(breeder);
  HatchChild *room = nest_reserve(breeder->nest, part->children_count);
  unlock_nest(breeder);
  if (!room) return false;
  turn_to_card(hand);
  bool fine = hatchery_take(hand->hatchery, room);
  if (fine) {
    lock_nest(breeder);
    nest_add(breeder->nest, part, room, *end ? *end : room);
    unlock_nest(breeder);
  }
  return_from_card(hand);
  *end = room + part->children_count;
  if (!fine) fail(breeder, hatchery_error(hand->hatchery));
  breeder->report.nodes = nest_count(breeder->nest);
  return fine;
}

/* The first part of a batch. Returns false if the card fails. */
static bool begin_batch(Hand *hand, uint32_t count, Hatched *hatched) {
  Breeder *breeder = hand->breeder;
  bool weighed = breeder->weighed && !hand->number;
  if (weighed) {
    memcpy(breeder->own_weights, breeder->weights,
           (size_t)breeder->roles * breeder->fluents *
               sizeof *breeder->weights);
    breeder->weighed = false;
  }
  turn_to_card(hand);
  bool fine = !weighed || hatchery_weigh(hand->hatchery, breeder->own_weights);
  fine = fine && hatchery_hatch(hand->hatchery, hand->rows, hand->moves, count,
                                hatched);
  return_from_card(hand);
  return fine;
}

static bool go_on(Hand *hand, Hatched *hatched) {
  turn_to_card(hand);
  bool fine = hatchery_go_on(hand->hatchery, hatched);
  return_from_card(hand);
  return fine;
}

static bool wanted(const Breeder *breeder) {
  return breeder->thinking && !breeder->quit && !breeder->failed;
}

/* Each part can be found before the next one is made: what is needed first is
   in the first. For that there is always room if there is one hand. */
static void make_batch(Hand *hand, uint32_t count) {
  Breeder *breeder = hand->breeder;
  Hatched part = {0};
  uint32_t children = 0;
  bool full = false;
  const HatchChild *end = NULL;
  bool fine = begin_batch(hand, count, &part);
  breeder->report.batches++;
  if (fine) make_room(hand, part.children_count, 1);
  while (fine && part.nodes_count && wanted(breeder)) {
    full |= part.full;
    children += part.children_count;
    if (!take(hand, &part, &end)) break;
    fine = go_on(hand, &part);
  }
  if (!fine) fail(breeder, hatchery_error(hand->hatchery));
  if (!wanted(breeder)) return;
  learn_size(breeder, count, full, children);
  breeder->report.made += count;
}

static void hatch(Hand *hand) {
  Breeder *breeder = hand->breeder;
  if (!make_room(hand, breeder->needed, 0)) return;
  uint32_t count = take_requests(hand);
  breeder->hatching++;
  make_batch(hand, count);
  breeder->hatching--;
  if (breeder->turning) signal_all(breeder);
}

/* Returns true if there is something to make for this hand. */
static bool has_work(const Hand *hand) {
  const Breeder *breeder = hand->breeder;
  return !breeder->turning && !breeder->fresh &&
         (breeder->urgent || (breeder->count && hand->number < PATIENT));
}

static void step(Hand *hand) {
  Breeder *breeder = hand->breeder;
  if (!breeder->thinking || breeder->failed)
    wait_for_signal(breeder);
  else if (!breeder->holds && !take_place(breeder))
    wait_for(breeder, glance);
  else if (!hand->hatchery)
    open_hatchery(breeder);
  else if (breeder->fresh && breeder->count && !hand->number)
    renew(hand);
  else if (has_work(hand))
    hatch(hand);
  else
    wait_for_signal(breeder);
}

static void disarm(Hand *hand) {
  if (hand->hatchery) hatchery_delete(hand->hatchery);
  memory_delete(hand->rows);
  memory_delete(hand->moves);
  *hand = (Hand){.breeder = hand->breeder, .number = hand->number};
}

/* A hand with a thread of its own. If the card has no memory for it, it is not
   needed. */
static void *help(void *argument) {
  Hand *hand = argument;
  Breeder *breeder = hand->breeder;
  Text why = {0};
  thread_wake_promptly();
  equip(hand);
  lock(breeder);
  turn_to_card(hand);
  hand->hatchery = hatchery_twin(breeder->hands[0].hatchery, &why);
  return_from_card(hand);
  while (hand->hatchery && !breeder->quit) step(hand);
  unlock(breeder);
  text_free(&why);
  disarm(hand);
  lock(breeder);
  breeder->others--;
  signal_all(breeder);
  unlock(breeder);
  return NULL;
}

static void empty(Breeder *breeder) {
  if (breeder->nest) nest_delete(breeder->nest);
  memory_delete(breeder->own_keys);
  memory_delete(breeder->attacks);
  memory_delete(breeder->recent);
  memory_delete(breeder->rows);
  memory_delete(breeder->moves);
  memory_delete(breeder->weights);
  memory_delete(breeder->own_weights);
  text_free(&breeder->why);
  *breeder = (Breeder){0};
}

static void give_back(const Breeder *breeder) {
  atomic_store(&taken[breeder - breeders], false);
}

/* What is needed of the book, which is there as long as nobody quits. */
static void copy_book(Breeder *breeder) {
  size_t size = breeder->fluents * sizeof *breeder->own_keys;
  breeder->own_keys = memory_new(size);
  memcpy(breeder->own_keys, breeder->keys, size);
  if (breeder->features) breeder->attacks = attacks_new(breeder->features);
}

static void *work(void *argument) {
  Breeder *breeder = argument;
  thread_wake_promptly();
  lock(breeder);
  if (!breeder->quit) copy_book(breeder);
  while (!breeder->quit) step(&breeder->hands[0]);
  while (breeder->others) wait_for_signal(breeder);
  unlock(breeder);
  disarm(&breeder->hands[0]);
  if (breeder->holds) pool_leave(breeder->place);
  lock(breeder);
  empty(breeder);
  signal_all(breeder);
  unlock(breeder);
  give_back(breeder);
  return NULL;
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
  breeder->started = thread_detach(THREAD_STACK, work, breeder);
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
  lock(breeder);
  if (!breeder->place && !breeder->failed) ask_for_card(breeder);
  if (breeder->nest) {
    memset(breeder->recent, 0, RECENT * sizeof *breeder->recent);
    breeder->head = breeder->count = breeder->urgent = 0;
    atomic_store(&breeder->scarce, false);
    weigh(breeder, evaluation);
    breeder->fresh = true;
  }
  breeder->thinking = true;
  signal_all(breeder);
  unlock(breeder);
}

void breeder_end(Breeder *breeder) {
  lock(breeder);
  if (breeder->thinking) atomic_fetch_sub(&active, 1);
  breeder->thinking = false;
  breeder->head = breeder->count = breeder->urgent = 0;
  signal_all(breeder);
  unlock(breeder);
}

const Nest *breeder_nest(Breeder *breeder) {
  lock(breeder);
  const Nest *nest = breeder->thinking ? breeder->nest : NULL;
  unlock(breeder);
  return nest;
}

/* Returns true if that was asked lately. Threads that search the same nodes ask
   for the same. */
static bool is_repeated(Breeder *breeder, uint64_t hash) {
  if (!atomic_load_explicit(&breeder->furnished, memory_order_acquire))
    return false;
  _Atomic uint64_t *slot = &breeder->recent[hash % RECENT];
  if (atomic_load_explicit(slot, memory_order_relaxed) != hash) {
    atomic_store_explicit(slot, hash, memory_order_relaxed);
    return false;
  }
  atomic_fetch_add_explicit(&breeder->repeated, 1, memory_order_relaxed);
  return true;
}

/* Returns the number of a new place in the ring. */
static uint64_t find_place(Breeder *breeder, bool first) {
  uint32_t queue = breeder->queue;
  if (!first) return (breeder->head + breeder->count++) % queue;
  breeder->head = (breeder->head + queue - 1) % queue;
  if (breeder->count < queue)
    breeder->count++;
  else
    breeder->report.dropped++;
  if (breeder->urgent < queue) breeder->urgent++;
  return breeder->head;
}

static void push(Breeder *breeder, const uint64_t *state, uint32_t move,
                 bool first) {
  BreederReport *report = &breeder->report;
  uint32_t words = breeder->words;
  lock(breeder);
  if (!breeder->nest || !breeder->thinking || breeder->failed ||
      (!first && breeder->count == breeder->queue)) {
    report->dropped++;
  } else {
    report->asked++;
    uint64_t at = find_place(breeder, first);
    memcpy(breeder->rows + at * words, state, words * sizeof *state);
    breeder->moves[at] = move;
    if (first ? breeder->urgent == 1 : breeder->count == 1) signal_all(breeder);
  }
  unlock(breeder);
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
  lock(breeder);
  BreederReport report = breeder->report;
  report.repeated = atomic_load(&breeder->repeated);
  report.hands = breeder->started ? 1 + breeder->others : 0;
  unlock(breeder);
  return report;
}

bool breeder_alive(Breeder *breeder) {
  lock(breeder);
  bool alive = !breeder->failed;
  unlock(breeder);
  return alive;
}

/* Returns how many seconds ago a hand turned to the card that waits still. */
static double asked_since(const Breeder *breeder) {
  double now = clock_now(), most = 0;
  for (uint32_t i = 0; i < HANDS; i++) {
    double begun = breeder->hands[i].begun;
    if (begun > 0 && now - begun > most) most = now - begun;
  }
  return most;
}

/* A card that does not answer may do so later: it is not given up. */
const char *breeder_trouble(Breeder *breeder) {
  const char *trouble = NULL;
  lock(breeder);
  if (breeder->failed && breeder->why.length) {
    trouble = text_string(&breeder->why);
  } else if (asked_since(breeder) > breeder->patience) {
    snprintf(breeder->said, sizeof breeder->said,
             "the card has not answered for %g s", breeder->patience);
    trouble = breeder->said;
  }
  unlock(breeder);
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
  return threads >= MANY || !excess(threads + 1, thread_processors()) ? HANDS
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
  lock(breeder);
  *breeder =
      (Breeder){.cones = cones,
                .keys = book->zobrist,
                .features = features,
                .blind = !ends,
                .fluents = book->net.fluents.count,
                .roles = book->net.role_count,
                .words = book->words,
                .room = memory / 8 * 7 / (CHILD_BYTES + NODE_BYTES / CHILDREN),
                .queue = queue_of(book->words, memory),
                .patience = settings->gpuwait,
                .hand_count = count_hands((uint32_t)settings->threads)};
  for (uint32_t i = 0; i < HANDS; i++)
    breeder->hands[i] = (Hand){.breeder = breeder, .number = i};
  unlock(breeder);
  return breeder;
}

/* What the thread does not hold is left here: the pool may still be reading the
   programs, and stops then. The thread has a moment to end: the driver may be
   gone before it if the process ends. */
void breeder_delete(Breeder *breeder) {
  PoolPlace *left = NULL;
  breeder_end(breeder);
  lock(breeder);
  breeder->quit = true;
  if (!breeder->holds) {
    left = breeder->place;
    breeder->place = NULL;
  }
  bool started = breeder->started;
  signal_all(breeder);
  unlock(breeder);
  if (left) pool_leave(left);
  double until = clock_now() + leaving;
  lock(breeder);
  while (started && breeder->quit && clock_now() < until)
    wait_for(breeder, until - clock_now());
  if (!started) *breeder = (Breeder){0};
  unlock(breeder);
  if (!started) give_back(breeder);
}
