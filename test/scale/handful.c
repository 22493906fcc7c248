#include "scale/handful.h"

#include <assert.h>

#include "cluster/deal.h"
#include "search/outwork.h"

static const double piece_seconds = 0.010; /* as cluster/deal.c has it */

/* A piece on its way to a hand. */
typedef struct Parcel {
  uint32_t hand;
  Text message;
} Parcel;

struct Handful {
  Ally ally;
  HandfulPlan plan;
  const Book *book;
  VECTOR(Outwork *) hands;
  Deal deal;
  /* Those that wait to be played; their states are the deal's. */
  VECTOR(AllyTask) tasks;
  VECTOR(Parcel) parcels;
  VECTOR(uint64_t) states; /* of a piece, aligned */
  AllyResult part;         /* its result */
  Text message;
};

static Handful *handful_of(Ally *ally) {
  return (Handful *)ally;
}

/* ---- pieces ---- */

static void deal_pieces(Handful *handful) {
  Parcel parcel = {0};
  while (deal_next(&handful->deal, &parcel.hand, &parcel.message)) {
    vector_push(&handful->parcels, parcel);
    parcel.message = (Text){0};
  }
  text_free(&parcel.message);
}

/* Appends what the hand found. */
static void play_piece(Handful *handful, const Parcel *parcel,
                       AllyResult *result) {
  const Net *net = &handful->book->net;
  Piece piece;
  bool fine = talk_read_piece(&parcel->message, &piece);
  assert(fine);
  uint32_t words = piece.leaves * piece.words;
  vector_resize(&handful->states, words);
  memcpy(handful->states.data, piece.states, words * sizeof(uint64_t));
  const AllyTask task = {.number = piece.number,
                         .leaves = piece.leaves,
                         .repeat = piece.repeat,
                         .words = piece.words,
                         .states = handful->states.data};
  outwork_play(handful->hands.data[parcel->hand], &task, &handful->part);
  double seconds = piece_seconds / handful->plan.leaves * piece.leaves;
  Outcome outcome = {.number = piece.number,
                     .first = piece.first,
                     .leaves = piece.leaves,
                     .seconds = seconds};
  talk_write_result(&handful->message, &outcome, &handful->part,
                    net->role_count);
  fine = talk_read_result(&handful->message, net->role_count, net->moves.count,
                          result);
  assert(fine);
  (void)fine;
  deal_done(&handful->deal, parcel->hand, piece.leaves, seconds);
}

static void clear_parcels(Handful *handful) {
  for (uint32_t i = 0; i < handful->parcels.count; i++)
    text_free(&handful->parcels.data[i].message);
  vector_clear(&handful->parcels);
}

/* Pieces come back in the order in which they were dealt. */
static void play_task(Handful *handful, AllyResult *result) {
  deal_pieces(handful);
  for (uint32_t i = 0; i < handful->parcels.count; i++) {
    Parcel parcel = handful->parcels.data[i];
    play_piece(handful, &parcel, result);
    deal_pieces(handful);
  }
  clear_parcels(handful);
}

/* ---- the ally ---- */

static void stand(Ally *ally, const AllyPosition *position) {
  Handful *handful = handful_of(ally);
  (void)position;
  deal_clear(&handful->deal);
  vector_clear(&handful->tasks);
}

static void rest(Ally *ally) {
  stand(ally, NULL);
}

static uint32_t room(Ally *ally) {
  const Handful *handful = handful_of(ally);
  return handful->tasks.count ? 0 : deal_wanted(&handful->deal);
}

static void play(Ally *ally, const AllyTask *task) {
  Handful *handful = handful_of(ally);
  Text message = {0};
  const Piece piece = {.number = task->number,
                       .leaves = task->leaves,
                       .repeat = task->repeat,
                       .words = task->words,
                       .states = (const char *)task->states};
  talk_write_piece(&message, &piece);
  deal_add(&handful->deal, &message);
  vector_push(&handful->tasks, *task);
}

static void clear_result(AllyResult *result) {
  ally_free_result(result);
  *result = (AllyResult){0};
}

static bool take(Ally *ally, AllyResult *result) {
  Handful *handful = handful_of(ally);
  if (!handful->tasks.count) return false;
  clear_result(result);
  result->number = handful->tasks.data[0].number;
  play_task(handful, result);
  assert(result->leaves == handful->tasks.data[0].leaves);
  vector_clear(&handful->tasks);
  return true;
}

static void score(Ally *ally, const double *scores, uint32_t count) {
  Handful *handful = handful_of(ally);
  if (!handful->plan.merged || count != handful->book->net.moves.count) return;
  for (uint32_t i = 0; i < handful->hands.count; i++)
    outwork_score(handful->hands.data[i], scores);
}

static bool roots(Ally *ally, RootSums *sums) {
  (void)ally;
  (void)sums;
  return false;
}

static void wait_for(Ally *ally, double seconds) {
  (void)ally;
  (void)seconds;
}

static void wake(Ally *ally) {
  (void)ally;
}

static const AllyOperations operations = {.stand = stand,
                                          .rest = rest,
                                          .room = room,
                                          .play = play,
                                          .take = take,
                                          .score = score,
                                          .roots = roots,
                                          .wait = wait_for,
                                          .wake = wake};

/* ---- life ---- */

Handful *handful_new(Book *book, const Settings *settings,
                     const HandfulPlan *plan) {
  const uint64_t far = 0x9e3779b97f4a7c15u; /* as cluster/hand_leaf.c has it */
  Handful *handful = memory_new(sizeof *handful);
  handful->ally.operations = &operations;
  handful->plan = *plan;
  handful->book = book;
  deal_init(&handful->deal, plan->hands);
  for (uint32_t i = 0; i < plan->hands; i++) {
    Outwork *hand = outwork_new(book, settings, plan->seed + i * far);
    if (!hand) {
      handful_delete(handful);
      return NULL;
    }
    vector_push(&handful->hands, hand);
    deal_enter(&handful->deal, i, 1, plan->leaves);
    deal_done(&handful->deal, i, plan->leaves, piece_seconds);
  }
  return handful;
}

void handful_delete(Handful *handful) {
  for (uint32_t i = 0; i < handful->hands.count; i++)
    outwork_delete(handful->hands.data[i]);
  clear_parcels(handful);
  deal_free(&handful->deal);
  ally_free_result(&handful->part);
  text_free(&handful->message);
  vector_free(&handful->hands);
  vector_free(&handful->tasks);
  vector_free(&handful->parcels);
  vector_free(&handful->states);
  memory_delete(handful);
}

Ally *handful_ally(Handful *handful) {
  return &handful->ally;
}
