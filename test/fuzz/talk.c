/* The readers of messages between master, foreman and workers on any bytes: as
   one message, and as what arrives at a socket. What is accepted must be the
   same message when it is written again. */
#include "cluster/talk.h"

#include <sys/socket.h>
#include <unistd.h>

#include "cluster/channel.h"
#include "cluster/deal.h"
#include "cluster/sums.h"
#include "fuzz/fuzz.h"

enum { ROLES = 2, MOVES = 12 };

static void check_same(const Text *message, Text *again, const char *what) {
  promise(message->length == again->length &&
              memcmp(message->bytes, again->bytes, again->length) == 0,
          what);
}

static void read_people(const Text *message, Text *again) {
  Hello hello;
  Status status;
  Mate mate;
  Ready ready;
  if (talk_read_hello(message, &hello)) {
    talk_write_hello(again, &hello);
    check_same(message, again, "a hello is the same");
    talk_free_hello(&hello);
  }
  if (talk_read_status(message, &status)) {
    talk_write_status(again, &status);
    check_same(message, again, "a status is the same");
    text_free(&status.host);
  }
  if (talk_read_mate(message, &mate)) {
    talk_write_mate(again, &mate);
    check_same(message, again, "a mate is the same");
    text_free(&mate.host);
  }
  if (talk_read_ready(message, &ready)) {
    talk_write_ready(again, &ready);
    check_same(message, again, "a ready is the same");
    text_free(&ready.why);
  }
}

static void read_work(const Text *message, Text *again) {
  Job job;
  Stand stand;
  Piece piece;
  if (talk_read_job(message, &job)) {
    talk_write_job(again, &job);
    check_same(message, again, "a job is the same");
    talk_free_job(&job);
  }
  if (talk_read_stand(message, &stand)) {
    talk_write_stand(again, &stand);
    check_same(message, again, "a state is the same");
    talk_free_stand(&stand);
  }
  if (talk_read_piece(message, &piece)) {
    talk_write_piece(again, &piece);
    check_same(message, again, "a piece is the same");
  }
}

static void check_result(const AllyResult *result) {
  uint32_t last = 0;
  promise(result->playouts.count == result->leaves &&
              result->sums.count == ROLES * result->leaves,
          "a result has all its leaves");
  for (uint32_t i = 0; i < result->ends.count; i++) {
    promise(result->ends.data[i] >= last &&
                result->ends.data[i] <= result->tails.count,
            "tails follow each other");
    last = result->ends.data[i];
  }
  for (uint32_t i = 0; i < result->tails.count; i++)
    promise(result->tails.data[i] < MOVES, "a tail has moves of the net");
}

static void read_findings(const Text *message, Text *again) {
  AllyResult result = {0};
  Outcome outcome;
  RootSums sums = {0};
  uint32_t epoch;
  double scores[MOVES];
  talk_read_outcome(message, &outcome);
  if (talk_read_result(message, ROLES, MOVES, &result)) check_result(&result);
  if (talk_read_roots(message, MOVES, &epoch, &sums)) {
    talk_write_roots(again, epoch, &sums);
    check_same(message, again, "roots are the same");
    sums_sort(&sums);
  }
  if (talk_read_scores(message, MOVES, scores)) {
    talk_write_scores(again, scores, MOVES);
    check_same(message, again, "scores are the same");
  }
  ally_free_result(&result);
  sums_free(&sums);
}

static void read_message(const Text *message) {
  Text again = {0}, line = {0};
  uint64_t number;
  promise(talk_kind(message) < TALK_KINDS, "a message is of a kind");
  read_people(message, &again);
  read_work(message, &again);
  read_findings(message, &again);
  talk_read_text(message, &line);
  talk_read_long(message, &number);
  text_free(&again);
  text_free(&line);
}

/* A task that is accepted is dealt completely. */
static void deal_message(const Text *message) {
  Deal deal;
  Text copy = {0}, part = {0};
  Piece whole, piece;
  uint32_t worker, dealt = 0;
  if (!talk_read_piece(message, &whole)) return;
  text_add_bytes(&copy, message->bytes, message->length);
  deal_init(&deal, 1);
  deal_enter(&deal, 0, 1, 64);
  promise(deal_add(&deal, &copy), "a task is taken");
  while (deal_next(&deal, &worker, &part)) {
    promise(talk_read_piece(&part, &piece), "what is dealt is a piece");
    dealt += piece.leaves;
    deal_done(&deal, worker, piece.leaves, 1e-3);
  }
  promise(dealt == whole.leaves, "all leaves are dealt");
  deal_free(&deal);
  text_free(&copy);
  text_free(&part);
}

static void read_stream(const char *bytes, size_t size) {
  Channel from, to;
  Text message = {0};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) return;
  channel_open(&from, ends[0], TALK_FIRST);
  channel_open(&to, ends[1], TALK_FIRST);
  text_add_bytes(&from.out, bytes, size);
  channel_move(&from);
  channel_move(&to);
  while (channel_take(&to, &message)) {
    promise(message.length <= TALK_FIRST, "nothing too large is taken");
    read_message(&message);
  }
  channel_close(&from);
  channel_close(&to);
  text_free(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text message = {0};
  text_add_bytes(&message, (const char *)data, size);
  read_message(&message);
  deal_message(&message);
  read_stream((const char *)data, size);
  text_free(&message);
  return 0;
}
