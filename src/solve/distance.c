/* The cone of the goals and `terminal` becomes columns: a column has what it
   takes to make one signal true in each of 64 states. Columns of fluents are
   read from the keys, by a table that has the cost for each value of a field;
   the others are sums (AND) or minima (negated AND) of earlier ones. A gate
   that is read plain and negated has two columns, since its two distances are
   not functions of each other.

   There are two levels. The upper one has the goals; in the lower one are the
   next values of the fluents that the upper one reads, in which all moves are
   free. It comes first, and is only used by MEASURE_DEEP.

   Loops are columns that start at DISTANCE_FAR and fall to those of their
   definitions until nothing changes, block by block; the column of a negated
   loop is 1 where the loop is true.

   The heuristic is the goal counting of SIW (Lipovetzky and Geffner 2012),
   carried down to the fluents; the steps of a group are distances in its domain
   transition graph (Helmert 2006), as far as that was seen. */
#include "solve/distance.h"

#include "base/bits.h"

enum {
  LANES = 64,
  EDGES = 1 << 18, /* inputs of all columns, at most */
  FRAME_DEPTH = 4, /* gates between a fluent and where it is said to stay */
  FAR_COLUMN = 0,  /* a column in which everything is far */
  VALUES = 1 << 9  /* of a group whose transitions are noted, at most */
};

static const uint32_t NONE = UINT32_MAX;

typedef enum {
  COLUMN_CONSTANT,
  COLUMN_FREE,
  COLUMN_TIME,
  COLUMN_FIELD,
  COLUMN_SUM,
  COLUMN_LEAST,
  COLUMN_LOOP
} ColumnKind;

typedef struct Column {
  ColumnKind kind;
  bool negated;          /* of fluents and loops */
  bool lower;            /* of the lower level */
  uint32_t first, count; /* in `inputs`; or the fluent, the field, the loop */
  uint32_t value;        /* of the field */
  uint32_t table;        /* in `tables`, by value of the field; NONE */
  uint32_t cause;        /* the column of its next value; NONE */
} Column;

/* The values of a field. */
typedef struct Values {
  uint32_t count;
  uint64_t *seen;  /* transitions, as a square of bits; NULL: not noted */
  uint64_t *stays; /* set of those that the field keeps */
  uint64_t *gone;  /* set of those that never come again once it has another */
} Values;

typedef struct GoalColumn {
  int value;
  uint32_t column;
} GoalColumn;

struct Distance {
  Packing *packing;
  VECTOR(Column) columns;
  NumberVector inputs;
  VECTOR(GoalColumn) goals; /* of role 0, highest value first */
  uint32_t aims;            /* the first of them are aimed at */
  uint32_t terminal;        /* column */
  uint32_t *column_of[2];   /* by level (1: lower) and signal */
  uint32_t *causes;         /* by signal of a fluent: column; or NULL */
  uint32_t upper;           /* the first column of the upper level */
  Measure measure;
  int16_t (*costs)[LANES]; /* by column */
  Values *values;          /* by field */
  uint32_t *field_of;      /* by bit of the key */
  VECTOR(int16_t) tables;
};

/* ---- columns ---- */

static uint32_t value_of(const PackingField *field, uint32_t member) {
  return member + (field->exactly ? 0 : 1);
}

/* The column of a fluent: constant unless it is timed or in a field. */
static void set_fluent(const Distance *distance, const uint64_t *places,
                       uint32_t fluent, Column *column) {
  column->first = fluent;
  if (bits_has(distance->packing->timed, fluent)) {
    column->kind = COLUMN_TIME;
  } else if (places[fluent]) {
    column->kind = COLUMN_FIELD;
    column->first = (uint32_t)(places[fluent] >> 32) - 1;
    column->value = (uint32_t)places[fluent];
  }
}

static void set_inputs(Distance *distance, Gate gate, Column *column) {
  const Net *net = distance->packing->net;
  const Signal *inputs = net_inputs(net, gate);
  const uint32_t *column_of = distance->column_of[column->lower];
  column->kind = column->negated ? COLUMN_LEAST : COLUMN_SUM;
  column->first = distance->inputs.count;
  column->count = net->gates.data[gate].count;
  for (uint32_t i = 0; i < column->count; i++)
    vector_push(&distance->inputs,
                column_of[inputs[i] ^ (Signal)column->negated]);
}

