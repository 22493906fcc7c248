/* The hands of a breeder make its batches. The first one is the breeder's
   thread; the others are threads that make batches beside its own, each on a
   stream of the card, since a batch is a chain of small launches, and copies
   between them. What is urgent is made in batches of its own, and some hands
   make nothing else. They add to the nest in turn; whoever turns it waits until
   no other is at a batch.

   What a hand needs is allocated by its thread, so that it belongs to nobody's
   trial. */
#include "base/clock.h"
#include "base/thread.h"
#include "minimax/attacks.h"
#include "minimax/breeder_parts.h"

enum {
  REQUESTS = 1 << 10, /* of a batch */
  FIRST = 64,         /* of the first one */
  PATIENT = 1,        /* hands that make what is not urgent, too */
  BATCHES = 4 /* that a half of the nest has room for, if there are several */
};

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

/* ---- hands; they have the lock wherever nothing else is said ---- */

/* The card is asked, or the nest emptied, between these two, without the lock.
 */
static void turn_to_card(Hand *hand) {
  hand->begun = clock_now();
  breeder_unlock(hand->breeder);
}

static void return_from_card(Hand *hand) {
  breeder_lock(hand->breeder);
  hand->begun = 0;
}

/* The same, after a stage of a batch that began then. */
static void return_after(Hand *hand, BreederStage stage, double begun) {
  double now = clock_now();
  return_from_card(hand);
  hand->breeder->report.seconds[stage] += now - begun;
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
  breeder->nodes = (uint32_t)(children / BREEDER_CHILDREN);
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
  requests_init(&breeder->requests, breeder->queue, breeder->words);
  breeder->recent = memory_new(BREEDER_RECENT * sizeof *breeder->recent);
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
  while (breeder->hatching > inside) breeder_wait(breeder);
  turn_to_card(hand);
  nest_turn(breeder->nest, nodes < most / 4 ? 4 * nodes : most);
  return_from_card(hand);
  breeder->turning = false;
  breeder_signal(breeder);
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
  breeder_signal(breeder);
}

/* Makes room for a batch of so many children; the nodes of one may go to the
   last quarter. Returns false if the nest was turned, so that things may have
   changed meanwhile, or will be. */
static bool make_room(Hand *hand, uint32_t children, uint32_t inside) {
  Breeder *breeder = hand->breeder;
  breeder_lock_nest(breeder);
  uint32_t nodes = nest_nodes(breeder->nest);
  uint32_t recent = nest_recent(breeder->nest);
  bool full = nest_room(breeder->nest) < children;
  breeder_unlock_nest(breeder);
  if (!full && recent <= nodes / 4 * 3) return true;
  if (full || nodes == breeder->nodes)
    atomic_store_explicit(&breeder->scarce, true, memory_order_relaxed);
  turn(hand, recent, inside);
  return false;
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
  breeder_lock_nest(breeder);
  HatchChild *room = nest_reserve(breeder->nest, part->children_count);
  breeder_unlock_nest(breeder);
  if (!room) return false;
  turn_to_card(hand);
  double begun = hand->begun;
  bool fine = hatchery_take(hand->hatchery, room);
  double fetched = clock_now();
  if (fine) {
    breeder_lock_nest(breeder);
    nest_add(breeder->nest, part, room, *end ? *end : room);
    breeder_unlock_nest(breeder);
  }
  return_after(hand, BREEDER_ADD, fetched);
  breeder->report.seconds[BREEDER_FETCH] += fetched - begun;
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
  double begun = hand->begun;
  bool fine = !weighed || hatchery_weigh(hand->hatchery, breeder->own_weights);
  fine = fine && hatchery_hatch(hand->hatchery, hand->rows, hand->moves, count,
                                hatched);
  return_after(hand, BREEDER_FIRST, begun);
  return fine;
}

static bool go_on(Hand *hand, Hatched *hatched) {
  turn_to_card(hand);
  double begun = hand->begun;
  bool fine = hatchery_go_on(hand->hatchery, hatched);
  return_after(hand, BREEDER_REST, begun);
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
  breeder->report.children += children;
}

static void hatch(Hand *hand) {
  Breeder *breeder = hand->breeder;
  if (!make_room(hand, breeder->needed, 0)) return;
  uint32_t count = requests_take(&breeder->requests, breeder->batch, hand->rows,
                                 hand->moves);
  breeder->hatching++;
  make_batch(hand, count);
  breeder->hatching--;
  if (breeder->turning) breeder_signal(breeder);
}

/* Returns true if there is something to make for this hand. */
static bool has_work(const Hand *hand) {
  const Breeder *breeder = hand->breeder;
  return !breeder->turning && !breeder->fresh &&
         (breeder->requests.urgent ||
          (breeder->requests.count && hand->number < PATIENT));
}

static void step(Hand *hand) {
  Breeder *breeder = hand->breeder;
  if (!breeder->thinking || breeder->failed)
    breeder_wait(breeder);
  else if (!breeder->holds && !take_place(breeder))
    breeder_wait_for(breeder, glance);
  else if (!hand->hatchery)
    open_hatchery(breeder);
  else if (breeder->fresh && breeder->requests.count && !hand->number)
    renew(hand);
  else if (has_work(hand))
    hatch(hand);
  else
    breeder_wait(breeder);
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
  breeder_lock(breeder);
  turn_to_card(hand);
  hand->hatchery = hatchery_twin(breeder->hands[0].hatchery, &why);
  return_from_card(hand);
  while (hand->hatchery && !breeder->quit) step(hand);
  breeder_unlock(breeder);
  text_free(&why);
  disarm(hand);
  breeder_lock(breeder);
  breeder->others--;
  breeder_signal(breeder);
  breeder_unlock(breeder);
  return NULL;
}

static void empty(Breeder *breeder) {
  if (breeder->nest) nest_delete(breeder->nest);
  memory_delete(breeder->own_keys);
  memory_delete(breeder->attacks);
  memory_delete(breeder->recent);
  requests_free(&breeder->requests);
  memory_delete(breeder->weights);
  memory_delete(breeder->own_weights);
  text_free(&breeder->why);
  *breeder = (Breeder){0};
}

/* What is needed of the book, which is there as long as nobody quits. */
static void copy_book(Breeder *breeder) {
  size_t size = breeder->fluents * sizeof *breeder->own_keys;
  breeder->own_keys = memory_new(size);
  memcpy(breeder->own_keys, breeder->keys, size);
  if (breeder->features) breeder->attacks = attacks_new(breeder->features);
}

void *breeder_hand_work(void *argument) {
  Breeder *breeder = argument;
  thread_wake_promptly();
  breeder_lock(breeder);
  if (!breeder->quit) copy_book(breeder);
  while (!breeder->quit) step(&breeder->hands[0]);
  while (breeder->others) breeder_wait(breeder);
  breeder_unlock(breeder);
  disarm(&breeder->hands[0]);
  if (breeder->holds) pool_leave(breeder->place);
  breeder_lock(breeder);
  empty(breeder);
  breeder_signal(breeder);
  breeder_unlock(breeder);
  breeder_give_back(breeder);
  return NULL;
}
