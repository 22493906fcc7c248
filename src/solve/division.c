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

enum { MOST_WORK = 1 << 24 }; /* moves times gates that read them */

static const uint64_t of_time = (uint64_t)1 << 63;
static const Signal unknown = UINT32_MAX;

typedef struct Divider {
  Division *division;
  const Net *net;
  Net *sheet;
  const uint64_t *state;
  Fixed fixed;       /* from the state on */
  Signal *known;     /* by fluent: its value while the game goes on, or
                        unknown */
  bool *reads_moves; /* by gate of the net */
  Signal *map;       /* by gate of the net: in the sheet, for one move */
  Signal *next;      /* by move, then fluent */
  Signal *legal;     /* by move */
  Signal terminal;
  NumberVector goals; /* signals */
  bool *autonomous;   /* by fluent */
  bool *reads_state;  /* by gate of the sheet: not only autonomous fluents */
  uint32_t *parent;   /* by gate of the sheet */
  uint32_t *part;     /* by fluent: + 1; 0: autonomous */
  uint64_t *below;    /* by gate of the sheet: parts that it reads, as bits */
  NumberVector list;
} Divider;

/* ---- the sheet ---- */

static Signal mapped(const Divider *divider, Signal signal) {
  return divider->map[signal_gate(signal)] ^ (signal & 1);
}

static void map_and(Divider *divider, Gate gate) {
  const NetGate *g = &divider->net->gates.data[gate];
  vector_clear(&divider->list);
  for (uint32_t i = 0; i < g->count; i++)
    vector_push(&divider->list,
                mapped(divider, net_inputs(divider->net, gate)[i]));
  divider->map[gate] =
      net_and(divider->sheet, divider->list.data, divider->list.count);
}

/* Maps what reads no moves, as it is in states where the game is not over if
   `during` is set. */
static void map_states(Divider *divider, bool during) {
  const Net *net = divider->net;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    const NetFluent *fluent = &net->fluents.data[i];
    divider->map[fluent->gate] =
        bits_has(divider->fixed.fluents, i) ? bits_has(divider->state, i)
        : during && divider->known[i] != unknown
            ? divider->known[i]
            : gate_signal(divider->sheet->fluents.data[i].gate);
  }
  for (Gate gate = 1; gate < net->gates.count; gate++)
    if (net->gates.data[gate].kind == GATE_AND && !divider->reads_moves[gate])
      map_and(divider, gate);
}

/* Returns the number of gates that read moves. */
static uint32_t find_readers(Divider *divider) {
  const Net *net = divider->net;
  uint32_t readers = 0;
  for (Gate gate = 1; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    divider->reads_moves[gate] = g->kind == GATE_MOVE;
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      if (divider->reads_moves[signal_gate(net_inputs(net, gate)[i])])
        divider->reads_moves[gate] = true;
    readers += divider->reads_moves[gate];
  }
  return readers;
}

static void know(Divider *divider, Signal signal) {
  const NetGate *g = &divider->net->gates.data[signal_gate(signal)];
  if (g->kind == GATE_FLUENT)
    divider->known[g->first] =
        signal_negated(signal) ? SIGNAL_FALSE : SIGNAL_TRUE;
}

/* Fluents that decide the end alone have one value before it; nets make use of
   this. */
static void find_known(Divider *divider) {
  const Net *net = divider->net;
  Signal on = signal_not(net->terminal);
  for (uint32_t i = 0; i < net->fluents.count; i++) divider->known[i] = unknown;
  know(divider, on);
  if (!net_is_and(net, on) || signal_negated(on)) return;
  for (uint32_t i = 0; i < net->gates.data[signal_gate(on)].count; i++)
    know(divider, net_inputs(net, signal_gate(on))[i]);
}

static void map_move(Divider *divider, uint32_t move) {
  const Net *net = divider->net;
  for (uint32_t m = 0; m < net->moves.count; m++)
    divider->map[net->moves.data[m].gate] = m == move;
  for (Gate gate = 1; gate < net->gates.count; gate++)
    if (divider->reads_moves[gate] && net->gates.data[gate].kind == GATE_AND)
      map_and(divider, gate);
  Signal *next = divider->next + (size_t)move * net->fluents.count;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    next[i] = mapped(divider, net->fluents.data[i].next);
}

