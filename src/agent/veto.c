/* `better` is set before `won` and `count`, which make it count. Where every
   move is lost, or none is, there is nothing to say. */
#include "agent/veto.h"

void veto_clear(Veto *veto) {
  atomic_store(&veto->won, false);
  atomic_store(&veto->count, 0);
}

void veto_look(Veto *veto, const AgentReport *report, int least, int most) {
  uint32_t count = 0;
  veto_clear(veto);
  if (!report->move_count || least >= most) return;
  const AgentMove *best = &report->moves[0];
  atomic_store(&veto->better, best->move);
  if (best->proven && best->value <= least) return;
  for (uint32_t i = 1; i < report->move_count && count < VETO_MOVES; i++)
    if (report->moves[i].proven && report->moves[i].value <= least)
      atomic_store(&veto->lost[count++], report->moves[i].move);
  atomic_store(&veto->count, count);
  atomic_store(&veto->won, best->proven && best->value >= most);
}

Move veto_apply(const Veto *veto, Move move) {
  bool overruled = atomic_load(&veto->won);
  uint32_t count = atomic_load(&veto->count);
  for (uint32_t i = 0; i < count; i++)
    overruled |= atomic_load(&veto->lost[i]) == move;
  return overruled ? atomic_load(&veto->better) : move;
}