/* Where each fluent is: (field + 1) << 32 | value. */
static uint64_t *find_places(const Packing *packing) {
  uint64_t *places =
      memory_new((packing->net->fluents.count + 1) * sizeof *places);
  for (uint32_t f = 0; f < packing->fields.count; f++) {
    const PackingField *field = &packing->fields.data[f];
    for (uint32_t i = 0; i < field->count; i++)
      places[field->fluents[i]] = (uint64_t)(f + 1) << 32 | value_of(field, i);
  }
  return places;
}

/* Returns a column of the lower level for the signal in which the fluent's own
   value does not help: what it takes to make it change, rather than stay. That
   it stays is written near the top of its next value, so `depth` is small. */
static uint32_t without(Distance *distance, Signal signal, Signal self,
                        uint32_t depth) {
  const Net *net = distance->packing->net;
  uint32_t shared = distance->column_of[1][signal];
  if (signal == self) return FAR_COLUMN;
  if (!net_is_and(net, signal) || !depth || distance->inputs.count > EDGES)
    return shared;
  Signal negated = signal & 1;
  const Signal *inputs = net_inputs(net, signal_gate(signal));
  uint32_t count = net->gates.data[signal_gate(signal)].count;
  NumberVector list = {0};
  bool same = true;
  for (uint32_t i = 0; i < count; i++) {
    Signal input = inputs[i] ^ negated;
    vector_push(&list, without(distance, input, self, depth - 1));
    same &= list.data[i] == distance->column_of[1][input];
  }
  Column column = {.kind = negated ? COLUMN_LEAST : COLUMN_SUM,
                   .lower = true,
                   .first = distance->inputs.count,
                   .count = count,
                   .table = NONE,
                   .cause = NONE};
  for (uint32_t i = 0; !same && i < count; i++)
    vector_push(&distance->inputs, list.data[i]);
  if (!same) vector_push(&distance->columns, column);
  vector_free(&list);
  return same ? shared : distance->columns.count - 1;
}

static void make_column(Distance *distance, const uint64_t *places,
                        Signal signal, bool lower) {
  const Net *net = distance->packing->net;
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  Column column = {.negated = signal_negated(signal),
                   .lower = lower,
                   .table = NONE,
                   .cause = NONE};
  switch (gate->kind) {
  case GATE_FLUENT:
    set_fluent(distance, places, gate->first, &column);
    if (!lower && distance->causes) column.cause = distance->causes[signal];
    break;
  case GATE_AND: set_inputs(distance, signal_gate(signal), &column); break;
  case GATE_LOOP:
    column.kind = COLUMN_LOOP;
    column.first = gate->first;
    break;
  case GATE_MOVE: column.kind = COLUMN_FREE; break;
  case GATE_CONSTANT: column.first = NONE; break;
  }
  distance->column_of[lower][signal] = distance->columns.count;
  vector_push(&distance->columns, column);
}

/* The signals that need a column in a level. */
typedef struct Needed {
  const Net *net;
  bool *marks; /* by signal */
  NumberVector stack;
  uint64_t edges;
} Needed;

static void need(Needed *needed, Signal signal) {
  if (needed->marks[signal]) return;
  needed->marks[signal] = true;
  vector_push(&needed->stack, signal);
}

/* A negated loop needs the loop itself, a loop its definition. */
static void need_inputs(Needed *needed, Signal signal) {
  const Net *net = needed->net;
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  if (gate->kind == GATE_LOOP) {
    need(needed, gate_signal(signal_gate(signal)));
    need(needed, net->loops.data[gate->first].definition);
  } else if (gate->kind == GATE_AND) {
    const Signal *inputs = net_inputs(net, signal_gate(signal));
    for (uint32_t i = 0; i < gate->count; i++)
      need(needed, inputs[i] ^ (signal & 1));
    needed->edges += gate->count;
  }
}