static bool make_sheet(Divider *divider) {
  const Net *net = divider->net;
  uint32_t readers = find_readers(divider);
  if ((uint64_t)(readers + net->fluents.count) * net->moves.count > MOST_WORK)
    return false;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    net_add_fluent(divider->sheet, net->fluents.data[i].term,
                   net->fluents.data[i].initial);
  map_states(divider, false);
  divider->terminal = mapped(divider, net->terminal);
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(&divider->goals, mapped(divider, net->goals.data[i].signal));
  find_known(divider);
  map_states(divider, true);
  divider->next = memory_new((size_t)net->moves.count * net->fluents.count *
                             sizeof(Signal));
  for (uint32_t m = 0; m < net->moves.count; m++) {
    divider->legal[m] = mapped(divider, net->moves.data[m].legal);
    map_move(divider, m);
  }
  return true;
}

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
  const Net *net = divider->net;
  uint32_t fluents = net->fluents.count;
  divider->reads_state = memory_new(divider->sheet->gates.count * sizeof(bool));
  for (uint32_t i = 0; i < fluents; i++) {
    divider->autonomous[i] = true;
    for (uint32_t m = 1; m < net->moves.count && divider->autonomous[i]; m++)
      divider->autonomous[i] =
          divider->next[(size_t)m * fluents + i] == divider->next[i];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < fluents; i++)
      divider->reads_state[divider->sheet->fluents.data[i].gate] =
          !divider->autonomous[i];
    raise(divider->sheet, divider->reads_state);
    for (uint32_t i = 0; i < fluents; i++)
      if (divider->autonomous[i] &&
          divider->reads_state[signal_gate(divider->next[i])]) {
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
  const Net *sheet = divider->sheet;
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
  const Net *net = divider->net, *sheet = divider->sheet;
  uint32_t fluents = net->fluents.count;
  bool *wanted = memory_new(sheet->gates.count * sizeof(bool));
  divider->parent = memory_new(sheet->gates.count * sizeof(uint32_t));
  for (Gate gate = 0; gate < sheet->gates.count; gate++)
    divider->parent[gate] = gate;
  for (uint32_t m = 0; m < net->moves.count; m++) {
    for (uint32_t i = 0; i < fluents; i++) {
      Gate next = signal_gate(divider->next[(size_t)m * fluents + i]);
      wanted[next] = true;
      join(divider, next, sheet->fluents.data[i].gate);
    }
    Signal legal = divider->legal[m];
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
  const Net *sheet = divider->sheet;
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
  const Net *sheet = divider->sheet;
  divider->below =
      memory_resize(divider->below, sheet->gates.count * sizeof(uint64_t));
  divider->below[0] = 0;
  for (Gate gate = 1; gate < sheet->gates.count; gate++) {
    const NetGate *g = &sheet->gates.data[gate];
    uint64_t below = 0;
    if (g->kind == GATE_FLUENT) {
      uint32_t part = divider->part[g->first];
      below = part ? (uint64_t)1 << (part - 1) : of_time;
    }
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      below |= divider->below[signal_gate(net_inputs(sheet, gate)[i])];
    divider->below[gate] = below;
  }
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
  Signal legal = divider->legal[move];
  uint64_t own = (uint64_t)1 << part | (part == 0 ? of_time : 0);
  if (!is_conjunction(divider->sheet, legal))
    return divider->below[signal_gate(legal)] & own || signal_gate(legal) == 0
               ? legal
               : SIGNAL_TRUE;
  Gate gate = signal_gate(legal);
  vector_clear(&divider->list);
  for (uint32_t i = 0; i < divider->sheet->gates.data[gate].count; i++) {
    Signal input = net_inputs(divider->sheet, gate)[i];
    uint64_t below = divider->below[signal_gate(input)];
    if (below & ~of_time ? below & own & ~of_time : below & own)
      vector_push(&divider->list, input);
  }
  return net_and(divider->sheet, divider->list.data, divider->list.count);
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
      null = next == gate_signal(divider->sheet->fluents.data[fluent].gate) ||
             next == divider->known[fluent];
    }
    if (null) part->null = c + 1;
  }
}

