/* Messages read back are those that were written; damaged ones are refused. */
#include "cluster/talk.h"

#include <math.h>

#include "base/random.h"
#include "cluster/channel.h"
#include "cluster/sums.h"
#include "support/unit.h"
#include <sys/socket.h>
#include <unistd.h>

/* ---- every kind, with something in every field ---- */

static void add(Text *text, const char *string) {
  text_add(text, string);
}

static void make_job(Job *job) {
  *job = (Job){.role = 1,
               .threads = 7,
               .seed = UINT64_MAX - 1,
               .scheme = SCHEME_RUNS,
               .merged = true,
               .limits = {.ground = {.seconds = 1.5, .memory = 1 << 30},
                          .net_seconds = 2.5,
                          .reduce_seconds = 3.5,
                          .prove_seconds = 4.5,
                          .rules = {.memory = 77, .seconds = 5.5}}};
  add(&job->rules, "(role x)");
  add(&job->settings, "tafl:c=30");
}

static void make_result(AllyResult *result, uint32_t leaves, uint32_t roles) {
  *result = (AllyResult){.leaves = leaves, .states = 1234, .cut_off = 3};
  for (uint32_t i = 0; i < leaves; i++) {
    vector_push(&result->playouts, 10 + i);
    vector_push(&result->steps, 100 + i);
    for (uint32_t k = 0; k < roles; k++) {
      vector_push(&result->sums, 0.25 * (i + k));
      vector_push(&result->highest, 50.0 + k);
    }
    for (uint32_t k = 0; k < roles * i; k++) vector_push(&result->tails, k);
    vector_push(&result->ends, result->tails.count);
  }
  AllyCredit credit = {.move = 4, .playouts = 8, .total = 400};
  vector_push(&result->credit, credit);
}

static void make_sums(RootSums *sums) {
  RootSum first = {.move = 2, .visits = 30, .total = 900, .exact = -1};
  RootSum second = {
      .move = 5, .visits = 7, .total = 70, .exact = 100, .distance = 9};
  *sums = (RootSums){.simulations = 37, .states = 512};
  vector_push(&sums->actions, first);
  vector_push(&sums->actions, second);
}

enum { WORDS = 3, LEAVES = 5, ROLES = 2, MOVES = 12 };

static const uint64_t leaf_states[LEAVES * WORDS] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

/* Writes one message of each kind; returns how many. */
static uint32_t write_all(Text *messages) {
  uint32_t n = 0;
  Hello hello = {.ranks = 4};
  add(&hello.version, "1.0");
  add(&hello.token, "secret");
  add(&hello.host, "nodea");
  talk_write_hello(&messages[n++], &hello);
  talk_free_hello(&hello);
  Status status = {.ranks = 4,
                   .hosts = 2,
                   .ready = 3,
                   .threads = 9,
                   .failed = 1,
                   .complete = true,
                   .wanted = 77,
                   .silent = 2,
                   .silence = 0.5,
                   .pieces = 5,
                   .leaves = 6,
                   .busy = 0.125};
  add(&status.host, "nodeb");
  talk_write_status(&messages[n++], &status);
  text_free(&status.host);
  Job job;
  make_job(&job);
  talk_write_job(&messages[n++], &job);
  talk_free_job(&job);
  Mate mate = {.pid = 44, .processors = 8};
  add(&mate.host, "nodec");
  talk_write_mate(&messages[n++], &mate);
  text_free(&mate.host);
  Ready ready = {.print = 99, .threads = 3};
  add(&ready.why, "because");
  talk_write_ready(&messages[n++], &ready);
  text_free(&ready.why);
  Stand stand = {.epoch = 8, .depth = 12, .horizon = 1.5};
  vector_push(&stand.state, 0x123456789abcdefu);
  vector_push(&stand.state, 1);
  talk_write_stand(&messages[n++], &stand);
  talk_free_stand(&stand);
  const Piece piece = {.epoch = 8,
                       .number = 5,
                       .first = 10,
                       .leaves = LEAVES,
                       .repeat = 16,
                       .words = WORDS,
                       .states = (const char *)leaf_states};
  talk_write_piece(&messages[n++], &piece);
  const Outcome outcome = {
      .epoch = 8, .number = 5, .first = 10, .leaves = LEAVES, .seconds = 0.25};
  AllyResult result;
  make_result(&result, LEAVES, ROLES);
  talk_write_result(&messages[n++], &outcome, &result, ROLES);
  ally_free_result(&result);
  const double scores[MOVES] = {1, 2, 3};
  talk_write_scores(&messages[n++], scores, MOVES);
  RootSums sums;
  make_sums(&sums);
  talk_write_roots(&messages[n++], 8, &sums);
  sums_free(&sums);
  talk_write(&messages[n++], TALK_NOTE, "a line");
  talk_write_long(&messages[n++], TALK_NET, 12345);
  return n;
}

