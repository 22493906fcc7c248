#include "value/degree.h"

#include "base/bits.h"
#include "base/memory.h"

enum { MOST_ROUNDS = 100 }; /* of a stage */

static const float most_weight = 1e6f;

static void weigh(Degree *degree, uint32_t g) {
  const ConeGate *gate = &degree->cone->gates.data[g];
  float sum = 0, most = 1;
  degree->weight[2 * g] = degree->weight[2 * g + 1] = 1;
  if (gate->kind != GATE_AND) return;
  for (uint32_t i = 0; i < gate->count; i++) {
    Reading input = degree->cone->inputs.data[gate->first + i];
    sum += degree->weight[input];
    if (degree->weight[input ^ 1] > most) most = degree->weight[input ^ 1];
  }
  degree->weight[2 * g] = sum < most_weight ? sum : most_weight;
  degree->weight[2 * g + 1] = most;
}

void degree_init(Degree *degree, const Cone *cone) {
  *degree = (Degree){.cone = cone, .strict = cone->gates.count};
  degree->weight =
      memory_new((2 * (size_t)cone->gates.count + 1) * sizeof(float));
  for (uint32_t g = 0; g < cone->gates.count; g++) {
    weigh(degree, g);
    if (cone->gates.data[g].kind == GATE_LOOP && g < degree->strict)
      degree->strict = g;
  }
  for (uint32_t s = 0; s + 1 < cone->stages.count; s++)
    if (cone->stages.data[s + 1] > degree->strict) {
      degree->strict = cone->stages.data[s];
      break;
    }
}

void degree_free(Degree *degree) {
  memory_delete(degree->weight);
}

static void conjoin(const Degree *degree, uint32_t g, float *degrees) {
  const ConeGate *gate = &degree->cone->gates.data[g];
  const Reading *inputs = degree->cone->inputs.data + gate->first;
  float sum = 0, weights = 0, least = 1, most = 0;
  for (uint32_t i = 0; i < gate->count; i++) {
    float own = degrees[inputs[i]], other = degrees[inputs[i] ^ 1];
    sum += degree->weight[inputs[i]] * own;
    weights += degree->weight[inputs[i]];
    least = own < least ? own : least;
    most = other > most ? other : most;
  }
  degrees[2 * g] = g >= degree->strict ? least : sum / weights;
  degrees[2 * g + 1] = most;
}

static bool run_stage(const Degree *degree, uint32_t from, uint32_t to,
                      float *degrees) {
  const Cone *cone = degree->cone;
  bool changed = false;
  for (uint32_t g = from; g < to; g++)
    if (cone->gates.data[g].kind == GATE_AND) conjoin(degree, g, degrees);
  for (uint32_t g = from; g < to; g++) {
    if (cone->gates.data[g].kind != GATE_LOOP) continue;
    Reading definition = cone->gates.data[g].first;
    changed |= degrees[definition] > degrees[2 * g];
    degrees[2 * g] = degrees[definition];
    degrees[2 * g + 1] = degrees[definition ^ 1];
  }
  return changed;
}

void degree_run(const Degree *degree, const uint64_t *state, float *degrees) {
  const Cone *cone = degree->cone;
  for (uint32_t g = 0; g < cone->gates.count; g++) {
    const ConeGate *gate = &cone->gates.data[g];
    if (gate->kind == GATE_AND) continue;
    bool holds = gate->kind == GATE_FLUENT && bits_has(state, gate->first);
    degrees[2 * g] = holds ? 1 : 0;
    degrees[2 * g + 1] = holds ? 0 : 1;
  }
  for (uint32_t s = 0; s + 1 < cone->stages.count; s++) {
    uint32_t rounds = 0;
    while (run_stage(degree, cone->stages.data[s], cone->stages.data[s + 1],
                     degrees) &&
           ++rounds < MOST_ROUNDS)
      continue;
  }
}
