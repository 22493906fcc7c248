/* Each step is a pass over the gates. Which gates read moves, or fluents that
   are not autonomous: computed to a fixpoint, since a fluent is autonomous only
   if all it reads is. Components: fluents, moves and the gates that next values
   read, in one union-find structure. Who reads which part: sets of parts as
   bits, from inputs up (`below`) and from next values down (`above`). */
#include "analyse/subgames.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/trial.h"

enum { MOST_TUPLES = 1000 }; /* moves; more are not tried as tuples */

typedef struct Finder {
  const Net *net;
  const Evidence *waiting;         /* by move */
  bool *reads_moves, *reads_state; /* by gate; state: fluents that are not
                                      autonomous */
  uint32_t *parent;                /* by gate */
  bool with_moves;                 /* moves connect */
  uint64_t *above;                 /* by gate: subgames that read it */
  uint64_t *below;                 /* by gate: subgames that it reads */
} Finder;

static bool any_input(const Net *net, Gate gate, const bool *flags) {
  trial_check();
  const NetGate *g = &net->gates.data[gate];
  if (g->kind == GATE_LOOP)
    return flags[signal_gate(net->loops.data[g->first].definition)];
  for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
    if (flags[signal_gate(net_inputs(net, gate)[i])]) return true;
  return false;
}

/* Propagates flags from inputs to gates, through loop variables too. */
static void raise(const Net *net, bool *flags) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Gate gate = 0; gate < net->gates.count; gate++)
      if (!flags[gate] && any_input(net, gate, flags)) {
        flags[gate] = true;
        changed = net->loops.count > 0;
      }
  }
}

/* Fluents count as autonomous until they are found to read something that is
   not. */
static void find_readers(Finder *finder) {
  const Net *net = finder->net;
  for (uint32_t i = 0; i < net->moves.count; i++)
    finder->reads_moves[net->moves.data[i].gate] = true;
  raise(net, finder->reads_moves);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < net->fluents.count; i++) {
      Gate next = signal_gate(net->fluents.data[i].next);
      Gate own = net->fluents.data[i].gate;
      if (finder->reads_state[own] ||
          (!finder->reads_moves[next] && !finder->reads_state[next]))
        continue;
      finder->reads_state[own] = changed = true;
    }
    raise(net, finder->reads_state);
  }
}

/* ---- components ---- */

static Gate root_of(Finder *finder, Gate gate) {
  while (finder->parent[gate] != gate) {
    finder->parent[gate] = finder->parent[finder->parent[gate]];
    gate = finder->parent[gate];
  }
  return gate;
}

static bool connects(const Finder *finder, Gate gate) {
  return finder->reads_state[gate] ||
         (finder->with_moves && finder->reads_moves[gate]);
}

static void join(Finder *finder, Gate a, Gate b) {
  if (connects(finder, a) && connects(finder, b))
    finder->parent[root_of(finder, a)] = root_of(finder, b);
}

/* Marks everything that marked gates read. */
static void mark_down(const Net *net, bool *wanted) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Gate gate = net->gates.count; gate-- > 0;) {
      const NetGate *g = &net->gates.data[gate];
      if (!wanted[gate]) continue;
      for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
        wanted[signal_gate(net_inputs(net, gate)[i])] = true;
      if (g->kind != GATE_LOOP) continue;
      bool *definition =
          &wanted[signal_gate(net->loops.data[g->first].definition)];
      changed |= !*definition;
      *definition = true;
    }
  }
}

static void join_inputs(Finder *finder, Gate gate) {
  const Net *net = finder->net;
  const NetGate *g = &net->gates.data[gate];
  for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
    join(finder, gate, signal_gate(net_inputs(net, gate)[i]));
  if (g->kind == GATE_LOOP)
    join(finder, gate, signal_gate(net->loops.data[g->first].definition));
}

