/* Where one signal is implied by the legality of a move, and its negation by
   the legality of every other move of the role, the role does the move exactly
   when the signal is true, as long as only legal moves are made. In games with
   alternating turns `noop` thus says whose turn it is. Legality implies the
   inputs of its AND, and theirs. */
#include "reduce/forced.h"

#include "base/marks.h"
#include "base/trial.h"
#include "reduce/reads.h"

enum { DEEPEST = 3, LONGEST = 1000 };

typedef struct Forcing {
  const Net *net;
  uint32_t *count; /* by signal: moves of the role whose legality implies it */
  NumberVector facts; /* what one move's legality implies */
  Marks seen;         /* the same */
} Forcing;

static void collect(Forcing *f, Signal signal, uint32_t depth) {
  const NetGate gate = f->net->gates.data[signal_gate(signal)];
  if (marks_has(&f->seen, signal) || f->facts.count >= LONGEST) return;
  marks_add(&f->seen, signal);
  vector_push(&f->facts, signal);
  if (gate.kind != GATE_AND || signal_negated(signal) || !depth) return;
  for (uint32_t i = 0; i < gate.count; i++)
    collect(f, f->net->inputs.data[gate.first + i], depth - 1);
}

static void collect_facts(Forcing *f, uint32_t move) {
  vector_clear(&f->facts);
  marks_clear(&f->seen);
  collect(f, f->net->moves.data[move].legal, DEEPEST);
}

static void count_facts(Forcing *f, uint32_t move, bool add) {
  collect_facts(f, move);
  for (uint32_t i = 0; i < f->facts.count; i++)
    f->count[f->facts.data[i]] += add ? 1 : UINT32_MAX;
}

/* A signal that is true exactly when the move is done, or SIGNAL_FALSE. Prefers
   fluents, which are cheapest to read. */
static Signal forced_by(Forcing *f, uint32_t move, uint32_t others) {
  trial_check();
  Signal found = SIGNAL_FALSE;
  collect_facts(f, move);
  for (uint32_t i = 0; i < f->facts.count; i++) {
    Signal fact = f->facts.data[i];
    if (!signal_gate(fact) || f->count[fact] != 1 ||
        f->count[signal_not(fact)] != others ||
        marks_has(&f->seen, signal_not(fact)))
      continue;
    found = fact;
    if (f->net->gates.data[signal_gate(fact)].kind == GATE_FLUENT) break;
  }
  return found;
}

static void find_of_role(Forcing *f, uint32_t role, ForcedVector *list) {
  uint32_t first = f->net->role_first.data[role];
  uint32_t end = f->net->role_first.data[role + 1];
  for (uint32_t m = first; m < end; m++) count_facts(f, m, true);
  for (uint32_t m = first; m < end && end - first > 1; m++) {
    Forced forced = {role, m, forced_by(f, m, end - first - 1)};
    if (forced.signal) vector_push(list, forced);
  }
  for (uint32_t m = first; m < end; m++) count_facts(f, m, false);
}

/* Finds nothing in nets with loops that read moves: such a block may come
   before the block that the signal is in. */
void forced_find(const Net *net, const bool *late, ForcedVector *list) {
  Forcing f = {.net = net};
  if (reads_moves_leak(net, late) || reads_late_loops(net, late)) return;
  f.count = memory_new(net->gates.count * 2 * sizeof *f.count);
  for (uint32_t role = 0; role < net->role_count; role++)
    find_of_role(&f, role, list);
  memory_delete(f.count);
  vector_free(&f.facts);
  marks_free(&f.seen);
}
