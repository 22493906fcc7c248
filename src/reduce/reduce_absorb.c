/* Each AND is a conjunction of literals and clauses (negated ANDs), reduced by
   what its parts say about each other:

     a (a OR b)          = a           drop a clause with a true literal
     a (!a OR b)         = a b         drop false literals of a clause
     a (a b)             = a b         drop what a part implies
     (a OR b)(a OR b OR c) = a OR b    drop a clause that another implies
     (a OR b)(a OR !b)   = a           drop a literal that two clauses dispute

   With all signs changed these are the laws for ORs of ANDs. Known inside an
   AND are its literals, the inputs of its plain ANDs, that a move excludes the
   other moves of its role, and (if `legal`) that a move that is done was legal
   in a state that is not terminal.

   Every single step leaves the AND the same function, so no two parts can be
   dropped because of each other. Gates without moves are made first, so that
   those with moves know the legality of moves. */
#include "base/marks.h"
#include "reduce/groups.h"
#include "reduce/reads.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"
#include "reduce/subsume.h"

enum {
  DEEPEST = 4,    /* levels of plain ANDs looked into */
  LONGEST = 1000, /* literals learned from one part */
  ROUNDS = 3
};

typedef struct Absorber {
  Rebuild rebuild;
  Groups groups;
  Subsumer subsumer;
  uint32_t *uses; /* by old gate */
  bool *late;     /* by old gate */
  bool legal;     /* only legal moves are made */
  Marks parts;    /* the literals and clauses of the AND */
  Marks implied;  /* by its parts */
  Marks going_on; /* what NOT terminal implies */
  bool in_play;   /* the AND depends on moves */
  Signal *done;   /* by group: the member that is true */
  NumberVector done_groups;
  uint32_t budget; /* of literals to learn */
  bool impossible; /* the AND is false */
  VECTOR(Part) list;
} Absorber;

/* ---- what is known ---- */

static bool is_excluded(const Absorber *absorber, Gate gate) {
  uint32_t group = groups_of(&absorber->groups, gate);
  return group != NO_GROUP && absorber->done[group] &&
         absorber->done[group] != gate_signal(gate);
}

static bool is_known(const Absorber *absorber, Signal signal) {
  if (marks_has(&absorber->implied, signal) ||
      marks_has(&absorber->parts, signal))
    return true;
  if (absorber->in_play && marks_has(&absorber->going_on, signal)) return true;
  return signal_negated(signal) && is_excluded(absorber, signal_gate(signal));
}

/* Of a move that is done. */
static void learn_member(Absorber *absorber, Signal signal) {
  uint32_t group = groups_of(&absorber->groups, signal_gate(signal));
  if (group == NO_GROUP) return;
  if (absorber->done[group] == signal) return;
  if (absorber->done[group]) {
    absorber->impossible = true;
    return;
  }
  absorber->done[group] = signal;
  vector_push(&absorber->done_groups, group);
}

static void learn(Absorber *absorber, Signal signal, uint32_t depth);

/* What follows from the signal besides itself. */
static void learn_consequences(Absorber *absorber, Signal signal,
                               uint32_t depth) {
  if (signal_negated(signal)) return;
  const Net *to = absorber->rebuild.to;
  const NetGate gate = to->gates.data[signal_gate(signal)];
  if (gate.kind == GATE_MOVE) learn_member(absorber, signal);
  if (gate.kind == GATE_AND && depth)
    for (uint32_t i = 0; i < gate.count && absorber->budget; i++) {
      Signal input = to->inputs.data[gate.first + i];
      if (!marks_has(&absorber->implied, input))
        learn(absorber, input, depth - 1);
    }
  if (gate.kind == GATE_MOVE && absorber->legal && absorber->in_play)
    learn(absorber,
          rebuild_signal(&absorber->rebuild,
                         absorber->rebuild.from->moves.data[gate.first].legal),
          DEEPEST);
}

static void learn(Absorber *absorber, Signal signal, uint32_t depth) {
  if (signal == SIGNAL_TRUE || marks_has(&absorber->implied, signal)) return;
  absorber->budget -= absorber->budget > 0;
  if (signal == SIGNAL_FALSE || is_known(absorber, signal_not(signal)))
    absorber->impossible = true;
  marks_add(&absorber->implied, signal);
  learn_consequences(absorber, signal, depth);
}

static void learn_parts(Absorber *absorber) {
  for (uint32_t i = 0; i < absorber->list.count; i++) {
    Signal signal = absorber->list.data[i].signal;
    absorber->budget = LONGEST;
    if (is_known(absorber, signal_not(signal))) absorber->impossible = true;
    learn_consequences(absorber, signal, DEEPEST);
  }
}

/* ---- the parts of one AND ---- */

/* Do other parts imply it? Moves that are done are never dropped for that. */
static bool is_redundant(const Absorber *absorber, Signal signal) {
  if (marks_has(&absorber->implied, signal)) return true;
  if (absorber->in_play && marks_has(&absorber->going_on, signal)) return true;
  return signal_negated(signal) && is_excluded(absorber, signal_gate(signal));
}

static void drop_redundant(Absorber *absorber) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < absorber->list.count; i++) {
    Part part = absorber->list.data[i];
    if (is_redundant(absorber, part.signal))
      marks_remove(&absorber->parts, part.signal);
    else
      absorber->list.data[kept++] = part;
  }
  absorber->list.count = kept;
}

static void replace(Absorber *absorber, Part *part, Signal signal) {
  marks_remove(&absorber->parts, part->signal);
  if (is_known(absorber, signal_not(signal))) absorber->impossible = true;
  part->signal = signal;
  marks_add(&absorber->parts, signal);
  absorber->budget = LONGEST;
  learn_consequences(absorber, signal, DEEPEST);
}

