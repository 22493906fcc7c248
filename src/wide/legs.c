/* A leg's net is the whole net with every gate replaced whose value is known in
   all states of the leg. */
#include "wide/legs.h"

#include "base/together.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

/* ---- the net of a leg ---- */

static void map_gate(Rebuild *rebuild, const bool *may, Gate gate) {
  Signal signal = gate_signal(gate);
  if (!may[signal])
    rebuild->map[gate] = SIGNAL_FALSE;
  else if (!may[signal_not(signal)])
    rebuild->map[gate] = SIGNAL_TRUE;
  else if (rebuild_is_and(rebuild, gate))
    rebuild_copy(rebuild, gate);
}

/* Makes the net of states that the rows admit. Writes to `values` the signals
   of the fluents, or what is known of them. */
static void specialise(const Net *net, const uint64_t *rows, Net *to,
                       Signal *values) {
  bool *may = memory_new(2 * (size_t)net->gates.count * sizeof *may);
  Rebuild rebuild;
  course_evaluate(net, rows, may);
  rebuild_begin(&rebuild, net, to);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    if (rebuild.live[gate] || net->gates.data[gate].kind == GATE_FLUENT)
      map_gate(&rebuild, may, gate);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    values[i] = rebuild.map[net->fluents.data[i].gate];
  rebuild_end(&rebuild);
  memory_delete(may);
}

/* What others used may now be used only once. No reduction that relies on play
   from the initial state will do: the successors are those of other legs. */
static void reduce(Net *net) {
  static Reduction *const all[] = {reduce_single_use, reduce_distribute,
                                   reduce_single_use, reduce_lines,
                                   reduce_absorb,     reduce_single_use};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    Net smaller;
    all[i](net, &smaller, &(ReduceOptions){0});
    net_free(net);
    *net = smaller;
  }
}

/* ---- programs ---- */

/* Legality is computed in the vectors of the moves, which are then chosen
   there: amazons_10x10 gains 4 %. */
static void compile_look(Leg *leg, const Net *net) {
  uint32_t count = net->moves.count, seen = 0;
  Signal *outputs = memory_new((count + 1) * sizeof *outputs);
  uint32_t *places = memory_new((count + 1) * sizeof *places);
  leg->legal = memory_new(count * sizeof *leg->legal);
  for (uint32_t i = 0; i < count; i++) {
    Signal legal = net->moves.data[i].legal;
    if (legal == SIGNAL_FALSE) continue;
    places[seen] = net->fluents.count + i;
    outputs[seen++] = legal;
  }
  outputs[seen] = net->terminal;
  places[seen] = PROGRAM_ANYWHERE;
  leg->look = program_new_placed(net, outputs, seen + 1, places);
  leg->terminal = program_output(leg->look, seen);
  seen = 0;
  for (uint32_t i = 0; i < count; i++)
    leg->legal[i] = net->moves.data[i].legal == SIGNAL_FALSE
                        ? LEG_NEVER
                        : program_output(leg->look, seen++);
  memory_delete(outputs);
  memory_delete(places);
}

static void compile_next(Leg *leg, const Net *net, const Signal *values,
                         uint32_t **list, uint32_t *count) {
  uint32_t fluents = net->fluents.count;
  Signal *outputs = memory_new(fluents * sizeof *outputs);
  *list = memory_new(fluents * sizeof **list);
  *count = 0;
  leg->rest = memory_new(fluents * sizeof *leg->rest);
  for (uint32_t i = 0; i < fluents; i++) {
    const NetFluent *fluent = &net->fluents.data[i];
    if (fluent->next == values[i]) {
      leg->rest[leg->rest_count++] = (SlicedCopy){i, i, fluent->initial};
    } else {
      outputs[*count] = fluent->next;
      (*list)[(*count)++] = i;
    }
  }
  leg->next = program_new_step(net, outputs, *count, *list);
  memory_delete(outputs);
}

static void grow(uint32_t *vectors, uint32_t to) {
  if (to > *vectors) *vectors = to;
}

/* What the stages of the leg admit together. */
static uint64_t *join_rows(const Legs *legs, uint32_t index) {
  size_t words = 2 * course_row_words(&legs->course);
  uint64_t *rows = memory_new(words * sizeof *rows);
  for (uint32_t stage = 0; stage < legs->course.stages; stage++)
    for (size_t i = 0; i < words && legs->of_stage[stage] == index; i++)
      rows[i] |= course_rows(&legs->course, stage)[i];
  return rows;
}

typedef struct Job {
  const Legs *legs;
  uint32_t index;
  Leg leg;
  uint32_t vectors;
} Job;

static void order_changes(Job *job, const Net *whole, const uint32_t *list,
                          uint32_t count) {
  Leg *leg = &job->leg;
  uint32_t first = program_vectors(leg->next);
  copies_order(whole, leg->next, list, count, false, first, &leg->changes);
  copies_order(whole, leg->next, list, count, true, first, &leg->late);
  leg->assigns = leg->late.copy_count < leg->changes.copy_count;
  job->vectors = program_vectors(leg->look);
  grow(&job->vectors, first + leg->changes.save_count);
  grow(&job->vectors, first + leg->late.save_count);
}

