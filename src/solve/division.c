/* Hash-consing makes equal functions equal signals in most cases that matter,
   so that classes are found by comparing rows of signals. A row that differs in
   form only costs a class too many, never a wrong one.

   Gates of the sheet, fluents included, are one union-find structure: whatever
   the next value of a fluent reads belongs to its part. */
#include "solve/division.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/trial.h"
#include "solve/fixed.h"

static const uint64_t of_time = (uint64_t)1 << 63;

typedef struct Divider {
  Division *division;
  Sheet *sheet;
  Net *net;          /* of the sheet */
  bool *autonomous;  /* by fluent */
  bool *reads_state; /* by gate: not only autonomous fluents */
  uint32_t *parent;  /* by gate */
  uint32_t *part;    /* by fluent: + 1; 0: autonomous */
  uint64_t *below;   /* by gate: parts that it reads, as bits */
  NumberVector list;
} Divider;

/* ---- parts ---- */

/* Flags gates of the sheet one of whose inputs is flagged. */
static void raise(const Net *sheet, bool *flags) {
  for (Gate gate = 1; gate < sheet->gates.count; gate++) {
    const NetGate *g = &sheet->gates.data[gate];
    for (uint32_t i = 0; g->kind == GATE_AND && !flags[gate] && i < g->count;
         i++)
      flags[gate] = flags[signal_gate(net_inputs(sheet, gate)[i])];
  }
}

/* Fluents whose next values are the same whatever the move are autonomous until
   they are found to read one that is not. */
static void find_autonomous(Divider *divider) {
  uint32_t fluents = divider->net->fluents.count;
  uint32_t moves = divider->sheet->from->moves.count;
  divider->reads_state = memory_new(divider->net->gates.count * sizeof(bool));
  for (uint32_t i = 0; i < fluents; i++) {
    divider->autonomous[i] = true;
    for (uint32_t m = 1; m < moves && divider->autonomous[i]; m++)
      divider->autonomous[i] =
          sheet_next(divider->sheet, m, i) == sheet_next(divider->sheet, 0, i);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < fluents; i++)
      divider->reads_state[divider->net->fluents.data[i].gate] =
          !divider->autonomous[i];
    raise(divider->net, divider->reads_state);
    for (uint32_t i = 0; i < fluents; i++)
      if (divider->autonomous[i] &&
          divider->reads_state[signal_gate(sheet_next(divider->sheet, 0, i))]) {
        divider->autonomous[i] = false;
        changed = true;
      }
  }
}

static Gate root_of(Divider *divider, Gate gate) {
  while (divider->parent[gate] != gate) {
    divider->parent[gate] = divider->parent[divider->parent[gate]];
    gate = divider->parent[gate];
  }
  return gate;
}

static void join(Divider *divider, Gate a, Gate b) {
  if (divider->reads_state[a] && divider->reads_state[b])
    divider->parent[root_of(divider, a)] = root_of(divider, b);
}

/* Joins whatever flagged gates read. */
static void join_cones(Divider *divider, bool *wanted) {
  const Net *sheet = divider->net;
  for (Gate gate = sheet->gates.count; gate-- > 0;) {
    const NetGate *g = &sheet->gates.data[gate];
    if (!wanted[gate] || g->kind != GATE_AND) continue;
    for (uint32_t i = 0; i < g->count; i++) {
      Gate input = signal_gate(net_inputs(sheet, gate)[i]);
      wanted[input] = true;
      join(divider, gate, input);
    }
  }
}

static bool is_conjunction(const Net *net, Signal signal) {
  return net_is_and(net, signal) && !signal_negated(signal);
}