/* Marks whatever the needed signals need. Returns false if it is too much. */
static bool need_all(Needed *needed) {
  while (needed->stack.count && needed->edges <= EDGES) {
    needed->edges++;
    need_inputs(needed, needed->stack.data[--needed->stack.count]);
  }
  vector_free(&needed->stack);
  return needed->edges <= EDGES;
}

static bool need_goals(Needed *needed) {
  const Net *net = needed->net;
  need(needed, net->terminal);
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].role == 0) need(needed, net->goals.data[i].signal);
  return need_all(needed);
}

/* The next values of fluents that the upper level reads. */
static bool need_causes(Needed *needed, const bool *upper) {
  const Net *net = needed->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    for (Signal sign = 0; sign < 2; sign++)
      if (upper[gate_signal(net->fluents.data[i].gate) ^ sign])
        need(needed, net->fluents.data[i].next ^ sign);
  return need_all(needed);
}

static void make_columns(Distance *distance, const Needed *needed,
                         const uint64_t *places, bool lower) {
  size_t signals = 2 * (size_t)needed->net->gates.count;
  distance->column_of[lower] =
      memory_new(signals * sizeof *distance->column_of[lower]);
  for (Signal signal = 0; signal < signals; signal++)
    if (needed->marks[signal]) make_column(distance, places, signal, lower);
}

static void find_causes(Distance *distance, const bool *upper) {
  const Net *net = distance->packing->net;
  size_t signals = 2 * (size_t)net->gates.count;
  distance->causes = memory_new(signals * sizeof *distance->causes);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    for (Signal sign = 0; sign < 2; sign++) {
      Signal self = gate_signal(net->fluents.data[i].gate) ^ sign;
      if (!upper[self]) continue;
      distance->causes[self] = without(
          distance, net->fluents.data[i].next ^ sign, self, FRAME_DEPTH);
    }
}

static void add_goals(Distance *distance, const Net *net) {
  for (int value = 100; value >= 0; value--)
    for (uint32_t i = 0; i < net->goals.count; i++) {
      const NetGoal *goal = &net->goals.data[i];
      if (goal->role != 0 || goal->value != value) continue;
      GoalColumn column = {value, distance->column_of[0][goal->signal]};
      vector_push(&distance->goals, column);
    }
  distance->terminal = distance->column_of[0][net->terminal];
}

static bool add_columns(Distance *distance) {
  const Net *net = distance->packing->net;
  size_t signals = 2 * (size_t)net->gates.count;
  Needed upper = {.net = net, .marks = memory_new(signals)};
  Needed lower = {.net = net, .marks = memory_new(signals)};
  Column far = {.first = NONE, .table = NONE, .cause = NONE};
  vector_push(&distance->columns, far);
  bool fits = need_goals(&upper);
  lower.edges = upper.edges;
  if (fits) {
    uint64_t *places = find_places(distance->packing);
    if (need_causes(&lower, upper.marks)) {
      make_columns(distance, &lower, places, true);
      find_causes(distance, upper.marks);
    }
    distance->upper = distance->columns.count;
    make_columns(distance, &upper, places, false);
    memory_delete(places);
    add_goals(distance, net);
  }
  memory_delete(upper.marks);
  memory_delete(lower.marks);
  return fits;
}

/* ---- rating ---- */

static void fill(int16_t *column, int16_t cost) {
  for (uint32_t i = 0; i < LANES; i++) column[i] = cost;
}

static void add(int16_t *restrict sum, const int16_t *restrict column) {
  for (uint32_t i = 0; i < LANES; i++) {
    int16_t both = (int16_t)(sum[i] + column[i]);
    sum[i] = both < DISTANCE_FAR ? both : DISTANCE_FAR;
  }
}

static void lower(int16_t *restrict least, const int16_t *restrict column) {
  for (uint32_t i = 0; i < LANES; i++)
    least[i] = column[i] < least[i] ? column[i] : least[i];
}

typedef struct Rated {
  const uint64_t *keys;
  uint32_t stride, count;
  const uint64_t *times[LANES];
} Rated;

/* Finds the autonomous part of each state. Asking for the greatest depth first
   keeps the rows where they are. */