static void find_classes(Divider *divider) {
  Division *division = divider->division;
  const Net *net = divider->net;
  uint32_t fluents = net->fluents.count;
  Signal *row = memory_new((fluents + 1) * sizeof *row);
  for (uint32_t p = 0; p < DIVISION_MOST; p++) clear_part(&division->parts[p]);
  for (uint32_t i = 0; i < fluents; i++)
    if (divider->part[i])
      vector_push(&division->parts[divider->part[i] - 1].fluents, i);
  for (uint32_t p = 0; p < division->count; p++) {
    DivisionPart *part = &division->parts[p];
    for (uint32_t m = 0; m < net->moves.count; m++) {
      const Signal *next = divider->next + (size_t)m * fluents;
      trial_check();
      for (uint32_t i = 0; i < part->fluents.count; i++)
        row[i] = next[part->fluents.data[i]];
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
  uint32_t moves = division->net->moves.count;
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
  for (uint32_t m = 0; m < division->net->moves.count; m++) {
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

static void add_cut(Divider *divider, uint64_t below, Signal signal,
                    bool ending) {
  uint32_t p = (uint32_t)__builtin_ctzll(below);
  DivisionPart *part = &divider->division->parts[p];
  uint32_t i = 0;
  while (i < part->cuts.count && part->cuts.data[i] != signal) i++;
  if (i == part->cuts.count) vector_push(&part->cuts, signal);
  if (ending && i < DIVISION_CUTS) part->ending |= (uint64_t)1 << i;
}

static bool one_part(uint64_t below) {
  return below && !(below & (below - 1)) && below != of_time;
}

/* Inputs of a mixed AND that read one part alone are one cut together. */
static void cut_mixed(Divider *divider, Gate gate, bool ending) {
  uint32_t count = divider->sheet->gates.data[gate].count;
  for (uint32_t p = 0; p < divider->division->count; p++) {
    vector_clear(&divider->list);
    for (uint32_t i = 0; i < count; i++) {
      Signal input = net_inputs(divider->sheet, gate)[i];
      if (divider->below[signal_gate(input)] == (uint64_t)1 << p)
        vector_push(&divider->list, input);
    }
    if (divider->list.count)
      add_cut(divider, (uint64_t)1 << p,
              net_and(divider->sheet, divider->list.data, divider->list.count),
              ending);
  }
}

/* Everything that the output reads is a function of cuts and the time. */
static void cut_output(Divider *divider, Signal output, bool ending) {
  uint32_t gates = signal_gate(output) + 1;
  bool *wanted = memory_new(gates * sizeof(bool));
  wanted[gates - 1] = true;
  for (Gate gate = gates; gate-- > 1;) {
    uint64_t below = divider->below[gate];
    if (!wanted[gate] || below == 0 || below == of_time) continue;
    if (one_part(below)) {
      if (gate == gates - 1) add_cut(divider, below, gate_signal(gate), ending);
      continue;
    }
    cut_mixed(divider, gate, ending);
    for (uint32_t i = 0; i < divider->sheet->gates.data[gate].count; i++)
      wanted[signal_gate(net_inputs(divider->sheet, gate)[i])] = true;
  }
  memory_delete(wanted);
}

static bool find_cuts(Divider *divider) {
  cut_output(divider, divider->terminal, true);
  for (uint32_t i = 0; i < divider->goals.count; i++)
    cut_output(divider, divider->goals.data[i], false);
  for (uint32_t p = 0; p < divider->division->count; p++)
    if (divider->division->parts[p].cuts.count > DIVISION_CUTS) return false;
  return true;
}

/* ---- the whole ---- */

static void find_clock(Divider *divider) {
  Division *division = divider->division;
  for (uint32_t i = 0; i < divider->net->fluents.count; i++) {
    if (!divider->autonomous[i]) continue;
    vector_push(&division->clock, i);
    vector_push(&division->advance, divider->next[i]);
  }
}

static void divider_free(Divider *divider) {
  memory_delete(divider->reads_moves);
  memory_delete(divider->map);
  memory_delete(divider->next);
  memory_delete(divider->legal);
  vector_free(&divider->goals);
  memory_delete(divider->autonomous);
  memory_delete(divider->reads_state);
  memory_delete(divider->parent);
  memory_delete(divider->part);
  memory_delete(divider->known);
  memory_delete(divider->below);
  vector_free(&divider->list);
}

static bool divide(Divider *divider) {
  fixed_init(&divider->fixed, divider->net, divider->state);
  bool made = make_sheet(divider);
  fixed_free(&divider->fixed);
  if (!made) return false;
  find_autonomous(divider);
  join_all(divider);
  if (!number_parts(divider) || !find_order(divider) || !find_cuts(divider))
    return false;
  find_clock(divider);
  return true;
}

bool division_init(Division *division, const Net *net, const uint64_t *state) {
  uint32_t gates = net->gates.count, moves = net->moves.count;
  uint32_t fluents = net->fluents.count;
  if (net->role_count != 1 || net->loops.count || !moves || !fluents)
    return false;
  *division = (Division){.net = net};
  net_init(&division->sheet, 1);
  division->class_of =
      memory_new((size_t)moves * DIVISION_MOST * sizeof(uint32_t));
  Divider divider = {.division = division,
                     .net = net,
                     .sheet = &division->sheet,
                     .state = state,
                     .reads_moves = memory_new(gates * sizeof(bool)),
                     .map = memory_new(gates * sizeof(Signal)),
                     .legal = memory_new(moves * sizeof(Signal)),
                     .autonomous = memory_new(fluents * sizeof(bool)),
                     .known = memory_new(fluents * sizeof(Signal)),
                     .part = memory_new(fluents * sizeof(uint32_t))};
  bool done = divide(&divider);
  divider_free(&divider);
  if (!done) division_free(division);
  return done;
}

void division_free(Division *division) {
  for (uint32_t p = 0; p < DIVISION_MOST; p++) clear_part(&division->parts[p]);
  net_free(&division->sheet);
  memory_delete(division->class_of);
  vector_free(&division->clock);
  vector_free(&division->advance);
}
