/* A run of the tape passes each segment to the kernel, a loop until it changes
   nothing. */
#include "program/tape.h"

static void add_step(Tape *tape, const OrderStep *step, const uint32_t *slots,
                     bool begins) {
  if (begins || vector_last(&tape->runs).kind != step->kind)
    vector_push(&tape->runs, ((KernelRun){step->kind, 0}));
  vector_last(&tape->runs).count++;
  const uint32_t operands[4] = {slots[step->result], slots[step->inputs[0]],
                                slots[step->inputs[1]], slots[step->inputs[2]]};
  for (uint32_t i = 0; i < 4; i++) {
    /* A constant has no inputs; any slot will do. */
    uint32_t slot = i && !order_reads(step) ? operands[0] : operands[i];
    if (tape->large)
      vector_push(&tape->large_operands, slot);
    else
      vector_push(&tape->small_operands, (uint16_t)slot);
  }
}

void tape_make(const Order *order, const uint32_t *slots, uint32_t slot_count,
               Tape *tape) {
  *tape = (Tape){.large = slot_count > UINT16_MAX + 1};
  for (uint32_t s = 0; s < order->segments.count; s++) {
    const OrderSegment *segment = &order->segments.data[s];
    uint32_t first = tape->runs.count;
    for (uint32_t i = 0; i < segment->count; i++)
      add_step(tape, &order->steps.data[segment->first + i], slots, i == 0);
    vector_push(&tape->segments,
                ((TapeSegment){first, tape->runs.count - first, segment->first,
                               segment->loop}));
  }
}

void tape_free(Tape *tape) {
  vector_free(&tape->runs);
  vector_free(&tape->segments);
  vector_free(&tape->small_operands);
  vector_free(&tape->large_operands);
}

void tape_run(const Tape *tape, Isa isa, uint32_t words, uint64_t *memory) {
  Kernel *kernel = kernels_find(isa, words, tape->large);
  for (uint32_t s = 0; s < tape->segments.count; s++) {
    const TapeSegment *segment = &tape->segments.data[s];
    const KernelRun *runs = tape->runs.data + segment->first;
    size_t first = (size_t)segment->step * 4;
    const void *operands =
        tape->large ? (const void *)(tape->large_operands.data + first)
                    : (const void *)(tape->small_operands.data + first);
    while (kernel(runs, segment->count, operands, memory) && segment->loop)
      continue;
  }
}
