/* The state after a move is a function of the state before it: each fluent's
   next value, with that move done, no other of its role, and what waiting roles
   do. Put into the rules of winning, this gives for each move the states in
   which it wins; put into what the next role can win by, those in which it
   loses. Equal gates are one gate, and gates that a move does not change stand
   for themselves, so only what it changes is new; wide gates are trees here, so
   that a change of one input makes few gates.

   A move is judged only where it is legal, in a state that is not terminal, and
   where it is its role's turn. What follows from that is put in as constants:
   signals that every true conjunction contains, and the other fluents of a
   one-hot group. What is only sampled may be wrong; the net then prefers other
   moves, but some move of a role is legal wherever one was. */
#include "game/decisive.h"

#include "reduce/rebuild.h"
#include "reduce/reduction.h"

static const Signal UNKNOWN = UINT32_MAX;

typedef struct Decider {
  const Analysis *analysis;
  Net *net;
  uint64_t most; /* edges that it may have */
  uint64_t work; /* gates that may still be mapped */
  bool failed;
  NumberVector list; /* scratch: inputs of a gate */
  Signal *wins;      /* by role: the state is terminal and its best */
  Signal *losses;    /* by role: terminal and its worst */
  Signal *chances;   /* by role: some move of it wins */
  Signal *win;       /* by move: it wins, if it is legal */
  Signal *loss;      /* by move: it loses at once, if it is legal */
  /* Of the move at hand, by gate: */
  uint32_t gates;    /* that the arrays are for */
  Signal *known;     /* constants of the state before it, or UNKNOWN */
  Signal *before;    /* values, given the move */
  Signal *constant;  /* of the state before it, by `known`, or UNKNOWN */
  Signal *after;     /* values in the successor */
  bool *same;        /* the move does not change it */
  NumberVector told; /* gates with an entry in `known` */
} Decider;

/* ---- trees ---- */

/* The conjunction as a tree. */
static Signal join(Net *net, const Signal *list, uint32_t count) {
  Signal parts[3];
  uint32_t third = (count + 2) / 3;
  if (count <= 3) {
    memcpy(parts, list, count * sizeof *list);
    return net_and(net, parts, count);
  }
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t from = i * third < count ? i * third : count;
    uint32_t to = from + third < count ? from + third : count;
    parts[i] = join(net, list + from, to - from);
  }
  return net_and(net, parts, 3);
}

/* Makes a copy of the net in which no gate has more than three inputs. */
static void copy_as_trees(const Net *net, Net *to) {
  Rebuild rebuild;
  rebuild_begin(&rebuild, net, to);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!rebuild_is_and(&rebuild, gate)) continue;
    const NetGate *g = &net->gates.data[gate];
    vector_clear(&rebuild.list);
    for (uint32_t i = 0; i < g->count; i++)
      vector_push(&rebuild.list,
                  rebuild_signal(&rebuild, net->inputs.data[g->first + i]));
    rebuild.map[gate] = join(to, rebuild.list.data, rebuild.list.count);
  }
  rebuild_end(&rebuild);
}

/* ---- cones ---- */

typedef NumberVector Cone; /* gates in ascending order */

static void mark_inputs(const Net *net, Gate gate, bool *marked) {
  const NetGate *g = &net->gates.data[gate];
  for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
    marked[signal_gate(net->inputs.data[g->first + i])] = true;
}

/* Lists the marked gates and all that they depend on. Returns false if one is a
   loop. */
static bool list_marked(const Net *net, bool *marked, Cone *cone) {
  bool loops = false;
  vector_clear(cone);
  for (Gate gate = net->gates.count; gate-- > 0;)
    if (marked[gate]) mark_inputs(net, gate, marked);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!marked[gate]) continue;
    vector_push(cone, gate);
    loops |= net->gates.data[gate].kind == GATE_LOOP;
  }
  return !loops;
}

/* Lists the cone of `signals` in the successor, and that of the next values of
   its fluents. */
