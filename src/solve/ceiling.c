/* Every fluent is a free variable, unless it is one that stays as it is at the
   start. */
#include "solve/ceiling.h"

#include "base/bits.h"

static SatLiteral fluent_literal(Ceiling *ceiling, const Analysis *analysis,
                                 uint32_t fluent, bool now) {
  const Changes *changes = &analysis->changes;
  if (now && changes->stays_true[fluent] == EVIDENCE_PROVED)
    return FORMULA_TRUE;
  if (!now && changes->stays_false[fluent] == EVIDENCE_PROVED)
    return FORMULA_FALSE;
  return formula_variable(&ceiling->formula);
}

static void add_groups(Ceiling *ceiling, const OneHot *onehot) {
  SatLiterals list = {0};
  for (uint32_t i = 0; i < onehot->groups.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[i];
    vector_clear(&list);
    for (uint32_t j = 0; j < group->count; j++) {
      uint32_t fluent = onehot_members(onehot, group)[j];
      vector_push(&list,
                  ceiling->gates[ceiling->net->fluents.data[fluent].gate]);
    }
    if (group->at_most == EVIDENCE_PROVED)
      formula_at_most_one(&ceiling->formula, list.data, list.count);
    if (group->at_least == EVIDENCE_PROVED)
      formula_require(&ceiling->formula, list.data, list.count);
  }
  vector_free(&list);
}

static void evaluate_ends(Ceiling *ceiling) {
  const Net *net = ceiling->net;
  bool *cone = memory_new(net->gates.count * sizeof *cone);
  cone[signal_gate(net->terminal)] = true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    cone[signal_gate(net->goals.data[i].signal)] = true;
  for (Gate gate = net->gates.count; gate-- > 0;) {
    const NetGate *g = &net->gates.data[gate];
    for (uint32_t i = 0; cone[gate] && g->kind == GATE_AND && i < g->count; i++)
      cone[signal_gate(net_inputs(net, gate)[i])] = true;
  }
  formula_evaluate(&ceiling->formula, net, cone, ceiling->gates);
  memory_delete(cone);
}

void ceiling_init(Ceiling *ceiling, const Net *net, const Analysis *analysis,
                  const uint64_t *start) {
  *ceiling = (Ceiling){.net = net, .asked = -1};
  formula_init(&ceiling->formula);
  ceiling->gates = memory_new(net->gates.count * sizeof *ceiling->gates);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    ceiling->gates[gate] = FORMULA_NONE;
  for (uint32_t f = 0; f < net->fluents.count; f++)
    ceiling->gates[net->fluents.data[f].gate] =
        fluent_literal(ceiling, analysis, f, bits_has(start, f));
  add_groups(ceiling, &analysis->onehot);
  evaluate_ends(ceiling);
}

void ceiling_free(Ceiling *ceiling) {
  if (!ceiling->gates) return;
  formula_free(&ceiling->formula);
  memory_delete(ceiling->gates);
}

static void begin(Ceiling *ceiling, int goal) {
  const Net *net = ceiling->net;
  SatLiterals list = {0};
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].value >= goal)
      vector_push(&list,
                  formula_signal(ceiling->gates, net->goals.data[i].signal));
  SatLiteral question[2] = {
      formula_signal(ceiling->gates, net->terminal),
      formula_or(&ceiling->formula, list.data, list.count)};
  vector_free(&list);
  sat_begin(ceiling->formula.sat, question, 2, NULL, 0);
  ceiling->asked = goal;
}

SatAnswer ceiling_ask(Ceiling *ceiling, int goal, uint64_t propagations) {
  if (ceiling->asked != goal) begin(ceiling, goal);
  return sat_continue(ceiling->formula.sat, propagations);
}