static void find_times(Distance *distance, const uint16_t *depths,
                       Rated *rated) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < rated->count; i++)
    if (depths[i] > most) most = depths[i];
  packing_time(distance->packing, most);
  for (uint32_t i = 0; i < rated->count; i++)
    rated->times[i] = packing_time(distance->packing, depths[i]);
}

static void read_time(const Column *column, const Rated *rated,
                      int16_t *costs) {
  for (uint32_t i = 0; i < rated->count; i++)
    costs[i] = bits_has(rated->times[i], column->first) == column->negated;
}

static void read_field(Distance *distance, const Column *column,
                       const Rated *rated, int16_t *costs) {
  const PackingField *field = &distance->packing->fields.data[column->first];
  const uint64_t *keys = rated->keys + (field->first >> 6);
  uint32_t shift = field->first & 63;
  uint64_t mask = ((uint64_t)1 << field->bits) - 1;
  if (column->table != NONE) {
    const int16_t *table = distance->tables.data + column->table;
    for (uint32_t i = 0; i < rated->count; i++)
      costs[i] = table[keys[i * rated->stride] >> shift & mask];
  } else {
    for (uint32_t i = 0; i < rated->count; i++)
      costs[i] = ((keys[i * rated->stride] >> shift & mask) == column->value) ==
                 column->negated;
  }
}

static void read_constant(const Distance *distance, const Column *column,
                          int16_t *costs) {
  bool value = column->first != NONE &&
               bits_has(distance->packing->constant, column->first);
  fill(costs, value == column->negated ? DISTANCE_FAR : 0);
}

static void compute(Distance *distance, const Column *column, int16_t *costs) {
  const uint32_t *inputs = distance->inputs.data + column->first;
  memcpy(costs, distance->costs[inputs[0]], sizeof *distance->costs);
  for (uint32_t i = 1; i < column->count; i++)
    if (column->kind == COLUMN_SUM)
      add(costs, distance->costs[inputs[i]]);
    else
      lower(costs, distance->costs[inputs[i]]);
}

/* A fluent that is to change takes one more than its cause. */
static void add_cause(const int16_t *restrict cause, int16_t *restrict costs) {
  for (uint32_t i = 0; i < LANES; i++) {
    int16_t more = (int16_t)(cause[i] + 1);
    if (more > DISTANCE_FAR || costs[i] >= DISTANCE_FAR) more = DISTANCE_FAR;
    costs[i] = costs[i] ? more : 0;
  }
}

static uint32_t first_column(const Distance *distance) {
  return distance->measure == MEASURE_DEEP ? 0 : distance->upper;
}

static void read_inputs(Distance *distance, const Rated *rated) {
  for (uint32_t c = first_column(distance); c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    int16_t *costs = distance->costs[c];
    if (column->kind == COLUMN_TIME)
      read_time(column, rated, costs);
    else if (column->kind == COLUMN_FIELD)
      read_field(distance, column, rated, costs);
  }
}

static void compute_all(Distance *distance) {
  uint32_t first = first_column(distance);
  for (uint32_t c = first; c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    if (column->kind == COLUMN_SUM || column->kind == COLUMN_LEAST)
      compute(distance, column, distance->costs[c]);
    else if (column->kind == COLUMN_FIELD && column->cause != NONE && !first)
      add_cause(distance->costs[column->cause], distance->costs[c]);
  }
}

/* Sets the loops of a block to their definitions; returns true if that changed
   something. */
static bool follow_loops(Distance *distance, uint32_t block) {
  const Net *net = distance->packing->net;
  bool changed = false;
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    if (column->kind != COLUMN_LOOP) continue;
    const NetLoop *loop = &net->loops.data[column->first];
    if (loop->block != block) continue;
    const uint32_t *column_of = distance->column_of[column->lower];
    uint32_t from =
        column_of[column->negated ? gate_signal(loop->gate) : loop->definition];
    for (uint32_t i = 0; i < LANES; i++) {
      int16_t cost = distance->costs[from][i];
      if (column->negated) cost = cost == 0;
      changed |= cost != distance->costs[c][i];
      distance->costs[c][i] = cost;
    }
  }
  return changed;
}

