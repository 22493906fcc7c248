/* For each move a the net is specialised: N_a(f) is the next value of fluent f
   if a is made, a signal over fluents. All these are in one net, in which equal
   conjunctions are the same gate. Two moves commute if

     legal(b) after a is legal(b), and legal(a) after b is legal(a),
     N_b(f) after a is N_a(f) after b, for each fluent f that either changes,

   where "after a" replaces each fluent g by N_a(g), and "is" means that it is
   the same signal. If neither changes what the other reads or changes, nothing
   has to be replaced. Autonomous fluents change in the same way whatever is
   made; they are replaced, too, but need not be compared.

   The state between them may be terminal. Let b come first where it was a: each
   part of the terminal condition, a disjunction, must be unaffected by b, or
   exclude that a is legal, or imply the highest goal (which ends the search),
   or depend on the number of steps alone.

   Work is counted, not timed, so that the answer is always the same; pairs that
   are not reached are taken not to commute. */
#include "solve/commute.h"

#include <math.h>

#include "analyse/prover.h"
#include "base/bits.h"

enum {
  MOST_MOVES = 2000,
  MOST_COPIED = 3000000, /* gates times moves */
  MOST_WORK = 3000000,   /* gates replaced, words compared, and questions */
  QUESTION = 3000,       /* what one counts */
  MOST_GATES = 2000000,
  PROPAGATIONS = 20000 /* for one question */
};

typedef struct Change {
  uint32_t fluent;
  Signal next;
} Change;

/* What a move reads and changes; autonomous fluents are not counted among the
   changes. */
typedef struct Effect {
  bool possible;
  Signal legal;
  uint32_t first, count;    /* changes, in Work.changes */
  uint64_t *reads, *writes; /* sets of fluents */
} Effect;

/* Signals after a move, by gate of the specialised net; made when asked for. */
typedef struct After {
  VECTOR(Signal) signals;
  NumberVector when; /* signals[i] is valid if when[i] == now */
  uint32_t now;
} After;

typedef enum { PART_UNKNOWN, PART_EXCLUDES, PART_ALLOWS } PartAnswer;

/* A part of the terminal condition. */
typedef struct Part {
  Signal signal; /* of the game's net */
  Signal own;    /* of the specialised net */
  bool best;     /* implies the highest goal */
  uint64_t *reads;
  uint8_t *excludes; /* by move: that it is legal; a PartAnswer */
} Part;

typedef struct Work {
  const Net *from;
  const Packing *packing;
  size_t words; /* of a set of fluents */
  Net net;      /* specialised; has the same fluents */
  Signal *map;  /* by gate of `from`: its signal, with the move of `effects` */
  bool *moved;  /* by gate of `from`: reads moves */
  bool *pure;   /* by gate of `from`: reads autonomous fluents alone */
  NumberVector movers; /* the gates that read moves, in order */
  Effect *effects;     /* by move */
  VECTOR(Change) changes;
  Signal *timed; /* by fluent: the next value of autonomous ones */
  After after[2];
  VECTOR(Part) parts;
  Prover *prover;
  NumberVector list, stack;
  After seen; /* of collecting reads */
  uint64_t done;
} Work;

/* ---- specialising ---- */

static Signal mapped(const Work *work, Signal signal) {
  return work->map[signal_gate(signal)] ^ (signal & 1);
}

static Signal copy_and(Work *work, Gate gate) {
  const NetGate *g = &work->from->gates.data[gate];
  vector_clear(&work->list);
  for (uint32_t i = 0; i < g->count; i++)
    vector_push(&work->list, mapped(work, net_inputs(work->from, gate)[i]));
  return net_and(&work->net, work->list.data, work->list.count);
}

static void add_fluents(Work *work) {
  const Packing *packing = work->packing;
  for (uint32_t i = 0; i < work->from->fluents.count; i++) {
    const NetFluent *fluent = &work->from->fluents.data[i];
    Signal own = net_add_fluent(&work->net, fluent->term, false);
    bool fixed = bits_has(packing->fixed, i);
    work->map[fluent->gate] =
        fixed ? (Signal)bits_has(packing->constant, i) : own;
    work->pure[fluent->gate] = fixed || bits_has(packing->timed, i);
  }
}

