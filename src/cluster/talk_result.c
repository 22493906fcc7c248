/* What was found: of a piece, for each leaf its playouts, steps and sums by
   role, perhaps the highest returns, and the moves of first playouts; then what
   is not by leaf. An array that may be missing is preceded by whether it is
   there. */
#include <math.h>

#include "cluster/talk.h"

/* ---- results ---- */

static void put_head(Text *message, const Outcome *outcome) {
  talk_begin(message, TALK_RESULT);
  wire_put_number(message, outcome->epoch);
  wire_put_number(message, outcome->number);
  wire_put_number(message, outcome->first);
  wire_put_number(message, outcome->leaves);
  wire_put_real(message, outcome->seconds);
}

static WireReader get_head(const Text *message, Outcome *outcome) {
  WireReader reader = wire_reader(message->bytes, message->length);
  if (wire_number(&reader) != TALK_RESULT) reader.bad = true;
  outcome->epoch = wire_number(&reader);
  outcome->number = wire_number(&reader);
  outcome->first = wire_number(&reader);
  outcome->leaves = wire_number(&reader);
  outcome->seconds = wire_real(&reader);
  return reader;
}

void talk_write_result(Text *message, const Outcome *outcome,
                       const AllyResult *result, uint32_t roles) {
  size_t leaves = outcome->leaves;
  put_head(message, outcome);
  wire_put_array(message, result->playouts.data, leaves, sizeof(uint32_t));
  wire_put_array(message, result->steps.data, leaves, sizeof(uint32_t));
  wire_put_array(message, result->sums.data, leaves * roles, sizeof(double));
  wire_put_number(message, result->highest.count != 0);
  if (result->highest.count)
    wire_put_array(message, result->highest.data, leaves * roles,
                   sizeof(double));
  wire_put_number(message, result->ends.count != 0);
  if (result->ends.count) {
    wire_put_array(message, result->ends.data, leaves, sizeof(uint32_t));
    wire_put_array(message, result->tails.data, result->tails.count,
                   sizeof(uint32_t));
  }
  wire_put_number(message, result->credit.count);
  for (uint32_t i = 0; i < result->credit.count; i++) {
    wire_put_number(message, result->credit.data[i].move);
    wire_put_real(message, result->credit.data[i].playouts);
    wire_put_real(message, result->credit.data[i].total);
  }
  wire_put_long(message, result->states);
  wire_put_long(message, result->cut_off);
}

bool talk_read_outcome(const Text *message, Outcome *outcome) {
  return !get_head(message, outcome).bad;
}

static void get_numbers(WireReader *reader, uint32_t count,
                        NumberVector *numbers) {
  const char *bytes = wire_array(reader, count, sizeof(uint32_t));
  uint32_t before = numbers->count;
  if (!bytes || !count) return;
  vector_resize(numbers, before + count);
  memcpy(numbers->data + before, bytes, count * sizeof(uint32_t));
}

/* `data` has room for them. */
static void get_reals(WireReader *reader, const char *bytes, uint32_t count,
                      double *data) {
  memcpy(data, bytes, count * sizeof *data);
  for (uint32_t i = 0; i < count; i++)
    if (!isfinite(data[i])) reader->bad = true;
}

#define GET_REALS(reader, number, vector) \
  do { \
    const char *bytes = wire_array(reader, number, sizeof(double)); \
    uint32_t before = (vector)->count; \
    if (!bytes || !(number)) break; \
    vector_resize(vector, before + (number)); \
    get_reals(reader, bytes, number, (vector)->data + before); \
  } while (0)

/* Ends of leaves in `tails` follow each other and begin where those of earlier
   pieces ended. */
static void get_tails(WireReader *reader, uint32_t leaves, uint32_t roles,
                      uint32_t moves, AllyResult *result) {
  uint32_t first = result->ends.count, base = result->tails.count, last = 0;
  get_numbers(reader, leaves, &result->ends);
  if (reader->bad) return;
  for (uint32_t i = first; i < result->ends.count; i++) {
    uint32_t end = result->ends.data[i];
    if (end < last || end % roles || end > UINT32_MAX - base)
      reader->bad = true;
    last = end;
    result->ends.data[i] += base;
  }
  if (reader->bad) return;
  get_numbers(reader, last, &result->tails);
  for (uint32_t i = base; i < result->tails.count; i++)
    if (result->tails.data[i] >= moves) reader->bad = true;
}

