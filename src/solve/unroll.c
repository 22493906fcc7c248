/* The values of fluents in each state are literals, many of them constants:
   those of the start and what follows from them whatever is played, such as
   step counters. A line that is over makes no moves, and fluents that are not
   constant are then false; so every line has a continuation, and what is proved
   of reachable states (at most one fluent of a group is true) can be required
   of all. */
#include "solve/unroll.h"

#include <stdlib.h>

#include "base/bits.h"

/* ---- cones ---- */

static void spread(const Net *net, bool *cone) {
  for (Gate gate = net->gates.count; gate-- > 0;) {
    const NetGate *g = &net->gates.data[gate];
    if (!cone[gate] || g->kind != GATE_AND) continue;
    for (uint32_t i = 0; i < g->count; i++)
      cone[signal_gate(net_inputs(net, gate)[i])] = true;
  }
}

static void make_cones(Unroll *unroll) {
  const Net *net = unroll->net;
  unroll->state_cone = memory_new(net->gates.count * sizeof(bool));
  unroll->move_cone = memory_new(net->gates.count * sizeof(bool));
  unroll->state_cone[signal_gate(net->terminal)] = true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    unroll->state_cone[signal_gate(net->goals.data[i].signal)] = true;
  for (uint32_t i = 0; i < net->moves.count; i++)
    unroll->state_cone[signal_gate(net->moves.data[i].legal)] = true;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    unroll->move_cone[signal_gate(net->fluents.data[i].next)] = true;
  spread(net, unroll->state_cone);
  spread(net, unroll->move_cone);
}

/* ---- states ---- */

static SatLiteral signal_literal(const Unroll *unroll, Signal signal) {
  return formula_known(&unroll->formula, formula_signal(unroll->gates, signal));
}

/* The goal is at least this value. */
static SatLiteral goal_literal(Unroll *unroll, int value) {
  const Net *net = unroll->net;
  SatLiterals list = {0};
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].value >= value)
      vector_push(&list, signal_literal(unroll, net->goals.data[i].signal));
  SatLiteral literal = formula_or(&unroll->formula, list.data, list.count);
  vector_free(&list);
  return literal;
}

static void look_at_end(Unroll *unroll, UnrollStep *step, SatLiteral before) {
  Formula *formula = &unroll->formula;
  SatLiteral terminal = signal_literal(unroll, unroll->net->terminal);
  SatLiteral now = formula_and_two(formula, terminal, before ^ 1);
  step->over = formula_or_two(formula, terminal, before);
  step->ends = unroll->ends.count;
  for (uint32_t i = 0; i < unroll->values.count; i++) {
    SatLiteral end = FORMULA_FALSE;
    if (now != FORMULA_FALSE)
      end = formula_and_two(formula, now,
                            goal_literal(unroll, (int)unroll->values.data[i]));
    vector_push(&unroll->ends, end);
  }
  unroll->closed = step->over == FORMULA_TRUE;
}

/* Makes the state whose fluents have been pushed: gates that do not depend on
   moves, and whether it is terminal. */
static void add_state(Unroll *unroll, uint32_t fluents, SatLiteral before) {
  const Net *net = unroll->net;
  UnrollStep step = {.first = unroll->moves.count, .fluents = fluents};
  for (Gate gate = 0; gate < net->gates.count; gate++)
    unroll->gates[gate] = FORMULA_NONE;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    unroll->gates[net->fluents.data[f].gate] =
        unroll->fluents.data[fluents + f];
  formula_evaluate(&unroll->formula, net, unroll->state_cone, unroll->gates);
  look_at_end(unroll, &step, before);
  vector_push(&unroll->steps, step);
}

/* ---- steps ---- */

/* A move that is the only one is made unless the line is over. */
static void add_moves(Unroll *unroll, UnrollStep *step) {
  const Net *net = unroll->net;
  Formula *formula = &unroll->formula;
  const uint64_t *later = unroll->steps.count == 1 ? unroll->later : NULL;
  SatLiterals list = {0};
  for (uint32_t m = 0; m < net->moves.count; m++) {
    SatLiteral legal = signal_literal(unroll, net->moves.data[m].legal);
    SatLiteral literal = FORMULA_FALSE;
    if (legal != FORMULA_FALSE && !(later && bits_has(later, m))) {
      literal = formula_variable(formula);
      formula_require_two(formula, literal ^ 1, legal);
      formula_require_two(formula, literal ^ 1, step->over ^ 1);
      vector_push(&unroll->moves, ((UnrollMove){m, literal}));
      vector_push(&list, literal);
    }
    unroll->gates[net->moves.data[m].gate] = literal;
  }
  step->count = list.count;
  formula_at_most_one(formula, list.data, list.count);
  vector_push(&list, step->over);
  formula_require(formula, list.data, list.count);
  vector_free(&list);
}