static bool list_cones(const Net *net, const Signal *signals, uint32_t count,
                       Cone *after, Cone *before) {
  bool *marked = memory_new(net->gates.count * sizeof *marked);
  for (uint32_t i = 0; i < count; i++) marked[signal_gate(signals[i])] = true;
  bool fine = list_marked(net, marked, after);
  memset(marked, 0, net->gates.count * sizeof *marked);
  for (uint32_t i = 0; i < after->count; i++) {
    const NetGate *gate = &net->gates.data[after->data[i]];
    if (gate->kind == GATE_FLUENT)
      marked[signal_gate(net->fluents.data[gate->first].next)] = true;
  }
  fine &= list_marked(net, marked, before);
  memory_delete(marked);
  return fine;
}

/* ---- what is known before a move ---- */

static void tell(Decider *decider, Signal signal, bool value);

static void tell_group(Decider *decider, uint32_t fluent) {
  const OneHot *onehot = &decider->analysis->onehot;
  uint32_t group = onehot->group_of[fluent];
  if (!group || !onehot->groups.data[group - 1].at_most) return;
  const OneHotGroup *g = &onehot->groups.data[group - 1];
  const uint32_t *members = onehot_members(onehot, g);
  for (uint32_t i = 0; i < g->count; i++)
    if (members[i] != fluent)
      tell(decider, gate_signal(decider->net->fluents.data[members[i]].gate),
           false);
}

/* Signals that contradict what is known are of moves that are never legal. */
static void tell(Decider *decider, Signal signal, bool value) {
  Gate gate = signal_gate(signal);
  bool truth = value != signal_negated(signal);
  if (decider->known[gate] != UNKNOWN) return;
  decider->known[gate] = truth;
  vector_push(&decider->told, gate);
  NetGate g = decider->net->gates.data[gate];
  if (!truth) return;
  if (g.kind == GATE_FLUENT) tell_group(decider, g.first);
  for (uint32_t i = 0; g.kind == GATE_AND && i < g.count; i++)
    tell(decider, decider->net->inputs.data[g.first + i], true);
}

static void tell_turn(Decider *decider, uint32_t role) {
  const Turns *turns = &decider->analysis->turns;
  for (uint32_t r = 0; r < turns->role_count; r++) {
    const RoleTurn *turn = &turns->roles[r];
    if (turn->fluent == no_fluent) continue;
    Signal signal = gate_signal(decider->net->fluents.data[turn->fluent].gate);
    if (r == role || turn->fluent_exact) tell(decider, signal, r == role);
  }
}

static void forget(Decider *decider) {
  for (uint32_t i = 0; i < decider->told.count; i++)
    decider->known[decider->told.data[i]] = UNKNOWN;
  vector_clear(&decider->told);
}

/* ---- a move ---- */

static Signal map_and(Decider *decider, const Signal *map, Gate gate) {
  NetGate g = decider->net->gates.data[gate];
  vector_clear(&decider->list);
  for (uint32_t i = 0; i < g.count; i++) {
    Signal input = decider->net->inputs.data[g.first + i];
    Signal mapped = map[signal_gate(input)] ^ (input & 1);
    if (mapped == SIGNAL_FALSE) return SIGNAL_FALSE;
    vector_push(&decider->list, mapped);
  }
  return net_and(decider->net, decider->list.data, decider->list.count);
}

/* What does a role do that waits? Its one waiting move, or the legal one. */
static Signal do_waiting(const Decider *decider, uint32_t number) {
  const Net *net = decider->net;
  const NetMove *move = &net->moves.data[number];
  const Evidence *waiting = decider->analysis->turns.waiting;
  uint32_t count = 0;
  if (!waiting[number]) return SIGNAL_FALSE;
  for (uint32_t i = net->role_first.data[move->role];
       i < net->role_first.data[move->role + 1]; i++)
    count += waiting[i] != EVIDENCE_NONE;
  return count == 1 ? SIGNAL_TRUE : move->legal;
}

