/* Everything is proved by evaluating the net with some fluents known and all
   else unknown: values are false, true or unknown. */
#include "gpu/pairing.h"

enum { FALSE, TRUE, UNKNOWN };

typedef struct Fixed {
  uint32_t fluent;
  bool value;
} Fixed;

static uint8_t value_of(const uint8_t *values, Signal signal) {
  uint8_t value = values[signal_gate(signal)];
  return value == UNKNOWN ? UNKNOWN : value ^ signal_negated(signal);
}

static uint8_t and_of(const Net *net, const uint8_t *values, Gate gate) {
  const Signal *inputs = net_inputs(net, gate);
  uint8_t result = TRUE;
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++) {
    uint8_t value = value_of(values, inputs[i]);
    if (value == FALSE) return FALSE;
    if (value == UNKNOWN) result = UNKNOWN;
  }
  return result;
}

static void evaluate(const Net *net, const Fixed *fixed, uint32_t count,
                     uint8_t *values) {
  for (Gate i = 0; i < net->gates.count; i++) switch (net->gates.data[i].kind) {
    case GATE_CONSTANT: values[i] = FALSE; break;
    case GATE_AND: values[i] = and_of(net, values, i); break;
    case GATE_FLUENT:
      values[i] = UNKNOWN;
      for (uint32_t k = 0; k < count; k++)
        if (fixed[k].fluent == net->gates.data[i].first)
          values[i] = fixed[k].value;
      break;
    case GATE_MOVE:
    case GATE_LOOP: values[i] = UNKNOWN; break;
    }
}

/* Returns whether the fluent guards the role; finds its wait. */
static bool is_guard(const Net *net, uint32_t role, PairingRole *guard,
                     uint8_t *without, uint8_t *with) {
  evaluate(net, &(Fixed){guard->fluent, guard->negated}, 1, without);
  evaluate(net, &(Fixed){guard->fluent, !guard->negated}, 1, with);
  uint32_t waits = 0;
  for (uint32_t i = net->role_first.data[role];
       i < net->role_first.data[role + 1]; i++) {
    Signal legal = net->moves.data[i].legal;
    if (value_of(without, legal) == FALSE) continue;
    if (value_of(with, legal) != FALSE) return false;
    guard->wait = i;
    waits++;
  }
  return waits == 1;
}

/* Lists the fluents that must hold, plain or negated, for a gate to be true. */
static void list_conditions(const Net *net, Gate gate,
                            NumberVector *conditions) {
  if (net->gates.data[gate].kind != GATE_AND) return;
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++) {
    Signal input = net_inputs(net, gate)[i];
    if (net->gates.data[signal_gate(input)].kind == GATE_FLUENT)
      vector_push(conditions, input);
    else if (!signal_negated(input))
      list_conditions(net, signal_gate(input), conditions);
  }
}

/* Tries the conditions of a move in the middle. */
static bool find_guard(const Net *net, uint32_t role, PairingRole *guard) {
  enum { TRIED_MOST = 64 };
  uint8_t *without = memory_new(net->gates.count);
  uint8_t *with = memory_new(net->gates.count);
  uint32_t first = net->role_first.data[role];
  uint32_t moves = net->role_first.data[role + 1] - first;
  NumberVector conditions = {0};
  bool found = false;
  if (moves > 2)
    list_conditions(net, signal_gate(net->moves.data[first + moves / 2].legal),
                    &conditions);
  for (uint32_t i = 0; i < conditions.count && i < TRIED_MOST && !found; i++) {
    Signal input = conditions.data[i];
    *guard = (PairingRole){.fluent = net->gates.data[signal_gate(input)].first,
                           .negated = signal_negated(input)};
    found = is_guard(net, role, guard, without, with);
  }
  vector_free(&conditions);
  memory_delete(without);
  memory_delete(with);
  return found;
}

/* Returns whether both guards are true in the next state for certain not. */
static bool stay_apart(const Net *net, const PairingRole *roles, bool first,
                       bool second, uint8_t *values) {
  Fixed fixed[2] = {{roles[0].fluent, first != roles[0].negated},
                    {roles[1].fluent, second != roles[1].negated}};
  evaluate(net, fixed, 2, values);
  for (uint32_t i = 0; i < 2; i++) {
    uint8_t next = value_of(values, net->fluents.data[roles[i].fluent].next);
    if (next != UNKNOWN && (next == TRUE) == roles[i].negated) return true;
  }
  return false;
}

static bool are_apart(const Net *net, const PairingRole *roles) {
  if (roles[0].fluent == roles[1].fluent)
    return roles[0].negated != roles[1].negated;
  uint8_t *values = memory_new(net->gates.count);
  bool initial[2];
  for (uint32_t i = 0; i < 2; i++)
    initial[i] = net->fluents.data[roles[i].fluent].initial != roles[i].negated;
  bool apart = !(initial[0] && initial[1]) &&
               stay_apart(net, roles, true, false, values) &&
               stay_apart(net, roles, false, true, values) &&
               stay_apart(net, roles, false, false, values);
  memory_delete(values);
  return apart;
}

static uint32_t round_up(uint32_t count, uint32_t unit) {
  return (count + unit - 1) / unit * unit;
}

static void pair_moves(Pairing *pairing, const Net *net, uint32_t unit) {
  uint32_t most = 0;
  for (uint32_t role = 0; role < 2; role++) {
    uint32_t slot = 0;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++)
      if (i != pairing->roles[role].wait) pairing->slot[i] = slot++;
    if (slot > most) most = slot;
  }
  most = round_up(most, unit);
  pairing->choices[0] = (PairingChoice){0, most};
  pairing->slots = most + 2;
  for (uint32_t role = 0; role < 2; role++)
    pairing->slot[pairing->roles[role].wait] = most + role;
}

static void place_moves(Pairing *pairing, const Net *net, const Leg *leg,
                        uint32_t unit) {
  for (uint32_t role = 0; role < net->role_count; role++) {
    PairingChoice *choice = &pairing->choices[role];
    choice->first = pairing->slots;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++) {
      bool may = !leg || leg->legal[i] != LEG_NEVER;
      pairing->slot[i] = may ? choice->first + choice->count++ : PAIRING_NONE;
    }
    if (choice->count > 1) choice->count = round_up(choice->count, unit);
    pairing->slots += choice->count;
  }
}

void pairing_init(Pairing *pairing, const Net *net, const Leg *leg,
                  uint32_t unit) {
  *pairing = (Pairing){
      .slot = memory_new((net->moves.count + 1) * sizeof *pairing->slot),
      .choices = memory_new(net->role_count * sizeof *pairing->choices)};
  pairing->paired =
      !leg && net->role_count == 2 && find_guard(net, 0, &pairing->roles[0]) &&
      find_guard(net, 1, &pairing->roles[1]) && are_apart(net, pairing->roles);
  if (pairing->paired)
    pair_moves(pairing, net, unit);
  else
    place_moves(pairing, net, leg, unit);
}

void pairing_free(Pairing *pairing) {
  memory_delete(pairing->slot);
  memory_delete(pairing->choices);
}
