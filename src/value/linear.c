/* Everything that is fixed by the rules is made once: features, and by fluent
   the lists that updating needs. Freezing computes whole numbers from weights;
   they are clamped so that no sum overflows.

   Updating goes from fluent to fluent that changed, in a copy of the state that
   changes with them, because pairs and lines depend on the other fluents.
   Whichever way a state is reached, the sums are the same whole numbers. */
#include "value/linear.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/trial.h"

enum {
  DENSE = KINDS_MOST + TIES_NUMBERS + NEIGHBOURS_MOST +
          LINES_KINDS * LINES_LONGEST, /* features before mobility */
  SUM_MOST = 1 << 30,
  WEIGHT_MOST = 1 << 20
};

/* ---- features ---- */

static void add_feature(Linear *linear, FeatureClass class, uint32_t first,
                        uint32_t second) {
  vector_push(&linear->features, ((LinearFeature){class, first, second}));
}

/* Counters advance whatever is played, so they say nothing; clocks of few
   values say whose turn it is. */
static void find_counters(const Linear *linear, bool *counts) {
  const Changes *changes = &linear->analysis->changes;
  for (uint32_t c = 0; c < changes->counters.count; c++) {
    const Counter *counter = &changes->counters.data[c];
    if (counter->cyclic && counter->count <= linear->evaluation.role_count)
      continue;
    for (uint32_t i = 0; i < counter->count; i++)
      counts[changes->order.data[counter->first + i]] = true;
  }
}

/* A blank place is one that has no other contents, so nothing is lost without
   it. */
static void find_fluents(Linear *linear, const bool *counts) {
  const Kinds *kinds = &linear->kinds;
  for (uint32_t f = 0; f < linear->analysis->net->fluents.count; f++) {
    uint32_t kind = kinds->of_fluent[f];
    if (counts[f] || (kind && kinds->list.data[kind - 1].blank)) continue;
    add_feature(linear, FEATURE_FLUENT, f, 0);
    linear->of_fluent[f] = linear->features.count;
  }
}

static void find_features(Linear *linear, const bool *counts) {
  bool small = linear->evaluation.words <= LINEAR_WORDS;
  kinds_init(&linear->kinds, linear->analysis);
  ties_init(&linear->ties, &linear->kinds, counts);
  if (small) neighbours_init(&linear->neighbours, &linear->kinds);
  if (small) lines_init(&linear->lines, &linear->kinds);
  for (uint32_t i = 0; i < linear->ties.features.count; i++)
    vector_push(&linear->features, linear->ties.features.data[i]);
  linear->pairs_first = linear->features.count;
  for (uint32_t i = 0; i < linear->neighbours.pairs.count; i++)
    add_feature(linear, FEATURE_PAIR, i, 0);
  linear->lines_first = linear->features.count;
  for (uint32_t k = 0; k < linear->lines.kinds.count; k++)
    for (uint32_t i = 1; i <= linear->lines.kinds.data[k].length; i++)
      add_feature(linear, FEATURE_LINE, k, i);
  linear->mobility_first = linear->features.count;
  for (uint32_t r = 0; r < linear->evaluation.role_count; r++)
    add_feature(linear, FEATURE_MOBILITY, r, 0);
  linear->fluents_first = linear->features.count;
  find_fluents(linear, counts);
}

/* ---- active features ---- */

static bool in_use(const Linear *linear, FeatureClass class) {
  return linear->classes >> class & 1;
}

/* The binary logarithm of the number of moves, 0 for 15 of them: what a role
   gains by the first moves that it has is more than by the last. 0 where it is
   not the role's turn. */
static float mobility(const Linear *linear, const uint64_t *state,
                      const uint32_t *legal, uint32_t role) {
  uint32_t fluent = linear->analysis->turns.roles[role].fluent;
  if (!legal) return 0;
  if (fluent == no_fluent ? legal[role] < 2 : !bits_has(state, fluent))
    return 0;
  return log2f(1 + (float)legal[role]) / 4 - 1;
}

static void count_fluent(const Linear *linear, const uint64_t *state,
                         uint32_t fluent, float *counts) {
  for (uint32_t i = linear->ties.first[fluent];
       i < linear->ties.first[fluent + 1]; i++)
    counts[linear->ties.list.data[i].feature] +=
        linear->ties.list.data[i].value;
  if (linear->neighbours.pairs.count && in_use(linear, FEATURE_PAIR))
    neighbours_count(&linear->neighbours, state, fluent,
                     counts + linear->pairs_first);
}