static Signal map_before(Decider *decider, uint32_t move, Gate gate) {
  const Net *net = decider->net;
  const NetGate *g = &net->gates.data[gate];
  if (decider->known[gate] != UNKNOWN) return decider->known[gate];
  switch (g->kind) {
  case GATE_MOVE:
    return net->moves.data[g->first].role == net->moves.data[move].role
               ? g->first == move
               : do_waiting(decider, g->first);
  case GATE_AND: return map_and(decider, decider->before, gate);
  default: return gate_signal(gate);
  }
}

/* Is it known which value it has, by that of its inputs? */
static Signal constant_before(const Decider *decider, Gate gate) {
  const Net *net = decider->net;
  const NetGate *g = &net->gates.data[gate];
  Signal all = SIGNAL_TRUE;
  if (decider->known[gate] != UNKNOWN || g->kind != GATE_AND)
    return gate ? decider->known[gate] : SIGNAL_FALSE;
  for (uint32_t i = 0; i < g->count; i++) {
    Signal input = net->inputs.data[g->first + i];
    Signal value = decider->constant[signal_gate(input)];
    if (value == UNKNOWN)
      all = UNKNOWN;
    else if ((value ^ (input & 1)) == SIGNAL_FALSE)
      return SIGNAL_FALSE;
  }
  return all;
}

static bool same_inputs(const Decider *decider, Gate gate) {
  const Net *net = decider->net;
  const NetGate *g = &net->gates.data[gate];
  for (uint32_t i = 0; i < g->count; i++)
    if (!decider->same[signal_gate(net->inputs.data[g->first + i])])
      return false;
  return true;
}

static Signal map_fluent(const Decider *decider, uint32_t fluent) {
  Signal next = decider->net->fluents.data[fluent].next;
  return decider->before[signal_gate(next)] ^ (next & 1);
}

/* Constants are put in only for what is changed by the move. */
static void map_after(Decider *decider, Gate gate) {
  NetGate g = decider->net->gates.data[gate];
  Signal constant = decider->constant[gate] = constant_before(decider, gate);
  Signal self = gate_signal(gate), after = self;
  if (g.kind == GATE_FLUENT)
    after = map_fluent(decider, g.first);
  else if (g.kind == GATE_AND && !same_inputs(decider, gate))
    after = map_and(decider, decider->after, gate);
  decider->same[gate] = after == self || after == constant;
  if (after == self && constant != UNKNOWN) after = constant;
  decider->after[gate] = after;
}

/* Fills in `after` for the cone. */
static void make_move(Decider *decider, uint32_t move, const Cone *before,
                      const Cone *after) {
  const NetMove *m = &decider->net->moves.data[move];
  tell(decider, decider->net->terminal, false);
  tell_turn(decider, m->role);
  tell(decider, m->legal, true);
  for (uint32_t i = 0; i < before->count; i++)
    decider->before[before->data[i]] =
        map_before(decider, move, before->data[i]);
  for (uint32_t i = 0; i < after->count; i++)
    map_after(decider, after->data[i]);
  forget(decider);
}

static Signal signal_after(const Decider *decider, Signal signal) {
  return decider->after[signal_gate(signal)] ^ (signal & 1);
}

static void make_arrays(Decider *decider) {
  decider->gates = decider->net->gates.count;
  decider->known = memory_new(decider->gates * sizeof(Signal));
  decider->before = memory_new(decider->gates * sizeof(Signal));
  decider->after = memory_new(decider->gates * sizeof(Signal));
  decider->constant = memory_new(decider->gates * sizeof(Signal));
  decider->same = memory_new(decider->gates * sizeof(bool));
  memset(decider->known, 255, decider->gates * sizeof(Signal));
}

static void free_arrays(Decider *decider) {
  memory_delete(decider->known);
  memory_delete(decider->before);
  memory_delete(decider->after);
  memory_delete(decider->constant);
  memory_delete(decider->same);
}