/* Copies what reads no moves, and lists what does. */
static void copy_plain(Work *work) {
  const Net *from = work->from;
  work->pure[0] = true;
  add_fluents(work);
  for (Gate gate = 0; gate < from->gates.count; gate++) {
    const NetGate *g = &from->gates.data[gate];
    work->moved[gate] = g->kind == GATE_MOVE;
    if (g->kind != GATE_AND) continue;
    work->pure[gate] = true;
    for (uint32_t i = 0; i < g->count; i++) {
      Gate input = signal_gate(net_inputs(from, gate)[i]);
      work->moved[gate] |= work->moved[input];
      work->pure[gate] &= work->pure[input];
    }
    if (work->moved[gate])
      vector_push(&work->movers, gate);
    else
      work->map[gate] = copy_and(work, gate);
  }
  for (uint32_t i = 0; i < from->fluents.count; i++)
    if (bits_has(work->packing->timed, i))
      work->timed[i] = mapped(work, from->fluents.data[i].next);
}

/* ---- what is read ---- */

static void begin(After *after) {
  after->now++;
}

/* Makes room for the gates that there are by now. */
static void extend(const Work *work, After *after) {
  uint32_t old = after->when.count, gates = work->net.gates.count;
  if (old >= gates) return;
  vector_resize(&after->when, gates);
  vector_resize(&after->signals, gates);
  memset(after->when.data + old, 0, (gates - old) * sizeof(uint32_t));
}

static void visit(Work *work, Gate gate) {
  if (work->seen.when.data[gate] == work->seen.now) return;
  work->seen.when.data[gate] = work->seen.now;
  vector_push(&work->stack, gate);
}

/* Adds the fluents that a signal reads. */
static void add_reads(Work *work, Signal signal, uint64_t *reads) {
  extend(work, &work->seen);
  visit(work, signal_gate(signal));
  while (work->stack.count) {
    Gate gate = work->stack.data[--work->stack.count];
    const NetGate *g = &work->net.gates.data[gate];
    work->done++;
    if (g->kind == GATE_FLUENT) bits_add(reads, g->first);
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      visit(work, signal_gate(net_inputs(&work->net, gate)[i]));
  }
}

static void find_effect(Work *work, uint32_t move) {
  const Net *from = work->from;
  Effect *effect = &work->effects[move];
  effect->legal = mapped(work, from->moves.data[move].legal);
  effect->possible = effect->legal != SIGNAL_FALSE;
  if (!effect->possible) return;
  for (uint32_t m = 0; m < from->moves.count; m++)
    work->map[from->moves.data[m].gate] = m == move;
  for (uint32_t i = 0; i < work->movers.count; i++)
    work->map[work->movers.data[i]] = copy_and(work, work->movers.data[i]);
  effect->first = work->changes.count;
  effect->reads = memory_new(work->words * sizeof(uint64_t));
  effect->writes = memory_new(work->words * sizeof(uint64_t));
  begin(&work->seen);
  add_reads(work, effect->legal, effect->reads);
  for (uint32_t i = 0; i < from->fluents.count; i++) {
    if (bits_has(work->packing->fixed, i) || bits_has(work->packing->timed, i))
      continue;
    Signal next = mapped(work, from->fluents.data[i].next);
    if (next == gate_signal(work->net.fluents.data[i].gate)) continue;
    Change change = {i, next};
    vector_push(&work->changes, change);
    bits_add(effect->writes, i);
    add_reads(work, next, effect->reads);
  }
  effect->count = work->changes.count - effect->first;
}

/* ---- after a move ---- */

/* Changes are in the order of their fluents. */
static Signal next_of(const Work *work, const Effect *effect, uint32_t fluent) {
  if (bits_has(work->packing->timed, fluent)) return work->timed[fluent];
  if (!bits_has(effect->writes, fluent))
    return gate_signal(work->net.fluents.data[fluent].gate);
  const Change *changes = work->changes.data + effect->first;
  uint32_t low = 0, high = effect->count; /* they are in order */
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (changes[middle].fluent <= fluent)
      low = middle;
    else
      high = middle;
  }
  return changes[low].next;
}

static Signal replace(Work *work, After *after, const Effect *effect,
                      Signal signal);

static Signal replace_and(Work *work, After *after, const Effect *effect,
                          Gate gate) {
  uint32_t count = work->net.gates.data[gate].count, base = work->stack.count;
  for (uint32_t i = 0; i < count; i++) {
    Signal input = net_inputs(&work->net, gate)[i];
    Signal replaced = replace(work, after, effect, input);
    vector_push(&work->stack, replaced);
  }
  Signal result = net_and(&work->net, work->stack.data + base, count);
  work->stack.count = base;
  return result;
}

