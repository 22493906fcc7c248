/* A search of the same state as the master's. It keeps what its tree has of the
   state from before. */
#include "cluster/hand_parts.h"
#include "search/roots.h"

static const double forever = 1e9; /* seconds */

void hand_prepare_root(Hand *hand) {
  hand->search =
      search_new(&hand->book, hand->job.role, &hand->settings, hand->job.seed);
}

/* ---- following the master ---- */

static bool stays(Hand *hand, const Stand *stand) {
  const uint64_t *words;
  uint32_t count = game_state(search_game(hand->search), &words);
  return hand->at &&
         memcmp(words, stand->state.data, count * sizeof *words) == 0;
}

/* What others told of the last state is of no use at another. */
static void leave(Hand *hand) {
  pthread_mutex_lock(&hand->lock);
  sums_clear(&hand->joined);
  pthread_mutex_unlock(&hand->lock);
}

/* Returns false if there is nothing to think about. */
static bool go(Hand *hand, const Stand *stand) {
  if (stand->state.count != hand->book.words) return false;
  if (stays(hand, stand)) {
    hand->at = stand->epoch;
    return !game_terminal(search_game(hand->search));
  }
  leave(hand);
  search_enter_state(hand->search, stand->state.data, stand->state.count,
                     stand->depth);
  hand->at = stand->epoch;
  return !game_terminal(search_game(hand->search));
}

/* ---- thinking ---- */

static void tell(Hand *hand) {
  RootSums sums = {0};
  Text message = {0};
  roots_take(hand->search, &sums);
  sums_sort(&sums);
  talk_write_roots(&message, hand->at, &sums);
  hand_say(hand, &message);
  sums_free(&sums);
}

/* What others found since they were last heard of. */
static void join(Hand *hand) {
  RootSums news = {0};
  pthread_mutex_lock(&hand->lock);
  if (hand->others_new && hand->epoch == hand->at) {
    sums_add(&news, &hand->others);
    sums_subtract(&news, &hand->joined);
    sums_clear(&hand->joined);
    sums_add(&hand->joined, &hand->others);
    hand->others_new = false;
  }
  pthread_mutex_unlock(&hand->lock);
  if (news.actions.count) roots_join(hand->search, &news);
  sums_free(&news);
}

static void watch(void *context) {
  Hand *hand = context;
  tell(hand);
  join(hand);
}

static void think(Hand *hand) {
  const Budget budget = {
      .seconds = forever, .stop = &hand->stop, .watch = watch, .context = hand};
  search_think(hand->search, &budget);
  tell(hand);
}

/* Waits for a state to think about, or for the end; returns false then. */
static bool next_stand(Hand *hand, bool over, Stand *stand, bool *fresh) {
  pthread_mutex_lock(&hand->lock);
  while (!hand->ending && !hand->stand_new &&
         (hand->resting || over || !hand->at))
    pthread_cond_wait(&hand->changed, &hand->lock);
  bool there = !hand->ending;
  *fresh = there && hand->stand_new;
  if (*fresh) {
    *stand = hand->stand;
    hand->stand = (Stand){0};
    hand->stand_new = false;
  }
  if (there) atomic_store(&hand->stop, false);
  pthread_mutex_unlock(&hand->lock);
  return there;
}

/* `over`: there is nothing more to find about the current state. */
void hand_work_root(Hand *hand) {
  Stand stand = {0};
  bool over = false, fresh;
  while (next_stand(hand, over, &stand, &fresh)) {
    over = fresh && !go(hand, &stand);
    talk_free_stand(&stand);
    if (over) continue;
    think(hand);
    over = !atomic_load(&hand->stop);
  }
}

void hand_free_root(Hand *hand) {
  if (hand->search) search_delete(hand->search);
}