/* ---- all moves ---- */

/* A waiting move is the only one: nothing can be preferred to it. */
static bool is_judged(const Decider *decider, uint32_t move) {
  return !decider->analysis->turns.waiting[move] &&
         decider->net->moves.data[move].legal != SIGNAL_FALSE;
}

/* Takes the work of a role's moves from what is left; fails if that is too
   little. */
static void plan_work(Decider *decider, uint32_t moves, uint64_t gates) {
  if (gates * moves > decider->work)
    decider->failed = true;
  else
    decider->work -= gates * moves;
}

/* Fails if the net is too large, or will be if, after a few moves, the others
   make half as many edges as those so far. */
static void check_size(Decider *decider, uint64_t edges, uint32_t done,
                       uint32_t moves) {
  enum { FEW = 16 };
  uint64_t now = decider->net->inputs.count;
  uint64_t coming = done < FEW ? 0 : (now - edges) / done * (moves - done) / 2;
  if (now + coming > decider->most) decider->failed = true;
}

/* Finds `found` by move for a role: `wanted` is true in the successor. */
static void judge_role(Decider *decider, uint32_t role, Signal wanted,
                       Signal *found) {
  const Net *net = decider->net;
  uint32_t first = net->role_first.data[role];
  uint32_t end = net->role_first.data[role + 1];
  uint64_t edges = net->inputs.count;
  Cone before = {0}, after = {0};
  if (!list_cones(net, &wanted, 1, &after, &before)) decider->failed = true;
  plan_work(decider, end - first, before.count + after.count);
  make_arrays(decider);
  for (uint32_t move = first; move < end && !decider->failed; move++) {
    if (!is_judged(decider, move)) continue;
    make_move(decider, move, &before, &after);
    found[move] = signal_after(decider, wanted);
    check_size(decider, edges, move - first + 1, end - first);
  }
  free_arrays(decider);
  vector_free(&before);
  vector_free(&after);
}

static Signal both(Net *net, Signal a, Signal b) {
  return net_and(net, (Signal[]){a, b}, 2);
}

static Signal either(Net *net, Signal a, Signal b) {
  return net_or(net, (Signal[]){a, b}, 2);
}

/* The disjunction, over the moves of a role, of being legal and judged so. */
static Signal some_move(Decider *decider, uint32_t role, const Signal *judged,
                        bool negated) {
  Net *net = decider->net;
  NumberVector list = {0};
  for (uint32_t i = net->role_first.data[role];
       i < net->role_first.data[role + 1]; i++)
    vector_push(&list,
                signal_not(both(net, net->moves.data[i].legal,
                                negated ? signal_not(judged[i]) : judged[i])));
  Signal some = signal_not(join(net, list.data, list.count));
  vector_free(&list);
  return some;
}

/* ---- winning ---- */

/* a AND b, where b may be a part of the disjunction a. */
static Signal absorb(Net *net, Signal a, Signal b) {
  if (signal_negated(a) && net_is_and(net, a)) {
    const NetGate *g = &net->gates.data[signal_gate(a)];
    for (uint32_t i = 0; i < g->count; i++)
      if (net->inputs.data[g->first + i] == signal_not(b)) return b;
  }
  return both(net, a, b);
}

static Signal ends_with(Decider *decider, uint32_t role, int value) {
  Net *net = decider->net;
  Signal signal = SIGNAL_FALSE;
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (net->goals.data[i].role == role && net->goals.data[i].value == value)
      signal = either(net, signal, net->goals.data[i].signal);
  return absorb(net, net->terminal, signal);
}

static void find_wins(Decider *decider) {
  const Analysis *analysis = decider->analysis;
  for (uint32_t role = 0; role < decider->net->role_count; role++) {
    const RoleGoals *goals = &analysis->goals[role];
    decider->wins[role] = ends_with(decider, role, goals->most);
    decider->losses[role] = ends_with(decider, role, goals->least);
  }
  for (uint32_t role = 0; role < decider->net->role_count; role++) {
    judge_role(decider, role, decider->wins[role], decider->win);
    decider->chances[role] = some_move(decider, role, decider->win, false);
  }
}