static void solve_loops(Distance *distance) {
  const Net *net = distance->packing->net;
  uint32_t blocks = net->loops.count ? vector_last(&net->loops).block + 1 : 0;
  for (uint32_t block = 0; block < blocks; block++)
    while (follow_loops(distance, block)) compute_all(distance);
}

static void start_loops(Distance *distance) {
  for (uint32_t c = 0; c < distance->columns.count; c++)
    if (distance->columns.data[c].kind == COLUMN_LOOP)
      fill(distance->costs[c],
           distance->columns.data[c].negated ? 0 : DISTANCE_FAR);
}

static Rating conclude(const Distance *distance, uint32_t lane) {
  const GoalColumn *goals = distance->goals.data;
  Rating rating = {.score = -1, .goal = DISTANCE_FAR};
  for (uint32_t i = 0; i < distance->goals.count; i++) {
    int16_t cost = distance->costs[goals[i].column][lane];
    if (i < distance->aims && cost < rating.goal) rating.goal = (uint16_t)cost;
    if (cost == 0 && rating.score < 0) rating.score = (int8_t)goals[i].value;
  }
  rating.end = (uint16_t)distance->costs[distance->terminal][lane];
  rating.terminal = rating.end == 0;
  return rating;
}

void distance_rate(Distance *distance, const uint64_t *keys, uint32_t stride,
                   const uint16_t *depths, uint32_t count, Rating *ratings) {
  for (uint32_t first = 0; first < count; first += LANES) {
    uint32_t lanes = count - first < LANES ? count - first : LANES;
    Rated rated = {keys + (size_t)first * stride, stride, lanes, {NULL}};
    find_times(distance, depths + first, &rated);
    read_inputs(distance, &rated);
    if (distance->packing->net->loops.count) start_loops(distance);
    compute_all(distance);
    if (distance->packing->net->loops.count) solve_loops(distance);
    for (uint32_t i = 0; i < lanes; i++)
      ratings[first + i] = conclude(distance, i);
  }
}

void distance_aim(Distance *distance, int value) {
  distance->aims = 0;
  while (distance->aims < distance->goals.count &&
         distance->goals.data[distance->aims].value >= value)
    distance->aims++;
}

/* ---- costs of values ---- */

void distance_see(Distance *distance, const uint64_t *from,
                  const uint64_t *to) {
  const Packing *packing = distance->packing;
  for (uint32_t w = 0; w < packing->words; w++)
    for (uint64_t differ = from[w] ^ to[w]; differ;) {
      uint32_t bit = (uint32_t)__builtin_ctzll(differ);
      uint32_t f = distance->field_of[w * 64 + bit];
      const PackingField *field = &packing->fields.data[f];
      const Values *values = &distance->values[f];
      differ &= ~((((uint64_t)1 << field->bits) - 1) << (field->first & 63));
      if (!values->seen) continue;
      bits_add(values->seen, (size_t)packing_value(field, to) * values->count +
                                 packing_value(field, from));
    }
}

/* Fills in the steps to `wanted` from each value, breadth first; what does not
   lead there, as far as was seen, is farther than everything else. */
static void find_steps(const Values *values, uint32_t wanted, uint32_t *queue,
                       int16_t *steps) {
  uint32_t count = 0;
  memset(steps, 0, values->count * sizeof *steps);
  queue[count++] = wanted;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t v = 0; v < values->count; v++) {
      if (v == wanted || steps[v]) continue;
      if (!bits_has(values->seen, (size_t)queue[i] * values->count + v))
        continue;
      steps[v] = (int16_t)(steps[queue[i]] + 1);
      queue[count++] = v;
    }
  int16_t farthest = steps[queue[count - 1]];
  for (uint32_t v = 0; v < values->count; v++)
    if (v != wanted && !steps[v]) steps[v] = (int16_t)(farthest + 1);
}

/* The cost of making `column` true, by value of its field. */
static void find_costs(const Distance *distance, const Column *column,
                       uint32_t *queue, int16_t *costs) {
  const Values *values = &distance->values[column->first];
  if (!column->negated && values->seen && distance->measure == MEASURE_STEPS)
    find_steps(values, column->value, queue, costs);
  else
    for (uint32_t v = 0; v < values->count; v++)
      costs[v] = (v == column->value) == column->negated;
  bool gone = !column->negated && bits_has(values->gone, column->value);
  for (uint32_t v = 0; v < values->count; v++)
    if (costs[v] && (gone || bits_has(values->stays, v)))
      costs[v] = DISTANCE_FAR;
}