static void join_dynamics(Finder *finder) {
  const Net *net = finder->net;
  bool *wanted = memory_new(net->gates.count * sizeof(bool));
  for (uint32_t i = 0; i < net->fluents.count; i++)
    wanted[signal_gate(net->fluents.data[i].next)] = true;
  for (uint32_t i = 0; finder->with_moves && i < net->moves.count; i++)
    wanted[signal_gate(net->moves.data[i].legal)] = true;
  mark_down(net, wanted);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    if (wanted[gate]) join_inputs(finder, gate);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    join(finder, net->fluents.data[i].gate,
         signal_gate(net->fluents.data[i].next));
  for (uint32_t i = 0; finder->with_moves && i < net->moves.count; i++)
    join(finder, net->moves.data[i].gate,
         signal_gate(net->moves.data[i].legal));
  memory_delete(wanted);
}

/* Returns some fluent that the gate reads and that connects, or 0. */
static Gate some_fluent(const Net *net, const Finder *finder, Gate gate) {
  while (finder->reads_state[gate]) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind == GATE_FLUENT) return gate;
    if (g->kind != GATE_AND) return 0;
    uint32_t i = 0;
    while (!finder->reads_state[signal_gate(net_inputs(net, gate)[i])]) i++;
    gate = signal_gate(net_inputs(net, gate)[i]);
  }
  return 0;
}

/* A conjunction with facts among its inputs connects them with each other and
   with those that its other inputs read. */
static void join_conjunction(Finder *finder, Gate gate) {
  trial_check();
  const Net *net = finder->net;
  const NetGate *g = &net->gates.data[gate];
  Gate fact = 0;
  for (uint32_t i = 0; i < g->count && !fact; i++) {
    Gate input = signal_gate(net_inputs(net, gate)[i]);
    if (net->gates.data[input].kind == GATE_FLUENT &&
        finder->reads_state[input])
      fact = input;
  }
  for (uint32_t i = 0; fact && i < g->count; i++) {
    Gate other =
        some_fluent(net, finder, signal_gate(net_inputs(net, gate)[i]));
    if (other) join(finder, fact, other);
  }
}

static void join_conditions(Finder *finder) {
  const Net *net = finder->net;
  bool *wanted = memory_new(net->gates.count * sizeof(bool));
  wanted[signal_gate(net->terminal)] = true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    wanted[signal_gate(net->goals.data[i].signal)] = true;
  mark_down(net, wanted);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!wanted[gate]) continue;
    if (net->gates.data[gate].kind == GATE_AND) join_conjunction(finder, gate);
    if (net->gates.data[gate].kind == GATE_LOOP) join_inputs(finder, gate);
  }
  memory_delete(wanted);
}

static void find_components(Subgames *subgames, Finder *finder,
                            bool with_moves) {
  const Net *net = finder->net;
  uint32_t *number = memory_new(net->gates.count * sizeof(uint32_t));
  finder->with_moves = with_moves;
  subgames->count = subgames->autonomous = 0;
  memset(subgames->list, 0, sizeof subgames->list);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    finder->parent[gate] = gate;
  join_dynamics(finder);
  join_conditions(finder);
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Gate gate = net->fluents.data[i].gate;
    subgames->of_fluent[i] = 0;
    if (!finder->reads_state[gate]) {
      subgames->autonomous++;
      continue;
    }
    uint32_t *own = &number[root_of(finder, gate)];
    if (!*own && subgames->count < SUBGAME_MOST) subgames->count++;
    if (!*own) *own = subgames->count;
    subgames->of_fluent[i] = *own;
    subgames->list[*own - 1].fluents++;
  }
  memory_delete(number);
}

/* ---- who reads which part ---- */

static void find_below(const Subgames *subgames, Finder *finder) {
  const Net *net = finder->net;
  memset(finder->below, 0, net->gates.count * sizeof(uint64_t));
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (subgames->of_fluent[i])
      finder->below[net->fluents.data[i].gate] =
          (uint64_t)1 << (subgames->of_fluent[i] - 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (Gate gate = 0; gate < net->gates.count; gate++) {
      const NetGate *g = &net->gates.data[gate];
      uint64_t below = finder->below[gate];
      for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
        below |= finder->below[signal_gate(net_inputs(net, gate)[i])];
      if (g->kind == GATE_LOOP)
        below |=
            finder->below[signal_gate(net->loops.data[g->first].definition)];
      if (below == finder->below[gate]) continue;
      finder->below[gate] = below;
      changed = net->loops.count > 0;
    }
  }
}

