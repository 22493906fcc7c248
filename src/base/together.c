#include "base/together.h"

#include "base/memory.h"
#include "base/thread.h"

typedef struct Hand Hand;

typedef struct Together {
  TrialWork *work;
  char *items;
  size_t size;
  uint32_t count;
  atomic_uint next;   /* item that nobody has taken */
  const Hand **taken; /* by item: who took it, or NULL */
} Together;

struct Hand {
  Together *together;
  TrialHelper helper;
  pthread_t thread;
  bool started;
};

static void take_items(void *context) {
  Hand *hand = context;
  Together *together = hand->together;
  uint32_t item;
  while ((item = atomic_fetch_add(&together->next, 1)) < together->count) {
    together->taken[item] = hand;
    together->work(together->items + item * together->size);
  }
}

static void *run_hand(void *context) {
  Hand *hand = context;
  trial_help(&hand->helper, take_items, hand);
  return NULL;
}

/* The calling thread is the first hand. */
static void run_hands(Together *together, Hand *hands, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    hands[i].together = together;
    trial_helper_init(&hands[i].helper, count);
    trial_helper_bind(&hands[i].helper);
  }
  for (uint32_t i = 1; i < count; i++)
    hands[i].started =
        thread_start(&hands[i].thread, THREAD_STACK, run_hand, &hands[i]);
  run_hand(&hands[0]);
  for (uint32_t i = 1; i < count; i++)
    if (hands[i].started) pthread_join(hands[i].thread, NULL);
  for (uint32_t i = 0; i < count; i++)
    (hands[i].helper.failed ? trial_drop : trial_join)(&hands[i].helper);
}

/* With a hand that failed, everything that it had made is lost. */
static void run_missing(const Together *together) {
  trial_check();
  for (uint32_t i = 0; i < together->count; i++)
    if (!together->taken[i] || together->taken[i]->helper.failed)
      together->work(together->items + i * together->size);
}

void together_run(TrialWork *work, void *items, size_t size, uint32_t count) {
  Together together = {
      .work = work, .items = items, .size = size, .count = count};
  uint32_t hands = thread_processors();
  if (hands > count) hands = count;
  if (hands <= 1) {
    for (uint32_t i = 0; i < count; i++) work((char *)items + i * size);
    return;
  }
  together.taken = memory_new(count * sizeof *together.taken);
  Hand *list = memory_new(hands * sizeof *list);
  run_hands(&together, list, hands);
  run_missing(&together);
  memory_delete(list);
  memory_delete(together.taken);
}
