/* ab OR ac = a(b OR c): among the clauses (negated ANDs) of one AND that are
   read nowhere else, those that share a literal become one clause: the literals
   that all of them share, and what is left of them, treated likewise. The
   literal that most clauses share comes first. With all signs changed this is
   (a OR b)(a OR c) = a OR bc. Weak division in the sense of Brayton and
   McMullen (1982), greedily by single literals. */
#include <stdlib.h>

#include "base/marks.h"
#include "reduce/heap.h"
#include "reduce/reads.h"
#include "reduce/rebuild.h"
#include "reduce/reduction.h"

/* A literal set in the pool. */
typedef struct Clause {
  uint32_t first, count;
  Signal signal; /* of its gate, if there is one; else SIGNAL_FALSE */
} Clause;

typedef VECTOR(Clause) ClauseVector;

typedef struct Distributor {
  Rebuild rebuild;
  uint32_t *uses;    /* by old gate */
  NumberVector pool; /* literals of clauses */
  Marks common;
} Distributor;

/* Sorted, the occurrences of a literal form a run, by clause. */
typedef struct Occurrence {
  Signal literal;
  uint32_t clause;
} Occurrence;

typedef VECTOR(Occurrence) OccurrenceVector;

static int by_literal(const void *left, const void *right) {
  const Occurrence *a = left, *b = right;
  if (a->literal != b->literal) return a->literal < b->literal ? -1 : 1;
  return (a->clause > b->clause) - (a->clause < b->clause);
}

static void list_occurrences(const Distributor *d, const ClauseVector *clauses,
                             OccurrenceVector *list) {
  for (uint32_t c = 0; c < clauses->count; c++)
    for (uint32_t i = 0; i < clauses->data[c].count; i++) {
      Signal literal = d->pool.data[clauses->data[c].first + i];
      vector_push(list, ((Occurrence){literal, c}));
    }
  if (list->count)
    qsort(list->data, list->count, sizeof *list->data, by_literal);
}

static uint32_t run_end(const OccurrenceVector *list, uint32_t first) {
  uint32_t end = first;
  while (end < list->count &&
         list->data[end].literal == list->data[first].literal)
    end++;
  return end;
}

/* The clauses of the run that are in no group yet. */
static uint32_t count_free(const OccurrenceVector *list, uint32_t first,
                           const uint32_t *group) {
  uint32_t count = 0, end = run_end(list, first);
  for (uint32_t i = first; i < end; i++) count += !group[list->data[i].clause];
  return count;
}

/* Numbers the clauses' groups from 1; those in group 0 stay alone. No public
   game reaches the budget. */
static uint32_t find_groups(const Distributor *d, const ClauseVector *clauses,
                            uint32_t *group) {
  OccurrenceVector list = {0};
  Heap heap = {0};
  uint32_t groups = 0;
  list_occurrences(d, clauses, &list);
  for (uint32_t i = 0, end; i < list.count; i = end) {
    end = run_end(&list, i);
    if (end - i > 1) heap_push(&heap, (HeapEntry){end - i, i, 0});
  }
  uint64_t budget = 1000 + 100 * (uint64_t)list.count;
  while (heap.count) {
    HeapEntry entry = heap_pop(&heap);
    uint32_t count = count_free(&list, entry.a, group);
    if (budget < entry.count) break;
    budget -= entry.count;
    if (count < 2) continue;
    if (count < entry.count) {
      heap_push(&heap, (HeapEntry){count, entry.a, 0});
      continue;
    }
    groups++;
    for (uint32_t i = entry.a, end = run_end(&list, entry.a); i < end; i++)
      if (!group[list.data[i].clause]) group[list.data[i].clause] = groups;
  }
  vector_free(&list);
  vector_free(&heap);
  return groups;
}

/* Collects the literals that all clauses have in `common`. */
static void find_common(Distributor *d, const ClauseVector *clauses,
                        NumberVector *common) {
  Clause first = clauses->data[0];
  for (uint32_t i = 0; i < first.count; i++)
    vector_push(common, d->pool.data[first.first + i]);
  for (uint32_t c = 1; c < clauses->count; c++) {
    Clause clause = clauses->data[c];
    uint32_t kept = 0;
    marks_clear(&d->common);
    for (uint32_t i = 0; i < clause.count; i++)
      marks_add(&d->common, d->pool.data[clause.first + i]);
    for (uint32_t i = 0; i < common->count; i++)
      if (marks_has(&d->common, common->data[i]))
        common->data[kept++] = common->data[i];
    common->count = kept;
  }
}

/* Removes the common literals from each clause; returns false if one becomes
   empty and so implies the others. */
static bool divide(Distributor *d, ClauseVector *clauses,
                   const NumberVector *common) {
  marks_clear(&d->common);
  for (uint32_t i = 0; i < common->count; i++)
    marks_add(&d->common, common->data[i]);
  for (uint32_t c = 0; c < clauses->count; c++) {
    Clause clause = clauses->data[c], left = {d->pool.count, 0, SIGNAL_FALSE};
    for (uint32_t i = 0; i < clause.count; i++) {
      Signal literal = d->pool.data[clause.first + i];
      if (!marks_has(&d->common, literal)) vector_push(&d->pool, literal);
    }
    left.count = d->pool.count - left.first;
    if (left.count == 0) return false;
    clauses->data[c] = left;
  }
  return true;
}

