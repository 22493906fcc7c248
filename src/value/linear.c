#include "value/linear.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"

/* ---- features ---- */

static uint32_t add_feature(Linear *linear, FeatureClass class, uint32_t first,
                            uint32_t second) {
  vector_push(&linear->features, ((LinearFeature){class, first, second}));
  return linear->features.count;
}

/* Counters advance whatever is played, so they say nothing; clocks of few
   values say whose turn it is. */
static void find_fluents(Linear *linear) {
  const Analysis *analysis = linear->analysis;
  uint32_t count = analysis->net->fluents.count;
  bool *counts = memory_new(count * sizeof *counts);
  for (uint32_t c = 0; c < analysis->changes.counters.count; c++) {
    const Counter *counter = &analysis->changes.counters.data[c];
    if (counter->cyclic && counter->count <= linear->evaluation.role_count)
      continue;
    for (uint32_t i = 0; i < counter->count; i++)
      counts[analysis->changes.order.data[counter->first + i]] = true;
  }
  for (uint32_t f = 0; f < count; f++)
    if (!counts[f])
      linear->of_fluent[f] = add_feature(linear, FEATURE_FLUENT, f, 0);
  memory_delete(counts);
}

/* Fluents of a board with the same contents are of one kind. */
static void find_kinds(Linear *linear) {
  const Analysis *analysis = linear->analysis;
  const Terms *terms = &analysis->description->rules.terms;
  Map by_key = {0};
  VECTOR(uint64_t) keys = {0};
  NumberVector features = {0};
  for (uint32_t b = 0; b < analysis->places.boards.count; b++) {
    const Board *board = &analysis->places.boards.data[b];
    for (uint32_t f = 0; f < analysis->net->fluents.count; f++) {
      Term term = analysis->net->fluents.data[f].term;
      if (!linear->of_fluent[f] || term_symbol(terms, term) != board->functor ||
          term_arity(terms, term) != board->arity)
        continue;
      uint64_t key = b;
      for (uint32_t a = 0; a < board->arity; a++)
        if (board->piece >> a & 1)
          key = hash_pair(key, term_argument(terms, term, a));
      MapCursor at;
      uint32_t found = map_first(&by_key, key, &at);
      while (found && keys.data[found - 1] != key)
        found = map_next(&by_key, &at);
      if (!found) {
        uint32_t feature = add_feature(linear, FEATURE_KIND, f, 0);
        vector_push(&keys, key);
        vector_push(&features, feature);
        found = keys.count;
        map_insert(&by_key, &at, found);
      }
      linear->kind_of[f] = features.data[found - 1];
    }
  }
  map_free(&by_key);
  vector_free(&keys);
  vector_free(&features);
}

/* ---- states ---- */

void linear_active(const Linear *linear, const uint64_t *state,
                   const uint32_t *legal, LinearActives *actives) {
  (void)legal;
  vector_clear(actives);
  for (uint32_t w = 0; w < linear->evaluation.words; w++)
    for (uint64_t set = state[w]; set; set &= set - 1) {
      uint32_t fluent = w * 64 + (uint32_t)__builtin_ctzll(set);
      if (linear->of_fluent[fluent])
        vector_push(actives,
                    ((LinearActive){linear->of_fluent[fluent] - 1, 1}));
      if (linear->kind_of[fluent])
        vector_push(actives, ((LinearActive){linear->kind_of[fluent] - 1, 1}));
    }
}

static void add_weights(const Linear *linear, uint32_t fluent, int32_t sign,
                        int32_t *sums) {
  const int32_t *frozen = linear->frozen + (size_t)fluent * linear->rows;
  for (uint32_t row = 0; row < linear->rows; row++)
    sums[row] += sign * frozen[row];
}

static void update(const Evaluation *evaluation, const uint64_t *from,
                   const uint64_t *to, int32_t *sums) {
  const Linear *linear = (const Linear *)evaluation;
  for (uint32_t w = 0; w < evaluation->words; w++) {
    uint64_t changed = (from ? from[w] : 0) ^ to[w];
    for (; changed; changed &= changed - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(changed);
      add_weights(linear, w * 64 + bit, to[w] >> bit & 1 ? 1 : -1, sums);
    }
  }
}

