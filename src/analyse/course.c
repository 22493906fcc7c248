/* Abstract interpretation: what is known of a signal is whether it may be true
   and whether it may be false. A move may be made if it may be legal, and may
   be left if another move of its role may be legal.

   A course of steps follows the initial state, one evaluation of all gates
   after another. Rounds are a least fixpoint, found as in
   reduce/reduce_constant.c: the set of stages at which a signal may be true
   grows, and each growth is passed on once. */
#include "analyse/course.h"

#include "base/trial.h"
#include "reduce/reads.h"

/* ---- evaluation ---- */

static void evaluate_gates(const Net *net, bool *may) {
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind != GATE_AND) continue;
    const Signal *inputs = net->inputs.data + g->first;
    bool all = true, other = false;
    for (uint32_t i = 0; i < g->count; i++) {
      all &= may[inputs[i]];
      other |= may[signal_not(inputs[i])];
    }
    may[gate_signal(gate)] = all;
    may[signal_not(gate_signal(gate))] = other;
  }
}

/* Loop variables may always be false, and be true if their definitions may. */
static void evaluate(const Net *net, bool *may) {
  for (bool changed = true; changed;) {
    trial_check();
    evaluate_gates(net, may);
    changed = false;
    for (uint32_t i = 0; i < net->loops.count; i++) {
      bool *loop = &may[gate_signal(net->loops.data[i].gate)];
      if (*loop || !may[net->loops.data[i].definition]) continue;
      *loop = changed = true;
    }
  }
}

static void evaluate_moves(const Net *net, bool *may) {
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t first = net->role_first.data[role], legal = 0;
    uint32_t end = net->role_first.data[role + 1];
    for (uint32_t i = first; i < end; i++)
      legal += may[net->moves.data[i].legal];
    for (uint32_t i = first; i < end; i++) {
      const NetMove *move = &net->moves.data[i];
      may[gate_signal(move->gate)] = may[move->legal];
      may[signal_not(gate_signal(move->gate))] = legal > may[move->legal];
    }
  }
}

void course_evaluate(const Net *net, const uint64_t *rows, bool *may) {
  size_t words = bits_words(net->fluents.count);
  memset(may, 0, 2 * (size_t)net->gates.count * sizeof *may);
  may[SIGNAL_TRUE] = true;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Signal signal = gate_signal(net->fluents.data[i].gate);
    may[signal] = bits_has(rows, i);
    may[signal_not(signal)] = bits_has(rows + words, i);
  }
  for (uint32_t i = 0; i < net->loops.count; i++)
    may[signal_not(gate_signal(net->loops.data[i].gate))] = true;
  evaluate(net, may);
  evaluate_moves(net, may);
  evaluate(net, may);
}

/* ---- rows ---- */

/* Adds a stage at which nothing may be; bits past the last fluent may be
   anything. */
static uint64_t *add_stage(Course *course) {
  size_t words = course_row_words(course);
  for (size_t i = 0; i < 2 * words; i++) vector_push(&course->rows, 0);
  uint64_t *rows = course->rows.data + course->stages * 2 * words;
  course->stages++;
  for (size_t i = course->net->fluents.count; i < 64 * words; i++) {
    bits_add(rows, i);
    bits_add(rows + words, i);
  }
  return rows;
}

static void fill_row(Course *course, uint64_t *rows, uint32_t fluent,
                     bool may_be, bool may_not_be) {
  if (may_be) bits_add(rows, fluent);
  if (may_not_be) bits_add(rows + course_row_words(course), fluent);
}

bool course_admits(const Course *course, uint32_t stage, const uint64_t *row) {
  size_t words = course_row_words(course);
  const uint64_t *rows = course_rows(course, stage);
  for (size_t i = 0; i < words; i++)
    if ((row[i] & ~rows[i]) | (~row[i] & ~rows[words + i])) return false;
  return true;
}

