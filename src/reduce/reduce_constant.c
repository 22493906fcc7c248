/* Gates with one value in every state that can be reached, by abstract
   interpretation: each gate has a set of values that it may take, growing from
   the initial state. Fluents begin with their initial value and add what their
   next signal may be; moves may be done or not; an AND may be true when all
   inputs may, false when one may. Loop variables may always be false. The sets
   only grow, and each growth is passed on once, so the work is linear in the
   edges. */
#include "base/trial.h"
#include "reduce/reads.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

typedef struct Reach {
  const Net *net;
  bool *may;         /* by signal: may it be true? */
  uint32_t *missing; /* by gate: inputs that may not be true yet */
  uint32_t *first;   /* readers of signals */
  Gate *readers;
  uint32_t *carriers_first; /* fluents and loops that a gate's value goes to */
  uint32_t *carriers;       /* fluent, or fluents + loop */
  NumberVector pending;     /* signals that have become possible */
} Reach;

static void allow(Reach *reach, Signal signal) {
  if (reach->may[signal]) return;
  reach->may[signal] = true;
  vector_push(&reach->pending, signal);
}

/* Lists the fluents and loops that each gate feeds, as reads_list does ANDs. */
static void list_carriers(Reach *reach) {
  const Net *net = reach->net;
  uint32_t count = net->fluents.count + net->loops.count;
  uint32_t *first = memory_new((net->gates.count + 2) * sizeof *first);
  reach->carriers = memory_new(count * sizeof *reach->carriers);
  for (uint32_t round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < count; i++) {
      Signal signal = i < net->fluents.count
                          ? net->fluents.data[i].next
                          : net->loops.data[i - net->fluents.count].definition;
      uint32_t *at = &first[signal_gate(signal) + 1];
      if (round == 0)
        at[1]++;
      else
        reach->carriers[(*at)++] = i;
    }
    for (Gate gate = 0; round == 0 && gate < net->gates.count; gate++)
      first[gate + 2] += first[gate + 1];
  }
  reach->carriers_first = first;
}

static void carry(Reach *reach, Signal signal) {
  const Net *net = reach->net;
  Gate gate = signal_gate(signal);
  for (uint32_t i = reach->carriers_first[gate];
       i < reach->carriers_first[gate + 1]; i++) {
    uint32_t carrier = reach->carriers[i];
    bool fluent = carrier < net->fluents.count;
    const NetLoop *loop =
        fluent ? NULL : &net->loops.data[carrier - net->fluents.count];
    Signal source = fluent ? net->fluents.data[carrier].next : loop->definition;
    Gate target = fluent ? net->fluents.data[carrier].gate : loop->gate;
    allow(reach, gate_signal(target) | (signal != source));
  }
}

static void spread(Reach *reach, Signal signal) {
  trial_check();
  carry(reach, signal);
  for (uint32_t i = reach->first[signal]; i < reach->first[signal + 1]; i++) {
    Gate reader = reach->readers[i];
    if (--reach->missing[reader] == 0) allow(reach, gate_signal(reader));
  }
  Signal negated = signal_not(signal);
  for (uint32_t i = reach->first[negated]; i < reach->first[negated + 1]; i++)
    allow(reach, signal_not(gate_signal(reach->readers[i])));
}

static void begin(Reach *reach) {
  const Net *net = reach->net;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    reach->missing[gate] = net->gates.data[gate].count;
  allow(reach, SIGNAL_TRUE);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    allow(reach, gate_signal(net->fluents.data[i].gate) |
                     !net->fluents.data[i].initial);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    const NetMove *move = &net->moves.data[i];
    const uint32_t *first = net->role_first.data + move->role;
    allow(reach, gate_signal(move->gate));
    if (first[1] - first[0] > 1)
      allow(reach, signal_not(gate_signal(move->gate)));
  }
  for (uint32_t i = 0; i < net->loops.count; i++)
    allow(reach, signal_not(gate_signal(net->loops.data[i].gate)));
}

static void map_gate(Rebuild *rebuild, const Reach *reach, Gate gate) {
  if (!reach->may[gate_signal(gate)])
    rebuild->map[gate] = SIGNAL_FALSE;
  else if (!reach->may[signal_not(gate_signal(gate))])
    rebuild->map[gate] = SIGNAL_TRUE;
  else if (reach->net->gates.data[gate].kind == GATE_AND)
    rebuild_copy(rebuild, gate);
}

static bool finds_constants(const Rebuild *rebuild, const Reach *reach) {
  for (Gate gate = 1; gate < reach->net->gates.count; gate++)
    if (rebuild->live[gate] && !(reach->may[gate_signal(gate)] &&
                                 reach->may[signal_not(gate_signal(gate))]))
      return true;
  return false;
}

void reduce_constant(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  Rebuild rebuild;
  Reach reach = {.net = in};
  rebuild_begin(&rebuild, in, out);
  reach.may = memory_new(in->gates.count * 2 * sizeof *reach.may);
  reach.missing = memory_new(in->gates.count * sizeof *reach.missing);
  reads_list(in, rebuild.live, &reach.first, &reach.readers);
  list_carriers(&reach);
  begin(&reach);
  while (reach.pending.count) {
    Signal signal = reach.pending.data[--reach.pending.count];
    spread(&reach, signal);
  }
  if (finds_constants(&rebuild, &reach)) {
    for (Gate gate = 0; gate < in->gates.count; gate++)
      if (rebuild.live[gate]) map_gate(&rebuild, &reach, gate);
  } else {
    rebuild_copy_all(&rebuild);
  }
  memory_delete(reach.may);
  memory_delete(reach.missing);
  memory_delete(reach.first);
  memory_delete(reach.readers);
  memory_delete(reach.carriers);
  memory_delete(reach.carriers_first);
  vector_free(&reach.pending);
  rebuild_end(&rebuild);
}
