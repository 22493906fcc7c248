/* From the n-ary ANDs of a net to two-input ones: the cone is marked, ANDs used
   only once, by an AND, are merged into it, pairs that several ANDs have in
   common become gates, and what is left of an AND becomes a chain.

   The chain prepares for three-input gates: such a gate takes two links of a
   chain, or one link and the odd last link of an input (then called `loose`),
   so loose inputs go to the deep end. An AND of n inputs then costs (n - 1) / 2
   three-input gates, rounded up; a balanced binary tree costs more. Long ANDs
   become ternary trees so that their gates do not depend on each other. */
#include "program/split.h"

#include <stdlib.h>

#include "program/share.h"

enum { CHAIN_LIMIT = 64 };

typedef struct Work {
  const Net *net;
  Split *split;
  uint32_t *uses; /* of each gate in the cone; 0: not in it */
  uint32_t *list; /* of each gate: its list + 1 */
  bool *merged;   /* of each gate: into the only AND that reads it */
  Share share;
  Signal *made; /* of each gate and shared pair: its signal in the pairs */
  bool *loose;
  VECTOR(Gate) stack;
  VECTOR(Signal) ordered; /* scratch of make_gate */
} Work;

/* ---- the cone ---- */

static void use(Work *work, Signal signal) {
  Gate gate = signal_gate(signal);
  if (work->uses[gate]++ == 0) vector_push(&work->stack, gate);
}

static void mark_cone(Work *work, const Signal *outputs, uint32_t count) {
  const Net *net = work->net;
  for (uint32_t i = 0; i < count; i++) use(work, outputs[i]);
  while (work->stack.count) {
    Gate gate = work->stack.data[--work->stack.count];
    const NetGate *g = &net->gates.data[gate];
    if (g->kind == GATE_LOOP) use(work, net->loops.data[g->first].definition);
    if (g->kind != GATE_AND) continue;
    for (uint32_t i = 0; i < g->count; i++) use(work, net_inputs(net, gate)[i]);
  }
}

static void find_loops(Work *work) {
  const Net *net = work->net;
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (work->uses[net->loops.data[i].gate])
      vector_push(&work->split->loops,
                  ((SplitLoop){i, net->loops.data[i].block, 0}));
}

/* ---- lists ---- */

static bool merges(const Work *work, Signal signal) {
  Gate gate = signal_gate(signal);
  return !signal_negated(signal) && work->uses[gate] == 1 &&
         work->net->gates.data[gate].kind == GATE_AND;
}

static int by_number(const void *left, const void *right) {
  Signal a = *(const Signal *)left, b = *(const Signal *)right;
  return (a > b) - (a < b);
}

/* A merged AND may repeat inputs of the other. */
static void drop_repetitions(Share *share, ShareList *list) {
  Signal *elements = share->elements.data + list->first;
  uint32_t kept = 1;
  qsort(elements, list->count, sizeof *elements, by_number);
  for (uint32_t i = 1; i < list->count; i++)
    if (elements[i] != elements[kept - 1]) elements[kept++] = elements[i];
  list->count = kept;
  share->elements.count = list->first + kept;
}

static void add_list(Work *work, Gate gate) {
  const Net *net = work->net;
  Share *share = &work->share;
  ShareList list = {gate, share->elements.count, 0};
  bool merged = false;
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++) {
    Signal input = net_inputs(net, gate)[i];
    if (!merges(work, input)) {
      vector_push(&share->elements, input);
      continue;
    }
    merged = work->merged[signal_gate(input)] = true;
    ShareList from = share->lists.data[work->list[signal_gate(input)] - 1];
    for (uint32_t j = 0; j < from.count; j++) {
      Signal element = share->elements.data[from.first + j];
      vector_push(&share->elements, element);
    }
  }
  list.count = share->elements.count - list.first;
  if (merged) drop_repetitions(share, &list);
  vector_push(&share->lists, list);
  work->list[gate] = share->lists.count;
}

static void make_lists(Work *work) {
  const Net *net = work->net;
  Share *share = &work->share;
  uint32_t kept = 0;
  share->gate_count = net->gates.count;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    if (work->uses[gate] && net->gates.data[gate].kind == GATE_AND)
      add_list(work, gate);
  for (uint32_t i = 0; i < share->lists.count; i++)
    if (!work->merged[share->lists.data[i].gate])
      share->lists.data[kept++] = share->lists.data[i];
  share->lists.count = kept;
}

/* Counts uses again, now by lists and shared pairs. */
static void count_uses(Work *work, const Signal *outputs, uint32_t count) {
  const Share *share = &work->share;
  const Net *net = work->net;
  memory_delete(work->uses);
  work->uses =
      memory_new((share->gate_count + share->pairs.count) * sizeof *work->uses);
  for (uint32_t i = 0; i < count; i++) work->uses[signal_gate(outputs[i])]++;
  for (uint32_t i = 0; i < work->split->loops.count; i++) {
    uint32_t loop = work->split->loops.data[i].loop;
    work->uses[signal_gate(net->loops.data[loop].definition)]++;
  }
  for (uint32_t i = 0; i < share->lists.count; i++) {
    const ShareList *list = &share->lists.data[i];
    for (uint32_t j = 0; j < list->count; j++)
      work->uses[signal_gate(share->elements.data[list->first + j])]++;
  }
  for (uint32_t i = 0; i < share->pairs.count; i++) {
    work->uses[signal_gate(share->pairs.data[i].a)]++;
    work->uses[signal_gate(share->pairs.data[i].b)]++;
  }
}