static void make_clauses(Distributor *d, const ClauseVector *clauses,
                         NumberVector *parts);

/* Makes one clause of those, which share a literal. */
static Signal make_group(Distributor *d, ClauseVector *clauses) {
  NumberVector common = {0}, parts = {0};
  find_common(d, clauses, &common);
  if (divide(d, clauses, &common)) {
    make_clauses(d, clauses, &parts);
    Signal none = net_and(d->rebuild.to, parts.data, parts.count);
    vector_push(&common, signal_not(none));
  }
  Signal signal = signal_not(net_and(d->rebuild.to, common.data, common.count));
  vector_free(&common);
  vector_free(&parts);
  return signal;
}

static Signal make_clause(Distributor *d, Clause clause) {
  if (clause.signal) return clause.signal;
  NumberVector list = {0};
  for (uint32_t i = 0; i < clause.count; i++)
    vector_push(&list, d->pool.data[clause.first + i]);
  Signal signal = signal_not(net_and(d->rebuild.to, list.data, list.count));
  vector_free(&list);
  return signal;
}

/* Adds to `parts` signals whose AND is that of the clauses. */
static void make_clauses(Distributor *d, const ClauseVector *clauses,
                         NumberVector *parts) {
  uint32_t *group = memory_new(clauses->count * sizeof *group);
  uint32_t groups = find_groups(d, clauses, group);
  ClauseVector *members = memory_new((groups + 1) * sizeof *members);
  for (uint32_t c = 0; c < clauses->count; c++)
    vector_push(&members[group[c]], clauses->data[c]);
  for (uint32_t i = 0; i < members[0].count; i++)
    vector_push(parts, make_clause(d, members[0].data[i]));
  for (uint32_t g = 1; g <= groups; g++)
    vector_push(parts, make_group(d, &members[g]));
  for (uint32_t g = 0; g <= groups; g++) vector_free(&members[g]);
  memory_delete(members);
  memory_delete(group);
}

static bool is_own_clause(const Distributor *d, Signal input, Signal signal) {
  return signal_negated(signal) && net_is_and(d->rebuild.to, signal) &&
         d->uses[signal_gate(input)] == 1;
}

/* Is there a literal that two of the gate's own clauses share? */
static bool shares(Distributor *d, Gate gate) {
  const Net *to = d->rebuild.to;
  const Signal *inputs = net_inputs(d->rebuild.from, gate);
  marks_clear(&d->common);
  for (uint32_t i = 0; i < d->rebuild.list.count; i++) {
    Signal signal = d->rebuild.list.data[i];
    if (!is_own_clause(d, inputs[i], signal)) continue;
    const NetGate *g = &to->gates.data[signal_gate(signal)];
    for (uint32_t j = 0; j < g->count; j++)
      if (!marks_add(&d->common, to->inputs.data[g->first + j])) return true;
  }
  return false;
}

static Signal distribute(Distributor *d, Gate gate) {
  Net *to = d->rebuild.to;
  const Signal *inputs = net_inputs(d->rebuild.from, gate);
  NumberVector parts = {0};
  ClauseVector clauses = {0};
  vector_clear(&d->pool);
  for (uint32_t i = 0; i < d->rebuild.list.count; i++) {
    Signal signal = d->rebuild.list.data[i];
    if (!is_own_clause(d, inputs[i], signal)) {
      vector_push(&parts, signal);
      continue;
    }
    const NetGate *g = &to->gates.data[signal_gate(signal)];
    vector_push(&clauses, ((Clause){d->pool.count, g->count, signal}));
    for (uint32_t j = 0; j < g->count; j++)
      vector_push(&d->pool, to->inputs.data[g->first + j]);
  }
  make_clauses(d, &clauses, &parts);
  Signal made = net_and(to, parts.data, parts.count);
  vector_free(&parts);
  vector_free(&clauses);
  return made;
}

static void make(Distributor *d, Gate gate) {
  rebuild_inputs(&d->rebuild, gate);
  if (shares(d, gate))
    d->rebuild.map[gate] = distribute(d, gate);
  else
    rebuild_make(&d->rebuild, gate);
}

void reduce_distribute(const Net *in, Net *out, const ReduceOptions *options) {
  (void)options;
  Distributor d = {0};
  rebuild_begin(&d.rebuild, in, out);
  d.uses = memory_new(in->gates.count * sizeof *d.uses);
  reads_count(in, d.rebuild.live, d.uses);
  for (Gate gate = 0; gate < in->gates.count; gate++)
    if (rebuild_is_and(&d.rebuild, gate)) make(&d, gate);
  memory_delete(d.uses);
  vector_free(&d.pool);
  marks_free(&d.common);
  rebuild_end(&d.rebuild);
}
