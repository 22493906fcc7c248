/* Final goals depend on how the game came to its end: that both players have a
   line is excluded only because the game would have been over before. So the
   question is asked one step ahead: a net is made in which goals and the end of
   the game are those of the successor, and the prover refutes, for a state that
   is not terminal and a legal joint move, that the successor is terminal with
   two goals whose sum is another. */
#include "analyse/sums.h"

/* ---- one step ahead ---- */

typedef struct Ahead {
  Net net;         /* with the goals of the successor */
  Signal terminal; /* of the successor */
} Ahead;

static Signal mapped(const Signal *map, Signal signal) {
  Signal own = map[signal_gate(signal)];
  return signal_negated(signal) ? signal_not(own) : own;
}

/* Maps the ANDs of a net, given the map of its other gates. */
static void map_ands(const Net *net, Net *to, Signal *map, const bool *wanted) {
  NumberVector list = {0};
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind != GATE_AND || (wanted && !wanted[gate])) continue;
    vector_clear(&list);
    for (uint32_t i = 0; i < g->count; i++)
      vector_push(&list, mapped(map, net_inputs(net, gate)[i]));
    map[gate] = net_and(to, list.data, list.count);
  }
  vector_free(&list);
}

/* Marks what the end of the game and the goals depend on. */
static void mark_final(const Net *net, bool *wanted) {
  wanted[signal_gate(net->terminal)] = true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    wanted[signal_gate(net->goals.data[i].signal)] = true;
  for (Gate gate = net->gates.count; gate-- > 0;)
    for (uint32_t i = 0; wanted[gate] && i < net->gates.data[gate].count &&
                         net->gates.data[gate].kind == GATE_AND;
         i++)
      wanted[signal_gate(net_inputs(net, gate)[i])] = true;
}

static void copy_now(const Net *net, Net *to, Signal *map) {
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    const NetFluent *fluent = &net->fluents.data[i];
    map[fluent->gate] = net_add_fluent(to, fluent->term, fluent->initial);
  }
  for (uint32_t i = 0; i < net->moves.count; i++) {
    const NetMove *move = &net->moves.data[i];
    map[move->gate] = net_add_move(to, move->role, move->term);
  }
  map_ands(net, to, map, NULL);
  for (uint32_t i = 0; i < net->moves.count; i++)
    to->moves.data[i].legal = mapped(map, net->moves.data[i].legal);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    to->fluents.data[i].next = mapped(map, net->fluents.data[i].next);
  to->terminal = mapped(map, net->terminal);
}

static void look_ahead(Ahead *ahead, const Net *net) {
  uint32_t gates = net->gates.count;
  Signal *map = memory_new(gates * sizeof *map);
  bool *wanted = memory_new(gates * sizeof *wanted);
  net_init(&ahead->net, net->role_count);
  copy_now(net, &ahead->net, map);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    map[net->fluents.data[i].gate] = ahead->net.fluents.data[i].next;
  mark_final(net, wanted);
  map_ands(net, &ahead->net, map, wanted);
  ahead->terminal = mapped(map, net->terminal);
  for (uint32_t i = 0; i < net->goals.count; i++) {
    NetGoal goal = net->goals.data[i];
    goal.signal = mapped(map, goal.signal);
    vector_push(&ahead->net.goals, goal);
  }
  memory_delete(map);
  memory_delete(wanted);
}

/* ---- the proof ---- */

/* No final successor has these two goals. */
static bool refute_pairs(Prover *prover, const Ahead *ahead, int sum) {
  const Net *net = &ahead->net;
  for (uint32_t i = 0; i < net->goals.count; i++)
    for (uint32_t j = 0; j < i; j++) {
      const NetGoal *a = &net->goals.data[i], *b = &net->goals.data[j];
      if (a->role == b->role || a->value + b->value == sum) continue;
      Signal question[3] = {ahead->terminal, a->signal, b->signal};
      if (!prover_refutes(prover, question, 3)) return false;
    }
  return true;
}

/* No final successor is without a goal of this role. */
static bool refute_none(Prover *prover, const Ahead *ahead, uint32_t role) {
  const Net *net = &ahead->net;
  NumberVector question = {0};
  vector_push(&question, ahead->terminal);
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].role == role)
      vector_push(&question, signal_not(net->goals.data[i].signal));
  bool refuted = prover_refutes(prover, question.data, question.count);
  vector_free(&question);
  return refuted;
}

bool sums_prove(const Net *net, const OneHot *onehot, int sum,
                uint64_t propagations, double seconds) {
  if (net->role_count != 2 || net->loops.count) return false;
  Ahead ahead;
  NumberVector list = {0};
  look_ahead(&ahead, net);
  Prover *prover = prover_new(&ahead.net, propagations, seconds);
  onehot_assume(onehot, prover);
  vector_push(&list, ahead.net.terminal);
  vector_push(&list, ahead.terminal);
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(&list, ahead.net.goals.data[i].signal);
  prover_focus(prover, list.data, list.count);
  bool proved = refute_none(prover, &ahead, 0) &&
                refute_none(prover, &ahead, 1) &&
                refute_pairs(prover, &ahead, sum);
  vector_free(&list);
  prover_delete(prover);
  net_free(&ahead.net);
  return proved;
}
