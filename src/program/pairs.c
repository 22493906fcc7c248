/* Before an AND is made it is looked up by each of its cuts, with leaves and
   truth table as the key, so that constants, repetitions and equal functions of
   three gates are eliminated (cut sweeping: Eén 2007). Cuts of a gate come from
   merging those of its inputs (Cong, Wu and Ding 1999); at most CUT_LIMIT are
   kept, smallest first. */
#include "program/pairs.h"

#include "base/hash.h"
#include "base/trial.h"
#include "program/truth.h"

/* In nine public games 5, 10 or 20 cuts led to the same number of gates. */
enum { CUT_LIMIT = 8 };

/* ---- the circuit ---- */

static void fill_spread(Pairs *pairs) {
  for (uint32_t places = 0; places < 8; places++) {
    uint32_t place[3] = {0, 0, 0}, used = 0;
    for (uint32_t i = 0; i < 3; i++)
      if (places >> i & 1) place[used++] = i;
    for (uint32_t table = 0; table < 256; table++)
      pairs->spread[places][table] = truth_move((uint8_t)table, place);
  }
}

/* Adds the gate, and the cut that is the gate itself at the end of its list. */
static void close_gate(Pairs *pairs, Signal a, Signal b, uint32_t first) {
  Gate gate = pairs->gates.count;
  vector_push(&pairs->cuts, ((PairsCut){{gate, 0, 0}, gate, TRUTH_A}));
  uint32_t count = pairs->cuts.count - first;
  vector_push(&pairs->gates, ((PairsGate){{a, b}, first, count}));
}

void pairs_init(Pairs *pairs, uint32_t input_count) {
  *pairs = (Pairs){.input_count = input_count};
  fill_spread(pairs);
  vector_push(&pairs->gates, ((PairsGate){{0, 0}, 0, 0}));
  for (uint32_t i = 0; i < input_count; i++)
    close_gate(pairs, 0, 0, pairs->cuts.count);
}

void pairs_free(Pairs *pairs) {
  vector_free(&pairs->gates);
  vector_free(&pairs->cuts);
  map_free(&pairs->known);
}

/* ---- known cuts, by tables with f(0, 0, 0) = 0 ---- */

static uint8_t plain_table(uint8_t table) {
  return table & 1 ? (uint8_t)~table : table;
}

static uint64_t hash_cut(const PairsCut *cut) {
  uint64_t low = (uint64_t)cut->leaves[0] << 32 | cut->leaves[1];
  uint64_t high = (uint64_t)cut->leaves[2] << 8 | plain_table(cut->table);
  return hash_mix(low * 0x9e3779b97f4a7c15u ^ high);
}

static bool same_cut(const PairsCut *a, const PairsCut *b) {
  return a->leaves[0] == b->leaves[0] && a->leaves[1] == b->leaves[1] &&
         a->leaves[2] == b->leaves[2] &&
         plain_table(a->table) == plain_table(b->table);
}

/* Returns the signal with this cut, or SIGNAL_FALSE. */
static Signal find_cut(const Pairs *pairs, const PairsCut *cut) {
  MapCursor at;
  for (uint32_t e = map_first(&pairs->known, hash_cut(cut), &at); e;
       e = map_next(&pairs->known, &at)) {
    const PairsCut *known = &pairs->cuts.data[e - 1];
    if (same_cut(known, cut))
      return gate_signal(known->gate) | (known->table != cut->table);
  }
  return SIGNAL_FALSE;
}

/* ---- cuts of an AND ---- */

/* Computes the union of two sorted leaf sets and the places of each in it;
   returns false if there are more than three. */
static bool merge_leaves(const PairsCut *a, const PairsCut *b, Gate leaves[3],
                         uint32_t *places_a, uint32_t *places_b) {
  uint32_t i = 0, j = 0, count = 0;
  *places_a = *places_b = 0;
  leaves[0] = leaves[1] = leaves[2] = 0;
  for (;;) {
    Gate left = i < 3 ? a->leaves[i] : 0, right = j < 3 ? b->leaves[j] : 0;
    if (!left && !right) return true;
    if (count == 3) return false;
    bool from_a = left && (!right || left <= right);
    bool from_b = right && (!left || right <= left);
    leaves[count] = from_a ? left : right;
    if (from_a) *places_a |= 1u << count, i++;
    if (from_b) *places_b |= 1u << count, j++;
    count++;
  }
}

/* Drops leaves that the table does not depend on. */
static void shrink(PairsCut *cut) {
  uint32_t place[3] = {0, 0, 0}, kept = 0;
  for (uint32_t i = 0; i < 3; i++) {
    if (!cut->leaves[i] || !truth_depends(cut->table, i)) continue;
    cut->leaves[kept] = cut->leaves[i];
    place[i] = kept++;
  }
  cut->table = truth_move(cut->table, place);
  while (kept < 3) cut->leaves[kept++] = 0;
}