/* Requires what is proved of the groups. */
static void add_group(Unroll *unroll, const OneHotGroup *group,
                      const SatLiteral *fluents, SatLiteral over) {
  const uint32_t *members = onehot_members(&unroll->analysis->onehot, group);
  SatLiterals list = {0};
  bool open = false;
  for (uint32_t i = 0; i < group->count; i++) {
    vector_push(&list, fluents[members[i]]);
    open |= fluents[members[i]] > FORMULA_TRUE;
  }
  if (open && group->at_most == EVIDENCE_PROVED)
    formula_at_most_one(&unroll->formula, list.data, list.count);
  vector_push(&list, over);
  if (open && group->at_least == EVIDENCE_PROVED)
    formula_require(&unroll->formula, list.data, list.count);
  vector_free(&list);
}

static void add_fluents(Unroll *unroll, SatLiteral over) {
  const Net *net = unroll->net;
  uint32_t first = unroll->fluents.count;
  for (uint32_t f = 0; f < net->fluents.count; f++) {
    SatLiteral next = signal_literal(unroll, net->fluents.data[f].next);
    if (next > FORMULA_TRUE)
      next = formula_and_two(&unroll->formula, next, over ^ 1);
    vector_push(&unroll->fluents, next);
  }
  for (uint32_t i = 0;
       unroll->analysis && i < unroll->analysis->onehot.groups.count; i++)
    add_group(unroll, &unroll->analysis->onehot.groups.data[i],
              unroll->fluents.data + first, over);
  sat_settle(unroll->formula.sat);
  for (uint32_t i = first; i < unroll->fluents.count; i++)
    unroll->fluents.data[i] =
        formula_known(&unroll->formula, unroll->fluents.data[i]);
}

void unroll_grow(Unroll *unroll) {
  UnrollStep *step = &vector_last(&unroll->steps);
  SatLiteral over = step->over;
  add_moves(unroll, step);
  sat_settle(unroll->formula.sat);
  for (uint32_t m = 0; m < unroll->net->moves.count; m++) {
    SatLiteral *value = &unroll->gates[unroll->net->moves.data[m].gate];
    *value = formula_known(&unroll->formula, *value);
  }
  formula_evaluate(&unroll->formula, unroll->net, unroll->move_cone,
                   unroll->gates);
  uint32_t first = unroll->fluents.count;
  add_fluents(unroll, over);
  add_state(unroll, first, formula_known(&unroll->formula, over));
  sat_settle(unroll->formula.sat);
}

void unroll_read(const Unroll *unroll, MoveVector *moves) {
  for (uint32_t t = 0; t < unroll->steps.count; t++) {
    const UnrollStep *step = &unroll->steps.data[t];
    for (uint32_t i = 0; i < step->count; i++) {
      const UnrollMove *move = &unroll->moves.data[step->first + i];
      if (sat_value(unroll->formula.sat, move->literal) > 0)
        vector_push(moves, move->move);
    }
  }
}

/* ---- making ---- */

static int compare_values(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x < y) - (x > y);
}

static void list_values(Unroll *unroll) {
  const Net *net = unroll->net;
  NumberVector *values = &unroll->values;
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(values, (uint32_t)net->goals.data[i].value);
  if (values->count == 0) return;
  qsort(values->data, values->count, sizeof *values->data, compare_values);
  uint32_t kept = 1;
  for (uint32_t i = 1; i < values->count; i++)
    if (values->data[i] != values->data[kept - 1])
      values->data[kept++] = values->data[i];
  values->count = kept;
}

void unroll_init(Unroll *unroll, const Net *net, const Analysis *analysis,
                 const uint64_t *start) {
  bool proved = analysis && onehot_holds(&analysis->onehot, start);
  *unroll = (Unroll){.net = net, .analysis = proved ? analysis : NULL};
  formula_init(&unroll->formula);
  unroll->gates = memory_new(net->gates.count * sizeof *unroll->gates);
  make_cones(unroll);
  list_values(unroll);
  for (uint32_t f = 0; f < net->fluents.count; f++)
    vector_push(&unroll->fluents,
                bits_has(start, f) ? FORMULA_TRUE : FORMULA_FALSE);
  add_state(unroll, 0, FORMULA_FALSE);
  sat_begin(unroll->formula.sat, NULL, 0, NULL, 0);
}

void unroll_free(Unroll *unroll) {
  formula_free(&unroll->formula);
  vector_free(&unroll->values);
  vector_free(&unroll->steps);
  vector_free(&unroll->moves);
  vector_free(&unroll->ends);
  vector_free(&unroll->fluents);
  memory_delete(unroll->gates);
  memory_delete(unroll->state_cone);
  memory_delete(unroll->move_cone);
}