enum { KINDS = 16 };

/* Reads it as what its kind says; frees what was read. */
static bool reads(const Text *message) {
  bool fine = false;
  switch (talk_kind(message)) {
  case TALK_HELLO: {
    Hello hello;
    if ((fine = talk_read_hello(message, &hello))) talk_free_hello(&hello);
    break;
  }
  case TALK_STATUS: {
    Status status;
    if ((fine = talk_read_status(message, &status))) text_free(&status.host);
    break;
  }
  case TALK_JOB: {
    Job job;
    if ((fine = talk_read_job(message, &job))) talk_free_job(&job);
    break;
  }
  case TALK_MATE: {
    Mate mate;
    if ((fine = talk_read_mate(message, &mate))) text_free(&mate.host);
    break;
  }
  case TALK_READY: {
    Ready ready;
    if ((fine = talk_read_ready(message, &ready))) text_free(&ready.why);
    break;
  }
  case TALK_STAND: {
    Stand stand;
    if ((fine = talk_read_stand(message, &stand))) talk_free_stand(&stand);
    break;
  }
  case TALK_TASK: {
    Piece piece;
    fine = talk_read_piece(message, &piece);
    break;
  }
  case TALK_RESULT: {
    AllyResult result = {0};
    fine = talk_read_result(message, ROLES, MOVES, &result);
    ally_free_result(&result);
    break;
  }
  case TALK_SCORES: {
    double scores[MOVES];
    fine = talk_read_scores(message, MOVES, scores);
    break;
  }
  case TALK_ROOTS: {
    RootSums sums = {0};
    uint32_t epoch;
    fine = talk_read_roots(message, MOVES, &epoch, &sums);
    sums_free(&sums);
    break;
  }
  case TALK_NOTE: {
    Text text = {0};
    fine = talk_read_text(message, &text);
    text_free(&text);
    break;
  }
  case TALK_NET: {
    uint64_t number;
    fine = talk_read_long(message, &number);
    break;
  }
  default: break;
  }
  return fine;
}

/* ---- checks ---- */

static void test_back(void **state) {
  Text messages[KINDS] = {0};
  uint32_t count = write_all(messages);
  (void)state;
  for (uint32_t i = 0; i < count; i++) assert_true(reads(&messages[i]));
  Status status;
  assert_true(talk_read_status(&messages[1], &status));
  assert_int_equal(status.ranks, 4);
  assert_int_equal(status.wanted, 77);
  assert_true(status.complete && status.silence == 0.5);
  assert_string_equal(text_string(&status.host), "nodeb");
  text_free(&status.host);
  Job job, wanted;
  make_job(&wanted);
  assert_true(talk_read_job(&messages[2], &job));
  assert_string_equal(job.rules.bytes, wanted.rules.bytes);
  assert_string_equal(job.settings.bytes, wanted.settings.bytes);
  assert_true(job.seed == wanted.seed && job.merged && job.threads == 7);
  assert_int_equal(job.scheme, SCHEME_RUNS);
  assert_memory_equal(&job.limits, &wanted.limits, sizeof job.limits);
  talk_free_job(&job);
  talk_free_job(&wanted);
  Stand stand;
  assert_true(talk_read_stand(&messages[5], &stand));
  assert_int_equal(stand.state.count, 2);
  assert_true(stand.state.data[0] == 0x123456789abcdefu);
  assert_int_equal(stand.depth, 12);
  talk_free_stand(&stand);
  Piece piece;
  assert_true(talk_read_piece(&messages[6], &piece));
  assert_int_equal(messages[6].length, talk_piece_size(LEAVES, WORDS));
  assert_memory_equal(piece.states, leaf_states, sizeof leaf_states);
  for (uint32_t i = 0; i < count; i++) text_free(&messages[i]);
}

