/* Selections by the move that is done. Many ORs are of the form

     T = does m1 AND A1  OR  does m2 AND A2  OR …

   with conditions A of the state: a piece stands where the move comes from. At
   most one move of a group is done, so several such ORs whose conditions agree
   wherever they have a move in common can share one selection V, the same sum
   over all their moves:

     T = (does m1 OR does m2 OR …) AND V

   For a board with pieces, V is "a piece of this kind moves", and the OR in
   front "something moves here": cells × kinds gates instead of moves × kinds.

   There are three steps: products of a move with several literals become
   products of the move and one condition; ORs of such products are put into
   bins by the conditions they share; bins that gain are built. Conditions do
   not depend on moves and are made first. */
#include "reduce/reads.h"
#include "reduce/reduction.h"
#include "reduce/select.h"

/* ---- the new net ---- */

static bool gains(const Selector *s, const Sum *sum) {
  return sum->bin != UINT32_MAX && s->bins.data[sum->bin].gains;
}

static Signal or_of_moves(Selector *s) {
  return net_or(s->rebuild.to, s->list.data, s->list.count);
}

static Signal move_signal(const Selector *s, uint32_t move) {
  return s->rebuild.map[s->rebuild.from->moves.data[move].gate];
}

/* The OR over conditions of (condition AND its moves). */
static Signal make_selection(Selector *s, const Bin *bin) {
  ChoiceVector choices = {0};
  NumberVector terms = {0};
  select_list_choices(s, bin, &choices);
  for (uint32_t i = 0; i < choices.count;) {
    Signal condition = choices.data[i].condition;
    vector_clear(&s->list);
    for (; i < choices.count && choices.data[i].condition == condition; i++)
      vector_push(&s->list, move_signal(s, choices.data[i].move));
    Signal pair[2] = {rebuild_signal(&s->rebuild, condition), or_of_moves(s)};
    Signal term = net_and(s->rebuild.to, pair, 2);
    vector_push(&terms, term);
  }
  Signal selection = net_or(s->rebuild.to, terms.data, terms.count);
  vector_free(&choices);
  vector_free(&terms);
  return selection;
}

/* The sum's products as one clause. */
static Signal make_clause(Selector *s, const Sum *sum) {
  Bin *bin = &s->bins.data[sum->bin];
  if (!bin->made) {
    bin->selection = make_selection(s, bin);
    bin->made = true;
  }
  vector_clear(&s->list);
  for (uint32_t p = sum->first; p < sum->first + sum->count; p++) {
    const Product *product = &s->products.data[p];
    for (uint32_t i = 0; i < product->count; i++)
      vector_push(&s->list, move_signal(s, s->pool.data[product->first + i]));
  }
  Signal pair[2] = {bin->selection, or_of_moves(s)};
  return signal_not(net_and(s->rebuild.to, pair, 2));
}

static void make_sum(Selector *s, const Sum *sum) {
  const Net *net = s->rebuild.from;
  const NetGate *gate = &net->gates.data[sum->gate];
  Signal clause = make_clause(s, sum);
  vector_clear(&s->list);
  vector_push(&s->list, clause);
  for (uint32_t i = 0, p = sum->first; i < gate->count; i++) {
    Signal input = net->inputs.data[gate->first + i];
    if (p < sum->first + sum->count && s->products.data[p].input == input)
      p++;
    else
      vector_push(&s->list, rebuild_signal(&s->rebuild, input));
  }
  s->rebuild.map[sum->gate] =
      net_and(s->rebuild.to, s->list.data, s->list.count);
}

static void make_all(Selector *s, bool late) {
  for (Gate gate = 0; gate < s->rebuild.from->gates.count; gate++) {
    if (!rebuild_is_and(&s->rebuild, gate) || s->late[gate] != late) continue;
    const Sum *sum =
        s->sum_of[gate] ? &s->sums.data[s->sum_of[gate] - 1] : NULL;
    if (sum && gains(s, sum))
      make_sum(s, sum);
    else
      rebuild_copy(&s->rebuild, gate);
  }
}