static void count_lines(const Linear *linear, const uint64_t *state,
                        float *numbers) {
  int32_t counts[LINES_MOST] = {0};
  for (uint32_t w = 0; w < linear->evaluation.words; w++)
    for (uint64_t set = state[w]; set;)
      lines_add(&linear->lines, w * 64 + bits_take(&set), 1, NULL, 0, counts,
                NULL);
  lines_count(&linear->lines, counts, numbers);
}

static void add_active(const Linear *linear, uint32_t feature, float value,
                       LinearActives *actives) {
  if (value != 0 && in_use(linear, linear->features.data[feature].class))
    vector_push(actives, ((LinearActive){feature, value}));
}

void linear_active(const Linear *linear, const uint64_t *state,
                   const uint32_t *legal, LinearActives *actives) {
  float counts[DENSE];
  vector_clear(actives);
  memset(counts, 0, linear->mobility_first * sizeof *counts);
  for (uint32_t w = 0; w < linear->evaluation.words; w++)
    for (uint64_t set = state[w]; set;) {
      uint32_t fluent = w * 64 + bits_take(&set);
      count_fluent(linear, state, fluent, counts);
      if (linear->of_fluent[fluent])
        add_active(linear, linear->of_fluent[fluent] - 1, 1, actives);
    }
  if (linear->lines.slots.count && in_use(linear, FEATURE_LINE))
    count_lines(linear, state, counts + linear->lines_first);
  for (uint32_t i = 0; i < linear->mobility_first; i++)
    add_active(linear, i, counts[i], actives);
  for (uint32_t r = 0; r < linear->evaluation.role_count; r++)
    add_active(linear, linear->mobility_first + r,
               mobility(linear, state, legal, r), actives);
}

/* ---- sums ---- */

static void add_weights(const Linear *linear, uint32_t fluent, int32_t sign,
                        int32_t *sums) {
  const int32_t *frozen = linear->frozen + (size_t)fluent * linear->rows;
  for (uint32_t row = 0; row < linear->rows; row++)
    sums[row] += sign * frozen[row];
}

/* From the empty state if `from` is NULL. */
static void update_fluents(const Linear *linear, const uint64_t *from,
                           const uint64_t *to, int32_t *sums) {
  for (uint32_t w = 0; w < linear->evaluation.words; w++)
    for (uint64_t changed = (from ? from[w] : 0) ^ to[w]; changed;) {
      uint32_t bit = bits_take(&changed);
      add_weights(linear, w * 64 + bit, to[w] >> bit & 1 ? 1 : -1, sums);
    }
}

static void update_all(const Linear *linear, const uint64_t *from,
                       const uint64_t *to, int32_t *sums) {
  uint64_t state[LINEAR_WORDS];
  uint32_t words = linear->evaluation.words;
  if (from)
    memcpy(state, from, words * sizeof *state);
  else
    memset(state, 0, words * sizeof *state);
  for (uint32_t w = 0; w < words; w++)
    for (uint64_t changed = state[w] ^ to[w]; changed;) {
      uint32_t bit = bits_take(&changed), fluent = w * 64 + bit;
      int32_t sign = to[w] >> bit & 1 ? 1 : -1;
      add_weights(linear, fluent, sign, sums);
      if (linear->has_pairs)
        neighbours_add(&linear->neighbours, state, fluent, sign,
                       linear->frozen_pairs, linear->rows, sums);
      if (linear->has_lines)
        lines_add(&linear->lines, fluent, sign, linear->frozen_lines,
                  linear->rows, sums + linear->rows, sums);
      bits_flip(state, fluent);
    }
}

static void update(const Evaluation *evaluation, const uint64_t *from,
                   const uint64_t *to, int32_t *sums) {
  const Linear *linear = (const Linear *)evaluation;
  if (linear->has_pairs || linear->has_lines)
    update_all(linear, from, to, sums);
  else
    update_fluents(linear, from, to, sums);
}

static bool change(const Evaluation *evaluation, const uint64_t *from,
                   const uint16_t *fluents, uint32_t count, int32_t *sums) {
  const Linear *linear = (const Linear *)evaluation;
  if (linear->has_pairs || linear->has_lines || evaluation->mobility)
    return false;
  for (uint32_t i = 0; i < count; i++)
    add_weights(linear, fluents[i], bits_has(from, fluents[i]) ? -1 : 1, sums);
  return true;
}

static void begin(const Evaluation *evaluation, const uint64_t *state,
                  int32_t *sums) {
  memset(sums, 0, evaluation->sum_count * sizeof *sums);
  update(evaluation, NULL, state, sums);
}