/* The signal after the move. */
static Signal replace(Work *work, After *after, const Effect *effect,
                      Signal signal) {
  Gate gate = signal_gate(signal);
  extend(work, after);
  if (after->when.data[gate] != after->now) {
    const NetGate *g = &work->net.gates.data[gate];
    Signal result = gate_signal(gate);
    work->done++;
    if (g->kind == GATE_FLUENT)
      result = next_of(work, effect, g->first);
    else if (g->kind == GATE_AND)
      result = replace_and(work, after, effect, gate);
    extend(work, after);
    after->when.data[gate] = after->now;
    after->signals.data[gate] = result;
  }
  return after->signals.data[gate] ^ (signal & 1);
}

/* ---- pairs ---- */

typedef struct Pair {
  const Effect *a, *b;
  After *after_a, *after_b;
} Pair;

static bool meet(const Work *work, const uint64_t *a, const uint64_t *b) {
  for (size_t w = 0; w < work->words; w++)
    if (a[w] & b[w]) return true;
  return false;
}

/* Neither reads or changes what the other changes, nor the time. */
static bool are_apart(Work *work, const Pair *pair) {
  const Effect *a = pair->a, *b = pair->b;
  const uint64_t *timed = work->packing->timed;
  work->done += work->words;
  return !meet(work, a->writes, b->reads) && !meet(work, a->reads, b->writes) &&
         !meet(work, a->writes, b->writes) && !meet(work, a->reads, timed) &&
         !meet(work, b->reads, timed);
}

/* The value of a fluent after a and then b. */
static Signal twice(Work *work, After *after_a, const Effect *a,
                    const Effect *b, uint32_t fluent) {
  return replace(work, after_a, a, next_of(work, b, fluent));
}

static bool same_successors(Work *work, const Pair *pair, const Effect *of) {
  work->done += of->count;
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t fluent = work->changes.data[of->first + i].fluent;
    if (twice(work, pair->after_a, pair->a, pair->b, fluent) !=
        twice(work, pair->after_b, pair->b, pair->a, fluent))
      return false;
  }
  return true;
}

static bool do_commute(Work *work, const Pair *pair) {
  const Effect *a = pair->a, *b = pair->b;
  if (are_apart(work, pair)) return true;
  return replace(work, pair->after_a, a, b->legal) == b->legal &&
         replace(work, pair->after_b, b, a->legal) == a->legal &&
         same_successors(work, pair, a) && same_successors(work, pair, b);
}

static bool is_undone(Work *work, const Pair *pair, const Effect *of) {
  work->done += of->count;
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t fluent = work->changes.data[of->first + i].fluent;
    if (twice(work, pair->after_a, pair->a, pair->b, fluent) !=
        gate_signal(work->net.fluents.data[fluent].gate))
      return false;
  }
  return true;
}

/* ---- the terminal condition ---- */

static bool excludes(Work *work, Signal a, Signal b) {
  Signal pair[2] = {a, b};
  if ((a ^ b) == 1) return true;
  if (work->done > MOST_WORK) return false;
  work->done += QUESTION;
  prover_focus_anywhere(work->prover, pair, 2);
  return prover_refutes(work->prover, pair, 2);
}

static void add_part(Work *work, const Book *book, Signal signal) {
  Part part = {.signal = signal, .own = mapped(work, signal)};
  for (uint32_t g = 0; !part.best && g < work->from->goals.count; g++) {
    const NetGoal *goal = &work->from->goals.data[g];
    if (goal->role == 0 && goal->value == book->best_goal[0])
      part.best = excludes(work, signal, signal_not(goal->signal));
  }
  if (part.best) return;
  part.reads = memory_new(work->words * sizeof(uint64_t));
  part.excludes = memory_new(work->from->moves.count);
  begin(&work->seen);
  add_reads(work, part.own, part.reads);
  vector_push(&work->parts, part);
}

/* Finds the parts that matter. */
static void split(Work *work, const Book *book, Signal signal) {
  Gate gate = signal_gate(signal);
  if (work->pure[gate]) return;
  if (!signal_negated(signal) || !net_is_and(work->from, signal)) {
    add_part(work, book, signal);
    return;
  }
  for (uint32_t i = 0; i < work->from->gates.data[gate].count; i++)
    split(work, book, signal_not(net_inputs(work->from, gate)[i]));
}

static bool excludes_move(Work *work, Part *part, uint32_t move) {
  if (part->excludes[move] == PART_UNKNOWN) {
    Signal legal = work->from->moves.data[move].legal;
    part->excludes[move] =
        excludes(work, part->signal, legal) ? PART_EXCLUDES : PART_ALLOWS;
  }
  return part->excludes[move] == PART_EXCLUDES;
}

/* A state in which `second` is legal after `first`, and would have been before
   it, is not terminal after `first` unless it has the highest goal. */