/* ---- products of two ---- */

/* Makes an AND of moves and state as the AND of its late inputs and of one gate
   for the state. */
static void make_split(Rebuild *rebuild, const bool *late, Gate gate,
                       NumberVector *state) {
  const Net *net = rebuild->from;
  uint32_t count = net->gates.data[gate].count, kept = 0;
  rebuild_inputs(rebuild, gate);
  vector_clear(state);
  for (uint32_t i = 0; i < count; i++)
    if (!late[signal_gate(net_inputs(net, gate)[i])])
      vector_push(state, rebuild->list.data[i]);
  if (state->count > 1 && state->count < count) {
    for (uint32_t i = 0; i < count; i++)
      if (late[signal_gate(net_inputs(net, gate)[i])])
        rebuild->list.data[kept++] = rebuild->list.data[i];
    rebuild->list.data[kept++] =
        net_and(rebuild->to, state->data, state->count);
    rebuild->list.count = kept;
  }
  rebuild_make(rebuild, gate);
}

static void split_products(const Net *in, Net *out) {
  Rebuild rebuild;
  NumberVector state = {0};
  bool *late = memory_new(in->gates.count * sizeof *late);
  reads_mark_late(in, late);
  rebuild_begin(&rebuild, in, out);
  for (Gate gate = 0; gate < in->gates.count; gate++)
    if (rebuild_is_and(&rebuild, gate))
      make_split(&rebuild, late, gate, &state);
  vector_free(&state);
  memory_delete(late);
  rebuild_end(&rebuild);
}

/* ---- all of it ---- */

static void free_all(Selector *s) {
  for (uint32_t i = 0; i < s->bins.count; i++)
    memory_delete(s->bins.data[i].condition);
  groups_free(&s->groups);
  memory_delete(s->late);
  memory_delete(s->uses);
  memory_delete(s->sum_of);
  memory_delete(s->head);
  marks_free(&s->seen);
  vector_free(&s->products);
  vector_free(&s->pool);
  vector_free(&s->sums);
  vector_free(&s->bins);
  vector_free(&s->entries);
  vector_free(&s->shared);
  vector_free(&s->touched);
  vector_free(&s->stack);
  vector_free(&s->list);
}

static void select_moves(const Net *in, Net *out, bool legal) {
  Selector s = {.budget = 100000000};
  rebuild_begin(&s.rebuild, in, out);
  groups_init(&s.groups, in, in, legal);
  s.late = memory_new(in->gates.count * sizeof *s.late);
  s.uses = memory_new(in->gates.count * sizeof *s.uses);
  s.sum_of = memory_new(in->gates.count * sizeof *s.sum_of);
  s.head = memory_new(in->gates.count * 2 * sizeof *s.head);
  vector_push(&s.entries, ((BinEntry){0, 0}));
  reads_mark_late(in, s.late);
  reads_count(in, s.rebuild.live, s.uses);
  /* A block of loops that reads moves may come before that of a condition. */
  bool apart = !reads_late_loops(in, s.late);
  for (Gate gate = 0; apart && gate < in->gates.count; gate++)
    if (rebuild_is_and(&s.rebuild, gate) && s.late[gate])
      select_read_sum(&s, gate);
  for (uint32_t i = 0; i < s.sums.count; i++)
    select_put_sum(&s, &s.sums.data[i]);
  select_judge_bins(&s);
  make_all(&s, false);
  make_all(&s, true);
  free_all(&s);
  rebuild_end(&s.rebuild);
}

void reduce_select(const Net *in, Net *out, const ReduceOptions *options) {
  Net split, selected;
  split_products(in, &split);
  select_moves(&split, &selected, options->legal);
  reduce_single_use(&selected, out, options);
  net_free(&split);
  net_free(&selected);
}