/* ---- gates ---- */

static Signal make_shared(Work *work, uint32_t pair);

static Signal made(Work *work, Signal signal) {
  Gate gate = signal_gate(signal);
  Signal plain = gate < work->net->gates.count
                     ? work->made[gate]
                     : make_shared(work, gate - work->net->gates.count);
  return plain ^ signal_negated(signal);
}

static bool is_loose(const Work *work, Gate gate, uint32_t count,
                     uint32_t loose) {
  return work->uses[gate] == 1 && count > loose && (count - loose) % 2 == 0;
}

/* Recursion is no deeper than lists are long. */
static Signal make_shared(Work *work, uint32_t pair) {
  Gate gate = work->net->gates.count + pair;
  SharePair shared = work->share.pairs.data[pair];
  if (work->made[gate]) return work->made[gate];
  Signal a = made(work, shared.a), b = made(work, shared.b);
  uint32_t loose =
      work->loose[signal_gate(shared.a)] + work->loose[signal_gate(shared.b)];
  work->loose[gate] = is_loose(work, gate, 2, loose);
  return work->made[gate] = pairs_and(&work->split->pairs, a, b);
}

static Signal make_chain(Pairs *pairs, const Signal *list, uint32_t count) {
  Signal signal = SIGNAL_TRUE;
  for (uint32_t i = 0; i < count; i++)
    signal = pairs_and(pairs, signal, list[i]);
  return signal;
}

/* Gives the first `loose` elements a partner each and joins the rest in
   threes. */
static Signal make_tree(Pairs *pairs, Signal *list, uint32_t count,
                        uint32_t loose) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < loose; i++, kept++)
    list[i] = loose + i < count ? pairs_and(pairs, list[i], list[loose + i])
                                : list[i];
  for (uint32_t i = 2 * loose; i < count; i++) list[kept++] = list[i];
  for (count = kept; count > 3; count = kept) {
    kept = count / 3;
    for (uint32_t i = 0; i < kept; i++)
      list[i] = make_chain(pairs, list + 3 * i, 3);
    for (uint32_t i = 3 * kept; i < count; i++) list[kept++] = list[i];
  }
  return make_chain(pairs, list, count);
}

/* Loose inputs are first in the list; the chain begins with another input, so
   that each loose one has a link. */
static Signal make_and(Pairs *pairs, Signal *list, uint32_t count,
                       uint32_t loose) {
  if (count > CHAIN_LIMIT) return make_tree(pairs, list, count, loose);
  if (loose < count) {
    Signal other = list[loose];
    memmove(list + 1, list, loose * sizeof *list);
    list[0] = other;
  }
  return make_chain(pairs, list, count);
}

static void make_gate(Work *work, const ShareList *list) {
  uint32_t loose = 0;
  vector_clear(&work->ordered);
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < list->count; i++) {
      Signal element = work->share.elements.data[list->first + i];
      Signal signal = made(work, element);
      if (work->loose[signal_gate(element)] == (pass == 1)) continue;
      vector_push(&work->ordered, signal);
      loose += pass == 0;
    }
  }
  work->made[list->gate] = make_and(&work->split->pairs, work->ordered.data,
                                    work->ordered.count, loose);
  work->loose[list->gate] = is_loose(work, list->gate, list->count, loose);
}

/* ---- all ---- */

static void make_inputs(Work *work) {
  const Net *net = work->net;
  Split *split = work->split;
  uint32_t states = net->fluents.count + net->moves.count;
  pairs_init(&split->pairs, states + split->loops.count);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    work->made[net->fluents.data[i].gate] = gate_signal(1 + i);
  for (uint32_t i = 0; i < net->moves.count; i++)
    work->made[net->moves.data[i].gate] =
        gate_signal(1 + net->fluents.count + i);
  for (uint32_t i = 0; i < split->loops.count; i++)
    work->made[net->loops.data[split->loops.data[i].loop].gate] =
        gate_signal(1 + states + i);
}

void split_net(const Net *net, const Signal *outputs, uint32_t count,
               Split *split) {
  uint32_t gates = net->gates.count;
  Work work = {.net = net, .split = split};
  *split = (Split){0};
  work.uses = memory_new(gates * sizeof *work.uses);
  work.list = memory_new(gates * sizeof *work.list);
  work.merged = memory_new(gates * sizeof *work.merged);
  mark_cone(&work, outputs, count);
  find_loops(&work);
  make_lists(&work);
  share_pairs(&work.share);
  count_uses(&work, outputs, count);
  work.made = memory_new((gates + work.share.pairs.count) * sizeof *work.made);
  work.loose =
      memory_new((gates + work.share.pairs.count) * sizeof *work.loose);
  make_inputs(&work);
  for (uint32_t i = 0; i < work.share.lists.count; i++)
    make_gate(&work, &work.share.lists.data[i]);
  for (uint32_t i = 0; i < count; i++) {
    Signal signal = made(&work, outputs[i]);
    vector_push(&split->outputs, signal);
  }
  for (uint32_t i = 0; i < split->loops.count; i++)
    split->loops.data[i].definition =
        made(&work, net->loops.data[split->loops.data[i].loop].definition);
  memory_delete(work.uses);
  memory_delete(work.list);
  memory_delete(work.merged);
  memory_delete(work.made);
  memory_delete(work.loose);
  vector_free(&work.stack);
  vector_free(&work.ordered);
  share_free(&work.share);
}

void split_free(Split *split) {
  pairs_free(&split->pairs);
  vector_free(&split->outputs);
  vector_free(&split->loops);
}
