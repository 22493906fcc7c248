/* The cone of the goals and `terminal` becomes columns: a column has what it
   takes to make one signal true in each of 64 states. Columns of fluents are
   read from the keys, the others are sums (AND) or minima (negated AND) of
   earlier ones. A gate that is read plain and negated has two columns, since
   its two distances are not functions of each other.

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
  VALUES = 1 << 9  /* of a group whose transitions are noted, at most */
};

static const uint32_t NONE = UINT32_MAX;

typedef enum {
  COLUMN_CONSTANT,
  COLUMN_TIME,
  COLUMN_FIELD,
  COLUMN_SUM,
  COLUMN_LEAST,
  COLUMN_LOOP
} ColumnKind;

typedef struct Column {
  ColumnKind kind;
  bool negated;          /* of fluents and loops */
  uint32_t first, count; /* in `inputs`; or the fluent, the field, the loop */
  uint32_t value;        /* of the field */
  uint32_t steps;        /* in `steps`, by value of the field; NONE: one each */
} Column;

/* The transitions of a field, as a square of bits. */
typedef struct Transitions {
  uint64_t *seen; /* NULL: they are not noted */
  uint32_t values;
} Transitions;

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
  uint32_t *column_of;      /* by signal; NONE */
  int16_t (*costs)[LANES];  /* by column */
  Transitions *transitions; /* by field */
  uint32_t *field_of;       /* by bit of the key; NONE */
  VECTOR(uint8_t) steps;
  bool learned;
};

/* ---- columns ---- */

static uint32_t value_of(const PackingField *field, uint32_t member) {
  return member + (field->exactly ? 0 : 1);
}

static uint32_t values_of(const PackingField *field) {
  return field->count + (field->exactly ? 0 : 1);
}

/* The column of a fluent: constant unless it is timed or in a field. */
static Column fluent_column(const Distance *distance, const uint64_t *places,
                            uint32_t fluent, bool negated) {
  const Packing *packing = distance->packing;
  Column column = {.negated = negated, .first = fluent, .steps = NONE};
  if (bits_has(packing->timed, fluent)) {
    column.kind = COLUMN_TIME;
  } else if (places[fluent]) {
    column.kind = COLUMN_FIELD;
    column.first = (uint32_t)(places[fluent] >> 32) - 1;
    column.value = (uint32_t)places[fluent];
  }
  return column;
}

static void add_inputs(Distance *distance, const Net *net, Gate gate,
                       Column *column) {
  const Signal *inputs = net_inputs(net, gate);
  column->kind = column->negated ? COLUMN_LEAST : COLUMN_SUM;
  column->first = distance->inputs.count;
  column->count = net->gates.data[gate].count;
  for (uint32_t i = 0; i < column->count; i++)
    vector_push(&distance->inputs,
                distance->column_of[inputs[i] ^ (Signal)column->negated]);
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

static void make_column(Distance *distance, const uint64_t *places,
                        Signal signal) {
  const Net *net = distance->packing->net;
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  Column column = {.negated = signal_negated(signal), .steps = NONE};
  switch (gate->kind) {
  case GATE_FLUENT:
    column = fluent_column(distance, places, gate->first, column.negated);
    break;
  case GATE_AND: add_inputs(distance, net, signal_gate(signal), &column); break;
  case GATE_LOOP:
    column.kind = COLUMN_LOOP;
    column.first = gate->first;
    break;
  case GATE_CONSTANT:
  case GATE_MOVE: column.first = NONE; break;
  }
  distance->column_of[signal] = distance->columns.count;
  vector_push(&distance->columns, column);
}

static void need(NumberVector *stack, bool *needed, Signal signal) {
  if (needed[signal]) return;
  needed[signal] = true;
  vector_push(stack, signal);
}

/* A negated loop needs the loop itself, a loop its definition. */
static void need_inputs(const Net *net, NumberVector *stack, bool *needed,
                        Signal signal) {
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  if (gate->kind == GATE_LOOP) {
    need(stack, needed, gate_signal(signal_gate(signal)));
    need(stack, needed, net->loops.data[gate->first].definition);
  } else if (gate->kind == GATE_AND) {
    const Signal *inputs = net_inputs(net, signal_gate(signal));
    for (uint32_t i = 0; i < gate->count; i++)
      need(stack, needed, inputs[i] ^ (signal & 1));
  }
}

/* Marks the signals that need a column. Returns false if they are too many. */
static bool find_needed(const Net *net, bool *needed) {
  NumberVector stack = {0};
  need(&stack, needed, net->terminal);
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].role == 0)
      need(&stack, needed, net->goals.data[i].signal);
  uint64_t edges = 0;
  while (stack.count && edges <= EDGES) {
    Signal signal = stack.data[--stack.count];
    edges += 1;
    if (net_is_and(net, signal))
      edges += net->gates.data[signal_gate(signal)].count;
    need_inputs(net, &stack, needed, signal);
  }
  vector_free(&stack);
  return edges <= EDGES;
}

