#include "solve/look.h"

void look_init(Look *look, const Net *net) {
  *look = (Look){.net = net};
  for (int value = 0; value < 2; value++)
    look->maybe[value] = memory_new(net->gates.count * sizeof(uint64_t));
  look->maybe[0][0] = UINT64_MAX;
}

void look_free(Look *look) {
  memory_delete(look->maybe[0]);
  memory_delete(look->maybe[1]);
}

void look_clear(Look *look) {
  const Net *net = look->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    look->maybe[0][net->fluents.data[i].gate] =
        look->maybe[1][net->fluents.data[i].gate] = UINT64_MAX;
  for (uint32_t i = 0; i < net->moves.count; i++)
    look->maybe[0][net->moves.data[i].gate] =
        look->maybe[1][net->moves.data[i].gate] = UINT64_MAX;
}

void look_move(Look *look, uint32_t move) {
  const Net *net = look->net;
  for (uint32_t i = 0; i < net->moves.count; i++)
    look_set(look, net->moves.data[i].gate, i == move, UINT64_MAX);
}

static void evaluate_and(Look *look, Gate gate) {
  const NetGate *and = &look->net->gates.data[gate];
  const Signal *inputs = look->net->inputs.data + and->first;
  uint64_t no = 0, yes = UINT64_MAX;
  for (uint32_t i = 0; i < and->count; i++) {
    no |= look_may(look, inputs[i], false);
    yes &= look_may(look, inputs[i], true);
  }
  look->maybe[0][gate] = no;
  look->maybe[1][gate] = yes;
}

void look_evaluate(Look *look) {
  uint32_t count = look->net->gates.count;
  for (Gate gate = 1; gate < count; gate++) {
    GateKind kind = look->net->gates.data[gate].kind;
    if (kind == GATE_AND) evaluate_and(look, gate);
    if (kind == GATE_LOOP)
      look->maybe[0][gate] = look->maybe[1][gate] = UINT64_MAX;
  }
  look->work += count;
}