static bool needs_all(const PairsCut *cut) {
  for (uint32_t i = 0; i < 3; i++)
    if (cut->leaves[i] && !truth_depends(cut->table, i)) return false;
  return true;
}

static bool merge_cuts(const Pairs *pairs, const PairsCut *a, bool negate_a,
                       const PairsCut *b, bool negate_b, PairsCut *cut) {
  uint32_t places_a, places_b;
  if (!merge_leaves(a, b, cut->leaves, &places_a, &places_b)) return false;
  uint32_t left = pairs->spread[places_a][a->table] ^ (negate_a ? 0xffu : 0);
  uint32_t right = pairs->spread[places_b][b->table] ^ (negate_b ? 0xffu : 0);
  cut->table = (uint8_t)(left & right);
  if (!needs_all(cut)) shrink(cut);
  return true;
}

/* Returns true if the AND needs no new gate: it is constant, a leaf, or a known
   function. */
static bool simplify(const Pairs *pairs, const PairsCut *cut, Signal *result) {
  if (!cut->leaves[0]) {
    *result = cut->table ? SIGNAL_TRUE : SIGNAL_FALSE;
    return true;
  }
  if (!cut->leaves[1]) {
    *result = gate_signal(cut->leaves[0]) | (cut->table != TRUTH_A);
    return true;
  }
  *result = find_cut(pairs, cut);
  return *result != SIGNAL_FALSE;
}

static uint32_t cut_size(const PairsCut *cut) {
  return 1u + (cut->leaves[1] != 0) + (cut->leaves[2] != 0);
}

/* Keeps the smallest cuts, each once. */
static void keep_cut(PairsCut *list, uint32_t *count, const PairsCut *cut) {
  for (uint32_t i = 0; i < *count; i++)
    if (same_cut(&list[i], cut)) return;
  uint32_t at = *count;
  while (at > 0 && cut_size(&list[at - 1]) > cut_size(cut)) at--;
  if (at == CUT_LIMIT) return;
  if (*count < CUT_LIMIT) (*count)++;
  for (uint32_t i = *count - 1; i > at; i--) list[i] = list[i - 1];
  list[at] = *cut;
}

static Signal add_gate(Pairs *pairs, Signal a, Signal b, PairsCut *list,
                       uint32_t count) {
  Gate gate = pairs->gates.count;
  uint32_t first = pairs->cuts.count;
  for (uint32_t i = 0; i < count; i++) {
    list[i].gate = gate;
    vector_push(&pairs->cuts, list[i]);
    map_add(&pairs->known, hash_cut(&list[i]), first + i + 1);
  }
  close_gate(pairs, a, b, first);
  return gate_signal(gate);
}

/* The leaves of a cut, each as a bit that others may share. */
static uint64_t mark_leaves(const PairsCut *cut) {
  uint64_t marks = 0;
  for (uint32_t i = 0; i < 3 && cut->leaves[i]; i++)
    marks |= (uint64_t)1 << cut->leaves[i] % 64;
  return marks;
}

static bool has_over_three(uint64_t marks) {
  marks &= marks - 1;
  marks &= marks - 1;
  marks &= marks - 1;
  return marks;
}

Signal pairs_and(Pairs *pairs, Signal a, Signal b) {
  trial_check();
  if (a == SIGNAL_FALSE || b == SIGNAL_FALSE || a == signal_not(b))
    return SIGNAL_FALSE;
  if (a == SIGNAL_TRUE || a == b) return b;
  if (b == SIGNAL_TRUE) return a;
  const PairsGate *left = &pairs->gates.data[signal_gate(a)];
  const PairsGate *right = &pairs->gates.data[signal_gate(b)];
  PairsCut list[CUT_LIMIT], cut = {0};
  uint64_t marks[CUT_LIMIT + 1];
  uint32_t count = 0;
  for (uint32_t j = 0; j < right->count; j++)
    marks[j] = mark_leaves(&pairs->cuts.data[right->first + j]);
  /* The last cuts, the gates themselves, come first: a known AND is found at
     once. */
  for (uint32_t i = left->count; i-- > 0;) {
    const PairsCut *of_left = &pairs->cuts.data[left->first + i];
    uint64_t own = mark_leaves(of_left);
    for (uint32_t j = right->count; j-- > 0;) {
      Signal known;
      if (has_over_three(own | marks[j]) ||
          !merge_cuts(pairs, of_left, signal_negated(a),
                      &pairs->cuts.data[right->first + j], signal_negated(b),
                      &cut))
        continue;
      if (simplify(pairs, &cut, &known)) return known;
      keep_cut(list, &count, &cut);
    }
  }
  return add_gate(pairs, a, b, list, count);
}
