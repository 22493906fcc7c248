/* Threads that play out leaves, each with an Outwork of its own. Pieces of
   states that the search has left come back empty. */
#include "base/clock.h"
#include "base/thread.h"
#include "cluster/hand_parts.h"

typedef struct Finger {
  Hand *hand;
  uint32_t number;
  pthread_t thread;
  uint32_t scored; /* scores that its Outwork has */
  AllyResult result;
  VECTOR(uint64_t) states; /* aligned */
  Text message;
} Finger;

/* Of the thread that is next to get one. */
static void make_outwork(void *context) {
  const uint64_t far = 0x9e3779b97f4a7c15u; /* seeds of ranks are near */
  Hand *hand = context;
  uint64_t seed = hand->job.seed + hand->outworks.count * far;
  hand->made = outwork_new(&hand->book, &hand->settings, seed);
}

static void keep_outwork(Hand *hand) {
  if (hand->made) vector_push(&hand->outworks, hand->made);
  hand->made = NULL;
}

void hand_prepare_leaf(Hand *hand) {
  make_outwork(hand);
  keep_outwork(hand);
}

/* Where there is no memory for all threads, fewer work. */
void hand_share_leaf(Hand *hand) {
  size_t limit = hand->job.limits.ground.memory;
  while (hand->outworks.count < hand->job.threads &&
         trial_run(limit, make_outwork, hand) && hand->made)
    keep_outwork(hand);
  hand->made = NULL;
}

uint32_t hand_lanes(const Hand *hand) {
  const Cones *cones = hand->book.cones;
  return cones ? 64 * cones->mode.words : 1;
}

/* Waits for a piece; returns false at the end. */
static bool next_piece(Finger *finger, Text *piece, uint32_t *epoch) {
  Hand *hand = finger->hand;
  pthread_mutex_lock(&hand->lock);
  while (!hand->ending && hand->first == hand->in.count)
    pthread_cond_wait(&hand->changed, &hand->lock);
  bool there = !hand->ending;
  if (there) {
    *piece = hand->in.data[hand->first++];
    *epoch = hand->epoch;
    if (hand->first == hand->in.count) {
      vector_clear(&hand->in);
      hand->first = 0;
    }
    if (hand->scored != finger->scored &&
        hand->scores.count >= hand->book.net.moves.count)
      outwork_score(hand->outworks.data[finger->number], hand->scores.data);
    finger->scored = hand->scored;
  }
  pthread_mutex_unlock(&hand->lock);
  return there;
}

static void play(Finger *finger, const Piece *piece, Outcome *outcome) {
  Hand *hand = finger->hand;
  uint32_t words = piece->leaves * piece->words;
  vector_resize(&finger->states, words);
  memcpy(finger->states.data, piece->states, words * sizeof(uint64_t));
  const AllyTask task = {.number = piece->number,
                         .leaves = piece->leaves,
                         .repeat = piece->repeat,
                         .words = piece->words,
                         .states = finger->states.data};
  double start = clock_now();
  outwork_play(hand->outworks.data[finger->number], &task, &finger->result);
  outcome->seconds = clock_now() - start;
  outcome->leaves = piece->leaves;
}

static void finish(Finger *finger, const Text *message, uint32_t epoch) {
  Hand *hand = finger->hand;
  Piece piece;
  bool fine = talk_read_piece(message, &piece);
  Outcome outcome = {
      .epoch = piece.epoch, .number = piece.number, .first = piece.first};
  static const AllyResult nothing;
  if (fine && piece.epoch == epoch && piece.words == hand->book.words)
    play(finger, &piece, &outcome);
  talk_write_result(&finger->message, &outcome,
                    outcome.leaves ? &finger->result : &nothing,
                    hand->book.net.role_count);
  hand_say(hand, &finger->message);
}

static void *work(void *context) {
  Finger *finger = context;
  Text piece = {0};
  uint32_t epoch;
  while (next_piece(finger, &piece, &epoch)) {
    finish(finger, &piece, epoch);
    text_free(&piece);
  }
  ally_free_result(&finger->result);
  vector_free(&finger->states);
  text_free(&finger->message);
  return NULL;
}

/* The hand's own thread is the first finger. */
void hand_work_leaf(Hand *hand) {
  uint32_t count = hand->outworks.count;
  Finger *fingers = memory_new(count * sizeof *fingers);
  for (uint32_t i = 0; i < count; i++)
    fingers[i] = (Finger){.hand = hand, .number = i};
  uint32_t started = 1;
  while (started < count && thread_start(&fingers[started].thread, THREAD_STACK,
                                         work, &fingers[started]))
    started++;
  work(&fingers[0]);
  for (uint32_t i = 1; i < started; i++) pthread_join(fingers[i].thread, NULL);
  memory_delete(fingers);
}

void hand_free_leaf(Hand *hand) {
  for (uint32_t i = 0; i < hand->outworks.count; i++)
    outwork_delete(hand->outworks.data[i]);
  vector_free(&hand->outworks);
}
