/* An AND read once, by an AND, becomes part of it. Since an OR is a negated AND
   of negated signals, an OR read once by an OR is the same case. */
#include "reduce/reads.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

static bool is_part(const Net *net, const uint32_t *uses, Signal signal) {
  return !signal_negated(signal) && uses[signal_gate(signal)] == 1 &&
         net_is_and(net, signal);
}

/* Marks the gates whose only reader is an AND that takes them in; returns false
   if there are none. */
static bool mark_parts(const Rebuild *rebuild, const uint32_t *uses,
                       bool *part) {
  const Net *net = rebuild->from;
  bool found = false;
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!rebuild_is_and(rebuild, gate)) continue;
    const Signal *inputs = net_inputs(net, gate);
    for (uint32_t i = 0; i < net->gates.data[gate].count; i++)
      if (is_part(net, uses, inputs[i]))
        part[signal_gate(inputs[i])] = found = true;
  }
  return found;
}

static void collect(Rebuild *rebuild, const bool *part, Gate root,
                    NumberVector *stack) {
  const Net *net = rebuild->from;
  vector_clear(&rebuild->list);
  vector_push(stack, root);
  while (stack->count) {
    Gate gate = stack->data[--stack->count];
    const Signal *inputs = net_inputs(net, gate);
    for (uint32_t i = 0; i < net->gates.data[gate].count; i++)
      if (part[signal_gate(inputs[i])])
        vector_push(stack, signal_gate(inputs[i]));
      else
        vector_push(&rebuild->list, rebuild_signal(rebuild, inputs[i]));
  }
}

static void take_parts(Rebuild *rebuild, const bool *part) {
  NumberVector stack = {0};
  for (Gate gate = 0; gate < rebuild->from->gates.count; gate++) {
    if (!rebuild_is_and(rebuild, gate) || part[gate]) continue;
    collect(rebuild, part, gate, &stack);
    rebuild_make(rebuild, gate);
  }
  vector_free(&stack);
}

void reduce_single_use(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  Rebuild rebuild;
  rebuild_begin(&rebuild, in, out);
  uint32_t *uses = memory_new(in->gates.count * sizeof *uses);
  bool *part = memory_new(in->gates.count * sizeof *part);
  reads_count(in, rebuild.live, uses);
  if (mark_parts(&rebuild, uses, part))
    take_parts(&rebuild, part);
  else
    rebuild_copy_all(&rebuild);
  memory_delete(uses);
  memory_delete(part);
  rebuild_end(&rebuild);
}