/* ---- losing ---- */

/* The state is lost for a role: it has ended so, or another role can win. */
static Signal lost(Decider *decider, uint32_t role) {
  Net *net = decider->net;
  Signal signal = SIGNAL_FALSE;
  for (uint32_t other = 0; other < net->role_count; other++)
    if (other != role) signal = either(net, signal, decider->chances[other]);
  signal = both(net, signal_not(net->terminal), signal);
  return either(net, decider->losses[role], signal);
}

static void find_losses(Decider *decider) {
  for (uint32_t role = 0; role < decider->net->role_count; role++)
    judge_role(decider, role, lost(decider, role), decider->loss);
}

/* ---- legality ---- */

/* Returns whether some move is no longer legal in some state. */
static bool restrict_role(Decider *decider, uint32_t role, Decisive kind) {
  Net *net = decider->net;
  Signal wins = kind == DECISIVE_DEFEND ? SIGNAL_FALSE : decider->chances[role];
  Signal safe = kind == DECISIVE_WIN
                    ? SIGNAL_TRUE
                    : some_move(decider, role, decider->loss, true);
  bool changed = false;
  for (uint32_t i = net->role_first.data[role];
       i < net->role_first.data[role + 1]; i++) {
    Signal legal = net->moves.data[i].legal;
    if (!is_judged(decider, i)) continue;
    Signal quiet = either(net, signal_not(decider->loss[i]), signal_not(safe));
    quiet = both(net, quiet, signal_not(wins));
    if (wins != SIGNAL_FALSE) quiet = either(net, quiet, decider->win[i]);
    net->moves.data[i].legal = both(net, legal, quiet);
    changed |= net->moves.data[i].legal != legal;
  }
  return changed;
}

static bool decide(Decider *decider, Decisive kind) {
  bool changed = false;
  find_wins(decider);
  if (kind != DECISIVE_WIN && !decider->failed) find_losses(decider);
  for (uint32_t role = 0; role < decider->net->role_count; role++)
    changed |= !decider->failed && restrict_role(decider, role, kind);
  return changed;
}

/* Does a role lose where another wins? */
static bool is_contest(const Analysis *analysis) {
  uint32_t roles = analysis->net->role_count;
  return roles == 1 ||
         (roles == 2 && analysis->turns.taking && analysis->constant_sum);
}

bool decisive_moves(const Analysis *analysis, Decisive kind, Net *deciding) {
  /* Limits of a second or so. Of the edges, reductions leave a third in most
     games and a tenth in those with long lines. */
  enum { WORK = 20000000, EDGES = 1000000, LARGE = 250000 };
  const Net *net = analysis->net;
  if (kind == DECISIVE_NONE || !is_contest(analysis)) return false;
  if (net_count_edges(net) > LARGE) return false;
  Net made;
  copy_as_trees(net, &made);
  Decider decider = {.analysis = analysis,
                     .net = &made,
                     .most = net_count_edges(&made) + EDGES,
                     .work = WORK,
                     .wins = memory_new(net->role_count * sizeof(Signal)),
                     .losses = memory_new(net->role_count * sizeof(Signal)),
                     .chances = memory_new(net->role_count * sizeof(Signal)),
                     .win = memory_new(net->moves.count * sizeof(Signal)),
                     .loss = memory_new(net->moves.count * sizeof(Signal))};
  bool fine = decide(&decider, kind);
  if (fine) reduce_dead(&made, deciding, NULL);
  net_free(&made);
  memory_delete(decider.wins);
  memory_delete(decider.losses);
  memory_delete(decider.chances);
  memory_delete(decider.win);
  memory_delete(decider.loss);
  vector_free(&decider.list);
  vector_free(&decider.told);
  return fine;
}