void distance_measure(Distance *distance, Measure measure) {
  uint32_t *queue = memory_new(VALUES * sizeof *queue);
  distance->measure = measure;
  vector_clear(&distance->tables);
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    Column *column = &distance->columns.data[c];
    if (column->kind != COLUMN_FIELD) continue;
    const Values *values = &distance->values[column->first];
    if (!values->stays) continue;
    column->table = distance->tables.count;
    vector_resize(&distance->tables, column->table + values->count);
    find_costs(distance, column, queue, distance->tables.data + column->table);
  }
  memory_delete(queue);
}

/* What stays true is kept; what stays false is gone. */
static void set_values(const PackingField *field, const Changes *changes,
                       Values *values) {
  values->count = field->count + (field->exactly ? 0 : 1);
  if (values->count > VALUES) return;
  size_t bytes = bits_words(values->count) * sizeof(uint64_t);
  values->stays = memory_new(bytes);
  values->gone = memory_new(bytes);
  for (uint32_t i = 0; changes && i < field->count; i++) {
    uint32_t fluent = field->fluents[i];
    if (changes->stays_true[fluent] == EVIDENCE_PROVED)
      bits_add(values->stays, value_of(field, i));
    if (changes->stays_false[fluent] == EVIDENCE_PROVED)
      bits_add(values->gone, value_of(field, i));
  }
  if (values->count <= 2) return;
  size_t square = (size_t)values->count * values->count;
  values->seen = memory_new(bits_words(square) * sizeof(uint64_t));
}

static void add_values(Distance *distance, const Analysis *analysis) {
  const Packing *packing = distance->packing;
  const Changes *changes = analysis ? &analysis->changes : NULL;
  distance->values =
      memory_new((packing->fields.count + 1) * sizeof *distance->values);
  distance->field_of =
      memory_new(packing->words * 64 * sizeof *distance->field_of);
  for (uint32_t f = 0; f < packing->fields.count; f++) {
    const PackingField *field = &packing->fields.data[f];
    for (uint32_t i = 0; i < field->bits; i++)
      distance->field_of[field->first + i] = f;
  }
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    if (column->kind != COLUMN_FIELD) continue;
    Values *values = &distance->values[column->first];
    if (!values->count)
      set_values(&packing->fields.data[column->first], changes, values);
  }
}

/* ---- making ---- */

static void fill_constants(Distance *distance) {
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    if (column->kind == COLUMN_CONSTANT)
      read_constant(distance, column, distance->costs[c]);
    if (column->kind == COLUMN_FREE) fill(distance->costs[c], 0);
  }
}

Distance *distance_new(Packing *packing, const Analysis *analysis) {
  Distance *distance = memory_new(sizeof *distance);
  distance->packing = packing;
  if (!add_columns(distance) || !distance->goals.count) {
    distance_delete(distance);
    return NULL;
  }
  distance_aim(distance, distance->goals.data[0].value);
  distance->costs =
      memory_new_aligned(distance->columns.count * sizeof *distance->costs);
  fill_constants(distance);
  add_values(distance, analysis);
  distance_measure(distance, MEASURE_ONE);
  return distance;
}

void distance_delete(Distance *distance) {
  if (!distance) return;
  uint32_t fields = distance->values ? distance->packing->fields.count : 0;
  for (uint32_t f = 0; f < fields; f++) {
    memory_delete(distance->values[f].seen);
    memory_delete(distance->values[f].stays);
    memory_delete(distance->values[f].gone);
  }
  memory_delete(distance->values);
  memory_delete(distance->field_of);
  memory_delete(distance->column_of[0]);
  memory_delete(distance->column_of[1]);
  memory_delete(distance->causes);
  memory_delete(distance->costs);
  vector_free(&distance->columns);
  vector_free(&distance->inputs);
  vector_free(&distance->goals);
  vector_free(&distance->tables);
  memory_delete(distance);
}