static void join_all(Divider *divider) {
  const Net *sheet = divider->net;
  uint32_t fluents = sheet->fluents.count;
  uint32_t moves = divider->sheet->from->moves.count;
  bool *wanted = memory_new(sheet->gates.count * sizeof(bool));
  divider->parent = memory_new(sheet->gates.count * sizeof(uint32_t));
  for (Gate gate = 0; gate < sheet->gates.count; gate++)
    divider->parent[gate] = gate;
  for (uint32_t m = 0; m < moves; m++) {
    for (uint32_t i = 0; i < fluents; i++) {
      Gate next = signal_gate(sheet_next(divider->sheet, m, i));
      wanted[next] = true;
      join(divider, next, sheet->fluents.data[i].gate);
    }
    Signal legal = divider->sheet->legal[m];
    if (!is_conjunction(sheet, legal)) {
      wanted[signal_gate(legal)] = true;
      continue;
    }
    const NetGate *g = &sheet->gates.data[signal_gate(legal)];
    for (uint32_t i = 0; i < g->count; i++)
      wanted[signal_gate(net_inputs(sheet, signal_gate(legal))[i])] = true;
  }
  join_cones(divider, wanted);
  memory_delete(wanted);
}

static bool number_parts(Divider *divider) {
  Division *division = divider->division;
  const Net *sheet = divider->net;
  uint32_t *number = memory_new(sheet->gates.count * sizeof(uint32_t));
  bool few = true;
  for (uint32_t i = 0; i < sheet->fluents.count; i++) {
    if (divider->autonomous[i]) continue;
    uint32_t *own = &number[root_of(divider, sheet->fluents.data[i].gate)];
    if (!*own) *own = ++division->count;
    divider->part[i] = *own;
    few &= *own <= DIVISION_MOST;
  }
  memory_delete(number);
  return few && division->count > 1;
}

static void find_below(Divider *divider) {
  uint32_t fluents = divider->net->fluents.count;
  uint64_t *sets = memory_new(fluents * sizeof *sets);
  for (uint32_t i = 0; i < fluents; i++)
    sets[i] =
        divider->part[i] ? (uint64_t)1 << (divider->part[i] - 1) : of_time;
  memory_delete(divider->below);
  divider->below = sheet_below(&divider->division->sheet, sets);
  memory_delete(sets);
}

/* Merges part `from` into an earlier one; the last one gets its number. */
static void merge(Divider *divider, uint32_t from, uint32_t to) {
  uint32_t last = divider->division->count--;
  for (uint32_t i = 0; i < divider->net->fluents.count; i++) {
    if (divider->part[i] == from + 1)
      divider->part[i] = to + 1;
    else if (divider->part[i] == last)
      divider->part[i] = from + 1;
  }
}

/* ---- classes ---- */

/* The part's share of the move's legality; conditions on the time alone go with
   the first part. */
static Signal legal_share(Divider *divider, uint32_t move, uint32_t part) {
  Signal legal = divider->sheet->legal[move];
  uint64_t own = (uint64_t)1 << part | (part == 0 ? of_time : 0);
  if (!is_conjunction(divider->net, legal))
    return divider->below[signal_gate(legal)] & own || signal_gate(legal) == 0
               ? legal
               : SIGNAL_TRUE;
  Gate gate = signal_gate(legal);
  vector_clear(&divider->list);
  for (uint32_t i = 0; i < divider->net->gates.data[gate].count; i++) {
    Signal input = net_inputs(divider->net, gate)[i];
    uint64_t below = divider->below[signal_gate(input)];
    if (below & ~of_time ? below & own & ~of_time : below & own)
      vector_push(&divider->list, input);
  }
  return net_and(divider->net, divider->list.data, divider->list.count);
}

static uint32_t add_class(DivisionPart *part, Signal legal, const Signal *row) {
  uint32_t count = part->fluents.count;
  for (uint32_t c = 0; c < part->class_count; c++)
    if (part->legal.data[c] == legal &&
        memcmp(part->next.data + (size_t)c * count, row, count * sizeof *row) ==
            0)
      return c;
  vector_push(&part->legal, legal);
  for (uint32_t i = 0; i < count; i++) vector_push(&part->next, row[i]);
  return part->class_count++;
}