static void add_goals(Distance *distance, const Net *net) {
  for (int value = 100; value >= 0; value--)
    for (uint32_t i = 0; i < net->goals.count; i++) {
      const NetGoal *goal = &net->goals.data[i];
      if (goal->role != 0 || goal->value != value) continue;
      GoalColumn column = {value, distance->column_of[goal->signal]};
      vector_push(&distance->goals, column);
    }
}

static bool add_columns(Distance *distance) {
  const Net *net = distance->packing->net;
  size_t signals = 2 * (size_t)net->gates.count;
  bool *needed = memory_new(signals);
  bool fits = find_needed(net, needed);
  if (fits) {
    uint64_t *places = find_places(distance->packing);
    distance->column_of = memory_new(signals * sizeof *distance->column_of);
    for (Signal signal = 0; signal < signals; signal++)
      if (needed[signal]) make_column(distance, places, signal);
    memory_delete(places);
    distance->terminal = distance->column_of[net->terminal];
    add_goals(distance, net);
  }
  memory_delete(needed);
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
  const uint16_t *depths;
} Rated;

static void read_time(Distance *distance, const Column *column,
                      const Rated *rated, int16_t *costs) {
  for (uint32_t i = 0; i < rated->count; i++) {
    const uint64_t *time = packing_time(distance->packing, rated->depths[i]);
    costs[i] = bits_has(time, column->first) == column->negated;
  }
}

static void read_field(Distance *distance, const Column *column,
                       const Rated *rated, int16_t *costs) {
  const PackingField *field = &distance->packing->fields.data[column->first];
  const uint64_t *keys = rated->keys + (field->first >> 6);
  uint32_t shift = field->first & 63, wanted = column->value;
  uint64_t mask = ((uint64_t)1 << field->bits) - 1;
  if (column->steps != NONE && !column->negated) {
    const uint8_t *steps = distance->steps.data + column->steps;
    for (uint32_t i = 0; i < rated->count; i++)
      costs[i] = steps[keys[i * rated->stride] >> shift & mask];
  } else {
    for (uint32_t i = 0; i < rated->count; i++)
      costs[i] = ((keys[i * rated->stride] >> shift & mask) == wanted) ==
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

static void read_inputs(Distance *distance, const Rated *rated) {
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    int16_t *costs = distance->costs[c];
    if (column->kind == COLUMN_TIME)
      read_time(distance, column, rated, costs);
    else if (column->kind == COLUMN_FIELD)
      read_field(distance, column, rated, costs);
  }
}

static void compute_all(Distance *distance) {
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    if (column->kind == COLUMN_SUM || column->kind == COLUMN_LEAST)
      compute(distance, column, distance->costs[c]);
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
    uint32_t from =
        distance->column_of[column->negated ? gate_signal(loop->gate)
                                            : loop->definition];
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
    Rated rated = {keys + (size_t)first * stride, stride, lanes,
                   depths + first};
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

/* ---- transitions of groups ---- */

void distance_see(Distance *distance, const uint64_t *from,
                  const uint64_t *to) {
  const Packing *packing = distance->packing;
  for (uint32_t w = 0; w < packing->words; w++)
    for (uint64_t differ = from[w] ^ to[w]; differ;) {
      uint32_t f =
          distance->field_of[w * 64 + (uint32_t)__builtin_ctzll(differ)];
      const PackingField *field = &packing->fields.data[f];
      uint64_t mask = (((uint64_t)1 << field->bits) - 1) << (field->first & 63);
      differ &= ~mask;
      const Transitions *transitions = &distance->transitions[f];
      if (!transitions->seen) continue;
      bits_add(transitions->seen,
               (size_t)packing_value(field, to) * transitions->values +
                   packing_value(field, from));
    }
}

/* Fills in the steps to `wanted` from each value, breadth first. */
static void find_steps(const Transitions *transitions, uint32_t wanted,
                       uint32_t *queue, uint8_t *steps) {
  uint32_t values = transitions->values, count = 0;
  memset(steps, 0, values);
  queue[count++] = wanted;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t v = 0; v < values; v++) {
      if (v == wanted || steps[v]) continue;
      if (!bits_has(transitions->seen, (size_t)queue[i] * values + v)) continue;
      uint8_t more = steps[queue[i]];
      steps[v] = more < UINT8_MAX ? (uint8_t)(more + 1) : more;
      queue[count++] = v;
    }
  uint8_t farthest = steps[queue[count - 1]];
  for (uint32_t v = 0; v < values; v++)
    if (v != wanted && !steps[v])
      steps[v] = farthest < UINT8_MAX ? (uint8_t)(farthest + 1) : farthest;
}

void distance_learn(Distance *distance) {
  uint32_t *queue = memory_new(VALUES * sizeof *queue);
  vector_clear(&distance->steps);
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    Column *column = &distance->columns.data[c];
    if (column->kind != COLUMN_FIELD || column->negated) continue;
    const Transitions *transitions = &distance->transitions[column->first];
    if (!transitions->seen) continue;
    column->steps = distance->steps.count;
    vector_resize(&distance->steps, column->steps + transitions->values);
    find_steps(transitions, column->value, queue,
               distance->steps.data + column->steps);
  }
  memory_delete(queue);
}