/* Pieces of one task follow each other in one result. */
static void test_pieces(void **state) {
  AllyResult parts[2], whole = {0};
  Text message = {0};
  (void)state;
  for (uint32_t i = 0; i < 2; i++) {
    const Outcome outcome = {.leaves = LEAVES + i};
    make_result(&parts[i], LEAVES + i, ROLES);
    talk_write_result(&message, &outcome, &parts[i], ROLES);
    assert_true(talk_read_result(&message, ROLES, MOVES, &whole));
  }
  assert_int_equal(whole.leaves, 2 * LEAVES + 1);
  assert_int_equal(whole.sums.count, ROLES * whole.leaves);
  assert_int_equal(whole.ends.count, whole.leaves);
  uint32_t first = parts[0].tails.count;
  assert_int_equal(whole.tails.count, first + parts[1].tails.count);
  assert_int_equal(whole.ends.data[LEAVES + 2], first + parts[1].ends.data[2]);
  assert_memory_equal(whole.tails.data + first, parts[1].tails.data,
                      parts[1].tails.count * sizeof(uint32_t));
  assert_int_equal(whole.credit.count, 2);
  assert_int_equal(whole.states, 2 * 1234);
  for (int i = 0; i < 2; i++) ally_free_result(&parts[i]);
  ally_free_result(&whole);
  text_free(&message);
}

/* Whatever is cut off or added is refused. */
static void test_cut(void **state) {
  Text messages[KINDS] = {0};
  uint32_t count = write_all(messages);
  (void)state;
  for (uint32_t i = 0; i < count; i++) {
    Text part = {0};
    for (size_t length = 0; length < messages[i].length; length++) {
      text_clear(&part);
      text_add_bytes(&part, messages[i].bytes, length);
      assert_false(reads(&part));
    }
    text_clear(&part);
    text_add_bytes(&part, messages[i].bytes, messages[i].length);
    text_add_byte(&part, 0);
    assert_false(reads(&part));
    text_free(&part);
    text_free(&messages[i]);
  }
}

/* Bytes that are wrong may make another message, but nothing worse; moves and
   numbers that nobody may use are refused. */
static void test_damage(void **state) {
  Text messages[KINDS] = {0};
  uint32_t count = write_all(messages), refused = 0;
  Random random;
  (void)state;
  random_seed(&random, 1);
  for (uint32_t i = 0; i < 20000; i++) {
    Text *message = &messages[random_below(&random, count)];
    size_t place = random_below(&random, (uint32_t)message->length);
    char before = message->bytes[place];
    message->bytes[place] = (char)random_next(&random);
    refused += !reads(message);
    message->bytes[place] = before;
  }
  assert_true(refused > 1000);
  for (uint32_t i = 0; i < count; i++) text_free(&messages[i]);
}