static bool goes_on(Work *work, After *after_first, uint32_t first,
                    uint32_t second) {
  const Effect *effect = &work->effects[first];
  for (uint32_t i = 0; i < work->parts.count; i++) {
    Part *part = &work->parts.data[i];
    if (!meet(work, part->reads, effect->writes) &&
        !meet(work, part->reads, work->packing->timed))
      continue;
    Signal after = replace(work, after_first, effect, part->own);
    if (after == part->own || after == SIGNAL_FALSE) continue;
    if (!excludes_move(work, part, second)) return false;
  }
  return true;
}

/* ---- all pairs ---- */

static uint64_t *set_after(Commute *commute, uint32_t move) {
  return commute->after + (size_t)move * commute->words;
}

static void try_pair(Work *work, Commute *commute, uint32_t a, uint32_t b,
                     bool across) {
  Pair pair = {&work->effects[a], &work->effects[b], &work->after[0],
               &work->after[1]};
  begin(pair.after_b);
  if (b < a && do_commute(work, &pair) && goes_on(work, pair.after_b, b, a)) {
    bits_add(set_after(commute, a), b);
    commute->pairs++;
  }
  if (across && !bits_has(set_after(commute, a), b) &&
      is_undone(work, &pair, pair.a) && is_undone(work, &pair, pair.b)) {
    bits_add(set_after(commute, a), b);
    commute->inverse++;
  }
}

static void try_all(Work *work, Commute *commute, bool across) {
  uint32_t moves = work->from->moves.count;
  for (uint32_t a = 0; a < moves; a++) {
    if (!work->effects[a].possible) continue;
    begin(&work->after[0]);
    for (uint32_t b = 0; b < (across ? moves : a); b++) {
      if (work->done > MOST_WORK || work->net.gates.count > MOST_GATES) return;
      if (work->effects[b].possible) try_pair(work, commute, a, b, across);
    }
  }
}

static void free_work(Work *work) {
  for (uint32_t m = 0; m < work->from->moves.count; m++) {
    memory_delete(work->effects[m].reads);
    memory_delete(work->effects[m].writes);
  }
  for (uint32_t i = 0; i < work->parts.count; i++) {
    memory_delete(work->parts.data[i].reads);
    memory_delete(work->parts.data[i].excludes);
  }
  After *const all[] = {&work->after[0], &work->after[1], &work->seen};
  for (uint32_t i = 0; i < 3; i++) {
    vector_free(&all[i]->signals);
    vector_free(&all[i]->when);
  }
  prover_delete(work->prover);
  net_free(&work->net);
  memory_delete(work->map);
  memory_delete(work->moved);
  memory_delete(work->pure);
  memory_delete(work->effects);
  memory_delete(work->timed);
  vector_free(&work->movers);
  vector_free(&work->changes);
  vector_free(&work->parts);
  vector_free(&work->list);
  vector_free(&work->stack);
}

static void run(Work *work, Commute *commute, const Book *book, bool across) {
  const Net *from = work->from;
  uint32_t gates = from->gates.count, moves = from->moves.count;
  work->words = work->packing->state_words;
  work->map = memory_new(gates * sizeof(Signal));
  work->moved = memory_new(gates * sizeof(bool));
  work->pure = memory_new(gates * sizeof(bool));
  work->timed = memory_new((from->fluents.count + 1) * sizeof(Signal));
  work->effects = memory_new((moves + 1) * sizeof(Effect));
  work->prover = prover_new(from, PROPAGATIONS, HUGE_VAL);
  net_init(&work->net, from->role_count);
  copy_plain(work);
  if ((uint64_t)work->movers.count * moves <= MOST_COPIED) {
    split(work, book, from->terminal);
    for (uint32_t m = 0; m < moves; m++) find_effect(work, m);
    try_all(work, commute, across);
  }
  free_work(work);
}

bool commute_init(Commute *commute, const Book *book, const Packing *packing,
                  bool across) {
  const Net *net = &book->net;
  uint32_t moves = net->moves.count;
  if (moves > MOST_MOVES || net->loops.count || net->role_count != 1)
    return false;
  *commute = (Commute){.words = (uint32_t)bits_words(moves)};
  commute->after =
      memory_new(((size_t)moves * commute->words + 1) * sizeof(uint64_t));
  commute->none = memory_new((commute->words + 1) * sizeof(uint64_t));
  Work work = {.from = net, .packing = packing};
  run(&work, commute, book, across);
  if (commute->pairs || commute->inverse) return true;
  commute_free(commute);
  return false;
}

void commute_free(Commute *commute) {
  memory_delete(commute->after);
  memory_delete(commute->none);
}