static void clear_part(DivisionPart *part) {
  vector_free(&part->fluents);
  vector_free(&part->legal);
  vector_free(&part->next);
  vector_free(&part->cuts);
  *part = (DivisionPart){0};
}

static void find_null(Divider *divider, DivisionPart *part) {
  for (uint32_t c = 0; c < part->class_count && !part->null; c++) {
    bool null = part->legal.data[c] == SIGNAL_TRUE;
    for (uint32_t i = 0; i < part->fluents.count && null; i++) {
      uint32_t fluent = part->fluents.data[i];
      Signal next = part->next.data[c * part->fluents.count + i];
      null = next == gate_signal(divider->net->fluents.data[fluent].gate) ||
             next == divider->sheet->known[fluent];
    }
    if (null) part->null = c + 1;
  }
}

static void find_classes(Divider *divider) {
  Division *division = divider->division;
  uint32_t fluents = divider->net->fluents.count;
  uint32_t moves = divider->sheet->from->moves.count;
  Signal *row = memory_new((fluents + 1) * sizeof *row);
  for (uint32_t p = 0; p < DIVISION_MOST; p++) clear_part(&division->parts[p]);
  for (uint32_t i = 0; i < fluents; i++)
    if (divider->part[i])
      vector_push(&division->parts[divider->part[i] - 1].fluents, i);
  for (uint32_t p = 0; p < division->count; p++) {
    DivisionPart *part = &division->parts[p];
    for (uint32_t m = 0; m < moves; m++) {
      trial_check();
      for (uint32_t i = 0; i < part->fluents.count; i++)
        row[i] = sheet_next(divider->sheet, m, part->fluents.data[i]);
      division->class_of[m * DIVISION_MOST + p] =
          add_class(part, legal_share(divider, m, p), row);
    }
    find_null(divider, part);
  }
  memory_delete(row);
}