static void get_credit(WireReader *reader, uint32_t moves, AllyResult *result) {
  uint32_t count = wire_number(reader);
  if (count > moves) reader->bad = true;
  for (uint32_t i = 0; i < count && !reader->bad; i++) {
    AllyCredit credit = {.move = wire_number(reader)};
    credit.playouts = wire_real(reader);
    credit.total = wire_real(reader);
    if (credit.move >= moves) reader->bad = true;
    if (!reader->bad) vector_push(&result->credit, credit);
  }
}

bool talk_read_result(const Text *message, uint32_t roles, uint32_t moves,
                      AllyResult *result) {
  Outcome outcome;
  WireReader reader = get_head(message, &outcome);
  uint32_t leaves = outcome.leaves;
  if (!roles || leaves > TALK_LARGEST / sizeof(double) / roles) return false;
  uint32_t reals = leaves * roles;
  get_numbers(&reader, leaves, &result->playouts);
  get_numbers(&reader, leaves, &result->steps);
  GET_REALS(&reader, reals, &result->sums);
  uint32_t highest = wire_number(&reader);
  if (highest) GET_REALS(&reader, reals, &result->highest);
  uint32_t tails = wire_number(&reader);
  if (tails) get_tails(&reader, leaves, roles, moves, result);
  get_credit(&reader, moves, result);
  result->states += wire_long(&reader);
  result->cut_off += wire_long(&reader);
  result->leaves += leaves;
  return wire_finished(&reader) && highest < 2 && tails < 2;
}

/* ---- scores ---- */

void talk_write_scores(Text *message, const double *scores, uint32_t count) {
  talk_begin(message, TALK_SCORES);
  wire_put_array(message, scores, count, sizeof *scores);
}

bool talk_read_scores(const Text *message, uint32_t count, double *scores) {
  WireReader reader = wire_reader(message->bytes, message->length);
  if (wire_number(&reader) != TALK_SCORES) reader.bad = true;
  const char *bytes = wire_array(&reader, count, sizeof *scores);
  if (!wire_finished(&reader)) return false;
  if (count) get_reals(&reader, bytes, count, scores);
  return !reader.bad;
}

/* ---- roots ---- */

enum { ROOT_NONE = -1, ROOT_MOST = INT8_MAX }; /* of what is proved */

void talk_write_roots(Text *message, uint32_t epoch, const RootSums *sums) {
  talk_begin(message, TALK_ROOTS);
  wire_put_number(message, epoch);
  wire_put_long(message, sums->simulations);
  wire_put_long(message, sums->states);
  wire_put_number(message, sums->actions.count);
  for (uint32_t i = 0; i < sums->actions.count; i++) {
    const RootSum *sum = &sums->actions.data[i];
    wire_put_number(message, sum->move);
    wire_put_number(message, sum->visits);
    wire_put_real(message, sum->total);
    wire_put_array(message, &sum->exact, 1, sizeof sum->exact);
    wire_put_array(message, &sum->distance, 1, sizeof sum->distance);
  }
}

static void get_sum(WireReader *reader, uint32_t moves, RootSum *sum) {
  sum->move = wire_number(reader);
  sum->visits = wire_number(reader);
  sum->total = wire_real(reader);
  const char *proof = wire_array(reader, 2, sizeof(uint16_t));
  if (!proof) return;
  memcpy(&sum->exact, proof, sizeof sum->exact);
  memcpy(&sum->distance, proof + sizeof sum->exact, sizeof sum->distance);
  if (sum->move >= moves || sum->exact < ROOT_NONE || sum->exact > ROOT_MOST)
    reader->bad = true;
}

bool talk_read_roots(const Text *message, uint32_t moves, uint32_t *epoch,
                     RootSums *sums) {
  WireReader reader = wire_reader(message->bytes, message->length);
  if (wire_number(&reader) != TALK_ROOTS) reader.bad = true;
  *epoch = wire_number(&reader);
  vector_clear(&sums->actions);
  sums->simulations = wire_long(&reader);
  sums->states = wire_long(&reader);
  uint32_t count = wire_number(&reader);
  for (uint32_t i = 0; i < count && !reader.bad; i++) {
    RootSum sum = {0};
    get_sum(&reader, moves, &sum);
    if (!reader.bad) vector_push(&sums->actions, sum);
  }
  return wire_finished(&reader);
}