/* Drops the clause's false literals where that makes nothing larger. */
static bool shorten(Absorber *absorber, Part *part) {
  Net *to = absorber->rebuild.to;
  const NetGate gate = to->gates.data[signal_gate(part->signal)];
  NumberVector *left = &absorber->rebuild.list;
  vector_clear(left);
  for (uint32_t i = 0; i < gate.count; i++) {
    Signal input = to->inputs.data[gate.first + i];
    if (is_known(absorber, signal_not(input))) {
      marks_remove(&absorber->parts, part->signal);
      part->signal = SIGNAL_TRUE;
      return true;
    }
    if (!is_known(absorber, input)) vector_push(left, input);
  }
  if (left->count == gate.count || (left->count > 1 && !part->own))
    return false;
  if (left->count == 0) absorber->impossible = true;
  part->own = left->count > 1;
  replace(absorber, part, signal_not(net_and(to, left->data, left->count)));
  return true;
}

static bool shorten_clauses(Absorber *absorber) {
  bool changed = false;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < absorber->list.count; i++) {
    Part part = absorber->list.data[i];
    if (signal_negated(part.signal) &&
        net_is_and(absorber->rebuild.to, part.signal) &&
        !absorber->impossible && shorten(absorber, &part))
      changed = true;
    if (part.signal != SIGNAL_TRUE) absorber->list.data[kept++] = part;
  }
  absorber->list.count = kept;
  return changed;
}

static void forget(Absorber *absorber) {
  for (uint32_t i = 0; i < absorber->done_groups.count; i++)
    absorber->done[absorber->done_groups.data[i]] = 0;
  vector_clear(&absorber->done_groups);
  marks_clear(&absorber->parts);
  marks_clear(&absorber->implied);
  absorber->impossible = false;
}

static void collect_parts(Absorber *absorber, Gate gate) {
  const Net *from = absorber->rebuild.from;
  vector_clear(&absorber->list);
  for (uint32_t i = 0; i < from->gates.data[gate].count; i++) {
    Signal input = net_inputs(from, gate)[i];
    Signal signal = rebuild_signal(&absorber->rebuild, input);
    if (signal == SIGNAL_TRUE || marks_has(&absorber->parts, signal)) continue;
    if (signal == SIGNAL_FALSE) absorber->impossible = true;
    marks_add(&absorber->parts, signal);
    Part part = {signal, absorber->uses[signal_gate(input)] == 1};
    vector_push(&absorber->list, part);
  }
}

static void make(Absorber *absorber, Gate gate) {
  Rebuild *rebuild = &absorber->rebuild;
  forget(absorber);
  absorber->in_play = absorber->legal && absorber->late[gate];
  collect_parts(absorber, gate);
  learn_parts(absorber);
  drop_redundant(absorber);
  for (uint32_t i = 0; i < ROUNDS && shorten_clauses(absorber); i++) continue;
  if (absorber->impossible) {
    rebuild->map[gate] = SIGNAL_FALSE;
    return;
  }
  if (absorber->list.count > 1)
    absorber->list.count =
        subsume_parts(&absorber->subsumer, rebuild->to, absorber->list.data,
                      absorber->list.count);
  vector_clear(&rebuild->list);
  for (uint32_t i = 0; i < absorber->list.count; i++)
    vector_push(&rebuild->list, absorber->list.data[i].signal);
  rebuild_make(rebuild, gate);
}

/* ---- the net ---- */

static void make_all(Absorber *absorber, bool late) {
  for (Gate gate = 0; gate < absorber->rebuild.from->gates.count; gate++)
    if (rebuild_is_and(&absorber->rebuild, gate) &&
        absorber->late[gate] == late)
      make(absorber, gate);
}

/* Learns what not being terminal implies, once the gates without moves are
   made. */
static void learn_going_on(Absorber *absorber) {
  forget(absorber);
  absorber->in_play = false;
  absorber->budget = UINT32_MAX;
  marks_clear(&absorber->going_on);
  if (!absorber->legal) return;
  Signal going_on = signal_not(
      rebuild_signal(&absorber->rebuild, absorber->rebuild.from->terminal));
  if (going_on == SIGNAL_FALSE) return;
  learn(absorber, going_on, DEEPEST);
  for (Signal s = 0; s < absorber->rebuild.to->gates.count * 2; s++)
    if (marks_has(&absorber->implied, s)) marks_add(&absorber->going_on, s);
}

void reduce_absorb(const Net *in, Net *out, const ReduceOptions *options) {
  Absorber absorber = {.legal = options->legal};
  rebuild_begin(&absorber.rebuild, in, out);
  groups_init(&absorber.groups, in, out, options->legal);
  absorber.uses = memory_new(in->gates.count * sizeof *absorber.uses);
  absorber.late = memory_new(in->gates.count * sizeof *absorber.late);
  absorber.done = memory_new(absorber.groups.count * sizeof *absorber.done);
  reads_count(in, absorber.rebuild.live, absorber.uses);
  reads_mark_late(in, absorber.late);
  if (reads_moves_leak(in, absorber.late)) absorber.legal = false;
  make_all(&absorber, false);
  learn_going_on(&absorber);
  make_all(&absorber, true);
  subsume_free(&absorber.subsumer);
  marks_free(&absorber.parts);
  marks_free(&absorber.implied);
  marks_free(&absorber.going_on);
  vector_free(&absorber.done_groups);
  vector_free(&absorber.list);
  memory_delete(absorber.uses);
  memory_delete(absorber.late);
  memory_delete(absorber.done);
  groups_free(&absorber.groups);
  rebuild_end(&absorber.rebuild);
}