void course_free(Course *course) {
  vector_free(&course->rows);
}

/* ---- steps ---- */

static bool repeats(const Course *course, uint32_t period) {
  size_t size = 2 * course_row_words(course) * sizeof(uint64_t);
  return course->stages > period &&
         memcmp(course_rows(course, course->stages - 1),
                course_rows(course, course->stages - 1 - period), size) == 0;
}

bool course_find_steps(const Net *net, uint32_t period, uint64_t work,
                       Course *course) {
  uint64_t size = 2 * (net_count_edges(net) + net->gates.count) + 1;
  bool *may = memory_new(2 * (size_t)net->gates.count * sizeof *may);
  *course = (Course){.net = net};
  uint64_t *rows = add_stage(course);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    fill_row(course, rows, i, net->fluents.data[i].initial,
             !net->fluents.data[i].initial);
  while (!repeats(course, period) && work >= size) {
    work -= size;
    course_evaluate(net, course_rows(course, course->stages - 1), may);
    rows = add_stage(course);
    for (uint32_t i = 0; i < net->fluents.count; i++) {
      Signal next = net->fluents.data[i].next;
      fill_row(course, rows, i, may[next], may[signal_not(next)]);
    }
  }
  memory_delete(may);
  if (repeats(course, period)) {
    course->stages--;
    course->back = course->stages - period;
    return true;
  }
  course_free(course);
  return false;
}

/* ---- rounds ---- */

typedef struct Work {
  const Net *net;
  uint32_t period;
  size_t signals;
  bool *may;         /* by stage and signal */
  uint32_t *missing; /* by stage and gate: inputs that may not be true yet */
  uint32_t *first;   /* readers of signals */
  Gate *readers;
  uint32_t *takers_first; /* by gate: what its value goes to, outside gates: */
  uint32_t *takers;       /* fluent, fluents + loop, fluents + loops + move */
  uint32_t *choices;      /* by stage and role: moves that may be legal, */
  uint32_t *sole;         /* and the first of them */
  VECTOR(size_t) pending; /* places in `may` */
} Work;

static void allow(Work *work, uint32_t stage, Signal signal) {
  size_t place = stage * work->signals + signal;
  if (work->may[place]) return;
  work->may[place] = true;
  vector_push(&work->pending, place);
}

static Signal taken(const Net *net, uint32_t taker) {
  if (taker < net->fluents.count) return net->fluents.data[taker].next;
  taker -= net->fluents.count;
  if (taker < net->loops.count) return net->loops.data[taker].definition;
  return net->moves.data[taker - net->loops.count].legal;
}

static void list_takers(Work *work) {
  const Net *net = work->net;
  uint32_t count = net->fluents.count + net->loops.count + net->moves.count;
  uint32_t *first = memory_new((net->gates.count + 2) * sizeof *first);
  work->takers = memory_new((count + 1) * sizeof *work->takers);
  for (uint32_t i = 0; i < count; i++) first[signal_gate(taken(net, i)) + 2]++;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    first[gate + 2] += first[gate + 1];
  for (uint32_t i = 0; i < count; i++)
    work->takers[first[signal_gate(taken(net, i)) + 1]++] = i;
  work->takers_first = first;
}

/* A role may make the move at this stage; the others may be left. */
static void allow_move(Work *work, uint32_t stage, uint32_t number) {
  const Net *net = work->net;
  uint32_t role = net->moves.data[number].role;
  size_t at = (size_t)stage * net->role_count + role;
  allow(work, stage, gate_signal(net->moves.data[number].gate));
  work->choices[at]++;
  if (work->choices[at] > 2) return;
  if (work->choices[at] == 2) {
    Gate gate = net->moves.data[work->sole[at]].gate;
    allow(work, stage, signal_not(gate_signal(gate)));
    return;
  }
  work->sole[at] = number;
  for (uint32_t i = net->role_first.data[role];
       i < net->role_first.data[role + 1]; i++)
    if (i != number)
      allow(work, stage, signal_not(gate_signal(net->moves.data[i].gate)));
}