static void test_refused(void **state) {
  Text message = {0};
  AllyResult result, read = {0};
  const Outcome outcome = {.leaves = LEAVES};
  (void)state;
  make_result(&result, LEAVES, ROLES);
  result.sums.data[3] = NAN;
  talk_write_result(&message, &outcome, &result, ROLES);
  assert_false(talk_read_result(&message, ROLES, MOVES, &read));
  result.sums.data[3] = 1;
  result.tails.data[2] = MOVES;
  talk_write_result(&message, &outcome, &result, ROLES);
  assert_false(talk_read_result(&message, ROLES, MOVES, &read));
  result.tails.data[2] = 0;
  result.credit.data[0].move = MOVES;
  talk_write_result(&message, &outcome, &result, ROLES);
  assert_false(talk_read_result(&message, ROLES, MOVES, &read));
  result.credit.data[0].move = 0;
  talk_write_result(&message, &outcome, &result, ROLES);
  assert_true(talk_read_result(&message, ROLES, MOVES, &read));
  assert_false(talk_read_result(&message, ROLES + 1, MOVES, &read));
  ally_free_result(&result);
  ally_free_result(&read);
  text_free(&message);
}

/* ---- channels ---- */

static void open_pair(Channel *first, Channel *second, size_t most) {
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends),
                   0);
  channel_open(first, ends[0], most);
  channel_open(second, ends[1], most);
}

static void test_channel(void **state) {
  Channel first, second;
  Text message = {0}, got = {0};
  uint32_t sent = 0, received = 0;
  (void)state;
  open_pair(&first, &second, 1 << 24);
  for (uint32_t size = 0; size < 3000000; size = size * 3 + 1) {
    text_clear(&message);
    for (uint32_t i = 0; i < size; i++)
      text_add_byte(&message, (char)(i ^ size));
    channel_send(&first, &message);
    sent++;
  }
  for (uint32_t size = 0; received < sent;) {
    assert_true(channel_move(&first));
    assert_true(channel_move(&second));
    while (channel_take(&second, &got)) {
      assert_int_equal(got.length, size);
      for (uint32_t i = 0; i < size; i++)
        if (got.bytes[i] != (char)(i ^ size)) fail_msg("byte %u differs", i);
      size = size * 3 + 1;
      received++;
    }
  }
  assert_int_equal(channel_unsent(&first), 0);
  channel_close(&first);
  assert_false(channel_move(&second));
  channel_close(&second);
  text_free(&message);
  text_free(&got);
}

/* What is too large is refused before it is there. */
static void test_large(void **state) {
  Channel first, second;
  Text message = {0}, got = {0};
  (void)state;
  open_pair(&first, &second, 100);
  for (int i = 0; i < 101; i++) text_add_byte(&message, 'x');
  channel_send(&first, &message);
  assert_true(channel_move(&first));
  assert_false(channel_move(&second));
  assert_false(channel_take(&second, &got));
  channel_close(&first);
  channel_close(&second);
  text_free(&message);
  text_free(&got);
}

/* ---- sums ---- */

static void test_sums(void **state) {
  RootSums first, second, all = {0};
  (void)state;
  make_sums(&first);
  make_sums(&second);
  second.actions.data[0].move = 1;
  sums_add(&all, &first);
  sums_add(&all, &second);
  assert_int_equal(all.actions.count, 3);
  assert_int_equal(all.actions.data[0].move, 1);
  assert_int_equal(all.actions.data[2].visits, 14);
  assert_int_equal(all.actions.data[2].exact, 100);
  assert_int_equal(all.simulations, 74);
  sums_subtract(&all, &first);
  assert_int_equal(all.actions.count, 2); /* move 2 has no news */
  assert_int_equal(all.actions.data[0].move, 1);
  assert_int_equal(all.actions.data[1].visits, 7);
  assert_true(all.actions.data[1].total == 70);
  assert_int_equal(all.simulations, 37);
  sums_free(&first);
  sums_free(&second);
  sums_free(&all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_back),    cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_cut),     cmocka_unit_test(test_damage),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_channel),
      cmocka_unit_test(test_large),   cmocka_unit_test(test_sums),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