/* The parts of the fluents whose next value reads the gate. */
static void find_above(const Subgames *subgames, Finder *finder) {
  const Net *net = finder->net;
  memset(finder->above, 0, net->gates.count * sizeof(uint64_t));
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (subgames->of_fluent[i])
      finder->above[signal_gate(net->fluents.data[i].next)] |=
          (uint64_t)1 << (subgames->of_fluent[i] - 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (Gate gate = net->gates.count; gate-- > 0;) {
      const NetGate *g = &net->gates.data[gate];
      uint64_t above = finder->above[gate];
      for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
        finder->above[signal_gate(net_inputs(net, gate)[i])] |= above;
      if (g->kind != GATE_LOOP) continue;
      uint64_t *definition =
          &finder->above[signal_gate(net->loops.data[g->first].definition)];
      changed |= (above & ~*definition) != 0;
      *definition |= above;
    }
  }
}

/* ---- moves as tuples ---- */

/* Returns, by move, a hash of what the part can see of it: the gates through
   which it reads the move, and what the move's legality reads of the part. */
static uint64_t *find_views(const Finder *finder, uint32_t part) {
  trial_check();
  const Net *net = finder->net;
  uint64_t bit = (uint64_t)1 << part;
  uint64_t *views = memory_new((net->moves.count + 1) * sizeof *views);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind != GATE_AND || !(finder->above[gate] & bit)) continue;
    for (uint32_t i = 0; i < g->count; i++) {
      Signal input = net_inputs(net, gate)[i];
      const NetGate *read = &net->gates.data[signal_gate(input)];
      if (read->kind == GATE_MOVE)
        views[read->first] += hash_mix(gate * 2 + signal_negated(input));
    }
  }
  for (uint32_t m = 0; m < net->moves.count; m++) {
    Gate legal = signal_gate(net->moves.data[m].legal);
    const NetGate *g = &net->gates.data[legal];
    if (g->kind != GATE_AND && finder->below[legal] & bit)
      views[m] += hash_mix(net->moves.data[m].legal + 7);
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++) {
      Signal input = net_inputs(net, legal)[i];
      if (finder->below[signal_gate(input)] & bit)
        views[m] += hash_mix((uint64_t)input << 32);
    }
  }
  return views;
}

static int by_value(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

static uint64_t count_different(uint64_t *list, uint32_t count) {
  uint64_t different = 0;
  qsort(list, count, sizeof *list, by_value);
  for (uint32_t i = 0; i < count; i++)
    different += i == 0 || list[i] != list[i - 1];
  return different;
}

/* Returns whether each role's moves, except waiting ones, combine every view of
   one part with every view of the other. */
static bool is_product(const Finder *finder, const uint64_t *a,
                       const uint64_t *b, uint64_t *scratch) {
  trial_check();
  const Net *net = finder->net;
  uint64_t *lists[3] = {scratch, scratch + net->moves.count,
                        scratch + 2 * (size_t)net->moves.count};
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t count = 0;
    for (uint32_t m = net->role_first.data[role];
         m < net->role_first.data[role + 1]; m++) {
      if (finder->waiting[m]) continue;
      lists[0][count] = a[m];
      lists[1][count] = b[m];
      lists[2][count++] = hash_pair(a[m], b[m]);
    }
    if (count_different(lists[0], count) * count_different(lists[1], count) !=
        count_different(lists[2], count))
      return false;
  }
  return true;
}

