/* Units are chosen greedily among one-hot groups: those first whose next
   values read the fewest fluents, each fluent in one unit. By that measure the
   place of a tile is better than the tile in a place, which reads all its
   neighbours. A unit that only one other unit reads is joined with that one:
   the place of a piece and the way it is turned. */
#include <stdlib.h>

#include "base/bits.h"
#include "base/marks.h"
#include "solve/factor.h"

/* ---- what signals read ---- */

void factor_support(const Factor *factor, const Signal *signals, uint32_t count,
                    uint64_t *fluents) {
  const Net *net = factor->net;
  Marks seen = {0};
  NumberVector open = {0};
  marks_clear(&seen);
  for (uint32_t i = 0; i < count; i++)
    if (marks_add(&seen, signal_gate(signals[i])))
      vector_push(&open, signal_gate(signals[i]));
  while (open.count) {
    const NetGate *gate = &net->gates.data[open.data[--open.count]];
    const Signal *list = net->inputs.data + gate->first;
    uint32_t inputs = gate->kind == GATE_AND ? gate->count : 0;
    if (gate->kind == GATE_FLUENT &&
        !bits_has(factor->packing.fixed, gate->first))
      bits_add(fluents, gate->first);
    if (gate->kind == GATE_LOOP) {
      list = &net->loops.data[gate->first].definition;
      inputs = 1;
    }
    for (uint32_t i = 0; i < inputs; i++)
      if (marks_add(&seen, signal_gate(list[i])))
        vector_push(&open, signal_gate(list[i]));
  }
  vector_free(&open);
  marks_free(&seen);
}

static void read_by(const Factor *factor, const uint32_t *members,
                    uint32_t count, uint64_t *fluents) {
  VECTOR(Signal) signals = {0};
  memset(fluents, 0, factor->packing.state_words * sizeof *fluents);
  for (uint32_t i = 0; i < count; i++)
    vector_push(&signals, factor->net->fluents.data[members[i]].next);
  factor_support(factor, signals.data, signals.count, fluents);
  vector_free(&signals);
}

/* ---- parts ---- */

typedef struct Candidate {
  uint32_t group, reads;
} Candidate;

static int compare_candidates(const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  if (x->reads != y->reads) return x->reads < y->reads ? -1 : 1;
  return x->group < y->group ? -1 : x->group > y->group;
}

static uint32_t count_reads(const Factor *factor, const uint32_t *members,
                            uint32_t count, uint64_t *scratch) {
  uint32_t reads = 0;
  read_by(factor, members, count, scratch);
  for (uint32_t w = 0; w < factor->packing.state_words; w++)
    reads += (uint32_t)__builtin_popcountll(scratch[w]);
  return reads;
}

/* Makes a part of what is left of a group. */
static void add_part(Factor *factor, const uint32_t *members, uint32_t count,
                     bool exactly, uint64_t *covered) {
  FactorPart part = {.first = factor->members.count, .exactly = exactly};
  const Packing *packing = &factor->packing;
  for (uint32_t i = 0; i < count; i++) {
    bool fixed = bits_has(packing->fixed, members[i]);
    if (fixed ? bits_has(packing->constant, members[i])
              : bits_has(covered, members[i]))
      part.exactly = false;
    if (fixed || bits_has(covered, members[i])) continue;
    bits_add(covered, members[i]);
    vector_push(&factor->members, members[i]);
    part.count++;
  }
  if (part.count) vector_push(&factor->parts, part);
}

static bool usable(const Factor *factor, Evidence evidence) {
  return evidence == EVIDENCE_PROVED ||
         (evidence == EVIDENCE_SAMPLED && !factor->proved);
}

static void choose_parts(Factor *factor, const OneHot *onehot) {
  const Packing *packing = &factor->packing;
  size_t bytes = packing->state_words * sizeof(uint64_t);
  uint64_t *covered = memory_new(bytes), *scratch = memory_new(bytes);
  VECTOR(Candidate) candidates = {0};
  memcpy(covered, packing->timed, bytes);
  for (uint32_t g = 0; onehot && g < onehot->groups.count; g++) {
    const OneHotGroup *group = &onehot->groups.data[g];
    if (!usable(factor, group->at_most)) continue;
    uint32_t reads = count_reads(factor, onehot_members(onehot, group),
                                 group->count, scratch);
    vector_push(&candidates, ((Candidate){g, reads}));
  }
  if (candidates.count)
    qsort(candidates.data, candidates.count, sizeof *candidates.data,
          compare_candidates);
  for (uint32_t i = 0; i < candidates.count; i++) {
    const OneHotGroup *group = &onehot->groups.data[candidates.data[i].group];
    add_part(factor, onehot_members(onehot, group), group->count,
             usable(factor, group->at_least), covered);
  }
  for (uint32_t i = 0; i < factor->net->fluents.count; i++)
    add_part(factor, &i, 1, false, covered);
  vector_free(&candidates);
  memory_delete(covered);
  memory_delete(scratch);
}

/* ---- units ---- */

static uint32_t part_values(const FactorPart *part) {
  return part->count + !part->exactly;
}