static void begin(const Evaluation *evaluation, const uint64_t *state,
                  int32_t *sums) {
  memset(sums, 0, evaluation->sum_count * sizeof *sums);
  update(evaluation, NULL, state, sums);
}

static void values(const Evaluation *evaluation, const uint64_t *state,
                   const int32_t *sums, const uint32_t *legal, float *values) {
  const Linear *linear = (const Linear *)evaluation;
  (void)state, (void)legal;
  for (uint32_t row = 0; row < linear->rows; row++) {
    int least = linear->least[row], most = linear->most[row];
    float share = 1 / (1 + expf(-(float)sums[row] / LINEAR_UNIT));
    values[row] = (float)least + (float)(most - least) * share;
  }
  if (linear->rows < evaluation->role_count)
    values[1] = (float)linear->sum - values[0];
}

/* ---- weights ---- */

void linear_freeze(Linear *linear) {
  for (uint32_t f = 0; f < linear->analysis->net->fluents.count; f++)
    for (uint32_t row = 0; row < linear->rows; row++) {
      const float *weights = linear_row(linear, row);
      float sum = 0;
      if (linear->of_fluent[f]) sum += weights[linear->of_fluent[f] - 1];
      if (linear->kind_of[f]) sum += weights[linear->kind_of[f] - 1];
      linear->frozen[(size_t)f * linear->rows + row] =
          (int32_t)lrintf(sum * LINEAR_UNIT);
    }
}

static void write(const Evaluation *evaluation, Text *text) {
  const Linear *linear = (const Linear *)evaluation;
  const Terms *terms = &linear->analysis->description->rules.terms;
  for (uint32_t i = 0; i < linear->features.count; i++) {
    const LinearFeature *feature = &linear->features.data[i];
    if (linear->weights[i] == 0) continue;
    text_format(text, "%8.3f %s ", (double)linear->weights[i],
                feature->class == FEATURE_KIND ? "all like" : "");
    term_write(terms, linear->analysis->net->fluents.data[feature->first].term,
               text);
    text_add(text, "\n");
  }
}

static void delete (Evaluation *evaluation) {
  Linear *linear = (Linear *)evaluation;
  vector_free(&linear->features);
  memory_delete(linear->of_fluent);
  memory_delete(linear->kind_of);
  memory_delete(linear->weights);
  memory_delete(linear->frozen);
  memory_delete(linear->least);
  memory_delete(linear);
}

static const EvaluationOperations operations = {.name = "linear",
                                                .delete = delete,
                                                .begin = begin,
                                                .update = update,
                                                .values = values,
                                                .write = write};

Linear *linear_new(Book *book) {
  const Analysis *analysis = book_analysis(book);
  if (!analysis) return NULL;
  const Net *net = analysis->net;
  Linear *linear = memory_new(sizeof *linear);
  uint32_t roles = net->role_count;
  linear->analysis = analysis;
  linear->rows = roles == 2 && analysis->constant_sum ? 1 : roles;
  linear->sum = analysis->sum;
  linear->least = memory_new(2 * (size_t)roles * sizeof *linear->least);
  linear->most = linear->least + roles;
  for (uint32_t r = 0; r < roles; r++) {
    linear->least[r] = analysis->goals[r].least;
    linear->most[r] = analysis->goals[r].most;
  }
  linear->evaluation = (Evaluation){.operations = &operations,
                                    .role_count = roles,
                                    .words = book->words,
                                    .sum_count = linear->rows};
  linear->of_fluent = memory_new(net->fluents.count * sizeof(uint32_t));
  linear->kind_of = memory_new(net->fluents.count * sizeof(uint32_t));
  find_fluents(linear);
  find_kinds(linear);
  linear->weights = memory_new((size_t)linear->rows * linear->features.count *
                               sizeof *linear->weights);
  linear->frozen = memory_new((size_t)linear->rows * net->fluents.count *
                              sizeof *linear->frozen);
  return linear;
}