static void take(Work *work, uint32_t stage, Signal signal, uint32_t taker) {
  const Net *net = work->net;
  bool negated = signal != taken(net, taker);
  if (taker < net->fluents.count) {
    allow(work, (stage + 1) % work->period,
          gate_signal(net->fluents.data[taker].gate) | negated);
    return;
  }
  taker -= net->fluents.count;
  if (taker < net->loops.count)
    allow(work, stage, gate_signal(net->loops.data[taker].gate) | negated);
  else if (!negated)
    allow_move(work, stage, taker - net->loops.count);
}

static void spread(Work *work, uint32_t stage, Signal signal) {
  Gate gate = signal_gate(signal);
  Signal negated = signal_not(signal);
  uint32_t *missing = work->missing + stage * (work->signals / 2);
  for (uint32_t i = work->takers_first[gate]; i < work->takers_first[gate + 1];
       i++)
    take(work, stage, signal, work->takers[i]);
  for (uint32_t i = work->first[signal]; i < work->first[signal + 1]; i++)
    if (--missing[work->readers[i]] == 0)
      allow(work, stage, gate_signal(work->readers[i]));
  for (uint32_t i = work->first[negated]; i < work->first[negated + 1]; i++)
    allow(work, stage, signal_not(gate_signal(work->readers[i])));
}

static void begin(Work *work) {
  const Net *net = work->net;
  for (uint32_t stage = 0; stage < work->period; stage++) {
    uint32_t *missing = work->missing + stage * (work->signals / 2);
    for (Gate gate = 0; gate < net->gates.count; gate++)
      missing[gate] = net->gates.data[gate].count;
    allow(work, stage, SIGNAL_TRUE);
    for (uint32_t i = 0; i < net->loops.count; i++)
      allow(work, stage, signal_not(gate_signal(net->loops.data[i].gate)));
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    allow(work, 0,
          gate_signal(net->fluents.data[i].gate) |
              !net->fluents.data[i].initial);
}

static void grow(Work *work) {
  size_t gates = work->net->gates.count;
  bool *all = memory_new(gates * sizeof *all);
  memset(all, 1, gates * sizeof *all);
  reads_list(work->net, all, &work->first, &work->readers);
  list_takers(work);
  begin(work);
  while (work->pending.count) {
    trial_check();
    size_t place = work->pending.data[--work->pending.count];
    spread(work, (uint32_t)(place / work->signals),
           (Signal)(place % work->signals));
  }
  memory_delete(all);
  memory_delete(work->first);
  memory_delete(work->readers);
  memory_delete(work->takers_first);
  memory_delete(work->takers);
  vector_free(&work->pending);
}

void course_find_rounds(const Net *net, uint32_t period, Course *course) {
  size_t gates = net->gates.count, roles = (size_t)period * net->role_count;
  Work work = {.net = net,
               .period = period,
               .signals = 2 * gates,
               .may = memory_new(period * 2 * gates * sizeof(bool)),
               .missing = memory_new(period * gates * sizeof(uint32_t)),
               .choices = memory_new(roles * sizeof(uint32_t)),
               .sole = memory_new(roles * sizeof(uint32_t))};
  grow(&work);
  *course = (Course){.net = net};
  for (uint32_t stage = 0; stage < period; stage++) {
    const bool *may = work.may + stage * work.signals;
    uint64_t *rows = add_stage(course);
    for (uint32_t i = 0; i < net->fluents.count; i++) {
      Signal signal = gate_signal(net->fluents.data[i].gate);
      fill_row(course, rows, i, may[signal], may[signal_not(signal)]);
    }
  }
  memory_delete(work.may);
  memory_delete(work.missing);
  memory_delete(work.choices);
  memory_delete(work.sole);
}
