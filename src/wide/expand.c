/* States are transposed into lanes, run through the programs, as many at a time
   as there are lanes, and the results are transposed back. */
#include "wide/expand.h"

#include "wide/lanes.h"

void expand_init(Expand *expand, const Cones *cones) {
  expand->cones = cones;
  expand->ends = NULL;
  expand->memory = cones_memory_new(cones);
}

void expand_know_ends(Expand *expand, const Program *ends) {
  uint32_t vectors = program_vectors(ends);
  expand->ends = ends;
  if (vectors <= expand->cones->vectors) return;
  memory_delete(expand->memory);
  expand->memory = cones_vectors_new(expand->cones, vectors);
}

void expand_free(Expand *expand) {
  memory_delete(expand->memory);
}

/* Items first … first + count - 1 are in lanes 0 … count - 1. */
typedef struct Part {
  uint32_t first, count;
  _Alignas(64) uint64_t lanes[16]; /* the set of these lanes */
} Part;

static Part make_part(uint32_t first, uint32_t count) {
  Part part = {.first = first, .count = count};
  for (uint32_t i = 0; i < count; i++) bits_add(part.lanes, i);
  return part;
}

static void load_states(Expand *expand, const ExpandTask *task,
                        const Part *part) {
  uint32_t fluents = expand->cones->net->fluents.count;
  const uint64_t *rows[64 * 16];
  for (uint32_t i = 0; i < part->count; i++) {
    uint32_t item = part->first + i;
    uint32_t row = task->owners ? task->owners[item] : item;
    rows[i] = task->states + (size_t)row * bits_words(fluents);
  }
  lanes_load(expand->cones, rows, fluents, part->lanes, expand->memory, NULL);
}

static void make_moves(Expand *expand, const ExpandTask *task,
                       const Part *part) {
  const Cones *cones = expand->cones;
  const Net *net = cones->net;
  uint32_t words = cones->mode.words, roles = net->role_count;
  uint64_t *moves = cones_vector(cones, expand->memory, net->fluents.count);
  memset(moves, 0, (size_t)net->moves.count * words * sizeof *moves);
  for (uint32_t i = 0; i < part->count; i++)
    for (uint32_t role = 0; role < roles; role++) {
      uint32_t move = task->joints[(size_t)(part->first + i) * roles + role];
      bits_add(moves + (size_t)move * words, i);
    }
  cones_run_next(cones, expand->memory);
  cones->sliced->advance(expand->memory, words, cones->saves,
                         cones->save_count);
  cones->sliced->advance(expand->memory, words, cones->copies,
                         cones->copy_count);
}

/* Stores rows of `bits` bits, from the vectors `numbers`. */
static void store(Expand *expand, const Part *part, const uint32_t *numbers,
                  uint32_t bits, uint64_t *to) {
  uint64_t *rows[64 * 16];
  for (uint32_t i = 0; i < part->count; i++)
    rows[i] = to + (size_t)(part->first + i) * bits_words(bits);
  lanes_store(expand->cones, expand->memory, numbers, bits, part->lanes, rows);
}

static void store_terminal(Expand *expand, const Part *part, uint32_t vector,
                           bool *to) {
  const uint64_t *terminal =
      cones_vector(expand->cones, expand->memory, vector);
  for (uint32_t i = 0; i < part->count; i++)
    to[part->first + i] = bits_has(terminal, i);
}

static void store_goals(Expand *expand, const Part *part, int *to) {
  const Cones *cones = expand->cones;
  const Net *net = cones->net;
  uint32_t roles = net->role_count;
  to += (size_t)part->first * roles;
  for (uint32_t i = 0; i < part->count * roles; i++) to[i] = -1;
  cones_run_goals(cones, expand->memory);
  for (uint32_t g = 0; g < net->goals.count; g++) {
    const NetGoal *goal = &net->goals.data[g];
    const uint64_t *holds = cones_vector(cones, expand->memory, cones->goal[g]);
    for (uint32_t i = 0; i < part->count; i++)
      if (bits_has(holds, i) && to[i * roles + goal->role] < 0)
        to[i * roles + goal->role] = goal->value;
  }
}

static void run_part(Expand *expand, const ExpandTask *task, const Part *part) {
  const Cones *cones = expand->cones;
  const Net *net = cones->net;
  load_states(expand, task, part);
  if (task->joints) make_moves(expand, task, part);
  if (task->successors)
    store(expand, part, NULL, net->fluents.count, task->successors);
  if (task->terminal && !task->legal && !task->goals && expand->ends) {
    program_run(expand->ends, &cones->mode, expand->memory);
    store_terminal(expand, part, program_output(expand->ends, 0),
                   task->terminal);
    return;
  }
  if (!task->legal && !task->terminal && !task->goals) return;
  cones_run_look(cones, expand->memory);
  if (task->legal)
    store(expand, part, cones->legal, net->moves.count, task->legal);
  if (task->terminal)
    store_terminal(expand, part, cones->terminal, task->terminal);
  if (task->goals) store_goals(expand, part, task->goals);
}

void expand_run(Expand *expand, const ExpandTask *task) {
  uint32_t lanes = 64 * expand->cones->mode.words;
  for (uint32_t first = 0; first < task->count; first += lanes) {
    uint32_t rest = task->count - first;
    Part part = make_part(first, rest < lanes ? rest : lanes);
    run_part(expand, task, &part);
  }
}