static void make_leg(void *context) {
  Job *job = context;
  const Net *whole = job->legs->course.net;
  Leg *leg = &job->leg;
  Signal *values = memory_new(whole->fluents.count * sizeof *values);
  uint64_t *rows = join_rows(job->legs, job->index);
  Net net;
  uint32_t *list, count;
  *leg = (Leg){.number = job->leg.number};
  specialise(whole, rows, &net, values);
  reduce(&net);
  compile_look(leg, &net);
  compile_next(leg, &net, values, &list, &count);
  order_changes(job, whole, list, count);
  memory_delete(list);
  memory_delete(values);
  memory_delete(rows);
  net_free(&net);
}

/* Gives a leg to every stage: one to stages of as many rounds as there must be
   for `most` legs, at the same step of the round. */
static void give_legs(Legs *legs, uint32_t period, uint32_t most) {
  uint32_t stages = legs->course.stages;
  uint32_t rounds = (stages + most - 1) / most;
  legs->of_stage = memory_new(stages * sizeof *legs->of_stage);
  for (uint32_t i = 0; i < stages; i++) {
    uint32_t leg = i / period / rounds * period + i % period;
    legs->of_stage[i] = leg;
    if (leg >= legs->count) legs->count = leg + 1;
  }
}

/* Inputs of gates that are not known, of gates that are not. */
static uint64_t count_unknown(const Net *net, const bool *may) {
  uint64_t count = 0;
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind != GATE_AND || !may[gate_signal(gate)] ||
        !may[signal_not(gate_signal(gate))])
      continue;
    for (uint32_t i = 0; i < g->count; i++) {
      Signal input = net->inputs.data[g->first + i];
      count += may[input] && may[signal_not(input)];
    }
  }
  return count;
}

double legs_estimate(const Course *course, uint32_t period, uint32_t most,
                     uint32_t steps) {
  const Net *net = course->net;
  Legs legs = {.course = *course};
  bool *may = memory_new(2 * (size_t)net->gates.count * sizeof *may);
  double sum = 0;
  give_legs(&legs, period, most);
  uint64_t *counts = memory_new(legs.count * sizeof *counts);
  for (uint32_t i = 0; i < legs.count; i++) {
    uint64_t *rows = join_rows(&legs, i);
    course_evaluate(net, rows, may);
    counts[i] = count_unknown(net, may);
    memory_delete(rows);
  }
  for (uint32_t i = 0; i < steps; i++)
    sum += (double)counts[legs.of_stage[course_stage(course, i)]];
  memory_delete(legs.of_stage);
  memory_delete(counts);
  memory_delete(may);
  return sum;
}

Legs *legs_new(Course course, uint32_t period, uint32_t most, uint32_t first) {
  Legs *legs = memory_new(sizeof *legs);
  legs->course = course;
  give_legs(legs, period, most);
  legs->list = memory_new(legs->count * sizeof *legs->list);
  Job *jobs = memory_new(legs->count * sizeof *jobs);
  for (uint32_t i = 0; i < legs->count; i++)
    jobs[i] = (Job){.legs = legs, .index = i, .leg = {.number = first + i}};
  together_run(make_leg, jobs, sizeof *jobs, legs->count);
  for (uint32_t i = 0; i < legs->count; i++) {
    legs->list[i] = jobs[i].leg;
    grow(&legs->vectors, jobs[i].vectors);
  }
  memory_delete(jobs);
  return legs;
}

void legs_delete(Legs *legs) {
  for (uint32_t i = 0; i < legs->count; i++) {
    Leg *leg = &legs->list[i];
    program_delete(leg->look);
    program_delete(leg->next);
    memory_delete(leg->legal);
    copies_free(&leg->changes);
    copies_free(&leg->late);
    memory_delete(leg->rest);
  }
  course_free(&legs->course);
  memory_delete(legs->list);
  memory_delete(legs->of_stage);
  memory_delete(legs);
}

bool legs_prepare(Legs *legs, const ProgramMode *mode) {
  for (uint32_t i = 0; i < legs->count; i++)
    if (!program_prepare(legs->list[i].look, mode) ||
        !program_prepare(legs->list[i].next, mode))
      return false;
  return true;
}

uint32_t *legs_changed(const Leg *leg, uint32_t fluents, uint32_t *count) {
  bool *rests = memory_new(fluents + 1);
  uint32_t *list = memory_new((fluents + 1) * sizeof *list);
  *count = 0;
  for (uint32_t i = 0; i < leg->rest_count; i++) rests[leg->rest[i].to] = true;
  for (uint32_t i = 0; i < fluents; i++)
    if (!rests[i]) list[(*count)++] = i;
  memory_delete(rests);
  return list;
}

/* ---- cost ---- */

uint64_t legs_cost_of(const Leg *leg, const Net *net) {
  uint64_t cost = program_gates(leg->look) + program_gates(leg->next) +
                  leg->changes.copy_count;
  for (uint32_t i = 0; i < net->moves.count; i++)
    cost += leg->legal[i] != LEG_NEVER;
  return cost;
}

double legs_cost(const Legs *legs, uint32_t steps) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < steps; i++)
    sum += legs_cost_of(legs_at(legs, i), legs->course.net);
  return (double)sum / steps;
}
