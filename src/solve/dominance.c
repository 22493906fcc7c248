/* What is asked of the net: no legality, no next value of the key and no goal
   above the floor reads an autonomous fluent, and the terminal condition is a
   disjunction of parts each of which reads none or nothing else. Then the same
   moves lead from a key to the same keys at any depth, until the game ends by a
   part that reads the key alone, or by the time limit, which every path meets
   at the same depth. A plan whose last state is terminal by its key can
   therefore be moved to lesser depths.

   A plan that ends by the time limit cannot. Goals that some key has which does
   not end the game, or of which that is not disproved, are below the floor. */
#include "solve/dominance.h"

#include <math.h>

#include "analyse/prover.h"
#include "base/bits.h"

enum { PROPAGATIONS = 200000, MOST_SCORE = 100 };

typedef struct Work {
  const Net *net;
  const Packing *packing;
  bool *timed; /* by gate: reads autonomous fluents */
  bool *keyed; /* by gate: reads others that may change, or moves */
} Work;

static bool spread(Work *work, Gate gate, Signal input) {
  bool timed = work->timed[signal_gate(input)] && !work->timed[gate];
  bool keyed = work->keyed[signal_gate(input)] && !work->keyed[gate];
  work->timed[gate] |= timed;
  work->keyed[gate] |= keyed;
  return timed || keyed;
}

/* Recursive definitions come after their variables: passes are made until
   nothing changes. */
static void find_reads(Work *work) {
  const Net *net = work->net;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Gate gate = net->fluents.data[i].gate;
    work->timed[gate] = bits_has(work->packing->timed, i);
    work->keyed[gate] =
        !work->timed[gate] && !bits_has(work->packing->fixed, i);
  }
  for (uint32_t m = 0; m < net->moves.count; m++)
    work->keyed[net->moves.data[m].gate] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (Gate gate = 0; gate < net->gates.count; gate++) {
      const NetGate *g = &net->gates.data[gate];
      for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
        spread(work, gate, net_inputs(net, gate)[i]);
      if (g->kind == GATE_LOOP)
        changed |= spread(work, gate, net->loops.data[g->first].definition);
    }
  }
}

static bool is_timed(const Work *work, Signal signal) {
  return work->timed[signal_gate(signal)];
}

/* Returns whether each part reads the key alone or the time alone. */
static bool is_divided(const Work *work, Signal signal) {
  Gate gate = signal_gate(signal);
  if (!work->timed[gate] || !work->keyed[gate]) return true;
  if (!signal_negated(signal) || !net_is_and(work->net, signal)) return false;
  for (uint32_t i = 0; i < work->net->gates.data[gate].count; i++)
    if (!is_divided(work, signal_not(net_inputs(work->net, gate)[i])))
      return false;
  return true;
}

static bool moves_are_timeless(const Work *work) {
  const Net *net = work->net;
  for (uint32_t m = 0; m < net->moves.count; m++)
    if (is_timed(work, net->moves.data[m].legal)) return false;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    bool in_key = !bits_has(work->packing->timed, i) &&
                  !bits_has(work->packing->fixed, i);
    if (in_key && is_timed(work, net->fluents.data[i].next)) return false;
  }
  return true;
}

/* Returns whether a state with this goal is always terminal. */
static bool ends_the_game(Prover *prover, Signal goal) {
  prover_focus(prover, &goal, 1);
  return prover_refutes(prover, &goal, 1);
}

/* Returns whether all goals of a value can be had by keys alone. */
static bool is_timeless(const Work *work, Prover *prover, int value) {
  for (uint32_t g = 0; g < work->net->goals.count; g++) {
    const NetGoal *goal = &work->net->goals.data[g];
    if (goal->role || goal->value != value) continue;
    if (is_timed(work, goal->signal) || !ends_the_game(prover, goal->signal))
      return false;
  }
  return true;
}

/* From above, so that what is below the floor is not asked for. */
static int find_floor(const Work *work, const Analysis *analysis) {
  Prover *prover = prover_new(work->net, PROPAGATIONS, HUGE_VAL);
  int floor = MOST_SCORE;
  if (analysis) onehot_assume(&analysis->onehot, prover);
  while (floor >= 0 && is_timeless(work, prover, floor)) floor--;
  prover_delete(prover);
  return floor;
}

int dominance_floor(const Book *book, const Packing *packing) {
  const Net *net = &book->net;
  if (!packing->timed_count) return -1;
  Work work = {.net = net, .packing = packing};
  work.timed = memory_new(net->gates.count * sizeof(bool));
  work.keyed = memory_new(net->gates.count * sizeof(bool));
  find_reads(&work);
  int floor = MOST_SCORE;
  if (moves_are_timeless(&work) && is_divided(&work, net->terminal))
    floor = find_floor(&work, packing->regular ? book->analysis : NULL);
  memory_delete(work.timed);
  memory_delete(work.keyed);
  return floor;
}