/* ---- values ---- */

static void make_shares(Linear *linear) {
  for (int i = 0; i <= LINEAR_STEPS; i++)
    linear->share[i] =
        (float)(1 / (1 + exp((double)LINEAR_STEEP * i / LINEAR_STEPS)));
}

/* Between the steps of the table values lie on lines; beyond it, on a hyperbola
   that begins as steeply. */
float linear_share(const Linear *linear, int32_t sum) {
  static const float least = 1e-6f;
  enum { STEP = LINEAR_STEEP * LINEAR_UNIT / LINEAR_STEPS };
  uint32_t size = sum < 0 ? 0 - (uint32_t)sum : (uint32_t)sum;
  uint32_t step = size / STEP;
  float low;
  if (step < LINEAR_STEPS) {
    float left = linear->share[step], right = linear->share[step + 1];
    low = left + (right - left) * ((float)(size % STEP) / STEP);
  } else {
    uint32_t beyond = size - LINEAR_STEPS * STEP;
    low = linear->share[LINEAR_STEPS] / (1 + (float)beyond / LINEAR_UNIT);
    if (low < least) low = least;
  }
  return sum < 0 ? low : 1 - low;
}

static void values(const Evaluation *evaluation, const uint64_t *state,
                   const int32_t *sums, const uint32_t *legal, float *values) {
  const Linear *linear = (const Linear *)evaluation;
  for (uint32_t row = 0; row < linear->rows; row++) {
    int least = linear->least[row], most = linear->most[row];
    int32_t sum = sums[row];
    for (uint32_t r = 0; evaluation->mobility && r < evaluation->role_count;
         r++)
      sum += (int32_t)lrintf(
          (float)linear->frozen_mobility[r * linear->rows + row] *
          mobility(linear, state, legal, r));
    values[row] =
        (float)least + (float)(most - least) * linear_share(linear, sum);
  }
  if (linear->rows < evaluation->role_count)
    values[1] = (float)linear->sum - values[0];
}

/* ---- weights ---- */

/* Of several rows, the others' count as much against the role. */
static void weights(const Evaluation *evaluation, uint32_t role,
                    float *weights) {
  const Linear *linear = (const Linear *)evaluation;
  for (uint32_t f = 0; f < linear->analysis->net->fluents.count; f++) {
    float sum = 0;
    for (uint32_t row = 0; row < linear->rows; row++) {
      float weight = (float)linear->frozen[(size_t)f * linear->rows + row];
      sum += row == role ? weight : -weight;
    }
    weights[f] = sum;
  }
}

/* The most that a single frozen weight may be: a state has at most so many
   fluents, pairs and lines. */
static int32_t clamp_of(const Linear *linear) {
  uint64_t parts = linear->analysis->net->fluents.count +
                   linear->neighbours.parts.count + linear->lines.slots.count +
                   64;
  uint64_t most = SUM_MOST / parts;
  return most < WEIGHT_MOST ? (int32_t)most : WEIGHT_MOST;
}

static int32_t freeze(float weight, int32_t most) {
  float scaled = weight * LINEAR_UNIT;
  if (!(scaled < (float)most)) return scaled > 0 ? most : 0; /* or no number */
  return scaled < -(float)most ? -most : (int32_t)lrintf(scaled);
}

static float weight_of(const Linear *linear, uint32_t row, uint32_t feature) {
  if (!in_use(linear, linear->features.data[feature].class)) return 0;
  return linear->weights[(size_t)row * linear->features.count + feature];
}

static float fluent_weight(const Linear *linear, uint32_t row,
                           uint32_t fluent) {
  float sum = 0;
  if (linear->of_fluent[fluent])
    sum = weight_of(linear, row, linear->of_fluent[fluent] - 1);
  for (uint32_t i = linear->ties.first[fluent];
       i < linear->ties.first[fluent + 1]; i++)
    sum += weight_of(linear, row, linear->ties.list.data[i].feature) *
           linear->ties.list.data[i].value;
  return sum;
}