/* Merges part `from` into part `to`; the last part gets the free number. */
static void merge_parts(Subgames *subgames, const Net *net, uint32_t from,
                        uint32_t to) {
  uint32_t last = --subgames->count;
  subgames->list[to].fluents += subgames->list[from].fluents;
  subgames->list[from] = subgames->list[last];
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    uint32_t *part = &subgames->of_fluent[i];
    if (*part == from + 1)
      *part = to + 1;
    else if (*part == last + 1)
      *part = from + 1;
  }
}

/* Merges two parts that moves tie together; returns false if there are none. */
static bool merge_tied_parts(Subgames *subgames, Finder *finder) {
  const Net *net = finder->net;
  uint64_t *views[SUBGAME_MOST], *scratch;
  uint32_t count = subgames->count, from = 0, to = 0;
  bool found = false;
  find_below(subgames, finder);
  find_above(subgames, finder);
  scratch = memory_new((net->moves.count * 3 + 1) * sizeof *scratch);
  for (uint32_t p = 0; p < count; p++) views[p] = find_views(finder, p);
  for (uint32_t p = 0; p < count && !found; p++)
    for (uint32_t q = 0; q < p && !found; q++) {
      found = !is_product(finder, views[p], views[q], scratch);
      from = p, to = q;
    }
  for (uint32_t p = 0; p < count; p++) memory_delete(views[p]);
  memory_delete(scratch);
  if (found) merge_parts(subgames, net, from, to);
  return found;
}

/* ---- the whole ---- */

static void find_parts(Subgames *subgames, Finder *finder) {
  find_components(subgames, finder, true);
  if (subgames->count == 1) {
    find_components(subgames, finder, false);
    bool few = subgames->count < SUBGAME_MOST &&
               finder->net->moves.count <= MOST_TUPLES;
    while (few && subgames->count > 1 && merge_tied_parts(subgames, finder))
      continue;
    subgames->parallel = few && subgames->count > 1;
    if (!subgames->parallel) find_components(subgames, finder, true);
  }
  find_below(subgames, finder);
  find_above(subgames, finder);
}

static void count_readers(Subgames *subgames, const Finder *finder) {
  const Net *net = finder->net;
  uint64_t terminal = finder->below[signal_gate(net->terminal)];
  for (uint32_t m = 0; m < net->moves.count; m++)
    subgames->of_move[m] = finder->above[net->moves.data[m].gate] |
                           finder->below[signal_gate(net->moves.data[m].legal)];
  for (uint32_t i = 0; i < net->goals.count; i++)
    subgames->of_goal[i] =
        finder->below[signal_gate(net->goals.data[i].signal)];
  for (uint32_t p = 0; p < subgames->count; p++) {
    subgames->list[p].terminal = terminal >> p & 1;
    for (uint32_t m = 0; m < net->moves.count; m++)
      subgames->list[p].moves += (uint32_t)(subgames->of_move[m] >> p & 1);
  }
}

void subgames_init(Subgames *subgames, const Net *net,
                   const Evidence *waiting) {
  uint32_t gates = net->gates.count;
  Finder finder = {.net = net, .waiting = waiting};
  *subgames = (Subgames){0};
  subgames->of_fluent = memory_new(net->fluents.count * sizeof(uint32_t));
  subgames->of_move = memory_new(net->moves.count * sizeof(uint64_t));
  subgames->of_goal = memory_new(net->goals.count * sizeof(uint64_t));
  finder.reads_moves = memory_new(gates * sizeof(bool));
  finder.reads_state = memory_new(gates * sizeof(bool));
  finder.parent = memory_new(gates * sizeof(uint32_t));
  finder.above = memory_new(gates * sizeof(uint64_t));
  finder.below = memory_new(gates * sizeof(uint64_t));
  find_readers(&finder);
  find_parts(subgames, &finder);
  count_readers(subgames, &finder);
  memory_delete(finder.reads_moves);
  memory_delete(finder.reads_state);
  memory_delete(finder.parent);
  memory_delete(finder.above);
  memory_delete(finder.below);
}

void subgames_free(Subgames *subgames) {
  memory_delete(subgames->of_fluent);
  memory_delete(subgames->of_move);
  memory_delete(subgames->of_goal);
}
