/* Gates are evaluated with moves that are false and fluents that are unknown. A
   value is then a constant, the same as another one, or something new. */
#include "gpu/still.h"

#include "program/truth.h"

#define FALSE UINT32_MAX
#define TRUE (UINT32_MAX - 1)

/* Returns what the step's result is the same as. */
static uint32_t reduce(const OrderStep *step, const uint32_t *same) {
  static const uint8_t plain[] = {TRUTH_A, TRUTH_B, TRUTH_C};
  uint8_t table = (uint8_t)step->kind;
  for (uint32_t i = 0; i < 3 && order_reads(step); i++) {
    uint32_t value = same[step->inputs[i]];
    if (value == FALSE || value == TRUE)
      table = truth_fix(table, i, value == TRUE);
  }
  if (table == 0 || table == 0xff) return table ? TRUE : FALSE;
  for (uint32_t i = 0; i < 3; i++)
    if (table == plain[i]) return same[step->inputs[i]];
  return step->result;
}

bool *still_find(const Program *next, const Net *net, const uint32_t *changed,
                 uint32_t count, const bool *none) {
  const Order *order = program_order(next);
  uint32_t fluents = net->fluents.count;
  bool *still = memory_new((fluents + 1) * sizeof *still);
  if (order_loops(order)) return still;
  uint32_t *same = memory_new((order->value_count + 1) * sizeof *same);
  for (uint32_t i = 0; i < fluents + net->moves.count; i++)
    same[i] = i >= fluents && none[i - fluents] ? FALSE : i;
  for (uint32_t i = 0; i < order->steps.count; i++)
    same[order->steps.data[i].result] = reduce(&order->steps.data[i], same);
  for (uint32_t i = 0; i < count; i++)
    still[changed[i]] = same[program_value(next, i)] == changed[i];
  memory_delete(same);
  return still;
}