void linear_freeze(Linear *linear) {
  const Neighbours *neighbours = &linear->neighbours;
  uint32_t rows = linear->rows;
  int32_t most = clamp_of(linear);
  linear->has_pairs = linear->has_lines = linear->evaluation.mobility = false;
  for (uint32_t row = 0; row < rows; row++) {
    for (uint32_t f = 0; f < linear->analysis->net->fluents.count; f++)
      linear->frozen[(size_t)f * rows + row] =
          freeze(fluent_weight(linear, row, f), most);
    for (uint32_t i = 0; i < neighbours->table.count; i++) {
      int32_t weight =
          freeze(weight_of(linear, row,
                           linear->pairs_first + neighbours->table.data[i]),
                 most);
      linear->frozen_pairs[(size_t)i * rows + row] = weight;
      linear->has_pairs |= weight != 0;
    }
    for (uint32_t i = 0; i < linear->lines.counted.count; i++) {
      uint32_t feature = linear->lines.counted.data[i];
      if (feature == UINT32_MAX) continue;
      int32_t weight =
          freeze(weight_of(linear, row, linear->lines_first + feature), most);
      linear->frozen_lines[(size_t)i * rows + row] = weight;
      linear->has_lines |= weight != 0;
    }
    for (uint32_t r = 0; r < linear->evaluation.role_count; r++) {
      int32_t weight =
          freeze(weight_of(linear, row, linear->mobility_first + r), most);
      linear->frozen_mobility[r * rows + row] = weight;
      linear->evaluation.mobility |= weight != 0;
    }
  }
}

/* ---- making ---- */

static void write(const Evaluation *evaluation, Text *text) {
  linear_write((const Linear *)evaluation, text);
}

static void delete (Evaluation *evaluation) {
  Linear *linear = (Linear *)evaluation;
  vector_free(&linear->features);
  kinds_free(&linear->kinds);
  ties_free(&linear->ties);
  neighbours_free(&linear->neighbours);
  lines_free(&linear->lines);
  memory_delete(linear->of_fluent);
  memory_delete(linear->weights);
  memory_delete(linear->frozen);
  memory_delete(linear->frozen_pairs);
  memory_delete(linear->frozen_lines);
  memory_delete(linear->frozen_mobility);
  memory_delete(linear->least);
  memory_delete(linear);
}

static const EvaluationOperations operations = {.name = "linear",
                                                .delete = delete,
                                                .begin = begin,
                                                .update = update,
                                                .change = change,
                                                .values = values,
                                                .weights = weights,
                                                .write = write};

static void take_goals(Linear *linear) {
  const Analysis *analysis = linear->analysis;
  uint32_t roles = analysis->net->role_count;
  linear->rows = roles == 2 && analysis->constant_sum ? 1 : roles;
  linear->sum = analysis->sum;
  linear->least = memory_new(2 * (size_t)roles * sizeof *linear->least);
  linear->most = linear->least + roles;
  for (uint32_t r = 0; r < roles; r++) {
    linear->least[r] = analysis->goals[r].least;
    linear->most[r] = analysis->goals[r].most;
  }
}

static int32_t *new_numbers(const Linear *linear, size_t count) {
  return memory_new((count + 1) * linear->rows * sizeof(int32_t));
}

typedef struct Making {
  Book *book;
  Linear *linear;
} Making;

static void make(void *context) {
  Making *making = context;
  const Analysis *analysis = making->book->analysis;
  const Net *net = analysis->net;
  Linear *linear = making->linear = memory_new(sizeof *linear);
  linear->analysis = analysis;
  linear->classes = LINEAR_USUAL;
  take_goals(linear);
  make_shares(linear);
  linear->evaluation = (Evaluation){.operations = &operations,
                                    .role_count = net->role_count,
                                    .words = making->book->words,
                                    .sum_count = linear->rows};
  linear->of_fluent = memory_new((net->fluents.count + 1) * sizeof(uint32_t));
  bool *counts = memory_new(net->fluents.count + 1);
  find_counters(linear, counts);
  find_features(linear, counts);
  memory_delete(counts);
  linear->evaluation.sum_count += linear->lines.slots.count;
  linear->weights = memory_new(((size_t)linear->features.count + 1) *
                               linear->rows * sizeof *linear->weights);
  linear->frozen = new_numbers(linear, net->fluents.count);
  linear->frozen_pairs = new_numbers(linear, linear->neighbours.table.count);
  linear->frozen_lines = new_numbers(linear, linear->lines.counted.count);
  linear->frozen_mobility = new_numbers(linear, net->role_count);
}

Linear *linear_new(Book *book) {
  const Analysis *analysis = book_analysis(book);
  Making making = {.book = book};
  Text why = {0};
  if (!analysis || analysis->net->fluents.count > LINEAR_FLUENTS) return NULL;
  if (!book_try(book, "the evaluation", make, &making, &why))
    making.linear = NULL;
  text_free(&why);
  return making.linear;
}
