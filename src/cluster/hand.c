#include "cluster/hand.h"

#include <unistd.h>

#include "base/thread.h"
#include "cluster/hand_parts.h"

enum { NICE = 5 }; /* the rank's own thread comes first: it must be heard of */

static void lock(Hand *hand) {
  pthread_mutex_lock(&hand->lock);
}

static void unlock(Hand *hand) {
  pthread_mutex_unlock(&hand->lock);
}

void hand_say(Hand *hand, Text *message) {
  uint64_t one = 1;
  lock(hand);
  vector_push(&hand->out, *message);
  unlock(hand);
  *message = (Text){0};
  if (write(hand->file, &one, sizeof one) < 0) { /* it is known already */
  }
}

/* ---- preparation ---- */

static void prepare(void *context) {
  Hand *hand = context;
  description_init(&hand->description, "rules", text_string(&hand->job.rules),
                   hand->job.rules.length);
  if (!description_valid(&hand->description)) return;
  book_init(&hand->book, &hand->description, &hand->job.limits, true);
  if (!hand->book.has_net || hand->job.role >= hand->book.net.role_count)
    return;
  if (hand->job.scheme == SCHEME_LEAF)
    hand_prepare_leaf(hand);
  else
    hand_prepare_root(hand);
}

static bool is_prepared(const Hand *hand) {
  return hand->outworks.count || hand->search;
}

static void explain(const Hand *hand, Text *why) {
  const char *reason = text_string(&hand->book.why[BOOK_NET]);
  if (*reason)
    text_add_bytes(why, reason, strnlen(reason, TALK_WORD));
  else
    text_add(why, hand->book.has_net ? "the game has no programs for playouts"
                                     : "the rules cannot be read");
}

static bool prepare_within(Hand *hand) {
  Ready ready = {.threads = hand->job.threads};
  Text message = {0};
  if (!trial_run(hand->job.limits.ground.memory, prepare, hand)) {
    hand->description = (Description){0};
    hand->book = (Book){0};
    hand->search = NULL;
    memset(&hand->outworks, 0, sizeof hand->outworks);
    hand->made = NULL;
    text_add(&ready.why, "out of memory");
  } else if (!is_prepared(hand)) {
    explain(hand, &ready.why);
  } else {
    if (hand->outworks.count) hand_share_leaf(hand);
    if (hand->outworks.count) ready.threads = hand->outworks.count;
    ready.print = talk_print(&hand->book);
    ready.lanes = hand_lanes(hand);
  }
  talk_write_ready(&message, &ready);
  hand_say(hand, &message);
  text_free(&ready.why);
  return ready.print;
}

static void *run(void *context) {
  Hand *hand = context;
  thread_be_nice(NICE);
  if (!prepare_within(hand)) return NULL;
  if (hand->job.scheme == SCHEME_LEAF)
    hand_work_leaf(hand);
  else
    hand_work_root(hand);
  return NULL;
}

/* ---- life ---- */

static bool read_job(Hand *hand, const Text *message) {
  Text error = {0};
  if (!talk_read_job(message, &hand->job)) return false;
  bool fine =
      settings_parse(&hand->settings, text_string(&hand->job.settings), &error);
  text_free(&error);
  if (!hand->job.threads) hand->job.threads = 1;
  hand->settings.threads = hand->job.threads;
  return fine;
}

static void discard(Hand *hand) {
  hand_free_leaf(hand);
  hand_free_root(hand);
  book_free(&hand->book);
  description_free(&hand->description);
  talk_free_job(&hand->job);
  talk_free_stand(&hand->stand);
  for (uint32_t i = hand->first; i < hand->in.count; i++)
    text_free(&hand->in.data[i]);
  vector_free(&hand->in);
  text_vector_free(&hand->out);
  vector_free(&hand->scores);
  sums_free(&hand->others);
  sums_free(&hand->joined);
  pthread_mutex_destroy(&hand->lock);
  pthread_cond_destroy(&hand->changed);
  memory_delete(hand);
}

Hand *hand_new(const Text *job, int file) {
  Hand *hand = memory_new(sizeof *hand);
  hand->file = file;
  pthread_mutex_init(&hand->lock, NULL);
  pthread_cond_init(&hand->changed, NULL);
  if (read_job(hand, job) &&
      thread_start(&hand->thread, THREAD_STACK, run, hand))
    return hand;
  discard(hand);
  return NULL;
}

void hand_delete(Hand *hand) {
  lock(hand);
  hand->ending = true;
  atomic_store(&hand->stop, true);
  pthread_cond_broadcast(&hand->changed);
  unlock(hand);
  pthread_join(hand->thread, NULL);
  discard(hand);
}

/* ---- messages; with the lock held ---- */

static void hear_stand(Hand *hand, const Text *message) {
  Stand stand;
  if (!talk_read_stand(message, &stand)) return;
  talk_free_stand(&hand->stand);
  hand->stand = stand;
  hand->epoch = stand.epoch;
  hand->stand_new = true;
  hand->resting = false;
  sums_clear(&hand->others);
  hand->others_new = false;
  atomic_store(&hand->stop, true);
}

static void hear_scores(Hand *hand, const Text *message) {
  uint32_t count = (uint32_t)(message->length / sizeof(double));
  vector_resize(&hand->scores, count);
  if (talk_read_scores(message, count, hand->scores.data)) hand->scored++;
}

static void hear_roots(Hand *hand, const Text *message) {
  RootSums sums = {0};
  uint32_t epoch;
  if (talk_read_roots(message, UINT32_MAX, &epoch, &sums) &&
      epoch == hand->epoch) {
    sums_free(&hand->others);
    hand->others = sums;
    hand->others_new = true;
  } else {
    sums_free(&sums);
  }
}

void hand_tell(Hand *hand, Text *message) {
  lock(hand);
  switch (talk_kind(message)) {
  case TALK_TASK:
    vector_push(&hand->in, *message);
    *message = (Text){0};
    break;
  case TALK_STAND: hear_stand(hand, message); break;
  case TALK_SCORES: hear_scores(hand, message); break;
  case TALK_ROOTS: hear_roots(hand, message); break;
  case TALK_REST:
    hand->resting = true;
    atomic_store(&hand->stop, true);
    break;
  default: break;
  }
  pthread_cond_broadcast(&hand->changed);
  unlock(hand);
  text_free(message);
}

bool hand_take(Hand *hand, Text *message) {
  lock(hand);
  bool there = hand->out.count;
  if (there) {
    text_free(message);
    *message = hand->out.data[0];
    hand->out.count--;
    memmove(hand->out.data, hand->out.data + 1,
            hand->out.count * sizeof *hand->out.data);
  }
  unlock(hand);
  return there;
}