static int by_value(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Returns whether moves are all combinations of the classes in the parts of a
   set. */
static bool is_product(const Division *division, uint64_t set) {
  uint32_t moves = division->sheet.from->moves.count;
  uint64_t product = 1, different = 0;
  uint64_t *tuples = memory_new(moves * sizeof *tuples);
  for (uint32_t p = 0; p < division->count; p++) {
    if (!(set >> p & 1)) continue;
    product *= division->parts[p].class_count;
    if (product > moves) break;
    for (uint32_t m = 0; m < moves; m++)
      tuples[m] = tuples[m] * division->parts[p].class_count +
                  division->class_of[m * DIVISION_MOST + p];
  }
  qsort(tuples, moves, sizeof *tuples, by_value);
  for (uint32_t m = 0; m < moves; m++)
    different += m == 0 || tuples[m] != tuples[m - 1];
  memory_delete(tuples);
  return product <= moves && different == product;
}

/* Returns whether each move leaves all parts of a set but one as they are. */
static bool is_serial(const Division *division, uint64_t set) {
  for (uint32_t m = 0; m < division->sheet.from->moves.count; m++) {
    uint32_t touched = 0;
    for (uint32_t p = 0; p < division->count; p++)
      touched +=
          set >> p & 1 && division->class_of[m * DIVISION_MOST + p] + 1 !=
                              division->parts[p].null;
    if (touched > 1) return false;
  }
  return true;
}

/* Parts that go one at a time must not know the time. */
static bool knows_time(const Divider *divider) {
  for (uint32_t p = 0; p < divider->division->count; p++) {
    const DivisionPart *part = &divider->division->parts[p];
    uint64_t below = 0;
    for (uint32_t i = 0; i < part->next.count; i++)
      below |= divider->below[signal_gate(part->next.data[i])];
    for (uint32_t i = 0; i < part->legal.count; i++)
      below |= divider->below[signal_gate(part->legal.data[i])];
    if (below & of_time) return true;
  }
  return false;
}

/* Merges two parts that moves tie together; returns false if there are none. */
static bool merge_tied(Divider *divider) {
  Division *division = divider->division;
  for (uint32_t p = 1; p < division->count; p++)
    for (uint32_t q = 0; q < p; q++) {
      uint64_t pair = (uint64_t)1 << p | (uint64_t)1 << q;
      if (is_product(division, pair) || is_serial(division, pair)) continue;
      merge(divider, p, q);
      return true;
    }
  return false;
}

static bool find_order(Divider *divider) {
  Division *division = divider->division;
  for (;;) {
    find_below(divider);
    find_classes(divider);
    find_below(divider); /* shares of legality may be new gates */
    uint64_t all = ((uint64_t)1 << division->count) - 1;
    if (division->count < 2) return false;
    division->together = is_product(division, all);
    if (division->together) return true;
    if (is_serial(division, all)) return !knows_time(divider);
    if (!merge_tied(divider)) return false;
  }
}

/* ---- cuts ---- */

static void add_cuts(Divider *divider, uint32_t p, Signal output) {
  sheet_cuts(&divider->division->sheet, divider->below, output,
             (uint64_t)1 << p, &divider->division->parts[p].cuts);
}

static bool find_cuts(Divider *divider) {
  Division *division = divider->division;
  const NumberVector *goals = &division->sheet.goals;
  bool few = true;
  for (uint32_t p = 0; p < division->count; p++) {
    DivisionPart *part = &division->parts[p];
    add_cuts(divider, p, division->sheet.terminal);
    uint32_t ending = part->cuts.count;
    for (uint32_t i = 0; i < goals->count; i++)
      add_cuts(divider, p, goals->data[i]);
    few &= part->cuts.count <= DIVISION_CUTS;
    part->ending = ending < 64 ? ((uint64_t)1 << ending) - 1 : UINT64_MAX;
  }
  return few;
}

/* ---- the whole ---- */

static void find_clock(Divider *divider) {
  Division *division = divider->division;
  for (uint32_t i = 0; i < divider->net->fluents.count; i++) {
    if (!divider->autonomous[i]) continue;
    vector_push(&division->clock, i);
    vector_push(&division->advance, sheet_next(divider->sheet, 0, i));
  }
}

static void divider_free(Divider *divider) {
  memory_delete(divider->autonomous);
  memory_delete(divider->reads_state);
  memory_delete(divider->parent);
  memory_delete(divider->part);
  memory_delete(divider->below);
  vector_free(&divider->list);
}

static bool make_sheet(Sheet *sheet, const Net *net, const uint64_t *state) {
  Signal *values = memory_new(net->gates.count * sizeof *values);
  Fixed fixed;
  fixed_init(&fixed, net, state);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    values[gate] = sheet_unknown;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (bits_has(fixed.fluents, i))
      values[net->fluents.data[i].gate] = bits_has(state, i);
  bool made = sheet_init(sheet, net, values);
  fixed_free(&fixed);
  memory_delete(values);
  return made;
}

bool division_init(Division *division, const Net *net, const uint64_t *state) {
  uint32_t fluents = net->fluents.count;
  *division = (Division){0};
  if (!make_sheet(&division->sheet, net, state)) return false;
  division->class_of =
      memory_new((size_t)net->moves.count * DIVISION_MOST * sizeof(uint32_t));
  Divider divider = {.division = division,
                     .sheet = &division->sheet,
                     .net = &division->sheet.net,
                     .autonomous = memory_new(fluents * sizeof(bool)),
                     .part = memory_new(fluents * sizeof(uint32_t))};
  find_autonomous(&divider);
  join_all(&divider);
  bool done =
      number_parts(&divider) && find_order(&divider) && find_cuts(&divider);
  if (done) find_clock(&divider);
  divider_free(&divider);
  if (!done) division_free(division);
  return done;
}

void division_free(Division *division) {
  for (uint32_t p = 0; p < DIVISION_MOST; p++) clear_part(&division->parts[p]);
  sheet_free(&division->sheet);
  memory_delete(division->class_of);
  vector_free(&division->clock);
  vector_free(&division->advance);
}