/* The fluents that the unit reads, or those that it consists of. */
static void unit_sets(const Factor *factor, const FactorUnit *unit,
                      uint64_t *reads, uint64_t *owns) {
  uint32_t words = factor->packing.state_words;
  uint64_t *one = memory_new(words * sizeof *one);
  memset(reads, 0, words * sizeof *reads);
  memset(owns, 0, words * sizeof *owns);
  for (uint32_t p = 0; p < unit->parts; p++) {
    const FactorPart *part = &factor->parts.data[unit->part[p]];
    const uint32_t *members = factor->members.data + part->first;
    for (uint32_t i = 0; i < part->count; i++) bits_add(owns, members[i]);
    read_by(factor, members, part->count, one);
    for (uint32_t w = 0; w < words; w++) reads[w] |= one[w];
  }
  memory_delete(one);
}

static bool meet(const uint64_t *a, const uint64_t *b, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    if (a[w] & b[w]) return true;
  return false;
}

/* Sets by pair of units: the first reads the second. */
static void find_readers(const Factor *factor, bool *reads) {
  uint32_t words = factor->packing.state_words, count = factor->units.count;
  uint64_t *sets = memory_new((size_t)2 * count * words * sizeof *sets);
  for (uint32_t u = 0; u < count; u++)
    unit_sets(factor, &factor->units.data[u], sets + (size_t)2 * u * words,
              sets + (size_t)(2 * u + 1) * words);
  for (uint32_t u = 0; u < count; u++)
    for (uint32_t w = 0; w < count; w++)
      reads[u * count + w] =
          u != w && meet(sets + (size_t)2 * u * words,
                         sets + (size_t)(2 * w + 1) * words, words);
  memory_delete(sets);
}

/* The only unit that reads this one; or the number of units. */
static uint32_t only_reader(const Factor *factor, const bool *reads,
                            uint32_t stride, uint32_t unit) {
  uint32_t readers = 0, reader = factor->units.count;
  for (uint32_t u = 0; u < factor->units.count; u++)
    if (reads[u * stride + unit]) {
      readers++;
      reader = u;
    }
  return readers == 1 ? reader : factor->units.count;
}

/* Joins a unit with its only reader; the last one takes its place. */
static void join(Factor *factor, bool *reads, uint32_t stride, uint32_t unit,
                 uint32_t reader) {
  FactorUnit *from = &factor->units.data[unit];
  FactorUnit *to = &factor->units.data[reader];
  uint32_t last = --factor->units.count;
  for (uint32_t p = 0; p < from->parts; p++)
    to->part[to->parts++] = from->part[p];
  to->raw *= from->raw;
  *from = factor->units.data[last];
  for (uint32_t u = 0; u <= last; u++)
    reads[reader * stride + u] |= reads[unit * stride + u];
  reads[reader * stride + reader] = false;
  for (uint32_t u = 0; u <= last; u++)
    reads[u * stride + unit] = reads[u * stride + last];
  for (uint32_t u = 0; u <= last; u++)
    reads[unit * stride + u] = reads[last * stride + u];
  reads[unit * stride + unit] = false;
}

static void join_units(Factor *factor) {
  uint32_t stride = factor->units.count;
  bool *reads = memory_new((size_t)stride * stride + 1);
  find_readers(factor, reads);
  for (uint32_t unit = 0; unit < factor->units.count;) {
    const FactorUnit *from = &factor->units.data[unit];
    uint32_t reader = only_reader(factor, reads, stride, unit);
    const FactorUnit *to = &factor->units.data[reader];
    if (reader == factor->units.count ||
        from->parts + to->parts > FACTOR_PARTS ||
        from->raw * to->raw >= FACTOR_BROKEN) {
      unit++;
      continue;
    }
    join(factor, reads, stride, unit, reader);
    unit = 0;
  }
  memory_delete(reads);
}

bool factor_units(Factor *factor, const Book *book) {
  choose_parts(factor, book->analysis ? &book->analysis->onehot : NULL);
  /* joined units are fewer, but not fewer than half of them in most puzzles */
  if (factor->parts.count > 2 * FACTOR_UNITS) return false;
  for (uint32_t p = 0; p < factor->parts.count; p++) {
    FactorUnit unit = {.parts = 1, .part = {p}};
    unit.raw = part_values(&factor->parts.data[p]);
    if (unit.raw >= FACTOR_BROKEN) return false;
    vector_push(&factor->units, unit);
  }
  join_units(factor);
  return factor->units.count && factor->units.count <= FACTOR_UNITS;
}

uint32_t factor_raw(const Factor *factor, const FactorUnit *unit,
                    const uint64_t *state) {
  uint32_t raw = 0;
  for (uint32_t p = unit->parts; p-- > 0;) {
    const FactorPart *part = &factor->parts.data[unit->part[p]];
    const uint32_t *members = factor->members.data + part->first;
    uint32_t value = part->count, found = 0;
    for (uint32_t i = 0; i < part->count; i++)
      if (bits_has(state, members[i])) {
        value = i;
        found++;
      }
    if (found > 1 || (!found && part->exactly)) return FACTOR_NONE;
    raw = raw * part_values(part) + value;
  }
  return raw;
}