void distance_forget(Distance *distance) {
  for (uint32_t c = 0; c < distance->columns.count; c++)
    distance->columns.data[c].steps = NONE;
}

/* Transitions are noted of the groups that are read. */
static void watch_fields(Distance *distance) {
  const Packing *packing = distance->packing;
  distance->transitions =
      memory_new((packing->fields.count + 1) * sizeof *distance->transitions);
  distance->field_of =
      memory_new(packing->words * 64 * sizeof *distance->field_of);
  for (uint32_t f = 0; f < packing->fields.count; f++) {
    const PackingField *field = &packing->fields.data[f];
    for (uint32_t i = 0; i < field->bits; i++)
      distance->field_of[field->first + i] = f;
  }
  for (uint32_t c = 0; c < distance->columns.count; c++) {
    const Column *column = &distance->columns.data[c];
    if (column->kind != COLUMN_FIELD || column->negated) continue;
    const PackingField *field = &packing->fields.data[column->first];
    Transitions *transitions = &distance->transitions[column->first];
    uint32_t values = values_of(field);
    if (transitions->seen || values <= 2 || values > VALUES) continue;
    transitions->values = values;
    transitions->seen =
        memory_new(bits_words((size_t)values * values) * sizeof(uint64_t));
  }
}

/* ---- making ---- */

Distance *distance_new(Packing *packing) {
  Distance *distance = memory_new(sizeof *distance);
  distance->packing = packing;
  if (!add_columns(distance) || !distance->goals.count) {
    distance_delete(distance);
    return NULL;
  }
  distance_aim(distance, distance->goals.data[0].value);
  distance->costs =
      memory_new_aligned(distance->columns.count * sizeof *distance->costs);
  for (uint32_t c = 0; c < distance->columns.count; c++)
    if (distance->columns.data[c].kind == COLUMN_CONSTANT)
      read_constant(distance, &distance->columns.data[c], distance->costs[c]);
  watch_fields(distance);
  return distance;
}

void distance_delete(Distance *distance) {
  if (!distance) return;
  for (uint32_t f = 0;
       distance->transitions && f < distance->packing->fields.count; f++)
    memory_delete(distance->transitions[f].seen);
  memory_delete(distance->transitions);
  memory_delete(distance->field_of);
  memory_delete(distance->column_of);
  memory_delete(distance->costs);
  vector_free(&distance->columns);
  vector_free(&distance->inputs);
  vector_free(&distance->goals);
  vector_free(&distance->steps);
  memory_delete(distance);
}
