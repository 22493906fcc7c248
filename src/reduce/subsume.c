/* Subsumption as SAT solvers do it (Een and Biere 2005): clauses are taken from
   short to long; each is compared with the shorter ones that are listed under
   one of its literals or their negations, and is then listed itself, under its
   rarest literal. A clause here is a negated AND, its literals that AND's
   inputs: the shorter set of inputs implies the longer clause. A budget
   proportional to the size keeps wide ANDs cheap; beyond it, clauses are kept.
 */
#include "reduce/subsume.h"

#include "base/trial.h"

#include <stdlib.h>

static bool is_clause(const Net *net, Signal signal) {
  return signal_negated(signal) && net_is_and(net, signal);
}

static const NetGate *clause_gate(const Net *net, Part part) {
  return &net->gates.data[signal_gate(part.signal)];
}

static int by_number(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static void make_room(NumberVector *vector, uint32_t count) {
  uint32_t old = vector->count;
  if (count <= old) return;
  vector_resize(vector, count);
  memset(vector->data + old, 0, (count - old) * sizeof(uint32_t));
}

static void count_literals(Subsumer *subsumer, const Net *net, Part part) {
  const NetGate *gate = clause_gate(net, part);
  for (uint32_t i = 0; i < gate->count; i++) {
    Signal literal = net->inputs.data[gate->first + i];
    if (subsumer->frequency.data[literal]++ == 0)
      vector_push(&subsumer->touched, literal);
  }
}

/* Writes to `twice` the gates that two clauses have. */
static void mark_gates(Subsumer *subsumer, const Net *net, const Part *parts,
                       uint32_t count) {
  marks_clear(&subsumer->literals);
  marks_clear(&subsumer->twice);
  for (uint32_t p = 0; p < count; p++) {
    if (!is_clause(net, parts[p].signal)) continue;
    const NetGate *gate = clause_gate(net, parts[p]);
    for (uint32_t i = 0; i < gate->count; i++) {
      Gate own = signal_gate(net->inputs.data[gate->first + i]);
      if (!marks_add(&subsumer->literals, own))
        marks_add(&subsumer->twice, own);
    }
  }
}

/* Can a clause say something about another one? That has all its gates, too. */
static bool is_useful(Subsumer *subsumer, const Net *net, const Part *parts,
                      uint32_t count) {
  mark_gates(subsumer, net, parts, count);
  for (uint32_t p = 0; p < count; p++) {
    if (!is_clause(net, parts[p].signal)) continue;
    const NetGate *gate = clause_gate(net, parts[p]);
    uint32_t i = 0;
    while (i < gate->count &&
           marks_has(&subsumer->twice,
                     signal_gate(net->inputs.data[gate->first + i])))
      i++;
    if (i == gate->count) return true;
  }
  return false;
}

/* Sorts the clauses by size; returns false if there are fewer than two. */
static bool collect(Subsumer *subsumer, const Net *net, const Part *parts,
                    uint32_t count) {
  uint64_t total = 0;
  vector_clear(&subsumer->order);
  for (uint32_t i = 0; i < count; i++) {
    if (!is_clause(net, parts[i].signal)) continue;
    uint32_t size = clause_gate(net, parts[i])->count;
    vector_push(&subsumer->order, (uint64_t)size << 32 | i);
    total += size;
  }
  if (subsumer->order.count < 2) return false;
  qsort(subsumer->order.data, subsumer->order.count, sizeof(uint64_t),
        by_number);
  subsumer->budget = 10000 + 50 * total;
  make_room(&subsumer->frequency, net->gates.count * 2);
  make_room(&subsumer->head, net->gates.count * 2);
  for (uint32_t i = 0; i < subsumer->order.count; i++)
    count_literals(subsumer, net, parts[(uint32_t)subsumer->order.data[i]]);
  vector_clear(&subsumer->entries);
  vector_push(&subsumer->entries, ((SubsumeEntry){0, 0}));
  return true;
}

static Signal rarest_literal(const Subsumer *subsumer, const Net *net,
                             Part part) {
  const NetGate *gate = clause_gate(net, part);
  Signal best = net->inputs.data[gate->first];
  for (uint32_t i = 1; i < gate->count; i++) {
    Signal literal = net->inputs.data[gate->first + i];
    if (subsumer->frequency.data[literal] < subsumer->frequency.data[best])
      best = literal;
  }
  return best;
}

static void enter(Subsumer *subsumer, const Net *net, const Part *parts,
                  uint32_t part) {
  Signal watch = rarest_literal(subsumer, net, parts[part]);
  SubsumeEntry entry = {part, subsumer->head.data[watch]};
  vector_push(&subsumer->entries, entry);
  vector_push(&subsumer->touched, watch);
  subsumer->head.data[watch] = subsumer->entries.count - 1;
}

enum { NOTHING, IMPLIED, DISPUTED };

/* What the clause `other` says about the marked one: that it is implied, or
   that one literal, written to `disputed`, can be dropped. */
static int compare(Subsumer *subsumer, const Net *net, Part other,
                   Signal *disputed) {
  const NetGate *gate = clause_gate(net, other);
  int answer = IMPLIED;
  for (uint32_t i = 0; i < gate->count; i++) {
    Signal literal = net->inputs.data[gate->first + i];
    subsumer->budget -= subsumer->budget > 0;
    if (marks_has(&subsumer->literals, literal)) continue;
    if (answer == DISPUTED ||
        !marks_has(&subsumer->literals, signal_not(literal)))
      return NOTHING;
    answer = DISPUTED;
    *disputed = signal_not(literal);
  }
  return answer;
}

/* Drops a literal of the clause unless something would grow; drops `other` if
   it differs in that literal only. */
static bool strengthen(Subsumer *subsumer, Net *net, Part *part, Part *other,
                       Signal disputed) {
  const NetGate gate = *clause_gate(net, *part);
  bool same_size = clause_gate(net, *other)->count == gate.count;
  bool smaller = part->own || (same_size && other->own) || gate.count == 2;
  if (!smaller) return false;
  NumberVector left = {0};
  for (uint32_t i = 0; i < gate.count; i++)
    if (net->inputs.data[gate.first + i] != disputed)
      vector_push(&left, net->inputs.data[gate.first + i]);
  part->own = left.count > 1;
  part->signal = signal_not(net_and(net, left.data, left.count));
  vector_free(&left);
  if (same_size) other->signal = SIGNAL_TRUE;
  make_room(&subsumer->frequency, net->gates.count * 2);
  make_room(&subsumer->head, net->gates.count * 2);
  return true;
}

/* Compares with the clauses listed under the signal; returns true if the clause
   has changed. */
static bool look_under(Subsumer *subsumer, Net *net, Part *parts, Part *part,
                       Signal signal) {
  for (uint32_t e = subsumer->head.data[signal]; e && subsumer->budget;
       e = subsumer->entries.data[e].next) {
    Part *other = &parts[subsumer->entries.data[e].part];
    Signal disputed;
    if (!is_clause(net, other->signal)) continue;
    int answer = compare(subsumer, net, *other, &disputed);
    if (answer == NOTHING) continue;
    if (answer == DISPUTED) {
      if (strengthen(subsumer, net, part, other, disputed)) return true;
      continue;
    }
    part->signal = SIGNAL_TRUE;
    return true;
  }
  return false;
}

static bool improve(Subsumer *subsumer, Net *net, Part *parts, Part *part) {
  trial_check();
  const NetGate gate = *clause_gate(net, *part);
  marks_clear(&subsumer->literals);
  for (uint32_t i = 0; i < gate.count; i++)
    marks_add(&subsumer->literals, net->inputs.data[gate.first + i]);
  for (uint32_t i = 0; i < gate.count; i++) {
    Signal literal = net->inputs.data[gate.first + i];
    if (look_under(subsumer, net, parts, part, literal) ||
        look_under(subsumer, net, parts, part, signal_not(literal)))
      return true;
  }
  return false;
}

/* Empties the lists and counts of the clauses. */
static void clean(Subsumer *subsumer) {
  for (uint32_t i = 0; i < subsumer->touched.count; i++) {
    subsumer->frequency.data[subsumer->touched.data[i]] = 0;
    subsumer->head.data[subsumer->touched.data[i]] = 0;
  }
  vector_clear(&subsumer->touched);
}

uint32_t subsume_parts(Subsumer *subsumer, Net *net, Part *parts,
                       uint32_t count) {
  uint32_t kept = 0;
  if (!is_useful(subsumer, net, parts, count) ||
      !collect(subsumer, net, parts, count))
    return count;
  for (uint32_t i = 0; i < subsumer->order.count; i++) {
    Part *part = &parts[(uint32_t)subsumer->order.data[i]];
    while (is_clause(net, part->signal) && improve(subsumer, net, parts, part))
      continue;
    if (is_clause(net, part->signal))
      enter(subsumer, net, parts, (uint32_t)subsumer->order.data[i]);
  }
  clean(subsumer);
  for (uint32_t i = 0; i < count; i++)
    if (parts[i].signal != SIGNAL_TRUE) parts[kept++] = parts[i];
  return kept;
}

void subsume_free(Subsumer *subsumer) {
  vector_free(&subsumer->frequency);
  vector_free(&subsumer->head);
  vector_free(&subsumer->touched);
  vector_free(&subsumer->entries);
  vector_free(&subsumer->order);
  marks_free(&subsumer->literals);
  marks_free(&subsumer->twice);
}
